"""Maps: numbers the nodes and edges of all maps of the game.

A map with a node kind declares its own nodes; a map without one joins nodes that other maps declare, naming them one by
one. So maps with their own nodes come first. Coordinates of grids and hexes are attributes of the nodes, like those
that the rules declare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..diagnostics.suggest import did_you_mean
from ..ruleset.corners import corners_of
from ..ruleset.map_data import MapData
from ..ruleset.maps import build_map, has_kinds
from ..syntax import nodes
from ..syntax.bounds import names_in
from .columns import build_tables, column_of, nothing, nothing_in, spread
from .declare_types import unusable_constants
from .declared import Column, Draft
from .program import MapDecl, NodeKindDecl, ThingDecl
from .tables import read_cell
from .value_types import MapEdge, MapNode, Maybe, Number, SetOf


def register_map_kinds(draft: Draft) -> None:
    """Registers the names of node and edge kinds, before they are counted."""
    declared = draft.declared
    for board, _ in draft.all(nodes.Map):
        for kinds, registered in ((board.nodes, declared.node_kinds), (board.edges, declared.edge_kinds)):
            for kind in kinds:
                if draft.is_first(kind.name):
                    registered[kind.name.text] = NodeKindDecl(kind.name.text, 0, 0, board.name.text)


def declare_maps(draft: Draft) -> None:
    declared = draft.declared
    boards = [board for board, _ in draft.all(nodes.Map)]
    sizes = {name: constant.value for name, constant in declared.constants.items() if isinstance(constant.type, Number)}
    for board in sorted(boards, key=_turn_to_be_built):
        has_own_kinds = all(draft.is_first(kind.name) for kind in (*board.nodes, *board.edges))
        if board.name.text in declared.maps or not has_own_kinds or _lacks_a_size(draft, board):
            continue
        if board.shape is not None and board.shape.of is not None:
            _declare_corners(draft, board, board.shape.of)
            continue
        files = declared.gathered.map_files.get(board.name.text, ())
        data = build_map(board, sizes, files, declared.players, declared.found)
        if data is not None:
            _declare_map(draft, board, data)
    # Back to the order of the text: which map `Direction` means depends on it.
    declared.maps = {b.name.text: declared.maps[b.name.text] for b in boards if b.name.text in declared.maps}


def _turn_to_be_built(board: nodes.Map) -> int:
    """Boards with their own nodes first, then the corners of such boards, then maps that join nodes of others."""
    if board.shape is not None and board.shape.of is not None:
        return 1
    return 0 if board.nodes else 2


def _lacks_a_size(draft: Draft, board: nodes.Map) -> bool:
    """True if a size is a constant without a value, which has been reported."""
    bounds = board.shape.bounds if board.shape is not None else ()
    named = [used for bound in bounds for used in names_in(bound)]
    for name, span in named:
        draft.declared.uses.add(span, "constant", name)
    return any(name in unusable_constants(draft.declared) for name, _ in named)


def _declare_corners(draft: Draft, board: nodes.Map, of: nodes.Name) -> None:
    """`map roads is corners of island`, and the attributes by which corners, sides and spaces know each other."""
    base = _board_with_corners(draft, board, of)
    if base is None:
        return
    highest = max(point[0] for point in base.points.values())
    corners = corners_of(board, base.points, base.form == "hex", highest)
    first, first_side = len(draft.declared.nodes), len(draft.declared.edges)
    _declare_map(draft, board, corners.data)
    kinds = tuple(dict.fromkeys(draft.declared.nodes[n].kind for n in base.nodes))
    spaces = SetOf(MapNode(kinds))
    _add_sets(draft, corners.data.node_runs[0][0], "spaces", spaces, corners.spaces_of_corner, board)
    for kind, _ in corners.data.edge_runs:
        _add_sets(draft, kind, "spaces", spaces, corners.spaces_of_side, board)
    for kind in kinds:
        run = draft.declared.node_kinds[kind]
        own = [tuple(first + c for c in corners.corners_of_space[n]) for n in range(run.first, run.first + run.count)]
        _add_sets(draft, kind, "corners", SetOf(MapNode((corners.data.node_runs[0][0],))), own, board)
        for edge_kind, _ in corners.data.edge_runs:
            there = range(run.first, run.first + run.count)
            along = [tuple(first_side + side for side in corners.sides_of_space[n]) for n in there]
            _add_sets(draft, kind, "sides", SetOf(MapEdge((edge_kind,))), along, board)


def _board_with_corners(draft: Draft, board: nodes.Map, of: nodes.Name) -> MapDecl | None:
    """The board whose corners are meant; None after a finding."""
    declared = draft.declared
    known = [other.name.text for other, _ in draft.all(nodes.Map) if other is not board]
    base = declared.maps.get(of.text)
    if of.text in known:
        declared.uses.add(of.span, "map", of.text)
    if base is None:
        if of.text not in known and of.text not in declared.gathered.lost.names:
            help = did_you_mean(of.text, known) or "declare the board itself as well: `map island is hexagon of 3`"
            declared.error("R0240", f"there is no map `{of.text}`", of.span, help=help)
        return None
    if base.form not in ("hex", "grid", "diagonal"):
        help = "a grid has corners, and so has a board of hexes"
        declared.error("R0240", f"the spaces of `{of.text}` have no corners", of.span, help=help)
        return None
    return base if has_kinds(board, declared.found) else None


def _add_sets(
    draft: Draft, kind: str, name: str, type: SetOf, values: Sequence[tuple[int, ...]], board: nodes.Map
) -> None:
    if draft.add_column(kind, Column(name, kind, type, (), board.name.span), board.name.span):
        draft.read[kind, name] = list(values)


def _declare_map(draft: Draft, board: nodes.Map, data: MapData) -> None:
    numbers = _make_nodes(draft, data) if data.node_runs else _existing_nodes(draft, board, data)
    if numbers is None:
        return
    edges = _make_edges(draft, data, numbers)
    # A map's data number its nodes from 0. A map that joins nodes of others may list any of them, in its own order.
    at = dict(enumerate(numbers))
    at[-1] = -1
    draft.declared.maps[data.name] = MapDecl(
        data.name,
        nodes=tuple(numbers),
        edges=tuple(edges),
        neighbours={at[n]: tuple(at[m] for m in found) for n, found in enumerate(data.neighbours)},
        edges_of={at[n]: tuple(edges[e] for e in found) for n, found in enumerate(data.edges_of)} if edges else {},
        ends={edges[e]: (at[a], at[b]) for e, (a, b) in enumerate(data.edge_ends)} if edges else {},
        directions=data.directions,
        toward={at[n]: tuple(at[m] for m in steps) for n, steps in enumerate(data.toward)},
        line_toward={at[n]: tuple(at[m] for m in steps) for n, steps in enumerate(data.line_toward)},
        border=frozenset(at[n] for n in data.border),
        shape=data.shape,
        positions={at[n]: position for n, position in enumerate(data.positions)},
        span=board.name.span,
        line_directions=data.line_directions,
        points=_points(data, numbers),
    )


def _points(data: MapData, numbers: list[int]) -> dict[int, tuple[int, ...]]:
    """Row and column of a grid, q and r of hexes."""
    if len(data.node_values) < 2:
        return {}
    return dict(zip(numbers, zip(*list(data.node_values.values())[:2], strict=True), strict=True))


def _make_nodes(draft: Draft, data: MapData) -> list[int]:
    for name, values in data.node_values.items():
        kind = data.node_runs[0][0]
        column = Column(name, kind, Number(min(values), max(values)), (), data.span)
        draft.columns.setdefault(kind, []).append(column)
        draft.read[kind, name] = list(values)
    return _make_things(draft, data, [name.replace("_", " ") for name in data.node_names])


def _make_edges(draft: Draft, data: MapData, numbers: list[int]) -> list[int]:
    """Numbers the edges of a map; edges are things of the game only if the map has an edge kind."""
    titles = _edge_titles([draft.declared.nodes[number].name for number in numbers], data)
    return _make_things(draft, data, titles, are_edges=True)


def _make_things(draft: Draft, data: MapData, titles: Sequence[str], *, are_edges: bool = False) -> list[int]:
    """Nodes or edges, kind by kind; those from a file have a name, clauses and a place in the file. `titles`: what
    people read of those that have no name. The rows of a kind are kept until its attributes are read."""
    declared = draft.declared
    things, kinds = (declared.edges, declared.edge_kinds) if are_edges else (declared.nodes, declared.node_kinds)
    runs, rows, names = data.node_runs, data.node_rows, data.node_names
    if are_edges:
        runs, rows, names = data.edge_runs, data.edge_rows, data.edge_names
    first = len(things)
    for kind, count in runs:
        own = slice(len(things) - first, len(things) - first + count)
        kinds[kind] = NodeKindDecl(kind, len(things), count, data.name)
        if rows:
            draft.map_rows[kind] = rows[own]
            for row, title in zip(rows[own], titles[own], strict=True):
                cites = tuple(cite.text for cite in row.cites)
                things.append(ThingDecl(row.id, kind, row.name or title, cites, row.span))
        else:
            things += [ThingDecl(name, kind, title) for name, title in zip(names[own], titles[own], strict=True)]
    return list(range(first, len(things)))


def _existing_nodes(draft: Draft, board: nodes.Map, data: MapData) -> list[int] | None:
    makers = [other for other, _ in draft.all(nodes.Map) if other.nodes]
    if any(other.name.text not in draft.declared.maps for other in makers):
        return None  # the nodes may belong to a map that could not be built, which has been reported
    if board.name.text in draft.declared.gathered.lost.names:
        return None  # or to a map that lacks the line of its nodes
    known = {node.id: number for number, node in enumerate(draft.declared.nodes)}
    places = {name.text: name.span for name in (board.shape.names if board.shape is not None else ())}
    places |= dict(zip(data.node_names, data.node_spans, strict=False))
    for name in data.node_names:
        if name in known and name in places:
            draft.declared.uses.add(places[name], "member", draft.declared.nodes[known[name]].kind, name)
        if name not in known:
            label = "a map without a node kind runs over nodes of another"
            help = did_you_mean(name, known) or "add a line below the map: `node Place`"
            draft.declared.error("R0351", f"there is no node `{name}`", places.get(name, data.span), label, help=help)
            return None
    return [known[name] for name in data.node_names]


def _edge_titles(nodes_read: list[str], data: MapData) -> tuple[str, ...]:
    """What people read of each edge: its ends, and a number if others have the same."""
    titles: list[str] = []
    met: Counter[str] = Counter()
    for a, b in data.edge_ends:
        title = f"{nodes_read[a]} - {nodes_read[b]}"
        met[title] += 1
        titles.append(title if met[title] == 1 else f"{title} {met[title]}")
    return tuple(titles)


def declare_map_attributes(draft: Draft) -> None:
    """The printed attributes of nodes and edges: cells of a file, or the default on a generated map."""
    declared = draft.declared
    for board, _ in draft.all(nodes.Map):
        for kind in (*board.nodes, *board.edges):
            if not draft.is_first(kind.name):
                continue
            run = declared.node_kinds.get(kind.name.text) or declared.edge_kinds[kind.name.text]
            for field in kind.fields:
                column = column_of(declared, field, kind.name.text)
                if draft.add_column(kind.name.text, column, field.name.span):
                    draft.read[kind.name.text, column.name] = _values(draft, column, run)
    node_runs = {kind.name: (kind.first, kind.count) for kind in declared.node_kinds.values()}
    edge_runs = {kind.name: (kind.first, kind.count) for kind in declared.edge_kinds.values()}
    build_tables(draft, "node", node_runs, len(declared.nodes))
    build_tables(draft, "edge", edge_runs, len(declared.edges))


def _values(draft: Draft, column: Column, run: NodeKindDecl) -> list[object]:
    """The value of a column for each node or edge of a kind: its cell, or the default on a generated map."""
    rows = draft.map_rows.get(run.name)
    if rows is None:
        return [_default(draft, column, run.count)] * run.count
    return [read_cell(draft.declared, row.cells.get(column.name), column, row.span, row.id) for row in rows]


def _default(draft: Draft, column: Column, count: int) -> object:
    none = nothing(column.type)
    if column.has_default and column.default is not None:
        return spread(column.default, column.dimensions, none)
    if count and column.is_sound and not column.has_default and not isinstance(column.type, Maybe):
        what = f"`{column.name}` of {column.owner} has no value"
        draft.declared.error("R0262", what, column.span, "this map comes from a shape", help="give it a default: `= …`")
    return nothing_in(column)
