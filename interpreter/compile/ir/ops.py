"""The operations of the IR: everything that has a value. Nothing here changes the state.

Each class says what its value is; its fields are its operands. A `Condition` is yes or no, and some may be unsure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ...check.value_types import VType
from .nodes import FLAG, Op, Part

__all__ = [
    "Address", "All", "And", "Answered", "Append", "Arithmetic", "Best", "Boxed", "CallValue", "CanCall", "CanPay",
    "CanPerform", "CellRunning", "Changed", "Cheapest", "CheapestTo", "ChosenSet", "Compare", "Concatenate",
    "Condition", "Conditional", "Contains", "Contents", "CostFrom", "Count", "CountWhere", "Counted", "Distinct",
    "Element", "End", "Every", "Extreme", "ExtremeOf", "Face", "First", "Fitting", "Following", "Formula",
    "Gathered", "Given", "Group", "Groups", "HasBit", "HasOption", "InBox", "InRange", "InRanges", "Indexed", "Inside",
    "InsideGroup", "IsBranch", "IsComplete", "IsEmpty", "IsFull", "IsKnown", "IsNone", "IsUnsure", "Join",
    "JoinItem", "Kept", "Listed", "LongestLine", "Lookup", "MapQuery", "MapTable", "Meets", "Memory", "NextSeat",
    "Not", "NothingElse", "Occurrences", "OnTrial", "OneOption", "OnlyPass", "OptionValue", "Or",
    "Otherwise", "Paid", "Picked", "Position", "Public", "Range", "Reach", "ReadField", "ReadSlot", "Rebased",
    "Result", "RuleRunning", "Score", "ScoreLine", "SeatsIn", "Sequence", "SlotContents", "Snapshot", "Some",
    "StillIn", "Stops", "SumOf", "Term", "The", "ToldBy", "Tuple", "TurnedTo", "Unary", "Unskipped", "Unsure", "WalkOn",
    "WhereIs", "Without",
]  # fmt: skip

Kept = Literal["fields", "counts"]
ToldBy = Literal["row", "key"]  # pieces are told apart by what is printed on them, or by what lies on them too
Stops = tuple[tuple[int, int], ...]  # runs of nodes (first, count) that are reached and not passed


@dataclass(frozen=True, eq=False)
class Condition(Op):
    """An operation whose value is yes or no."""

    type: VType = field(default=FLAG, kw_only=True)


# ---------------------------------------------------------------------------- reading the state


@dataclass(frozen=True, eq=False)
class Sequence(Op):
    """A constant set."""

    values: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Term(Part):
    """One index of an address."""

    index: Op
    stride: int
    low: int


@dataclass(frozen=True, eq=False)
class Address(Op):
    """base + sum of (index - low) * stride; -1 if `optional` and one index is none."""

    base: int
    terms: tuple[Term, ...]
    optional: bool


@dataclass(frozen=True, eq=False)
class ReadField(Op):
    """The number in the state array at that address; `none` if the address is -1."""

    address: Op
    none: int


@dataclass(frozen=True, eq=False)
class ReadSlot(Op):
    """The piece in the slot at that address, -1 if there is none."""

    address: Op


@dataclass(frozen=True, eq=False)
class Face(Op):
    """What a die shows."""

    die: Op


@dataclass(frozen=True, eq=False)
class Contents(Op):
    """The pieces of a list place, in its order. It is live: whoever keeps it must copy it."""

    address: Op


@dataclass(frozen=True, eq=False)
class Group(Op):
    """The pieces in `size` slots from that address on."""

    address: Op
    size: int


@dataclass(frozen=True, eq=False)
class SlotContents(Op):
    """The piece of one slot as a set of none or one."""

    address: Op


@dataclass(frozen=True, eq=False)
class Boxed(Op):
    """The pieces of these ranges (first, count) that are in the box."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Lookup(Op):
    """A constant table; index -1 gives none at every level."""

    table: str
    index: Op
    more: tuple[Op, ...] = ()


@dataclass(frozen=True, eq=False)
class Indexed(Op):
    """The elements of a constant set whose printed attributes have these values."""

    index: str
    values: tuple[Op, ...]


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
    """The piece is in one of `size` places from `first` on."""

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


# ---------------------------------------------------------------------------- sets


@dataclass(frozen=True, eq=False)
class Some(Condition):
    """At least one of those with `where` has it."""

    local: str
    source: Op
    where: Op | None
    has: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Every(Condition):
    """All of those with `where` have it."""

    local: str
    source: Op
    where: Op | None
    has: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Gathered(Op):
    """Those that meet all tests, in no order, for `Meets`."""

    local: str
    source: Op
    tests: tuple[Op, ...]

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Meets(Condition):
    """A gathered set and another set have an element in common."""

    gathered: Op
    other: Op


@dataclass(frozen=True, eq=False)
class Listed(Op):
    """The value of each, for `Occurrences`."""

    local: str
    source: Op
    value: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Occurrences(Op):
    """How often the value comes in such a list."""

    listed: Op
    value: Op


@dataclass(frozen=True, eq=False)
class All(Op):
    """A set of its own, sorted if there is a key."""

    local: str
    source: Op
    where: Op | None = None
    direction: str | None = None
    key: Op | None = None

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Best(Op):
    """All that are tied for the most or the least."""

    local: str
    source: Op
    where: Op | None
    best: str
    measure: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Counted(Op):
    """The same set; as many steps as it has elements are counted against the limit."""

    source: Op


@dataclass(frozen=True, eq=False)
class Distinct(Op):
    """The first piece of each row, of a sorted set of pieces."""

    source: Op


@dataclass(frozen=True, eq=False)
class The(Op):
    """The only element, or none."""

    of: Op


@dataclass(frozen=True, eq=False)
class First(Op):
    """The first with that condition, or none."""

    local: str
    source: Op
    where: Op | None

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class End(Op):
    """The first or last element, or none."""

    of: Op
    which: Literal["first", "last"]


@dataclass(frozen=True, eq=False)
class Count(Op):
    """How many elements there are."""

    of: Op


@dataclass(frozen=True, eq=False)
class CountWhere(Op):
    """How many have it."""

    local: str
    source: Op
    where: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class SumOf(Op):
    """The values of all, added up."""

    local: str
    source: Op
    where: Op | None
    value: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class ExtremeOf(Op):
    """The largest or smallest value."""

    which: str
    local: str
    source: Op
    where: Op | None
    value: Op
    otherwise: Op | None

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class Extreme(Op):
    """The largest or smallest of these."""

    which: str
    items: tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class Range(Op):
    """low..high, both included."""

    low: Op
    high: Op


@dataclass(frozen=True, eq=False)
class JoinItem(Part):
    """An element (left out if it is `none`), or a set."""

    of: Op
    is_set: bool
    none: int | None = None


@dataclass(frozen=True, eq=False)
class Join(Op):
    """Everything, without repetition."""

    items: tuple[JoinItem, ...]


@dataclass(frozen=True, eq=False)
class Concatenate(Op):
    """One after the other, repetitions kept."""

    items: tuple[JoinItem, ...]


@dataclass(frozen=True, eq=False)
class Without(Op):
    """The set without an element or without another set."""

    source: Op
    left_out: Op
    is_set: bool


@dataclass(frozen=True, eq=False)
class TurnedTo(Op):
    """The set turned round to begin with that element."""

    source: Op
    item: Op


@dataclass(frozen=True, eq=False)
class Following(Op):
    """What follows that element, round to the one before it."""

    source: Op
    item: Op


@dataclass(frozen=True, eq=False)
class Element(Op):
    """The element at that position, counted from 0."""

    source: Op
    position: Op


@dataclass(frozen=True, eq=False)
class Append(Op):
    """The set with one more at its end."""

    source: Op
    item: Op


@dataclass(frozen=True, eq=False)
class Position(Op):
    """Where the element is, counted from 1; 0 if it is not there."""

    source: Op
    item: Op


@dataclass(frozen=True, eq=False)
class WalkOn(Op):
    """The position behind the piece, or the old position if it has gone."""

    row: Op
    piece: Op
    old: Op


@dataclass(frozen=True, eq=False)
class Tuple(Op):
    """Several values as one."""

    items: tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class Memory(Op):
    """An empty memory for `Once`: by row or by key."""

    how: ToldBy


# ---------------------------------------------------------------------------- seats


@dataclass(frozen=True, eq=False)
class SeatsIn(Op):
    """The seats still in."""


@dataclass(frozen=True, eq=False)
class NextSeat(Op):
    """The next seat still in."""

    player: Op


@dataclass(frozen=True, eq=False)
class StillIn(Op):
    """That seat if it is still in, else the next that is, else none."""

    player: Op


@dataclass(frozen=True, eq=False)
class Unskipped(Op):
    """The first from that player on that is not skipped, or none.

    `local` is not in `binds`: `in turn p` reads p in `player` and tests another p in `skip`, and the first is free.
    """

    seats: Op
    player: Op
    local: str
    skip: Op


# ---------------------------------------------------------------------------- calls and answers


@dataclass(frozen=True, eq=False)
class CallValue(Op):
    """What a pure routine gives."""

    routine: str
    args: tuple[Op, ...] = ()


@dataclass(frozen=True, eq=False)
class Formula(Op):
    """The value of a formula cell, 0 for none."""

    cell: Op
    player: Op


@dataclass(frozen=True, eq=False)
class CanCall(Condition):
    """The call can be carried through: the routine `known` may tell, else it is tried."""

    routine: str
    args: tuple[Op, ...]
    player: Op | None
    known: str | None


@dataclass(frozen=True, eq=False)
class Given(Part):
    """A value that is handed to the calls of a cell by name."""

    name: str
    value: Op


@dataclass(frozen=True, eq=False)
class CanPerform(Condition):
    """The cell can be performed."""

    cell: Op
    player: Op
    given: tuple[Given, ...] = ()


@dataclass(frozen=True, eq=False)
class CanPay(Condition):
    """The payment can be made."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class Paid(Op):
    """The pieces that go from that source for that cost."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]
    picks: Op
    cost: int
    source: int


@dataclass(frozen=True, eq=False)
class WhereIs(Op):
    """at, holder or under: where a piece lies, who has it, what carries it."""

    what: str
    piece: Op


@dataclass(frozen=True, eq=False)
class Public(Op):
    """The same, known to all from here on. `told` is the number of the function that can be asked for it again, with
    these arguments."""

    of: Op
    told: int
    args: tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class Score(Op):
    """The points of a player as they stand."""

    player: Op


@dataclass(frozen=True, eq=False)
class ScoreLine(Op):
    """A line of a score."""

    text: int
    args: tuple[Op, ...]
    points: Op


@dataclass(frozen=True, eq=False)
class Result(Op):
    """What the last framed call gave."""


@dataclass(frozen=True, eq=False)
class Picked(Op):
    """The value at that position of the option that was chosen, which is one of that branch."""

    site: int
    branch: int
    position: int


@dataclass(frozen=True, eq=False)
class Answered(Condition):
    """pass: passing was chosen, or that it is enough; skip: a set was skipped, nothing could be chosen."""

    what: Literal["pass", "skip"]


@dataclass(frozen=True, eq=False)
class HasOption(Condition):
    """Something has been offered."""


@dataclass(frozen=True, eq=False)
class OneOption(Condition):
    """A single option has been offered."""


@dataclass(frozen=True, eq=False)
class OnlyPass(Condition):
    """Nothing but passing has been offered."""


@dataclass(frozen=True, eq=False)
class IsComplete(Condition):
    """In place of options for the next pick: the set or payment has all it may have."""


@dataclass(frozen=True, eq=False)
class NothingElse(Condition):
    """A trial has found that no option of this question can be carried through, and asks what would come instead:
    `otherwise`, or going on without the choice. Said in place of an answer, to the question itself.
    """


@dataclass(frozen=True, eq=False)
class IsBranch(Condition):
    """An option of that branch was chosen."""

    site: int
    branch: int


@dataclass(frozen=True, eq=False)
class OptionValue(Op):
    """In a test of an option of that branch: its value at that position."""

    site: int
    branch: int
    position: int


@dataclass(frozen=True, eq=False)
class ChosenSet(Op):
    """In a test of an option: the set with that option picked too."""


# ---------------------------------------------------------------------------- comparing with before


@dataclass(frozen=True, eq=False)
class Snapshot(Op):
    """The numbers in fields, or how many pieces lie in each place (counts)."""

    kind: Kept
    base: int
    size: int


@dataclass(frozen=True, eq=False)
class Changed(Op):
    """The positions that have changed in that way since."""

    kind: Kept
    base: int
    size: int
    snapshot: Op
    change: str


@dataclass(frozen=True, eq=False)
class Rebased(Op):
    """The snapshot, moved on by what has changed since `before`."""

    snapshot: Op
    before: Op
    base: int
    size: int


# ---------------------------------------------------------------------------- maps


@dataclass(frozen=True, eq=False)
class MapTable(Op):
    """A constant of a map: neighbours, edges, ends, toward, border."""

    table: str
    indexes: tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class MapQuery(Op):
    """A question that a map answers by itself: distance, line, between, ring, spiral, edges_joining, edge_joining."""

    map: str
    what: str
    args: tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class Reach(Op):
    """What can be reached along these edges through these nodes; stops are reached and not passed."""

    map: str
    start: Op
    edge: str | None
    edges: Op | None
    edge_where: Op | None
    node: str | None
    nodes: Op | None
    node_where: Op | None
    stops: Stops
    every_edge: bool

    binds: ClassVar[tuple[str, ...]] = (
        "edge",
        "node",
    )


@dataclass(frozen=True, eq=False)
class Cheapest(Op):
    """The cost of the cheapest way, or the way itself."""

    map: str
    start: Op
    goal: Op
    edge: str
    edges: Op
    where: Op | None
    cost: Op
    stops: Stops
    every_edge: bool
    is_path: bool

    binds: ClassVar[tuple[str, ...]] = ("edge",)


@dataclass(frozen=True, eq=False)
class CheapestTo(Op):
    """The cheapest cost from every node to the goal, for `CostFrom`."""

    map: str
    goal: Op
    edge: str
    edges: Op
    where: Op | None
    cost: Op
    stops: Stops
    every_edge: bool

    binds: ClassVar[tuple[str, ...]] = ("edge",)


@dataclass(frozen=True, eq=False)
class CostFrom(Op):
    """The number there, or none."""

    costs: Op
    start: Op


@dataclass(frozen=True, eq=False)
class Groups(Op):
    """How many groups of neighbours there are, or the size of the largest."""

    map: str
    largest: bool
    local: str
    source: Op
    where: Op | None

    binds: ClassVar[tuple[str, ...]] = ("local",)


@dataclass(frozen=True, eq=False)
class LongestLine(Op):
    """The longest straight line through a node of nodes that have it."""

    map: str
    local: str
    through: Op
    where: Op

    binds: ClassVar[tuple[str, ...]] = ("local",)
