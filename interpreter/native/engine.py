"""A compiled game as Python sees it: contexts, states by address, and a state turned into Python's and back.

Contexts hold buffers and belong to a thread; states are plain memory. What the numbers of a frame mean is written in
the library itself (`rwx_layout`), so that a library says everything about itself.
"""

from __future__ import annotations

import ctypes
import json
import sys
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from ..compile.meta import Meta
from .asking import NativeQuestion, question_of
from .glances import Glances
from .library import Library
from .search import ROOM, NativeSearch, SearchRoom, functions_of
from .tales import Tale, TaleFunctions
from .unavailable import NativeUnavailable
from .walking import WalkFunctions
from .wasm import WasmLibrary

STOP, REFUSED, FAULT = 1, 2, 5  # signals, as in rw.h
FIELDS, LISTS, FRAMES, GENERATOR, DOWN, WON, GONE, WHY, RESULT, NUMBERS = range(10)  # parts, as in rw_parts.h
TOLD, OPTIONS_TOLD = 6, 32  # of a report, as in rw.h
HISTORY = 1 << 18
SPARE_STATES = 64  # memory of states that are gone, kept for the next copies

Frame = list[Any]
FrameRooms = tuple[int, tuple[tuple[int, int, int], ...]]


class Context(threading.local):
    """The buffers of a thread: made when it first plays. They lie in the memory of the library; `numbers`, `report` and
    `history` are views of them, which a module in a sandbox may move, so there they are looked up anew each time."""

    def __init__(self, engine: Engine) -> None:
        library = engine.library
        make, report = engine.function("rwx_context", "address"), engine.function("rwx_report", "address", "address")
        self.address = make()
        if not self.address:
            raise NativeUnavailable("there is not enough memory for a context", passing=True)
        self.pointer = library.pointer(self.address)
        self.room, self.story = library.allocate(4 * ROOM), library.allocate(4 * HISTORY)
        self.noted, self.totals = library.allocate(8), library.allocate(8 * (engine.meta.players + 1))
        self.room_pointer = library.pointer(self.room)
        self._places = {
            "numbers": (self.room, ROOM),
            "report": (report(self.address), TOLD + OPTIONS_TOLD),
            "history": (self.story, HISTORY),
        }
        self.glances: Glances | None = None
        self.tales: dict[int, Tale | None] = {}  # by player: what was lived through in the last game (`tales`)
        self._library, self._free = library, engine.function("rwx_free_context", None, "address")
        if library.steady:
            for name in self._places:
                setattr(self, name, self._view(name))

    def _view(self, name: str) -> memoryview:
        address, count = self._places[name]
        return self._library.view(address, 4 * count).cast("i")

    def __getattr__(self, name: str) -> memoryview:
        if name in ("numbers", "report", "history"):
            return self._view(name)
        raise AttributeError(name)

    def noted_numbers(self) -> int:
        """How many numbers the history of the last playout has."""
        return int.from_bytes(self._library.read(self.noted, 4), "little", signed=True)

    def __del__(self) -> None:
        # The memory of a sandbox goes with the sandbox, which may be gone already.
        if "address" in self.__dict__ and self._library.steady and not sys.is_finalizing():
            self._free(self.address)


class Engine:
    """The functions of a library, or of a module in a sandbox, for one game."""

    unfit = NativeUnavailable  # what is raised where something does not fit into native memory

    def __init__(self, library: Library | WasmLibrary, meta: Meta, whole: Callable[[], Library] | None = None) -> None:
        """`whole`: makes the library that thinks, where the given one only plays."""
        self.library, self.meta, self._make_whole = library, meta, whole
        function = self.function
        layout = function("rwx_layout", "address")
        self.layout: dict[str, Any] = json.loads(_text_at(library, layout()))
        self.slots = {name: tuple(rooms) for name, rooms in self.layout["slots"].items()}
        self.performs = {int(segment): names for segment, names in self.layout["performs"].items()}
        self.context = Context(self)
        self._any_context = self.context.pointer  # for what needs none: to look up that of a thread takes a while
        self.state = function("rwx_state", "address")
        self.free_state = function("rwx_free_state", None, "address")
        self.clone = function("rwx_clone", "address", "address", brief=True)
        self.copy = function("rwx_copy", None, "address", "address", "address", brief=True)
        self._spare: list[tuple[int, Any]] = []
        self.spare_searches: list[SearchRoom] = []
        self._frame_rooms: dict[int, FrameRooms] = {}
        self.new = function("rwx_new", "i32", "address", "address", "u64", "i32")
        self.apply = function("rwx_apply", "i32", "address", "address", "i32", brief=True)
        self.resume = function("rwx_resume", "i32", "address", "address")
        self.options = function("rwx_options", "i32", "address", "address", "address", "i32", brief=True)
        self.playout = function("rwx_playout", "i32", "address", "address", "u64", "address", "i32", "address")
        self.finish = function("rwx_finish", "i32", "address", "address", "u64", "address", "i32", "address")
        self.playouts = function("rwx_playouts", "i64", "address", "u64", "i64", "address", "address")
        self.counts = function("rwx_counts", "address", "address")
        self.ranking = function("rwx_ranking", None, "address", "address", "address")
        self._get = function("rwx_get", "i32", "address", "i32", "address", "i32")
        self._set = function("rwx_set", "i32", "address", "address", "i32", "address", "i32")
        self.blank = function("rwx_blank", None, "address", "address")

    def function(self, name: str, result: str | None, *parameters: str, brief: bool = False) -> Callable[..., Any]:
        """A function of the library (see there). One that only plays has a second one beside it, for what it lacks:
        both are the same game in C, so contexts and states of one are those of the other."""
        try:
            return self.library.function(name, result, *parameters, brief=brief)
        except NativeUnavailable:
            if self._make_whole is None:
                raise
        return self._whole.function(name, result, *parameters, brief=brief)

    @cached_property
    def _whole(self) -> Library:
        assert self._make_whole is not None
        try:
            return self._make_whole()
        except NativeUnavailable:
            self._make_whole = None  # nobody waits for it a second time
            raise

    @cached_property
    def asked(self) -> Any:
        """A past decision asked again (`asking`); raises `unfit` for a library that cannot: an exported one."""
        return self.function("rwx_asked", "i32", "address", "address", "address", "address", "i32", brief=True)

    @cached_property
    def searching(self) -> dict[str, Any]:
        """What a search calls; raises `unfit` as `asked` does."""
        return functions_of(self)

    @cached_property
    def walking(self) -> WalkFunctions:
        """Walks to worlds (`walking`); raises `unfit` as `asked` does."""
        return WalkFunctions(self)

    @cached_property
    def tales(self) -> TaleFunctions:
        """Stories of players (`tales`); raises `unfit` as `asked` does."""
        return TaleFunctions(self)

    @cached_property
    def rows_and_kinds(self) -> list[int]:
        """Of each piece its row, then its kind as a number."""
        meta = self.meta
        kinds = {kind: number for number, kind in enumerate(dict.fromkeys(meta.piece_kind))}
        return [*meta.piece_row[: meta.pieces], *[kinds[kind] for kind in meta.piece_kind[: meta.pieces]]]

    def copied(self, pointer: Any) -> tuple[int, Any]:
        """A copy of a state, by its address and its pointer. It lies where a state lay that is gone, if there is one:
        whoever looks ahead makes a copy and drops it at every step."""
        try:
            spare = self._spare.pop()
        except IndexError:
            address = self.clone(pointer)
            if not address:
                raise MemoryError("there is no memory for a copy of a state") from None
            return address, self.library.pointer(address)
        self.copy(self._any_context, spare[1], pointer)
        return spare

    def give_back(self, address: int, pointer: Any) -> None:
        """Nobody has this state any more."""
        if len(self._spare) < SPARE_STATES:
            self._spare.append((address, pointer))
        elif not sys.is_finalizing():
            self.free_state(address)

    def glances(self) -> Glances:
        """Looks one decision ahead, for this thread; raises `unfit` as `asked` does."""
        context = self.context
        if context.glances is None:
            context.glances = Glances(self)
        return context.glances

    def question(self, state: Any) -> NativeQuestion | None:
        """The pending decision of a state in native memory; None if it does not fit there (`asking`)."""
        return question_of(self, state)

    def search(self, described: array[int], cut: int, is_guided: bool, most_slots: int) -> NativeSearch:
        """A search tree in the memory of this library; raises `unfit`."""
        return NativeSearch(self, described, cut, is_guided, most_slots)

    def counted(self, hits: int) -> tuple[int, list[int]]:
        """Of the last playout of this thread: how many choices had a single option, and what the rules counted."""
        held = array("i", self.library.read(self.counts(self.context.address), 4 * (hits + 1)))
        return held[0], held[1:].tolist()

    # ------------------------------------------------------------------ a state as plain data

    def read(self, state: int, part: int) -> list[int]:
        """The numbers of one part of a state."""
        context = self.context
        count = self._get(state, part, context.room, ROOM)
        if count > ROOM:
            with self._larger_room(count) as room:
                self._get(state, part, room, count)
                return array("i", self.library.read(room, 4 * count)).tolist()
        numbers: list[int] = context.numbers[:count].tolist()
        return numbers

    @contextmanager
    def _larger_room(self, count: int) -> Iterator[int]:
        """Room for the numbers of a part that the context's own room is too small for: a board of 10,000 spaces has
        more fields than that."""
        room = self.library.allocate(4 * count)
        try:
            yield room
        finally:
            self.library.release(room)

    def write(self, state: int, part: int, numbers: list[int]) -> None:
        context = self.context
        held, count = array("i", numbers), len(numbers)
        if count > ROOM:
            with self._larger_room(count) as room:
                self.library.write(room, held.tobytes())
                problem = self._set(context.address, state, part, room, count)
        else:
            context.numbers[:count] = held
            problem = self._set(context.address, state, part, context.room, count)
        if problem != 0:
            raise ValueError(f"part {part} of a state does not fit")

    def write_generator(self, state: int, generator: int) -> None:
        self.write(state, GENERATOR, [_signed(generator & 0xFFFFFFFF), _signed(generator >> 32)])

    def position(self, state: int) -> dict[str, Any]:
        """Everything that makes a position, by the names of Python's State."""
        meta = self.meta
        lists = self.read(state, LISTS)
        places: list[list[int]] = []
        start = 0
        while start < len(lists):
            places.append(lists[start + 1 : start + 1 + lists[start]])
            start += 1 + lists[start]
        fields = self.read(state, FIELDS)
        at = [-1] * meta.pieces + [-2]
        for number, pieces in enumerate(places):
            for piece in pieces:
                at[piece] = number
        for number, piece in enumerate(fields[: meta.slots]):
            if piece >= 0:
                at[piece] = meta.lists + number
        low, high = self.read(state, GENERATOR)
        over, automatic, together, pick, steps, _, site, who = self.read(state, NUMBERS)
        won = self.read(state, WON)
        why = self.read(state, WHY)
        frames = self._frames(self.read(state, FRAMES))
        down = 0
        for piece in self.read(state, DOWN):
            down |= 1 << piece
        return {
            "f": fields, "p": [*places, []], "at": at, "k": frames, "g": low & 0xFFFFFFFF | (high & 0xFFFFFFFF) << 32,
            "fd": down, "over": bool(over), "auto": bool(automatic), "together": together, "pick": pick,
            "steps": steps, "site": site, "who": who, "won": tuple(won[1:]) if won[:1] == [1] else None,
            "why": (why[0], tuple(why[1:])) if why else None, "gone": tuple(self.read(state, GONE)),
            "running": sum(frame[0] == 0 for frame in frames), "picked": self._picked(site, over, frames),
        }  # fmt: skip

    def _picked(self, site: int, over: int, frames: list[Frame]) -> Any:
        """What a set or a payment that is pending has so far, as Python's State has it."""
        chosen = self.meta.sites[site].chosen if not over and 0 <= site < len(self.meta.sites) else ""
        if not chosen:
            return ()
        slots = self.meta.frame_slots[self.meta.segment_routine[frames[-1][0]]]
        return frames[-1][slots.index(chosen) + 1]

    def _frames(self, numbers: list[int]) -> list[Frame]:
        found: list[Frame] = []
        start = 0
        while start < len(numbers):
            cells = numbers[start + 1 : start + 1 + numbers[start]]
            found.append(self._frame(cells, found[-1][0] if found else -1))
            start += 1 + numbers[start]
        return found

    def _frame(self, cells: list[int], below: int) -> Frame:
        """A frame as Python has it. Segment 0 performs a cell: the segment below it tells what was given by name."""
        segment = cells[0]
        if segment == 0:
            return [*cells[:4], self._given(cells, below)]
        frame: Frame = [segment]
        position = 1
        for room in self.slots.get(self.meta.segment_routine[segment], ()):
            if room:
                frame.append(tuple(cells[position + 1 : position + 1 + cells[position]]))
                position += 1 + room
            else:
                frame.append(cells[position])
                position += 1
        return frame

    def _given(self, cells: list[int], below: int) -> tuple[tuple[str, Any], ...]:
        """What was given by name to the calls of a cell. What none of them takes is not kept: 0."""
        position, held = 4, {}
        for name, room in self.layout["given"].items():
            held[name] = tuple(cells[position + 1 : position + 1 + cells[position]]) if room else cells[position]
            position += 1 + room
        return tuple((name, held.get(name, 0)) for name in self.performs.get(below, ()))

    def _cells(self, frame: Frame) -> list[int]:
        segment = frame[0]
        cells = frame[:4] if segment == 0 else [segment]
        if segment == 0:
            given = dict(frame[4])
            rooms, values = self.layout["given"].values(), [given.get(name, 0) for name in self.layout["given"]]
        else:
            rooms, values = self.slots.get(self.meta.segment_routine[segment], ()), frame[1:]
        for room, value in zip(rooms, values, strict=True):
            if not room:
                cells.append(int(value))
                continue
            held = list(value) if isinstance(value, tuple | list | range) else []
            if len(held) > room:
                raise ValueError("a set in a frame is too large")
            cells += [len(held), *held, *([0] * (room - len(held)))]
        return cells

    def frame_rooms(self, segment: int, naming: Mapping[str, Sequence[int]]) -> FrameRooms:
        """How many numbers a frame of this segment has in native memory, without its link; of those of its locals that
        may name pieces (`naming`, by routine) the number, the room for a set, and where it stands."""
        found = self._frame_rooms.get(segment)
        if found is None:
            if segment == 0:
                found = (4 + sum(1 + room for room in self.layout["given"].values()), ())
            else:
                found = self._rooms_of(self.meta.segment_routine[segment], naming)
            self._frame_rooms[segment] = found
        return found

    def cells_of(self, segment: int, slots: Sequence[int]) -> list[tuple[int, int]]:
        """Where locals of a frame stand in native memory, by their numbers, and the room of each for a set."""
        routine = self.meta.segment_routine[segment]
        return [(position, room) for _, room, position in self._rooms_of(routine, {routine: slots})[1]] if slots else []

    def _rooms_of(self, routine: str, naming: Mapping[str, Sequence[int]]) -> FrameRooms:
        position, found = 1, []
        for slot, room in enumerate(self.slots.get(routine, ()), start=1):
            if slot in naming.get(routine, ()):
                found.append((slot, room, position))
            position += 1 + room
        return position, tuple(found)

    def enter(self, address: int, state: Any) -> None:
        """Writes a state of Python's into native memory; raises ValueError if it does not fit there."""
        self.blank(self.context.address, address)
        write = self.write
        write(address, FIELDS, [int(number) for number in state.f])
        write(address, LISTS, [n for pieces in state.p[:-1] for n in (len(pieces), *pieces)])
        cells = [self._cells(frame) for frame in state.k]
        write(address, FRAMES, [n for frame in cells for n in (len(frame), *frame)])
        self.write_generator(address, state.g)
        write(address, DOWN, [piece for piece in range(self.meta.pieces) if state.fd >> piece & 1])
        write(address, WON, [0] if state.won is None else [1, *state.won])
        write(address, GONE, list(state.gone))
        decisions = len(state.h) // 2
        numbers = [
            int(state.over),
            int(state.auto),
            state.together,
            int(state.pick),
            0,
            decisions,
            state.site,
            state.who,
        ]
        write(address, NUMBERS, numbers)


def _text_at(library: Library | WasmLibrary, address: int) -> str:
    """A text of C, up to its end."""
    size = 4096
    while True:
        held = library.read(address, size) if isinstance(library, WasmLibrary) else ctypes.string_at(address)
        if b"\0" in held or not isinstance(library, WasmLibrary):
            return held.split(b"\0")[0].decode()
        size *= 2


def _signed(half: int) -> int:
    return half - (1 << 32) if half >= 1 << 31 else half
