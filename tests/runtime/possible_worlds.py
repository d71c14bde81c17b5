"""All tables that a player must think possible, by enumeration.

A world is what lies everywhere, by rows: equal copies are the same. Each event has every outcome that it could have had
in each world; those stay that look to the player like what has really happened. What all worlds have in common is
exactly what could be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from interpreter.runtime.meta import Meta

World = tuple[tuple[int, ...], ...]  # rows in each place, the box last; unordered places sorted


def arranged(meta: Meta, places: list[list[int]]) -> World:
    """Lists of rows as a world."""
    box = len(places) - 1
    return tuple(
        tuple(sorted(rows)) if number == box or (number < meta.lists and meta.unordered[number]) else tuple(rows)
        for number, rows in enumerate(places)
    )


class Worlds:
    """What one player must think possible."""

    def __init__(self, meta: Meta, player: int, real: World) -> None:
        self.meta = meta
        self.player = player
        self.backs = {meta.piece_row[piece]: meta.piece_back[piece] for piece in range(meta.pieces)}
        self.possible = {real}

    def moved(self, source: int, target: int, index: int | None, moving_row: int, last: bool, real: World) -> None:
        """A piece went by its index, or (None) any piece of the source that is like it from behind may have gone."""
        box = len(real) - 1
        found: set[World] = set()
        for world in self.possible:
            for taken in range(len(world[source])) if index is None else (index,):
                row = world[source][taken]
                if self.backs[row] != self.backs[moving_row] or (source == box and row != moving_row):
                    continue
                places = [list(rows) for rows in world]
                places[source].pop(taken)
                places[target].insert(len(places[target]) if last else 0, row)
                if self._saw(source) and row != moving_row:
                    continue
                found.add(arranged(self.meta, places))
        self._keep(found, real)

    def shuffled(self, place: int, real: World) -> None:
        found: set[World] = set()
        for world in self.possible:
            for order in set(permutations(world[place])):
                found.add(arranged(self.meta, [list(order if n == place else rows) for n, rows in enumerate(world)]))
        self._keep(found, real)

    def revealed(self, place: int, index: int | None, rows: list[int], real: World) -> None:
        """Rows shown together out of an unordered place, or one row at an index."""
        if index is None:
            shown = Counter(rows)
            self._keep({w for w in self.possible if not shown - Counter(w[place])}, real)
        else:
            self._keep({world for world in self.possible if world[place][index] == rows[0]}, real)

    def certain(self, place: int) -> list[int | None] | Counter[int]:
        """What must lie in a place: at each position, or of each row the least number."""
        seen = [world[place] for world in self.possible]
        if place < self.meta.lists and self.meta.unordered[place]:
            least = Counter(seen[0])
            for rows in seen[1:]:
                least &= Counter(rows)
            return least
        return [rows[0] if len(set(rows)) == 1 else None for rows in zip(*seen, strict=True)]

    def _saw(self, place: int) -> bool:
        return place < len(self.meta.sees) and bool(self.meta.sees[place] >> self.player & 1)

    def _keep(self, worlds: set[World], real: World) -> None:
        look = tuple(self._look(real))
        self.possible = {world for world in worlds if tuple(self._look(world)) == look}
        assert real in self.possible

    def _look(self, world: World) -> Iterator[tuple[int, ...]]:
        """What the player sees of a world: faces in places that show them, else backs."""
        for place, rows in enumerate(world[:-1]):
            if self._saw(place):
                yield rows
            else:
                backs = [self.backs[row] for row in rows]
                unordered = place < self.meta.lists and self.meta.unordered[place]
                yield tuple(sorted(backs)) if unordered else tuple(backs)
                if place in self.meta.top_open:
                    yield rows[:1]
