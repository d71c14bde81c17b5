"""Operations on numbers, and conditions: arithmetic, comparisons, what is running and what is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal

from .nodes import Condition, Op

__all__ = [
    "And", "Arithmetic", "CellRunning", "Compare", "Conditional", "Contains", "Filled", "Fitting", "HasBit", "InBox",
    "InRange", "InRanges", "Inside", "InsideGroup", "IsEmpty", "IsFull", "IsKnown", "IsNone", "IsUnsure", "Not",
    "OnTrial", "Or", "Otherwise", "RuleRunning", "Somebody", "Unary", "Unsure", "conjunction", "conjuncts_of",
]  # fmt: skip


# ---------------------------------------------------------------------------- arithmetic and tests


class Arithmetic(Op):
    """`+ - * // %`; division rounds down."""

    sign: str
    left: Op
    right: Op


class Unary(Op):
    """negative, absolute or sign of a number."""

    what: Literal["negative", "absolute", "sign"]
    of: Op


class Compare(Condition):
    """A comparison. Where a side may be none, `== < <= > >=` with none are false and `!=` is true."""

    sign: str
    left: Op
    right: Op
    none_left: int | None = None
    none_right: int | None = None


class And(Condition):
    """Both; the right side is worked out only if the left one holds."""

    left: Op
    right: Op


class Or(Condition):
    """At least one; the right side is worked out only if the left one does not hold."""

    left: Op
    right: Op


class Not(Condition):
    """The opposite. The opposite of unsure is yes: it stands for "not known to hold"."""

    of: Op


class Conditional(Op):
    """`then if condition else otherwise`."""

    condition: Op
    then: Op
    otherwise: Op


class Otherwise(Op):
    """`fallback` if the value is none."""

    value: Op
    fallback: Op
    none: int


class Contains(Condition):
    """The set has that element."""

    source: Op
    item: Op
    optional: bool


class Inside(Condition):
    """The piece is in that list place or slot."""

    place: Op
    item: Op
    optional: bool


class InsideGroup(Condition):
    """The piece is in one of `size` places from `first` on; never if `first` is none (-1)."""

    first: Op
    size: int
    item: Op
    optional: bool


class InBox(Condition):
    """The piece is in the box."""

    item: Op
    optional: bool


class InRanges(Condition):
    """first <= item < first + count for one of the ranges."""

    item: Op
    ranges: tuple[tuple[int, int], ...]

    @property
    def joined(self) -> list[tuple[int, int]]:
        """The ranges in order, those that follow one another as one."""
        found: list[tuple[int, int]] = []
        for low, size in sorted(self.ranges):
            if found and sum(found[-1]) == low:
                found[-1] = (found[-1][0], found[-1][1] + size)
            else:
                found.append((low, size))
        return found


class IsNone(Condition):
    """The value is none."""

    of: Op
    none: int


class IsEmpty(Condition):
    """The set has no element."""

    of: Op


class IsFull(Condition):
    """The list has as many pieces as it can hold."""

    of: Op
    capacity: int


class HasBit(Condition):
    """That bit of the mask is set."""

    mask: Op
    number: int


class InRange(Op):
    """The value, or a fault if it is out of the range of what is called `name`."""

    value: Op
    low: int
    high: int
    name: str


class Fitting(Op):
    """The same for an argument or an index; `what` names it in words."""

    value: Op
    low: int
    high: int
    what: str


class Filled(Op):
    """The piece of a slot that is never empty, or a fault if nothing is there."""

    value: Op
    name: str


class Somebody(Op):
    """A player of those who are still in, or a fault if all have dropped out."""

    value: Op


# ---------------------------------------------------------------------------- what is running, what is known


class RuleRunning(Condition):
    """A frame of that rule is on the stack."""

    rule: str


class CellRunning(Condition):
    """That cell is being performed."""

    cell: Op


class IsKnown(Condition):
    """The player knows which piece this is."""

    piece: Op
    player: Op


class OnTrial(Condition):
    """This is a trial, not the game."""


class Unsure(Condition):
    """Neither yes nor no."""


class IsUnsure(Condition):
    """The answer is neither yes nor no."""

    answer: Op


def conjuncts_of(test: Op | None) -> list[Op]:
    """The parts of a test that must all hold."""
    if isinstance(test, And):
        return conjuncts_of(test.left) + conjuncts_of(test.right)
    return [] if test is None else [test]


def conjunction(tests: Sequence[Op]) -> Op | None:
    """The test that all of these hold; None if there are none."""
    return reduce(And, tests) if tests else None
