"""What one player may know of the table, as plain data.

A view is made from the declarations alone: fields and places by owner and name, indexes as nested dicts. A piece is
named where the mixes of the player say what it must be, else it is None (`"?"` in a field). So two tables that differ
only in what the player cannot know have the same view.

- In an ordered place or a slot a piece is named if all pieces of its mix are equal: usually it is alone in its mix.
- An unordered place lists what must be there, in table order, then None for the rest. If k of the m pieces of a mix
  lie there and n of the m are equal, then at least k - (m - n) of these n are there.
- A place that the player may not count is `{"count": None}`, with `"known"` beside it if something must be there.
- A secret field of somebody else is `"?"`; a hidden one is left out.

Without a player the view is a referee's and shows everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .knowledge import BOX, Board, contents, is_unordered
from .meta import FieldMeta, Meta, PlaceMeta
from .names import index_name, piece_label, row_name, value_of

UNKNOWN = "?"
Dimensions = tuple[tuple[str, int, int], ...]


def view(S: Board, meta: Meta, player: int | None) -> dict[str, Any]:
    """Everything `player` may know, fit for JSON."""
    eyes = Eyes(S, meta, player)
    labels = eyes.labels() if _has_piece_owners(meta) else {}
    fields, places = _owners(meta, labels), _owners(meta, labels)
    dice: dict[str, Any] = {}
    for field in meta.fields:
        if field.is_dice:
            _add_dice(eyes, field, dice)
        else:
            _add(meta, _shown_field(eyes, field), fields, labels)
    for place in meta.places:
        _add(meta, _shown_place(eyes, place), places, labels)
    return {
        "player": player,
        "seats": list(meta.seat_names),
        "fields": _without_empty(fields),
        "places": _without_empty(places),
        "dice": dice,
        "maps": meta.maps,
        "box": {"count": S.at.count(BOX)},
    }


class Eyes:
    """What a player can tell about pieces: their mixes, counted once for a view."""

    def __init__(self, S: Board, meta: Meta, player: int | None) -> None:
        self.S = S
        self.meta = meta
        self.player = player
        self.mixes = list(range(meta.pieces)) if player is None else S.kn[player]
        self.members: dict[int, list[int]] = {}
        for piece, mix in enumerate(self.mixes):
            self.members.setdefault(mix, []).append(piece)
        self.rows = {mix: Counter(meta.piece_row[x] for x in pieces) for mix, pieces in self.members.items()}

    def knows(self, piece: int) -> bool:
        """Whether the position of the piece can hold nothing but this piece or an equal copy."""
        return len(self.rows[self.mixes[piece]]) == 1

    def sees(self, place: int) -> bool:
        return self.player is None or bool(self.meta.sees[place] >> self.player & 1)

    def name(self, piece: int) -> str | None:
        return row_name(self.meta, piece) if self.knows(piece) else None

    def contents(self, place: int, uncounted: bool) -> Any:
        """The list of names in a place, or what stands for it if the player may not count it."""
        pieces, certain = contents(self.S, self.meta, place), self.known(place)
        if uncounted and not self.sees(place):
            known = sorted(certain, key=lambda piece: self.meta.piece_row[piece])
            return {"count": None, **({"known": [row_name(self.meta, x) for x in known]} if known else {})}
        if not is_unordered(self.meta, place):
            return [self.name(piece) for piece in pieces]
        names: list[str | None] = [row_name(self.meta, piece) for piece in certain]
        return names + [None] * (len(pieces) - len(names))

    def known(self, place: int) -> list[int]:
        """The pieces in a place that the player knows; of an unordered place one that is equal for each."""
        pieces = contents(self.S, self.meta, place)
        return self._certain(pieces) if is_unordered(self.meta, place) else [x for x in pieces if self.knows(x)]

    def _certain(self, pieces: list[int]) -> list[int]:
        """A piece of each row for each copy that must be among the pieces of an unordered place, in table order."""
        here: dict[int, int] = Counter(self.mixes[piece] for piece in pieces)
        examples: list[int] = []
        for mix, lying in here.items():
            elsewhere = len(self.members[mix]) - lying
            for row, copies in self.rows[mix].items():
                if copies > elsewhere:
                    example = next(x for x in self.members[mix] if self.meta.piece_row[x] == row)
                    examples += [example] * (copies - elsewhere)
        return sorted(examples, key=lambda piece: self.meta.piece_row[piece])

    def labels(self) -> dict[int, str]:
        """Labels of the pieces in play whose identity is known, in table order.

        Equal copies that the player cannot tell apart are numbered by where they lie, not by which copy it is.
        """
        found: dict[int, tuple[int, str]] = {}
        for mix, pieces in self.members.items():
            if len(self.rows[mix]) == 1:
                ordered = pieces if len(pieces) == 1 else sorted(pieces, key=self._position)
                found |= {x: (n, piece_label(self.meta, n)) for x, n in zip(ordered, pieces, strict=True)}
        in_play = [piece for piece in found if self.S.at[piece] != BOX]
        return {piece: found[piece][1] for piece in sorted(in_play, key=lambda piece: found[piece][0])}

    def _position(self, piece: int) -> tuple[int, int, list[int]]:
        place = self.S.at[piece]
        ordered = place != BOX and not is_unordered(self.meta, place)
        index = contents(self.S, self.meta, place).index(piece) if ordered else 0
        return place, index, [self.S.f[offset] for offset in own_offsets(self.meta, piece)]


def own_offsets(meta: Meta, piece: int) -> Iterator[int]:
    """Where the fields of a piece itself lie in the array."""
    for field in meta.fields:
        if field.owner == "piece":
            _, low, size = field.dimensions[0]
            if low <= piece < low + size:
                stride = elements(field.dimensions[1:])
                first = field.base + (piece - low) * stride
                yield from range(first, first + stride)


def elements(dimensions: Dimensions) -> int:
    """How many elements an array of these dimensions has."""
    total = 1
    for _, _, size in dimensions:
        total *= size
    return total


# ---------------------------------------------------------------------------- fields and places by owner

ABSENT = object()


@dataclass(frozen=True)
class Shown:
    """A declaration on its way into a view.

    `veil(owner)` is what stands for all of it (ABSENT: nothing does), or None if the player sees it; then
    `leaf(number)` is what the element with that number shows.
    """

    name: str
    owner: str
    base: int
    dimensions: Dimensions
    veil: Callable[[int], Any]
    leaf: Callable[[int], Any]


def _shown_field(eyes: Eyes, field: FieldMeta) -> Shown:
    def leaf(offset: int) -> Any:
        number = eyes.S.f[offset]
        if field.is_dice:  # what a die shows, not which die it is
            return number
        if field.thing == "piece" and number >= 0:
            return eyes.name(number) or UNKNOWN
        return value_of(eyes.meta, field.thing, number)

    return Shown(
        field.name, field.owner, field.base, field.dimensions, lambda owner: _veil(eyes.player, field, owner), leaf
    )


def _shown_place(eyes: Eyes, place: PlaceMeta) -> Shown:
    def leaf(number: int) -> Any:
        return eyes.contents(number, place.uncounted)

    return Shown(place.name, place.owner, place.base, place.dimensions, lambda owner: None, leaf)


def _veil(player: int | None, field: FieldMeta, owner: int) -> Any:
    """What a player is shown in the stead of a field of this owner, or None if it is seen."""
    if player is None or field.visibility == "open":
        return None
    if field.visibility == "hidden":
        return ABSENT
    if field.owner == "player":
        return None if owner == player else UNKNOWN
    seen_by = field.seen_by[owner - field.dimensions[0][1]] if field.seen_by else 0
    return None if seen_by >> player & 1 else UNKNOWN


def is_seen(player: int, field: FieldMeta, owner: int) -> bool:
    """Whether a player may see this field of that owner."""
    return _veil(player, field, owner) is None


def _owners(meta: Meta, labels: dict[int, str]) -> dict[str, Any]:
    return {
        "table": {},
        "players": [{} for _ in range(meta.players)],
        "pieces": {label: {} for label in labels.values()},
        "nodes": {own_id: {} for own_id, _ in meta.nodes},
        "edges": {own_id: {} for own_id, _ in meta.edges},
    }


def _without_empty(owners: dict[str, Any]) -> dict[str, Any]:
    """Pieces, nodes and edges that have nothing of that sort are left out."""
    for owner in ("pieces", "nodes", "edges"):
        owners[owner] = {name: own for name, own in owners[owner].items() if own}
    return owners


def _has_piece_owners(meta: Meta) -> bool:
    return any(field.owner == "piece" for field in meta.fields) or any(place.owner == "piece" for place in meta.places)


def _add(meta: Meta, shown: Shown, into: dict[str, Any], labels: dict[int, str]) -> None:
    """Put a declaration where it belongs in the view, for each of its owners."""
    for owner, base, dimensions in _parts(shown.owner, shown.base, shown.dimensions):
        own = _own_part(meta, into, labels, shown.owner, owner)
        veil = shown.veil(owner)
        if own is not None and veil is not ABSENT:
            own[shown.name] = _nested(meta, base, dimensions, shown.leaf) if veil is None else veil


def _parts(owner: str, base: int, dimensions: Dimensions) -> Iterator[tuple[int, int, Dimensions]]:
    """(owner, first element, indexes) of each owner; -1 for the table."""
    if owner == "table":
        yield -1, base, dimensions
        return
    _, low, size = dimensions[0]
    stride = elements(dimensions[1:])
    for step in range(size):
        yield low + step, base + step * stride, dimensions[1:]


def _own_part(
    meta: Meta, into: dict[str, Any], labels: dict[int, str], owner: str, number: int
) -> dict[str, Any] | None:
    """The dict of one owner; None for a piece that the player cannot name."""
    part: dict[str, Any] | None
    match owner:
        case "table":
            part = into["table"]
        case "player":
            part = into["players"][number]
        case "piece":
            part = into["pieces"][labels[number]] if number in labels else None
        case "node":
            part = into["nodes"][meta.nodes[number][0]]
        case "edge":
            part = into["edges"][meta.edges[number][0]]
        case _:
            raise ValueError(f"no such owner: {owner}")
    return part


def _nested(meta: Meta, base: int, dimensions: Dimensions, leaf: Callable[[int], Any]) -> Any:
    """Dicts keyed by the names of the indexes, down to the elements."""
    if not dimensions:
        return leaf(base)
    thing, low, size = dimensions[0]
    stride = elements(dimensions[1:])
    return {
        index_name(meta, thing, low + step): _nested(meta, base + step * stride, dimensions[1:], leaf)
        for step in range(size)
    }


def _add_dice(eyes: Eyes, field: FieldMeta, dice: dict[str, Any]) -> None:
    """A group of dice as a list of faces, under the names of its indexes; that of an owner under the owner's name."""
    *outer, (_, _, count) = field.dimensions
    face = _shown_field(eyes, field).leaf

    def group(number: int) -> list[Any]:
        first = field.base + (number - field.base) * count
        return [face(first + step) for step in range(count)]

    found: dict[str, Any] = {}
    for owner, base, dimensions in _parts(field.owner, field.base, tuple(outer)):
        veil = _veil(eyes.player, field, owner)
        if veil is not ABSENT:
            key = "" if owner < 0 else index_name(eyes.meta, field.dimensions[0][0], owner)
            found[key] = _nested(eyes.meta, base, dimensions, group) if veil is None else veil
    if found:
        dice[field.name] = found.get("", found)
