"""Map queries on random graphs, hexes and grids: the same answers as networkx and as plain geometry."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.ruleset.map_data import HEX_STEPS, steps_toward
from interpreter.ruleset.maps import GRID_STEPS, STRAIGHT_STEPS
from interpreter.runtime.graph import NO_NUMBER, MapGraph

Edges = list[tuple[int, int]]
Case = tuple[int, Edges, list[int], set[int], set[int], set[int]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Number of nodes, edges (several may join the same nodes), their costs, allowed edges, allowed nodes, stops."""
    count = draw(st.integers(2, 14))
    node = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(node, node).filter(lambda pair: pair[0] != pair[1]), max_size=24))
    costs = [draw(st.integers(0, 4)) for _ in pairs]
    numbers = st.integers(0, len(pairs) - 1) if pairs else st.nothing()
    some_edges = draw(st.sets(numbers)) if pairs else set()
    return count, pairs, costs, some_edges, draw(st.sets(node)), draw(st.sets(node))


def built(count: int, pairs: Edges) -> MapGraph:
    near = {n: sorted({b if a == n else a for a, b in pairs if n in (a, b)}) for n in range(count)}
    return MapGraph(
        nodes=tuple(range(count)),
        neighbours={n: tuple(found) for n, found in near.items()},
        edges_of={n: tuple(e for e, pair in enumerate(pairs) if n in pair) for n in range(count)},
        ends=dict(enumerate(pairs)),
        toward=dict.fromkeys(range(count), ()),
        line_toward=dict.fromkeys(range(count), ()),
    )


def without_passing(graph: Any, start: int, stops: set[int], goal: int | None = None) -> Any:
    """A directed graph in which nothing leads on from a stop."""
    ways = nx.MultiDiGraph(graph)
    ways.remove_edges_from([way for way in list(ways.edges(keys=True)) if way[0] in stops and way[0] != start])
    return ways


@given(cases())
@settings(max_examples=75, deadline=None)
def test_distances_and_groups(case: Case) -> None:
    count, pairs, _, _, nodes, _ = case
    ours, graph = built(count, pairs), nx.Graph(pairs)
    graph.add_nodes_from(range(count))
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    for a in range(count):
        for b in range(count):
            assert ours.distance(a, b) == lengths[a].get(b, NO_NUMBER)
            assert ours.edges_joining(a, b) == [e for e, pair in enumerate(pairs) if set(pair) == {a, b}]
        spiral = ours.spiral(a)
        assert set(spiral) == set(lengths[a]) and all(lengths[a][x] <= lengths[a][y] for x, y in pairwise(spiral))
        assert [n for k in range(count) for n in ours.ring(a, k)] == list(spiral)
    components = [len(part) for part in nx.connected_components(graph.subgraph(nodes))]
    assert ours.groups(sorted(nodes)) == len(components)
    assert ours.largest_group(sorted(nodes)) == max(components, default=0)


@given(cases())
@settings(max_examples=100, deadline=None)
def test_reach(case: Case) -> None:
    count, pairs, _, edges, nodes, stops = case
    ours = built(count, pairs)
    whole = nx.Graph(pairs)
    whole.add_nodes_from(range(count))
    streets = nx.Graph([pairs[edge] for edge in edges])
    streets.add_nodes_from(range(count))
    for start in range(count):
        reached = nx.descendants(without_passing(streets, start, stops), start)
        assert ours.reach_along(start, edges, stops) == sorted(reached)
        open_nodes = whole.subgraph(nodes | {start})
        reached = nx.descendants(without_passing(open_nodes, start, stops), start)
        assert ours.reach_through(start, nodes, stops) == sorted(reached)
        both = streets.subgraph(nodes | {start})
        assert ours.reach_both(start, edges, nodes, stops) == sorted(
            nx.descendants(without_passing(both, start, stops), start)
        )
    assert ours.reach_along(-1, edges, stops) == [] == ours.reach_through(-1, nodes, stops)


@given(cases())
@settings(max_examples=100, deadline=None)
def test_cheapest_ways(case: Case) -> None:
    count, pairs, costs, edges, _, stops = case
    ours = built(count, pairs)
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(count))
    for edge in edges:
        graph.add_edge(*pairs[edge], key=edge, cost=costs[edge])
    paid = {edge: costs[edge] for edge in edges}
    for start in range(count):
        ways = without_passing(graph, start, stops)
        least = nx.single_source_dijkstra_path_length(ways, start, weight="cost")
        assert ours.cheapest_to(start, paid.get, stops) == least
        for goal in range(count):
            assert ours.cheapest(start, goal, paid.get, stops) == least.get(goal, NO_NUMBER)
            path = ours.cheapest_path(start, goal, paid, stops)
            assert follows(path, start, goal, pairs, stops) == (goal in least)
            assert sum(paid[edge] for edge in path) == least.get(goal, 0)


def follows(path: list[int], start: int, goal: int, pairs: Edges, stops: set[int]) -> bool:
    """Whether the edges lead from start to goal without passing a stop or a node twice."""
    node, passed = start, {start}
    for edge in path:
        assert node == start or node not in stops
        assert node in pairs[edge]
        node = pairs[edge][1] if pairs[edge][0] == node else pairs[edge][0]
        assert node not in passed
        passed.add(node)
    return node == goal


@given(cases())
@settings(max_examples=75, deadline=None)
def test_a_map_over_some_nodes_of_another(case: Case) -> None:
    """Nodes that the map does not have are in no group, at no distance, and lead nowhere."""
    count, every_pair, costs, _, on, asked = case
    pairs = [pair for pair in every_pair if set(pair) <= on]
    whole = built(count, pairs)
    ours = MapGraph(
        nodes=tuple(sorted(on)),
        neighbours={n: near for n, near in whole.neighbours.items() if n in on},
        edges_of={n: tuple(e for e, pair in enumerate(pairs) if n in pair) for n in on},
        ends=dict(enumerate(pairs)),
        toward=dict.fromkeys(on, ()),
        line_toward=dict.fromkeys(on, ()),
    )
    graph = nx.Graph(pairs)
    graph.add_nodes_from(on)
    components = [len(part) for part in nx.connected_components(graph.subgraph(asked))]
    assert ours.groups(sorted(asked)) == len(components)
    assert ours.largest_group(sorted(asked)) == max(components, default=0)
    paid = {edge: costs[every_pair.index(pair)] for edge, pair in enumerate(pairs)}
    for a in range(count):
        lengths = nx.single_source_shortest_path_length(graph, a) if a in on else {}
        others = sorted(set(lengths) - {a})
        assert sorted(ours.spiral(a)) == sorted(lengths)
        assert ours.reach_along(a, set(paid), ()) == ours.reach_through(a, None, ()) == others
        assert ours.reach_both(a, set(paid), on, ()) == others
        assert a in on or ours.line(a, 0, 3) == ours.ring(a, 0) == ()
        assert ours.longest_line(a, lambda node: True) == (1 if a in on else 0)
        for b in range(count):
            assert ours.distance(a, b) == lengths.get(b, NO_NUMBER)
            assert (ours.cheapest(a, b, paid.get, ()) == NO_NUMBER) == (b not in lengths)
            assert bool(ours.cheapest_path(a, b, paid, ())) == (b in others)
            assert ours.between(a, b) == ()
            assert (ours.edge_joining(a, b) >= 0) == bool(ours.edges_joining(a, b)) == graph.has_edge(a, b)


# ---------------------------------------------------------------------------- geometry


def surface(points: list[tuple[int, int]], steps: dict[str, tuple[int, ...]], form: str) -> MapGraph:
    toward = dict(enumerate(steps_toward(points, steps)))
    near = {n: tuple(goal for goal in goals if goal >= 0) for n, goals in toward.items()}
    return MapGraph(tuple(range(len(points))), near, {}, {}, toward, toward, dict(enumerate(points)), form)


POINTS = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=40, unique=True)


@given(POINTS)
@settings(max_examples=50, deadline=None)
def test_rings_of_hexes_go_round_clockwise_from_the_north_east(points: list[tuple[int, int]]) -> None:
    ours = surface(points, HEX_STEPS, "hex")
    middle = points[0]
    for steps in range(10):
        q, r = middle[0] + steps, middle[1] - steps
        walk = [middle] if steps == 0 else []
        for across, along in ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)):
            for _ in range(steps):
                walk.append((q, r))
                q, r = q + across, r + along
        assert ours.ring(0, steps) == tuple(points.index(point) for point in walk if point in points)
    assert sorted(ours.spiral(0)) == list(range(len(points)))


@given(POINTS, st.sampled_from(["hex", "grid", "diagonal"]))
@settings(max_examples=50, deadline=None)
def test_lines_and_what_lies_between(points: list[tuple[int, int]], form: str) -> None:
    steps = {"hex": HEX_STEPS, "grid": STRAIGHT_STEPS, "diagonal": GRID_STEPS}[form]
    ours = surface(points, steps, form)
    for number, point in enumerate(points):
        for direction, step in enumerate(steps.values()):
            line: list[int] = []
            current = (point[0] + step[0], point[1] + step[1])
            while current in points:
                line.append(points.index(current))
                current = (current[0] + step[0], current[1] + step[1])
            assert ours.line(number, direction, 3) == tuple(line[:3])
            for place, other in enumerate(line):
                assert ours.between(number, other) == tuple(line[:place])
    assert ours.ring(0, 1_000_000_000) == () == ours.ring(0, -1) == ours.line(0, 0, 0)


def test_a_small_ring_of_hexes_by_hand() -> None:
    island = surface([(0, 0), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (2, -2)], HEX_STEPS, "hex")
    assert island.ring(0, 1) == (1, 2, 3, 4, 5, 6) and island.ring(0, 2) == (7,)
    assert island.spiral(5) == (5, 6, 0, 4, 1, 2, 3, 7)
