"""Working out, when a game is compiled, what rests on constants and printed attributes alone.

`choose c in Card where c.cost <= 3 and c.owner is none` asks two things. What a card costs is printed on it, so the
first test has the same answer in every state of every game: it is asked here, once for each card, and only the second
one is left for play. The evaluator below knows just the operations that can occur in such a test; `is_printed` says
whether an operation is one of them, and whoever asks for anything else gets an error instead of a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import Any

from . import ir
from .ir import Op

Tables = Mapping[str, Sequence[Any]]

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_PRINTED = (
    ir.Const | ir.Lookup | ir.Address | ir.Compare | ir.And | ir.Or | ir.Not | ir.InRanges | ir.IsNone
)  # fmt: skip


def is_printed(op: Op, local: str) -> bool:
    """True if the operation speaks of nothing but the local, its printed attributes and constants."""
    match op:
        case ir.Local():
            return op.name == local
        case ir.Arithmetic():
            known = op.sign in _ARITHMETIC
        case ir.Unary():
            known = op.what == "negative"
        case _:
            known = isinstance(op, _PRINTED)
    return known and all(is_printed(inner, local) for inner in ir.operands(op))


def worked_out(op: Op, local: str, elements: Sequence[int], tables: Tables) -> list[Any]:
    """The value of a printed operation for each element, in order. An index outside its table is an IndexError."""
    return [_value(op, local, element, tables) for element in elements]


def _value(op: Op, local: str, element: int, tables: Tables) -> Any:
    def of(inner: Op) -> Any:
        return _value(inner, local, element, tables)

    match op:
        case ir.Local():
            return element
        case ir.Const():
            return op.value
        case ir.Lookup():
            found: Any = tables[op.table]
            for index in (op.index, *op.more):
                found = found[of(index)]  # -1 is none: the last entry of every table answers for it
            return found
        case ir.Address():
            indexes = [of(term.index) for term in op.terms]
            if op.optional and any(index < 0 for index in indexes):
                return -1
            steps = zip(indexes, op.terms, strict=True)
            return op.base + sum((index - term.low) * term.stride for index, term in steps)
        case ir.Arithmetic():
            return _ARITHMETIC[op.sign](of(op.left), of(op.right))
        case ir.Unary(what="negative"):
            return -of(op.of)
        case ir.Compare():
            return compared(op.sign, op.none_left, op.none_right, of(op.left), of(op.right))
        case ir.And():
            return of(op.left) and of(op.right)
        case ir.Or():
            return of(op.left) or of(op.right)
        case ir.Not():
            return not of(op.of)
        case ir.InRanges():
            item = of(op.item)
            return any(low <= item < low + size for low, size in op.ranges)
        case ir.IsNone():
            return of(op.of) == op.none
    raise AssertionError(f"{op} does not rest on printed things alone")


def compared(sign: str, none_left: int | None, none_right: int | None, left: int, right: int) -> bool:
    """Where a side is none, only `!=` holds; none is compared with the side's own number for it."""
    nones = (left == none_left and none_left is not None, right == none_right and none_right is not None)
    if any(nones):
        # A side that cannot be none never equals the other one's none, so `==` and `!=` need no special case there.
        return sign == "!="
    return _COMPARISONS[sign](left, right)
