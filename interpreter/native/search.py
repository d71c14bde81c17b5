"""A search tree in native memory: `rw_search.h` as Python sees it.

What a search is, and who draws its worlds, is said in `play/bots`; this module only hands numbers over. A search
belongs to the thread that uses it; its memory goes with this object.
"""

from __future__ import annotations

import struct
import sys
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from .asking import NativeQuestion
    from .engine import Engine

GO = 0
ROOM = 1 << 16  # numbers in the room of a context: one part of a state, or the options of one decision
_FIGURES = 6  # as in rw_search.h
_AT_ONCE = 256  # simulations in one call of a sandbox
_SPARE = 2  # searches whose room is kept for the next one: at a table two bots may search in turn


_FUNCTIONS: dict[str, tuple[str | None, ...]] = {
    "make": ("rwx_search", "address", "address", "i32", "i32", "i32", "i32"),
    "free": ("rwx_search_free", None, "address"),
    "again": ("rwx_search_again", "i32", "address"),
    "begin": ("rwx_search_begin", "i32", "address", "u64", "i32", "i32", "i32"),
    "world": ("rwx_search_world", "i32", "address", "address", "address", "address", "i32"),
    "begun": ("rwx_search_begun", "i32", "address", "address", "address", "i32"),
    "dealt": ("rwx_search_dealt", "i32", "address", "address", "address", "address", "address", "i32", "i32"),
    "run": ("rwx_search_run", "i32", "address", "address", "i64"),
    "figures": ("rwx_search_figures", None, "address", "address"),
    "slots": ("rwx_search_slots", None, "address", "address"),
    "foresee": ("rwx_search_foresee", "i32", "address", "address", "i32", "address"),
    "next": ("rwx_search_next", "i32", "address", "i32"),
    "after": ("rwx_search_after", "i32", "address", "address", "address", "i32"),
    "move": ("rwx_search_move", "i32", "address", "address", "i32", "u64", "i32", "address", "i32", "i32"),
    "flat": ("rwx_search_flat", "i32", "address", "address", "i64"),
    "looks": ("rwx_search_looks", "i32", "address", "address", "i32", "address", "i32", "u64", "address", "i32"),
    "policy": ("rwx_search_policy", "i32", "address", "address", "i32", "address", "i32"),
}


def functions_of(engine: Engine) -> dict[str, Any]:
    """The functions of a library that a search calls, by the names that it has for them."""
    function: Any = engine.function
    return {f"_call_{name}": function(*signature) for name, signature in _FUNCTIONS.items()}


class SearchRoom:
    """The memory of a search, and a state beside it; freed with this object. `fits`: what it was made for."""

    def __init__(self, engine: Engine, described: array[int], cut: int, is_guided: bool, most_slots: int) -> None:
        self.fits = (described, cut, is_guided, most_slots)
        self._freed = ((engine.searching["_call_free"], "address"), (engine.free_state, "state"))
        library, make = engine.library, engine.searching["_call_make"]
        self.state = engine.state()
        self.address = 0
        held = library.allocate(4 * len(described))
        library.write(held, described.tobytes())
        self.address = make(held, len(described), cut, int(is_guided), most_slots)
        library.release(held)
        if not self.address or not self.state:
            raise NativeUnavailable("there is no memory for a search", passing=True)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            with suppress(ValueError, AttributeError):  # a sandbox may be gone before its searches; or nothing was made
                for free, name in self._freed:
                    if getattr(self, name):
                        free(getattr(self, name))


def _room_for(engine: Engine, *wanted: Any) -> SearchRoom:
    """Room for a search: that of one which is over, if it fits. A tree grows to a megabyte within a millisecond, and
    new memory takes longer than that to come from the system."""
    try:
        room = engine.spare_searches.pop()  # in one step: two threads never get the same one
    except IndexError:
        return SearchRoom(engine, *wanted)
    return room if room.fits == wanted else SearchRoom(engine, *wanted)


class NativeSearch:
    """`described`: what players see, as `compiled_sight` lays it out; a tree has at most `most_slots` slots. Every
    method raises NativeUnavailable if what it is given does not fit into native memory, or there is no more of it: the
    search is of no use then."""

    _call_again: Any
    _call_begin: Any
    _call_world: Any
    _call_begun: Any
    _call_dealt: Any
    _call_run: Any
    _call_figures: Any
    _call_slots: Any
    _call_foresee: Any
    _call_next: Any
    _call_after: Any
    _call_move: Any
    _call_flat: Any
    _call_looks: Any
    _call_policy: Any

    def __init__(self, engine: Engine, described: array[int], cut: int, is_guided: bool, most_slots: int) -> None:
        self._engine, self._library = engine, engine.library
        self.__dict__.update(engine.searching)
        self._room = _room_for(engine, described, cut, is_guided, most_slots)
        self._address, self._state = self._room.address, self._room.state
        self._simulated = 0

    def __del__(self) -> None:
        spare = self._engine.spare_searches
        if sys.is_finalizing() or "_room" not in self.__dict__ or len(spare) >= _SPARE:
            return
        # Not the room of a module: a spare one would go together with its engine, in no order that can be relied on,
        # and to free it then would call a module whose memory is gone.
        if self._library.steady and self._call_again(self._address):
            spare.append(self._room)

    def use_policy(self, read: array[int], weights: array[float]) -> None:
        """Asks a learnt policy in place of random games; before `begin`. `rw_policy.h` says what the numbers mean."""
        library = self._library
        held = [library.allocate(max(1, len(numbers) * numbers.itemsize)) for numbers in (read, weights)]
        library.write(held[0], read.tobytes())
        library.write(held[1], weights.tobytes())
        signal = self._call_policy(self._address, held[0], len(read), held[1], len(weights))
        for address in held:
            library.release(address)
        _must_go(signal)

    def begin(self, seed: int, player: int, slots: int, is_open: bool) -> None:
        """The root is a decision of this player."""
        _must_go(self._call_begin(self._address, seed & (1 << 64) - 1, player, slots, int(is_open)))

    def add_world(self, world: Any, options: list[int], is_like_root: bool) -> None:
        """A state of Python's at the decision of the root, with its option for each slot."""
        self._enter(world)
        self._write(options)
        context = self._engine.context
        _must_go(self._call_world(context.address, self._address, self._state, context.room, int(is_like_root)))

    def begin_block(self, begun: Any, own: list[int]) -> None:
        """The last world at the first question of the `together` that runs, and what the player has chosen there."""
        self._enter(begun)
        self._write(own)
        _must_go(self._call_begun(self._address, self._state, self._engine.context.room, len(own)))

    def add_dealt(
        self, root: NativeQuestion, new: list[int], added: list[int], chance: int, options: list[int]
    ) -> None:
        """A world of the decision of the root, which lies in native memory: each piece x is called new[x], numbers have
        so much more (offset, how much, offset …), and this is its generator."""
        numbers = [*new, len(added) // 2, *added, _signed(chance & 0xFFFFFFFF), _signed(chance >> 32), *options]
        self._write(numbers)
        context, call, (state, told) = self._engine.context, self._call_dealt, root.where
        _must_go(call(context.address, self._address, state, told, context.room, len(numbers), 1))

    def run(self, until: int) -> None:
        """Simulates until there are so many simulations, or the root is proved."""
        self._simulate(self._call_run, until)

    def figures(self) -> list[int]:
        """Simulations at this root; 1 if it is proved; its best slot; its visits; nodes and slots of the tree."""
        context = self._engine.context
        self._call_figures(self._address, context.room)
        return list(struct.unpack(f"<{_FIGURES}q", self._library.read(context.room, 8 * _FIGURES)))

    def slots(self, count: int) -> list[tuple[int, float]]:
        """Of each slot of the root its visits and its mean."""
        context = self._engine.context
        if 4 * count > ROOM:
            raise NativeUnavailable("there are too many options")
        self._call_slots(self._address, context.room)
        held = struct.unpack(f"<{2 * count}d", self._library.read(context.room, 16 * count))
        return [(int(held[2 * slot]), held[2 * slot + 1]) for slot in range(count)]

    # ------------------------------------------------------------------ a tree that is kept

    def foresee(self, slot: int) -> dict[str, Any] | None:
        """Where a slot of the root leads in the first world, as `Engine.position` gives it, with `is_certain`: no
        chance fell. None for a fault of the rules."""
        kind = self._call_foresee(self._engine.context.address, self._address, slot, self._state)
        return {**self._engine.position(self._state), "is_certain": kind == 2} if kind else None

    def node_after(self, slot: int, state: Any = None) -> int:
        """The number of the node after a slot of the root, negative if there is none: the one without chance, or that
        of the pending decision of a state."""
        if state is None:
            return int(self._call_next(self._address, slot))
        self._enter(state)
        return int(self._call_after(self._engine.context.address, self._address, self._state, slot))

    def move(self, node: int, seed: int, slot: int, indexes: list[int], offered: int) -> int:
        """Makes a node the root; gives how many worlds are kept."""
        self._write(indexes)
        context, wanted = self._engine.context, seed & (1 << 64) - 1
        kept = self._call_move(context.address, self._address, node, wanted, slot, context.room, len(indexes), offered)
        if kept < 0:
            raise NativeUnavailable("a tree cannot be kept")
        self._simulated = 0
        return int(kept)

    # ------------------------------------------------------------------ bots without a tree

    def run_flat(self, until: int) -> None:
        """As `run`, without a tree: round and round over the slots of the root."""
        self._simulate(self._call_flat, until)

    def _simulate(self, function: Any, until: int) -> None:
        """In one call; a sandbox limits the instructions of each call, so there it takes several."""
        at = self._simulated
        while at < until:
            at = until if self._library.steady else min(until, at + _AT_ONCE)
            _must_go(function(self._engine.context.address, self._address, at))
        self._simulated = until

    def looks(self, world: int, slots: list[int], seed: int) -> list[list[tuple[float, ...]]]:
        """Of each of these slots how the player of the root stands after it in a world, several times if chance falls;
        an empty look for a fault of the rules."""
        context, call = self._engine.context, self._call_looks
        self._write(slots)
        behind = len(slots) // 2 + 1  # of the room, in numbers of 64 bits
        out, room = context.room + 8 * behind, ROOM // 2 - behind
        count = call(context.address, self._address, world, context.room, len(slots), seed, out, room)
        if count < 0:
            raise NativeUnavailable("there are too many options")
        held = array("d", self._library.read(out, 8 * count))
        found: list[list[tuple[float, ...]]] = []
        start = 0
        for _ in slots:
            size = int(held[start])
            found.append(_split(held[start + 1 : start + 1 + size]))
            start += 1 + size
        return found

    # ------------------------------------------------------------------ handing over

    def _enter(self, state: Any) -> None:
        try:
            self._engine.enter(self._state, state)
        except (ValueError, OverflowError) as problem:
            raise NativeUnavailable(str(problem)) from problem

    def _write(self, numbers: list[int]) -> None:
        """Numbers of 32 bits into the room of the context."""
        if len(numbers) > ROOM:
            raise NativeUnavailable("there are too many options")
        self._engine.context.numbers[: len(numbers)] = array("i", numbers)


def _split(held: array[float]) -> list[tuple[float, ...]]:
    """How many looks there are, and their numbers, as one tuple for each; nothing at all for a fault."""
    if not held:
        return [()]
    if not held[0]:
        return []
    parts = (len(held) - 1) // int(held[0])
    return [tuple(held[start : start + parts]) for start in range(1, len(held), parts)]


def _signed(half: int) -> int:
    return half - (1 << 32) if half >= 1 << 31 else half


def _must_go(signal: int) -> None:
    if signal != GO:
        raise NativeUnavailable("a search does not fit into native memory")
