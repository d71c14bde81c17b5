"""The declarations of a game as plain data: what there is, apart from any position.

Whoever draws a game, or lets a learner look at it, needs to know that `market` is an open pool of cards with room for
eight, or which two places a street joins. Views do not repeat that at every step.
"""

from __future__ import annotations

from typing import Any

from .meta import BoardMeta, FieldMeta, Meta, PlaceMeta
from .names import owner_name

Data = dict[str, Any]


def declarations(meta: Meta) -> Data:
    """Kinds, enums, fields, places and maps, fit for JSON. Names are those of the rules."""
    return {
        "kinds": {
            kind: {"name": meta.kind_names.get(kind, kind), "count": count} for kind, (_, count) in meta.kinds.items()
        },
        "enums": {
            enum: [{"id": own_id, "name": name or own_id} for _, own_id, name in values]
            for enum, values in meta.enums.items()
        },
        "fields": [_field(meta, field) for field in meta.fields],
        "places": [_place(meta, place) for place in meta.places],
        "maps": {board.name: _map(meta, board) for board in meta.boards},
    }


def _field(meta: Meta, field: FieldMeta) -> Data:
    return {
        "name": field.id,
        "owner": owner_name(meta, field),
        "index": _index(field),
        "type": field.thing,
        "range": [field.low, field.high] if field.thing in ("number", "die") else None,
        "capped": field.is_capped,
        "visibility": field.visibility,
        "dice": field.is_dice,
        "cites": list(field.cites),
    }


def _place(meta: Meta, place: PlaceMeta) -> Data:
    return {
        "name": place.id,
        "owner": owner_name(meta, place),
        "index": _index(place),
        "shape": place.shape,
        "kinds": list(place.kinds),
        "visibility": place.visibility,
        "counted": not place.uncounted,
        "capacity": place.capacity if place.is_limited else None,
        "cites": list(place.cites),
    }


def _index(declared: FieldMeta | PlaceMeta) -> list[str]:
    """What its indexes go over, the owner left out: `enum:Colour`, `node`, `1..4`."""
    dimensions = declared.dimensions if declared.owner == "table" else declared.dimensions[1:]
    return [f"{low}..{low + size - 1}" if thing == "number" else thing for thing, low, size in dimensions]


def _map(meta: Meta, board: BoardMeta) -> Data:
    edges = [
        {"id": meta.edges[edge][0], "kind": kind, "ends": [meta.nodes[a][0], meta.nodes[b][0]]}
        for edge, kind, (a, b) in zip(board.edges, board.edge_kinds, board.pairs, strict=False)
    ]
    links = [] if board.edges else [[meta.nodes[a][0], meta.nodes[b][0]] for a, b in board.pairs]
    return {
        "shape": meta.maps[board.name]["shape"],
        "nodes": [
            {"id": meta.nodes[node][0], "kind": kind, "at": list(board.positions.get(node, ())) or None}
            for node, kind in zip(board.nodes, board.node_kinds, strict=True)
        ],
        "edges": edges,
        "links": links,
    }
