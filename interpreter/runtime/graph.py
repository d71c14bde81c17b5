"""Map queries at run time, over adjacency prepared once.

`MapGraph` is built from the plain tables the compiler hands over; numbers are the game's own node and edge numbers.
Static answers (distances, straight lines, rings) are worked out when first asked for and kept. Queries over edges
or nodes that satisfy a condition get those edges or nodes as a set: emitted code works the condition out in place,
so that no function is called for each of them.

Rings and spirals follow the geometry where there is one: on hexes and grids a ring goes round at so many steps as
if every space were there, clockwise from the first direction, and leaves out what is not. Elsewhere a ring has the
nodes at that distance, in file order; on a ring or a line the one onward comes before the one back.

A map may run over some nodes of another. Asked about a node that it does not have, it answers as of none: `neighbours`
has just the map's own nodes as keys, and none (-1) is not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from heapq import heappop, heappush
from typing import TypeVar

Test = Callable[[int], bool]
Point = tuple[int, ...]
Ray = tuple[int, ...]
T = TypeVar("T")

NO_NUMBER = -(1 << 31)
NONE = -1
NOTHING: tuple[int, ...] = ()

# form -> the step from the middle to where a ring begins, then the walk round: steps, each so many times the radius
_RINGS: dict[str, tuple[Point, tuple[tuple[Point, int], ...]]] = {
    "hex": ((1, -1), (((0, 1), 1), ((-1, 1), 1), ((-1, 0), 1), ((0, -1), 1), ((1, -1), 1), ((1, 0), 1))),
    "grid": ((1, 0), (((-1, 1), 1), ((-1, -1), 1), ((1, -1), 1), ((1, 1), 1))),
    "diagonal": ((1, 0), (((0, 1), 1), ((-1, 0), 2), ((0, -1), 2), ((1, 0), 2), ((0, 1), 1))),
}


class _Kept(dict[int, T]):
    """What is worked out for a node when it is first asked for."""

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
        self._distances: dict[int, dict[int, int]] = {}
        self._rings: dict[tuple[int, int], tuple[int, ...]] = {}
        self._spirals: dict[int, tuple[int, ...]] = {}
        self._between: dict[tuple[int, int], tuple[int, ...]] = {}
        self._straight = _Kept(lambda node: _rays_from(node, self.toward))
        # for each node, the straight line in every direction in which lines run, the node left out
        self.rays = _Kept(lambda node: _rays_from(node, self.line_toward))
        self.axes = _Kept(self._axes_of)

    def _step(self, edge: int, node: int) -> tuple[int, int]:
        one, other = self.ends[edge]
        return edge, other if one == node else one

    # ------------------------------------------------------------------ static

    def distances(self, start: int) -> dict[int, int]:
        """Steps from the start to every node that can be reached, nearest first."""
        found = self._distances.get(start)
        if found is None:
            found = {start: 0}
            waiting = [start]
            for node in waiting:
                for other in self.neighbours[node]:
                    if other not in found:
                        found[other] = found[node] + 1
                        waiting.append(other)
            self._distances[start] = found
        return found

    def distance(self, a: int, b: int) -> int:
        """Steps from a to b; no number if there is no way, or one of them is none or not on the map."""
        return self.distances(a).get(b, NO_NUMBER) if a in self.neighbours else NO_NUMBER

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
        """Up to so many steps in a direction, the start left out; once round at most."""
        if node not in self.neighbours or direction < 0 or steps <= 0:
            return NOTHING
        return self._straight[node][direction][:steps]

    def between(self, a: int, b: int) -> tuple[int, ...]:
        """The nodes strictly between two nodes of a straight line, in order; nothing if they are not on one."""
        if a not in self.neighbours:
            return NOTHING
        found = self._between.get((a, b))
        if found is None:
            found = next((ray[: ray.index(b)] for ray in self.rays[a] if b in ray), NOTHING)
            self._between[a, b] = found
        return found

    def ring(self, node: int, steps: int) -> tuple[int, ...]:
        """Nodes so many steps away, clockwise where there are directions."""
        if node not in self.neighbours or steps < 0:
            return NOTHING
        found = self._rings.get((node, steps))
        if found is None:
            if self.form in _RINGS:
                found = self._walk_round(node, steps) if steps <= self._extent else NOTHING
            else:
                far = self.distances(node)
                found = tuple(other for other in self.spiral(node) if far[other] == steps)
            self._rings[node, steps] = found
        return found

    def spiral(self, node: int) -> tuple[int, ...]:
        """The node, then ring after ring."""
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
            self._spirals[node] = found
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
        """No two nodes are further apart than this."""
        return sum(max(values) - min(values) for values in zip(*self.points.values(), strict=True))

    def _axes_of(self, node: int) -> tuple[tuple[Ray, Ray], ...]:
        """The two rays of each axis through a node; axes of a single node left out."""
        rays = self.rays[node]
        half = len(rays) // 2
        return tuple((rays[d], rays[d + half]) for d in range(half) if rays[d] or rays[d + half])

    def longest_run(self, through: int, f: list[int], base: int, wanted: int) -> int:
        """`longest_line` where the test is that a field of the node has a value."""
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

    # ------------------------------------------------------------------ ways

    def reach_along(self, start: int, edges: Collection[int], stops: Collection[int]) -> list[int]:
        """Nodes reached from the start over these edges, in file order; stops are reached and not passed."""
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
        """The same over edges whose number of a field, `base` further on in the state, is the wanted one."""
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
        """The same from node to neighbour, over these nodes alone (or any)."""
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
        """Over these edges and these nodes alone."""
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

    def cheapest(
        self,
        start: int,
        goal: int,
        cost: Callable[[int], int | None],
        stops: Collection[int],
        f: Sequence[int] | None = None,
        base: int = 0,
    ) -> int:
        """The least sum of costs from start to goal, or no number. Edges whose cost is None are not taken, nor those
        with none in a field of their own: its number lies `base` further on in `f`."""
        return self.cheapest_to(start, cost, stops, f, base, goal).get(goal, NO_NUMBER)

    def cheapest_to(
        self,
        goal: int,
        cost: Callable[[int], int | None],
        stops: Collection[int],
        f: Sequence[int] | None = None,
        base: int = 0,
        only: int | None = None,
    ) -> dict[int, int]:
        """What the cheapest way to the goal costs from each node that has one: ways are as dear there as back. If the
        way from `only` one node is wanted, no more is worked out."""
        if goal not in self.neighbours:
            return {}
        if f is None:
            f, base = self.never_none, 0
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
                if f[base + edge] != NONE and other not in done and (more := cost(edge)) is not None:
                    total = paid + more
                    if other not in best or total < best[other]:
                        best[other] = total
                        heappush(waiting, (total, other))
        return best

    @cached_property
    def never_none(self) -> tuple[int, ...]:
        """A field that no edge has none in."""
        return (0,) * (max((edge for steps in self.steps.values() for edge, _ in steps), default=-1) + 1)

    def cheapest_path(self, start: int, goal: int, costs: dict[int, int], stops: Collection[int]) -> list[int]:
        """The edges of the cheapest way, from the start on. Of equally cheap ways the one with the fewest edges, of
        those the one whose edges come first in file order, compared from the start. Nothing if there is no way."""
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
        """Cost and number of edges of the cheapest way to the goal, of nodes that may be passed on the way."""
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
        """How many connected groups these nodes form; those that are not on the map are in none."""
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
    """For each direction the nodes straight on, until the edge of the map or the node itself comes."""
    rays = []
    for direction, first in enumerate(toward[node]):
        ray = []
        current = first
        while current >= 0 and current != node:
            ray.append(current)
            current = toward[current][direction]
        rays.append(tuple(ray))
    return tuple(rays)
