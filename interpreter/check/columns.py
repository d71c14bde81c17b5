"""Attributes: as columns that the rules declare, and as tables of values over all things of the game.

A column has a type, indexes and a default. There is one table per attribute name, over all pieces (or all nodes, or all
edges). Kinds that declare the same attribute share a table if their values are of the same sort, so that `x.price` of a
union is a single look-up. A kind that uses the name for something else (other indexes, another sort of value) has a
table of its own.
"""

from __future__ import annotations

from dataclasses import replace

from ..syntax import nodes
from . import value_types as t
from .constant_values import evaluate_as
from .declare_types import dimension_of, sound_type_of, type_of
from .declared import Column, Declared, Draft
from .program import AttributeTable, Dimension
from .type_rules import join

MOST_ENTRIES = 100_000


def column_of(declared: Declared, field: nodes.Field, owner: str, may_be_back: bool = False) -> Column:
    """The column that an attribute declares. Modifiers that only state can have are reported."""
    before = len(declared.found)
    value_type = _attribute_type(declared, field)
    dimensions = dimensions_of(declared, field)
    is_sound = len(declared.found) == before
    if is_sound:
        _refuse_modifiers(declared, field, may_be_back)
    default: object = None
    if field.start is not None and is_sound:
        default = _default(declared, field, field.start, value_type, owner)
    return Column(
        field.name.text,
        owner,
        value_type,
        dimensions,
        field.span,
        is_back=any(word.text == "back" for word in field.modifiers),
        has_default=field.start is not None,
        default=default,
        is_sound=is_sound,
    )


def _default(declared: Declared, field: nodes.Field, start: nodes.Expr, value_type: t.VType, owner: str) -> object:
    if isinstance(t.bare(value_type), t.EffectCell | t.FormulaCell) and not isinstance(start, nodes.NoneLiteral):
        what, help = "an effect or formula has no default", "write it into the cells"
        declared.error("R0304", what, start.span, "only `none`", help=help)
        return None
    return evaluate_as(declared, start, value_type, f"`{field.name.text}` of {owner}")


def _attribute_type(declared: Declared, field: nodes.Field) -> t.VType:
    if isinstance(field.type, nodes.DiceType):
        help = "declare them under `table` or `each player`"
        declared.error("R0412", "dice are no attribute", field.type.span, "state, not print", help=help)
        return t.Flag()
    value_type = type_of(declared, field.type)
    if isinstance(t.bare(value_type), t.PlaceOf):
        help = "declare it under `each` and the name of the kind"
        declared.error("R0412", "a place is no attribute", field.type.span, "state, not print", help=help)
        return t.Flag()
    return value_type


def dimensions_of(declared: Declared, field: nodes.Field) -> tuple[Dimension, ...]:
    """The indexes of a field or attribute, each as a range of numbers."""
    found: list[Dimension] = []
    size = 1
    for index in field.indexes:
        value_type, is_sound = sound_type_of(declared, index)
        if not is_sound:
            continue
        dimension = dimension_of(declared, value_type)
        if dimension is None:
            declared.error("R0413", "this cannot be an index", index.span, "an index is an enum, a range, players, …")
            continue
        size *= max(dimension.size, 1)
        if size > MOST_ENTRIES:
            headline = f"`{field.name.text}` would have more than {MOST_ENTRIES:,} entries"
            declared.error("R0414", headline, index.span, "too wide", help="use a narrower range")
            continue
        found.append(dimension)
    return tuple(found)


def _refuse_modifiers(declared: Declared, field: nodes.Field, may_be_back: bool) -> None:
    for word in field.modifiers:
        if word.text == "back" and may_be_back:
            continue
        what = "only pieces have a back" if word.text == "back" else "an attribute is printed and never changes"
        headline = f"`{word.text.replace('_', ' ')}` cannot be said of this attribute"
        declared.error("R0304", headline, word.span, what, help="remove the word")
    if field.capacity is not None:
        declared.error("R0304", "only a place has a capacity", field.capacity.span, help="remove it")
    if field.scopes:
        declared.error("R0304", "an attribute is printed and never changes", field.scopes[0].span, "cannot be set back")


def nothing_in(column: Column) -> object:
    """The value none in the shape of a column: nested tuples if the column has indexes."""
    return spread(nothing(column.type), column.dimensions, nothing(column.type))


def spread(value: object, dimensions: tuple[Dimension, ...], last: object) -> object:
    """The same value at every index. Each tuple has one more entry at its end, for the index none (-1 in Python)."""
    for dimension in reversed(dimensions):
        value, last = (*[value] * dimension.size, last), (last,) * (dimension.size + 1)
    return value


def nothing(value_type: t.VType) -> object:
    return () if isinstance(t.bare(value_type), t.SetOf) else t.none_of(value_type)


def build_tables(draft: Draft, of: str, runs: dict[str, tuple[int, int]], there_are: int) -> None:
    """Tables for the columns of the kinds in `runs` (kind -> first number, count), over all things of that sort."""
    declared = draft.declared
    tables: dict[tuple[str, str], tuple[Column, list[object], list[str]]] = {}
    for kind, (first, count) in runs.items():
        for column in draft.columns.get(kind, ()):
            key = (of, column.name)
            if key in tables and _joined(declared, tables[key][0], column) is None:
                key = (f"{of}:{kind}", column.name)
            if key not in tables:
                tables[key] = (column, [nothing_in(column)] * (there_are + 1), [])
            shared, values, kinds = tables[key]
            tables[key] = (_joined(declared, shared, column) or shared, values, [*kinds, kind])
            read = draft.read[kind, column.name]
            for index in range(count):
                # Copies of a card share a row but not their effects: while the effect of one copy runs, that of another
                # may still be performed. So each has a number of its own.
                values[first + index] = draft.instance(read[index])
            declared.attribute_types[kind, column.name] = column.type
    for key, (column, values, kinds) in tables.items():
        owner = kinds[0] if len(kinds) == 1 else ""
        table = AttributeTable(column.name, of, owner, column.type, column.dimensions, tuple(values), column.is_back)
        declared.attributes[key] = table


def _joined(declared: Declared, shared: Column, other: Column) -> Column | None:
    """One column for the values of both, or None if they are of different sorts."""
    if shared.dimensions != other.dimensions:
        return None
    joined = join(declared, shared.type, other.type)
    return None if joined is None else replace(shared, type=joined, is_back=shared.is_back or other.is_back)
