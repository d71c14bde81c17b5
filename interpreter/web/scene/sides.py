"""Tiles with something at each side: what lies next to each neighbour, as the tile lies now.

    kind Tile from tiles.yaml
      edge[1..6]: Land            one value for each side of a hex: that is a tile with sides
    each Tile
      turned: 0..5                by how many sides it has been turned

The first value is at the side of the first direction (north east on hexes, north on grids), the others follow
clockwise, and a turn is clockwise. Where a game has it otherwise, `table.yaml` says so: `sides`, `turned`, `turns`.
"""

from __future__ import annotations

from typing import Any

from ...compile.meta import FieldMeta
from ...runtime.names import id_of, name_of
from ...runtime.sight import Shown
from .colours import ground_colour
from .declarations import Attribute, Declarations
from .drawing import Data, Drawing

_SIDES = {"hex": 6, "grid": 4, "diagonal": 4}


def sides_of(drawing: Drawing, shown: Shown) -> Data | None:
    """What a tile shows at its sides before it is turned, by how many of them it is turned, and the counter that says
    so; none for other pieces."""
    declared = drawing.declared
    attribute = sides_attribute(declared, shown.kind) if shown.row is not None and shown.kind is not None else None
    if attribute is None or shown.row is None or shown.kind is None:
        return None
    said = declared.presentation.kind(shown.kind)
    values: Any = attribute.table.values[drawing.meta.row_pieces[shown.row][0]]
    found: Data = {"values": [_value(declared, attribute.table.thing, value) for value in values[:-1]]}
    field = _turned(declared, attribute, said.get("turned"), drawing.meta.kinds[shown.kind][0])
    if field is not None:
        found["turned"] = _read(drawing, field, shown)
        found["by"] = field.id
        if said.get("turns") == "anticlockwise":
            found["anticlockwise"] = True
    if _is_mirrored(drawing, shown.kind):
        found["mirrored"] = True
    return found


def sides_attribute(declared: Declarations, kind: str) -> Attribute | None:
    """The attribute with one value of an enum for each side of the spaces on which the kind lies."""
    said = declared.presentation.kind(kind).get("sides")
    counts = {_SIDES[form] for _, form in _boards(declared, kind) if form in _SIDES}
    for attribute in declared.attributes("piece", kind):
        table = attribute.table
        fits = len(table.dimensions) == 1 and table.dimensions[0][2] in counts and table.thing.startswith("enum:")
        by_place = fits and table.dimensions[0][0] in ("number", "direction")
        if attribute.name == said or (said is None and by_place):
            return attribute if fits else None
    return None


def _boards(declared: Declarations, kind: str) -> list[tuple[str, str]]:
    """The maps on whose spaces pieces of the kind lie one at a time, with their forms."""
    low_and_size = [
        place.dimensions[0][1:]
        for place in declared.places_of("node")
        if place.shape == "slot" and kind in place.kinds and len(place.dimensions) == 1
    ]
    return [
        (board.name, board.form)
        for board in declared.meta.boards
        if any(low <= node < low + size for low, size in low_and_size for node in board.nodes[:1])
    ]


def _turned(declared: Declarations, sides: Attribute, said: str | None, piece: int) -> FieldMeta | None:
    """The field that counts turns: the one that is named, or one of these pieces that has a number for each side."""
    size = sides.table.dimensions[0][2]
    for field in declared.plain_fields("piece"):
        _, low, count = field.dimensions[0]
        is_of_kind = low <= piece < low + count and len(field.dimensions) == 1 and field.thing == "number"
        counts_sides = (field.low, field.high, field.none) == (0, size - 1, None)
        if is_of_kind and (field.id == said or (said is None and counts_sides)):
            return field
    return None


def _read(drawing: Drawing, field: FieldMeta, shown: Shown) -> int:
    if shown.number is None:
        return 0
    return drawing.sight.number(field, shown.number, field.base + shown.number - field.dimensions[0][1]) or 0


def _value(declared: Declarations, thing: str, value: int) -> Data:
    own = id_of(declared.meta, thing, value)
    tint = declared.presentation.value_colour(thing, own) or ground_colour(declared.position_in(thing, value), own)
    found: Data = {"name": name_of(declared.meta, thing, value), "tint": tint, "letter": declared.initial(thing, value)}
    symbol = declared.value_sign(thing, own)
    return found | ({"symbol": symbol} if symbol else {})


def _is_mirrored(drawing: Drawing, kind: str) -> bool:
    """Whether north is at the foot of the board."""
    said = drawing.declared.presentation
    return any(said.map(name).get("upside_down") for name, _ in _boards(drawing.declared, kind))
