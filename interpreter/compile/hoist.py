"""What does not change inside a loop is worked out before it.

Only for lists of options, where several loops stand inside one another and a test of the inner one often speaks of
the outer alone. What is moved is pure and cannot fail: numbers of the state, printed attributes, arithmetic on
them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ..check.value_types import SetOf
from . import ir
from .ir import Block, Op, operands, rebuilt

TESTS = (ir.Compare, ir.IsNone, ir.InRanges, ir.And, ir.Or, ir.Not)
CHEAP = (ir.Const, ir.Local)


def hoist(test: Op, inner: str, outer: set[str], found: dict[str, Op], temporary: Callable[[], str]) -> Op:
    """The test with its largest parts that do not speak of `inner` replaced by locals, noted in `found`."""
    if _movable(test, inner, outer):
        if _weight(test) < (2 if isinstance(test, ir.ReadField) else 3):
            return test
        text = str(test)
        name = next((known for known, op in found.items() if str(op) == text), None)
        if name is None:
            name = temporary()
            found[name] = test
        return ir.Local(name, type=test.type, span=test.span)
    if isinstance(test, ir.Contains) and (elements := plain_elements(test.source)) is not None:
        if all(_movable(item, inner, outer) for item in elements):
            name = temporary()
            found[name] = ir.Tuple(elements, type=test.source.type)
            return replace(test, source=ir.Local(name, type=SetOf(test.source.type)))
    if _is_sum(test) or isinstance(test, ir.And | ir.Or | ir.Not | ir.Compare | ir.Conditional):
        return rebuilt(test, lambda part: hoist(part, inner, outer, found, temporary))
    return test


def plain_elements(source: Op) -> tuple[Op, ...] | None:
    """The elements of a set that is written element by element, if none of them may be missing."""
    if not isinstance(source, ir.Join) or any(item.is_set or item.none is not None for item in source.items):
        return None
    return tuple(item.of for item in source.items)


def without_copies(source: Op) -> Op:
    """What `all x in S` goes over, if it leaves nothing out and has no order of its own."""
    while isinstance(source, ir.All) and source.where is None and source.direction is None and source.key is None:
        source = source.source
    return source


def hoist_from_loops(body: Block, known: set[str], temporary: Callable[[], str]) -> Block:
    """The loops and filtered sets of a question, with what the first filter of each works out of outer names written
    before it."""
    made: Block = []
    for ins in body:
        found: dict[str, Op] = {}
        ins = rebuilt(ins, lambda op: _filtered(op, known, found, temporary))  # noqa: B023 (called at once)
        inside = known
        if isinstance(ins, ir.For):
            inside = known | {ins.local}
            if len(ins.body) == 1 and isinstance(filtered := ins.body[0], ir.If):
                test = hoist(filtered.condition, ins.local, known, found, temporary)
                ins = replace(ins, body=[replace(filtered, condition=test)])
        if isinstance(ins, ir.For | ir.If | ir.Only):
            ins = rebuilt(ins, lambda op: op, partial(hoist_from_loops, known=inside, temporary=temporary))
        made += [ir.Let(name, op, span=ins.span) for name, op in found.items()]
        made.append(ins)
    return made


def _filtered(op: Op, known: set[str], found: dict[str, Op], temporary: Callable[[], str]) -> Op:
    """A set of those that pass a filter."""
    if not isinstance(op, ir.All) or op.where is None:
        return op
    return replace(op, where=hoist(op.where, op.local, known, found, temporary))


class _Everything(set[str]):
    """Every name."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = _Everything()


def cannot_fail(op: Op) -> bool:
    """Whatever its locals are, working this out is no fault and changes nothing."""
    return _movable(op, "", EVERYTHING)


def _movable(op: Op, inner: str, outer: set[str]) -> bool:
    match op:
        case ir.Local():
            return op.name != inner and op.name in outer
        case ir.ReadField(address=ir.Address(optional=False) as address):
            return all(_movable(term.index, inner, outer) for term in address.terms)
        case ir.Lookup():
            return not op.more and isinstance(op.index, ir.Local) and _movable(op.index, inner, outer)
        case _:
            return _is_safe(op) and all(_movable(part, inner, outer) for part in operands(op))


def _is_safe(op: Op) -> bool:
    """Working it out cannot fail, if that of its operands cannot. Divisions can."""
    if isinstance(op, ir.Unary):
        return op.what in ("negative", "absolute")
    return _is_sum(op) or isinstance(op, (ir.Const, ir.Conditional, *TESTS))


def _is_sum(op: Op) -> bool:
    return isinstance(op, ir.Arithmetic) and op.sign in ("+", "-", "*")


def _weight(op: Op) -> int:
    """How much there is to work out. The terms of an address are not counted."""
    own = 0 if isinstance(op, CHEAP) else 1
    return own + (0 if isinstance(op, ir.Address) else sum(_weight(part) for part in operands(op)))
