"""Attributes as columns: their types, indexes and defaults, as the rules declare them."""

from __future__ import annotations

from ..syntax import nodes
from .constant_values import evaluate_as
from .declare_types import dimension_of, sound_type_of, type_of
from .declared import Declared
from .draft import Column
from .program import Dimension
from .value_types import EffectCell, Flag, FormulaCell, PlaceOf, SetOf, VType, bare, none_of

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


def _default(declared: Declared, field: nodes.Field, start: nodes.Expr, value_type: VType, owner: str) -> object:
    if isinstance(bare(value_type), EffectCell | FormulaCell) and not isinstance(start, nodes.NoneLiteral):
        declared.error(
            "R0304", "an effect or formula has no default", start.span, "only `none`", help="write it into the cells"
        )
        return None
    return evaluate_as(declared, start, value_type, f"`{field.name.text}` of {owner}")


def _attribute_type(declared: Declared, field: nodes.Field) -> VType:
    if isinstance(field.type, nodes.DiceType):
        help = "declare them under `table` or `each player`"
        declared.error("R0412", "dice are no attribute", field.type.span, "state, not print", help=help)
        return Flag()
    value_type = type_of(declared, field.type)
    if isinstance(bare(value_type), PlaceOf):
        help = "declare it under `each` and the name of the kind"
        declared.error("R0412", "a place is no attribute", field.type.span, "state, not print", help=help)
        return Flag()
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
    if field.scope is not None:
        declared.error("R0304", "an attribute is printed and never changes", field.scope.span, "cannot be set back")


def nothing_in(column: Column) -> object:
    """The value none in the shape of a column: nested tuples if the column has indexes."""
    return spread(nothing(column.type), column.dimensions, nothing(column.type))


def spread(value: object, dimensions: tuple[Dimension, ...], last: object) -> object:
    """The same value at every index. Each tuple has one more entry at its end, for the index none (-1 in Python)."""
    for dimension in reversed(dimensions):
        value, last = (*[value] * dimension.size, last), (last,) * (dimension.size + 1)
    return value


def nothing(value_type: VType) -> object:
    return () if isinstance(bare(value_type), SetOf) else none_of(value_type)
