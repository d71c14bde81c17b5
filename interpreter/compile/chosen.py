"""Numbers that are written just as they were chosen, for the worlds of the players.

`told` says what is noted of numbers that somebody may not see. Most of them come straight from a choice or from
chance: `choose n in 1..6 secretly` / `p.bid = n`. Then what was offered is what might have been written, and nothing
has to be worked out again.
"""

from __future__ import annotations

from ..check import program as core
from ..check.forms import blocks
from ..check.walk import statements

_DECIDING = (
    core.Choose
    | core.ChooseSet
    | core.ChooseOne
    | core.AnyOrder
    | core.May
    | core.Pick
    | core.Pay
    | core.CallRule
    | core.Perform
)


def chosen_writes(program: core.Program) -> set[core.Stmt]:
    """The statements that write what a choice or random pick gave, with no other decision on the way."""
    found: set[core.Stmt] = set()
    for rule in program.all_rules():
        _follow(rule.body, set(), found)
    return found


def _follow(block: core.Block, given: set[core.LocalDecl], found: set[core.Stmt]) -> None:
    """`given`: the locals that the last decision bound. Whatever may ask or pick again ends that: the worlds look for
    the last decision before the write."""
    for stmt in block:
        if isinstance(stmt, core.SetField) and stmt.op == "=" and isinstance(stmt.value, core.LocalVar):
            if stmt.value.local in given:
                found.add(stmt)
        elif isinstance(stmt, _DECIDING):
            given = _given_by(stmt)
            bodies = list(blocks(stmt))
            for body in bodies:
                _follow(body, given, found)
            if bodies:  # its names end with it, and so does what they stand for
                given = set()
        else:
            if any(isinstance(inner, _DECIDING) for inner in statements((stmt,))):
                given = set()
            for body in blocks(stmt):
                _follow(body, given, found)


def _given_by(stmt: core.Stmt) -> set[core.LocalDecl]:
    """The locals that a choice or pick binds, if each of its options binds no more than one."""
    match stmt:
        case core.Choose(binders=(one,)):
            return {one.local}
        case core.ChooseOne(branches=branches) if all(len(branch.binders) <= 1 for branch in branches):
            return {binder.local for branch in branches for binder in branch.binders}
        case core.Pick(binder=one, at_random=True):
            return {one.local}
        case _:
            return set()
