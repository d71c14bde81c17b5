"""The expressions of the checked program: each has a type, and every name in it is a declaration."""

from __future__ import annotations

from dataclasses import field

from ...diagnostics.source import NOWHERE, Span
from ..value_types import Maybe
from .declarations import (
    AttributeTable,
    ChartDecl,
    CurrencyDecl,
    Expr,
    FieldDecl,
    LocalDecl,
    MapDecl,
    Node,
    PlaceDecl,
    RuleDecl,
)


class CostDecl(Node):
    """pattern: None all_different all_equal among. Either a currency or a plain counter (field, indexes)."""

    amount: Expr
    currency: CurrencyDecl | None
    field: FieldDecl | None
    indexes: tuple[Expr, ...]
    pattern: str | None
    among: Expr | None


class Const(Expr):
    """A number of any type: flag, number, player, enum value, node, row with one copy (its piece), none."""

    value: int


class LocalVar(Expr):
    local: LocalDecl


class FieldRead(Expr):
    """`p.vp`, `fame`, `p.heat[clubs]`. If the owner may be none, so may the value."""

    field: FieldDecl
    owner: Expr | None
    indexes: tuple[Expr, ...]


class DieRef(Expr):
    """`dice[2]`: the number of a die. The index counts from 1."""

    field: FieldDecl
    owner: Expr | None
    index: Expr


class DiceGroup(Expr):
    """`dice` as a set of dice."""

    field: FieldDecl
    owner: Expr | None


class Face(Expr):
    """`d.face`"""

    die: Expr


class AttributeOf(Expr):
    """`c.value`, `p.board.price[red]`; of none it is none."""

    table: AttributeTable
    of: Expr
    indexes: tuple[Expr, ...]


class InRange(Expr):
    """A number that is tested at run time: an argument of a chart or rule, or an index, not proved to be in range.

    `what` names the use in words; none is accepted if the type is optional.
    """

    of: Expr
    low: int
    high: int
    what: str


class ChartCell(Expr):
    """`multiplier(round)`, `energy_track(n).bonus` (column of a chart with parameters)."""

    chart: ChartDecl
    column: str
    args: tuple[Expr, ...]


class PlaceRef(Expr):
    """`p.hand`, `market`, `p.tower[a][legs]` (slot given), `p.tower[a]` (all slots, slot None). Type: PlaceOf.

    A place whose owner is none is empty.
    """

    place: PlaceDecl
    owner: Expr | None
    indexes: tuple[Expr, ...]
    slot: Expr | None


class Box(Expr):
    """`box`. Type: PlaceOf(all kinds, box)."""


class SlotPiece(Expr):
    """A slot as an expression: its piece or none. Of a slot that is never empty it is the piece, which play tests."""

    place: PlaceRef

    @property
    def is_tested(self) -> bool:
        return self.place.place.never_empty and not isinstance(self.type, Maybe)


class EndOf(Expr):
    """`top of deck`, `last of line(…)`: the piece or element, or none. end: top bottom first last"""

    end: str
    of: Expr  # PlaceRef or a set


class Arithmetic(Expr):
    """op: + - * div mod"""

    op: str
    left: Expr
    right: Expr


class Negative(Expr):
    of: Expr


class Compare(Expr):
    """op: == != < <= > >=. With none on a side (or both) `==` is no, `!=` is yes, the others are no."""

    op: str
    left: Expr
    right: Expr


class Logic(Expr):
    """op: and or; from left to right, no further than needed."""

    op: str
    left: Expr
    right: Expr


class Not(Expr):
    of: Expr


class IfElse(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


class Otherwise(Expr):
    """`x otherwise y`: y if x is none."""

    value: Expr
    fallback: Expr


class Member(Expr):
    """`x in S`; S is a set or a place (also the box). None is in nothing."""

    item: Expr
    source: Expr


class IsKind(Expr):
    """`c is Kaiju`, `n is Square`, `p.at is Street`: the number lies in one of `ranges` (low, size)."""

    of: Expr
    ranges: tuple[tuple[int, int], ...]


class IsNone(Expr):
    of: Expr


class IsEmpty(Expr):
    """`S is empty`, of a place or a set."""

    of: Expr


class IsFull(Expr):
    of: PlaceRef


class RuleRunning(Expr):
    """`change_season is running`: a frame of the rule is on the stack."""

    rule: RuleDecl


class CellRunning(Expr):
    """`e is running`"""

    cell: Expr


class IsAutoma(Expr):
    player: Expr


class KnownTo(Expr):
    """`(top of deck) is known to p`"""

    piece: Expr
    player: Expr


class Binder(Node):
    """`c in p.hand where C by highest E`. `source` is a set or a place (then its contents, in its order)."""

    local: LocalDecl
    source: Expr
    where: Expr | None
    direction: str | None  # highest lowest
    key: Expr | None
    span: Span = field(default=NOWHERE, repr=False)


class Quantified(Expr):
    """`some x in S where A has C` (which: some every; `no` stands as Not of some)."""

    which: str
    binder: Binder
    has: Expr


class Selected(Expr):
    """which: all (a set), the (the only one, or strictly best, else none), first (in order, or none).

    best: None most least, with `measure`.
    """

    which: str
    binder: Binder
    best: str | None
    measure: Expr | None


class CountOf(Expr):
    """`count(S)`: of a set or a place."""

    of: Expr


class CountWhere(Expr):
    binder: Binder


class SumOf(Expr):
    value: Expr
    binder: Binder


class ListOf(Expr):
    """`E for x in S`: the value of each, repetitions kept. Only a part of a `Fingerprint`."""

    value: Expr
    binder: Binder


class Fingerprint(Expr):
    """A number below `prime` that stands for all its parts: single values, sets, places and lists, in their order.

    Equal parts give equal numbers. The parts of a history have two fingerprints with different primes, so that other
    parts hardly ever give the same pair.
    """

    parts: tuple[Expr, ...]
    prime: int


class ExtremeOf(Expr):
    """which: max min; `otherwise` is None only if the source is surely not empty."""

    which: str
    value: Expr
    binder: Binder
    otherwise: Expr | None


class Extreme(Expr):
    which: str
    items: tuple[Expr, ...]


class NumberRange(Expr):
    """`a..b` as a set; empty if b < a."""

    low: Expr
    high: Expr


class SetList(Expr):
    """`(a, b, S)`: elements (type T or T?, none left out) and sets or places joined, without repetition.

    `repeats` is set only for the source of a `for` over a list that names something twice (`for p in a, b, b, a`): then
    every item is visited as often as it is listed.
    """

    items: tuple[Expr, ...]
    repeats: bool = False


class Without(Expr):
    """Left out is an element or a set."""

    source: Expr
    left_out: Expr


class UpTo(Expr):
    """`x in S stopping at C`: the elements of the binder's source, in order, up to the first that satisfies its
    `where`, that one included."""

    binder: Binder


class StartingWith(Expr):
    """`players from p`: the source turned so that it begins with p."""

    source: Expr
    first: Expr


class Following(Expr):
    """`players after p`: those after p, round to the one before p."""

    source: Expr
    first: Expr


class AllOf(Expr):
    """Every value of a type, in order: `Kaiju`, `Cell`, `Colour`, `Direction`; domain gives the numbers."""

    domain: tuple[int, ...]


class Players(Expr):
    """`players`: seats still in, from seat 1; which: players, rivals (of `of`), everybody (all seats), nobody."""

    which: str
    of: Expr | None = None


class ValueCall(Expr):
    rule: RuleDecl
    args: tuple[Expr, ...]


class FormulaCall(Expr):
    """`d.points[upper](p)`; of none it is 0."""

    cell: Expr
    player: Expr


class Previous(Expr):
    """`previous` in an `instead of` a value; args None: the same arguments."""

    args: tuple[Expr, ...] | None


class CanCall(Expr):
    rule: RuleDecl
    args: tuple[Expr, ...]


class CanPerform(Expr):
    cell: Expr
    player: Expr


class CanPay(Expr):
    player: Expr
    costs: tuple[CostDecl, ...]


class Builtin(Expr):
    """name: next rival seat abs sign at holder under position public score.

    next(p), rival(p), seat(n), abs(n), sign(n), at(x) -> node?, holder(x) -> player?, under(x) -> piece?,
    position(x, place or set) -> number, public(e) -> e, score(p) -> number (in rank).
    """

    name: str
    args: tuple[Expr, ...]


class MapQuery(Expr):
    """name: neighbours edges joining edge ends distance is_border toward line between ring spiral; of one map.

    `edges(a, b)` is `joining`: the edges between two nodes.
    """

    name: str
    map: MapDecl
    args: tuple[Expr, ...]


class Reach(Expr):
    map: MapDecl
    start: Expr
    along: Binder | None
    through: Binder | None
    stopping_at: tuple[tuple[int, int], ...]  # number ranges of the node kind (low, size)


class Cheapest(Expr):
    map: MapDecl
    start: Expr
    goal: Expr
    along: Binder
    cost: Expr
    stopping_at: tuple[tuple[int, int], ...]
    is_path: bool = False  # `cheapest path`: the edges, in order, instead of their sum


class GroupsOf(Expr):
    map: MapDecl
    largest: bool
    binder: Binder


class LongestTrail(Expr):
    """`longest_trail(t.length for t in Track where C through n in Town where D)`; `value` None counts edges."""

    map: MapDecl
    binder: Binder
    value: Expr | None
    through: Binder | None


class LongestLine(Expr):
    """`longest_line(d through c where C)`: 0 if c itself does not satisfy C."""

    map: MapDecl
    local: LocalDecl
    through: Expr
    where: Expr
