"""Compiled games against the slow evaluator: the same seed gives the same decisions, states and ends.

Every ruleset is found by listing, with each player count and each variant; every toy of `tests/toys` is played. Long
games are followed for a while by default and to their end with `--long`.
"""

from __future__ import annotations

import random

import pytest

from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.every_ruleset import every_game, game_id, loaded
from tests.toy_games import TOYS, toy_game, toy_program


@pytest.mark.parametrize("auto", [True, False], ids=["auto", "asked"])
@pytest.mark.parametrize("name", TOYS)
def test_toys(name: str, auto: bool, is_long: bool) -> None:
    for seed in range(60 if is_long else 8):
        slow = SlowGame(toy_program(name), auto=auto)
        difference = lock_step(toy_game(name).new(seed, auto=auto), slow, seed, random.Random(seed).randrange)
        assert difference is None, f"seed {seed}: {difference}"


@pytest.mark.parametrize("auto", [True, False], ids=["auto", "asked"])
@pytest.mark.parametrize("game", every_game(), ids=game_id)
def test_rulesets(game: tuple[str, int], auto: bool, is_long: bool) -> None:
    """Two variants together are followed more briefly than one: what is peculiar to them is in their declarations."""
    compiled = loaded(*game)
    pair = game[0].count("+") > 1
    for seed in range(4 if is_long else 1 if pair else 2):
        slow = SlowGame(compiled.program, auto=auto)
        limit = 20_000 if is_long else 10 if pair else 30
        difference = lock_step(compiled.new(seed, auto=auto), slow, seed, random.Random(seed).randrange, limit)
        assert difference is None, f"seed {seed}: {difference}"
