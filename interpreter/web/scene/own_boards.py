"""Boards that each player has: one map in the rules, and on its spaces nothing but what belongs to one player.

    map kingdom is grid 9 by 9        # one map for all
      node Cell
    each Cell
      land[player]: Land?             # what lies there in the kingdom of each
      tile[player]: slot of Tile open

or the other way round, `each player` / `land[Cell]: Land?`. All of it on one drawing would say of each space what every
player has there, and nobody could read a kingdom. So each field and place says on whose board it is (`of`), and the
page draws the board of one seat at a time. A map with anything on it that all share is one board for all.
"""

from __future__ import annotations

from ...runtime.eyes import ABSENT
from ...runtime.meta import BoardMeta, FieldMeta, PlaceMeta
from ...runtime.names import name_of
from .counters import value_tint
from .drawing import Data, Drawing
from .ids import elements_of, index_dimensions, indexed, node_id

_NOTHING = (None, False, 0)


def has_own_boards(drawing: Drawing, board: BoardMeta) -> bool:
    """Whether what can change on this map is all by player."""
    declared: list[FieldMeta | PlaceMeta] = [*drawing.meta.fields, *drawing.meta.places]
    whose = [_is_by_player(one) for one in declared if _is_on(board, one)]
    return bool(whose) and all(whose)


def _is_on(board: BoardMeta, one: FieldMeta | PlaceMeta) -> bool:
    """Whether the field or place is one of nodes or edges of the map, or has them as an index."""
    for thing, low, size in one.dimensions:
        there = board.nodes if thing == "node" else board.edges if thing == "edge" else ()
        if any(low <= number < low + size for number in there):
            return True
    return False


def _is_by_player(one: FieldMeta | PlaceMeta) -> bool:
    """`each Cell` / `land[player]: …`, or `each player` / `land[Cell]: …`, and of nodes."""
    things = [thing for thing, _, _ in one.dimensions[:2]]
    return (one.owner, things) in (("node", ["node", "player"]), ("player", ["player", "node"]))


def own_fields(drawing: Drawing, board: BoardMeta) -> dict[int, list[Data]]:
    """What the fields say of each node on the boards of all seats, each with the seat."""
    found: dict[int, list[Data]] = {node: [] for node in board.nodes}
    for field in (*drawing.declared.plain_fields("node"), *drawing.declared.plain_fields("player")):
        if not _is_by_player(field):
            continue
        for own, numbers, offset in elements_of(field):
            node, seat = (own, numbers[0]) if field.owner == "node" else (numbers[0], own)
            value = drawing.sight.field(field, own, offset) if node in found else ABSENT
            if value is not ABSENT and value not in _NOTHING:
                told = {"value": value, "of": seat} | _about(drawing, field, node, seat, numbers)
                found[node].append(told | _look(drawing, field, numbers, drawing.sight.number(field, own, offset)))
    return found


def _about(drawing: Drawing, field: FieldMeta, node: int, seat: int, numbers: tuple[int, ...]) -> Data:
    dimensions = index_dimensions(field)[1:]
    words = [name_of(drawing.meta, thing, one) for (thing, _, _), one in zip(dimensions, numbers[1:], strict=True)]
    base = f"{node_id(drawing.meta, node)}.{field.id}[p{seat}]"
    told: Data = {
        "id": indexed(drawing.meta, base, dimensions, numbers[1:]),
        "name": " ".join([drawing.declared.words(field), *words]),
        "declared": field.id,
    }
    return told | ({"index": words[0]} if words else {})


def _look(drawing: Drawing, field: FieldMeta, numbers: tuple[int, ...], value: int | None) -> Data:
    dimensions = index_dimensions(field)[1:]
    if dimensions:
        return _tint(drawing, dimensions[0][0], numbers[1])
    if field.thing == "player":
        return {"seat": value}
    if field.thing.startswith("enum:") and value is not None:
        return {"ground": value_tint(drawing, field.thing, value)}
    return {}


def _tint(drawing: Drawing, thing: str, number: int) -> Data:
    if not thing.startswith("enum:"):
        return {}
    return {"tint": value_tint(drawing, thing, number), "letter": drawing.declared.initial(thing, number)}


def tell_whose(drawing: Drawing, board: BoardMeta) -> None:
    """Each place on the spaces of the map says on whose board it is."""
    for declared in drawing.meta.places:
        if not (_is_by_player(declared) and _is_on(board, declared)):
            continue
        for own, numbers, place in elements_of(declared):
            at, seat = (own, numbers[0]) if declared.owner == "node" else (numbers[0], own)
            if at in board.nodes:
                drawing.places[drawing.place_id(place)]["of"] = seat
