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
    tables = [table for table in program.attributes if table.is_back and not table.dimensions]
    found: dict[int, BackMeta] = {}
    for number, piece in enumerate(program.pieces):
        known = found.get(piece.back)
        if known is None:
            values = [(table.name, thing_of(table.type), table.values[number]) for table in tables]
            shown = tuple((name, thing, value) for name, thing, value in values if isinstance(value, int))
            found[piece.back] = BackMeta(piece.kind, shown)
        elif known.kind != piece.kind:
            known.kind = None
    return found
