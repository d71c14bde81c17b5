"""Past decisions in native memory, asked again as a world would have them: `rw_worlds.h` as Python sees it.

Who knows what, and so which pieces a world may have exchanged, is Python's (`runtime/facts.py`). It asks the same
question of thousands of hands, and here a question is a state that was written into native memory once. Answers are
those of Python, so worlds are the same with an engine and without.
"""

from __future__ import annotations

import sys
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .search import ROOM
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from .engine import Engine

_HEAD = 5  # numbers in front of the options, as in rw_worlds.h


class NativeQuestion:
    """The pending decision of a snapshot. Made by `question_of`."""

    __slots__ = ("_ask", "_engine", "_pieces", "_state", "_told", "_where")

    def __init__(self, engine: Engine, snapshot: Any, state: int) -> None:
        self._engine, self._state = engine, state
        self._told, self._pieces = 0, engine.meta.pieces
        engine.enter(state, snapshot)
        told = array("i", where_names_stand(engine, snapshot)).tobytes()
        self._told = engine.library.allocate(len(told))
        engine.library.write(self._told, told)
        self._where = engine.library.pointer(state), engine.library.pointer(self._told)
        self._ask = engine.asked

    @property
    def where(self) -> tuple[int, int]:
        """The addresses of the state, and of where names stand in it."""
        return self._state, self._told

    def __del__(self) -> None:
        if not sys.is_finalizing():
            with suppress(KeyError):
                self._engine.library.release(self._told)
            self._engine.free_state(self._state)

    def asked(self, new: list[int], added: list[int]) -> tuple[int, int, int, int, list[int]] | None:
        """What comes of the question with each piece x called new[x], and with so much more in some numbers (offset,
        how much, offset …): signal, site, who decides, what is picked without asking, options. None if only Python
        can say."""
        context, pieces = self._engine.context, self._pieces
        room = context.numbers
        room[:pieces] = array("i", new)
        room[pieces] = len(added) // 2
        if added:
            room[pieces + 1 : pieces + 1 + len(added)] = array("i", added)
        count = self._ask(context.pointer, *self._where, context.room_pointer, ROOM)
        if count < _HEAD:
            return None
        signal, site, who, pick, _, *options = room[:count].tolist()
        return signal, site, who, pick, options


def question_of(engine: Engine, snapshot: Any) -> NativeQuestion | None:
    """A question of its own; None if the snapshot does not fit into native memory, or its pieces carry others."""
    renaming, library = snapshot.machine.renaming, engine.library
    if not library.steady or renaming.carried or not renaming.is_simple or engine.meta.pieces + 1 >= ROOM // 2:
        return None
    state = engine.state()
    if not state:
        return None
    try:
        return NativeQuestion(engine, snapshot, state)
    except (ValueError, NativeUnavailable):  # something does not fit there, or the library cannot ask
        return None


def where_names_stand(engine: Engine, snapshot: Any) -> list[int]:
    """Runs of fields that name pieces, runs that belong to pieces, cells of the stack: as rw_worlds.h reads them."""
    renaming = snapshot.machine.renaming
    found = [len(renaming.names), *(n for run in renaming.names for n in run)]
    found += [len(renaming.blocks), *(n for block in renaming.blocks for n in block)]
    cells = _cells_with_pieces(engine, snapshot)
    return [*found, len(cells), *cells]


def _cells_with_pieces(engine: Engine, snapshot: Any) -> list[int]:
    """Where the stack of native memory holds pieces: each frame has its link in front, and sets have their size."""
    found: list[int] = []
    start = 1
    for frame in snapshot.k:
        size, naming = engine.frame_rooms(frame[0], snapshot.machine.renaming.naming)
        for slot, room, position in naming:
            found += _cells_of(frame[slot], room, start + position)
        start += 1 + size
    return found


def _cells_of(value: Any, room: int, position: int) -> list[int]:
    """The cells of a local that hold pieces: one, or those of a set behind its size. A set that has yet to be made has
    none."""
    if not room:
        return [position]
    return list(range(position + 1, position + 1 + len(value))) if isinstance(value, tuple | list) else []
