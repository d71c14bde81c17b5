"""The longest trail over some edges of a map: a way that uses no edge twice, and may come through a node again.

To find it is hard in general, so the search is exact and counts its work against the limit of steps. Three facts make
it cheap for the networks of games. A trail uses all edges of a connected network exactly if at most two of its nodes
have an odd number of edges (Euler). Otherwise the longest one begins and ends at such nodes: at any other end an edge
would be left to go on. And to come down to two of them takes at least an edge for each further pair, so what is left
without the shortest of these is a bound, and the search stops when it is reached.

A node that may not be passed is an end for each of its edges: it counts as so many nodes with one edge each.

The C in `native/c/rw_trails.h` does the same in the same order, since both must count the same work.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .faults import spend

UNITS = 64  # of work, for each edge that a trail is tried with
LOOKED_AT = 16  # edges that are looked through for it in the time of one unit


def longest_trail(
    S: Any, ends: Mapping[int, tuple[int, int]], lengths: Mapping[int, int], passed: Collection[int] | None
) -> int:
    """The greatest sum of lengths along one trail, over edges in `lengths`, past nodes in `passed` (None: any node)."""
    edges = sorted(edge for edge in lengths if edge in ends)
    network = _Network([ends[edge] for edge in edges], [lengths[edge] for edge in edges], passed)
    best = 0
    for part in network.parts():
        best = network.longest(S, part, best)
    return best


class _Network:
    """Edges by number from 0: the two points that each joins, and the edges at each point."""

    def __init__(self, ends: list[tuple[int, int]], lengths: list[int], passed: Collection[int] | None) -> None:
        self.lengths = lengths
        self.used = [False] * len(ends)
        self.at: list[list[int]] = []
        self.other: list[tuple[int, int]] = []
        points: dict[int, int] = {}
        for number, nodes in enumerate(ends):
            pair = [self._point(node, points, passed) for node in nodes]
            for point in dict.fromkeys(pair):
                self.at[point].append(number)
            self.other.append((pair[0], pair[1]))

    def _point(self, node: int, points: dict[int, int], passed: Collection[int] | None) -> int:
        may_pass = passed is None or node in passed
        if may_pass and node in points:
            return points[node]
        self.at.append([])
        if may_pass:
            points[node] = len(self.at) - 1
        return len(self.at) - 1

    def parts(self) -> list[list[int]]:
        """The connected parts, each as its points in order."""
        found: list[list[int]] = []
        seen = [False] * len(self.at)
        for first in range(len(self.at)):
            if seen[first]:
                continue
            seen[first] = True
            part = [first]
            for point in part:
                for edge in self.at[point]:
                    for other in self.other[edge]:
                        if not seen[other]:
                            seen[other] = True
                            part.append(other)
            found.append(sorted(part))
        return found

    def longest(self, S: Any, part: list[int], best: int) -> int:
        """The longest trail in a part, if it is longer than the best so far."""
        edges = sorted({edge for point in part for edge in self.at[point]})
        odd = [point for point in part if sum(self._ends_at(edge, point) for edge in self.at[point]) % 2]
        spare = max(0, len(odd) // 2 - 1)
        bound = sum(sorted(self.lengths[edge] for edge in edges)[spare:])
        if spare == 0:
            return max(best, bound)
        for start in odd[:-1]:
            if best < bound:
                best = self._from(S, start, best, bound)
        return best

    def _ends_at(self, edge: int, point: int) -> int:
        return self.other[edge].count(point)

    def _from(self, S: Any, start: int, best: int, bound: int) -> int:
        """The longest trail from a point, or the best so far. Edges are tried in order; `way` has those it came by."""
        way: list[int] = []
        units = UNITS + len(self.lengths) // LOOKED_AT
        points, tried = [start], [0]
        length = 0
        while points:
            here, at = points[-1], self.at[points[-1]]
            position = tried[-1]
            while position < len(at) and self.used[at[position]]:
                position += 1
            if position < len(at):
                spend(S, units)
                edge = at[position]
                tried[-1] = position + 1
                self.used[edge] = True
                length += self.lengths[edge]
                one, two = self.other[edge]
                way.append(edge)
                points.append(two if here == one else one)
                tried.append(0)
                if length > best:
                    best = length
                    if best >= bound:
                        break
                continue
            points.pop()
            tried.pop()
            if way:
                edge = way.pop()
                self.used[edge] = False
                length -= self.lengths[edge]
        for edge in way:
            self.used[edge] = False
        return best
