"""Numbers, flags and references that belong to the table or to players: counters, and dice.

| declared | look |
| --- | --- |
| number | `tile`, with its range; 0..1 is a `tick` |
| flag | `tick` |
| player, node, enum value, piece | `text` |
| indexed by an enum | `chips`: one item for each value |
| indexed by numbers | `bars` |
| indexed twice | `grid`: rows and columns, as a board of one's own is printed |
"""

from __future__ import annotations

from typing import Any

from ...runtime.eyes import ABSENT
from ...runtime.meta import FieldMeta
from ...runtime.names import id_of, name_of
from .colours import ground_colour, strong_colour
from .drawing import Data, Drawing
from .ids import edge_id, elements_of, index_dimensions, indexed, node_id, owned
from .presentation import in_language
from .symbols import symbol_for

MOST_ACROSS, MOST_DOWN = 16, 24  # what is longer is no board that people look at
UNBOUNDED = 99  # a range that goes beyond says nothing to a reader


def add_counters(drawing: Drawing) -> None:
    for owner in ("table", "player"):
        for field in drawing.declared.plain_fields(owner):
            if field.is_history or any(thing in ("node", "edge") for thing, _, _ in index_dimensions(field)):
                continue
            if drawing.declared.presentation.hides(owner, field.id):
                continue
            for seat in range(drawing.meta.players) if owner == "player" else (-1,):
                counter = _counter(drawing, field, seat)
                if counter is not None:
                    drawing.counters[counter["id"]] = counter


def _counter(drawing: Drawing, field: FieldMeta, owner: int) -> Data | None:
    meta = drawing.meta
    dimensions = index_dimensions(field)
    base = owned(meta, field.owner, owner, field.id)
    found: Data = {
        "id": base,
        "name": drawing.declared.words(field),
        "declared": field.id,
        "seat": owner if field.owner == "player" else None,
        "look": _look(field),
        "range": [field.low, field.high] if field.thing == "number" and field.high <= UNBOUNDED else None,
        "symbol": symbol_for(field.id, drawing.declared.presentation),
    }
    unit = drawing.declared.presentation.unit(field.id)
    if unit:
        found["unit"] = unit
    if field.cites:
        found["cites"] = list(field.cites)
    if not dimensions:
        offset = next(number for own, _, number in elements_of(field) if own == owner)
        value = drawing.sight.field(field, owner, offset)
        return None if value is ABSENT else found | {"value": value} | _reference(drawing, field, owner, offset)
    items = []
    for own, numbers, offset in elements_of(field):
        if own != owner:
            continue
        value = drawing.sight.field(field, owner, offset)
        if value is not ABSENT:
            items.append(_item(drawing, field, base, numbers, value))
    if not items:
        return None
    if found["look"] == "grid":
        rows, columns = ([name_of(meta, of, low + n) for n in range(size)] for of, low, size in dimensions)
        found["grid"] = {"rows": rows, "columns": columns}
    return found | {"value": None, "items": items}


def _look(field: FieldMeta) -> str:
    dimensions = index_dimensions(field)
    if len(dimensions) == 2 and dimensions[0][2] <= MOST_DOWN and dimensions[1][2] <= MOST_ACROSS:
        return "grid"
    if dimensions:
        return "bars" if dimensions[0][0] == "number" and field.thing == "number" else "chips"
    if field.thing == "flag" or (field.thing == "number" and (field.low, field.high) == (0, 1)):
        return "tick"
    return "tile" if field.thing == "number" else "text"


def _item(drawing: Drawing, field: FieldMeta, base: str, numbers: tuple[int, ...], value: Any) -> Data:
    dimensions = index_dimensions(field)
    thing, number = dimensions[0][0], numbers[0]
    names = [name_of(drawing.meta, of, one) for (of, _, _), one in zip(dimensions, numbers, strict=True)]
    found: Data = {
        "id": indexed(drawing.meta, base, dimensions, numbers),
        "key": id_of(drawing.meta, thing, number),
        "name": ", ".join(names),
        "value": value,
    }
    if thing.startswith("enum:"):
        found["tint"] = value_tint(drawing, thing, number)
        said = drawing.declared.presentation.value(thing, found["key"])
        letter = in_language(said.get("letter"), drawing.declared.language)
        found["letter"] = letter or drawing.declared.initial(thing, number)
    return found


def value_tint(drawing: Drawing, thing: str, number: int) -> str:
    own = id_of(drawing.meta, thing, number)
    position = drawing.declared.position_in(thing, number)
    said = drawing.declared.presentation.value_colour(thing, own)
    return said or (strong_colour if drawing.declared.is_colour(thing) else ground_colour)(position, own)


def _reference(drawing: Drawing, field: FieldMeta, owner: int, offset: int) -> Data:
    """The seat or node that a field names, so that it can be drawn as one."""
    number = drawing.sight.number(field, owner, offset)
    if number is None or number < 0:
        return {}
    if field.thing == "player":
        return {"refers": f"p{number}"}
    if field.thing == "node":
        return {"refers": node_id(drawing.meta, number)}
    if field.thing == "edge":
        return {"refers": edge_id(drawing.meta, number)}
    if field.thing.startswith("enum:"):
        return {"tint": value_tint(drawing, field.thing, number)}
    return {}


# ---------------------------------------------------------------------------- dice


def add_dice(drawing: Drawing) -> None:
    """Groups of dice. A face is None before the first roll, "?" under somebody else's cup."""
    for field in drawing.meta.fields:
        if not field.is_dice:
            continue
        *_, (_, _, count) = field.dimensions
        by_group: dict[tuple[int, tuple[int, ...]], list[Any]] = {}
        for owner, numbers, offset in elements_of(field):
            value = drawing.sight.field(field, owner, offset)
            by_group.setdefault((owner, numbers[:-1]), []).append("?" if value is ABSENT else value)
        for (owner, numbers), faces in by_group.items():
            outer = index_dimensions(field)[:-1]
            base = indexed(drawing.meta, owned(drawing.meta, field.owner, owner, field.id), outer, numbers)
            drawing.dice[base] = {
                "id": base,
                "name": drawing.declared.title(field),
                "seat": owner if field.owner == "player" else None,
                "at": node_id(drawing.meta, owner) if field.owner == "node" else None,
                "range": [field.low, field.high],
                "dice": [{"id": f"{base}[{number + 1}]", "face": faces[number]} for number in range(count)],
            }
