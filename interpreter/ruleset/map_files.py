"""Maps from YAML files: nodes and edges by kind, validated with networkx, then plain data.

    map: yukon
    default: assumed
    nodes:
      Area:
        - {id: diner, name: The Diner, at: [3, 1]}
      Square:
        - {id: s1, at: [3, 2], vp: 4, bonus: gain_energy(2)}
    edges:
      Street:
        - {ends: [diner, s1], slots: 2}

`at` is where a node is drawn: x to the right and y downwards, in whole numbers of any scale. An edge without an id is
named after its ends and shown to players as `The Diner - s1`. Nodes of one kind are in the order of the file, kinds in
the order of the rules. A file without `nodes` adds edges between nodes that another map declares. A map must be
connected unless it says `connected: no`. Further files may extend it (map_changes.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..syntax import nodes
from .gathered import MapFile, Row, Scalar
from .map_changes import ByKind, Changes
from .map_data import MapData, Runs, edges_by_node
from .map_rows import (
    MapRow,
    ids_are_unique,
    is_map_of,
    promises_connection,
    read_rows,
    unknown_word,
)

Ends = tuple[int, int]


def map_from_file(declaration: nodes.Map, files: Sequence[MapFile], players: int, found: Diagnostics) -> MapData | None:
    """The map defined by its own file and those that extend it, all of them valid by schema; None after a finding."""
    document = files[0].document
    made = _read(declaration, files, players, found)
    if made is None:
        return None
    before = len(found)
    made_nodes, made_edges = made
    node_rows = [row for _, rows in made_nodes for row in rows]
    edge_rows = [row for _, rows in made_edges for row in rows]
    names = [row.row.id for row in node_rows]
    spans: list[Span] = []
    if not declaration.nodes:
        names, spans = _named_ends(edge_rows)
    if not names:
        span = document.keys.get("nodes", declaration.name.span)
        found.error("R0240", "a map without nodes", span, "none is there", help="list them: `- {id: market}`")
        return None
    _lie_apart(node_rows, found)
    ends = [_ends(row, names, found) for row in edge_rows]
    if len(found) > before:
        return None
    data = _Data(declaration, node_rows, edge_rows, names, [pair for pair in ends if pair is not None])
    if promises_connection(files) and not data.is_connected(found):
        return None
    return data.finish(_runs(made_nodes), _runs(made_edges), spans)


# ---------------------------------------------------------------------------- reading


def _read(
    declaration: nodes.Map, files: Sequence[MapFile], players: int, found: Diagnostics
) -> tuple[ByKind, ByKind] | None:
    """Nodes and edges by kind, each with an id, as the last extension leaves them."""
    if not all(is_map_of(file.entries, declaration, found) for file in files):
        return None
    before = len(found)
    made_nodes = _by_kind(files, "nodes", declaration.nodes, ("at",), players, found)
    own = {row.row.id for _, rows in made_nodes for row in rows}
    made_edges = _with_ids(_by_kind(files, "edges", declaration.edges, ("ends",), players, found), own)
    if len(found) > before:
        return None
    listed = [(row.row.id, row.id_span) for _, rows in (*made_nodes, *made_edges) for row in rows]
    if not ids_are_unique(listed, found):
        return None
    changes = Changes(files, made_nodes, made_edges, players, found)
    for number in range(1, len(files)):
        changes.apply(number, (*declaration.nodes, *declaration.edges))
    return changes.result() if len(found) == before else None


def _by_kind(
    files: Sequence[MapFile],
    part: str,
    kinds: Sequence[nodes.MapKind],
    own_keys: tuple[str, ...],
    players: int,
    found: Diagnostics,
) -> ByKind:
    """The rows of `nodes` or `edges` for each kind that the rules declare, in their order, file after file."""
    declared = {kind.name.text: kind for kind in kinds}
    listed = [(file, file.entries[part]) for file in files if part in file.entries]
    unknown = [(entry, word) for _, entry in listed for word in entry.value if word not in declared]
    for entry, word in unknown:
        declare = f"declare it below the `map` line: `{part[:-1]} {word}`"
        unknown_word("R0246", f"{part[:-1]} kind", word, entry.keys[word], declared, found, declare)
    made = []
    for name, kind in declared.items():
        lists = [(entry.value[name], file.entries["default"].value) for file, entry in listed if name in entry.value]
        if not lists:
            if not unknown:  # otherwise the file misspells the kind, which has already been reported
                _missing_kind(kind, part, files[-1].document, found)
            continue
        rows = [read_rows(rows.value, kind, own_keys, default, players, found) for rows, default in lists]
        made.append((name, [row for read in rows for row in read]))
    return made


def _missing_kind(kind: nodes.MapKind, part: str, document: Scalar, found: Diagnostics) -> None:
    file = document.span.source.name.rsplit("/", 1)[-1]
    what = f"`{file}` has no {part} of kind `{kind.name.text}`"
    help = f"add `{kind.name.text}:` with a list under `{part}:`; the list may be empty: `[]`"
    found.error("R0246", what, kind.name.span, "declared here", help=help)


def _with_ids(made: ByKind, of_nodes: set[str]) -> ByKind:
    """Gives every edge an id: its own, or one made from its ends, with a counter added if that id is taken."""
    taken = of_nodes | {row.row.id for _, rows in made for row in rows if row.row.id}
    return [(kind, [_with_id(row, taken) for row in rows]) for kind, rows in made]


def _with_id(row: MapRow, taken: set[str]) -> MapRow:
    if row.row.id:
        return row
    base = "_".join(str(end.value) for end in row.own["ends"].value)
    number, name = 1, base
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    taken.add(name)
    return replace(row, row=replace(row.row, id=name))


def _lie_apart(node_rows: list[MapRow], found: Diagnostics) -> None:
    """Reports two nodes that are drawn in the same place."""
    taken: dict[tuple[int, ...], MapRow] = {}
    for row in (row for row in node_rows if "at" in row.own):
        other = taken.setdefault(tuple(item.value for item in row.own["at"].value), row)
        if other is not row:
            what = f"`{other.row.id}` and `{row.row.id}` lie in one place"
            help = "move one of them: the other would hide it in a drawing"
            found.error("R0247", what, row.own["at"].span, first=other.own["at"].span, help=help)


def _named_ends(edge_rows: list[MapRow]) -> tuple[list[str], list[Span]]:
    """The nodes that edges name, each with the place where it is first named."""
    places: dict[str, Span] = {}
    for row in edge_rows:
        for end in row.own["ends"].value:
            places.setdefault(str(end.value), end.span)
    return list(places), list(places.values())


def _ends(row: MapRow, names: list[str], found: Diagnostics) -> Ends | None:
    one, other = row.own["ends"].value
    for end in (one, other):
        if end.value not in names:
            unknown_word("R0242", "node", str(end.value), end.span, names, found)
            return None
    if one.value == other.value:
        what = f"`{row.row.id}` joins `{one.value}` with itself"
        found.error("R0245", what, row.own["ends"].span, help="an edge has two different ends")
        return None
    return names.index(one.value), names.index(other.value)


def _runs(made: ByKind) -> Runs:
    return tuple((kind, len(rows)) for kind, rows in made)


# ---------------------------------------------------------------------------- the graph


class _Data:
    """Nodes by name and edges by their ends, checked and then turned into plain data."""

    def __init__(
        self,
        declaration: nodes.Map,
        node_rows: list[MapRow],
        edge_rows: list[MapRow],
        names: list[str],
        ends: list[Ends],
    ) -> None:
        import networkx as nx

        self.declaration = declaration
        self.node_rows = node_rows
        self.edge_rows = edge_rows
        self.names = names
        self.ends = ends
        self.graph: Any = nx.Graph()
        self.graph.add_nodes_from(range(len(names)))
        self.graph.add_edges_from(ends)

    def is_connected(self, found: Diagnostics) -> bool:
        """True if every node can be reached from the first; each further connected part is reported."""
        import networkx as nx

        parts = sorted((sorted(part) for part in nx.connected_components(self.graph)), key=lambda part: part[0])
        for part in parts[1:]:
            first = self.names[part[0]]
            span = self.node_rows[part[0]].id_span if self.node_rows else self.declaration.name.span
            others = f" and {len(part) - 1} more" if len(part) > 1 else ""
            what = f"there is no way from `{self.names[0]}` to `{first}`"
            help = "join the parts with an edge, or write `connected: no` at the top of the file"
            found.error("R0244", what, span, f"a part of its own: `{first}`{others}", help=help)
        return len(parts) <= 1

    def finish(self, node_runs: Runs, edge_runs: Runs, spans: list[Span]) -> MapData:
        count = len(self.names)
        ends = tuple(self.ends)
        return MapData(
            name=self.declaration.name.text,
            shape="file",
            node_runs=node_runs,
            node_names=tuple(self.names),
            node_values={},
            edge_runs=edge_runs,
            edge_names=tuple(row.row.id for row in self.edge_rows),
            edge_ends=ends,
            neighbours=tuple(tuple(sorted(self.graph.neighbors(node))) for node in range(count)),
            edges_of=edges_by_node(count, ends),
            directions=(),
            toward=((),) * count,
            line_directions=(),
            line_toward=((),) * count,
            border=frozenset(),
            positions=self.positions(),
            span=self.declaration.span,
            node_rows=self.rows(self.node_rows),
            edge_rows=tuple(self.edge_row(row) for row in self.edge_rows),
            node_spans=tuple(spans),
        )

    def rows(self, rows: list[MapRow]) -> tuple[Row, ...]:
        return tuple(row.row for row in rows)

    def edge_row(self, row: MapRow) -> Row:
        """An edge without an id of its own is shown as the names of its ends; parallel edges are numbered from the
        second on."""
        ends = [str(end.value) for end in row.own["ends"].value]
        base, _, number = row.row.id.partition("_".join(ends))
        if row.row.name or base or not self.node_rows:
            return row.row
        names = {node.row.id: node.row.name or node.row.id.replace("_", " ") for node in self.node_rows}
        return replace(row.row, name=" - ".join(names[end] for end in ends) + number.replace("_", " "))

    def positions(self) -> tuple[tuple[float, float], ...]:
        """Where nodes are drawn; empty unless the file gives a position for every node."""
        places = [row.own.get("at") for row in self.node_rows]
        if not places or any(place is None for place in places):
            return ()
        x_y = [[float(item.value) for item in place.value] for place in places if place is not None]
        return tuple((x, y) for x, y in x_y)
