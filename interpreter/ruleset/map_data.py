"""A map as plain data: the common result of all ways to define one (a shape, a file, tiles).

Nodes and edges have local numbers from 0. Those of one kind stand together, in the order of the kinds in the rules, so
that a kind is a run of numbers. Nothing later needs the library that the graph was validated with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..diagnostics.source import Span
from .gathered import Row

Point = tuple[int, ...]
Steps = dict[str, Point]
Runs = tuple[tuple[str, int], ...]

HEX_STEPS: Steps = {
    "north_east": (1, -1),
    "east": (1, 0),
    "south_east": (0, 1),
    "south_west": (-1, 1),
    "west": (-1, 0),
    "north_west": (0, -1),
}


@dataclass(frozen=True)
class MapData:
    """A map with the names of its nodes and edges.

    `node_runs` lists the node kinds with the number of nodes of each; it is empty if the map joins nodes that another
    map declares. `toward[n][d]` is the node one step from n in direction d, or -1; `line_toward` is the same for
    straight lines, over `line_directions`. A map from a file has a row for each node or edge, a generated one has none.
    """

    name: str
    shape: str
    node_runs: Runs
    node_names: tuple[str, ...]
    node_values: dict[str, tuple[int, ...]]
    edge_runs: Runs
    edge_names: tuple[str, ...]
    edge_ends: tuple[tuple[int, int], ...]
    neighbours: tuple[tuple[int, ...], ...]
    edges_of: tuple[tuple[int, ...], ...]
    directions: tuple[str, ...]
    toward: tuple[tuple[int, ...], ...]
    line_directions: tuple[str, ...]
    line_toward: tuple[tuple[int, ...], ...]
    border: frozenset[int]
    positions: tuple[tuple[float, float], ...]  # x to the right, y downwards
    span: Span = field(compare=False, repr=False)
    node_rows: tuple[Row, ...] = ()
    edge_rows: tuple[Row, ...] = ()
    node_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)  # where a file names nodes of others

    @property
    def node_kind(self) -> str | None:
        """The kind of its nodes, or the first of several."""
        return self.node_runs[0][0] if self.node_runs else None

    @property
    def edge_kind(self) -> str | None:
        return self.edge_runs[0][0] if self.edge_runs else None

    @cached_property
    def distance(self) -> tuple[tuple[int, ...], ...]:
        """The number of steps between any two nodes, -1 if there is no path; computed when first needed."""
        return tuple(_distances_from(start, self.neighbours) for start in range(len(self.node_names)))


def steps_toward(points: Sequence[Point], steps: Steps) -> tuple[tuple[int, ...], ...]:
    """For each point, the number of the point one step away in each direction, or -1."""
    number = {point: index for index, point in enumerate(points)}
    return tuple(
        tuple(number.get(tuple(a + b for a, b in zip(point, step, strict=True)), -1) for step in steps.values())
        for point in points
    )


def edges_by_node(count: int, edge_ends: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    edges: list[list[int]] = [[] for _ in range(count)]
    for number, ends in enumerate(edge_ends):
        for end in ends:
            edges[end].append(number)
    return tuple(tuple(numbers) for numbers in edges)


def hex_position(q: int, r: int) -> tuple[float, float]:
    """Where a pointy-topped hex is drawn, measured in hex widths."""
    return q + r / 2, r * 0.866


def in_lower_case(kind: str) -> str:
    """`StreetCell` as part of a name: `street_cell`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()


def _distances_from(start: int, neighbours: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    distance = [-1] * len(neighbours)
    distance[start] = 0
    queue = [start]
    for node in queue:
        for goal in neighbours[node]:
            if distance[goal] < 0:
                distance[goal] = distance[node] + 1
                queue.append(goal)
    return tuple(distance)
