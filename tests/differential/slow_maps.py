"""Map queries by plain search, for the slow evaluator."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from math import atan2, tau
from typing import TYPE_CHECKING, Any

from interpreter.check import program as p
from interpreter.check.value_types import NO_NUMBER, NONE, SetOf, VType, none_of

if TYPE_CHECKING:
    from .slow_expressions import Env, Expressions


def query(name: str, board: p.MapDecl, args: list[Any], result: VType) -> Any:
    # reading: a map that runs over some nodes of another is asked about the others as about none.
    known = board.edges if name == "ends" else board.nodes
    if any(arg not in known for arg in args[: 1 if name in ("toward", "line", "ring") else 2]):
        return () if isinstance(result, SetOf) else 0 if name == "is_border" else none_of(result)
    match name:
        case "neighbours":
            return board.neighbours[args[0]]
        case "edges":
            return board.edges_of[args[0]]
        case "joining" | "edge":
            joining = tuple(e for e in board.edges_of[args[0]] if _other_end(board, e, args[0]) == args[1])
            return joining if name == "joining" else (*joining, NONE)[0]
        case "ends":
            return board.ends[args[0]]
        case "distance":
            return _distances(board, args[0]).get(args[1], NO_NUMBER)
        case "is_border":
            return int(args[0] in board.border)
        case "toward":
            return NONE if args[1] == NONE else board.toward[args[0]][args[1]]
        case "line":
            return () if args[1] == NONE else tuple(_walk(board, args[0], args[1])[: max(0, args[2])])
        case "between":
            return _between(board, args[0], args[1])
        case "ring":
            return _ring(board, args[0], args[1])
        case "spiral":
            rings = [_ring(board, args[0], distance) for distance in range(len(board.nodes))]
            return tuple(node for ring in rings for node in ring)
    raise AssertionError(name)


def _distances(board: p.MapDecl, start: int) -> dict[int, int]:
    found = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in board.neighbours[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


def _line(board: p.MapDecl, start: int, direction: int) -> list[int]:
    """Straight on from `start`, not counting it, to the edge of the board (or round to the start)."""
    found: list[int] = []
    node = board.line_toward[start][direction]
    while node != NONE and node != start and node not in found:
        found.append(node)
        node = board.line_toward[node][direction]
    return found


def _between(board: p.MapDecl, one: int, other: int) -> tuple[int, ...]:
    for direction in range(len(board.line_toward[one])):
        line = _line(board, one, direction)
        if other in line:
            return tuple(line[: line.index(other)])
    return ()


def _ring(board: p.MapDecl, centre: int, distance: int) -> tuple[int, ...]:
    # reading: on hexes and grids by geometry, whatever spaces are missing, clockwise by the angle of the positions
    # (y grows downwards) from the first direction; on rings and lines onward before back; elsewhere in file order.
    if board.form == "walk":
        far = _distances(board, centre)
        ways = [[centre, *_walk(board, centre, way)] for way in (0, 1)]
        return tuple(dict.fromkeys(node for way in ways for node in way if far[node] == distance))
    if not board.form:
        return tuple(sorted(node for node, far in _distances(board, centre).items() if far == distance))
    nodes = [node for node in board.nodes if _apart(board, centre, node) == distance]
    first = {"hex": tau / 12}.get(board.form, 0)
    x0, y0 = board.positions[centre]

    def angle(node: int) -> float:
        x, y = board.positions[node]
        return round((atan2(x - x0, y0 - y) - first) % tau, 2) % round(tau, 2)

    return tuple(sorted(nodes, key=angle))


def _walk(board: p.MapDecl, start: int, direction: int) -> list[int]:
    found: list[int] = []
    node = board.toward[start][direction]
    while node != NONE and node != start:
        found.append(node)
        node = board.toward[node][direction]
    return found


def _apart(board: p.MapDecl, one: int, other: int) -> int:
    (a, b), (c, d) = board.points[one], board.points[other]
    if board.form == "hex":
        return max(abs(a - c), abs(b - d), abs(a - c + b - d))
    return max(abs(a - c), abs(b - d)) if board.form == "diagonal" else abs(a - c) + abs(b - d)


def _stops(node: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= node < low + size for low, size in ranges)


def reach(reader: Expressions, e: p.Reach, env: Env) -> tuple[int, ...]:
    # reading: the nodes reached stand in file order.
    start = reader.ev(e.start, env)
    if start not in e.map.nodes:
        return ()
    edges = None if e.along is None else set(reader.bound(e.along, env))
    nodes = None if e.through is None else set(reader.bound(e.through, env))
    found = {start}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node != start and _stops(node, e.stopping_at):
            continue
        for other in _steps(e.map, node, edges):
            if other not in found and (nodes is None or other in nodes):
                found.add(other)
                queue.append(other)
    return tuple(sorted(found - {start}))


def _steps(board: p.MapDecl, node: int, edges: set[int] | None) -> list[int]:
    if edges is None:
        return list(board.neighbours[node])
    return [_other_end(board, edge, node) for edge in board.edges_of[node] if edge in edges]


def _other_end(board: p.MapDecl, edge: int, node: int) -> int:
    one, other = board.ends[edge]
    return other if one == node else one


def cheapest(reader: Expressions, e: p.Cheapest, env: Env) -> Any:
    """All ways that pass no node twice, and the best of them: by cost, then length, then the edges in their order."""
    start, goal = reader.ev(e.start, env), reader.ev(e.goal, env)
    nowhere: Any = () if e.is_path else NO_NUMBER
    if start not in e.map.nodes or goal not in e.map.nodes:
        return nowhere
    costs = {edge: reader.ev(e.cost, env.bind(e.along.local, edge)) for edge in reader.bound(e.along, env)}
    ways = _ways(e.map, start, goal, tuple(costs.items()), e.stopping_at)
    if not ways:
        return nowhere
    return min(ways)[2] if e.is_path else min(ways)[0]


@lru_cache(maxsize=4096)  # looks ahead ask the same again and again, and there are thousands of ways
def _ways(
    board: p.MapDecl, start: int, goal: int, priced: tuple[tuple[int, int], ...], stops: tuple[tuple[int, int], ...]
) -> list[tuple[int, int, tuple[int, ...]]]:
    """Every way from start to goal over edges that have a price: its cost, its length, its edges."""
    costs = dict(priced)
    ways: list[tuple[int, int, tuple[int, ...]]] = []

    def walk(node: int, passed: tuple[int, ...], edges: tuple[int, ...]) -> None:
        if node == goal:
            ways.append((sum(costs[edge] for edge in edges), len(edges), edges))
        elif node == start or not _stops(node, stops):
            for edge in board.edges_of[node]:
                other = _other_end(board, edge, node)
                if edge in costs and other not in passed:
                    walk(other, (*passed, other), (*edges, edge))

    walk(start, (start,), ())
    return ways


def group_sizes(board: p.MapDecl, nodes: list[int]) -> list[int]:
    left, sizes = set(nodes) & set(board.nodes), []
    while left:
        queue, size = [left.pop()], 0
        while queue:
            node = queue.pop()
            size += 1
            joined = [other for other in board.neighbours[node] if other in left]
            left -= set(joined)
            queue += joined
        sizes.append(size)
    return sizes


def longest_line(reader: Expressions, e: p.LongestLine, env: Env) -> int:
    centre = reader.ev(e.through, env)
    if centre not in e.map.nodes or not reader.holds(e.where, env.bind(e.local, centre)):
        return 0
    directions = len(e.map.line_toward[centre])
    longest = 1
    for direction in range(directions // 2):
        run = 1
        for way in (direction, direction + directions // 2):
            for node in _line(e.map, centre, way):
                if not reader.holds(e.where, env.bind(e.local, node)):
                    break
                run += 1
        longest = max(longest, run)
    return longest


def longest_trail(reader: Expressions, e: p.LongestTrail, env: Env) -> int:
    """reading: a trail uses no edge twice; it may end at a node that it may not pass."""
    lengths = {
        edge: 1 if e.value is None else reader.ev(e.value, env.bind(e.binder.local, edge))
        for edge in reader.bound(e.binder, env)
    }
    passed = None if e.through is None else set(reader.bound(e.through, env))

    def further(node: int, used: frozenset[int]) -> int:
        found = 0
        if not used or passed is None or node in passed:
            for edge in e.map.edges_of[node]:
                if edge in lengths and edge not in used:
                    found = max(found, lengths[edge] + further(_other_end(e.map, edge, node), used | {edge}))
        return found

    return max((further(node, frozenset()) for node in e.map.nodes), default=0)
