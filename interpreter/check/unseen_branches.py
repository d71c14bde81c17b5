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


def behind_numbers(program: p.Program, unseen: set[p.LocalDecl], turned: set[p.Stmt]) -> UnseenBranches:
    """What is written on a way that turns on a number which chance picked, or which somebody chose inside `together`.
    The number that is written may stand openly in the rules; that it is written is what nobody sees:

        pick n in 1..3 at random
        if n == 2
          seat2.plan = 1

    `answers` are the statements that turn on it, `turned` further ones, which turn on a card that stays closed."""
    found = UnseenBranches()
    for rule in bodies(program) if unseen or turned else ():
        for stmt in statements(rule.body):
            asked = _condition(stmt)
            is_unseen = asked is not None and any(isinstance(n, p.LocalVar) and n.local in unseen for n in walk(asked))
            if is_unseen or stmt in turned:
                # Behind `if n == 2` / `done` the rest of the rule turns on it as well.
                is_left = any(isinstance(one, p.Done | p.Stop | p.ResultIs) for one in statements((stmt,)))
                written = [one for one in _reached(rule.body if is_left else (stmt,)) if _writes_unseen(one)]
                if written:
                    found.answers.add(stmt)
                    found.writes.update(written)
    return found


def _condition(stmt: p.Stmt) -> p.Expr | None:
    match stmt:
        case p.If(condition=condition) | p.While(condition=condition):
            return condition
        case p.Repeat(times=times):
            return times
        case _:
            return None


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
