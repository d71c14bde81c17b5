"""Makes segments fewer: shortens jumps to jumps, and writes a segment with one way in where the jump to it stood.

Lowering opens a new segment wherever two ways join, needed or not, which keeps it simple. Every jump costs a call at
run time, though. What remains afterwards are segments that must be entered by number (after a call, a decision, a
performed cell, the next pass of a loop) or from several places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy

from . import ir
from .ir import Block, Ins, Routine, Segment, instructions

Routines = dict[str, Routine]


def tidy(segments: list[Segment]) -> list[Segment]:
    """The same code in fewer segments; the first one stays the entry."""
    if not segments:
        return segments
    _shorten_jumps(segments)
    while _splice_one_way_in(segments):
        pass
    segments = _reached(segments)
    _go_on_at_once(segments)
    return segments


def entry_of(segments: list[Segment]) -> int:
    """The segment that a call begins with. If the first segment only jumps, the one that it jumps to."""
    first = segments[0]
    match first.body:
        case [ir.Goto(backward=False) as only]:
            return only.segment
    return first.number


def entries_of(routines: Routines) -> dict[str, tuple[int, int]]:
    """For each framed routine the segment that a call begins with, and the size of its frame."""
    framed = [routine for routine in routines.values() if routine.kind == "framed"]
    return {routine.name: (entry_of(routine.segments), len(routine.slots) + 1) for routine in framed}


def segment_count(routines: Routines) -> int:
    """The number of entries of `CODE`: entry 0 performs the next cell, the last one ends the game."""
    numbers = [segment.number for routine in routines.values() for segment in routine.segments]
    return max(numbers, default=0) + 2


def only_ends(segment: Segment) -> bool:
    """True if the segment does nothing but leave the rule."""
    return all(isinstance(ins, ir.Return) and ins.value is None for ins in segment.body)


def _go_on_at_once(segments: list[Segment]) -> None:
    """A jump backward returns to the machine, which counts steps and so stops endless loops. If something else on the
    way round returns to the machine, the jump itself may be a plain call, which is quicker. Not so where the state is
    kept at the beginning of the segment and run again from there (`together`): the frame has to say where that is, or
    what came before would happen twice."""
    by_number = {segment.number: segment for segment in segments}
    for segment in segments:
        for ins in instructions(segment.body):
            if isinstance(ins, ir.Goto) and ins.backward:
                head = by_number[ins.segment]
                stops = head.role in ("asks", "answered", "deals", "chance", "together")
                if not stops and not _leads_straight_to(head, segment, by_number):
                    ins.backward = False


def _leads_straight_to(start: Segment, goal: Segment, by_number: dict[int, Segment]) -> bool:
    """True if jumps alone lead from one segment to the other, with no return to the machine in between."""
    waiting, seen = [start], {start.number}
    for current in waiting:
        if current is goal:
            return True
        for ins in instructions(current.body):
            if isinstance(ins, ir.Goto) and ins.segment not in seen:
                seen.add(ins.segment)
                waiting.append(by_number[ins.segment])
    return False


def _target(ins: Ins) -> int | None:
    """The segment that an instruction leads to by number."""
    match ins:
        case ir.Goto():
            return ins.segment
        case ir.CallFrame() | ir.Perform() | ir.Ask():
            return ins.resume
    return None


def _with_target(ins: Ins, number: int) -> None:
    if isinstance(ins, ir.Goto):
        ins.segment = number
    elif isinstance(ins, ir.CallFrame | ir.Perform):
        ins.resume = number


def _shorten_jumps(segments: list[Segment]) -> None:
    by_number = {segment.number: segment for segment in segments}
    onward: dict[int, int] = {}
    for segment in segments:
        match segment.body:
            case [ir.Goto(backward=False) as only] if not segment.role:
                onward[segment.number] = only.segment
    for segment in segments:
        for ins in instructions(segment.body):
            number = _target(ins)
            seen = set()
            while number in onward and number not in seen:
                seen.add(number)
                number = onward[number]
            if number is not None and number != _target(ins):
                # From a skipped segment on the same comes as from the target: if nothing there can be refused, neither
                # can anything in the target.
                for passed in seen:
                    by_number[number].may_refuse = by_number[number].may_refuse and by_number[passed].may_refuse
                _with_target(ins, number)


def _splice_one_way_in(segments: list[Segment]) -> bool:
    by_number = {segment.number: segment for segment in segments}
    ways = Counter(number for s in segments for ins in instructions(s.body) if (number := _target(ins)) is not None)
    for segment in segments:
        for body, position, ins in _places(segment.body):
            if not isinstance(ins, ir.Goto) or ins.backward:
                continue
            target = by_number[ins.segment]
            is_tail = only_ends(target)  # written twice, it is still shorter than a jump
            once = ways[target.number] == 1
            # A segment with a role is entered by number (an answer, a saved game), and the first one by every call.
            if target is segment or target.role or target is segments[0] or not (once or is_tail):
                continue
            body[position:] = target.body if once else [copy(inner) for inner in target.body]
            if once:
                segments.remove(target)
            return True
    return False


def _places(body: Block) -> Iterator[tuple[Block, int, Ins]]:
    """Every instruction with the block it stands in and its position there."""
    for position, ins in enumerate(body):
        yield body, position, ins
        for block in ir.blocks_of(ins):
            yield from _places(block)


def _reached(segments: list[Segment]) -> list[Segment]:
    """Segments that something leads to, in their order."""
    by_number = {segment.number: segment for segment in segments}
    wanted = [segments[0].number]
    for number in wanted:
        segment = by_number[number]
        found = [target for ins in instructions(segment.body) if (target := _target(ins)) is not None]
        wanted += [target for target in dict.fromkeys(found) if target not in wanted]
    return [segment for segment in segments if segment.number in wanted]
