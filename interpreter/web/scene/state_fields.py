"""What is written on nodes and edges now: their fields, those of an index one by one, and fields of players over nodes.

each City
  cubes[Disease]: 0..3        one field for each disease of which there are cubes, in the tint of the disease
  house[1..3]: player?        one for each house that somebody has
"""

from __future__ import annotations

from ...runtime.eyes import ABSENT, UNKNOWN
from ...runtime.meta import FieldMeta
from ...runtime.names import id_of, name_of
from .colours import ground_colour, strong_colour
from .declarations import Attribute
from .drawing import Data, Drawing
from .ids import edge_id, elements_of, index_dimensions, indexed, node_id

_NOTHING = (None, False, 0)


def offset_of(field: FieldMeta, thing: int) -> int | None:
    """Where the field of a node or edge stands in the state; none if it has an index, or belongs to others."""
    _, low, size = field.dimensions[0]
    return field.base + thing - low if low <= thing < low + size and len(field.dimensions) == 1 else None


def state_fields(drawing: Drawing, of: str, thing: int, but: Attribute | FieldMeta | None) -> list[Data]:
    """Fields of a node or edge as they are, owner and ground left out; and those of players over nodes."""
    found: list[Data] = []
    fields = drawing.declared.plain_fields(of)
    owners = [field for field in fields if field.thing == "player" and len(field.dimensions) == 1][:1]
    for field in fields:
        if field in owners or field == but:
            continue
        offset = offset_of(field, thing)
        if offset is None:
            found += _indexed_fields(drawing, of, field, thing)
            continue
        value = drawing.sight.field(field, thing, offset)
        if value is ABSENT or value is None or value is False:
            continue
        told: Data = {
            "id": f"{_own_id(drawing, of, thing)}.{field.id}",
            "name": drawing.declared.words(field),
            "declared": field.id,
            "value": value,
        }
        if field.thing == "player":
            told["seat"] = drawing.sight.number(field, thing, offset)
        found.append(told)
    return found + _players_fields(drawing, of, thing)


def _own_id(drawing: Drawing, of: str, thing: int) -> str:
    return node_id(drawing.meta, thing) if of == "node" else edge_id(drawing.meta, thing)


def _indexed_fields(drawing: Drawing, of: str, field: FieldMeta, thing: int) -> list[Data]:
    """Those of a field with an index that say something."""
    _, low, size = field.dimensions[0]
    if not low <= thing < low + size:
        return []
    found: list[Data] = []
    dimensions = index_dimensions(field)
    for own, numbers, offset in elements_of(field):
        value = drawing.sight.field(field, own, offset) if own == thing else ABSENT
        if value is ABSENT or value in _NOTHING:
            continue
        words = [name_of(drawing.meta, one, number) for (one, _, _), number in zip(dimensions, numbers, strict=True)]
        told: Data = {
            "id": indexed(drawing.meta, f"{_own_id(drawing, of, thing)}.{field.id}", dimensions, numbers),
            "name": " ".join([drawing.declared.words(field), *words]),
            "declared": field.id,
            "value": value,
            "index": words[0],
        }
        if dimensions[0][0].startswith("enum:"):
            told |= _tint(drawing, dimensions[0][0], numbers[0])
        elif dimensions[0][0] == "player":
            told["seat"] = numbers[0]
        if field.thing == "player":
            told["seat"] = drawing.sight.number(field, thing, offset)
        found.append(told)
    return found


def _tint(drawing: Drawing, thing: str, number: int) -> Data:
    """The look of a value of an enum: its tint, and the letters that tell it from the others."""
    declared, own = drawing.declared, id_of(drawing.meta, thing, number)
    colour = strong_colour if declared.is_colour(thing) else ground_colour
    said = declared.presentation.value_colour(thing, own)
    return {"tint": said or colour(declared.position_in(thing, number), own), "letter": declared.initial(thing, number)}


def _players_fields(drawing: Drawing, of: str, thing: int) -> list[Data]:
    """What players have at this node or edge: `served[Area, Part]`."""
    found: list[Data] = []
    for owner in ("player", "table"):
        for field in drawing.declared.plain_fields(owner):
            dimensions = index_dimensions(field)
            if not dimensions or dimensions[0][0] != of:
                continue
            for own, numbers, offset in elements_of(field):
                value = drawing.sight.field(field, own, offset) if numbers[0] == thing else ABSENT
                if value in (ABSENT, UNKNOWN, None, False, 0):
                    continue
                rest = [
                    name_of(drawing.meta, of_thing, one)
                    for (of_thing, _, _), one in zip(dimensions[1:], numbers[1:], strict=True)
                ]
                told: Data = {"name": " ".join([drawing.declared.words(field), *rest]), "declared": field.id}
                told |= {"value": value} | ({"seat": own} if owner == "player" else {})
                found.append(told | ({} if rest else _drawn_there(drawing, of, thing, told)))
    return found


def _drawn_there(drawing: Drawing, of: str, thing: int, told: Data) -> Data:
    """What has no other index is drawn on the node, of a player with the seat's sign: `each player`,
    `trail[Spot]: flag`."""
    base = f"{_own_id(drawing, of, thing)}.{told['declared']}"
    if "seat" not in told:
        return {"id": base}
    return {"id": f"{base}[p{told['seat']}]", "index": told["name"], "said": told["name"]}
