"""Operations on numbers, and conditions: arithmetic, comparisons, what is running and what is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .nodes import Condition, Op

__all__ = [
    "And", "Arithmetic", "CellRunning", "Compare", "Conditional", "Contains", "Filled", "Fitting", "HasBit", "InBox",
    "InRange", "InRanges", "Inside", "InsideGroup", "IsEmpty", "IsFull", "IsKnown", "IsNone", "IsUnsure", "Not",
    "OnTrial", "Or", "Otherwise", "RuleRunning", "Unary", "Unsure",
]  # fmt: skip


# ---------------------------------------------------------------------------- arithmetic and tests


@dataclass(frozen=True, eq=False)
class Arithmetic(Op):
    """`+ - * // %`; division rounds down."""

    sign: str
    left: Op
    right: Op


@dataclass(frozen=True, eq=False)
class Unary(Op):
    """negative, absolute or sign of a number."""

    what: Literal["negative", "absolute", "sign"]
    of: Op


@dataclass(frozen=True, eq=False)
class Compare(Condition):
    """A comparison. Where a side may be none, `== < <= > >=` with none are false and `!=` is true."""

    sign: str
    left: Op
    right: Op
    none_left: int | None = None
    none_right: int | None = None


@dataclass(frozen=True, eq=False)
class And(Condition):
    """Both; the right side is worked out only if the left one holds."""

    left: Op
    right: Op


@dataclass(frozen=True, eq=False)
class Or(Condition):
    """At least one; the right side is worked out only if the left one does not hold."""

    left: Op
    right: Op


@dataclass(frozen=True, eq=False)
class Not(Condition):
    """The contrary. The contrary of unsure is yes: it stands for "not known to hold"."""

    of: Op


@dataclass(frozen=True, eq=False)
class Conditional(Op):
    """`then if condition else otherwise`."""

    condition: Op
    then: Op
    otherwise: Op


@dataclass(frozen=True, eq=False)
class Otherwise(Op):
    """`fallback` if the value is none."""

    value: Op
    fallback: Op
    none: int


@dataclass(frozen=True, eq=False)
class Contains(Condition):
    """The set has that element."""

    source: Op
    item: Op
    optional: bool


@dataclass(frozen=True, eq=False)
class Inside(Condition):
    """The piece is in that list place or slot."""

    place: Op
    item: Op
    optional: bool


@dataclass(frozen=True, eq=False)
class InsideGroup(Condition):
    """The piece is in one of `size` places from `first` on; never if `first` is none (-1)."""

    first: Op
    size: int
    item: Op
    optional: bool


@dataclass(frozen=True, eq=False)
class InBox(Condition):
    """The piece is in the box."""

    item: Op
    optional: bool


@dataclass(frozen=True, eq=False)
class InRanges(Condition):
    """first <= item < first + count for one of the ranges."""

    item: Op
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class IsNone(Condition):
    """The value is none."""

    of: Op
    none: int


@dataclass(frozen=True, eq=False)
class IsEmpty(Condition):
    """The set has no element."""

    of: Op


@dataclass(frozen=True, eq=False)
class IsFull(Condition):
    """The list has as many pieces as it can hold."""

    of: Op
    capacity: int


@dataclass(frozen=True, eq=False)
class HasBit(Condition):
    """That bit of the mask is set."""

    mask: Op
    number: int


@dataclass(frozen=True, eq=False)
class InRange(Op):
    """The value, or a fault if it is out of the range of what is called `name`."""

    value: Op
    low: int
    high: int
    name: str


@dataclass(frozen=True, eq=False)
class Fitting(Op):
    """The same for an argument or an index; `what` names it in words."""

    value: Op
    low: int
    high: int
    what: str


@dataclass(frozen=True, eq=False)
class Filled(Op):
    """The piece of a slot that is never empty, or a fault if nothing is there."""

    value: Op
    name: str


# ---------------------------------------------------------------------------- what is running, what is known


@dataclass(frozen=True, eq=False)
class RuleRunning(Condition):
    """A frame of that rule is on the stack."""

    rule: str


@dataclass(frozen=True, eq=False)
class CellRunning(Condition):
    """That cell is being performed."""

    cell: Op


@dataclass(frozen=True, eq=False)
class IsKnown(Condition):
    """The player knows which piece this is."""

    piece: Op
    player: Op


@dataclass(frozen=True, eq=False)
class OnTrial(Condition):
    """This is a trial, not the game."""


@dataclass(frozen=True, eq=False)
class Unsure(Condition):
    """Neither yes nor no."""


@dataclass(frozen=True, eq=False)
class IsUnsure(Condition):
    """The answer is neither yes nor no."""

    answer: Op
