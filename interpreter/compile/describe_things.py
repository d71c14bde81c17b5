"""What is printed on the things of a game, as plain data: maps, backs, attributes, charts, clauses; and the tables and
maps that emitted code looks things up in.

Whoever draws a game or explains it reads this beside the rules' own tables, without the checked program: a running
game keeps what it was compiled from, even if the files have changed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..check import program as core
from ..check.forms import blocks
from ..check.value_types import Number, bare
from .meta import BackMeta, BoardMeta, ChartMeta, ClauseMeta, PrintedMeta
from .unit import Unit, thing_of


def describe_boards(program: core.Program) -> tuple[BoardMeta, ...]:
    return tuple(_board(program, board) for board in program.maps.values())


def _board(program: core.Program, board: core.MapDecl) -> BoardMeta:
    if board.edges:
        pairs = tuple(board.ends[edge] for edge in board.edges)
    else:
        pairs = tuple((node, near) for node in board.nodes for near in board.neighbours[node] if node < near)
    return BoardMeta(
        name=board.name,
        form=board.form,
        nodes=board.nodes,
        node_kinds=tuple(program.nodes[node].kind for node in board.nodes),
        edges=board.edges,
        edge_kinds=tuple(program.edges[edge].kind for edge in board.edges),
        pairs=pairs,
        points=board.points,
        positions=board.positions,
    )


def describe_printed(program: core.Program) -> tuple[PrintedMeta, ...]:
    """Every attribute of nodes, edges and pieces."""
    found = []
    for table in program.attributes:
        of, _, kind = table.of.partition(":")
        if of in ("node", "edge", "piece"):
            bounds = bare(table.type)
            low, high = (bounds.low, bounds.high) if isinstance(bounds, Number) else (0, 0)
            indexes = tuple((thing_of(d.type), d.low, d.size) for d in table.dimensions)
            found.append(PrintedMeta(table.name, of, kind, thing_of(table.type), low, high, table.values, indexes))
    return tuple(found)


def describe_charts(program: core.Program) -> tuple[ChartMeta, ...]:
    return tuple(
        ChartMeta(
            chart.name,
            tuple((thing_of(d.type), d.low, d.size) for d in chart.dimensions),
            chart.rows,
            tuple((name, thing_of(column.type), column.values) for name, column in chart.columns.items()),
            chart.cites,
        )
        for chart in program.charts.values()
    )


def describe_clauses(program: core.Program) -> dict[str, ClauseMeta]:
    return {own_id: ClauseMeta(one.section, one.page, one.summary) for own_id, one in program.clauses.items()}


def text_cites(unit: Unit) -> dict[int, tuple[str, ...]]:
    """The clauses of each text that is said, offered as a label or scored: its own, or those of its rule."""
    numbers = {id(text.template): text.number for text in unit.texts}
    found: dict[int, tuple[str, ...]] = {}
    for template, cites in _cited(unit.program):
        number = numbers.get(id(template))
        if number is not None and cites:
            found.setdefault(number, cites)
    return found


def _cited(program: core.Program) -> Iterator[tuple[core.Template, tuple[str, ...]]]:
    for rule in program.all_rules():
        yield from _in_block(rule.body or (), rule.cites)
    for block in program.scores:
        yield from ((line.label, line.cites) for line in block.lines)


def _in_block(block: core.Block, around: tuple[str, ...]) -> Iterator[tuple[core.Template, tuple[str, ...]]]:
    """The texts of a block; a statement without clauses has those of what it stands in."""
    for stmt in block:
        own = stmt.cites or around
        match stmt:
            case core.Say() | core.Pause():
                yield stmt.text, own
            case core.ChooseOne() | core.AnyOrder():
                yield from ((branch.label, branch.cites or own) for branch in stmt.branches)
            case core.May():
                yield stmt.branch.label, stmt.branch.cites or own
        for inner in blocks(stmt):
            yield from _in_block(inner, own)


def describe_backs(program: core.Program) -> dict[int, BackMeta]:
    """What can be seen of pieces that lie face down, by number of the back."""
    behind: dict[int, list[int]] = {}
    for number, piece in enumerate(program.pieces):
        behind.setdefault(piece.back, []).append(number)
    tables = [table for table in program.attributes if table.is_back and not table.dimensions]
    return {back: _back(program, tables, pieces) for back, pieces in behind.items()}


def _back(program: core.Program, tables: list[core.AttributeTable], pieces: list[int]) -> BackMeta:
    """What all these pieces show alike. Kinds may share an attribute table although only one of them has it on its
    back."""
    kinds = dict.fromkeys(program.pieces[piece].kind for piece in pieces)
    shown = []
    for table in tables:
        values = {table.values[piece] for piece in pieces}
        value = values.pop()
        if not values and isinstance(value, int) and value != table.values[-1]:  # the last stands for none
            shown.append((table.name, thing_of(table.type), value))
    return BackMeta(tuple(kinds), tuple(shown))


# ---------------------------------------------------------------------------- tables and maps


def tables_of(unit: Unit) -> dict[str, Any]:
    """The constant tables that emitted code looks things up in, by name."""
    tables: dict[str, Any] = {name: table.values for name, table in unit.tables.items()}
    tables.update(unit.indexes)
    tables.update(unit.printed)
    for name, (map_decl, what) in unit.map_tables.items():
        tables[name] = _map_table(unit, map_decl, what)
    return tables


def _map_table(unit: Unit, map_decl: core.MapDecl, what: str) -> tuple[Any, ...]:
    """A list over all nodes (or edges) of the game; the last entry answers for none."""
    sources: dict[str, Mapping[int, tuple[int, ...]]] = {
        "neighbours": map_decl.neighbours,
        "edges": map_decl.edges_of,
        "ends": map_decl.ends,
        "toward": map_decl.toward,
    }
    if what == "is_border":
        return (*(node in map_decl.border for node in range(len(unit.program.nodes))), False)
    count = len(unit.program.edges if what == "ends" else unit.program.nodes)
    empty: tuple[int, ...] = (-1,) * len(map_decl.directions) if what == "toward" else ()
    source = sources[what]
    return (
        *((*source[n], -1) if what == "toward" and n in source else source.get(n, empty) for n in range(count)),
        empty,
    )


def maps_of(unit: Unit) -> dict[str, Any]:
    """What the runtime needs of each map, as the arguments of its graph."""
    return {
        unit.map_name(decl): {
            "nodes": decl.nodes,
            "neighbours": decl.neighbours,
            "edges_of": decl.edges_of,
            "ends": decl.ends,
            "toward": decl.toward,
            "line_toward": decl.line_toward,
            "points": decl.points,
            "form": decl.form,
        }
        for decl in unit.program.maps.values()
    }
