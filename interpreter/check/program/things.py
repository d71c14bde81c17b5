"""The things of a game, all with numbers, and its state: fields, places, currencies."""

from __future__ import annotations

from dataclasses import field

from ...diagnostics.source import NOWHERE, Span
from ...files.records import Value
from ..value_types import VType
from .base import Expr, LocalDecl, Node

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
