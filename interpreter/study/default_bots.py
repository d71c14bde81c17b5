"""Who plays in a study if nobody says so: bots that think, where that takes minutes and not hours.

A study by random bots misleads: they show what rules allow, not how a game goes among people who try to win. One by
greedy bots may mislead more: they look one decision ahead, so they never save, invest or press their luck, and where
that is the game they score less than chance. So the default is `mcts:50`. If that would take too long for so many
games, `greedy` plays where the rules count points (elsewhere it sees nothing before the last move), then random bots;
either way the report says so, and what to ask for instead.

How long it takes is measured on trial games, in processor time, and remembered (`trial_games`): so the same command
goes on being played by the same bots, however busy the machine is. It does not depend on `--jobs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..play.contract import Game, PlayError
from .trial_games import seconds_of

AUTO = "auto"
TOO_LONG = 180.0  # seconds that a study of bots may take that nobody asked for
_SEARCH, _GREEDY = "mcts:50", "greedy"
_AT_LEAST = 20  # games that are worth advising


@dataclass(frozen=True)
class Players:
    """The kind of bot for each seat, what a reader should know about how they came to be, and about how many seconds
    one of their games takes, if that was measured."""

    kinds: tuple[str, ...]
    remark: str | None = None
    seconds: float | None = None


def players_of(game: Game, asked: Sequence[str], games: int) -> Players:
    """The bots of a study: those asked for, one for all seats or one for each; for `auto` those that think, if so many
    games of them are played in a few minutes. PlayError if the number of bots does not fit the seats."""
    if AUTO in asked:
        if len(asked) > 1:
            raise PlayError("`auto` is for all seats, and stands alone", "name a bot for each seat, or write `auto`")
        kind, remark, seconds = _chosen(game, games)
        return Players((kind,) * game.players, remark, seconds)
    kinds = tuple(asked) * game.players if len(asked) == 1 else tuple(asked)
    if len(kinds) != game.players:
        raise PlayError(
            f"{len(kinds)} bots for {game.players} seats",
            f"name one for all, or one for each of {', '.join(game.seat_names)}",
        )
    return Players(kinds)


def _chosen(game: Any, games: int) -> tuple[str, str | None, float | None]:
    search = seconds_of(game, _SEARCH, games)
    if search is None:
        return "random", "Random bots were taken, since a trial game ran into a fault of the rules.", None
    if games * search <= TOO_LONG:
        return _SEARCH, None, search
    kind, seconds = "random", None
    if game.meta.has_rank or game.meta.score_blocks:
        greedy = seconds_of(game, _GREEDY, games)
        if greedy is not None and games * greedy <= TOO_LONG:
            kind, seconds = _GREEDY, greedy
    return kind, _remark(kind, search, games), seconds


def _remark(kind: str, search: float, games: int) -> str:
    fits = int(TOO_LONG / search)
    ways = [f"`--bots {_SEARCH}` with {games:,} games about {_told(games * search)}"]
    if fits >= _AT_LEAST:
        ways.insert(0, f"`--bots {_SEARCH}` with {fits:,} games takes about {_told(TOO_LONG)}")
    return (
        f"Nobody said who plays, and bots that plan would take long: {', '.join(ways)} (processor time, from trial "
        f"games). So {kind} bots answered."
    )


def _told(seconds: float) -> str:
    if seconds < 5400:
        return f"{max(2, round(seconds / 60))} minutes"
    return f"{max(2, round(seconds / 3600))} hours"
