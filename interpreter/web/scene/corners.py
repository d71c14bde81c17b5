"""Maps that lie on another one: the corners of a board, and the sides between them.

`map roads is corners of island` is no board of its own. Its nodes are where the spaces of `island` meet, so it is drawn
on that board, in the same coordinates: settlements on the corners of hexes, roads along their sides.
"""

from __future__ import annotations

from ...runtime.meta import BoardMeta, PrintedMeta
from .drawing import Drawing

SHAPE = "corners"
BETWEEN = {"corners": "set:node", "spaces": "set:node", "sides": "set:edge"}  # by these such maps know each other


def board_under(drawing: Drawing, board: BoardMeta) -> BoardMeta | None:
    """The board whose spaces meet in the nodes of this map; None for a map that lies by itself."""
    if drawing.meta.maps[board.name].get("shape") != SHAPE or not board.nodes:
        return None
    corner = board.nodes[0]
    spaces = [table.values[corner] for table in drawing.meta.printed if _tells_spaces(table)]
    for told in spaces:
        if isinstance(told, tuple) and told:
            return next((one for one in drawing.meta.boards if one is not board and told[0] in one.nodes), None)
    return None


def _tells_spaces(table: PrintedMeta) -> bool:
    return table.of == "node" and table.name == "spaces" and table.thing == "set:node"


def is_between_maps(drawing: Drawing, table: PrintedMeta) -> bool:
    """True for what a drawing shows anyhow: which corners and sides a space has, and which spaces meet in them."""
    has_corners = any(drawing.meta.maps[board.name].get("shape") == SHAPE for board in drawing.meta.boards)
    return BETWEEN.get(table.name) == table.thing and has_corners
