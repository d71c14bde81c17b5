"""Numbers that are written just as they were chosen, for the worlds of the players.

`told` says what is noted of numbers that somebody may not see. Most of them come straight from a choice or from
chance: `choose n in 1..6 secretly` / `p.bid = n`. Then what was offered is what might have been written, and nothing
has to be worked out again.
"""

from __future__ import annotations

from ..check import program as core
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
    """The statements that write what the only choice or random pick of their rule gave."""
    found: set[core.Stmt] = set()
    for rule in (*program.rules.values(), *program.all_hooks()):
        inside = list(statements(rule.body))
        deciding = [stmt for stmt in inside if isinstance(stmt, _DECIDING)]
        given = _given_by(deciding[0]) if len(deciding) == 1 else set()
        for stmt in inside:
            if isinstance(stmt, core.SetField) and stmt.op == "=" and isinstance(stmt.value, core.LocalVar):
                if stmt.value.local in given:
                    found.add(stmt)
    return found


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
