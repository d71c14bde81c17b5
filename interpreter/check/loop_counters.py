"""Fields that a loop only counts up, or only counts down: such a loop ends.

    while round < 12
      round += 1              # progress: nothing in the loop ever lowers `round`
      for p in players
        turn(p)

A number has a range, and leaving it is a fault, so a field that never goes back can move only so often. Three things
would break that, and end the proof: a field that is `capped`, because it stays where it is at its bound; a field that
is set back by a rule which may begin in the loop (`this RULE`); and a statement that sets the field or moves it the
other way. A flag that the loop only ever sets to `yes` is such a field too, if the pass has found it at `no`:

    while some k in Company has not operated[k]
      pick k in Company where not operated[k]
      operated[k] = yes      # progress: one of finitely many flags that stood at no

All code that may run in the middle of the loop is looked at: what the loop calls, every hook on a change or
a move, every free action, and, if an effect is performed out of a cell, every effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from . import program as p
from .forms import Calls, calls, written_fields
from .value_types import Flag, Number
from .walk import conjuncts, statements


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
    running = may_run(program, body, list(called))
    blocks = (body, *(rule.body for rule in running))
    steps = [step for block in blocks for statement in statements(block) for step in steps_of(statement)]
    # A rule that begins before the loop, and not in it, sets its fields back once: `laps: 0..99 this sow`, counted by a
    # loop of `sow` itself.
    back = {field for rule in running for field in rule.resets}
    found = {(step.field, step.way) for step in steps if _is_bounded(step.field) and step.field not in back}
    turned = {(step.field, way) for step in steps for way in (1, -1) if step.way != way}
    return {(field, way) for field, way in found - turned if way}


Spot = tuple[p.FieldDecl, tuple[object, ...]]  # one flag of a field: `operated[k]`, with the name or number in it


def latches(program: p.Program, body: p.Block, called: Iterable[p.RuleDecl]) -> set[p.FieldDecl]:
    """The flags that are only ever set to yes while the loop runs."""
    running = may_run(program, body, list(called))
    blocks = (body, *(rule.body for rule in running))
    written = [(field, stmt) for block in blocks for stmt in statements(block) for field in written_fields(stmt)]
    back = {field for rule in running for field in rule.resets}
    back |= {field for field, stmt in written if not _sets_yes(stmt)}
    return {field for field, _ in written if isinstance(field.type, Flag)} - back


def raised(statement: p.Stmt) -> Spot | None:
    """The flag that the statement sets to yes."""
    if isinstance(statement, p.SetField) and _sets_yes(statement):
        return _spot(statement.field, statement.owner, statement.indexes)
    return None


def lowered(condition: p.Expr | None) -> Iterator[Spot]:
    """The flags that stand at no where the condition holds: `not operated[k]`."""
    for part in conjuncts(condition):
        if isinstance(part, p.Not) and isinstance(part.of, p.FieldRead):
            spot = _spot(part.of.field, part.of.owner, part.of.indexes)
            if spot is not None:
                yield spot


def _sets_yes(statement: p.Stmt) -> bool:
    if not isinstance(statement, p.SetField) or statement.op != "=":
        return False
    return isinstance(statement.value, p.Const) and statement.value.value == 1


def _spot(field: p.FieldDecl, owner: p.Expr | None, indexes: tuple[p.Expr, ...]) -> Spot | None:
    """None if it hangs on more than names and numbers: what `next(p)` gives may be another seat a line further on."""
    parts: list[object] = []
    for expr in indexes if owner is None else (owner, *indexes):
        match expr:
            case p.LocalVar(local=local):
                parts.append(local)
            case p.Const(value=value):
                parts.append(value)
            case _:
                return None
    return field, tuple(parts)


def _is_bounded(field: p.FieldDecl) -> bool:
    return isinstance(field.type, Number) and not field.capped and not field.is_dice


def may_run(program: p.Program, body: p.Block, called: list[p.RuleDecl]) -> list[p.RuleDecl]:
    """The rules that may run while the loop does. Those that are not called by name are taken whole, with no regard to
    what they call in turn: every rule of the game then counts."""
    blocks = (body, *(rule.body for rule in called))
    performs = any(calls(stmt) in (Calls.cell, Calls.previous) for block in blocks for stmt in statements(block))
    if performs or program.change_hooks or program.move_hooks or program.free_actions:
        return [rule for rule in program.all_rules() if rule.form != "setup"]
    return called
