"""What the nodes of a map are tinted by: terrain.

| declared | ground |
| --- | --- |
| the attribute or field that the presentation names | that one |
| an enum that is printed on nodes (`node Hex` / `terrain: Terrain`) | the first of them |
| else a field of nodes that always has a value of an enum (`each Hex` / `terrain: Terrain = sea`) | the first of them |
| else the enum of a tile that always lies there (`tile: slot of Tile open never empty`) | of the first such slot |

A field that may be none (`man: Man?`) is what stands on a node and no ground. A tile that says nothing but the ground
is not drawn once more on it: `tile` names its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...runtime.meta import BoardMeta, FieldMeta, PlaceMeta
from ...runtime.names import id_of, name_of
from .colours import ground_colour
from .declarations import Attribute
from .drawing import Data, Drawing
from .ids import elements_of


@dataclass(frozen=True)
class Ground:
    """Where the ground of nodes is written down, and of which nodes it is which value."""

    thing: str
    source: Attribute | FieldMeta
    values: dict[int, int]
    tiles: dict[int, str] = field(default_factory=dict)  # node -> the place of a tile that is the ground and no more

    def drawn(self, drawing: Drawing, node: int) -> Data:
        """Tint, sign and word of a node; nothing if it has no ground."""
        value = self.values.get(node)
        if value is None:
            return {}
        return _drawn(drawing, self.thing, value) | ({"tile": self.tiles[node]} if node in self.tiles else {})

    def legend(self, drawing: Drawing) -> list[Data]:
        told = [_drawn(drawing, self.thing, value) for value in sorted(set(self.values.values()))]
        return [{"name": one["ground"], **one} for one in told]


def ground_of(drawing: Drawing, board: BoardMeta) -> Ground | None:
    said = drawing.declared.presentation.map(board.name).get("tint")
    return (
        _printed(drawing, board, said)
        or _written(drawing, board, said)
        or (_laid(drawing, board) if said is None else None)
    )


def _printed(drawing: Drawing, board: BoardMeta, said: str | None) -> Ground | None:
    for kind in dict.fromkeys(board.node_kinds):
        for attribute in drawing.declared.attributes("node", kind):
            table = attribute.table
            if attribute.name == said or (said is None and table.thing.startswith("enum:")):
                pairs = ((node, table.values[node]) for node in board.nodes)
                values = {node: value for node, value in pairs if isinstance(value, int) and value >= 0}
                return Ground(table.thing, attribute, values)
    return None


def _written(drawing: Drawing, board: BoardMeta, said: str | None) -> Ground | None:
    for declared in drawing.declared.plain_fields("node"):
        if not _can_be_ground(declared) or said not in (None, declared.id):
            continue
        _, low, size = declared.dimensions[0]
        own = [node for node in board.nodes if low <= node < low + size]
        seen = {node: drawing.sight.number(declared, node, declared.base + node - low) for node in own}
        if own:
            known = {node: value for node, value in seen.items() if value is not None}
            return Ground(declared.thing, declared, known)
    return None


def _laid(drawing: Drawing, board: BoardMeta) -> Ground | None:
    for place in drawing.declared.places_of("node"):
        attribute = _ground_of_tiles(drawing, place)
        if attribute is None:
            continue
        values, tiles = {}, {}
        for node, _, number in elements_of(place):
            shown, own = next(iter(drawing.standing_for.get(number, ())), (None, ""))
            if node not in board.nodes or shown is None or shown.row is None:
                continue
            value = attribute.table.values[drawing.meta.row_pieces[shown.row][0]]
            if isinstance(value, int) and value >= 0:
                values[node] = value
                if len(drawing.pieces[own].get("fields", ())) <= 1 and "lines" not in drawing.pieces[own]:
                    tiles[node] = drawing.pieces[own]["place"]
        if values:
            return Ground(attribute.table.thing, attribute, values, tiles)
    return None


def _ground_of_tiles(drawing: Drawing, place: PlaceMeta) -> Attribute | None:
    """The first enum of the tiles that lie in a slot which is never empty, and belong to nobody."""
    if place.shape != "slot" or not place.never_empty or place.visibility != "open" or len(place.kinds) != 1:
        return None
    attributes = drawing.declared.attributes("piece", place.kinds[0])
    if any(attribute.table.thing == "player" for attribute in attributes):
        return None
    return next((a for a in attributes if a.table.thing.startswith("enum:") and a.table.is_single), None)


def _can_be_ground(declared: FieldMeta) -> bool:
    is_always_there = declared.none is None and declared.visibility == "open"
    return declared.thing.startswith("enum:") and len(declared.dimensions) == 1 and is_always_there


def _drawn(drawing: Drawing, thing: str, value: int) -> Data:
    own = id_of(drawing.meta, thing, value)
    said = drawing.declared.presentation.value_colour(thing, own)
    return {
        "tint": said or ground_colour(drawing.declared.position_in(thing, value), own),
        "sign": drawing.declared.value_sign(thing, own),
        "ground": name_of(drawing.meta, thing, value),
    }
