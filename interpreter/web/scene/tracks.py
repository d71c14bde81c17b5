"""Tracks: a row of cells with a marker for each seat.

| declared | track |
| --- | --- |
| a capped number of players, up to 60 spaces, with a chart over the same range | a cell for each, with what it brings |
| the score, or the only such number without a chart, if it is not called by a word for money | a cell for each |
| an enum value of players, if the enum has up to 12 values and places or attributes stand by it | a cell for each |

Several capped numbers without a chart are goods that one has, and stay counters. A number on a track is not drawn as a
counter as well; the track has its value.
"""

from __future__ import annotations

from ...runtime.meta import ChartMeta, FieldMeta
from ...runtime.names import entries, id_of, name_of, none_number
from .counters import value_tint
from .drawing import Data, Drawing
from .ids import elements_of, index_dimensions
from .presentation import in_language
from .seats import score_field
from .symbols import symbol_for

LONGEST = 60
MOST_VALUES = 12
IN_A_ROW = 9


def add_tracks(drawing: Drawing) -> None:
    said = [one for one in drawing.declared.presentation.tracks if _add_said(drawing, one)]
    taken = {one.get("counter") for one in said}
    for field in drawing.declared.plain_fields("player"):
        if index_dimensions(field) or field.visibility != "open" or field.id in taken:
            continue
        if drawing.declared.presentation.hides("player", field.id):
            continue
        if _is_long(field) and _is_printed(drawing, field):
            _add(drawing, field, _number_cells(drawing, field))
        elif field.thing.startswith("enum:") and _stands_by(drawing, field.thing):
            _add(drawing, field, _value_cells(drawing, field))


def _is_long(field: FieldMeta) -> bool:
    return field.thing == "number" and field.is_capped and 6 <= field.high - field.low <= LONGEST


def _is_printed(drawing: Drawing, field: FieldMeta) -> bool:
    """Whether a number is more than a supply: it has a chart, it is the score, or there is no other of its sort."""
    if _chart_over(drawing, field) is not None or field.id == score_field(drawing):
        return True
    if symbol_for(field.id, drawing.declared.presentation) == "coin":
        return False
    others = [one for one in drawing.declared.plain_fields("player") if _is_long(one) and not index_dimensions(one)]
    return len(others) == 1


def _stands_by(drawing: Drawing, thing: str) -> bool:
    """True if places of the table or of players have the values of the enum as index, or some of the same values."""
    values = {own for _, own, _ in entries(drawing.meta, thing)}
    if len(values) > MOST_VALUES:
        return False
    for place in drawing.meta.places:
        for of, _, _ in place.dimensions:
            if of.startswith("enum:") and values & {own for _, own, _ in entries(drawing.meta, of)}:
                return True
    return False


def _add(drawing: Drawing, field: FieldMeta, cells: list[Data]) -> None:
    own = f"t.{field.id}"
    markers = []
    for seat, _, offset in elements_of(field):
        number = drawing.sight.number(field, seat, offset)
        cell = None if number is None or number == none_number(field.thing) else _cell(drawing, field, number)
        markers.append({"id": f"{own}@p{seat}", "seat": seat, "cell": cell, "counter": f"p{seat}.{field.id}"})
    drawing.tracks[own] = {
        "id": own,
        "name": drawing.declared.title(field),
        "declared": field.id,
        "cells": cells,
        "markers": markers,
        "columns": IN_A_ROW if field.thing == "number" else len(cells),
    }


def _add_said(drawing: Drawing, said: Data) -> bool:
    """A track that the presentation asks for: a chart as cells, and where each seat stands on it."""
    chart = next((one for one in drawing.meta.charts if one.name == said["chart"]), None)
    if chart is None or len(chart.dimensions) != 1 or chart.dimensions[0][0] != "number":
        return False
    own = f"t.{chart.name}"
    _, low, size = chart.dimensions[0]
    cells = []
    for number in range(low, low + size):
        note = _note(drawing, chart, number)
        cells.append({"id": f"{own}[{number}]", "label": str(number)} | ({"note": note} if note else {}))
    markers = []
    for seat in range(drawing.meta.players):
        at = _stands_at(drawing, said, seat)
        cell = f"{own}[{at}]" if at is not None and low <= at < low + size else None
        counter = f"p{seat}.{said.get('counter') or said.get('count_of')}"
        markers.append({"id": f"{own}@p{seat}", "seat": seat, "cell": cell, "counter": counter})
    name = in_language(said.get("name"), drawing.declared.language)
    drawing.tracks[own] = {
        "id": own,
        "name": name or drawing.declared.map_name(chart.name),
        "declared": chart.name,
        "cells": cells,
        "markers": markers,
        "columns": said.get("columns", IN_A_ROW),
    }
    return True


def _stands_at(drawing: Drawing, said: Data, seat: int) -> int | None:
    """The number of a counter, or how many pieces are missing in a place up to its full number."""
    if "counter" in said:
        value = drawing.counters.get(f"p{seat}.{said['counter']}", {}).get("value")
        return value if isinstance(value, int) else None
    place = drawing.places.get(f"p{seat}.{said.get('count_of')}")
    if place is None or place["count"] is None or "full" not in said:
        return None
    return int(said["full"]) - int(place["count"])


def _cell(drawing: Drawing, field: FieldMeta, number: int) -> str:
    return f"t.{field.id}[{id_of(drawing.meta, field.thing, number)}]"


def _number_cells(drawing: Drawing, field: FieldMeta) -> list[Data]:
    chart = _chart_over(drawing, field)
    found = []
    for number in range(max(field.low, 1), field.high + 1):
        cell: Data = {"id": _cell(drawing, field, number), "label": str(number)}
        note = _note(drawing, chart, number)
        found.append(cell | ({"note": note} if note else {}))
    return found


def _chart_over(drawing: Drawing, field: FieldMeta) -> ChartMeta | None:
    """A chart with one number as its parameter that goes over the spaces of the track, and has effects."""
    for chart in drawing.meta.charts:
        if len(chart.dimensions) != 1 or not any(thing == "cell" for _, thing, _ in chart.columns):
            continue
        thing, low, size = chart.dimensions[0]
        if thing == "number" and low in (field.low, 1) and low + size - 1 == field.high:
            return chart
    return None


def _note(drawing: Drawing, chart: ChartMeta | None, number: int) -> str:
    """What a space brings, in words."""
    if chart is None:
        return ""
    row = number - chart.dimensions[0][1]
    words = []
    for _, thing, values in chart.columns:
        value = values[row] if thing == "cell" and 0 <= row < chart.rows else -1
        if isinstance(value, int) and value >= 0:
            words.append(name_of(drawing.meta, thing, value))
    return ", ".join(words)


def _value_cells(drawing: Drawing, field: FieldMeta) -> list[Data]:
    return [
        {
            "id": _cell(drawing, field, number),
            "label": name,
            "tint": value_tint(drawing, field.thing, number),
        }
        for number, _, name in entries(drawing.meta, field.thing)
    ]
