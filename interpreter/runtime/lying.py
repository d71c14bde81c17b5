"""Every piece where it lies, with what it carries: the part of a view that is called `pieces`.

`places` in a view lists names, which is short and enough for most games. It cannot say which of two equal kiwis
carries the token, what stands on a tile that lies face down, or what the back of a card shows. Here each piece is a
dict of its own, in the same nesting of owners and indexes as `places`; what a piece carries is nested in it.

A piece that the player cannot name is still an object on the table: its back, the counters that lie openly on it and
what it carries are seen. All of that belongs to the *position* of the piece and stays there when identities are
dealt anew, so it tells nothing about which piece it is. Two things would tell, and are left out: a secret field of a
piece (who sees it depends on whose piece it is), and the order of an unordered place (it follows the numbers of the
pieces), which is replaced by an order of what is shown.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from .eyes import ABSENT, UNKNOWN, Dimensions, Eyes, elements, field_value, owner_parts, veil
from .knowledge import contents, is_unordered
from .meta import FieldMeta, Meta, PlaceMeta
from .names import index_names, row_name, value_of

Piece = dict[str, Any]


def lying_pieces(eyes: Eyes, labels: dict[int, str]) -> dict[str, Any]:
    """The pieces of every place that is not carried, by owner; places with nothing in them are left out."""
    meta = eyes.meta
    table = Lying(eyes, labels)
    found: dict[str, Any] = {"table": {}, "players": [{} for _ in range(meta.players)], "nodes": {}, "edges": {}}
    for place in meta.places:
        if place.owner == "piece":
            continue
        for owner, base, dimensions in owner_parts(place.owner, place.base, place.dimensions):
            there = table.nested(place, base, dimensions)
            if there:
                _part(meta, found, place.owner, owner)[place.name] = there
    return found


def _part(meta: Meta, found: dict[str, Any], owner: str, number: int) -> dict[str, Any]:
    match owner:
        case "table":
            part: dict[str, Any] = found["table"]
        case "player":
            part = found["players"][number]
        case "node":
            part = found["nodes"].setdefault(meta.nodes[number][0], {})
        case "edge":
            part = found["edges"].setdefault(meta.edges[number][0], {})
        case _:
            raise ValueError(f"no such owner: {owner}")
    return part


class Lying:
    """Tells pieces to one player."""

    def __init__(self, eyes: Eyes, labels: dict[int, str]) -> None:
        self.eyes, self.S, self.meta, self.labels = eyes, eyes.S, eyes.meta, labels
        self.fields = [field for field in self.meta.fields if field.owner == "piece"]
        self.places = [place for place in self.meta.places if place.owner == "piece"]
        self.owning = self.meta.owning_pieces

    def nested(self, place: PlaceMeta, base: int, dimensions: Dimensions) -> Any:
        """What lies in a place, or in each of its indexes that have anything."""
        if not dimensions:
            return self.contents(place, base)
        rest = dimensions[1:]
        stride, found = elements(rest), {}
        for step, name in enumerate(index_names(self.meta, dimensions[0])):
            there = self.nested(place, base + step * stride, rest)
            if there:
                found[name] = there
        return found

    def contents(self, place: PlaceMeta, number: int) -> Any:
        """The pieces in a place; `{"count": None, "known": […]}` if the player may not count it."""
        pieces = contents(self.S, self.meta, number)
        if not pieces and not place.uncounted:
            return []
        if place.uncounted and not self.eyes.sees(number):
            known = [self.piece(piece, number) for piece in self.eyes.known(number)]
            return {"count": None, **({"known": known} if known else {})}
        if not is_unordered(self.meta, number):
            return [self.piece(piece, number) for piece in pieces]
        if any(piece in self.owning for piece in pieces):
            return sorted((self.piece(piece, number) for piece in pieces), key=self._order)
        # Pieces without fields or places: one that must be among them is named, although nobody can say which it is.
        certain = self.eyes.known(number)
        backs = Counter(self.meta.piece_back[piece] for piece in pieces)
        backs.subtract(self.meta.piece_back[piece] for piece in certain)
        unknown = [self.unseen(back) for back in sorted(backs.elements())]
        return [self.named(piece, number) for piece in certain] + unknown

    def piece(self, piece: int, place: int) -> Piece:
        """One piece as the player may know it."""
        told = self.named(piece, place) if self.eyes.knows(piece) else self.unseen(self.meta.piece_back[piece])
        if self.S.fd >> piece & 1 and self.eyes.sees(place):
            told["face_down"] = True
        if piece in self.owning:
            fields = {field.name: value for field in self.fields if (value := self._field(field, piece)) is not ABSENT}
            carried = {own.name: there for own in self.places if (there := self._carried(own, piece))}
            if fields:
                told["fields"] = fields
            if carried:
                told["carries"] = carried
        return told

    def named(self, piece: int, place: int) -> Piece:
        meta = self.meta
        told: Piece = {"name": row_name(meta, piece), "kind": meta.piece_kind[piece]}
        if piece in self.labels and piece in self.owning:
            told["label"] = self.labels[piece]
        return self._with_back(told, meta.piece_back[piece])

    def unseen(self, back: int) -> Piece:
        """A piece of which only the back is seen; kinds that lie together look alike from behind."""
        described = self.meta.backs.get(back)
        told: Piece = {"name": None, "kind": described.kind if described is not None else None}
        return self._with_back(told, back)

    def _with_back(self, told: Piece, back: int) -> Piece:
        described = self.meta.backs.get(back)
        if described is not None and described.shown:
            told["back"] = {name: value_of(self.meta, thing, number) for name, thing, number in described.shown}
        return told

    def _field(self, field: FieldMeta, piece: int) -> Any:
        own = _own(field.dimensions, field.base, piece)
        if own is None or field.is_dice:
            return ABSENT
        if field.visibility != "open" and not self.eyes.knows(piece):
            return ABSENT if field.visibility == "hidden" else UNKNOWN
        base, dimensions = own
        veiled = veil(self.eyes, field, piece, base, elements(dimensions))
        return self._values(field, piece, base, dimensions) if veiled is None else veiled

    def _values(self, field: FieldMeta, piece: int, base: int, dimensions: Dimensions) -> Any:
        if not dimensions:
            return field_value(self.eyes, field, piece, base)
        rest = dimensions[1:]
        stride = elements(rest)
        return {
            name: self._values(field, piece, base + step * stride, rest)
            for step, name in enumerate(index_names(self.meta, dimensions[0]))
        }

    def _carried(self, place: PlaceMeta, piece: int) -> Any:
        own = _own(place.dimensions, place.base, piece)
        return None if own is None else self.nested(place, *own)

    def _order(self, told: Piece) -> tuple[bool, int, str]:
        """Named pieces in table order, then the others; equal ones by what is on them, not by which copy it is."""
        name = told["name"]
        row = self.meta.rows_by_name[name] if name is not None else 0
        return name is None, row, json.dumps(told, sort_keys=True)


def _own(dimensions: Dimensions, base: int, piece: int) -> tuple[int, Dimensions] | None:
    """Where the part of one piece begins in what all pieces of its kinds have; None if it has no such part."""
    _, low, size = dimensions[0]
    if not low <= piece < low + size:
        return None
    return base + (piece - low) * elements(dimensions[1:]), dimensions[1:]
