"""Ways that a rule takes unseen: branches chosen inside `together`.

    together p in players
      choose one "What do you do?"
        "Attack"
          p.plan = 1
        "Wait"

Nobody sees a player take one of these ways, so what is written on it is as secret as what was chosen, although no
secret is read, and the number that is written stands openly in the rules. Worlds have to take the ways anew: `answers`
are the decisions with several ways, `writes` the statements on them that write a field which not everybody may see.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from . import program as p
from .loops import called_rules
from .walk import bodies, statements, walk

Branching = p.ChooseOne | p.May | p.AnyOrder


@dataclass
class UnseenBranches:
    answers: set[p.Stmt] = field(default_factory=set)
    writes: set[p.Stmt] = field(default_factory=set)


def unseen_branches(program: p.Program) -> UnseenBranches:
    """The decisions between several ways that may be made inside `together`, and what is written there."""
    found = UnseenBranches()
    for rule in bodies(program):
        for stmt in statements(rule.body):
            if isinstance(stmt, p.Together):
                _follow(stmt.body, found)
    return found


def _follow(block: p.Block, found: UnseenBranches) -> None:
    for stmt in _reached(block):
        if isinstance(stmt, Branching) and _has_several_ways(stmt):
            written = [one for one in _reached((stmt,)) if _writes_unseen(one)]
            if written:
                found.answers.add(stmt)
                found.writes.update(written)


def _reached(block: p.Block) -> list[p.Stmt]:
    """The statements of a block and of all that it calls."""
    found = list(statements(block))
    for rule in called_rules(walk(block)):
        found += statements(rule.body)
    return found


def _has_several_ways(stmt: Branching) -> bool:
    return isinstance(stmt, p.May) or len(stmt.branches) > 1


def _writes_unseen(stmt: p.Stmt) -> bool:
    match stmt:
        case p.SetField(field=of):
            return of.visibility != "open"
        case p.Gain() | p.Lose():
            return any(amount.field.visibility != "open" for amount in stmt.amounts)
        case p.SetFace():
            return True
        case _:
            return False
