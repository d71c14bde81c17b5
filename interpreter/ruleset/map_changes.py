"""Extensions of a map of nodes and edges: a variant describes its board by how it differs from the game's.

    map: town
    default: assumed
    nodes:
      Square: [{id: market, vp: 5}]
    edges:
      Street: [{ends: [market, gate], slots: 1}]
    without: [hill]
    changes:
      Square: [{id: fountain, vp: 4}]

Rows are added after those of the map; then whatever `without` names is removed, a node together with its edges; then
attributes change. Several files that extend one map are applied one after the other. A higher layer may change what a
lower one says. A variant may change what another variant says only if it overrides it; then it may also use what the
other left out. Anything else is a conflict, reported with both places. Two files that leave out the same thing agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..syntax import nodes
from .gathered import MapFile, Scalar
from .map_rows import ONE_OF_TWO, MapRow, read_rows, unknown_word

ByKind = list[tuple[str, list[MapRow]]]


@dataclass(frozen=True)
class _Mark:
    """A statement in the file of that number, and its place."""

    file: int
    span: Span = field(compare=False)


class Changes:
    """Applies extensions one after the other to the nodes and edges of a map; each of those has an id."""

    def __init__(
        self, files: Sequence[MapFile], made_nodes: ByKind, made_edges: ByKind, players: int, found: Diagnostics
    ) -> None:
        self.files = files
        self.nodes, self.edges = made_nodes, made_edges
        self.players, self.found = players, found
        self.changed: dict[tuple[str, str], _Mark] = {}  # id and attribute -> the last file that sets it
        self.left_out: dict[str, _Mark] = {}  # id -> the file that leaves it out

    def apply(self, number: int, kinds: Sequence[nodes.MapKind]) -> None:
        """Applies `without` and then `changes` of one file. The edges that it adds must still have both ends."""
        entries = self.files[number].entries
        if "without" in entries:
            self._leave_out(number, entries["without"].value)
        if "changes" in entries:
            self._change(number, entries["changes"], kinds, entries["default"].value)
        for _, edge in self._rows(self.edges):
            if self._number_of(edge) == number:
                for end in edge.own["ends"].value:
                    self._require_left_in(str(end.value), number, end.span, "joined")

    def result(self) -> tuple[ByKind, ByKind]:
        """Nodes and edges, without those that were left out."""
        kept = [(kind, [row for row in rows if row.row.id not in self.left_out]) for kind, rows in self.nodes]
        edges = [
            (kind, [row for row in rows if row.row.id not in self.left_out and not self._goes_with_an_end(row)])
            for kind, rows in self.edges
        ]
        return kept, edges

    def _rows(self, *made: ByKind) -> list[tuple[str, MapRow]]:
        return [(kind, row) for by_kind in made for kind, rows in by_kind for row in rows]

    def _number_of(self, row: MapRow) -> int:
        """The number of the file that contains a row."""
        return next(n for n, file in enumerate(self.files) if file.document.span.source is row.row.span.source)

    def _goes_with_an_end(self, edge: MapRow) -> bool:
        """True if an edge disappears because one of its nodes does. If the same file adds that edge, it leads nowhere,
        which is reported."""
        marks = [self.left_out.get(str(end.value)) for end in edge.own["ends"].value]
        return any(mark is not None and mark.file > self._number_of(edge) for mark in marks)

    # ------------------------------------------------------------------ leaving out

    def _leave_out(self, number: int, names: Iterable[Scalar]) -> None:
        known = {row.row.id: row for _, row in self._rows(self.nodes, self.edges)}
        for name in names:
            if name.value not in known:
                unknown_word("R0242", "node or edge", str(name.value), name.span, known, self.found)
                continue
            said = [mark for (row, _), mark in self.changed.items() if row == name.value]
            said += [_Mark(n, span) for n, span in self._joined(name.value) if 0 < n < number]
            for mark in said:
                self._require_may_change(
                    mark, number, f"`{name.value}` is left out and used", name.span, "left out here"
                )
            self.left_out.setdefault(name.value, _Mark(number, name.span))

    def _joined(self, node: str) -> list[tuple[int, Span]]:
        """The places where edges name a node as an end, each with the number of its file."""
        ends = [(self._number_of(edge), end) for _, edge in self._rows(self.edges) for end in edge.own["ends"].value]
        return [(number, end.span) for number, end in ends if end.value == node]

    def _require_left_in(self, name: str, number: int, span: Span, use: str) -> None:
        """Reports a use of what an earlier file left out, unless this file may change what that file says."""
        mark = self.left_out.get(name)
        if mark is None or mark.file == number:
            return
        if self._require_may_change(mark, number, f"`{name}` is left out and used", span, f"{use} here"):
            del self.left_out[name]

    def _require_may_change(self, earlier: _Mark, number: int, headline: str, span: Span, label: str) -> bool:
        if self.files[number].may_change(self.files[earlier.file]):
            return True
        others = (Label(earlier.span, "first here" if label == "again here" else "and here otherwise"),)
        self.found.error("R0604", headline, span, label, others=others, help=ONE_OF_TWO)
        return False

    # ------------------------------------------------------------------ changing

    def _change(self, number: int, listed: Scalar, kinds: Sequence[nodes.MapKind], default: str) -> None:
        declared = {kind.name.text: kind for kind in kinds}
        for name, rows in listed.value.items():
            if name not in declared:
                unknown_word("R0246", "kind of nodes or edges", name, listed.keys[name], declared, self.found)
                continue
            changes = read_rows(rows.value, declared[name], (), default, self.players, self.found)
            made = next((rows for made in (self.nodes, self.edges) for kind, rows in made if kind == name), [])
            for change in changes:
                self._change_one(number, change, name, made)

    def _change_one(self, number: int, change: MapRow, kind: str, made: list[MapRow]) -> None:
        name = change.row.id
        there = [row.row.id for row in made if self.left_out.get(row.row.id, _Mark(0, change.id_span)).file != number]
        if name not in there:
            unknown_word("R0242", kind, name, change.id_span, there, self.found)
            return
        self._require_left_in(name, number, change.id_span, "changed")
        for column, cell in change.row.cells.items():
            first = self.changed.get((name, column))
            if first is not None:
                self._require_may_change(
                    first, number, f"`{column}` of `{name}` is changed twice", cell.span, "again here"
                )
            self.changed[name, column] = _Mark(number, cell.span)
        at = next(place for place, row in enumerate(made) if row.row.id == name)
        old, cells = made[at].row, change.row.cells
        known = (old.known - set(cells)) | (change.row.known & set(cells))
        row = replace(old, cells={**old.cells, **cells}, known=known, name=change.row.name or old.name)
        made[at] = replace(made[at], row=replace(row, cites=old.cites + change.row.cites))
