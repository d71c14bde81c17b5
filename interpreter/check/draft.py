"""Working data of the declaration half of the checker, while it fills a `Declared`.

Tables are read before rules are declared, but effect cells call rules. So a cell is numbered at once, and its text
waits here until the signatures are known (`cells.py` then resolves it).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from ..diagnostics.source import Span
from ..ruleset.gathered import Placed, Row, TableFile
from ..syntax import nodes
from .declared import Declared
from .program import Dimension, FieldDecl
from .value_types import EffectCell, FormulaCell, VType

D = TypeVar("D", bound=nodes.Declaration)


@dataclass(frozen=True)
class CellText:
    """An effect or formula as written in a table; there is one for each piece, node or row that has it."""

    text: str
    span: Span
    path: str  # `action[lower]`
    type: EffectCell | FormulaCell


@dataclass(frozen=True)
class PendingCell:
    number: int
    where: str  # `bw_2.action[lower]`
    cell: CellText


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
    pending: list[PendingCell] = field(default_factory=list)
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

    @property
    def is_core(self) -> bool:
        """True for a core, which may leave constants and rules for the game to fill in."""
        return any(game.is_core for game, _ in self.all(nodes.Game))

    def table(self, placed: Placed, file: nodes.Name) -> TableFile | None:
        """The rows read from a file; None if it could not be read (reported by the previous stage)."""
        return self.declared.gathered.tables.get((str(placed.layer.folder), file.text))

    def number_cell(self, cell: CellText, owner: str) -> int:
        """A new instance of an effect or formula."""
        number = len(self.pending)
        self.pending.append(PendingCell(number, f"{owner}.{cell.path}", cell))
        return number

    def instance(self, value: object, owner: str) -> object:
        """A value read from a table, with a new number for every effect in it."""
        if isinstance(value, CellText):
            return self.number_cell(value, owner)
        if isinstance(value, tuple):
            return tuple(self.instance(item, owner) for item in value)
        return value
