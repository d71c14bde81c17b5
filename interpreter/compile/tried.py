"""Which segments a trial can come to: no other has to be compiled for trials.

A trial begins behind a question some of whose options must be tried, or with a call or a cell that `can` asks about. It
goes on through whatever that calls, and through what callers have still to do, up to the end of the innermost phase
(`phase_bound` in `runtime/trials.py`). So most of a game is never tried: what stands in front of every question with
unsure options, and phases that have none. What is found here may be too much and is never too little: every question is
taken to be reached, every call to return, and loops to go on.

Two kinds of segments are told apart. Those *above* run in frames that were there when a trial began, and their rule
ends in the rule that called it. Those *below* run in frames of the trial's own: when they end, the caller has been
reached already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from . import ir
from .ir import Ins, Routine, Site
from .meta import Meta
from .tidy import Routines, entry_of

CELL = 0  # the segment that goes through the calls of a cell


class Tried:
    """`ways`: the routines as the game runs them, and as trials do. Calls that began before a trial are the game's."""

    def __init__(self, meta: Meta, sites: Iterable[Site], ways: Iterable[Routines]) -> None:
        self.meta, self.sites = meta, {site.number: site for site in sites}
        routines = [routine for way in ways for routine in way.values()]
        framed = [routine for routine in routines if routine.kind == "framed"]
        self.inside: dict[int, list[Ins]] = defaultdict(list)  # what stands in a segment
        self.routine_of: dict[int, str] = {}
        self.entries: dict[str, set[int]] = defaultdict(set)
        self.asked: set[str] = set()  # routines that `can` asks about
        self.asks_for_cells = False
        for routine in framed:
            self.entries[routine.name] |= {routine.segments[0].number, entry_of(routine.segments)}
            for segment in routine.segments:
                self.routine_of[segment.number] = routine.name
                self.inside[segment.number] += [*ir.instructions(segment.body)]
        self.callers: dict[str, set[int]] = defaultdict(set)  # where it goes on behind a call
        self.performers: set[int] = set()  # and behind a cell
        for routine in routines:
            self._read(routine)
        self.of_cells = {call[0] for cell in meta.cells for call in cell}

    def _read(self, routine: Routine) -> None:
        for ins in routine.instructions():
            match ins:
                case ir.CallFrame(routine=name, resume=number):
                    self.callers[name].add(number)
                case ir.Perform(resume=int(number)):
                    self.performers.add(number)
            for op in ir.operations(ins):
                if isinstance(op, ir.CanCall):
                    self.asked.add(op.routine)
                self.asks_for_cells |= isinstance(op, ir.CanPerform)

    def routines(self) -> set[str]:
        """Routines that are tried by their number: those of cells, and those that `can` asks about."""
        return self.asked | (self.of_cells if CELL in self.segments else set())

    @cached_property
    def segments(self) -> frozenset[int]:
        """The numbers of all segments that a trial can come to."""
        above = self._closed(self._questions(), self._next_above)
        free = {routine for _, routine, *_ in self.meta.free_actions}
        below = {entry for name in self.asked | free for entry in self.entries[name]}
        if self.asks_for_cells:
            below.add(CELL)
        below |= {number for segment in above for number in self._called(segment)}
        return frozenset(above | self._closed(below, self._next_below))

    def _questions(self) -> set[int]:
        """Where questions go on whose options may have to be tried. A free action is tried at any question, which is
        asked again behind it."""
        asks = [ins for inside in self.inside.values() for ins in inside if isinstance(ins, ir.Ask)]
        if self.meta.free_actions:
            return {number for ask in asks for number in (ask.resume - 1, ask.resume)}
        return {ask.resume for ask in asks if self.sites[ask.site].trial_branches}

    @staticmethod
    def _closed(begin: set[int], follow: Callable[[int], Iterator[int]]) -> set[int]:
        found, waiting = set(begin), list(begin)
        while waiting:
            for number in follow(waiting.pop()):
                if number not in found:
                    found.add(number)
                    waiting.append(number)
        return found

    def _next_below(self, segment: int) -> Iterator[int]:
        yield from self._next(segment)
        yield from self._called(segment)

    def _next_above(self, segment: int) -> Iterator[int]:
        yield from self._next(segment)
        yield from self._behind(segment)

    def _next(self, segment: int) -> Iterator[int]:
        """Where the rule goes on by itself."""
        for ins in self.inside[segment]:
            match ins:
                case ir.Goto(segment=number) | ir.Ask(resume=number):
                    yield number
                case ir.CallFrame(resume=number) | ir.Perform(resume=int(number)):
                    yield number

    def _called(self, segment: int) -> Iterator[int]:
        if segment == CELL:
            for name in self.of_cells:
                yield from self.entries[name]
        for ins in self.inside[segment]:
            match ins:
                case ir.CallFrame(routine=name):
                    yield from self.entries[name]
                case ir.Perform():
                    yield CELL

    def _behind(self, segment: int) -> Iterator[int]:
        """Where callers go on when the rule of this segment ends. A trial of a phase ends with it; only hooks in front
        of the phase, and what stands in for it, belong to the phase as well."""
        if segment == CELL:
            yield from self.performers
            return
        name, is_phase = self.routine_of[segment], segment in self.meta.phase_segments
        for number in self.callers[name]:
            if not is_phase or number in self.meta.phase_entries:
                yield number
        if name in self.of_cells:
            yield CELL
