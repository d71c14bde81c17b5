"""One table per attribute name, over all pieces (or all nodes, or all edges) of the game.

Kinds that declare the same attribute share a table if their values are of the same sort, so that `x.price` of a union
is a single look-up. A kind that uses the name for something else (other indexes, another sort of value) has a table of
its own.
"""

from __future__ import annotations

from dataclasses import replace

from .columns import nothing_in
from .draft import Column, Draft
from .program import AttributeTable
from .value_types import MapEdge, MapNode, Maybe, Number, Piece, SetOf, VType, bare


def build_tables(draft: Draft, of: str, runs: dict[str, tuple[int, int]], owners: list[str]) -> None:
    """Tables for the columns of the kinds in `runs` (kind -> first number, count); `owners` names every thing."""
    declared = draft.declared
    tables: dict[tuple[str, str], tuple[Column, list[object], list[str]]] = {}
    for kind, (first, count) in runs.items():
        for column in draft.columns.get(kind, ()):
            key = (of, column.name)
            if key in tables and _joined(tables[key][0], column) is None:
                key = (f"{of}:{kind}", column.name)
            if key not in tables:
                tables[key] = (column, [nothing_in(column)] * (len(owners) + 1), [])
            shared, values, kinds = tables[key]
            tables[key] = (_joined(shared, column) or shared, values, [*kinds, kind])
            read = draft.read[kind, column.name]
            for index in range(count):
                values[first + index] = draft.instance(read[index], owners[first + index])
            declared.attribute_types[kind, column.name] = column.type
    for key, (column, values, kinds) in tables.items():
        owner = kinds[0] if len(kinds) == 1 else ""
        table = AttributeTable(column.name, of, owner, column.type, column.dimensions, tuple(values), column.is_back)
        declared.attributes[key] = table


def _joined(shared: Column, other: Column) -> Column | None:
    """One column for the values of both, or None if they are of different sorts."""
    if shared.dimensions != other.dimensions:
        return None
    joined = join(shared.type, other.type)
    return None if joined is None else replace(shared, type=joined, is_back=shared.is_back or other.is_back)


def join(first: VType, second: VType) -> VType | None:
    """The type that contains the values of both, if both use the same numbering."""
    optional = isinstance(first, Maybe) or isinstance(second, Maybe)
    a, b = bare(first), bare(second)
    joined: VType | None = a if a == b else None
    match a, b:
        case Number(low, high), Number(other_low, other_high):
            joined = Number(min(low, other_low), max(high, other_high))
        case Piece(ours), Piece(theirs):
            joined = Piece(tuple(dict.fromkeys((*ours, *theirs))))
        case MapNode(ours), MapNode(theirs):
            joined = MapNode(tuple(dict.fromkeys((*ours, *theirs))))
        case MapEdge(ours), MapEdge(theirs):
            joined = MapEdge(tuple(dict.fromkeys((*ours, *theirs))))
        case _:
            pass
    if joined is None or isinstance(joined, SetOf):
        return joined
    return Maybe(joined) if optional else joined
