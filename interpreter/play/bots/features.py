"""Numbers that describe a position to one player, made from the declarations of a game by themselves.

A learnt value (`learnt_value`) is made of these. They come from the layout alone, so they exist for every
game, and they read nothing that the player may not see:

- what the ranking compares, for each player, and the margin over the best other player;
- fields: numbers scaled to 0..1, flags, and values of small types one by one; secret fields of the player alone;
- places: how full each is, unless it may not be counted; where the player sees into it, how many of each row are there;
- whose decision it is.

Everything that belongs to a player comes in the order of the table *from that player on*: own things first, then
those of the next player. So one set of weights serves all seats.

Long lists would cost more than they teach: rows and types with more than 16 values are left out, and so is what comes
after the first 2,000 numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from ...compile.meta import FieldMeta, Meta, PlaceMeta
from .standing import keys_of, margins_of

_MOST_VALUES = 16
_MOST_FEATURES = 2000
_SORTS = ("number", "seat", "value", "filled", "full", "rows", "row")  # as in rw_policy.h

Reading = Callable[[Any, int], list[float]]  # from a state and a player


class Features:
    """The features of one game. `names` says what each number is."""

    def __init__(self, meta: Meta) -> None:
        self.names: list[str] = [f"margin of seat +{seat}" for seat in range(meta.players)]
        self.names += [f"first criterion of seat +{seat}" for seat in range(meta.players)]
        self.names += [f"decision of seat +{seat}" for seat in range(meta.players)]
        self._players = meta.players
        # For each player the offsets and places in the order of the names, seen from that player.
        self._parts: list[list[tuple[str, int, Any]]] = [[] for _ in range(meta.players)]
        for field in meta.fields:
            self._add_field(meta, field)
        for place in meta.places:
            self._add_place(meta, place)

    def __len__(self) -> int:
        return len(self.names)

    def of(self, state: Any, player: int) -> list[float]:
        """The features of a position as this player sees it."""
        count = self._players
        keys = keys_of(state)
        margins = margins_of(keys, state.meta.is_team)
        order = [(player + step) % count for step in range(count)]
        found: list[float] = [float(margins[seat]) for seat in order]
        found += [float(keys[seat][0]) if keys[seat] else 0.0 for seat in order]
        found += [1.0 if not state.over and state.who == seat else 0.0 for seat in order]
        f, p, down, row = state.f, state.p, state.fd, state.meta.piece_row
        for sort, number, how in self._parts[player]:
            match sort:
                case "number":
                    found.append((f[number] - how[0]) / how[1])
                case "seat":
                    value = f[number]
                    found += [1.0 if value == (player + step) % count else 0.0 for step in range(count)]
                case "value":
                    value = f[number]
                    found += [1.0 if value == one else 0.0 for one in how]
                case "filled":
                    found.append(1.0 if f[number] >= 0 else 0.0)
                case "full":
                    found.append(len(p[number]) / how)
                case "rows":
                    shown = [row[x] for x in p[number] if not down >> x & 1]
                    found += [float(shown.count(one)) for one in how]
                case "row":
                    piece = f[number]
                    shown_row = row[piece] if piece >= 0 and not down >> piece & 1 else -1
                    found += [1.0 if shown_row == one else 0.0 for one in how]
                case _:
                    raise AssertionError(sort)
        return found

    def numbers(self) -> list[int]:
        """What is read for each player, in order, as the native engine wants it: for each player how many parts, and
        for each part its sort, a number of the state, how many values, and these (see `rw_policy.h`)."""
        found: list[int] = []
        for parts in self._parts:
            found.append(len(parts))
            for sort, number, how in parts:
                match sort:
                    case "number":
                        values = [how[0], how[1]]
                    case "seat" | "filled":
                        values = []
                    case "full":
                        values = [how]
                    case _:
                        values = list(how)
                found += [_SORTS.index(sort), number, len(values), *values]
        return found

    # ------------------------------------------------------------------ from the layout

    def _add_field(self, meta: Meta, field: FieldMeta) -> None:
        if field.thing == "piece" or field.visibility == "hidden" or field.owner == "piece":
            return
        if any(thing == "piece" for thing, _, _ in field.dimensions):
            return
        sort, how, width = _shown_as(meta, field)
        own_only = field.visibility != "open"
        if own_only and (field.owner != "player" or field.visibility == "open_to_others"):
            return
        for step, element in enumerate(_elements(meta, field.dimensions, own_only)):
            if len(self.names) + width > _MOST_FEATURES or sort == "":
                return
            self.names += [f"{field.name}[{step}]={part}" for part in range(width)]
            for player in range(meta.players):
                self._parts[player].append((sort, field.base + element(player), how))

    def _add_place(self, meta: Meta, place: PlaceMeta) -> None:
        if any(thing == "piece" for thing, _, _ in place.dimensions):
            return
        kinds = [meta.kinds[kind] for kind in place.kinds]
        rows = sorted({meta.piece_row[x] for first, count in kinds for x in range(first, first + count)})
        for step, element in enumerate(_elements(meta, place.dimensions, False)):
            numbers = [place.base + element(player) for player in range(meta.players)]
            sees = all(meta.sees[number] >> player & 1 for player, number in enumerate(numbers))
            self._add_one_place(meta, place, step, numbers, rows if sees and len(rows) <= _MOST_VALUES else [], sees)

    def _add_one_place(
        self, meta: Meta, place: PlaceMeta, step: int, numbers: list[int], rows: list[int], sees: bool
    ) -> None:
        is_slot = numbers[0] >= meta.lists
        if len(self.names) + 1 + len(rows) > _MOST_FEATURES or (place.uncounted and not sees):
            return
        self.names += [f"{place.name}[{step}] filled", *(f"{place.name}[{step}] {meta.row_ids[r]}" for r in rows)]
        for player, number in enumerate(numbers):
            own = self._parts[player]
            if is_slot:
                own.append(("filled", number - meta.lists, None))
                own.append(("row", number - meta.lists, rows))
            else:
                own.append(("full", number, max(1, place.holds or place.capacity)))
                own.append(("rows", number, rows))


def _shown_as(meta: Meta, field: FieldMeta) -> tuple[str, Any, int]:
    """How a value becomes numbers: the sort of reading, what it needs, how many numbers."""
    if field.thing == "player":
        return "seat", None, meta.players
    if field.thing in ("number", "flag", "die") or field.is_dice:
        low, high = (field.low, field.high) if field.thing != "flag" else (0, 1)
        return "number", (low, max(1, high - low)), 1
    if field.high - field.low < _MOST_VALUES:
        return "value", tuple(range(field.low, field.high + 1)), field.high - field.low + 1
    return "", None, 0


def _elements(meta: Meta, dimensions: Any, own_only: bool) -> list[Callable[[int], int]]:
    """For each element of an array a function from the player who looks to its number; what is indexed by players is
    counted from that player on."""
    ranges = [range(size) for _, _, size in dimensions]
    found: list[Callable[[int], int]] = []
    for indexes in product(*ranges):
        if own_only and indexes[0] != 0:
            continue

        def number(player: int, indexes: tuple[int, ...] = indexes) -> int:
            total = 0
            for (thing, _, size), index in zip(dimensions, indexes, strict=True):
                turned = (index + player) % size if thing == "player" and size == meta.players else index
                total = total * size + turned
            return total

        found.append(number)
    return found
