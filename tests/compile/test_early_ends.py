"""Statements after which nothing comes: what stands before them is done, what stands behind them is not."""

from __future__ import annotations

import random

from interpreter.runtime.game import game_from_program
from interpreter.runtime.state import State
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

PLAY = """
play
  seat1 chooses n in 1..2
  fame = n
  seat1 wins
table
  fame: 0..9
"""


def begun(rules: str) -> State:
    return game_from_program(checked(rules)).new(seed=1)


def test_a_seat_that_loses_in_setup_ends_the_game_there() -> None:
    state = begun('setup\n  seat1 loses "Not invited"\n' + PLAY)
    assert (state.decision, state.winners, state.reason) == (None, [1], "Not invited")


def test_setup_that_is_done_early_goes_on_to_play() -> None:
    state = begun("setup\n  if fame == 0\n    fame = 2\n    done\n  fame = 3\n" + PLAY)
    assert state.decision is not None
    assert state.apply(0).winners == [0]


def test_stop_in_the_else_of_a_repeated_may_leaves_the_loop_around_it() -> None:
    rules = """
table
  fame: 0..9
play
  repeat
    seat1 may repeatedly "More" if fame < 2
      fame += 1
    else
      stop
  seat1 wins
"""
    program = checked(rules)
    game = game_from_program(program)
    for seed in range(5):
        assert lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange) is None
