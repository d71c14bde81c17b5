"""What does not change inside a loop is worked out before it.

`hoist_from_loops` is for lists of options, where several loops stand inside one another and a test of the inner one
often speaks of the outer alone. What is moved is pure and cannot fail: numbers of the state, printed attributes,
arithmetic on them. One thing may fail and is moved all the same, since the first pass asks for it in any case: in
`n in 0..400 where n == toll(p, t)`, which is how a label names a value, the toll is worked out once and not 401 times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ..check.value_types import NO_NUMBER, Maybe, Number, SetOf, bare
from . import ir
from .ir import Block, Op, free_locals, operands, rebuilt

TESTS = (ir.Compare, ir.IsNone, ir.InRanges, ir.And, ir.Or, ir.Not)
CHEAP = (ir.Const, ir.Local)


def hoist(test: Op, inner: str, outer: set[str], found: dict[str, Op], temporary: Callable[[], str]) -> Op:
    """The test with its largest parts that do not speak of `inner` replaced by locals, noted in `found`.

    In front of the loop nothing has been asked yet. Behind `c.note is not none and` the rules may read `bids[c.note]`;
    worked out before, the note may be none, and none is no index of anything (`_read_in_front`).
    """
    if _movable(test, inner, outer):
        # Below that a local costs as much as what it stands for. A field with an index is a list access and a sum
        # already.
        if _weight(test) < (2 if isinstance(test, ir.ReadField) else 3):
            return test
        # The same part in two tests of one loop is computed once.
        text = str(_read_in_front(test))
        name = next((known for known, op in found.items() if str(op) == text), None)
        if name is None:
            name = temporary()
            found[name] = _read_in_front(test)
        return ir.Local(name, type=test.type, span=test.span)
    if isinstance(test, ir.Contains) and (elements := plain_elements(test.source)) is not None:
        if all(_movable(item, inner, outer) for item in elements):
            name = temporary()
            found[name] = ir.Tuple(tuple(map(_read_in_front, elements)), type=test.source.type)
            return replace(test, source=ir.Local(name, type=SetOf(test.source.type)))
    if _is_sum(test) or isinstance(test, ir.And | ir.Or | ir.Not | ir.Compare | ir.Conditional | ir.Extreme):
        return rebuilt(test, lambda part: hoist(part, inner, outer, found, temporary))
    return test


def _read_in_front(op: Op) -> Op:
    """The same, where numbers that are indexes may be none: then the first row is read, and nobody asks for it. Pieces,
    nodes and players that are none are index -1, which is the place before."""
    op = rebuilt(op, _read_in_front)
    if not isinstance(op, ir.Address) or not any(_may_be_no_number(term.index) for term in op.terms):
        return op
    return replace(op, terms=tuple(replace(term, index=_number_there(term.index)) for term in op.terms))


def _may_be_no_number(index: Op) -> bool:
    return isinstance(bare(index.type), Number) and isinstance(index, ir.Local | ir.ReadField | ir.Lookup)


def _number_there(index: Op) -> Op:
    number = bare(index.type)
    if not isinstance(number, Number) or not _may_be_no_number(index):
        return index
    asked = replace(index, type=Maybe(number))
    return ir.Otherwise(asked, ir.Const(number.low, type=number), NO_NUMBER, type=number, span=index.span)


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
            # Only the first filter of a loop: a later one may not be reached, and what it asks need not be defined.
            if len(ins.body) == 1 and isinstance(filtered := ins.body[0], ir.If):
                test = hoist(filtered.condition, ins.local, known, found, temporary)
                if _is_some(ins.source):
                    test = _named(test, ins.local, found, temporary)
                ins = replace(ins, body=[replace(filtered, condition=test)])
        if isinstance(ins, ir.For | ir.If | ir.Only):
            ins = rebuilt(ins, lambda op: op, partial(hoist_from_loops, known=inside, temporary=temporary))
        made += [ir.Let(name, op, span=ins.span) for name, op in found.items()]
        made.append(ins)
    return made


def _named(test: Op, inner: str, found: dict[str, Op], temporary: Callable[[], str]) -> Op:
    """The filter `n == E and …`, with E worked out before the loop over n. It comes first, so each pass asks it."""
    if isinstance(test, ir.And):
        return replace(test, left=_named(test.left, inner, found, temporary))
    if not isinstance(test, ir.Compare) or test.sign != "==":
        return test
    own, value = (test.right, test.left) if inner in free_locals(test.right) else (test.left, test.right)
    # What cannot fail is moved by `hoist`, if a name for it is worth having.
    is_name = isinstance(own, ir.Local) and own.name == inner
    if not is_name or inner in free_locals(value) or cannot_fail(value):
        return test
    name = temporary()
    found[name] = value
    known = ir.Local(name, type=value.type, span=value.span)
    return replace(test, right=known) if value is test.right else replace(test, left=known)


def _is_some(source: Op) -> bool:
    """True if there is always a first pass: a range of two numbers that are known."""
    if not isinstance(source, ir.Range):
        return False
    low, high = source.low, source.high
    return isinstance(low, ir.Const) and isinstance(high, ir.Const) and low.value <= high.value


def _filtered(op: Op, known: set[str], found: dict[str, Op], temporary: Callable[[], str]) -> Op:
    """A set of those that pass a filter."""
    if not isinstance(op, ir.All) or op.where is None:
        return op
    return replace(op, where=hoist(op.where, op.local, known, found, temporary))


def cannot_fail(op: Op) -> bool:
    """True if working this out can neither fault nor change anything, whatever its locals hold."""
    return _movable(op, "", set(free_locals(op)))


def _movable(op: Op, inner: str, outer: set[str]) -> bool:
    match op:
        case ir.Local():
            return op.name != inner and op.name in outer
        case (
            ir.ReadField(address=ir.Address(optional=False) as address)
            | ir.ReadSlot(address=ir.Address(optional=False) as address)
            | ir.Count(of=ir.Contents(address=ir.Address(optional=False) as address))
        ):
            return all(_movable(term.index, inner, outer) for term in address.terms)
        case ir.Count(of=ir.Contents(address=ir.Const())):
            return True
        case ir.Lookup():
            # A chart asked for the number none has no such row; of no piece and no node tables have one.
            index = op.index
            is_thing = isinstance(index, ir.Local) and not isinstance(bare(index.type), Number)
            return not op.more and is_thing and _movable(index, inner, outer)
        case _:
            return _is_safe(op) and all(_movable(part, inner, outer) for part in operands(op))


def _is_safe(op: Op) -> bool:
    """True if the operation cannot fail as long as its operands do not. Divisions can."""
    if isinstance(op, ir.Unary):
        return op.what in ("negative", "absolute")
    return _is_sum(op) or isinstance(op, (ir.Const, ir.Conditional, ir.Extreme, *TESTS))


def _is_sum(op: Op) -> bool:
    return isinstance(op, ir.Arithmetic) and op.sign in ("+", "-", "*")


def _weight(op: Op) -> int:
    """How much there is to work out. The terms of an address are not counted."""
    own = 0 if isinstance(op, CHEAP) else 1
    return own + (0 if isinstance(op, ir.Address) else sum(_weight(part) for part in operands(op)))
