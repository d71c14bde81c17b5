"""Who plays in a study if nobody says so: bots that think, where that takes minutes and not hours.

A study by random bots misleads: they show what rules allow, not how a game goes among people who try to win. So the
default is `greedy` where the rules count points, and `mcts:50` where they do not (there `greedy` sees nothing before
the last move). If that would take too long for so many games, random bots play, and the report says so, and what to
ask for instead.

How long it takes is *estimated*, never measured: the same command gives the same figures however busy a machine is. Two
random games are played (always those of seeds 0 and 1), and the choices in them are counted. So who plays depends on
the rules, the number of games, and whether there is a native engine, without which bots think some thirty times slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..native.backend import choose_backend
from ..play.contract import Game, PlayError
from ..runtime.faults import Fault

AUTO = "auto"
TOO_LONG = 180.0  # seconds that a study of bots may take that nobody asked for
_PROBES = (0, 1)
_LOOK_SECONDS = 0.0005  # of a choice by one look ahead, where nothing is hidden
_WORLD_SECONDS = 0.008  # and where it is: worlds are drawn for each choice
_SIMULATIONS = 50
_STEP_SECONDS = 2e-6  # of one choice inside a simulated game
_IN_PYTHON = 30  # times slower


@dataclass(frozen=True)
class Players:
    """The kind of bot for each seat, and what a reader should know about how they came to be."""

    kinds: tuple[str, ...]
    remark: str | None = None


def players_of(game: Game, asked: Sequence[str], games: int) -> Players:
    """The bots of a study: those asked for, one for all seats or one for each; for `auto` those that think, if so many
    games of them are played in a few minutes. PlayError if the number of bots does not fit the seats."""
    if AUTO in asked:
        if len(asked) > 1:
            raise PlayError("`auto` is for all seats, and stands alone", "name a bot for each seat, or write `auto`")
        kind, remark = _chosen(game, games)
        return Players((kind,) * game.players, remark)
    kinds = tuple(asked) * game.players if len(asked) == 1 else tuple(asked)
    if len(kinds) != game.players:
        raise PlayError(
            f"{len(kinds)} bots for {game.players} seats",
            f"name one for all, or one for each of {', '.join(game.seat_names)}",
        )
    return Players(kinds)


def _chosen(game: Any, games: int) -> tuple[str, str | None]:
    meta = game.meta
    thinking = "greedy" if meta.has_rank or meta.score_blocks else f"mcts:{_SIMULATIONS}"
    seconds = _seconds(game, thinking)
    if seconds is None:
        return "random", "Random bots were taken, since a trial game ran into a fault of the rules."
    if games * seconds <= TOO_LONG:
        return thinking, None
    fits = int(TOO_LONG / seconds)
    instead = f"`--bots {thinking}` with {fits:,} games takes about {TOO_LONG / 60:.0f} minutes" if fits >= 20 else ""
    whole = f"`--bots {thinking}` with {games:,} games about {_told(games * seconds)}"
    return "random", (
        f"Nobody said who plays, and bots that think would take long: {', '.join(filter(None, (instead, whole)))} "
        "(an estimate). So random bots answered."
    )


def _seconds(game: Any, kind: str) -> float | None:
    """About how long one game among such bots takes; None if random games fail."""
    try:
        choices = sum(len(game.playout(seed).history) for seed in _PROBES) / len(_PROBES)
    except Fault:
        return None
    each = _LOOK_SECONDS if kind == "greedy" else _SIMULATIONS * choices / 2 * _STEP_SECONDS
    if choose_backend().backend == "python":
        each *= _IN_PYTHON
    if kind == "greedy" and game.meta.has_secrets:
        each += _WORLD_SECONDS
    return float(choices * each)


def _told(seconds: float) -> str:
    if seconds < 5400:
        return f"{max(2, round(seconds / 60))} minutes"
    return f"{max(2, round(seconds / 3600))} hours"
