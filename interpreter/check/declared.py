"""Everything a game declares, numbered and typed, before any rule body is elaborated.

`declare` fills a `Declared` from the gathered game; the elaboration of bodies reads it. State is grouped by owner: the
table, the players, a kind, a node or edge kind.

A `Draft` is the working data of that step. Tables are read before rules are declared, but effect cells call rules. So a
cell is numbered at once, and its text waits in the draft until the signatures are known (`cells.py` then resolves it).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, Unpack

from ..diagnostics.diagnostic import Details, Diagnostics
from ..diagnostics.source import Span
from ..ruleset.gathered import Gathered, Placed, Row, TableFile
from ..syntax import nodes
from ..syntax import nodes as tree  # where `nodes` are those of the maps
from . import program as p
from .program import Dimension, FieldDecl
from .uses import Uses
from .value_types import EffectCell, FormulaCell, Kinded, MapEdge, MapNode, Piece, VType


@dataclass
class ConstantDecl:
    name: str
    type: VType
    value: int
    span: Span


@dataclass
class RuleSource:
    """A rule's signature, with the tree that its body is elaborated from. Hooks, setup and play have one too."""

    rule: p.RuleDecl
    node: nodes.Declaration
    defaults: tuple[int | None, ...] = ()  # encoded default of each parameter, None if it has none


@dataclass
class Declared:
    gathered: Gathered
    found: Diagnostics
    players: int
    seat_names: dict[str, int] = field(default_factory=dict)  # seat1 …, given names, automa names -> 0-based
    constants: dict[str, ConstantDecl] = field(default_factory=dict)
    enums: dict[str, p.EnumDecl] = field(default_factory=dict)
    kinds: dict[str, p.KindDecl] = field(default_factory=dict)
    rows: list[p.RowDecl] = field(default_factory=list)
    pieces: list[p.PieceDecl] = field(default_factory=list)
    charts: dict[str, p.ChartDecl] = field(default_factory=dict)
    maps: dict[str, p.MapDecl] = field(default_factory=dict)
    node_kinds: dict[str, p.NodeKindDecl] = field(default_factory=dict)
    edge_kinds: dict[str, p.NodeKindDecl] = field(default_factory=dict)
    nodes: list[p.ThingDecl] = field(default_factory=list)
    edges: list[p.ThingDecl] = field(default_factory=list)
    # attributes by (of, name): of is 'piece', 'node', 'edge' or 'enum:NAME', 'chart:NAME'; one table over all
    # pieces for an attribute name that several kinds share. A kind that declares the name with other indexes or
    # another sort of value than the first kind has a table of its own, under 'piece:KIND': ask `attribute_of`.
    attributes: dict[tuple[str, str], p.AttributeTable] = field(default_factory=dict)
    # which kinds (node kinds, edge kinds) declare an attribute, and its type there: (kind, name) -> type
    attribute_types: dict[tuple[str, str], VType] = field(default_factory=dict)
    # state by owner: 'table', 'player', or the name of a kind, node kind or edge kind
    state: dict[str, dict[str, p.StateDecl]] = field(default_factory=dict)
    scopes: dict[str, list[p.FieldDecl]] = field(default_factory=dict)  # rule name -> fields declared `this RULE`
    lasting: set[tuple[p.FieldDecl, str]] = field(default_factory=set)  # those `during RULE`, with the rule
    rules: dict[str, RuleSource] = field(default_factory=dict)
    hooks: list[RuleSource] = field(default_factory=list)  # in running order; targets not yet resolved
    cells: list[p.CellDecl] = field(default_factory=list)
    automas: list[p.AutomaDecl] = field(default_factory=list)
    histories: dict[str, tree.History] = field(default_factory=dict)
    seats_may_drop: bool = False  # whether a rule says `drops out`
    dice: int = 0  # how many dice there are; numbered by field as declared, then owner, indexes, die
    # cache of answers about types; used only once all tables are numbered (None before)
    answers: dict[tuple[str, VType], object] | None = None
    uses: Uses = field(default_factory=Uses)  # what each name in the text refers to

    def error(self, code: str, headline: str, span: Span, label: str = "", **more: Unpack[Details]) -> None:
        self.found.error(code, headline, span, label, **more)

    @property
    def type_names(self) -> tuple[str, ...]:
        """Every word that means a type, except `Direction`."""
        return (*self.enums, *self.kinds, *self.node_kinds, *self.edge_kinds)

    def kind_named(self, name: str) -> Kinded | None:
        """The kind of pieces, nodes or edges of this name."""
        sorts: tuple[Kinded, ...] = (Piece((name,)), MapNode((name,)), MapEdge((name,)))
        return next((of for of in sorts if name in self.kinds_like(of)), None)

    def kinds_like(self, of: Kinded) -> Mapping[str, p.KindDecl | p.NodeKindDecl]:
        """All kinds of pieces, of nodes or of edges, whichever sort the type is of."""
        if isinstance(of, Piece):
            return self.kinds
        return self.node_kinds if isinstance(of, MapNode) else self.edge_kinds

    def union(self, of: Kinded, names: Collection[str]) -> Kinded:
        """The type of things of all these kinds, in the order in which they are declared."""
        return type(of)(tuple(kind for kind in self.kinds_like(of) if kind in names))

    def holders_of(self, kinds: Collection[str]) -> set[str]:
        """Whoever has a place for one of these kinds, as in the keys of `state`."""
        return {
            owner
            for owner, states in self.state.items()
            if any(isinstance(one, p.PlaceDecl) and not set(kinds).isdisjoint(one.kinds) for one in states.values())
        }

    def carriers_of(self, kinds: Collection[str]) -> set[str]:
        """The kinds themselves, and all kinds of pieces that may carry them, or carry what carries them."""
        found = set(kinds)
        while more := (self.holders_of(found) & self.kinds.keys()) - found:
            found |= more
        return found

    def attribute_of(self, of: str, kind: str, name: str) -> p.AttributeTable | None:
        """The table of an attribute of a kind of pieces (`of` is piece), nodes or edges; None if the kind has none."""
        if (kind, name) not in self.attribute_types:
            return None
        return self.attributes.get((f"{of}:{kind}", name)) or self.attributes.get((of, name))


# ---------------------------------------------------------------------------- working data


D = TypeVar("D", bound=nodes.Declaration)
T = TypeVar("T", nodes.Enum, nodes.Kind)


@dataclass(frozen=True)
class CellText:
    """An effect or formula as written in a table; there is one for each piece, node or row that has it."""

    text: str
    span: Span
    type: EffectCell | FormulaCell


@dataclass(frozen=True)
class Column:
    """An attribute as a table column: `price[Colour]: 1..4 = 2`. `default` is set if `has_default`."""

    name: str
    owner: str  # the owner as named in messages: `Kaiju`, `chart steps`
    type: VType
    dimensions: tuple[Dimension, ...]
    span: Span
    is_back: bool = False
    has_default: bool = False
    default: object = None
    is_sound: bool = True  # its type could be resolved


@dataclass
class Draft:
    declared: Declared
    pending: list[CellText] = field(default_factory=list)  # by the number of the cell
    # kinds of pieces, nodes and edges: their columns, in the order declared
    columns: dict[str, list[Column]] = field(default_factory=dict)
    origins: dict[int, str] = field(default_factory=dict)  # row number -> id of the table row it was made from
    # the value of each piece, node or edge of a kind: (kind, column name) -> values, with effect cells as CellText
    read: dict[tuple[str, str], list[object]] = field(default_factory=dict)
    map_rows: dict[str, tuple[Row, ...]] = field(default_factory=dict)  # node and edge kinds that come from a file

    first_types: dict[str, nodes.Name] = field(default_factory=dict)
    started: list[FieldDecl] = field(default_factory=list)  # fields that need no check of their start value

    def all(self, form: type[D]) -> Iterator[tuple[D, Placed]]:
        """The declarations of one form, each with its layer, in the order of the layers."""
        for placed in self.declared.gathered.declarations:
            if isinstance(placed.declaration, form):
                yield placed.declaration, placed

    def types(self, form: type[T]) -> Iterator[tuple[T, Placed]]:
        """The enums or kinds, each with its layer. A second declaration of a name is reported and left out."""
        return ((declaration, placed) for declaration, placed in self.all(form) if self.is_first(declaration.name))

    def rows(self, placed: Placed, file: nodes.Name | None) -> tuple[Row, ...]:
        """The rows of the table that a declaration names; none if it names no table or that could not be read."""
        table = self.table(placed, file) if file is not None else None
        return table.rows if table is not None else ()

    def type_names(self) -> Iterator[tuple[nodes.Name, str]]:
        """The name of every declared type, and what sort of type it is."""
        for placed in self.declared.gathered.declarations:
            match placed.declaration:
                case nodes.Enum(name=name):
                    yield name, "enum"
                case nodes.Kind(name=name):
                    yield name, "kind"
                case nodes.Map(nodes=node_kinds, edges=edge_kinds):
                    yield from ((kind.name, "node kind") for kind in node_kinds)
                    yield from ((kind.name, "edge kind") for kind in edge_kinds)
                case _:
                    continue

    def is_first(self, name: nodes.Name) -> bool:
        """True if this is the first declaration of the type. A second one is reported and otherwise ignored."""
        if not self.first_types:
            for declared, _ in self.type_names():
                self.first_types.setdefault(declared.text, declared)
        return self.first_types[name.text] is name

    def add_column(self, kind: str, column: Column, span: Span) -> bool:
        """Adds a column to a kind of pieces, nodes or edges; False, and a finding, if there is one of that name."""
        columns = self.columns.setdefault(kind, [])
        earlier = next((other for other in columns if other.name == column.name), None)
        if earlier is not None:
            self.declared.error("R0310", f"`{column.name}` of {kind} is declared twice", span, first=earlier.span)
            return False
        columns.append(column)
        return True

    @property
    def is_core(self) -> bool:
        """True for a core, which may leave constants and rules for the game to fill in."""
        return any(game.is_core for game, _ in self.all(nodes.Game))

    def table(self, placed: Placed, file: nodes.Name) -> TableFile | None:
        """The rows read from a file; None if it could not be read (reported by the previous stage)."""
        return self.declared.gathered.tables.get((str(placed.layer.folder), file.text))

    def instance(self, value: object) -> object:
        """A value read from a table, with a new number for every effect in it."""
        if isinstance(value, CellText):
            self.pending.append(value)
            return len(self.pending) - 1
        if isinstance(value, tuple):
            return tuple(map(self.instance, value))
        return value
