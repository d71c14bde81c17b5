"""What the nodes of a map are tinted by: terrain.

| declared | ground |
| --- | --- |
| the attribute or field that the presentation names | that one |
| an enum that is printed on nodes (`node Hex` / `terrain: Terrain`) | the first of them |
| else a field of nodes that always has a value of an enum (`each Hex` / `terrain: Terrain = sea`) | the first of them |

A field that may be none (`man: Man?`) is what stands on a node and no ground.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...runtime.meta import BoardMeta, FieldMeta
from ...runtime.names import id_of, name_of
from .colours import ground_colour
from .declarations import Attribute
from .drawing import Data, Drawing


@dataclass(frozen=True)
class Ground:
    """Where the ground of nodes is written down, and of which nodes it is which value."""

    thing: str
    source: Attribute | FieldMeta
    values: dict[int, int]

    def drawn(self, drawing: Drawing, node: int) -> Data:
        """Tint, sign and word of a node; nothing if it has no ground."""
        value = self.values.get(node)
        return {} if value is None else _drawn(drawing, self.thing, value)

    def legend(self, drawing: Drawing) -> list[Data]:
        told = [_drawn(drawing, self.thing, value) for value in sorted(set(self.values.values()))]
        return [{"name": one["ground"], **one} for one in told]


def ground_of(drawing: Drawing, board: BoardMeta) -> Ground | None:
    said = drawing.declared.presentation.map(board.name).get("tint")
    return _printed(drawing, board, said) or _written(drawing, board, said)


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
    for field in drawing.declared.plain_fields("node"):
        if not _can_be_ground(field) or said not in (None, field.id):
            continue
        _, low, size = field.dimensions[0]
        own = [node for node in board.nodes if low <= node < low + size]
        seen = {node: drawing.sight.number(field, node, field.base + node - low) for node in own}
        if own:
            return Ground(field.thing, field, {node: value for node, value in seen.items() if value is not None})
    return None


def _can_be_ground(field: FieldMeta) -> bool:
    is_always_there = field.none is None and field.visibility == "open"
    return field.thing.startswith("enum:") and len(field.dimensions) == 1 and is_always_there


def _drawn(drawing: Drawing, thing: str, value: int) -> Data:
    own = id_of(drawing.meta, thing, value)
    said = drawing.declared.presentation.value_colour(thing, own)
    return {
        "tint": said or ground_colour(drawing.declared.position_in(thing, value), own),
        "sign": drawing.declared.value_sign(thing, own),
        "ground": name_of(drawing.meta, thing, value),
    }
