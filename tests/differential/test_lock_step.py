"""Compiled games against the slow evaluator: the same seed gives the same decisions, states and ends.

Every ruleset is found by listing, with each player count and each variant; every toy of `tests/toys` is played. Long
games are followed for a while by default and to their end with `--long`.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step, states_differ
from tests.differential.slow_evaluator import SlowGame
from tests.differential.slow_expressions import SlowFault
from tests.every_ruleset import loaded
from tests.toy_games import TOYS, checked, toy_game, toy_program

# The everyday run plays eight seeds, every other one with single options asked, or fewer where the slow evaluator has
# much to do. These toys have a line of emitted Python that only some seeds come to, in one of the ways.
WORK = 40_000  # steps of the slow evaluator after which a game is left; behind half of them no further one is begun
BOTH_WAYS = ("payments:1", "small_sets:45", "turns:59")


@pytest.mark.parametrize("auto", [True, False], ids=["auto", "asked"])
@pytest.mark.parametrize("name", TOYS)
def test_toys(name: str, auto: bool, is_long: bool) -> None:
    if name in ("masks:1", "masks:146") and not is_long:  # engine/test_toys plays both every day
        pytest.skip("takes the slow evaluator minutes: --long")
    spent = 0
    for seed in range(60) if is_long else range(8) if name in BOTH_WAYS else range(not auto, 8, 2):
        if spent > WORK / 2 and not is_long:
            break
        slow = SlowGame(toy_program(name), auto=auto)
        pick, work = random.Random(seed).randrange, None if is_long else WORK
        difference = lock_step(toy_game(name).new(seed, auto=auto), slow, seed, pick, work=work)
        assert difference is None, f"seed {seed}: {difference}"
        spent += slow.work


OUT_OF_RANGE = """
chart track(n: 1..4, m: 2..3): 0..90 = (10, 20), (30, 40), (50, 60), (70, 80)
table
  row_of[1..4]: 0..9
each player
  coins: 0..99
play
  turn(seat1)
phase turn(p)
  choose a in -1..6, b in -1..6 "Which?"
  p.coins = track(a, b)
  row_of[a] = 3
  p.coins += row_of[b] + twice(a)
value twice(k: 1..3): 0..6 = 2 * k
"""


def test_both_fault_at_the_same_arguments() -> None:
    program = checked(OUT_OF_RANGE)
    game = game_from_program(program)
    fitting = 0
    for index in range(64):
        state, slow = game.new(0), SlowGame(program)
        slow.start(0)
        outcomes: list[str | None] = []
        for choose in (state.apply, slow.choose):
            try:
                choose(index)
                outcomes.append(None)
            except (rw.Fault, SlowFault) as fault:
                outcomes.append(str(fault))
        assert outcomes[0] == outcomes[1]
        assert outcomes[0] is not None or states_differ(state, slow) is None
        fitting += outcomes[0] is None
    assert fitting == 3 * 2


def test_rulesets(game: tuple[str, int], is_long: bool) -> None:
    compiled = loaded(*game)
    for seed, auto in ((0, True), (1, False)) if not is_long else product(range(4), (True, False)):
        slow = SlowGame(compiled.program, auto=auto)
        limit, work = (20_000, 20_000_000) if is_long else (40, 60_000)
        difference = lock_step(compiled.new(seed, auto=auto), slow, seed, random.Random(seed).randrange, limit, work)
        assert difference is None, f"seed {seed}, auto {auto}: {difference}"
