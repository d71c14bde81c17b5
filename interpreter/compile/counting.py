"""Code that counts, for studies.

*Begins*: playouts count how often each rule and each hook begins; that costs a few percent of their speed. The other
kind, *places*, is play that counts which places of the rules it reaches:

Every routine counts that it begins, and every instruction that has a place in the rules counts that it is reached. A
loop is one statement of the rules, however many passes it takes: what stands inside it at its own place is not counted
again. What belongs to no place by itself (a jump, a line of a question) is not counted either, nor is what a question
does for every option.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..diagnostics.source import Span
from . import ir
from .ir import Block, Ins, Routine, Segment
from .tidy import Routines, entry_of

Place = tuple[str, int, int]  # file, line, column
Counted = Literal["", "begins", "places"]  # what a game that is compiled for a study counts

_PLACELESS = (
    ir.Goto, ir.PassEnds, ir.BeginOptions, ir.BeginUnsure, ir.ForgetOptions, ir.Option, ir.PassOption, ir.Once,
    ir.Filter,
)  # fmt: skip
_LOOPS = (ir.For, ir.While, ir.Loop)


@dataclass(frozen=True)
class HitPlace:
    """What one counter counts: that `routine` begins (`asks`: with a question), or that this place of it is reached."""

    place: Place | None
    routine: str
    begins: bool
    asks: bool = False


def count_hits(routines: Routines) -> tuple[Routines, tuple[HitPlace, ...]]:
    """The same routines with their counters, and what each counter stands for."""
    counting = _Counting()
    made = {name: counting.routine(routine) for name, routine in routines.items()}
    return made, tuple(counting.places)


def count_begins(routines: Routines) -> tuple[HitPlace, ...]:
    """Adds a counter of beginnings in playouts to phases, actions, hooks, and effects in which somebody decides;
    returns what each counter stands for. Other effects are called so often that counting them would be felt.

    The counter goes into the first segment. Where that does nothing but lead to a question, calls would begin with the
    question (`tidy.entry_of`), which a loop may come back to; with the counter in it they begin with the segment.
    """
    places: list[HitPlace] = []
    for name, routine in routines.items():
        is_small = routine.kind == "pure" or (routine.kind == "plain" and routine.form == "effect")
        if is_small or not name.startswith(("rule_", "hook_")):
            continue
        hit = ir.Only(("playout",), [ir.Hit(len(places))])
        places.append(HitPlace(place_of(routine.span), name, True))
        if routine.kind == "framed":
            first = routine.segments[0]
            routine.segments[0] = replace(first, body=[hit, *first.body])
        else:
            routine.body = [hit, *routine.body]
    return tuple(places)


class _Counting:
    def __init__(self) -> None:
        self.places: list[HitPlace] = []
        self.current = ""
        self.asks = False
        self.asks_again = False

    def routine(self, routine: Routine) -> Routine:
        self.current = routine.name
        if routine.kind != "framed":
            return replace(routine, body=[self._begin(routine.span), *self.block(routine.body, frozenset())])
        entry = entry_of(routine.segments)
        segments = [self._segment(routine, segment, segment.number == entry) for segment in routine.segments]
        return replace(routine, segments=segments)

    def _segment(self, routine: Routine, segment: Segment, is_entry: bool) -> Segment:
        self.asks = segment.role == "asks"
        self.asks_again = any(isinstance(ins, ir.FreeActions) for _, _, ins in ir.instructions(segment.body))
        begin = [self._begin(routine.span, self.asks)] if is_entry else []
        made = replace(segment, body=[*begin, *self.block(segment.body, frozenset())])
        self.asks = self.asks_again = False
        return made

    def _begin(self, span: Span, asks: bool = False) -> Ins:
        return self._hit(HitPlace(place_of(span), self.current, True, asks))

    def block(self, body: Block, around: frozenset[Place]) -> Block:
        """`around`: the places of the loops around."""
        made: Block = []
        for ins in body:
            place = place_of(ins.span)
            if place is not None and place not in around and not self._is_placeless(ins):
                made.append(self._hit(HitPlace(place, self.current, False)))
            if self.asks and isinstance(ins, ir.For):
                made.append(ins)
                continue
            inner = around | {place} if place is not None and isinstance(ins, _LOOPS) else around
            made.append(ir.rebuilt(ins, lambda op: op, lambda block, inner=inner: self.block(block, inner)))  # type: ignore[misc]
        return made

    def _is_placeless(self, ins: Ins) -> bool:
        """A question that free actions may interrupt is asked again behind each of them: that is not counted."""
        return isinstance(ins, _PLACELESS) or (self.asks_again and isinstance(ins, ir.Ask))

    def _hit(self, place: HitPlace) -> Ins:
        self.places.append(place)
        return ir.Hit(len(self.places) - 1)


def place_of(span: Span) -> Place | None:
    return (span.source.name, *span.source.place(span.start)) if span.source.text else None
