"""Map queries at run time, over adjacency prepared once.

`MapGraph` is built from the plain tables that the compiler supplies; it uses the game's own node and edge numbers.
Answers that never change (distances, straight lines, rings) are computed when first needed and cached. Queries over
edges or nodes that satisfy a condition take those edges or nodes as a set: emitted code evaluates the condition inline,
which saves a function call for each of them.

Rings and spirals follow the geometry if there is one: on hexes and grids a ring is walked clockwise, starting in the
first direction, as if every space existed; spaces that do not exist are left out. On other maps a ring is the nodes at
that distance, in file order; on a ring or a line the one ahead comes before the one behind.

A map may join only some of the nodes of another. Asked about a node that it does not have, it answers as for none:
`neighbours` has only the map's own nodes as keys, and none (-1) is not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, TypeVar

Test = Callable[[int], bool]
Point = tuple[int, ...]
Ray = tuple[int, ...]
T = TypeVar("T")

NO_NUMBER = -(1 << 31)
NONE = -1
NOTHING: tuple[int, ...] = ()

# form -> the step from the centre to the start of a ring, then the walk around it: steps, each repeated radius times
_RINGS: dict[str, tuple[Point, tuple[tuple[Point, int], ...]]] = {
    "hex": ((1, -1), (((0, 1), 1), ((-1, 1), 1), ((-1, 0), 1), ((0, -1), 1), ((1, -1), 1), ((1, 0), 1))),
    "grid": ((1, 0), (((-1, 1), 1), ((-1, -1), 1), ((1, -1), 1), ((1, 1), 1))),
    "diagonal": ((1, 0), (((0, 1), 1), ((-1, 0), 2), ((0, -1), 2), ((1, 0), 2), ((0, 1), 1))),
}


_MOST_KEPT = 1_000_000  # numbers, some hundred megabytes: all of a map of 700 nodes


class _Kept(dict[int, T]):
    """A cache by node: an entry is computed when it is first needed."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, node: int) -> T:
        made = self[node] = self.make(node)
        return made


class MapGraph:
    """form: `hex`, `grid` or `diagonal` over `points` (q, r or row, column); `walk` for rings and lines; or nothing."""

    def __init__(
        self,
        nodes: tuple[int, ...],
        neighbours: dict[int, tuple[int, ...]],
        edges_of: dict[int, tuple[int, ...]],
        ends: dict[int, tuple[int, int]],
        toward: dict[int, tuple[int, ...]],
        line_toward: dict[int, tuple[int, ...]],
        points: dict[int, Point] | None = None,
        form: str = "",
    ) -> None:
        self.nodes = nodes
        self.neighbours = neighbours
        self.ends = ends
        self.toward = toward
        self.line_toward = line_toward
        self.points = points or {}
        self.form = form
        self.steps = {node: tuple(self._step(edge, node) for edge in edges_of.get(node, ())) for node in nodes}
        self._asked_for = -1
        self._kept = 0  # numbers in all that is kept below
        self._distances: dict[int, dict[int, int]] = {}
        self._rings: dict[tuple[int, int], tuple[int, ...]] = {}
        self._spirals: dict[int, tuple[int, ...]] = {}
        self._between: dict[tuple[int, int], tuple[int, ...]] = {}
        self._straight = _Kept(lambda node: _rays_from(node, self.toward))
        # for each node, the straight line in every direction of lines, without the node itself
        self.rays = _Kept(lambda node: _rays_from(node, self.line_toward))
        self.axes = _Kept(self._axes_of)

    def _step(self, edge: int, node: int) -> tuple[int, int]:
        one, other = self.ends[edge]
        return edge, other if one == node else one

    # ------------------------------------------------------------------ static

    def distances(self, start: int) -> dict[int, int]:
        """The number of steps from the start to every reachable node, nearest first."""
        found = self._distances.get(start)
        if found is None:
            found = {start: 0}
            waiting = [start]
            for node in waiting:
                for other in self.neighbours[node]:
                    if other not in found:
                        found[other] = found[node] + 1
                        waiting.append(other)
            self._keep(self._distances, start, found)
        return found

    def _keep(self, kept: dict[Any, Any], key: Any, found: Any) -> None:
        """Keeps an answer for the next time. A large map has too many of them, so then the old ones go."""
        if self._kept > _MOST_KEPT:
            for answers in (self._distances, self._rings, self._spirals, self._between):
                answers.clear()
            self._kept = 0
        kept[key] = found
        self._kept += len(found) + 8

    def distance(self, a: int, b: int) -> int:
        """Steps from a to b; none if there is no path, or if one of them is none or not on the map."""
        if a not in self.neighbours:
            return NO_NUMBER
        if a not in self._distances and b in self.neighbours:
            # Ways lead in both directions. Whoever asks how far it is from every node to b wants the distances of b.
            if b in self._distances or b == self._asked_for:
                return self.distances(b).get(a, NO_NUMBER)
            self._asked_for = b
        return self.distances(a).get(b, NO_NUMBER)

    def edges_joining(self, a: int, b: int) -> list[int]:
        """The edges between two nodes, in file order."""
        return [edge for edge, other in self.steps[a] if other == b] if a in self.steps else []

    def edge_joining(self, a: int, b: int) -> int:
        """The first edge between two nodes, or none."""
        for edge, other in self.steps.get(a, ()):
            if other == b:
                return edge
        return -1

    def line(self, node: int, direction: int, steps: int) -> tuple[int, ...]:
        """Up to `steps` nodes in a direction, without the start; on a ring at most once around."""
        if node not in self.neighbours or direction < 0 or steps <= 0:
            return NOTHING
        return self._straight[node][direction][:steps]

    def between(self, a: int, b: int) -> tuple[int, ...]:
        """The nodes strictly between two nodes on a straight line, in order; empty if they are not on one."""
        if a not in self.neighbours:
            return NOTHING
        found = self._between.get((a, b))
        if found is None:
            found = next((ray[: ray.index(b)] for ray in self.rays[a] if b in ray), NOTHING)
            self._keep(self._between, (a, b), found)
        return found

    def ring(self, node: int, steps: int) -> tuple[int, ...]:
        """The nodes at that distance, clockwise if the map has directions."""
        if node not in self.neighbours or steps < 0:
            return NOTHING
        found = self._rings.get((node, steps))
        if found is None:
            if self.form in _RINGS:
                found = self._walk_round(node, steps) if steps <= self._extent else NOTHING
            else:
                far = self.distances(node)
                found = tuple(other for other in self.spiral(node) if far[other] == steps)
            self._keep(self._rings, (node, steps), found)
        return found

    def spiral(self, node: int) -> tuple[int, ...]:
        """The node itself, then ring after ring."""
        if node not in self.neighbours:
            return NOTHING
        found = self._spirals.get(node)
        if found is None:
            if self.form in _RINGS:
                found = tuple(other for steps in range(self._extent + 1) for other in self.ring(node, steps))
            elif self.form == "walk":
                found = tuple(self.distances(node))
            else:
                far = self.distances(node)
                found = tuple(sorted(far, key=lambda other: (far[other], other)))
            self._keep(self._spirals, node, found)
        return found

    def _walk_round(self, node: int, steps: int) -> tuple[int, ...]:
        if steps == 0:
            return (node,)
        out, sides = _RINGS[self.form]
        x, y = self.points[node]
        x, y = x + out[0] * steps, y + out[1] * steps
        found: list[int] = []
        for (across, along), times in sides:
            for _ in range(steps * times):
                other = self._at.get((x, y))
                if other is not None:
                    found.append(other)
                x, y = x + across, y + along
        return tuple(dict.fromkeys(found))

    @cached_property
    def _at(self) -> dict[Point, int]:
        return {point: node for node, point in self.points.items()}

    @cached_property
    def _extent(self) -> int:
        """An upper bound on the distance of two nodes."""
        return sum(max(values) - min(values) for values in zip(*self.points.values(), strict=True))

    def _axes_of(self, node: int) -> tuple[tuple[Ray, Ray], ...]:
        """The two rays of each axis through a node, without axes on which it is the only node."""
        rays = self.rays[node]
        half = len(rays) // 2
        return tuple((rays[d], rays[d + half]) for d in range(half) if rays[d] or rays[d + half])

    def longest_run(self, through: int, f: list[int], base: int, wanted: int) -> int:
        """`longest_line` for the common test that a field of the node has a certain value."""
        if through not in self.neighbours or f[base + through] != wanted:
            return 0
        longest = 1
        for one, other in self.axes[through]:
            run = 1
            for node in one:
                if f[base + node] != wanted:
                    break
                run += 1
            for node in other:
                if f[base + node] != wanted:
                    break
                run += 1
            if run > longest:
                longest = run
        return longest

    def longest_line(self, through: int, holds: Test) -> int:
        """The longest straight run of nodes through a node that all satisfy the test."""
        if through not in self.neighbours or not holds(through):
            return 0
        longest = 1
        for one, other in self.axes[through]:
            run = 1
            for node in one:
                if not holds(node):
                    break
                run += 1
            for node in other:
                if not holds(node):
                    break
                run += 1
            if run > longest:
                longest = run
        return longest

    # ------------------------------------------------------------------ paths

    def reach_along(self, start: int, edges: Collection[int], stops: Collection[int]) -> list[int]:
        """The nodes that can be reached from the start over these edges, in file order. Stops can be reached, but not
        passed through. Breadth-first search; the list `waiting` grows during the loop."""
        if start not in self.neighbours:
            return []
        steps = self.steps
        seen = {start}
        waiting = [start]
        for node in waiting:
            for edge, other in steps[node]:
                if edge in edges and other not in seen:
                    seen.add(other)
                    if other not in stops:
                        waiting.append(other)
        seen.discard(start)
        return sorted(seen)

    def reach_owned(self, start: int, f: list[int], base: int, wanted: int, stops: Collection[int]) -> list[int]:
        """The same over edges for which a field has the wanted value. The field of edge e is at `f[base + e]`."""
        if start not in self.neighbours:
            return []
        steps = self.steps
        seen = {start}
        waiting = [start]
        for node in waiting:
            for edge, other in steps[node]:
                if f[base + edge] == wanted and other not in seen:
                    seen.add(other)
                    if other not in stops:
                        waiting.append(other)
        seen.discard(start)
        return sorted(seen)

    def reach_through(self, start: int, nodes: Collection[int] | None, stops: Collection[int]) -> list[int]:
        """The same from node to neighbour, passing only through these nodes (None: through any)."""
        if start not in self.neighbours:
            return []
        neighbours = self.neighbours
        seen = {start}
        waiting = [start]
        for node in waiting:
            for other in neighbours[node]:
                if other not in seen and (nodes is None or other in nodes):
                    seen.add(other)
                    if other not in stops:
                        waiting.append(other)
        seen.discard(start)
        return sorted(seen)

    def reach_both(
        self, start: int, edges: Collection[int], nodes: Collection[int], stops: Collection[int]
    ) -> list[int]:
        """The same, restricted to both these edges and these nodes."""
        if start not in self.neighbours:
            return []
        seen = {start}
        waiting = [start]
        for node in waiting:
            for edge, other in self.steps[node]:
                if edge in edges and other in nodes and other not in seen:
                    seen.add(other)
                    if other not in stops:
                        waiting.append(other)
        seen.discard(start)
        return sorted(seen)

    def cheapest(self, start: int, goal: int, cost: Callable[[int], int | None], stops: Collection[int]) -> int:
        """The lowest total cost from start to goal, or none. Edges whose cost is None are not used."""
        return self.cheapest_to(start, cost, stops, goal).get(goal, NO_NUMBER)

    def cheapest_to(
        self, goal: int, cost: Callable[[int], int | None], stops: Collection[int], only: int | None = None
    ) -> dict[int, int]:
        """The cost of the cheapest path to the goal, for each node that has one (Dijkstra, starting from the goal: a
        path costs the same in both directions). If only the cost from one node is needed, `only` names it and the
        search stops there."""
        if goal not in self.neighbours:
            return {}
        steps = self.steps
        best = {goal: 0}
        done: set[int] = set()
        waiting = [(0, goal)]
        while waiting:
            paid, node = heappop(waiting)
            if node in done:
                continue
            if node == only:
                break
            done.add(node)
            if node in stops and node != goal:
                continue
            for edge, other in steps[node]:
                if other not in done and (more := cost(edge)) is not None:
                    total = paid + more
                    if other not in best or total < best[other]:
                        best[other] = total
                        heappush(waiting, (total, other))
        return best

    def cheapest_path(self, start: int, goal: int, costs: dict[int, int], stops: Collection[int]) -> list[int]:
        """The edges of the cheapest path, from the start on. Ties go to the path with the fewest edges, then to the one
        whose edges come first in file order, compared from the start. Empty if there is no path."""
        if start not in self.neighbours or goal not in self.neighbours:
            return []
        left = self._left_to_pay(start, goal, costs, stops)
        path: list[int] = []
        node = start
        while node != goal and node in left:
            paid, count = left[node]
            edge, node = min(
                (edge, other)
                for edge, other in self.steps[node]
                if edge in costs and left.get(other) == (paid - costs[edge], count - 1)
            )
            path.append(edge)
        return path

    def _left_to_pay(
        self, start: int, goal: int, costs: dict[int, int], stops: Collection[int]
    ) -> dict[int, tuple[int, int]]:
        """Cost and number of edges of the cheapest path to the goal, for nodes that a path may pass through."""
        best = {goal: (0, 0)}
        waiting = [(0, 0, goal)]
        while waiting:
            paid, count, node = heappop(waiting)
            if (paid, count) > best[node] or node == start:
                continue
            for edge, other in self.steps[node]:
                if edge in costs and (other == start or other not in stops):
                    total = (paid + costs[edge], count + 1)
                    if other not in best or total < best[other]:
                        best[other] = total
                        heappush(waiting, (*total, other))
        return best

    # ------------------------------------------------------------------ groups

    def groups(self, nodes: Sequence[int]) -> int:
        """How many connected groups these nodes form; nodes that are not on the map are ignored."""
        return len(self._components(nodes))

    def largest_group(self, nodes: Sequence[int]) -> int:
        return max(self._components(nodes), default=0)

    def _components(self, nodes: Sequence[int]) -> list[int]:
        """The size of each group."""
        left = {node for node in nodes if node in self.neighbours}
        sizes = []
        for node in nodes:
            if node not in left:
                continue
            left.discard(node)
            component = [node]
            for current in component:
                for other in self.neighbours[current]:
                    if other in left:
                        left.discard(other)
                        component.append(other)
            sizes.append(len(component))
        return sizes


def _rays_from(node: int, toward: dict[int, tuple[int, ...]]) -> tuple[Ray, ...]:
    """For each direction the nodes straight ahead, up to the border of the map or back to the node itself."""
    rays = []
    for direction, first in enumerate(toward[node]):
        ray = []
        current = first
        while current >= 0 and current != node:
            ray.append(current)
            current = toward[current][direction]
        rays.append(tuple(ray))
    return tuple(rays)
