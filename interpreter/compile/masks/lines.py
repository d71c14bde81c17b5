"""Questions about straight lines as masks.

Rows: `longest_line(d through c where d.owner == p) >= 4` asks of each row of four through c whether all of it is in the
mask of p's cells. The rows are a table by c.

Rays: from which nodes does a straight line go through these nodes and end at one of those?

    value enclosed(p, s: Square, d: Direction): set of Square
      let closing = first t in line(s, d) where t.disc != rival(p)
      if closing.disc == p
        result between(s, closing)
      result ()

    for s in Square where some d in Direction has enclosed(p, s, d) is not empty

Asked of every square, that is a walk along eight lines from each. But where a step in a direction leads from every node
to the one whose number is larger by the same amount, all nodes take the step together: the mask is shifted. So the
question is asked backwards, from the closing nodes, once per direction, and answers for all squares at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import ir
from ..hoist import without_copies
from ..ir import Op, Routine
from .filters import Filters
from .indexes import Domain, domain_of

WORD = 64
MOST_ROWS = 24  # through one node

# What is asked -> how much more than the number a line needs, and whether it is the lack of one that is asked for.
SIGNS = {">=": (0, False), ">": (1, False), "<": (0, True), "<=": (1, True), "==": (0, False), "!=": (0, True)}
TURNED = {">=": "<=", ">": "<", "<": ">", "<=": ">=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class _Ray:
    """What a value says of a line of at most so many steps. `stop`: what ends it, of the node `at`; `good`: what must
    hold of the node `closing` where it ended."""

    map: str
    most: int
    at: str
    stop: Op
    closing: str
    good: Op


class RayFilters(Filters):
    """Filters that know such questions."""

    def of_lines(self, test: Op, local: str, domain: Domain, elements: int) -> Op | None:
        return _rays(test, local, domain, elements, self)


def _rays(test: Op, local: str, domain: Domain, elements: int, filters: Filters) -> Op | None:
    """The nodes that satisfy such a test, as a mask; None if it is another test, or if the map is not that regular."""
    match test:
        case ir.Some(
            source=ir.Sequence(values=directions),
            where=None,
            has=ir.Not(of=ir.IsEmpty(of=ir.CallValue() as call)),
        ) if domain.kind == "node" and domain.words == 1 and filters.is_free(test):
            pass
        case _:
            return None
    value = filters.values.get(call.routine)
    given = _given(value, call, local, test.local) if value is not None else None
    if value is None or given is None:
        return None
    ray = _ray_of(value, given, local, test.local)
    if ray is None or not _covers(filters, ray.map, local, domain):
        return None
    steps, longest = _steps(filters.statics.graphs[ray.map], directions), _longest(filters, ray.map)
    # A line that the value cuts short (`line(s, d, 3)`) ends where no stop is, which a shift does not notice.
    if steps is None or longest > ray.most:
        return None
    here = ir.Local(local, type=ir.INDEX)
    stop = filters.mask(ir.with_operations(ray.stop, {**given, ray.at: here}), local, domain, elements)
    good = filters.mask(ir.with_operations(ray.good, {**given, ray.closing: here}), local, domain, elements)
    if stop is None or good is None:
        return None
    table = filters.tables.mask_table(tuple(number for step in steps for number in step), 1)
    return ir.MaskRays(table, len(steps), longest, stop, good, type=ir.INDEX)


def _given(value: Routine, call: ir.CallValue, node: str, direction: str) -> dict[str, Op] | None:
    """What the parameters stand for: the node and the direction under their own names, the others apart from them."""
    given = dict(zip(value.params, call.args, strict=True))
    names = [op.name if isinstance(op, ir.Local) else "" for op in call.args]
    if names.count(node) != 1 or names.count(direction) != 1:
        return None
    others = [op for op, name in zip(call.args, names, strict=True) if name not in (node, direction)]
    return None if any({node, direction} & set(ir.free_locals(op)) for op in others) else given


def _ray_of(value: Routine, given: dict[str, Op], node: str, direction: str) -> _Ray | None:
    """The value read as such a question. What ends the line and what is asked of its end speak neither of the node that
    it starts from nor of the direction."""
    match value.body:
        case [
            ir.Let(
                local=closing,
                value=ir.First(
                    local=at,
                    source=ir.MapQuery(
                        map=name,
                        what="line",
                        args=(ir.Local(name=begin), ir.Local(name=way), ir.Const(value=most)),
                    ),
                    where=stop,
                ),
            ),
            ir.If(condition=good, then=[ir.Return(value=between)], otherwise=[]),
            ir.Return(value=nothing),
        ] if stop is not None:
            pass
        case _:
            return None
    if between is None or nothing is None:
        return None
    match without_copies(between), without_copies(nothing):
        case (
            ir.MapQuery(map=same, what="between", args=(ir.Local(name=start), ir.Local(name=end))),
            ir.Join(items=()),
        ) if same == name and start == begin and end == closing:
            pass
        case _:
            return None
    if not (_is_local(given.get(begin), node) and _is_local(given.get(way), direction)):
        return None
    known = set(given) - {begin, way}
    if set(ir.free_locals(stop)) - known - {at} or set(ir.free_locals(good)) - known - {closing}:
        return None
    return _Ray(name, most, at, stop, closing, good)


def _is_local(op: Op | None, name: str) -> bool:
    return isinstance(op, ir.Local) and op.name == name


# ---------------------------------------------------------------- the map


def _covers(filters: Filters, name: str, local: str, domain: Domain) -> bool:
    """Nodes of the domain are those of the map, and the test speaks of all of them."""
    numbers = filters.bound_of(ir.Local(local, type=ir.INDEX)).numbers
    everything = set(range(domain.size))
    whole = numbers.none is None and numbers.low == 0 and numbers.high == domain.size - 1
    return whole and set(filters.statics.graphs[name].nodes) == everything


def _longest(filters: Filters, name: str) -> int:
    graph = filters.statics.graphs[name]
    return max((len(ray) for node in graph.nodes for ray in graph.rays[node]), default=0)


def _steps(graph: Any, directions: tuple[int, ...]) -> list[tuple[int, int]] | None:
    """For each direction by how far a mask is turned to the right to go one step back, and which nodes have a next one;
    None if the map is not regular."""
    found = []
    for direction in directions:
        lines = {node: tuple(graph.line(node, direction, WORD)) for node in graph.nodes}
        ahead = {node: line[0] for node, line in lines.items() if line}
        offsets = {other - node for node, other in ahead.items()}
        # On hexes in rows of odd and even length a step changes the number by two different amounts: no single shift
        # does it.
        if len(offsets) > 1 or not all(_goes_on(node, line, lines, graph) for node, line in lines.items()):
            return None
        if offsets:
            found.append((offsets.pop() % WORD, sum(1 << node for node in ahead)))
    return found


def _goes_on(node: int, line: tuple[int, ...], lines: dict[int, tuple[int, ...]], graph: Any) -> bool:
    """A line is a step and the line from there, and what lies between two of its nodes is its part between them."""
    if line and line[1:] != lines[line[0]]:
        return False
    return all(bool(graph.between(node, other)) == (place > 0) for place, other in enumerate(line))


# ---------------------------------------------------------------- rows


def with_lines(op: ir.Compare, filters: Filters) -> Op:
    """A comparison of the longest line with a number, as a question about rows; the same one if that cannot be."""
    match op:
        case ir.Compare(left=ir.LongestLine() as line, right=ir.Const(value=value)):
            sign = op.sign
        case ir.Compare(left=ir.Const(value=value), right=ir.LongestLine() as line):
            sign = TURNED.get(op.sign, "")
        case _:
            return op
    if sign not in SIGNS:
        return op
    more, lacks = SIGNS[sign]
    length = value + more
    lines = _lines(filters, line.map)
    if lines is None or length < 1 or (sign in ("==", "!=") and _goes_further(lines, length)):
        return op
    found = _has_line(line, length, lines, filters)
    if found is None:
        return op
    return ir.Not(found, span=op.span) if lacks else found


Lines = dict[int, list[tuple[tuple[int, ...], int]]]  # by node: each line through it, and where the node stands in it


def _lines(filters: Filters, name: str) -> Lines | None:
    graph, found = filters.statics.graphs[name], {}
    for node in graph.nodes:
        found[node] = [((*reversed(one), node, *other), len(one)) for one, other in graph.axes[node]]
        if any(len(set(line)) < len(line) for line, _ in found[node]):
            return None  # a line that comes back to itself
    return found


def _goes_further(lines: Lines, length: int) -> bool:
    return any(len(line) > length for through in lines.values() for line, _ in through)


def _has_line(line: ir.LongestLine, length: int, lines: Lines, filters: Filters) -> Op | None:
    domain = domain_of(filters.unit, line.through.type)
    if domain is None or domain.words != 1 or not filters.is_free(line.where):
        return None
    rows = [_rows_through(node, length, lines.get(node)) for node in range(-1, domain.size)]
    width = max(map(len, rows)) + 1
    if width > MOST_ROWS + 1:
        return None
    near = [len({node for row in own for node in row}) for own in rows[1:] if own]
    mask = filters.mask(line.where, line.local, domain, sum(near) // len(near) if near else 0)
    if mask is None:
        return None
    padded = [[*(sum(1 << node for node in row) for row in own), *[0] * (width - len(own))] for own in rows]
    table = filters.tables.mask_table(tuple(row for own in padded for row in own), 1)
    return ir.HasLine(table, width, line.through, mask, span=line.span)


def _rows_through(node: int, length: int, lines: list[tuple[tuple[int, ...], int]] | None) -> list[tuple[int, ...]]:
    """Every row of that many nodes in a line that contains this one; none for a node that the map does not have."""
    if lines is None:
        return []
    if length == 1:
        return [(node,)]
    return [
        line[first : first + length]
        for line, at in lines
        for first in range(max(0, at - length + 1), min(at, len(line) - length) + 1)
    ]
