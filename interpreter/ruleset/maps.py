"""Builds maps from their declarations. Those generated from a shape (grid, ring, line, hexagon) are computed here.

A shape is turned into points with coordinates, and steps by direction. networkx holds the graph while it is built and
validated; the result is plain data with local numbers, so that later stages do not need the library.

Directions are listed clockwise. Row 1 of a grid is the bottom row, as on a chessboard, so north leads to the next
higher row. A grid without diagonals has four directions and four neighbours per node, yet straight lines run in all
eight directions (three in a row also counts diagonally): `line_toward` has those steps, whatever the neighbours are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from ..syntax.bounds import names_in, number_of
from .gathered import MapFile
from .map_data import HEX_STEPS, MapData, Point, Steps, edges_by_node, hex_position, in_lower_case, steps_toward
from .map_files import map_from_file
from .tiles import map_from_tiles

MOST_NODES = 10_000
MOST_EDGES = 100_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"

GRID_STEPS: Steps = {
    "north": (1, 0),
    "north_east": (1, 1),
    "east": (0, 1),
    "south_east": (-1, 1),
    "south": (-1, 0),
    "south_west": (-1, -1),
    "west": (0, -1),
    "north_west": (1, -1),
}
STRAIGHT_STEPS: Steps = {name: step for name, step in GRID_STEPS.items() if 0 in step}
WALK_STEPS: Steps = {"onward": (1,), "back": (-1,)}


@dataclass(frozen=True)
class _Layout:
    """A shape as points: their coordinates, their names, and the steps between them."""

    points: tuple[Point, ...]
    names: tuple[str, ...]
    values: dict[str, tuple[int, ...]]
    positions: tuple[tuple[float, float], ...]
    steps: Steps
    line_steps: Steps
    wraps: int = 0  # the number of points if the shape is a ring
    all_joined: bool = False

    def toward(self, steps: Steps) -> tuple[tuple[int, ...], ...]:
        if not self.wraps:
            return steps_toward(self.points, steps)
        return tuple(tuple((n + step[0]) % self.wraps for step in steps.values()) for (n,) in self.points)


def build_map(
    declaration: nodes.Map, constants: dict[str, int], files: Sequence[MapFile], players: int, found: Diagnostics
) -> MapData | None:
    """The map of a declaration, or None after a finding. `constants` gives sizes by name.

    `files` has the file that the declaration names, then those that extend it. It is empty if the declaration names no
    file, or if one of the files could not be read, which has already been reported.
    """
    shape = declaration.shape
    if shape is None:
        return map_from_file(declaration, files, players, found) if files else None
    if shape.form == "hexes":
        return map_from_tiles(declaration, files, players, found) if files else None
    if not _has_one_kind(declaration, found):
        return None
    shape = _sized_by_name(declaration, shape)
    layout = _lay_out(declaration, shape, constants, found)
    return None if layout is None else _finish(declaration, shape, layout)


def has_kinds(declaration: nodes.Map, found: Diagnostics) -> bool:
    """True if a generated map names the kind of its nodes, and at most one kind of edges."""
    if not declaration.nodes:
        headline = f"the map `{declaration.name.text}` has no kind of nodes"
        found.error("R0240", headline, declaration.name.span, help="add a line below it: `node Cell`")
        return False
    return _has_one_kind(declaration, found)


def _has_one_kind(declaration: nodes.Map, found: Diagnostics) -> bool:
    if len(declaration.nodes) < 2 and len(declaration.edges) < 2:
        return True
    extra = (declaration.nodes[1:] + declaration.edges[1:])[0]
    found.error("R0240", "a generated map has one kind of nodes and one of edges", extra.name.span, help="remove one")
    return False


# ---------------------------------------------------------------------------- shapes


def _sized_by_name(declaration: nodes.Map, shape: nodes.Shape) -> nodes.Shape:
    """`ring of size`: a single name is a size if the map declares its own nodes; otherwise it is a node."""
    if len(shape.names) != 1 or not declaration.nodes:
        return shape
    (name,) = shape.names
    return replace(shape, names=(), bounds=(nodes.Bound(name.span, name.text),))


def _lay_out(
    declaration: nodes.Map, shape: nodes.Shape, constants: dict[str, int], found: Diagnostics
) -> _Layout | None:
    sizes = [_size(bound, constants, found) for bound in shape.bounds]
    if any(size is None for size in sizes) or not _names_are_unique(shape, found):
        return None
    known = [size for size in sizes if size is not None]
    if not _fits(declaration, shape, known, found):
        return None
    prefix = in_lower_case(declaration.nodes[0].name.text) if declaration.nodes else "node"
    match shape.form:
        case "grid":
            return _grid(prefix, known[0], known[1], shape)
        case "hexagon":
            return _hexagon(prefix, known[0])
        case "rhombus":
            return _rhombus(prefix, known[0], known[1], shape)
        case "triangle":
            return _triangle(prefix, known[0])
        case "line":
            return _line(prefix, shape, known)
        case "ring" | "complete":
            return _round(prefix, shape, known)
        case other:
            raise ValueError(f"no such shape: {other}")


def _size(bound: nodes.Bound, constants: dict[str, int], found: Diagnostics) -> int | None:
    size = number_of(bound, constants)
    if size is None:
        _no_size(bound, constants, found)
    elif size < 1:
        found.error("R0240", f"a map cannot have a size of {size}", bound.span, help="it begins at 1")
        return None
    return size


def _no_size(bound: nodes.Bound, constants: dict[str, int], found: Diagnostics) -> None:
    for name, span in names_in(bound):
        if name not in constants:
            advice = did_you_mean(name, constants) or "declare it: `constant NAME: 1..9 = 8`"
            found.error("R0240", f"`{name}` is no constant number", span, help=advice)
            return
    found.error("R0240", "this size divides by nothing", bound.span, help="a divisor must be above 0")


def _names_are_unique(shape: nodes.Shape, found: Diagnostics) -> bool:
    seen: set[str] = set()
    for name in shape.names:
        if name.text in seen:
            found.error("R0240", f"`{name.text}` stands twice in this map", name.span, help="name each node once")
            return False
        seen.add(name.text)
    return True


def _fits(declaration: nodes.Map, shape: nodes.Shape, sizes: list[int], found: Diagnostics) -> bool:
    if not shape.names and not has_kinds(declaration, found):
        return False
    if shape.letters and sizes[1] > len(LETTERS):
        what = f"there are not {sizes[1]} letters for the columns"
        found.error("R0240", what, shape.span, help=f"leave out `letters`, or have at most {len(LETTERS)} columns")
        return False
    counts = {
        "grid": lambda: sizes[0] * sizes[1],
        "rhombus": lambda: sizes[0] * sizes[1],
        "hexagon": lambda: 3 * sizes[0] * (sizes[0] - 1) + 1,
        "triangle": lambda: sizes[0] * (sizes[0] + 1) // 2,
    }
    count = counts.get(shape.form, lambda: sizes[0] if sizes else len(shape.names))()
    if count > MOST_NODES:
        found.error("R0240", f"a map of {count:,} nodes", shape.span, help=f"a map has at most {MOST_NODES:,}")
        return False
    edges = count * (count - 1) // 2 if shape.form == "complete" else 0
    if edges > MOST_EDGES:
        found.error("R0240", f"a map of {edges:,} edges", shape.span, help=f"a map has at most {MOST_EDGES:,}")
    return edges <= MOST_EDGES


def _names(prefix: str, points: Sequence[Point], letters: bool) -> tuple[str, ...]:
    """`cell_2_3` by row and column, or as on a chessboard `c2`."""
    if letters:
        return tuple(f"{LETTERS[column - 1]}{row}" for row, column in points)
    return tuple(f"{prefix}_{row}_{column}" for row, column in points)


def _grid(prefix: str, rows: int, columns: int, shape: nodes.Shape) -> _Layout:
    points = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    return _Layout(
        points=tuple(points),
        names=_names(prefix, points, shape.letters),
        values={"row": tuple(row for row, _ in points), "column": tuple(column for _, column in points)},
        positions=tuple((float(column - 1), float(rows - row)) for row, column in points),
        steps=GRID_STEPS if shape.diagonals else STRAIGHT_STEPS,
        line_steps=GRID_STEPS,
    )


def _hexagon(prefix: str, side: int) -> _Layout:
    """Pointy-topped hexes, `side` of them along each side; the middle one is q 0, r 0. Rows from the top."""
    far = side - 1
    rows = [(r, [(q, r) for q in range(max(-far, -r - far), min(far, far - r) + 1)]) for r in range(-far, far + 1)]
    points = [point for _, row in rows for point in row]
    return _Layout(
        points=tuple(points),
        names=tuple(f"{prefix}_{r + side}_{place}" for r, row in rows for place, _ in enumerate(row, 1)),
        values={"q": tuple(q for q, _ in points), "r": tuple(r for _, r in points)},
        positions=tuple(hex_position(q, r) for q, r in points),
        steps=HEX_STEPS,
        line_steps=HEX_STEPS,
    )


def _rhombus(prefix: str, rows: int, columns: int, shape: nodes.Shape) -> _Layout:
    """Rows of hexes, each half a hex further to the right than the one above it. Row 1 is at the top."""
    points = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    return _hexes(_names(prefix, points, shape.letters), points)


def _triangle(prefix: str, side: int) -> _Layout:
    """One hex in row 1, at the top, two in row 2, and so on."""
    points = [(row, place) for row in range(1, side + 1) for place in range(1, row + 1)]
    return _hexes(_names(prefix, points, letters=False), points, lambda row, place: (place - row, row - 1))


def _hexes(
    names: tuple[str, ...],
    points: Sequence[Point],
    at: Callable[[int, int], Point] = lambda row, column: (column - 1, row - 1),
) -> _Layout:
    """Hexes that are told by row and column as well as by q and r."""
    places = [at(*point) for point in points]
    return _Layout(
        points=tuple(places),
        names=names,
        values={
            "q": tuple(q for q, _ in places),
            "r": tuple(r for _, r in places),
            "row": tuple(row for row, _ in points),
            "column": tuple(column for _, column in points),
        },
        positions=tuple(hex_position(q, r) for q, r in places),
        steps=HEX_STEPS,
        line_steps=HEX_STEPS,
    )


def _line(prefix: str, shape: nodes.Shape, sizes: list[int]) -> _Layout:
    names = [name.text for name in shape.names] or [f"{prefix}_{number}" for number in range(1, sizes[0] + 1)]
    length = len(names)
    return _Layout(
        points=tuple((number,) for number in range(length)),
        names=tuple(names),
        values={} if shape.names else {"number": tuple(range(1, length + 1))},
        positions=tuple((float(number), 0.0) for number in range(length)),
        steps=WALK_STEPS,
        line_steps=WALK_STEPS,
    )


def _round(prefix: str, shape: nodes.Shape, sizes: list[int]) -> _Layout:
    """A ring or a complete graph: both are drawn on a circle, clockwise from the top."""
    from math import cos, pi, sin

    names = [name.text for name in shape.names] or [f"{prefix}_{number}" for number in range(1, sizes[0] + 1)]
    size, is_ring = len(names), shape.form == "ring"
    radius = max(1.0, size / 6)
    angles = [2 * pi * number / size for number in range(size)]
    return _Layout(
        points=tuple((number,) for number in range(size)),
        names=tuple(names),
        values={} if shape.names else {"number": tuple(range(1, size + 1))},
        positions=tuple((round(radius * sin(a), 6), round(-radius * cos(a), 6)) for a in angles),
        steps=WALK_STEPS if is_ring and size > 1 else {},
        line_steps={},
        wraps=size,
        all_joined=not is_ring,
    )


# ---------------------------------------------------------------------------- from layout to data


def _finish(declaration: nodes.Map, shape: nodes.Shape, layout: _Layout) -> MapData:
    toward = layout.toward(layout.steps)
    graph = _graph(layout, toward)
    edge_ends = tuple(sorted((min(a, b), max(a, b)) for a, b in graph.edges))
    edge_kind = declaration.edges[0].name.text if declaration.edges else None
    prefix = in_lower_case(edge_kind or "edge")
    return MapData(
        name=declaration.name.text,
        shape=shape.form,
        node_runs=((declaration.nodes[0].name.text, len(layout.points)),) if declaration.nodes else (),
        node_names=layout.names,
        node_values=layout.values,
        edge_runs=((edge_kind, len(edge_ends)),) if edge_kind else (),
        edge_names=tuple(f"{prefix}_{number}" for number in range(1, len(edge_ends) + 1)),
        edge_ends=edge_ends,
        neighbours=tuple(_neighbours(node, toward, graph) for node in range(len(layout.points))),
        edges_of=edges_by_node(len(layout.points), edge_ends),
        directions=tuple(layout.steps),
        toward=toward,
        line_directions=tuple(layout.line_steps),
        line_toward=layout.toward(layout.line_steps),
        border=_border(layout),
        positions=layout.positions,
        span=declaration.span,
    )


def _graph(layout: _Layout, toward: Sequence[tuple[int, ...]]) -> Any:
    """The graph in networkx, validated: no self-loops, and connected."""
    import networkx as nx

    count = len(layout.points)
    graph = nx.complete_graph(count) if layout.all_joined else nx.empty_graph(count)
    graph.add_edges_from((node, goal) for node, goals in enumerate(toward) for goal in goals if goal not in (-1, node))
    assert nx.number_of_selfloops(graph) == 0 and nx.is_connected(graph), "a generated shape is in one piece"
    return graph


def _neighbours(node: int, toward: Sequence[tuple[int, ...]], graph: Any) -> tuple[int, ...]:
    """The neighbours of a node: clockwise if the map has directions, otherwise in node order."""
    if toward[node]:
        return tuple(dict.fromkeys(goal for goal in toward[node] if goal not in (-1, node)))
    return tuple(sorted(graph.neighbors(node)))


def _border(layout: _Layout) -> frozenset[int]:
    """Nodes from which at least one straight step leads off the board. Rings and complete graphs have no border."""
    steps = layout.toward(layout.line_steps)
    return frozenset(node for node, goals in enumerate(steps) if -1 in goals)
