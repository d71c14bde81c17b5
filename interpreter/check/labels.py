"""Options of one decision that nobody can tell apart: the same text, no values, and both offered at once.

`also in` puts options of several layers into one decision, so two authors may have chosen the same words. If both
options have a condition, the conditions may exclude one another; only what is certainly ambiguous is reported.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics.diagnostic import Diagnostics, Label
from . import program as p
from .walk import walk_program


def check_labels(program: p.Program, found: Diagnostics) -> None:
    for node in walk_program(program):
        if isinstance(node, p.ChooseOne | p.AnyOrder):
            _tell_apart(node.branches, found)


def _tell_apart(branches: Sequence[p.BranchDecl], found: Diagnostics) -> None:
    first: dict[str, p.BranchDecl] = {}
    for branch in branches:
        if branch.binders or branch.otherwise or not all(isinstance(part, str) for part in branch.label.parts):
            continue
        earlier = first.setdefault(branch.label.raw, branch)
        if earlier is not branch and not (_is_bound(earlier) and _is_bound(branch)):
            found.warning(
                "R0758",
                f"two options of one decision read “{branch.label.raw}”",
                branch.span,
                "nobody can tell this one",
                others=(Label(earlier.span, "from this one"),),
                help="give one of them another text",
            )


def _is_bound(branch: p.BranchDecl) -> bool:
    """True if the option is offered only under a condition: its own, or one at the start of its block."""
    block = branch.body
    if branch.is_call and isinstance(block[0], p.CallRule):
        block = block[0].rule.body
    return branch.condition is not None or (bool(block) and isinstance(block[0], p.Require))
