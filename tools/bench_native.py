"""The rows of the bench about native playouts: against C by hand, against masks, against Python, against OpenSpiel.

All programs that play a game are timed in turn within one run, in CPU time, each by batches that take some milliseconds
(a call into a library costs more than a game of tic-tac-toe). A ratio is the median of the ratios of the repetitions.

OpenSpiel is driven from Python, as its users do it: a state, its legal actions, one of them at random. It is not for
every system, so it is an extra of its own (`bench`). Where it is missing, or there is no such ruleset, a row is left
out with the reason; a native game that cannot be had is a missed figure.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.find import find_ruleset
from tools.c_baselines import C_BASELINES, C_BITBOARDS, c_baseline

Play = Callable[[int, int], int]  # a seed, a number of games; gives the choices that were made in them

AGAINST_C_AT_LEAST = 0.6
AGAINST_MASKS_AT_LEAST = 0.15
AGAINST_PYTHON_AT_LEAST = 40.0
AGAINST_OPEN_SPIEL_AT_LEAST = 10.0
EXCEPTIONS = {"chess": 3.0}  # OpenSpiel's chess has bitboards

PYTHON = (
    ("pikit", 2), ("pikit", 4), ("pikit+mecha_in_addition", 2), ("kikai", 2), ("kikai+advanced", 2),
    ("bricolage_heads", 2), ("flatiron", 2), ("flatiron+solo", 2), ("kiwi_chow_down", 2), ("kiwi_chow_down", 4),
    ("kiwi_chow_down+asymmetric", 4), ("kiwi_chow_down+solo", 2),
)  # fmt: skip
# ruleset -> the game of OpenSpiel with the same rules
OPEN_SPIEL = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "othello": "othello",
    "hex_11x11": "hex",
    "kalah": "mancala",
    "oware": "oware",
    "draughts": "checkers",
    "backgammon": "backgammon",
    "leduc_poker": "leduc_poker",
    "liars_dice": "liars_dice",
    "hearts": "hearts",
    "chess": "chess",
}
# OpenSpiel's game is one deal or one round of dice, ours goes on until somebody has won: choices are counted here.
BY_CHOICES = ("hearts", "liars_dice")
SECONDS_OF_A_BATCH = 0.004


@dataclass(frozen=True)
class Contest:
    """Native playouts of a game against another program that plays it."""

    game: str
    players: int
    rival: str  # "c", "masks", "python" or "OpenSpiel"
    at_least: float

    @property
    def title(self) -> str:
        named = {"c": "C by hand", "masks": "C with masks", "python": "our Python"}.get(self.rival, self.rival)
        return f"{self.game}, {self.players} players, against {named}"


def contests() -> list[Contest]:
    found = [Contest(name, 2, "c", AGAINST_C_AT_LEAST) for name in C_BASELINES]
    found += [Contest(name, 2, "masks", AGAINST_MASKS_AT_LEAST) for name in C_BITBOARDS]
    found += [Contest(name, players, "python", AGAINST_PYTHON_AT_LEAST) for name, players in PYTHON]
    for name in OPEN_SPIEL:
        limit = EXCEPTIONS.get(name, AGAINST_OPEN_SPIEL_AT_LEAST)
        found.append(Contest(name, 4 if name == "hearts" else 2, "OpenSpiel", limit))
    return found


def left_out(contest: Contest) -> str:
    """Why a row cannot be measured whatever we do; empty if it can."""
    if find_ruleset(contest.game, Diagnostics()) is None:
        return f"there is no ruleset `{contest.game}`"
    if contest.rival == "OpenSpiel" and find_spec("pyspiel") is None:
        return "OpenSpiel is not installed: `pip install rulewright[bench]`"
    return ""


def ratio_of(contest: Contest, seconds: float, repetitions: int) -> tuple[float, str]:
    """How many times as many games native code plays; all rivals of a game are measured in the same run."""
    speeds = _speeds(contest.game, contest.players, seconds, repetitions)
    theirs = speeds[contest.rival]
    if isinstance(theirs, Exception):
        raise theirs
    ours = speeds["native"]
    if isinstance(ours, Exception):
        raise ours
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    what = "choices" if contest.game in BY_CHOICES else "games"
    return ratio, f"{statistics.median(ours):,.0f} {what}/s, against {statistics.median(theirs):,.0f}"


@cache
def _speeds(name: str, players: int, seconds: float, repetitions: int) -> dict[str, list[float] | Exception]:
    """Games a second of everybody who plays this game, one entry a repetition; or why there is none."""
    plays: dict[str, Play] = {}
    problems: dict[str, Exception] = {}
    rivals = {rival for each in contests() if (each.game, each.players) == (name, players) for rival in [each.rival]}
    for player in ("native", *sorted(rivals)):
        try:
            plays[player] = PLAYERS[player](name, players)
            plays[player](0, 1)
        except Exception as problem:  # whatever it is, the row says so and the others go on
            plays.pop(player, None)
            problems[player] = problem
    if "native" in problems:
        return {**dict.fromkeys(rivals, problems["native"]), **problems}
    return {**_in_turn(plays, seconds, repetitions, name in BY_CHOICES), **problems}


def _in_turn(plays: dict[str, Play], seconds: float, repetitions: int, by_choices: bool) -> dict[str, list[float]]:
    sizes = {player: _batch(play) for player, play in plays.items()}
    found: dict[str, list[float]] = {player: [] for player in plays}
    for repetition in range(repetitions):
        for player, play in plays.items():
            games, choices, seed, start = 0, 0, 1 + repetition * 1_000_000, time.process_time()
            while (spent := time.process_time() - start) < seconds:
                choices += play(seed + games, sizes[player])
                games += sizes[player]
            found[player].append((choices if by_choices else games) / spent)
    return found


def _batch(play: Play) -> int:
    """How many games take some milliseconds."""
    games = 1
    while True:
        start = time.process_time()
        play(0, games)
        if time.process_time() - start >= SECONDS_OF_A_BATCH:
            return games
        games *= 2


# ---------------------------------------------------------------- who plays


def _native(name: str, players: int) -> Play:
    game = native_game(name, players)
    return lambda seed, games: native_playouts(game, seed, games)


def native_game(name: str, players: int) -> Any:
    """The game on the native backend."""
    import interpreter

    return interpreter.load(name, players=players, backend="native")


def native_playouts(game: Any, seed: int, games: int) -> int:
    """So many random games, all in compiled code; gives the choices made."""
    play = getattr(game, "playouts", None)
    if play is None:
        raise RuntimeError("the game has no native playouts")
    return int(play(seed, games)[1])


def _python(name: str, players: int) -> Play:
    import interpreter

    game = interpreter.load(name, players=players, backend="python")

    def play(seed: int, games: int) -> int:
        return sum(len(game.playout(number).h) // 2 for number in range(seed, seed + games))

    return play


def _c(files: dict[str, str]) -> Callable[[str, int], Play]:
    def player(name: str, players: int) -> Play:
        baseline = c_baseline(files[name])
        return lambda seed, games: int(baseline.playouts(seed, games, players).decisions)

    return player


def _open_spiel(name: str, players: int) -> Play:
    game = import_module("pyspiel").load_game(OPEN_SPIEL[name])

    def play(seed: int, games: int) -> int:
        choose = random.Random(seed)
        return sum(play_in_open_spiel(game, choose) for _ in range(games))

    return play


def play_in_open_spiel(game: Any, choose: random.Random) -> int:
    """A random game; gives the choices that were made in it."""
    state, choices = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choose.choices(outcomes, weights)[0])
        else:
            actions = state.legal_actions()
            choices += len(actions) > 1
            state.apply_action(choose.choice(actions))
    return choices


PLAYERS: dict[str, Callable[[str, int], Play]] = {
    "native": _native,
    "c": _c(C_BASELINES),
    "masks": _c(C_BITBOARDS),
    "python": _python,
    "OpenSpiel": _open_spiel,
}
