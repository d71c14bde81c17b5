"""Map queries at run time, over adjacency prepared once.

`MapGraph` is built from the plain tables the compiler hands over; numbers are the game's own node and edge numbers. Static
answers (distances, straight lines, rings) are worked out when first asked for and kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from heapq import heappop, heappush

Test = Callable[[int], bool]


class MapGraph:
    def __init__(
        self,
        nodes: tuple[int, ...],
        neighbours: dict[int, tuple[int, ...]],
        edges_of: dict[int, tuple[int, ...]],
        ends: dict[int, tuple[int, int]],
        toward: dict[int, tuple[int, ...]],
        line_toward: dict[int, tuple[int, ...]],
    ) -> None:
        self.nodes = nodes
        self.neighbours = neighbours
        self.ends = ends
        self.toward = toward
        self.line_toward = line_toward
        self.steps = {n: tuple((e, ends[e][0] if ends[e][1] == n else ends[e][1]) for e in edges_of.get(n, ())) for n in nodes}
        self._distances: dict[int, dict[int, int]] = {}

    # ------------------------------------------------------------------ static

    def distances(self, start: int) -> dict[int, int]:
        found = self._distances.get(start)
        if found is None:
            found = {start: 0}
            waiting = deque([start])
            while waiting:
                node = waiting.popleft()
                for other in self.neighbours[node]:
                    if other not in found:
                        found[other] = found[node] + 1
                        waiting.append(other)
            self._distances[start] = found
        return found

    def distance(self, a: int, b: int) -> int:
        """Steps from a to b; -1 if there is no way or one of them is none."""
        return self.distances(a).get(b, -1) if a >= 0 else -1

    def line(self, node: int, direction: int, steps: int) -> list[int]:
        """Up to so many steps in a direction, the start left out."""
        found: list[int] = []
        while len(found) < steps and node >= 0:
            node = self.line_toward[node][direction] if self.line_toward else self.toward[node][direction]
            if node >= 0:
                found.append(node)
        return found

    def between(self, a: int, b: int) -> list[int]:
        """The nodes strictly between two nodes of a straight line, in order; nothing if they are not on one."""
        if a < 0 or b < 0:
            return []
        for ray in self.rays[a]:
            if b in ray:
                return list(ray[: ray.index(b)])
        return []

    def ring(self, node: int, steps: int) -> list[int]:
        """Nodes at that distance, clockwise from the north-east."""
        if node < 0:
            return []
        if steps == 0:
            return [node]
        return [other for other in self.spiral(node) if self.distances(node)[other] == steps]

    def spiral(self, node: int) -> list[int]:
        """The node, then ring after ring, each clockwise."""
        if node < 0:
            return []
        found = [node]
        seen = {node}
        for current in found:
            for other in self.neighbours[current]:
                if other not in seen:
                    seen.add(other)
                    found.append(other)
        return found

    @cached_property
    def rays(self) -> dict[int, tuple[tuple[int, ...], ...]]:
        """For each node, the straight line in every direction, the node left out."""
        table = self.line_toward or self.toward
        found = {}
        for node in self.nodes:
            rays = []
            for direction in range(len(table[node])):
                ray = []
                current = table[node][direction]
                while current >= 0 and current != node:
                    ray.append(current)
                    current = table[current][direction]
                rays.append(tuple(ray))
            found[node] = tuple(rays)
        return found

    @cached_property
    def axes(self) -> dict[int, tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]]:
        """For each node, the two rays of each axis; axes of a single node left out."""
        half = len(next(iter(self.rays.values()), ())) // 2
        return {
            node: tuple((rays[d], rays[d + half]) for d in range(half) if rays[d] or rays[d + half])
            for node, rays in self.rays.items()
        }

    def longest_line(self, through: int, holds: Test) -> int:
        """The longest straight run of nodes through a node that all satisfy the test."""
        if through < 0 or not holds(through):
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

    def longest_run(self, through: int, f: list[int], base: int, wanted: int) -> int:
        """`longest_line` where the test is that a field of the node has a value."""
        if through < 0 or f[base + through] != wanted:
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

    # ------------------------------------------------------------------ along edges

    def reach(
        self, start: int, along: Test | None, through: Test | None, stops: Sequence[int], over_edges: bool
    ) -> list[int]:
        """Nodes reached from the start over edges (or nodes) that satisfy the tests; stops are not passed."""
        if start < 0:
            return []
        found: list[int] = []
        seen = {start}
        waiting = [start]
        for node in waiting:
            if node != start and node in stops:
                continue
            for other in self._ways(node, along, over_edges):
                if other not in seen and (through is None or through(other)):
                    seen.add(other)
                    found.append(other)
                    waiting.append(other)
        return sorted(found)

    def _ways(self, node: int, along: Test | None, over_edges: bool) -> Iterable[int]:
        if not over_edges:
            return self.neighbours[node]
        return [other for edge, other in self.steps[node] if along is None or along(edge)]

    def cheapest(self, start: int, goal: int, along: Test | None, cost: Callable[[int], int], stops: Sequence[int]) -> int:
        """The least sum of costs from start to goal, or none."""
        none = -(1 << 31)
        if start < 0 or goal < 0:
            return none
        best = {start: 0}
        waiting = [(0, start)]
        while waiting:
            paid, node = heappop(waiting)
            if node == goal:
                return paid
            if paid > best[node] or (node != start and node in stops):
                continue
            for edge, other in self.steps[node]:
                if along is None or along(edge):
                    total = paid + cost(edge)
                    if total < best.get(other, total + 1):
                        best[other] = total
                        heappush(waiting, (total, other))
        return none

    def groups(self, nodes: list[int]) -> int:
        return len(self._components(nodes))

    def largest_group(self, nodes: list[int]) -> int:
        return max((len(component) for component in self._components(nodes)), default=0)

    def _components(self, nodes: list[int]) -> list[list[int]]:
        left = set(nodes)
        found = []
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
            found.append(component)
        return found
