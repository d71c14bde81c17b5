"""The checked program: everything about one game for one number of players, resolved and typed.

This is the language without its surface syntax: every name is resolved to a declaration, every expression has a type,
the acting player is explicit, effects called inside expressions are statements of their own before them, and all things
of the game (pieces, nodes, enum values, cells) are numbered. The compiler lowers it, the slow evaluator in the tests
walks it, the passes for visibility, loops and use read it. Nothing changes it after the checker.

Expressions and statements compare by identity. Their spans point into the rules files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import dataclass_transform

from ..diagnostics.source import NOWHERE, Span
from ..ruleset.gathered import Clause, Limits
from .value_types import Maybe, VType


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Node:
    """Makes every subclass a frozen dataclass that compares by identity, without a decorator on each of them."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False)(cls)


# ---------------------------------------------------------------------------- things with numbers


@dataclass(frozen=True)
class Dimension:
    """An index of an array: values low … low+size-1 of a type."""

    type: VType
    low: int
    size: int


@dataclass(frozen=True)
class EnumDecl:
    """`domain` lists the numbers of its values in the order written, `ids` their names in the same order.

    An enum that contains another shares its numbers, so that a value never needs converting. Enums that are joined in
    this way have the same `group`; between groups equal numbers mean nothing.
    """

    name: str
    ids: tuple[str, ...]
    domain: tuple[int, ...]
    names: tuple[str, ...]  # what people read
    span: Span = NOWHERE
    group: int = 0


@dataclass(frozen=True)
class KindDecl:
    """Pieces first … first+count-1. Rows of one kind are numbered over all kinds of the game."""

    name: str
    first: int
    count: int
    text: str
    unseen: str  # how a piece is named to players who do not know it: `a card`
    span: Span = NOWHERE


@dataclass(frozen=True)
class RowDecl:
    """A row of a table (or one combination of copy keys): its pieces are equal."""

    id: str
    kind: str
    name: str
    pieces: tuple[int, ...]
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True)
class PieceDecl:
    kind: str
    row: int  # index into Program.rows
    back: int  # pieces with different backs can be told apart face down


class AttributeTable(Node):
    """A printed attribute of pieces, enum values, nodes, edges or chart rows: constants.

    `values[i]` is the value of thing number i (numbered as its type says); one more entry at the end is none, so that
    index -1 gives none. With indexes, values[i] is a nested tuple over the dimensions, each again with none at the end.
    """

    name: str
    of: str  # piece, enum, node, edge, chart
    owner: str  # the kind, enum, node kind, edge kind or chart that declares it ('' if several kinds share it)
    type: VType
    dimensions: tuple[Dimension, ...]
    values: tuple[object, ...]
    is_back: bool = False


class ChartDecl(Node):
    """A total function of its parameters. `columns` has one table per column ('' for a plain chart). The row number is
    (argument - low) over `dimensions` in mixed radix; without parameters, the rows are in order."""

    name: str
    params: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    rows: int
    columns: dict[str, AttributeTable]
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


class MapDecl(Node):
    """A map over nodes first_node … ; all numbers here are the game's own (global) node and edge numbers.

    `toward[n][d]` is the neighbour in direction d or -1; `line_toward` the same for straight lines, whose directions
    are `line_directions` (a grid without diagonals has four directions and lines in eight; the opposite of a line
    direction is half way round). A second map over existing nodes lists them in `nodes`.
    """

    name: str
    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    neighbours: dict[int, tuple[int, ...]]
    edges_of: dict[int, tuple[int, ...]]
    ends: dict[int, tuple[int, int]]
    directions: tuple[str, ...]
    toward: dict[int, tuple[int, ...]]
    line_toward: dict[int, tuple[int, ...]]
    border: frozenset[int]
    shape: str
    positions: dict[int, tuple[float, float]]
    span: Span = NOWHERE
    line_directions: tuple[str, ...] = ()
    points: dict[int, tuple[int, ...]] = field(default_factory=dict)  # row, column of grids; q, r of hexes

    @property
    def form(self) -> str:
        """How rings go round: `hex`, `grid`, `diagonal` (a grid with diagonals), `walk` (rings, lines) or none."""
        if self.shape in ("hexagon", "rhombus", "triangle", "hexes"):
            return "hex"
        if self.shape == "grid":
            return "diagonal" if len(self.directions) == 8 else "grid"
        return "walk" if self.directions else ""


@dataclass(frozen=True)
class ThingDecl:
    """A node or an edge of a map."""

    id: str
    kind: str
    name: str
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True)
class NodeKindDecl:
    """Nodes (or edges) first … first+count-1."""

    name: str
    first: int
    count: int
    map: str


# ---------------------------------------------------------------------------- state


class FieldDecl(Node):
    """A counter, flag, reference or group of dice. Owner: table, player, piece, node or edge.

    `owner_dimension` is None for the table. `index` dimensions follow; the last one of a group of dice counts its dice
    from 1, and its type is Die. `start` is a number.
    """

    name: str
    owner: str
    owner_dimension: Dimension | None
    dimensions: tuple[Dimension, ...]
    type: VType
    visibility: str  # open secret hidden open_to_others
    capped: bool
    start: int
    is_dice: bool = False
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    is_history: bool = False  # it belongs to a history: nothing that people look at
    is_unset: bool = False  # it has no value before `setup` gives it one; `start` only fills its place


class PlaceDecl(Node):
    """shape: pile row pool hand bag slot slots. `slots` has one more dimension, `slot_dimension`.

    `capacity` is the largest number of pieces it can hold (1 for a slot); `limited` says whether that can be reached.
    """

    name: str
    owner: str
    owner_dimension: Dimension | None
    dimensions: tuple[Dimension, ...]
    shape: str
    slot_dimension: Dimension | None
    kinds: tuple[str, ...]
    visibility: str  # open secret hidden top_open open_to_others
    uncounted: bool
    capacity: int
    limited: bool
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    never_empty: bool = False  # of a slot: reading it while nothing is there is a fault

    @property
    def is_ordered(self) -> bool:
        return self.shape in ("pile", "row", "slots", "slot")


class CurrencyDecl(Node):
    """`sources` in the order offered. A counter that nobody lists is its own currency (sources: itself)."""

    name: str
    player: LocalDecl
    sources: tuple[CurrencySourceDecl, ...]
    span: Span = NOWHERE


class CurrencySourceDecl(Node):
    """Either `field` (a counter of the player) or `place` (pieces, told apart by `by`, going `back_to`)."""

    field: FieldDecl | None
    place: Expr | None
    by: AttributeTable | None
    as_any: bool
    back_to: Expr | None
    when: Expr | None


# ---------------------------------------------------------------------------- texts


class Template(Node):
    """A text with holes: strings and expressions in turn. `raw` is the key of translations.

    `written` is the original text of the rules, if the game rewords it.
    """

    parts: tuple[str | Expr, ...]
    raw: str
    span: Span = NOWHERE
    written: str | None = None


# ---------------------------------------------------------------------------- rules


class LocalDecl(Node):
    """A parameter or local of one rule; numbers count up from 0 within the rule, parameters first."""

    number: int
    name: str
    type: VType


@dataclass(eq=False)
class RuleDecl:
    """phase, action, free, effect, value, setup, play, hook (a hook's body, with the target's parameters).

    Mutable only while the checker builds it: bodies refer to one another.
    """

    name: str
    form: str
    params: tuple[LocalDecl, ...]
    result: VType | None
    text: Template | None = None
    body: tuple[Stmt, ...] = ()
    expression: Expr | None = None  # of a value written with `=`
    locals: tuple[LocalDecl, ...] = ()  # all of them, parameters included
    depth: int | None = None
    during: RuleDecl | None = None  # of a free action
    during_params: tuple[int, ...] = ()  # its own parameter that each argument of `during` is; () = any
    inside_actions: bool = False
    when: Expr | None = None  # of a hook: tested just before it would run
    before: tuple[RuleDecl, ...] = ()
    after: tuple[RuleDecl, ...] = ()
    instead: tuple[RuleDecl, ...] = ()  # asked in this order: the last layer first
    replaces: RuleDecl | None = None  # of an `instead of` hook: the rule it stands in for
    resets: tuple[FieldDecl, ...] = ()  # fields declared `this RULE` or `during RULE`
    lasting: tuple[FieldDecl, ...] = ()  # those of them that go back when it ends, too
    can_prevent: bool = False  # of a before hook: its body has `prevent`
    cites: tuple[str, ...] = ()
    layer: str = ""
    span: Span = NOWHERE


PAYOFF = "final__payoff"  # the value of what a game is worth to a player: nobody can write this name
HISTORY = "a history"  # the layer of the rules that a history brings with it: they belong to no file


class ChangeHook(Node):
    """`after p.vp rises`: `rule` has as parameters the owner (if there is one), the indexes, and `was` last (for a
    field; its old value). change: rises falls changes (field), grows shrinks becomes_empty (place)."""

    change: str
    field: FieldDecl | None
    place: PlaceDecl | None
    rule: RuleDecl


class MoveHook(Node):
    """`after c enters p.hand`: `rule` has as parameters the piece, then the owner (if any), then the indexes.

    motion: enters leaves.
    """

    motion: str
    place: PlaceDecl
    rule: RuleDecl


class CellCall(Node):
    """One call in an effect or formula cell. `args[i]` belongs to parameter i+1 (the player is parameter 0): an encoded
    value, or a Given with the name of what `perform` supplies."""

    rule: RuleDecl
    args: tuple[object, ...]
    takes_player: bool = True


@dataclass(frozen=True)
class Given:
    name: str


class CellDecl(Node):
    """An effect or formula written in a table cell: performed in order as one. Number = its index in Program.cells.

    Every piece has its own cell, even copies of one row, and two cells with equal text are different cells. Attribute
    tables contain these numbers. `same_as` is the first cell with the same calls, so that code is emitted only once.
    """

    number: int
    where: str  # `bw_2.action[lower]`
    calls: tuple[CellCall, ...]
    label: str | None
    same_as: int
    span: Span = NOWHERE


class ScoreBlock(Node):
    """`score p when C` with named lines."""

    player: LocalDecl
    when: Expr | None
    lines: tuple[ScoreLineDecl, ...]
    locals: tuple[LocalDecl, ...] = ()


class ScoreLineDecl(Node):
    label: Template
    value: Expr
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


class RankDecl(Node):
    """criteria: (direction highest|lowest, expression; None stands for the score), then maybe shared."""

    player: LocalDecl
    criteria: tuple[tuple[str, Expr | None], ...]
    shared: bool
    locals: tuple[LocalDecl, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True)
class AutomaDecl:
    seat: int  # from 0
    name: str
    first_options: bool


class Program(Node):
    name: str
    base: str
    title: str
    players: int
    seat_names: tuple[str, ...]  # one per seat: given names, else seat1 …
    automas: tuple[AutomaDecl, ...]
    limits: Limits
    fingerprint: str
    enums: dict[str, EnumDecl]
    kinds: dict[str, KindDecl]
    rows: tuple[RowDecl, ...]
    pieces: tuple[PieceDecl, ...]
    attributes: tuple[AttributeTable, ...]
    charts: dict[str, ChartDecl]
    maps: dict[str, MapDecl]
    node_kinds: dict[str, NodeKindDecl]
    edge_kinds: dict[str, NodeKindDecl]
    nodes: tuple[ThingDecl, ...]
    edges: tuple[ThingDecl, ...]
    fields: tuple[FieldDecl, ...]
    places: tuple[PlaceDecl, ...]
    currencies: dict[str, CurrencyDecl]
    rules: dict[str, RuleDecl]  # phases, actions, free actions, effects, values by name; 'setup' and 'play' too
    change_hooks: tuple[ChangeHook, ...]
    move_hooks: tuple[MoveHook, ...]
    cells: tuple[CellDecl, ...]
    scores: tuple[ScoreBlock, ...]
    rank: RankDecl | None
    payoff: RuleDecl | None  # a value of a player
    clauses: dict[str, Clause]
    constants: dict[str, int] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    language: str = "en"  # in which the rules are written
    # Found by the pass on secrets, for the worlds of the players: statements that write a field with something, or
    # because of something, that not all may know; and those that write or not, or here or there, as it says.
    unseen_writes: set[Stmt] = field(default_factory=set)
    unseen_turns: set[Stmt] = field(default_factory=set)
    # Those of `unseen_writes` that write something else than what was just chosen or picked; and locals that hold, in
    # one call at least, what not all may know.
    worked_out: set[Stmt] = field(default_factory=set)
    unseen_locals: set[LocalDecl] = field(default_factory=set)
    # Names for pieces that are chosen by somebody who may not see them: an option stands for where the piece lies.
    unseen_choices: set[LocalDecl] = field(default_factory=set)

    @property
    def free_actions(self) -> list[RuleDecl]:
        return [rule for rule in self.rules.values() if rule.form == "free"]

    def all_hooks(self) -> list[RuleDecl]:
        """Every hook body there is, in a fixed order."""
        woven = [hook for rule in self.rules.values() for hook in (*rule.before, *rule.instead, *rule.after)]
        return woven + [h.rule for h in self.change_hooks] + [h.rule for h in self.move_hooks]


# ---------------------------------------------------------------------------- expressions


class Expr(Node):
    type: VType
    span: Span = field(repr=False)


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
    """Of a place or a set."""

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


# ---------------------------------------------------------------------------- statements


class Stmt(Node):
    span: Span = field(repr=False)
    cites: tuple[str, ...] = field(kw_only=True, default=())


Block = tuple[Stmt, ...]


class Let(Stmt):
    local: LocalDecl
    value: Expr


class SetField(Stmt):
    """op: = += -=. `fits`: the checker has proved that the new value is in range."""

    field: FieldDecl
    owner: Expr | None
    indexes: tuple[Expr, ...]
    op: str
    value: Expr
    fits: bool


class SetFace(Stmt):
    die: Expr
    op: str
    value: Expr
    fits: bool


class CallRule(Stmt):
    """A phase, action or effect is run; its result goes to `result` if there is one."""

    rule: RuleDecl
    args: tuple[Expr, ...]
    if_possible: bool
    result: LocalDecl | None = None


class CallPrevious(Stmt):
    """`previous` or `previous(p, n + 1)` in an `instead of` an effect, phase or action."""

    args: tuple[Expr, ...] | None
    result: LocalDecl | None = None


class Perform(Stmt):
    cell: Expr
    given: tuple[tuple[str, Expr], ...]
    player: Expr
    if_possible: bool


class Require(Stmt):
    condition: Expr
    text: Template | None


class CounterAmount(Node):
    amount: Expr
    field: FieldDecl
    indexes: tuple[Expr, ...]
    fits: bool


class Gain(Stmt):
    player: Expr
    up_to: bool
    amounts: tuple[CounterAmount, ...]


class Lose(Stmt):
    player: Expr
    up_to: bool
    amounts: tuple[CounterAmount, ...]


class CostDecl(Node):
    """pattern: None all_different all_equal among. Either a currency or a plain counter (field, indexes)."""

    amount: Expr
    currency: CurrencyDecl | None
    field: FieldDecl | None
    indexes: tuple[Expr, ...]
    pattern: str | None
    among: Expr | None


class Pay(Stmt):
    player: Expr
    costs: tuple[CostDecl, ...]
    to: Expr | None


class Destination(Node):
    """position: None (as the place says) on_top on_bottom as_first as_last after; face: None up down"""

    place: Expr  # PlaceRef or Box
    position: str | None
    behind: Expr | None
    face: str | None


class MovePiece(Stmt):
    """`move x to P`; a piece that may be none is a refusal when it is."""

    piece: Expr
    to: Destination


class MoveSet(Stmt):
    """`move pair to heap`: a set of pieces, in order."""

    pieces: Expr
    to: Destination


class MoveSome(Stmt):
    """`move all x in S where C to P` (quantity all), `move 2 x in S …` (exactly), `move up to 2 …` (up_to)."""

    quantity: str
    count: Expr | None
    binder: Binder
    to: Destination


class MoveEach(Stmt):
    """`move all x in S to x.owner.reserve`: like MoveSome, but the destination depends on the piece that moves.

    It is evaluated for each piece as it moves; with `up_to` a piece whose destination is full stays where it is.
    """

    quantity: str
    count: Expr | None
    binder: Binder
    to: Destination


class Draw(Stmt):
    up_to: bool
    count: Expr
    source: PlaceRef
    to: Destination
    result: LocalDecl | None  # a piece if count is surely 1 (optional with up to), else a set


class Shuffle(Stmt):
    """`shuffle P`; `shuffle P into Q`: everything of P goes to Q, and Q is shuffled."""

    place: PlaceRef
    into: PlaceRef | None


class SwapPieces(Stmt):
    first: Expr
    second: Expr


class SwapPlaces(Stmt):
    first: PlaceRef
    second: PlaceRef


class PassOn(Stmt):
    """Every player's `place` goes to the neighbour; direction: left (to the next seat) right."""

    place: PlaceDecl
    direction: str


class Flip(Stmt):
    piece: Expr
    face: str


class Reveal(Stmt):
    """A piece, a set or place of pieces (`pieces`), a secret field (`field`), a die or a set of dice (`dice`).

    Shown to `to`, or to everybody.
    """

    pieces: Expr | None
    field: FieldRead | None
    to: Expr | None
    dice: Expr | None = None


class Roll(Stmt):
    """A die (DieRef or a local) or a group (DiceGroup)."""

    dice: Expr


class Choose(Stmt):
    """Binds all its locals in one decision. `body` is the block it lives in; None: the rest of the enclosing one."""

    player: Expr
    binders: tuple[Binder, ...]
    secretly: bool
    text: Template | None
    if_possible: bool
    body: Block | None


class ChooseSet(Stmt):
    """low None: 0; high None: as many as there are (`any`)."""

    player: Expr
    low: Expr | None
    high: Expr | None
    binder: Binder
    chosen: LocalDecl
    such_that: Expr | None
    secretly: bool
    text: Template | None
    if_possible: bool
    body: Block | None


class BranchDecl(Node):
    """A line of `choose one`: label, binders, condition, block. A line that calls an action is a branch whose block is
    that call, with the action's text as `label` (its holes filled from the arguments) and `is_call` set: it is offered
    only if the call can be carried through to its end."""

    label: Template
    binders: tuple[Binder, ...]
    condition: Expr | None
    body: Block
    otherwise: bool
    is_call: bool = False
    cites: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, repr=False)


class ChooseOne(Stmt):
    player: Expr
    text: Template | None
    branches: tuple[BranchDecl, ...]


class May(Stmt):
    """`may "label" for x in S if C` + block, or pass (+ `otherwise` block)."""

    player: Expr
    repeatedly: bool
    branch: BranchDecl
    otherwise: Block


class Pick(Stmt):
    """preferring: conditions in order, None among them is `any`; empty: the first."""

    binder: Binder
    at_random: bool
    preferring: tuple[Expr | None, ...]
    if_possible: bool
    body: Block | None


class Pause(Stmt):
    player: Expr
    text: Template


class If(Stmt):
    condition: Expr
    then: Block
    otherwise: Block


class For(Stmt):
    """Over what the source was when the loop began. `ordered_by`: that player says which comes next."""

    binder: Binder
    ordered_by: Expr | None
    body: Block


class Walk(Stmt):
    local: LocalDecl
    place: PlaceRef
    body: Block


class Repeat(Stmt):
    times: Expr | None
    body: Block


class While(Stmt):
    condition: Expr
    at_most: Expr | None
    body: Block


class InTurn(Stmt):
    """last_round: None finishing each_once_more"""

    local: LocalDecl
    start: Expr
    skipping: Expr | None
    until: Expr | None
    last_round: str | None
    body: Block


class Together(Stmt):
    local: LocalDecl
    source: Expr
    text: Template | None
    body: Block


class AnyOrder(Stmt):
    player: Expr
    branches: tuple[BranchDecl, ...]


class FirstPossible(Stmt):
    """CallRule and Perform statements only."""

    body: Block


class Stop(Stmt):
    """Leave the loop."""


class Done(Stmt):
    """Leave the rule."""


class ResultIs(Stmt):
    value: Expr


class Prevent(Stmt):
    """In a before hook: the hooked rule, its later before hooks and its after hooks do not happen."""


class Say(Stmt):
    text: Template
    to: Expr | None


class Wins(Stmt):
    """A player or a set of players. `unscored`: nobody counts points any more."""

    player: Expr
    text: Template | None
    unscored: bool = False


class Loses(Stmt):
    player: Expr
    text: Template | None
    unscored: bool = False


class DropsOut(Stmt):
    player: Expr
    text: Template | None


class EndGame(Stmt):
    text: Template | None
