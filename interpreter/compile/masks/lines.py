"""Straight lines as masks: `longest_line(d through c where d.owner == p) >= 4` asks of each row of four through c
whether all of it is in the mask of p's cells. The rows are a table by c.
"""

from __future__ import annotations

from .. import ir
from ..ir import Op
from .filters import Filters
from .indexes import domain_of

MOST_ROWS = 24  # through one node

# What is asked -> how much more than the number a line needs, and whether it is the lack of one that is asked for.
SIGNS = {">=": (0, False), ">": (1, False), "<": (0, True), "<=": (1, True), "==": (0, False), "!=": (0, True)}
TURNED = {">=": "<=", ">": "<", "<": ">", "<=": ">=", "==": "==", "!=": "!="}


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
    if lines is None or length < 1 or (sign in ("==", "!=") and _longest(lines) > length):
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


def _longest(lines: Lines) -> int:
    return max((len(line) for through in lines.values() for line, _ in through), default=1)


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
