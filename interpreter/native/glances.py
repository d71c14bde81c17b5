"""One look ahead at all options of a decision, in one call: `rw_glances.h` as Python sees it.

The table goes into native memory once (a native state is there already), and the walk to its worlds is there too
(`tales`, `walking`). What comes back is what each option is worth, on average over the worlds.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from ..runtime.questions import pieces_bound
from .asking import where_names_stand
from .search import ROOM
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from ..runtime.worlds import Worlds
    from .engine import Engine
    from .walking import NativeCourse

MOST_OPTIONS = 64  # as in rw_glances.h
UNKNOWN = -1  # as in rw.h
_MOST_JUDGED = 64  # facts that Python is asked for one look

Worth = tuple[float, ...]


class Glances:
    """What a thread needs for that: room for the table, and for two copies of it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        kinds = ("address",) * 6
        self._call = engine.function("rwx_glances", "i32", *kinds, "i32", "address", brief=True)
        self._states = [engine.state() for _ in range(3)]
        if not all(self._states):
            raise NativeUnavailable("there is no memory for a state", passing=True)
        self._spare = array("Q", self._states[1:])
        self._nothing = engine.library.pointer(0)

    def __del__(self) -> None:
        for state in getattr(self, "_states", ()):
            if state:
                self._engine.free_state(state)

    def look(self, state: Any, worlds: Worlds | None, seed: int, count: int, tried: list[int]) -> list[Worth]:
        """What the options with these indexes are worth to the player who decides, over `count` worlds; nothing for a
        fault of the rules. Without `worlds` nothing is hidden. Raises NativeUnavailable if Python has to look."""
        engine, options = self._engine, [state.opts[index] for index in tried]
        if len(options) > MOST_OPTIONS:
            raise NativeUnavailable("there are too many options")
        pointer, bound, mixes, tied = engine.library.pointer, [], [], []
        names = self._nothing
        course = None if worlds is None else worlds.dealer.native
        if worlds is not None:
            told = array("i", where_names_stand(engine, worlds.table))
            names = pointer(told.buffer_info()[0])
            bound = _bound(worlds.table)
            mixes, tied = worlds.dealer.native.home
        asked = array("i", [state.who, count, *_halves(seed), len(bound), len(mixes), len(tied), len(options)])
        asked.extend([*bound, *mixes, *tied, *options])
        given = self._root(state), names, pointer(self._spare.buffer_info()[0]), pointer(asked.buffer_info()[0])
        count = self._look(course, (*given, len(asked)))
        return _split(engine.context.numbers[: 2 * count].cast("B").cast("d").tolist())

    def _look(self, course: NativeCourse | None, given: tuple[Any, ...]) -> int:
        """How many numbers there are in the room of the context. Where Python has to say whether a fact holds, all is
        done again with what it said, which is kept with the fact."""
        context = self._engine.context
        for _ in range(_MOST_JUDGED):
            walk = None if course is None else course.walk()
            begun = self._nothing if walk is None else walk.pointer
            count: int = self._call(context.pointer, begun, *given, context.room_pointer)
            if count >= 0:
                return count
            if count == UNKNOWN or walk is None:
                break
            walk.judge(UNKNOWN - 1 - count)
        raise NativeUnavailable("only Python can look at this")

    def _root(self, state: Any) -> Any:
        """The decision in native memory."""
        if getattr(state, "engine", None) is self._engine:
            return state.pointer
        try:
            self._engine.enter(self._states[0], state)
        except (ValueError, OverflowError) as problem:
            raise NativeUnavailable(str(problem)) from problem
        return self._engine.library.pointer(self._states[0])


def can_be_dealt(engine: Engine, worlds: Worlds) -> bool:
    """Whether worlds are the table with its pieces called otherwise, and nothing more."""
    table, renaming = worlds.table, worlds.table.machine.renaming
    if table.apart is not None or table.over or table.who != worlds.player:
        return False
    if renaming.carried or not renaming.is_simple or engine.meta.pieces + 1 >= ROOM // 2:
        return False
    return worlds.dealer.native is not None and worlds.dealer.native.numbers == 0


def _bound(table: Any) -> list[int]:
    """The pieces that options of the table name."""
    if not table.machine.renaming.offered[table.site]:
        return []
    site = table.meta.sites[table.site]
    return sorted({piece for option in table.opts for piece in pieces_bound(site, option) if piece >= 0})


def _split(numbers: list[float]) -> list[Worth]:
    found: list[Worth] = []
    start = 0
    while start < len(numbers):
        end = start + 1 + int(numbers[start])
        found.append(tuple(numbers[start + 1 : end]))
        start = end
    return found


def _halves(seed: int) -> tuple[int, int]:
    """A number of 64 bits as two of 32, with their signs."""
    seed &= (1 << 64) - 1
    low, high = seed & 0xFFFFFFFF, seed >> 32
    return low - (low >> 31 << 32), high - (high >> 31 << 32)
