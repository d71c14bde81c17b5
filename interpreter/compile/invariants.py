"""What holds of any IR, whatever rules it comes from. Tests run this over every ruleset; a backend may rely on it.

Every operation and instruction is one of the described ones and has as many arguments as its description says. Jumps
lead to segments of the same routine, calls to routines of the right kind. In a plain routine a local is set before it
is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .ir import INSTRUCTIONS, OPERATIONS, Ins, Op, Routine
from .lowering import binds
from .unit import Unit

SETS_FIRST = ("let", "call", "take", "draw", "move", "pick_random", "for")


def broken_invariants(unit: Unit) -> list[str]:
    """Everything that does not hold, in words."""
    found: list[str] = []
    for routine in unit.routines.values():
        found += [f"{routine.name}: {problem}" for problem in _of_routine(unit, routine)]
    for text in unit.texts:
        found += [f"text {text.number}: {problem}" for hole in text.holes for problem in _of_value(hole)]
    return found


def _of_routine(unit: Unit, routine: Routine) -> Iterator[str]:
    bodies = [routine.body, *(segment.body for segment in routine.segments)]
    for ins in (ins for body in bodies for ins in _all_instructions(body)):
        if ins.op not in INSTRUCTIONS:
            yield f"no instruction is called {ins.op}"
        elif not _fits(INSTRUCTIONS[ins.op], len(ins.args)):
            yield f"{ins.op} has {len(ins.args)} arguments: {INSTRUCTIONS[ins.op]}"
        yield from _of_value(ins.args)
        yield from _of_jump(unit, routine, ins)
    if routine.kind == "framed":
        yield from _of_frame(routine)
    else:
        yield from _unset_locals(routine)


def _all_instructions(body: list[Ins]) -> Iterator[Ins]:
    for ins in body:
        yield ins
        for block in ins.blocks:
            yield from _all_instructions(block)


def _of_value(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for item in value:
            yield from _of_value(item)
    if not isinstance(value, Op):
        return
    if value.op not in OPERATIONS:
        yield f"no operation is called {value.op}"
    elif not _fits(OPERATIONS[value.op], len(value.args)):
        yield f"{value.op} has {len(value.args)} arguments: {OPERATIONS[value.op]}"
    yield from _of_value(value.args)


def _of_jump(unit: Unit, routine: Routine, ins: Ins) -> Iterator[str]:
    own = {segment.number for segment in routine.segments}
    match ins.op:
        case "goto":
            targets = [ins.args[0]]
        case "call_frame":
            targets = [ins.args[2]]
            called = unit.routines.get(ins.args[0])
            if called is None or called.kind != "framed":
                yield f"call_frame of {ins.args[0]}, which has no frame"
        case "perform":
            targets = [ins.args[3]] if ins.args[3] is not None else []
        case "call":
            targets = []
            called = unit.routines.get(ins.args[1])
            if called is None or called.kind != "plain":
                yield f"call of {ins.args[1]}, which is no plain routine"
        case _:
            return
    yield from (f"{ins.op} to segment {target}, which is not its own" for target in targets if target not in own)


def _of_frame(routine: Routine) -> Iterator[str]:
    if routine.slots[: len(routine.params)] != routine.params:
        yield "its frame does not begin with its parameters"
    if len(routine.slot_types) != len(routine.slots):
        yield "a slot of its frame has no type"


# ---------------------------------------------------------------------------- locals of plain routines


def _unset_locals(routine: Routine) -> Iterator[str]:
    yield from _unset_in(routine.body, set(routine.params))


def _unset_in(body: list[Ins], known: set[str]) -> Iterator[str]:
    """Names set inside a block count as set behind it: who jumps out of a block leaves the routine or the loop."""
    for ins in body:
        own = {ins.args[0]} if ins.op in SETS_FIRST and ins.args and isinstance(ins.args[0], str) else set[str]()
        inside = known | own if ins.op == "for" else known
        yield from (f"{name} is read before it is set ({ins.op})" for name in sorted(_reads(ins.args) - known))
        for block in ins.blocks:
            yield from _unset_in(block, inside)
        known |= own


def _reads(value: object, bound: frozenset[str] = frozenset()) -> set[str]:
    if isinstance(value, tuple):
        return {name for item in value for name in _reads(item, bound)}
    if not isinstance(value, Op):
        return set()
    if value.op == "local":
        return {value.args[0]} - bound
    if binds(value.op) or value.op == "unskipped":
        bound |= {arg for arg in value.args if isinstance(arg, str)}
    return {name for arg in value.args for name in _reads(arg, bound)}


# ---------------------------------------------------------------------------- descriptions


def _fits(description: str, count: int) -> bool:
    return count in _arities(description)


@cache
def _arities(description: str) -> range:
    """How many arguments `(a, b or None, more…) …` speaks of."""
    inner, depth = "", 0
    for letter in description:
        depth += (letter == "(") - (letter == ")")
        inner += letter
        if depth == 0:
            break
    parts = _parts(inner[1:-1])
    least = sum(not part.endswith("…") for part in parts)
    return range(least, 1000) if len(parts) > least else range(least, least + 1)


def _parts(text: str) -> list[str]:
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
