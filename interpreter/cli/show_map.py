"""`rulewright show NAME map [MAP] [-o FILE.svg|FILE.png] [--save FILE]`: a map as a drawing, or as lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..play.contract import PlayError
from ..study.text_table import aligned
from .extras import required_module
from .messages import is_drawing, write_file
from .printed_map import Attributes

if TYPE_CHECKING:
    from ..runtime.game import Game
    from ..runtime.meta import BoardMeta


def show_map(game: Game, map_name: str | None, output: Path | None, state: Any | None = None) -> str:
    """The drawing is written to `output` if that is given; what is to be printed comes back."""
    board = _chosen(game, map_name)
    if output is None:
        return _as_lists(game, board)
    from ..study.draw_map import draw_map

    suffix = output.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise PlayError(f"a map cannot be written as `{output.name}`", "end the name with .svg or .png")
    drawing = draw_map(game.meta, board, state)
    content = drawing.encode() if suffix == ".svg" else png_of(drawing)
    write_file(output, content, is_drawing)
    return f"{board.name}: written to {output}"


def state_in(file: Path, name: str, players: int | None) -> tuple[Game, Any]:
    """The game of a save, and the state in it."""
    from .. import RulesetError, load
    from ..play.records import read_save, resumed

    save = read_save(file)
    if players is not None and players != save.players:
        raise PlayError(f"`{file}` is a game of {save.players} players, not {players}", "leave --players out")
    try:
        game = load(name, players=save.players)
    except RulesetError:
        game = load(name)  # a game for other numbers of players: then the save is of another game
        if game.name == save.game:
            raise
    if game.name != save.game:
        raise PlayError(f"`{file}` is a game of `{save.game}`, not of `{game.name}`", f"name `{save.game}`")
    return game, resumed(save, game, str(file))


def png_of(drawing: str) -> bytes:
    """The drawing as pixels, twice as many as the SVG says so that small text stays sharp."""
    resvg_py = required_module("resvg_py", "draw", "a PNG (unlike an SVG) needs")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, zoom=2.0))


def _chosen(game: Game, name: str | None) -> BoardMeta:
    maps = {board.name: board for board in game.meta.boards}
    if not maps:
        raise PlayError(f"`{game.name}` has no map", "only games with a map can be drawn")
    if name is None:
        return next(iter(maps.values()))
    if name not in maps:
        from ..diagnostics.suggest import did_you_mean

        raise PlayError(f"`{game.name}` has no map `{name}`", did_you_mean(name, maps) or f"it has {', '.join(maps)}")
    return maps[name]


def _as_lists(game: Game, board: BoardMeta) -> str:
    """Nodes with their attributes and neighbours, then edges with their attributes and ends."""
    nodes, edges = game.meta.nodes, game.meta.edges
    near: dict[int, list[str]] = {node: [] for node in board.nodes}
    for a, b in board.pairs:
        near[a].append(nodes[b][0])
        near[b].append(nodes[a][0])
    printed = Attributes(game.meta, "node", board.node_kinds)
    rows = [["node", "kind", "name", *printed.names, "next to"]]
    for node, kind in zip(board.nodes, board.node_kinds, strict=True):
        rows.append([nodes[node][0], kind, nodes[node][1], *printed.of(node, kind), ", ".join(near[node])])
    head = f"{board.name}: {len(board.nodes)} nodes" + (f", {len(board.edges)} edges" if board.edges else "")
    blocks = [[head], aligned(rows)]
    if board.edges:
        printed = Attributes(game.meta, "edge", board.edge_kinds)
        ways = [["edge", "kind", "name", *printed.names, "between"]]
        for edge, kind, (a, b) in zip(board.edges, board.edge_kinds, board.pairs, strict=True):
            between = f"{nodes[a][0]} - {nodes[b][0]}"
            ways.append([edges[edge][0], kind, edges[edge][1], *printed.of(edge, kind), between])
        blocks.append(aligned(ways))
    others = [other.name for other in game.meta.boards if other is not board]
    if others:
        blocks.append([f"Other maps: {', '.join(others)}"])
    return "\n\n".join("\n".join(block) for block in blocks)
