"""Working out, when a game is compiled, what rests on constants, tables and printed attributes alone.

`choose c in Card where c.cost <= 3 and c.owner is none` asks two things. What a card costs is printed on it, so the
first test has the same answer in every state of every game: it is asked here, once for each card, and only the second
one is left for play. `is_printed` says whether a test is such a one.

An operation becomes a function of the numbers that it rests on (`worked`). Whoever asks says what the leaves are; sets
and questions to maps are added where they are needed (`masks/static`). Anything else is an error instead of a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import add, eq, floordiv, ge, gt, itemgetter, le, lt, mod, mul, ne, neg, not_, sub
from typing import Any

from . import ir
from .ir import Op

Tables = Mapping[str, Any]
Worked = Callable[[Sequence[Any]], Any]  # of the numbers that it rests on: the element first

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add, "-": sub, "*": mul, "//": floordiv, "%": mod,
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
_UNARY: dict[str, Callable[[Any], Any]] = {
    "negative": neg, "absolute": abs, "sign": lambda value: (value > 0) - (value < 0),
}  # fmt: skip
_PRINTED = (
    ir.Const | ir.Lookup | ir.Address | ir.Compare | ir.And | ir.Or | ir.Not | ir.InRanges | ir.IsNone
)  # fmt: skip


class NotStatic(Exception):
    """It cannot be worked out beforehand."""


def is_printed(op: Op, local: str) -> bool:
    """True if the operation speaks of nothing but the local, its printed attributes and constants."""
    match op:
        case ir.Local():
            return op.name == local
        case ir.Arithmetic():
            known = op.sign in ("+", "-", "*")
        case ir.Unary():
            known = op.what == "negative"
        case _:
            known = isinstance(op, _PRINTED)
    return known and all(is_printed(inner, local) for inner in ir.operands(op))


def worked_out(op: Op, local: str, elements: Sequence[int], tables: Tables) -> list[Any]:
    """The value of a printed operation for each element, in order. An index outside its table is an IndexError."""

    def of(inner: Op) -> Worked:
        return itemgetter(0) if isinstance(inner, ir.Local) else worked(inner, of, tables)

    assert is_printed(op, local), f"{op} does not rest on printed things alone"
    value = of(op)
    return [value((element,)) for element in elements]


def single(sign: Callable[[Any], Any], of: Worked) -> Worked:
    return lambda v: sign(of(v))


def _pair(sign: Callable[[Any, Any], Any], left: Worked, right: Worked) -> Worked:
    return lambda v: sign(left(v), right(v))


def worked(op: Op, of: Callable[[Op], Worked], tables: Tables) -> Worked:
    """The operation as a function, from what its operands come to. Index -1 is none: the last entry of every table
    answers for it."""
    match op:
        case ir.Const(value=constant):
            return lambda v: constant
        case ir.Lookup():
            return _entry(tables, op.table, [of(index) for index in (op.index, *op.more)])
        case ir.MapTable():
            return _entry(tables, op.table, [of(index) for index in op.indexes])
        case ir.Address():  # a row of a chart with several indexes
            return _address(op, [of(term.index) for term in op.terms])
        case ir.Arithmetic() if op.sign in ("+", "-", "*"):
            return _pair(_SIGNS[op.sign], of(op.left), of(op.right))
        case ir.Arithmetic(right=ir.Const(value=value)) if value > 0:
            return _pair(_SIGNS[op.sign], of(op.left), of(op.right))
        case ir.Unary():
            return single(_UNARY[op.what], of(op.of))
        case ir.Conditional():
            condition, then, otherwise = of(op.condition), of(op.then), of(op.otherwise)
            return lambda v: then(v) if condition(v) else otherwise(v)
    return _test(op, of)


def _entry(tables: Tables, name: str, indexes: list[Worked]) -> Worked:
    if name not in tables:
        raise NotStatic
    table = tables[name]
    if len(indexes) == 1:
        (index,) = indexes
        return lambda v: table[index(v)]
    return lambda v: reduce(lambda inner, index: inner[index(v)], indexes, table)


def _address(op: ir.Address, indexes: list[Worked]) -> Worked:
    terms = [(index, term.low, term.stride) for index, term in zip(indexes, op.terms, strict=True)]

    def place(v: Sequence[Any]) -> Any:
        if op.optional and any(index(v) < 0 for index in indexes):
            return -1
        return op.base + sum((index(v) - low) * stride for index, low, stride in terms)

    return place


def _test(op: Op, of: Callable[[Op], Worked]) -> Worked:
    """A condition, from what its operands come to."""
    match op:
        case ir.Compare(none_left=None, none_right=None):
            return _pair(_SIGNS[op.sign], of(op.left), of(op.right))
        case ir.Compare():
            return _pair(partial(_compared, op.sign, op.none_left, op.none_right), of(op.left), of(op.right))
        case ir.And():
            left, right = of(op.left), of(op.right)
            return lambda v: left(v) and right(v)
        case ir.Or():
            left, right = of(op.left), of(op.right)
            return lambda v: left(v) or right(v)
        case ir.Not():
            return single(not_, of(op.of))
        case ir.InRanges(ranges=ranges):
            item = of(op.item)
            return lambda v: any(low <= item(v) < low + size for low, size in ranges)
        case ir.IsNone(none=none):
            return single(lambda value: value == none, of(op.of))
        case ir.HasBit(number=number):
            return single(lambda value: value >> number & 1, of(op.mask))
        case ir.Contains(source=ir.Range() as span, optional=False):
            item, low, high = of(op.item), of(span.low), of(span.high)
            return lambda v: low(v) <= item(v) <= high(v)
        case ir.Contains():
            item, source = of(op.item), of(op.source)
            return lambda v: item(v) in source(v)
        case ir.IsEmpty():
            return single(not_, of(op.of))
    raise NotStatic


def _compared(sign: str, none_left: int | None, none_right: int | None, left: int, right: int) -> bool:
    """Where a side is none, only `!=` holds; none is compared with the side's own number for it."""
    nones = (left == none_left and none_left is not None, right == none_right and none_right is not None)
    if any(nones):
        # A side that cannot be none never equals the other one's none, so `==` and `!=` need no special case there.
        return sign == "!="
    return bool(_SIGNS[sign](left, right))
