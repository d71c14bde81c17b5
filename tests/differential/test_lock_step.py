"""Compiled games against the slow evaluator: the same seed gives the same decisions, states and ends.

Every ruleset is found by listing, with each player count and each variant; every toy of `tests/toys` is played. Long
games are followed for a while by default and to their end with `--long`.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.every_ruleset import loaded
from tests.toy_games import TOYS, toy_game, toy_program


@pytest.mark.parametrize("auto", [True, False], ids=["auto", "asked"])
@pytest.mark.parametrize("name", TOYS)
def test_toys(name: str, auto: bool, is_long: bool) -> None:
    for seed in range(60 if is_long else 8):
        slow = SlowGame(toy_program(name), auto=auto)
        difference = lock_step(toy_game(name).new(seed, auto=auto), slow, seed, random.Random(seed).randrange)
        assert difference is None, f"seed {seed}: {difference}"


def test_rulesets(game: tuple[str, int], is_long: bool) -> None:
    compiled = loaded(*game)
    for seed, auto in ((0, True), (1, False)) if not is_long else product(range(4), (True, False)):
        slow = SlowGame(compiled.program, auto=auto)
        limit, work = (20_000, 20_000_000) if is_long else (40, 150_000)
        difference = lock_step(compiled.new(seed, auto=auto), slow, seed, random.Random(seed).randrange, limit, work)
        assert difference is None, f"seed {seed}, auto {auto}: {difference}"
