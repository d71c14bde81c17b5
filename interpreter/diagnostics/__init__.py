"""Findings: how every stage reports errors and warnings, and how the command line shows them.

Comes in: nothing. This package knows no stage and no game. A stage creates a `Diagnostics` list, adds each finding
with a code, a headline and a span, and carries on as long as that makes sense.

Goes out: `Diagnostic` values, which are plain data (code, primary place, other places, notes, help), and three views
of the same value: full text with carets, a single line, and plain data for JSON. Each code is described once, in the
registry (`codes.py`, with one `codes_*.py` module per family); `rulewright explain` prints that description.

Guaranteed: every place is a span of a source, so line and column are computed from the text and never assembled
by hand; the same finding is reported only once.
"""

from __future__ import annotations

from .diagnostic import Diagnostic, Diagnostics, Label, RulesetError, Severity
from .render import as_data, render, render_all, render_line
from .source import NOWHERE, Source, Span
from .suggest import did_you_mean, nearest

__all__ = [
    "NOWHERE",
    "Diagnostic",
    "Diagnostics",
    "Label",
    "RulesetError",
    "Severity",
    "Source",
    "Span",
    "as_data",
    "did_you_mean",
    "nearest",
    "render",
    "render_all",
    "render_line",
]
