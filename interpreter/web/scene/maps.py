"""Maps: where their nodes stand, what is printed on them and what lies there.

Coordinates are in steps: neighbours of a grid or of hexes are 1 apart, those of a network about 1. `box` is the room
that the middles of the nodes take, `x` to the right and `y` down from its upper left corner. A map that lies `on`
another one (`corners`) is in the coordinates of that one.
"""

from __future__ import annotations

from typing import Any

from ...runtime.meta import BoardMeta, FieldMeta
from ...runtime.names import none_number, value_of
from ...study.map_layout import laid_out
from .corners import board_under, is_between_maps
from .declarations import Attribute
from .drawing import Data, Drawing
from .ground import Ground, ground_of
from .ids import edge_id, elements_of, node_id
from .own_boards import has_own_boards, own_fields, tell_whose
from .state_fields import offset_of, state_fields
from .symbols import symbol_for

COORDINATES = ("row", "column", "q", "r")
SORTS = {"hex": "hexes", "grid": "grid", "diagonal": "grid"}
STRETCH = 150  # percent: a network may be stretched so far to fill its board


def add_maps(drawing: Drawing) -> None:
    """Every map that has nodes of its own; a further map over the same nodes adds its links to it."""
    meta = drawing.meta
    drawn: dict[int, Data] = {}
    for board in meta.boards:
        if drawing.declared.presentation.map(board.name).get("hide"):
            continue
        if board.nodes and all(node in drawn for node in board.nodes):
            drawn[board.nodes[0]].setdefault("overlays", []).append(_overlay(drawing, board))
            continue
        under = board_under(drawing, board)
        found = _map(drawing, board, under if under is not None and set(under.nodes) <= drawn.keys() else None)
        drawing.maps[found["id"]] = found
        drawn |= dict.fromkeys(board.nodes, found)


def _map(drawing: Drawing, board: BoardMeta, under: BoardMeta | None) -> Data:
    said = drawing.declared.presentation.map(board.name)
    places = _positions(drawing, board, under or board)
    sort = _sort(drawing, board)
    shape: dict[str, Any] = drawing.meta.maps[board.name]
    ground = ground_of(drawing, board)
    own = own_fields(drawing, board) if has_own_boards(drawing, board) else None
    found: Data = {
        "id": f"m.{board.name}",
        "name": drawing.declared.map_name(board.name),
        "sort": sort,
        "box": _box(places),
        "stretch": said.get("stretch", STRETCH) / 100 if sort == "network" else 1,
        "checkered": bool(said.get("checkered", False)),
        "nodes": [_node(drawing, board, number, places[node], ground, own) for number, node in enumerate(board.nodes)],
        "edges": [_edge(drawing, board, number) for number in range(len(board.pairs))]
        if sort == "network"
        else [_edge(drawing, board, number) for number in range(len(board.edges))],
    }
    if own is not None:
        found["own"] = True
        tell_whose(drawing, board)
    if under is not None:
        found["on"] = f"m.{under.name}"
    if sort == "grid":
        at = "top" if said.get("upside_down") else "bottom"
        found |= {"rows": shape.get("rows"), "columns": shape.get("columns"), "orientation": f"row 1 at the {at}"}
    if "outline" in said:
        found |= _outline(drawing, board, said["outline"])
    if ground is not None:
        found["legend"] = ground.legend(drawing)
    return found


def _sort(drawing: Drawing, board: BoardMeta) -> str:
    """A grid on whose cells nothing lies, but on whose edges something does, is a network of roads."""
    sort = SORTS.get(board.form, "network")
    on = {field.owner for field in drawing.meta.fields} | {place.owner for place in drawing.meta.places}
    return "network" if sort == "grid" and board.edges and "edge" in on and "node" not in on else sort


def _positions(drawing: Drawing, board: BoardMeta, frame: BoardMeta) -> dict[int, tuple[float, float]]:
    """In steps, from the upper left corner of `frame`: the map itself, or the one on which it lies."""
    places, framed = (laid_out(drawing.meta.boards, one) for one in (board, frame))
    if not places:
        return {}
    if drawing.declared.presentation.map(frame.name).get("upside_down"):
        places, framed = ({node: (x, -y) for node, (x, y) in each.items()} for each in (places, framed))
    left, top = min(x for x, _ in framed.values()), min(y for _, y in framed.values())
    scale = 1.0 if frame.form in SORTS else _typical(board, places)
    return {node: (round((x - left) / scale, 3), round((y - top) / scale, 3)) for node, (x, y) in places.items()}


def _outline(drawing: Drawing, board: BoardMeta, path: str) -> Data:
    """A background in the coordinates of the map's file, with the transformation to those of the nodes."""
    places = laid_out(drawing.meta.boards, board)
    scale = 1.0 if board.form in SORTS else _typical(board, places)
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    return {"outline": path, "outline_at": [round(-left / scale, 4), round(-top / scale, 4), round(1 / scale, 6)]}


def _typical(board: BoardMeta, places: dict[int, tuple[float, float]]) -> float:
    """How far two joined nodes are apart: a quarter of them is nearer."""
    lengths = sorted(
        ((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5 for a, b in board.pairs
    )
    return (lengths[len(lengths) // 4] if lengths else 1.0) or 1.0


def _box(places: dict[int, tuple[float, float]]) -> list[float]:
    return [max((x for x, _ in places.values()), default=0.0), max((y for _, y in places.values()), default=0.0)]


def _node(
    drawing: Drawing,
    board: BoardMeta,
    number: int,
    at: tuple[float, float],
    ground: Ground | None,
    own: dict[int, list[Data]] | None,
) -> Data:
    meta, node, kind = drawing.meta, board.nodes[number], board.node_kinds[number]
    own_id, name = meta.nodes[node]
    source = None if ground is None else ground.source
    found: Data = {
        "id": node_id(meta, node),
        "name": name or own_id,
        "short": drawing.declared.short_name(own_id, kind, name or own_id),
        "x": at[0],
        "y": at[1],
        "kind": kind,
        "owner": owner_of(drawing, "node", node),
        "fields": [
            *_untold(printed_fields(drawing, "node", kind, node, source), name or own_id),
            *(own[node] if own is not None else state_fields(drawing, "node", node, source)),
        ],
        "places": _places_at(drawing, node_id(meta, node)),
        "standing": _standing(drawing, "node", node),
    }
    figure = _figure(drawing, board, found["fields"])
    if figure is not None:
        found["figure"] = figure
    point = board.points.get(node)
    if point:
        names = ("row", "column") if board.form in ("grid", "diagonal") else ("q", "r")
        found |= dict(zip(names, point, strict=False))
    return found if ground is None else found | ground.drawn(drawing, node)


def _untold(fields: list[Data], name: str) -> list[Data]:
    """Without the number by which a node is called already: that of `section 3` is no figure on it."""
    return [one for one in fields if one["declared"] != "number" or not name.endswith(str(one["value"]))]


def _figure(drawing: Drawing, board: BoardMeta, fields: list[Data]) -> int | None:
    """The position among the fields of the number that the presentation wants on a node, if it names one."""
    said = drawing.declared.presentation.map(board.name).get("figure")
    return next((position for position, one in enumerate(fields) if said and one.get("declared") == said), None)


def _edge(drawing: Drawing, board: BoardMeta, number: int) -> Data:
    """An edge, or a link between neighbours that has no edge of its own."""
    meta = drawing.meta
    a, b = board.pairs[number]
    ends = [node_id(meta, a), node_id(meta, b)]
    if number >= len(board.edges):
        return {"id": f"l.{meta.node_keys[a]}.{meta.node_keys[b]}", "ends": ends, "name": None, "kind": None}
    edge, kind = board.edges[number], board.edge_kinds[number]
    own = edge_id(meta, edge)
    places = _places_at(drawing, own)
    spaces = next(
        (
            attribute.table.values[edge]
            for attribute in drawing.declared.attributes("edge", kind)
            if attribute.table.thing == "number" and attribute.table.is_single and 0 <= attribute.table.high <= 6
        ),
        None,
    )
    capacity = max((drawing.places[place]["capacity"] or 0 for place in places), default=0) or None
    return {
        "id": own,
        "ends": ends,
        "name": meta.edges[edge][1] or meta.edges[edge][0],
        "kind": kind,
        "capacity": spaces if isinstance(spaces, int) and spaces > 0 else capacity,
        "owner": owner_of(drawing, "edge", edge),
        "fields": printed_fields(drawing, "edge", kind, edge, None) + state_fields(drawing, "edge", edge, None),
        "places": places,
        "standing": _standing(drawing, "edge", edge),
    }


def _overlay(drawing: Drawing, board: BoardMeta) -> Data:
    links = [[node_id(drawing.meta, a), node_id(drawing.meta, b)] for a, b in board.pairs]
    return {"name": drawing.declared.map_name(board.name), "links": links}


# ---------------------------------------------------------------------------- what is printed and what lies there


def printed_fields(drawing: Drawing, of: str, kind: str, thing: int, but: Attribute | FieldMeta | None) -> list[Data]:
    found: list[Data] = []
    for attribute in drawing.declared.attributes(of, kind):
        table = attribute.table
        if attribute == but or table.name in COORDINATES or attribute.is_none(thing) or table.dimensions:
            continue
        if is_between_maps(drawing, table):
            continue
        value: Any = table.values[thing]
        if table.thing in ("number", "flag"):
            value = value_of(drawing.meta, table.thing, value)
        else:
            value = drawing.declared.value_text(table.thing, value)
        told: Data = {"name": drawing.declared.attribute_name(table.name), "declared": table.name, "value": value}
        symbol = symbol_for(table.name, drawing.declared.presentation)
        found.append(told | ({"symbol": symbol} if symbol else {}))
    return found


def owner_of(drawing: Drawing, of: str, thing: int) -> int | None:
    """The seat that the first open field of a player's type names."""
    for field in drawing.declared.plain_fields(of):
        offset = offset_of(field, thing)
        if field.thing == "player" and offset is not None:
            number = drawing.sight.number(field, thing, offset)
            return number if number is not None and number >= 0 else None
    return None


def _places_at(drawing: Drawing, own: str) -> list[str]:
    return [place["id"] for place in drawing.places.values() if place["at"] == own]


def _standing(drawing: Drawing, of: str, thing: int) -> list[Data]:
    """The players, or the things of the table, whose field names this node or edge: they stand here."""
    found: list[Data] = []
    for owner in ("player", "table"):
        for field in drawing.declared.plain_fields(owner):
            if field.thing != of:
                continue
            for own, _, offset in elements_of(field):
                if none_number(of) != thing and drawing.sight.number(field, own, offset) == thing:
                    name = drawing.declared.words(field)
                    seat = own if owner == "player" else None
                    base = f"p{own}.{field.id}" if owner == "player" else field.id
                    found.append({"id": f"{base}@", "counter": base, "name": name, "seat": seat})
    return found
