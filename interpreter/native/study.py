"""The games of a study in native memory: `rw_study.h` as Python sees it.

Random games are played from their seeds and games of bots are followed from their choices; each leaves a row of
numbers, and all rows are added up in one call. What the numbers mean is the business of whoever studies
(`study/compiled_games.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from .engine import Engine

_MASK = (1 << 64) - 1
_ENDINGS = 256  # endings read at a time


class NativeStudy:
    """Rows pile up until `forget`. Raises NativeUnavailable for a library that does not count."""

    def __init__(self, engine: Engine, described: Sequence[int]) -> None:
        function, library = engine.function, engine.library
        self._engine, self._library = engine, library
        self._free = function("rwx_free_study", None, "address")
        made = function("rwx_study", "address", "address", "i32")
        self._play = function("rwx_study_play", "i32", "address", "address", "address", "i32", "i64", "i64")
        self._run = function("rwx_study_run", "i32", "address", "address", "u64", "i32", "i64", "i64")
        self._follow = function("rwx_study_follow", "i32", "address", "address", "u64", "address", "i32")
        self._sums = function("rwx_study_sums", "address", "address", "address")
        self._rows = function("rwx_study_rows", "address", "address", "address")
        self._games = function("rwx_study_games", "address", "address")
        self._endings = function("rwx_study_endings", "i32", "address", "i32", "address", "i32")
        self._full = function("rwx_study_is_full", "i32", "address")
        self._anew = function("rwx_study_anew", None, "address")
        given = array("i", described)
        self._count = array("i", [0, 0])
        self._address = made(given.buffer_info()[0], len(given))
        if not self._address:
            raise NativeUnavailable("there is no memory for a study", passing=True)

    def __del__(self) -> None:
        if getattr(self, "_address", 0):
            self._free(self._address)

    def play(self, seeds: Sequence[int], number: int, step: int) -> int:
        """Random games from these seeds, the first of which has this number in the study; one in `step` is looked at
        closely. How many were played: the next one, if there is one, is Python's, unless it is full."""
        context = self._engine.context.address
        if isinstance(seeds, range) and seeds.step == 1:
            run: int = self._run(context, self._address, seeds.start & _MASK, len(seeds), number, step)
            return run
        held = array("Q", [seed & _MASK for seed in seeds])
        played: int = self._play(context, self._address, held.buffer_info()[0], len(held), number, step)
        return played

    @property
    def is_full(self) -> bool:
        return bool(self._full(self._address))

    def follow(self, seed: int, choices: Sequence[int]) -> bool:
        """The game of these choices, looked at closely; False if it is Python's."""
        held = array("i", choices)
        context = self._engine.context.address
        return bool(self._follow(context, self._address, seed & _MASK, held.buffer_info()[0], len(held)))

    def forget(self) -> None:
        """Drops all rows, as if no game had been played. Endings keep their numbers."""
        self._anew(self._address)

    def sums(self) -> list[int]:
        """The rows added up; raises MemoryError if that could not be done."""
        at = self._sums(self._address, self._count.buffer_info()[0])
        if not at:
            raise MemoryError("there is no memory for the sums of a study")
        return array("q", self._library.read(at, 8 * self._count[0])).tolist()

    def rows(self, games: int) -> tuple[list[list[int]], list[int]]:
        """The different rows of numbers, and of each game, of which there are so many, which of them is its own."""
        at = self._rows(self._address, self._count.buffer_info()[0])
        rows, width = self._count
        held = array("i", self._library.read(at, 4 * width * rows)).tolist()
        own = array("i", self._library.read(self._games(self._address), 4 * games)).tolist()
        return [held[start : start + width] for start in range(0, width * rows, width)], own

    def endings(self, known: int, holes: int) -> list[tuple[int, tuple[int, ...]]]:
        """Texts that say why games ended, with their values; those beyond the first `known`. A text has at most
        `holes` values."""
        width: int = 3 + holes
        found: list[tuple[int, tuple[int, ...]]] = []
        if self._endings(self._address, known, 0, 0) == known:
            return found
        room = array("i", bytes(4 * width * _ENDINGS))
        while True:
            count = self._endings(self._address, known + len(found), room.buffer_info()[0], len(room))
            fresh = min(count - known - len(found), _ENDINGS)
            for start in range(0, fresh * width, width):
                text, values = room[start], room[start + 2 : start + 2 + room[start + 1]]
                found.append((text, tuple(values)))
            if known + len(found) >= count:
                return found
