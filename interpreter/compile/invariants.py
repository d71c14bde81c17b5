"""What holds of any IR, whatever rules it comes from. Tests run this over every ruleset; a backend may rely on it.

Every field of every node holds what its annotation says. Jumps lead to segments of the same routine, calls to routines
of the right kind, refusals to entries of their table. In a plain routine a local is set before it is read. The IR of
one way of running has nothing in it that belongs to another.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..check import value_types
from . import ir
from .ir import Block, Ins, Op, Part, Routine, Segment
from .unit import Unit

Seen = set[Op | Part]


def broken_invariants(unit: Unit, settled: bool = False, seen: Seen | None = None) -> list[str]:
    """Everything that does not hold, in words. `settled`: this is the IR of one way of running. `seen`: the operations
    that were looked at before, to which this adds. They never change, so whoever asks after each pass hands the same
    set on."""
    seen = set() if seen is None else seen
    found: list[str] = []
    for routine in unit.routines.values():
        found += [f"{routine.name}: {problem}" for problem in _of_routine(unit, routine, seen)]
        if settled:
            found += [f"{routine.name}: {problem}" for problem in _unsettled(routine)]
    for text in unit.texts:
        found += [f"text {text.number}: {problem}" for hole in text.holes for problem in _of_node(hole, seen)]
    for payment in unit.payments.made:
        found += [f"payment {payment.number}: {problem}" for problem in _of_node(payment, seen)]
    for told in unit.told:
        found += [f"told {told.number}: {problem}" for problem in _of_node(told.value, seen)]
    for number, asked in enumerate(unit.reasons):
        found += [f"reason {number}: {problem}" for problem in _of_node(asked.value, seen)]
    return found


def _of_routine(unit: Unit, routine: Routine, seen: Seen) -> Iterator[str]:
    segments = {segment.number for segment in routine.segments}
    for ins in routine.instructions():
        yield from _of_node(ins, seen)
        yield from _of_jump(unit, segments, ins)
        yield from _of_refusals(unit, ins)
    if routine.kind == "framed":
        yield from _of_frame(routine)
    else:
        yield from _unset_in(routine.body, set(routine.params))


def _unsettled(routine: Routine) -> Iterator[str]:
    """Instructions and questions that belong to some ways only."""
    for ins in routine.instructions():
        if isinstance(ins, ir.Only):
            yield f"Only {', '.join(ins.ways)} in one way of running"
        elif any(isinstance(op, ir.OnTrial) for op in ir.operations(ins)):
            yield f"OnTrial in one way of running ({type(ins).__name__})"


def _of_jump(unit: Unit, own: set[int], ins: Ins) -> Iterator[str]:
    target: int | None = None
    match ins:
        case ir.Goto():
            target = ins.segment
        case ir.CallFrame():
            target = ins.resume
            if _kind(unit, ins.routine) != "framed":
                yield f"CallFrame of {ins.routine}, which has no frame"
        case ir.Perform() | ir.Ask():
            target = ins.resume
        case ir.Call() if _kind(unit, ins.routine) != "plain":
            yield f"Call of {ins.routine}, which is no plain routine"
    if target is not None and target not in own:
        yield f"{type(ins).__name__} to segment {target}, which is not its own"


_REFUSALS = ("missing", "full", "too_few", "refusal")


def _of_refusals(unit: Unit, ins: Ins) -> Iterator[str]:
    for name in _REFUSALS:
        number = getattr(ins, name, None)
        if number is not None and not 0 <= number < len(unit.refusals):
            yield f"{type(ins).__name__}.{name} is {number}, which is no refusal"


def _kind(unit: Unit, name: str) -> str:
    return unit.routines[name].kind if name in unit.routines else ""


def _of_frame(routine: Routine) -> Iterator[str]:
    if routine.slots[: len(routine.params)] != routine.params:
        yield "its frame does not begin with its parameters"
    if len(routine.slot_types) != len(routine.slots):
        yield "a slot of its frame has no type"
    for segment in routine.segments:
        yield from _of_question(segment)


def _of_question(segment: Segment) -> Iterator[str]:
    """A question asks once, at its end, and is answered in the next segment: frames count on that. Where a trial has
    seen enough it is not asked at all."""
    asked = [ins for ins in ir.instructions(segment.body) if isinstance(ins, ir.Ask)]
    is_settled = isinstance(segment.body[-1] if segment.body else None, ir.Succeed)
    if (segment.role == "asks") != (asked == segment.body[-1:] != []) and not is_settled:
        yield f"segment {segment.number} does not ask as its role says"
    if any(ins.resume != segment.number + 1 for ins in asked):
        yield f"segment {segment.number} is not answered in the next one"


# ---------------------------------------------------------------------------- fields of nodes


def _of_node(node: Op | Part | Ins, seen: Seen) -> Iterator[str]:
    """Fields that do not hold what their annotation says. Python does not check that, and a backend in another
    language would misread it silently."""
    if not isinstance(node, Ins):
        if node in seen:
            return
        seen.add(node)
    for name, fits in _fields(type(node)):
        value = getattr(node, name)
        if not fits(value):
            yield f"{type(node).__name__}.{name} is {value!r}"
        elif isinstance(value, _NODES):
            yield from _of_node(value, seen)
        elif isinstance(value, tuple):
            for inner in _nodes_in(value):
                yield from _of_node(inner, seen)


_NODES = (Op, Part)
Test = Callable[[Any], bool]


_known_fields: dict[type, tuple[tuple[str, Test], ...]] = {}


def _fields(kind: type[Op] | type[Part] | type[Ins]) -> tuple[tuple[str, Test], ...]:
    """The fields of a class, each with a test of what it is annotated with. Tests are made once for each class: there
    are a hundred thousand values to be looked at in the IR of a large game."""
    if kind not in _known_fields:
        own = {item.name for item in fields(kind)}
        hints = get_type_hints(kind).items()
        _known_fields[kind] = tuple((name, _test(hint)) for name, hint in hints if name in own)
    return _known_fields[kind]


def _test(hint: Any) -> Test:
    """Whether a value is what an annotation says."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or hint is value_types.VType:
        return lambda value: True
    if origin is Literal:
        return lambda value: value in inner
    if origin in (Union, types.UnionType):
        one_of = [_test(one) for one in inner]
        return lambda value: any(fits(value) for fits in one_of)
    if origin is tuple:
        return _test_of_tuple(inner)
    if origin is list:
        return lambda value: isinstance(value, list)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    return lambda value: isinstance(value, hint)


def _test_of_tuple(inner: tuple[Any, ...]) -> Test:
    if len(inner) == 2 and inner[1] is ...:
        each = _test(inner[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    tests = [_test(one) for one in inner]
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(tests)
        and all(fits(item) for fits, item in zip(tests, value, strict=True))
    )


def _nodes_in(value: object) -> Iterator[Op | Part]:
    """The nodes in a field. Instructions of a block are checked by themselves."""
    if isinstance(value, Op | Part):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)


# ---------------------------------------------------------------------------- locals of plain routines


def _unset_in(body: Block, known: set[str]) -> Iterator[str]:
    """Locals that are read before they are set. Names set inside a block count as set behind it: a block that is left
    early leaves the routine or the loop as well."""
    for ins in body:
        own = {ins.local_set} if ins.local_set is not None else set[str]()
        values = tuple(value for value in ir.values_of(ins) if not isinstance(value, list))
        unset = sorted(set(ir.free_locals(values)) - known)
        yield from (f"{name} is read before it is set ({type(ins).__name__})" for name in unset)
        inside = known | own if isinstance(ins, ir.For) else known
        for block in ir.blocks_of(ins):
            yield from _unset_in(block, inside)
        known |= own
