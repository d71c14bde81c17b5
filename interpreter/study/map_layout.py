"""Where the nodes of a map are drawn: as its file says, or by a spring layout.

The spring layout starts from a planar drawing if networkx finds one, otherwise from a circle. It is the same on every
machine: nothing is random, and the number of steps depends only on the number of nodes.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any

from ..runtime.meta import BoardMeta

Place = tuple[float, float]
_STEPS = 250
_MOST_PUSHES = 5_000_000  # pairs of nodes looked at in all: large maps take fewer steps, very large ones none


def laid_out(boards: tuple[BoardMeta, ...], board: BoardMeta) -> dict[int, Place]:
    """A position for each node of a map; nodes declared by another map have their position there."""
    for other in (*(one for one in boards if one is not board), board):
        places = other.positions
        if set(board.nodes) <= places.keys() and (other is board or len(other.nodes) > len(board.nodes)):
            return {node: places[node] for node in board.nodes}
    return spread_by_springs(board)


def spread_by_springs(board: BoardMeta) -> dict[int, Place]:
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(board.nodes)
    graph.add_edges_from(board.pairs)
    at = _begin(nx, graph)
    steps = min(_STEPS, _MOST_PUSHES // max(1, len(at) ** 2 // 2))
    for step in range(steps):
        warmth = 0.2 * (1 - step / steps)
        for node, (x, y) in _pushes(graph, at).items():
            far = hypot(x, y) or 1.0
            go = min(far, warmth)
            at[node] = (at[node][0] + x / far * go, at[node][1] + y / far * go)
    return at


def _begin(nx: Any, graph: Any) -> dict[int, Place]:
    """On average one unit of room for each node."""
    count = max(1, graph.number_of_nodes())
    radius = count**0.5 / 2
    planar, embedding = nx.check_planarity(graph)
    if planar and count > 3:
        found = nx.combinatorial_embedding_to_pos(embedding)
        wide = max(max(x, y) for x, y in found.values()) or 1
        return {node: (2 * radius * found[node][0] / wide, 2 * radius * found[node][1] / wide) for node in graph}
    angles = {node: 2 * pi * number / count for number, node in enumerate(graph)}
    return {node: (radius * sin(angle), -radius * cos(angle)) for node, angle in angles.items()}


def _pushes(graph: Any, at: dict[int, Place]) -> dict[int, Place]:
    """Nodes repel one another, edges pull their ends together, and everything is pulled slightly to the centre."""
    nodes = list(at)
    middle = (sum(x for x, _ in at.values()) / len(at), sum(y for _, y in at.values()) / len(at))
    push = {node: [(middle[0] - at[node][0]) * 0.02, (middle[1] - at[node][1]) * 0.02] for node in nodes}
    for number, one in enumerate(nodes):
        for other in nodes[number + 1 :]:
            x, y = at[one][0] - at[other][0], at[one][1] - at[other][1]
            far = max(hypot(x, y), 0.01)
            force = 0.6 / far**2 - (far * far if graph.has_edge(one, other) else 0) * 0.6
            push[one][0] += x * force
            push[one][1] += y * force
            push[other][0] -= x * force
            push[other][1] -= y * force
    return {node: (x, y) for node, (x, y) in push.items()}
