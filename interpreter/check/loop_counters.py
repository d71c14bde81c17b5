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

`Begun` tells whether an `in turn … until C` makes a pass in any case: C does not hold yet where the loop begins.

    went_out = none
    in turn p from starter until went_out is not none     # somebody has a turn
      turn(p)

What a field holds there is known if a line before the loop has set it, or the beginning of the rule has set it back
(`went_out: player? this round`), and nothing that may run in between writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import program as p
from .forms import Calls, calls, written_fields
from .value_types import Flag, NoneOnly, Number, bare, none_of
from .walk import called_rules, conjuncts, statements, walk


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


Spot = tuple[p.FieldDecl, tuple[object, ...]]  # one flag of a field: `operated[k]`, with the name or number in it


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


class Running:
    """What may run while a block does: its `statements`, and the fields that are `set_back` by a rule which begins. A
    rule that begins before the loop, and not in it, sets its fields back once: `laps: 0..99 this sow`, counted by a
    loop of `sow` itself."""

    def __init__(self, program: p.Program, body: p.Block) -> None:
        called = called_rules(walk(body))
        self.statements = self._in(body, called)
        # What is not called by name is taken whole, with no regard to what it calls in turn: every rule then counts.
        performs = any(calls(stmt) in (Calls.cell, Calls.previous) for stmt in self.statements)
        if performs or program.change_hooks or program.move_hooks or program.free_actions:
            called = [rule for rule in program.all_rules() if rule.form != "setup"]
            self.statements = self._in(body, called)
        self.set_back = {field for rule in called for field in rule.resets}

    def _in(self, body: p.Block, rules: list[p.RuleDecl]) -> list[p.Stmt]:
        return [stmt for block in (body, *(rule.body for rule in rules)) for stmt in statements(block)]

    def counters(self) -> set[tuple[p.FieldDecl, int]]:
        """The fields that move in one direction only while the loop runs, each with that direction."""
        steps = [step for statement in self.statements for step in steps_of(statement)]
        found = {(step.field, step.way) for step in steps if _is_bounded(step.field)}
        turned = {(step.field, way) for step in steps for way in (1, -1) if step.way != way}
        return {(field, way) for field, way in found - turned if way and field not in self.set_back}

    def latches(self) -> set[p.FieldDecl]:
        """The flags that are only ever set to yes while the loop runs."""
        written = [(field, stmt) for stmt in self.statements for field in written_fields(stmt)]
        back = self.set_back | {field for field, stmt in written if not _sets_yes(stmt)}
        return {field for field, _ in written if isinstance(field.type, Flag)} - back


class Begun:
    """What fields of the table hold behind some statements of a rule. `resets`: what its beginning has set back, if the
    statements stand at its beginning."""

    def __init__(self, program: p.Program, before: p.Block, resets: tuple[p.FieldDecl, ...]) -> None:
        self.program = program
        self.before = before
        self.resets = resets

    def fails(self, condition: p.Expr | None) -> bool:
        """Whether the condition surely does not hold there."""
        return self._truth(condition) is False

    def _truth(self, condition: p.Expr | None) -> bool | None:
        match condition:
            case p.Not(of=of):
                holds = self._truth(of)
                return None if holds is None else not holds
            case p.Logic(op=op, left=left, right=right):
                sides = (self._truth(left), self._truth(right))
                decided = op == "or"  # one side that is so is enough
                return decided if decided in sides else None if None in sides else not decided
            case p.IsNone(of=p.FieldRead() as read):
                held = self._held(read)
                return None if held is None else held == none_of(read.field.type)
            case p.Compare(op=op, left=p.FieldRead() as read, right=p.Const() as const):
                a, b = self._held(read), _number_in(const, read.field)
                if a is None or b is None or none_of(read.field.type) in (a, b):
                    return None
                return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
            case p.FieldRead():
                held = self._held(condition)
                return None if held is None else held == 1
            case _:
                return None

    def _held(self, read: p.FieldRead) -> int | None:
        if read.owner is not None or read.indexes:
            return None
        for statement in reversed(self.before):
            match statement:
                case p.SetField(op="=", value=p.Const() as const) if statement.field is read.field:
                    return None if self.program.change_hooks else _number_in(const, read.field)
            if read.field in self._written(statement):
                return None
        return read.field.start if read.field in self.resets and not read.field.is_unset else None

    def _written(self, statement: p.Stmt) -> set[p.FieldDecl]:
        running = Running(self.program, (statement,))
        return {field for one in running.statements for field in written_fields(one)} | running.set_back


def _number_in(const: p.Const, field: p.FieldDecl) -> int | None:
    """The number that stands for a constant in a field; None where it may be another one there (an enum in a larger
    enum)."""
    if isinstance(const.type, NoneOnly):
        return none_of(field.type)
    own, of_field = bare(const.type), bare(field.type)
    return const.value if own == of_field or (isinstance(own, Number) and isinstance(of_field, Number)) else None
