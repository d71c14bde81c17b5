"""Whether an `in turn … until C` makes a pass in any case: C does not hold yet where the loop begins.

    went_out = none
    in turn p from starter until went_out is not none     # somebody has a turn
      turn(p)

What a field holds there is known if a line before the loop has set it, or the beginning of the rule has set it back
(`went_out: player? this round`), and nothing that may run in between writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from . import program as p
from .forms import written_fields
from .loop_counters import may_run
from .value_types import NoneOnly, Number, bare, none_of
from .walk import statements, walk

Called = Callable[[Iterable[object]], list[p.RuleDecl]]

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": int.__eq__,
    "!=": int.__ne__,
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
}


class Begun:
    """What fields of the table hold behind some statements of a rule. `resets`: what its beginning has set back, if the
    statements stand at its beginning. `called`: the rules that nodes call, directly or not."""

    def __init__(self, program: p.Program, before: p.Block, resets: tuple[p.FieldDecl, ...], called: Called) -> None:
        self.program = program
        self.before = before
        self.resets = resets
        self.called = called

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
                held, value = self._held(read), _number_in(const, read.field)
                if held is None or value is None or none_of(read.field.type) in (held, value):
                    return None
                return _COMPARED[op](held, value)
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
        body = (statement,)
        rules = may_run(self.program, body, self.called(walk(body)))
        found = {
            field
            for block in (body, *(r.body for r in rules))
            for one in statements(block)
            for field in written_fields(one)
        }
        return found | {field for rule in rules for field in rule.resets}


def _number_in(const: p.Const, field: p.FieldDecl) -> int | None:
    """The number that stands for a constant in a field; None where it may be another one there (an enum in a larger
    enum)."""
    if isinstance(const.type, NoneOnly):
        return none_of(field.type)
    own, of_field = bare(const.type), bare(field.type)
    return const.value if own == of_field or (isinstance(own, Number) and isinstance(of_field, Number)) else None
