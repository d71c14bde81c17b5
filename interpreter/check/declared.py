"""Everything a game declares, numbered and typed, before any rule body is elaborated.

`declare` fills a `Declared` from the gathered game; the elaboration of bodies reads it. State is grouped by owner: the
table, the players, a kind, a node or edge kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..ruleset.gathered import Gathered
from ..syntax import nodes as tree
from . import program as p
from .uses import Uses
from .value_types import VType

StateDecl = p.FieldDecl | p.PlaceDecl


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
    node: tree.Declaration
    layer: str
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
    state: dict[str, dict[str, StateDecl]] = field(default_factory=dict)
    scopes: dict[str, list[p.FieldDecl]] = field(default_factory=dict)  # rule name -> fields declared `this RULE`
    rules: dict[str, RuleSource] = field(default_factory=dict)
    hooks: list[RuleSource] = field(default_factory=list)  # in running order; targets not yet resolved
    cells: list[p.CellDecl] = field(default_factory=list)
    automas: list[p.AutomaDecl] = field(default_factory=list)
    dice: int = 0  # how many dice there are; numbered by field as declared, then owner, indexes, die
    # cache of answers about types; used only once all tables are numbered (None before)
    answers: dict[tuple[str, VType], object] | None = None
    uses: Uses = field(default_factory=Uses)  # what each name in the text refers to

    def error(self, code: str, headline: str, span: Span, label: str = "", **more: object) -> None:
        self.found.error(code, headline, span, label, **more)  # type: ignore[arg-type]

    def attribute_of(self, of: str, kind: str, name: str) -> p.AttributeTable | None:
        """The table of an attribute of a kind of pieces (`of` is piece), nodes or edges; None if the kind has none."""
        if (kind, name) not in self.attribute_types:
            return None
        return self.attributes.get((f"{of}:{kind}", name)) or self.attributes.get((of, name))
