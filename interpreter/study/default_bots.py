"""Who plays in a study if nobody says so: bots that think, where that takes minutes and not hours.

A study by random bots misleads: they show what rules allow, not how a game goes among people who try to win. One by
greedy bots may mislead more: they look one decision ahead, so they never save, invest or press their luck, and where
that is the game they score less than chance. So the default is `mcts:50`. If that would take too long for so many
games, `greedy` plays where the rules count points (elsewhere it sees nothing before the last move), then random bots;
either way the report says so, and what to ask for instead.

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
_SIMULATIONS = 50
_SEARCH, _GREEDY = f"mcts:{_SIMULATIONS}", "greedy"
_STEP_SECONDS = 0.5e-6  # of one choice inside a simulated game
_LOOK_SECONDS = 0.0001  # of a choice by one look ahead
# Where something is hidden worlds are drawn for each choice: (with an engine, without one).
_WORLD_SECONDS = {_GREEDY: (0.0015, 0.008), _SEARCH: (0.003, 0.05)}
_IN_PYTHON = 30  # times slower
_WORKED_OUT = 10  # times, where rules work numbers out from secrets and worlds have to do it again


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
    search = _seconds(game, _SEARCH)
    if search is None:
        return "random", "Random bots were taken, since a trial game ran into a fault of the rules."
    if games * search <= TOO_LONG:
        return _SEARCH, None
    fits = int(TOO_LONG / search)
    instead = f"`--bots {_SEARCH}` with {fits:,} games takes about {TOO_LONG / 60:.0f} minutes" if fits >= 20 else ""
    whole = f"`--bots {_SEARCH}` with {games:,} games about {_told(games * search)}"
    kind = "random"
    if game.meta.has_rank or game.meta.score_blocks:
        greedy = _seconds(game, _GREEDY)
        kind = _GREEDY if greedy is not None and games * greedy <= TOO_LONG else kind
    return kind, (
        f"Nobody said who plays, and bots that plan would take long: {', '.join(filter(None, (instead, whole)))} "
        f"(an estimate). So {kind} bots answered."
    )


def _seconds(game: Any, kind: str) -> float | None:
    """About how long one game among such bots takes; None if random games fail."""
    try:
        choices = sum(len(game.playout(seed).history) for seed in _PROBES) / len(_PROBES)
    except Fault:
        return None
    in_python = choose_backend().backend == "python"
    each = _LOOK_SECONDS if kind == _GREEDY else _SIMULATIONS * choices / 2 * _STEP_SECONDS
    if in_python:
        each *= _IN_PYTHON
    if game.meta.has_secrets:
        each += _WORLD_SECONDS[kind][in_python] * (_WORKED_OUT if game.meta.works_out else 1)
    return float(choices * each)


def _told(seconds: float) -> str:
    if seconds < 5400:
        return f"{max(2, round(seconds / 60))} minutes"
    return f"{max(2, round(seconds / 3600))} hours"
