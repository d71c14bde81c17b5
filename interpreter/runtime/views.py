"""What one player may know of the table, as plain data.

A view is made from the declarations alone: fields and places by owner and name, indexes as nested dicts. A piece is
named where the mixes of the player say what it must be, else it is None (`"?"` in a field). So two tables that differ
only in what the player cannot know have the same view.

- In an ordered place or a slot a piece is named if all pieces of its mix are equal: usually it is alone in its mix.
- An unordered place lists what must be there, in table order, then None for the rest. If k of the m pieces of a mix
  lie there and n of the m are equal, then at least k - (m - n) of these n are there.
- A place that the player may not count is `{"count": None}`, with `"known"` beside it if something must be there.
- A secret field of somebody else is `"?"`; a hidden one is left out. What was revealed of it is shown until it changes.
- What a history has kept is left out: whoever saw those positions knows it, and as numbers it says nothing.
- A die that has not been rolled yet is None, and so is a field that `setup` has yet to set.
- `places` lists names; `pieces` has the same pieces one by one, with what they carry (`lying`).

Without a player the view is a referee's and shows everything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .copies import labels_of
from .eyes import ABSENT, Dimensions, Eyes, elements, field_value, is_seen, own_offsets, owner_parts, veil
from .knowledge import BOX, Board
from .lying import lying_pieces
from .meta import FieldMeta, Meta, PlaceMeta
from .names import index_name, index_names

__all__ = ["Dimensions", "Eyes", "elements", "is_seen", "own_offsets", "view"]


def view(S: Board, meta: Meta, player: int | None) -> dict[str, Any]:
    """Everything `player` may know, fit for JSON."""
    eyes = Eyes(S, meta, player)
    labels = labels_of(eyes) if _has_piece_owners(meta) else {}
    fields, places = _owners(meta, labels), _owners(meta, labels)
    dice: dict[str, Any] = {}
    for field in meta.fields:
        if field.is_history:
            continue
        if field.is_dice:
            _add_dice(eyes, field, dice)
        else:
            _add_field(eyes, field, fields, labels)
    for place in meta.places:
        _add_place(eyes, place, places, labels)
    return {
        "player": player,
        "seats": list(meta.seat_names),
        "fields": _without_empty(fields),
        "places": _without_empty(places),
        "pieces": lying_pieces(eyes, labels),
        "dice": dice,
        "maps": meta.maps,
        "box": {"count": S.at.count(BOX)},
    }


# ---------------------------------------------------------------------------- fields and places by owner


def _add_field(eyes: Eyes, field: FieldMeta, into: dict[str, Any], labels: dict[int, str]) -> None:
    """Put a field where it belongs in the view, for each of its owners."""
    meta = eyes.meta
    for owner, base, dimensions in owner_parts(field.owner, field.base, field.dimensions):
        own = _own_part(meta, into, labels, field.owner, owner)
        if own is None:
            continue
        veiled = veil(eyes, field, owner, base, elements(dimensions))
        if veiled is None:
            own[field.name] = (
                _nested(meta, base, dimensions, partial(field_value, eyes, field, owner))
                if dimensions
                else field_value(eyes, field, owner, base)
            )
        elif veiled is not ABSENT:
            own[field.name] = veiled


def _add_place(eyes: Eyes, place: PlaceMeta, into: dict[str, Any], labels: dict[int, str]) -> None:
    """The same for a place: everybody sees that it is there."""
    meta, shown = eyes.meta, partial(eyes.contents, uncounted=place.uncounted)
    for owner, base, dimensions in owner_parts(place.owner, place.base, place.dimensions):
        own = _own_part(meta, into, labels, place.owner, owner)
        if own is not None:
            own[place.name] = _nested(meta, base, dimensions, shown) if dimensions else shown(base)


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
    rest = dimensions[1:]
    names = index_names(meta, dimensions[0])
    if not rest:
        return {name: leaf(number) for number, name in enumerate(names, base)}
    stride = elements(rest)
    return {name: _nested(meta, base + step * stride, rest, leaf) for step, name in enumerate(names)}


def _add_dice(eyes: Eyes, field: FieldMeta, dice: dict[str, Any]) -> None:
    """A group of dice as a list of faces, under the names of its indexes; that of an owner under the owner's name."""
    *outer, (_, _, count) = field.dimensions
    found: dict[str, Any] = {}
    for owner, base, dimensions in owner_parts(field.owner, field.base, tuple(outer)):
        first = field.base + (base - field.base) * count
        veiled = veil(eyes, field, owner, first, elements(dimensions) * count)
        if veiled is not ABSENT:
            key = "" if owner < 0 else index_name(eyes.meta, field.dimensions[0][0], owner)
            found[key] = (
                _nested(eyes.meta, base, dimensions, partial(_faces, eyes, field, owner)) if veiled is None else veiled
            )
    if found:
        dice[field.name] = found.get("", found)


def _faces(eyes: Eyes, field: FieldMeta, owner: int, group: int) -> list[Any]:
    """The dice of one group; `group` is counted from the base of the field, as if each group were one element."""
    count = field.dimensions[-1][2]
    first = field.base + (group - field.base) * count
    return [field_value(eyes, field, owner, first + step) for step in range(count)]
