"""The ids of things in a scene: stable strings, the same in every language and at every step.

| thing | id |
| --- | --- |
| place, counter, track of the table | `deck`, `stacks[legs]`, `round` |
| of a player, node, edge, piece | `p0.hand`, `n.casino.tile`, `e.street_1.flyers`, `Kiwi.kiwi_seat1#3.tokens` |
| seat, node, edge | `p0`, `n.casino`, `e.street_1` |
| die | `dice[1]`, `p0.dice[2]` |
| map | `m.board` |
| piece | `Kaiju.kaiju_11`; `market:kaiju_4#1` (the first of these there); `p1.hand@2` (unknown, by position) |
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...runtime.meta import FieldMeta, Meta, PlaceMeta
from ...runtime.names import id_of

Dimensions = tuple[tuple[str, int, int], ...]


def seat_id(seat: int) -> str:
    return f"p{seat}"


def node_id(meta: Meta, node: int) -> str:
    return f"n.{meta.node_keys[node]}"


def edge_id(meta: Meta, edge: int) -> str:
    return f"e.{meta.edge_keys[edge]}"


def index_id(meta: Meta, thing: str, number: int) -> str:
    if thing == "node":
        return meta.node_keys[number]
    return meta.edge_keys[number] if thing == "edge" else id_of(meta, thing, number)


def owned(meta: Meta, owner: str, number: int, name: str, piece: str = "") -> str:
    """The id of something that an owner has; `piece` is the id of the piece, if that is the owner."""
    match owner:
        case "player":
            return f"{seat_id(number)}.{name}"
        case "node":
            return f"{node_id(meta, number)}.{name}"
        case "edge":
            return f"{edge_id(meta, number)}.{name}"
        case "piece":
            return f"{piece}.{name}"
    return name


def indexed(meta: Meta, base: str, dimensions: Dimensions, numbers: tuple[int, ...]) -> str:
    pairs = zip(dimensions, numbers, strict=True)
    return base + "".join(f"[{index_id(meta, thing, number)}]" for (thing, _, _), number in pairs)


def elements_of(declared: FieldMeta | PlaceMeta) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """(owner, indexes, number of the element) of every element of a declared field or place; owner -1 for the table."""
    own = 0 if declared.owner == "table" else 1
    ranges = [range(low, low + size) for _, low, size in declared.dimensions]
    for step, numbers in enumerate(product(*ranges)):
        yield (numbers[0] if own else -1), tuple(numbers[own:]), declared.base + step


def index_dimensions(declared: FieldMeta | PlaceMeta) -> Dimensions:
    return declared.dimensions if declared.owner == "table" else declared.dimensions[1:]
