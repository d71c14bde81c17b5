"""What a person sees: where the game stands, the table, what happened, the options, and at the end the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..runtime.texts import phrase
from ..study.text_table import aligned
from .messages import painted
from .piece_marks import without_starts
from .printed_map import printed_map
from .table_view import map_lines, name_text, pieces_text, said, speaking, table_lines

if TYPE_CHECKING:
    from ..play.contract import Decision, Game

_LOG_LINES = 12
_LONG_LIST = 12  # more options than this are printed in columns


def option_number(text: str) -> int | None:
    """The number of an option, if the text is one (options count from 1)."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def decision_lines(
    game: Game, state: Any, decision: Decision, log: Sequence[str], width: int, whole_log: bool = False
) -> list[str]:
    """The whole screen for a person who is to decide."""
    lines = [painted(_heading(game, decision), bold=True) + f"  ({phrase(game.meta, 'seed')} {state.seed})", ""]
    offered = {name for option in decision.options for name in option.values}
    view = without_starts(state.view(decision.player), game.meta)
    with speaking(game.meta.phrases):
        lines += table_lines(view, width, _marks(decision), printed_map(game.meta), offered)
        lines += ["", *log_lines(log, None if whole_log else _LOG_LINES)] if log else [""]
    lines += [
        painted(decision.prompt or phrase(game.meta, "Choose"), bold=True) + _hint(game, decision),
        *option_lines(decision, width),
    ]
    return lines


def whole_map_lines(game: Game, state: Any, player: int, width: int) -> list[str]:
    """What is printed on the maps and what is on them, of every node and edge."""
    view = without_starts(state.view(player), game.meta)
    with speaking(game.meta.phrases):
        return map_lines(view, printed_map(game.meta), width) or [said("There is nothing to read on a map.")]


def _hint(game: Game, decision: Decision) -> str:
    """Explains how a set is chosen, and shows what it contains so far. Sets are chosen in ascending order, so earlier
    elements are no longer offered; the text says so to avoid surprise."""
    if getattr(getattr(decision, "site", None), "kind", "") != "set":
        return ""
    told = [phrase(game.meta, "one by one, in the order of the list")]
    if decision.picked:
        told.append(phrase(game.meta, "so far: {picked}", picked=pieces_text(decision.picked)))
    return f"  ({'; '.join(told)})"


def _heading(game: Game, decision: Decision) -> str:
    path = " › ".join(title for title in decision.path if title)
    return f"{game.title} · {path}" if path else game.title


def _marks(decision: Decision) -> dict[str, str]:
    """For each thing that an option alone binds, the number of that option, to be shown on the map."""
    marks: dict[str, str] = {}
    for number, option in enumerate(decision.options, 1):
        if len(option.values) == 1:
            marks[name_text(option.values[0])] = str(number)
    return marks


def log_lines(log: Sequence[str], most: int | None = None) -> list[str]:
    """The last lines of the log, then a blank line."""
    shown = list(log)[-most:] if most is not None else list(log)
    left_out = len(log) - len(shown)
    head = [f"  {said('({count} lines before: l)', count=left_out)}"] if left_out else []
    return [*head, *(f"  {line}" for line in shown), ""] if shown else []


def option_lines(decision: Decision, width: int) -> list[str]:
    """The options with their numbers; a long list of short labels is printed in columns, to be read downwards."""
    side = len(str(len(decision.options)))
    texts = [f"{number:>{side}}  {option}" for number, option in enumerate(decision.options, 1)]
    widest = max((len(text) for text in texts), default=0) + 3
    across = max(1, min(4, (width - 2) // widest)) if len(texts) > _LONG_LIST else 1
    down = -(-len(texts) // across)
    return [
        "  " + "".join(text.ljust(widest) for text in texts[start::down]).rstrip() for start in range(down) if texts
    ]


def result_lines(game: Game, state: Any) -> list[str]:
    """Why the game ended, the ranking, and the scores line by line."""
    reason = f": {state.reason}" if state.reason else ""
    lines = [painted(phrase(game.meta, "The game is over") + reason, bold=True)]
    labels = list(dict.fromkeys(label for own in state.score_lines for label, _ in own))
    if labels:
        rows = [["", *game.seat_names]]
        for label in labels:
            rows.append([label, *(str(dict(own).get(label, 0)) for own in state.score_lines)])
        rows.append([phrase(game.meta, "score"), *(str(score) for score in state.scores)])
        lines += ["", *aligned(rows, right=range(1, 99), indent="  "), ""]
    order = sorted(range(game.players), key=lambda player: (state.ranking[player], player))
    lines += [f"  {state.ranking[player]}. {game.seat_names[player]}" for player in order]
    return [*lines, "", _winners_text(game, state)]


def _winners_text(game: Game, state: Any) -> str:
    names = [game.seat_names[player] for player in state.winners]
    if not names:
        return phrase(game.meta, "Nobody wins.")
    if len(names) == 1:
        return phrase(game.meta, "{winner} wins.", winner=names[0])
    others = ", ".join(names[:-1])
    return phrase(game.meta, "{others} and {winner} share the victory.", others=others, winner=names[-1])
