"""The passes over a checked program that need the whole of it: visibility, loops, effort, labels, tails, use.

They change nothing and add findings. An unused declaration is a warning; a leak or an endless loop is an error.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from .effort import check_effort
from .labels import check_labels
from .loops import check_loops
from .program import Program
from .tails import check_tails
from .use import check_use
from .visibility import check_visibility


def run_passes(program: Program, found: Diagnostics) -> None:
    check_visibility(program, found)
    check_loops(program, found)
    check_effort(program, found)
    check_labels(program, found)
    check_tails(program, found)
    check_use(program, found)
