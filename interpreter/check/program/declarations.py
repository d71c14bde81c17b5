"""What everything in the checked program is made of (nodes, expressions, statements, locals, texts); the things of a
game, all with numbers, and its state: fields, places, currencies; rules with their hooks and cells, scores and ranking,
and the program that holds everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...diagnostics.source import NOWHERE, Span
from ...files.records import Frozen, Value
from ...ruleset.gathered import Clause, Limits
from ..value_types import VType


class Node(Frozen):
    """Compares by identity: two equal texts in the rules are two places."""


class Expr(Node):
    type: VType
    span: Span = field(repr=False)


class Stmt(Node):
    span: Span = field(repr=False)
    cites: tuple[str, ...] = field(kw_only=True, default=())


Block = tuple[Stmt, ...]
Exprs = tuple[Expr, ...]


class LocalDecl(Node):
    """A parameter or local of one rule; numbers count up from 0 within the rule, parameters first."""

    number: int
    name: str
    type: VType


class Template(Node):
    """A text with holes: strings and expressions in turn. `raw` is the key of translations.

    `written` is the original text of the rules, if the game rewords it.
    """

    parts: tuple[str | Expr, ...]
    raw: str
    span: Span = NOWHERE
    written: str | None = None


# ---------------------------------------------------------------------------- things with numbers


class Dimension(Value):
    """An index of an array: values low … low+size-1 of a type."""

    type: VType
    low: int
    size: int


class EnumDecl(Value):
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


class KindDecl(Value):
    """Pieces first … first+count-1. Rows of one kind are numbered over all kinds of the game."""

    name: str
    first: int
    count: int
    text: str
    unseen: str  # how a piece is named to players who do not know it: `a card`
    span: Span = NOWHERE


class RowDecl(Value):
    """A row of a table (or one combination of copy keys): its pieces are equal."""

    id: str
    kind: str
    name: str
    pieces: tuple[int, ...]
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


class PieceDecl(Value):
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


class ThingDecl(Value):
    """A node or an edge of a map."""

    id: str
    kind: str
    name: str
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


class NodeKindDecl(Value):
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


StateDecl = FieldDecl | PlaceDecl


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


# ---------------------------------------------------------------------------- rules, and all together


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

    @property
    def hooks(self) -> tuple[RuleDecl, ...]:
        """Those that are woven into it."""
        return (*self.before, *self.instead, *self.after)


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
    tables contain these numbers.
    """

    number: int
    calls: tuple[CellCall, ...]
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
    # Found by the pass on secrets, for the worlds of the players: statements that write something, or write
    # because of something, that not everybody may know; and those where a secret decides whether or where they write.
    unseen_writes: set[Stmt] = field(default_factory=set)
    unseen_turns: set[Stmt] = field(default_factory=set)
    # Decisions between several ways that nobody sees being made, with such a statement on one of them.
    unseen_answers: set[Stmt] = field(default_factory=set)
    # Those of `unseen_writes` that write something else than what was just chosen or picked; and locals that hold, in
    # one call at least, what not everybody may know.
    worked_out: set[Stmt] = field(default_factory=set)
    unseen_locals: set[LocalDecl] = field(default_factory=set)
    # Open fields that the rules read of a piece which may lie where somebody does not see it.
    read_unseen: set[FieldDecl] = field(default_factory=set)
    # Numbers and spaces picked at random out of a set that not everybody knows.
    varying_picks: set[LocalDecl] = field(default_factory=set)
    # Statements that do something openly because of what a closed piece is, and that piece, which was chosen openly; of
    # a set the place that it was chosen from.
    open_uses: dict[Stmt, LocalDecl | Expr] = field(default_factory=dict)
    # Branches whose label tells all something about a piece that stays closed, and lines that tell it to one player.
    telling_labels: set[Node] = field(default_factory=set)
    # Holes of lines of the log that tell all what lies unseen: worlds must give the same, as with `public`.
    told_holes: set[Expr] = field(default_factory=set)
    # Kinds of which a piece may have gone into the box, or out of it, without everybody seeing which.
    boxed_unseen: set[str] = field(default_factory=set)
    # What is moved to the box out of a closed place after an open choice: all are shown it as it goes.
    boxed_openly: set[Expr] = field(default_factory=set)
    # What is moved out of an order in which all know where it lay: everybody can tell which position it left.
    moved_from_spots: set[Expr] = field(default_factory=set)
    # Moves to a position of a closed order that not everybody knows (`move c to deck after deck[n]`), with the name of
    # the player who does, or the number of the seat, if somebody does.
    unseen_spots: dict[Node, LocalDecl | int | None] = field(default_factory=dict)
    # Names for pieces that are chosen by somebody who may not see them: an option stands for where the piece lies.
    unseen_choices: set[LocalDecl] = field(default_factory=set)

    @property
    def free_actions(self) -> list[RuleDecl]:
        return [rule for rule in self.rules.values() if rule.form == "free"]

    def all_rules(self) -> list[RuleDecl]:
        """Every rule and every hook."""
        return [*self.rules.values(), *self.all_hooks()]

    def all_hooks(self) -> list[RuleDecl]:
        """Every hook body there is, in a fixed order."""
        woven = [hook for rule in self.rules.values() for hook in rule.hooks]
        return woven + [h.rule for h in self.change_hooks] + [h.rule for h in self.move_hooks]
