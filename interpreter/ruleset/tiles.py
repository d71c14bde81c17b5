"""Boards of hexes assembled from tiles, depending on the number of players.

    map: island
    default: assumed
    tiles:
      beach:
        - {at: [0, 0], terrain: sand}
        - {at: [1, 0], terrain: grass, id: cave}
    layouts:
      2..3:
        - {tile: beach, at: [0, 0]}
        - {tile: cliff, at: [2, -1], turn: 1}

`at` is column and row (q, r) of pointy-topped hexes: q grows to the east, r to the south-east. A tile is rotated
clockwise around its own 0, 0 by sixths of a turn, then moved. A hex without an id is named after its kind and its
place on the board, `hex_2_m1` for q 2, r -1. Hexes are ordered by the order in which tiles are laid, then by their
order within the tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..syntax import nodes
from .gathered import MapFile, Row, Scalar
from .map_data import HEX_STEPS, MapData, edges_by_node, hex_position, in_lower_case, steps_toward
from .map_rows import (
    ONE_OF_TWO,
    MapRow,
    first_line,
    ids_are_unique,
    is_map_of,
    promises_connection,
    read_rows,
    unknown_word,
)
from .player_counts import fits_count

Hex = tuple[int, int]


@dataclass(frozen=True)
class _Placed:
    """A hex on the board: its row with its final id, its place, and the line that lays its tile."""

    row: Row
    at: Hex
    id_span: Span = field(compare=False)
    put_down: Span = field(compare=False)


def map_from_tiles(
    declaration: nodes.Map, files: Sequence[MapFile], players: int, found: Diagnostics
) -> MapData | None:
    """The board for that many players, from files that are valid by schema, or None after a finding.

    A file that extends a board adds tiles; its layouts replace those of the board for the same numbers of players.
    """
    if not all(is_map_of(file.entries, declaration, found) for file in files) or not _has_one_kind(declaration, found):
        return None
    before = len(found)
    kind = declaration.nodes[0]
    tiles = _tiles_of(files, kind, players, found)
    placements = _layout_for(files, players, found)
    if placements is None or len(found) > before:
        return None
    placed = [one for placement in placements for one in _put_down(placement, tiles, kind.name.text, found)]
    if len(found) > before or not _is_flat(placed, found):
        return None
    if not ids_are_unique([(one.row.id, one.id_span) for one in placed], found):
        return None
    data = _finish(declaration, placed)
    if promises_connection(files) and not _is_connected(data, placed, found):
        return None
    return data


def _has_one_kind(declaration: nodes.Map, found: Diagnostics) -> bool:
    if len(declaration.nodes) == 1 and len(declaration.edges) <= 1:
        return True
    extra = (*declaration.nodes[1:], *declaration.edges[1:])
    what = "a map of hexes has one kind of nodes and at most one of edges"
    help = "remove one" if extra else "add a line below it: `node Hex`"
    found.error("R0240", what, extra[0].name.span if extra else declaration.name.span, help=help)
    return False


def _tiles_of(
    files: Sequence[MapFile], kind: nodes.MapKind, players: int, found: Diagnostics
) -> dict[str, list[MapRow]]:
    tiles: dict[str, list[MapRow]] = {}
    places: list[tuple[str, Span]] = []
    for file in files:
        if "tiles" not in file.entries:
            continue
        listed = file.entries["tiles"]
        for name, tile in listed.value.items():
            tiles[name] = read_rows(tile.value, kind, ("at",), file.entries["default"].value, players, found)
            places.append((name, listed.keys[name]))
    ids_are_unique(places, found)
    return tiles


def _layout_for(files: Sequence[MapFile], players: int, found: Diagnostics) -> list[Scalar] | None:
    """The tiles to lay: the layout of the last file that has one for that many players."""
    fitting = [
        (file, layout, file.entries["layouts"].keys[key])
        for file in files
        for key, layout in (file.entries["layouts"].value.items() if "layouts" in file.entries else ())
        if fits_count(key, players)
    ]
    if not fitting:
        own = files[0].entries["layouts"]
        what = f"no layout for {players} players"
        help = f"add tiles under `{players}:`"
        found.error("R0249", what, files[0].document.keys["layouts"], f"layouts for {', '.join(own.value)}", help=help)
        return None
    for (earlier, _, first), (later, _, again) in combinations(fitting, 2):
        if earlier is later or (earlier is not files[0] and not later.may_change(earlier)):
            _two_layouts(players, first, again, found)
            return None
    placements: list[Scalar] = fitting[-1][1].value
    return placements


def _two_layouts(players: int, first: Span, again: Span, found: Diagnostics) -> None:
    one_file = first.source is again.source
    what = f"two layouts for {players} players" if one_file else f"the layout for {players} players is changed twice"
    label = "again here"
    help = "keep one of them" if one_file else ONE_OF_TWO
    found.error("R0249" if one_file else "R0604", what, again, label, others=(Label(first, "first here"),), help=help)


def _put_down(placement: Scalar, tiles: dict[str, list[MapRow]], kind: str, found: Diagnostics) -> list[_Placed]:
    tile = placement.value["tile"]
    if tile.value not in tiles:
        unknown_word("R0248", "tile", str(tile.value), tile.span, tiles, found)
        return []
    column, row = (item.value for item in placement.value["at"].value)
    turn = placement.value["turn"].value if "turn" in placement.value else 0
    line = first_line(placement.span)
    placed = []
    for one in tiles[tile.value]:
        q, r = turned(one.own["at"].value[0].value, one.own["at"].value[1].value, turn)
        at = (q + column, r + row)
        named = one.row if one.row.id else replace(one.row, id=hex_name(kind, *at))
        title = named.name or (None if one.row.id else f"{in_lower_case(kind).replace('_', ' ')} {at[0]},{at[1]}")
        placed.append(_Placed(replace(named, name=title), at, one.id_span, line))
    return placed


def turned(q: int, r: int, turn: int) -> Hex:
    """A hex rotated clockwise around 0, 0 by sixths of a turn."""
    for _ in range(turn):
        q, r = -r, q + r
    return q, r


def hex_name(kind: str, q: int, r: int) -> str:
    return "_".join((in_lower_case(kind), *(f"m{-n}" if n < 0 else str(n) for n in (q, r))))


# ---------------------------------------------------------------------------- the board


def _is_flat(placed: Sequence[_Placed], found: Diagnostics) -> bool:
    """True if no two hexes share a place; each tile that covers another is reported once."""
    taken: dict[Hex, _Placed] = {}
    told: set[tuple[Span, Span]] = set()
    for one in placed:
        other = taken.setdefault(one.at, one)
        if other is one or (one.put_down, other.put_down) in told:
            continue
        told.add((one.put_down, other.put_down))
        same = one.put_down == other.put_down
        found.error(
            "R0247",
            f"two hexes lie on {one.at[0]}, {one.at[1]}",
            one.id_span if same else one.put_down,
            "again here" if same else "this tile",
            others=(Label(other.id_span if same else other.put_down, "first here" if same else "lies over this one"),),
            help="move or turn one of them",
        )
    return not told


def _is_connected(data: MapData, placed: Sequence[_Placed], found: Diagnostics) -> bool:
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(range(len(placed)))
    graph.add_edges_from(data.edge_ends)
    parts = sorted((sorted(part) for part in nx.connected_components(graph)), key=lambda part: part[0])
    for part in parts[1:]:
        first = placed[part[0]]
        what = f"the board is in {len(parts)} parts: there is no way from `{placed[0].row.id}` to `{first.row.id}`"
        help = "move the tile next to the others, or write `connected: no` at the top of the file"
        found.error("R0244", what, first.put_down, f"{len(part)} hexes lie apart", help=help)
    return len(parts) == 1


def _finish(declaration: nodes.Map, placed: Sequence[_Placed]) -> MapData:
    points = [one.at for one in placed]
    toward = steps_toward(points, HEX_STEPS)
    ends = tuple(sorted((node, goal) for node, goals in enumerate(toward) for goal in goals if goal > node))
    edge_kind = declaration.edges[0].name.text if declaration.edges else None
    prefix = in_lower_case(edge_kind or "edge")
    return MapData(
        name=declaration.name.text,
        shape="hexes",
        node_runs=((declaration.nodes[0].name.text, len(points)),),
        node_names=tuple(one.row.id for one in placed),
        node_values={"q": tuple(q for q, _ in points), "r": tuple(r for _, r in points)},
        edge_runs=((edge_kind, len(ends)),) if edge_kind else (),
        edge_names=tuple(f"{prefix}_{number}" for number in range(1, len(ends) + 1)),
        edge_ends=ends,
        neighbours=tuple(tuple(goal for goal in goals if goal >= 0) for goals in toward),
        edges_of=edges_by_node(len(points), ends),
        directions=tuple(HEX_STEPS),
        toward=toward,
        line_directions=tuple(HEX_STEPS),
        line_toward=toward,
        border=frozenset(node for node, goals in enumerate(toward) if -1 in goals),
        positions=tuple(hex_position(q, r) for q, r in points),
        span=declaration.span,
        node_rows=tuple(one.row for one in placed),
    )
