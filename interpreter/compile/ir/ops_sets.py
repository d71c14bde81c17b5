"""Operations on sets: what is said of some or all, picked out, counted, joined; the seats that are still in."""

from __future__ import annotations

from typing import Literal

from ..meta import STEP
from .nodes import Condition, Op, Part

__all__ = [
    "All", "Append", "Best", "Concatenate", "Count", "CountWhere", "Counted", "Distinct", "Element", "End", "Every",
    "Extreme", "ExtremeOf", "Fingerprint", "First", "Following", "Join", "JoinItem", "Listed",
    "Memory", "NextSeat", "Position", "Range", "SeatsIn", "Some", "StillIn", "SumOf", "The", "ToldBy",
    "Tuple", "TurnedTo", "Unskipped", "UpTo", "WalkOn", "Without",
]  # fmt: skip

ToldBy = Literal["row", "key"]  # pieces are told apart by what is printed on them, or by what lies on them too


# ---------------------------------------------------------------------------- sets


class Over(Op):
    """Goes over a set; `local` is each of its elements in turn."""

    local: str
    source: Op

    binds = ("local",)


class Filtered(Over):
    """Goes over those elements of a set that satisfy `where`."""

    where: Op | None


class Some(Condition, Filtered):
    """At least one of the elements that satisfy `where` satisfies `has`."""

    has: Op


class Every(Condition, Filtered):
    """All elements that satisfy `where` satisfy `has`."""

    has: Op


class Listed(Over):
    """The value of each, in order, equal ones too."""

    value: Op


class Fingerprint(Op):
    """All numbers of the parts as the digits, of 32 bits each, of one large number: what is left of it when it is
    divided by `prime`. Behind the elements of a set comes their number. A negative number counts as its 32 bits."""

    parts: tuple[Op, ...]
    prime: int


class All(Over):
    """A set of its own, sorted if there is a key."""

    where: Op | None = None
    direction: str | None = None
    key: Op | None = None


class UpTo(Over):
    """The elements up to the first that satisfies `stop`, that one included."""

    stop: Op


class Best(Filtered):
    """All that are tied for the most or the least."""

    best: str
    measure: Op


class Counted(Op):
    """The same set; for each of its elements `weight` units are counted against the limit of steps (`work.py`)."""

    source: Op
    weight: int = STEP


class Distinct(Op):
    """The first piece of each row, of a sorted set of pieces."""

    source: Op


class The(Op):
    """The only element, or none."""

    of: Op


class First(Filtered):
    """The first with that condition, or none."""


class End(Op):
    """The first or last element, or none."""

    of: Op
    which: Literal["first", "last"]


class Count(Op):
    """How many elements there are."""

    of: Op


class CountWhere(Over):
    """How many satisfy `where`."""

    where: Op


class SumOf(Filtered):
    """The values of all, added up."""

    value: Op


class ExtremeOf(Op):
    """The largest or smallest value."""

    which: str
    local: str
    source: Op
    where: Op | None
    value: Op
    otherwise: Op | None

    binds = ("local",)


class Extreme(Op):
    """The largest or smallest of these."""

    which: str
    items: tuple[Op, ...]


class Range(Op):
    """low..high, both included."""

    low: Op
    high: Op


class JoinItem(Part):
    """An element (left out if it is `none`), or a set."""

    of: Op
    is_set: bool
    none: int | None = None


class Join(Op):
    """Everything, without repetition."""

    items: tuple[JoinItem, ...]


class Concatenate(Op):
    """One after the other, repetitions kept."""

    items: tuple[JoinItem, ...]


class Without(Op):
    """The set without an element or without another set."""

    source: Op
    left_out: Op
    is_set: bool


class TurnedTo(Op):
    """The set turned round to begin with that element."""

    source: Op
    item: Op


class Following(Op):
    """What follows that element, round to the one before it."""

    source: Op
    item: Op


class Element(Op):
    """The element at that position, counted from 0."""

    source: Op
    position: Op


class Append(Op):
    """The set with one more at its end."""

    source: Op
    item: Op


class Position(Op):
    """Where the element is, counted from 1; 0 if it is not there."""

    source: Op
    item: Op


class WalkOn(Op):
    """The position behind the piece, or the old position if it has gone."""

    row: Op
    piece: Op
    old: Op


class Tuple(Op):
    """Several values as one."""

    items: tuple[Op, ...]


class Memory(Op):
    """An empty memory for `Once`: by row or by key."""

    how: ToldBy


# ---------------------------------------------------------------------------- seats


class SeatsIn(Op):
    """The seats still in."""


class NextSeat(Op):
    """The next seat still in."""

    player: Op


class StillIn(Op):
    """That seat if it is still in, else the next that is, else none."""

    player: Op


class Unskipped(Op):
    """The first from that player on that is not skipped, or none.

    `local` is not in `binds`: `in turn p` reads p in `player` and tests another p in `skip`, and the first is free.
    """

    seats: Op
    player: Op
    local: str
    skip: Op
