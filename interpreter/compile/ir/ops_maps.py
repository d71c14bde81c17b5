"""Questions to maps: tables, distances, ways, groups, lines."""

from __future__ import annotations

from .nodes import Op

__all__ = [
    "Cheapest", "CheapestTo", "CostFrom", "Groups", "LongestLine", "LongestTrail", "MapQuery", "MapTable", "Reach",
    "Stops",
]  # fmt: skip

Stops = tuple[tuple[int, int], ...]  # runs of nodes (first, count) that are reached and not passed


class MapTable(Op):
    """A constant of a map: neighbours, edges, ends, toward, border."""

    table: str
    indexes: tuple[Op, ...]


class MapQuery(Op):
    """A question that a map answers by itself: distance, line, between, ring, spiral, edges_joining, edge_joining."""

    map: str
    what: str
    args: tuple[Op, ...]


class Reach(Op):
    """What can be reached along these edges through these nodes; stops are reached and not passed."""

    map: str
    start: Op
    edge: str | None
    edges: Op | None
    edge_where: Op | None
    node: str | None
    nodes: Op | None
    node_where: Op | None
    stops: Stops
    every_edge: bool

    binds = ("edge", "node")


class Cheapest(Op):
    """The cost of the cheapest way, or the way itself."""

    map: str
    start: Op
    goal: Op
    edge: str
    edges: Op
    where: Op | None
    cost: Op
    stops: Stops
    every_edge: bool
    is_path: bool

    binds = ("edge",)


class CheapestTo(Op):
    """The cheapest cost from every node to the goal, for `CostFrom`."""

    map: str
    goal: Op
    edge: str
    edges: Op
    where: Op | None
    cost: Op
    stops: Stops
    every_edge: bool

    binds = ("edge",)


class CostFrom(Op):
    """The cost from that node, as `CheapestTo` has found it, or none."""

    costs: Op
    start: Op


class Groups(Op):
    """How many groups of neighbours there are, or the size of the largest."""

    map: str
    largest: bool
    local: str
    source: Op
    where: Op | None

    binds = ("local",)


class LongestLine(Op):
    """The length of the longest straight line through a node, of nodes that satisfy `where`."""

    map: str
    local: str
    through: Op
    where: Op

    binds = ("local",)


class LongestTrail(Op):
    """The greatest sum of values along a way that uses no edge twice and passes only these nodes. Counts its work."""

    map: str
    edge: str
    edges: Op
    where: Op | None
    value: Op
    node: str | None
    nodes: Op | None
    node_where: Op | None

    binds = ("edge", "node")
