"""`map roads is corners of island`: where the spaces of a board of squares or hexes meet.

Some games are played on the corners of spaces and on the sides between them: settlements stand where hexes meet, roads
run along their sides. Such a map follows from the board, so nobody has to write it down: each corner is a node, each
side is an edge between its two corners. Corners, sides and spaces know each other (`corner.spaces`, `side.spaces`,
`space.corners`, `space.sides`).

A corner is found by whole numbers, so that the corner of one space is the same number as that of its neighbour. A hex
q, r has its middle at column 2q + r and height 3r, in half widths and sixths of its height; its corners lie two up or
down, or one up or down and one aside. A square has its corners half a row and half a column away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..syntax import nodes
from .map_data import MapData, Point, edges_by_node, in_lower_case

_AROUND_HEX = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # clockwise from the top
_AROUND_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # clockwise from the top left
_SIXTH = 0.288675  # a sixth of the height of a hex whose width is 1


@dataclass(frozen=True)
class Corners:
    """The map, and what touches what: spaces by their numbers on the board, corners and sides by their own."""

    data: MapData
    spaces_of_corner: tuple[tuple[int, ...], ...]
    spaces_of_side: tuple[tuple[int, ...], ...]
    corners_of_space: dict[int, tuple[int, ...]]
    sides_of_space: dict[int, tuple[int, ...]]  # the first one runs from the first corner to the second


def corners_of(declaration: nodes.Map, spaces: Mapping[int, Point], is_hex: bool, highest_row: int) -> Corners:
    """The map of the corners of `spaces`: their numbers, with row and column, or q and r of hexes."""
    outlines = {space: _outline(point, is_hex, highest_row) for space, point in spaces.items()}
    points = sorted({point for outline in outlines.values() for point in outline}, key=lambda point: point[::-1])
    number = {point: index for index, point in enumerate(points)}
    around = {space: tuple(number[point] for point in outline) for space, outline in outlines.items()}
    touching: list[list[int]] = [[] for _ in points]
    beside: dict[tuple[int, int], list[int]] = {}
    for space, corners in around.items():
        for corner in corners:
            touching[corner].append(space)
        for side in _sides(corners):
            beside.setdefault(side, []).append(space)
    sides = sorted(beside)
    number_of_side = {side: index for index, side in enumerate(sides)}
    full = 3 if is_hex else 4
    border = frozenset(n for n, found in enumerate(touching) if len(found) < full)
    positions = tuple((x / 2, round(y * (_SIXTH if is_hex else 0.5), 6)) for x, y in points)
    return Corners(
        _as_map(declaration, sides, border, positions),
        tuple(map(tuple, touching)),
        tuple(tuple(beside[side]) for side in sides),
        around,
        {space: tuple(number_of_side[side] for side in _sides(corners)) for space, corners in around.items()},
    )


def _outline(point: Point, is_hex: bool, highest_row: int) -> list[Point]:
    """The corners of a space, clockwise. Row 1 of a grid is at the bottom, and heights are counted from the top."""
    first, second = point[:2]
    x, y = (2 * first + second, 3 * second) if is_hex else (2 * second - 2, 2 * (highest_row - first))
    return [(x + right, y + down) for right, down in (_AROUND_HEX if is_hex else _AROUND_SQUARE)]


def _sides(corners: Sequence[int]) -> list[tuple[int, int]]:
    following = (*corners[1:], corners[0])
    return [(min(pair), max(pair)) for pair in zip(corners, following, strict=True)]


def _as_map(
    declaration: nodes.Map,
    sides: Sequence[tuple[int, int]],
    border: frozenset[int],
    positions: tuple[tuple[float, float], ...],
) -> MapData:
    count = len(positions)
    node_kind = declaration.nodes[0].name.text
    edge_kind = declaration.edges[0].name.text if declaration.edges else None
    node_prefix, edge_prefix = in_lower_case(node_kind), in_lower_case(edge_kind or "edge")
    edges_of = edges_by_node(count, sides)
    neighbours = (sorted(sum(sides[edge]) - node for edge in edges) for node, edges in enumerate(edges_of))
    return MapData(
        name=declaration.name.text,
        shape="corners",
        node_runs=((node_kind, count),),
        node_names=tuple(f"{node_prefix}_{number}" for number in range(1, count + 1)),
        node_values={"number": tuple(range(1, count + 1))},
        edge_runs=((edge_kind, len(sides)),) if edge_kind else (),
        edge_names=tuple(f"{edge_prefix}_{number}" for number in range(1, len(sides) + 1)),
        edge_ends=tuple(sides),
        neighbours=tuple(map(tuple, neighbours)),
        edges_of=edges_of,
        directions=(),
        toward=((),) * count,
        line_directions=(),
        line_toward=((),) * count,
        border=border,
        positions=positions,
        span=declaration.span,
    )
