"""What extends a map of nodes and edges: a variant's board told by how it differs from the game's.

    map: town
    default: assumed
    nodes:
      Square: [{id: market, vp: 5}]
    edges:
      Street: [{ends: [market, gate], slots: 1}]
    without: [hill]
    changes:
      Square: [{id: fountain, vp: 4}]

Rows are added behind those of the map; then what `without` names is taken away, a node with its edges; then attributes
change. Where several variants extend one map, each is applied to what those before it have left, and two of them must
not change the same attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..syntax import nodes
from .gathered import Scalar
from .map_rows import MapRow, read_rows, unknown_word

ByKind = list[tuple[str, list[MapRow]]]


class Changes:
    """Applies extensions one after the other to the nodes and edges of a map, all of which have an id."""

    def __init__(
        self, document: Scalar, made_nodes: ByKind, made_edges: ByKind, players: int, found: Diagnostics
    ) -> None:
        self.files = [document.span.source]  # the map's own, then those that have been applied
        self.nodes, self.edges = made_nodes, made_edges
        self.players, self.found = players, found
        self.changed: dict[tuple[str, str], Span] = {}  # id and attribute -> where an extension gives it

    def apply(self, extension: Scalar, kinds: Sequence[nodes.MapKind]) -> None:
        entries: dict[str, Scalar] = extension.value
        if "without" in entries:
            self._leave_out(entries["without"].value)
        if "changes" in entries:
            self._change(entries["changes"], kinds, entries["default"].value)
        self.files.append(extension.span.source)

    def _ids(self, made: ByKind) -> list[str]:
        return [row.row.id for _, rows in made for row in rows]

    def _leave_out(self, names: Iterable[Scalar]) -> None:
        known = [*self._ids(self.nodes), *self._ids(self.edges)]
        gone: set[str] = set()
        for name in names:
            if name.value in known:
                gone.add(name.value)
            else:
                unknown_word("R0242", "node or edge", str(name.value), name.span, known, self.found)
        self.nodes = [(kind, [row for row in rows if row.row.id not in gone]) for kind, rows in self.nodes]
        self.edges = [
            (kind, [row for row in rows if row.row.id not in gone and not self._goes_with(row, gone)])
            for kind, rows in self.edges
        ]

    def _goes_with(self, edge: MapRow, gone: set[str]) -> bool:
        """Whether an edge goes with one of its nodes; one that this file or a later one adds leads to nowhere then."""
        return edge.row.span.source in self.files and any(end.value in gone for end in edge.own["ends"].value)

    def _change(self, listed: Scalar, kinds: Sequence[nodes.MapKind], default: str) -> None:
        declared = {kind.name.text: kind for kind in kinds}
        for name, rows in listed.value.items():
            if name not in declared:
                unknown_word("R0246", "kind of nodes or edges", name, listed.keys[name], declared, self.found)
                continue
            changes = read_rows(rows.value, declared[name], (), default, self.players, self.found)
            made = next((rows for made in (self.nodes, self.edges) for kind, rows in made if kind == name), [])
            for change in changes:
                self._change_one(change, name, made)

    def _change_one(self, change: MapRow, kind: str, made: list[MapRow]) -> None:
        name = change.row.id
        at = next((number for number, row in enumerate(made) if row.row.id == name), None)
        if at is None:
            unknown_word("R0242", kind, name, change.id_span, [row.row.id for row in made], self.found)
            return
        for column, cell in change.row.cells.items():
            first = self.changed.setdefault((name, column), cell.span)
            if first is not cell.span:
                self.found.error(
                    "R0604",
                    f"`{column}` of `{name}` is changed twice",
                    cell.span,
                    "again here",
                    others=(Label(first, "first here"),),
                    help="keep one of them; of two variants let one say that it `excludes` the other",
                )
        old, cells = made[at].row, change.row.cells
        known = (old.known - set(cells)) | (change.row.known & set(cells))
        row = replace(old, cells={**old.cells, **cells}, known=known, name=change.row.name or old.name)
        made[at] = replace(made[at], row=replace(row, cites=old.cites + change.row.cites))
