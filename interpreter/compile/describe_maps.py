"""Maps, backs and printed attributes as plain data, for whoever draws a game without its checked program."""

from __future__ import annotations

from ..check import program as core
from ..check.value_types import Number, SetOf, bare
from .meta import BackMeta, BoardMeta, PrintedMeta
from .unit import thing_of


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
    """Attributes of nodes and edges that are one value, and those of pieces that tell an owner or an enum value."""
    found = []
    for table in program.attributes:
        of, _, kind = table.of.partition(":")
        thing = thing_of(table.type)
        if table.dimensions or isinstance(bare(table.type), SetOf):
            continue
        if of in ("node", "edge") or (of == "piece" and (thing == "player" or thing.startswith("enum:"))):
            bounds = bare(table.type)
            low, high = (bounds.low, bounds.high) if isinstance(bounds, Number) else (0, 0)
            found.append(PrintedMeta(table.name, of, kind, thing, low, high, table.values))
    return tuple(found)


def describe_backs(program: core.Program) -> dict[int, BackMeta]:
    """What can be seen of pieces that lie face down, by number of the back."""
    behind: dict[int, list[int]] = {}
    for number, piece in enumerate(program.pieces):
        behind.setdefault(piece.back, []).append(number)
    tables = [table for table in program.attributes if table.is_back and not table.dimensions]
    return {back: _back(program, tables, pieces) for back, pieces in behind.items()}


def _back(program: core.Program, tables: list[core.AttributeTable], pieces: list[int]) -> BackMeta:
    """What all these pieces show alike. Kinds may share a table of which only one kind has the values on its back."""
    kinds = {program.pieces[piece].kind for piece in pieces}
    shown = []
    for table in tables:
        values = {table.values[piece] for piece in pieces}
        value = values.pop()
        if not values and isinstance(value, int) and value != table.values[-1]:  # the last stands for none
            shown.append((table.name, thing_of(table.type), value))
    return BackMeta(kinds.pop() if len(kinds) == 1 else None, tuple(shown))
