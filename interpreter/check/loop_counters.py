"""Fields that a loop only counts up, or only counts down: such a loop ends.

    while round < 12
      round += 1              # progress: nothing in the loop ever lowers `round`
      for p in players
        turn(p)

A number has a range, and leaving it is a fault, so a field that never goes back can move only so often. Three things
would break that, and end the proof: a field that is `capped`, because it stays where it is at its bound; a field that
is set back by a rule which may begin in the loop (`this RULE`); and a statement that sets the field or moves it the
other way. All code that may run in the middle of the loop is looked at: what the loop calls, every hook on a change or
a move, every free action, and, if an effect is performed out of a cell, every effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from . import program as p
from .forms import Calls, calls, written_fields
from .value_types import Number
from .walk import statements


class Step(NamedTuple):
    """One move of a number field. `way`: 1 up, -1 down, 0 unknown. `surely`: it always moves it."""

    field: p.FieldDecl
    way: int
    surely: bool


def steps_of(statement: p.Stmt) -> Iterator[Step]:
    """What the statement itself does to the fields that it writes."""
    match statement:
        case p.SetField(op="+=" | "-="):
            yield _step(statement.field, 1 if statement.op == "+=" else -1, statement.value, True)
        case p.Gain() | p.Lose():
            way = 1 if isinstance(statement, p.Gain) else -1
            for amount in statement.amounts:
                yield _step(amount.field, way, amount.amount, not statement.up_to)
        case _:
            yield from (Step(field, 0, False) for field in written_fields(statement))


def _step(field: p.FieldDecl, way: int, amount: p.Expr, whole: bool) -> Step:
    """A move by a number that may be negative has no direction."""
    if not isinstance(amount.type, Number) or amount.type.low < 0:
        return Step(field, 0, False)
    return Step(field, way, whole and amount.type.low >= 1)


def counters(program: p.Program, body: p.Block, called: Iterable[p.RuleDecl]) -> set[tuple[p.FieldDecl, int]]:
    """The fields that move in one direction only while the loop runs, each with that direction. `called`: the rules
    that the loop calls, directly or not."""
    running = _may_run(program, body, list(called))
    blocks = (body, *(rule.body for rule in running))
    steps = [step for block in blocks for statement in statements(block) for step in steps_of(statement)]
    # A rule that begins before the loop, and not in it, sets its fields back once: `laps: 0..99 this sow`, counted by a
    # loop of `sow` itself.
    back = {field for rule in running for field in rule.resets}
    found = {(step.field, step.way) for step in steps if _is_bounded(step.field) and step.field not in back}
    turned = {(step.field, way) for step in steps for way in (1, -1) if step.way != way}
    return {(field, way) for field, way in found - turned if way}


def _is_bounded(field: p.FieldDecl) -> bool:
    return isinstance(field.type, Number) and not field.capped and not field.is_dice


def _may_run(program: p.Program, body: p.Block, called: list[p.RuleDecl]) -> list[p.RuleDecl]:
    """The rules that may run while the loop does. Those that are not called by name are taken whole, with no regard to
    what they call in turn: every rule of the game then counts."""
    blocks = (body, *(rule.body for rule in called))
    performs = any(calls(stmt) in (Calls.cell, Calls.previous) for block in blocks for stmt in statements(block))
    if performs or program.change_hooks or program.move_hooks or program.free_actions:
        return [rule for rule in program.all_rules() if rule.form != "setup"]
    return called
