"""Where rules end early, and where what comes later says what can be chosen now."""

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


def test_what_follows_previous_may_refuse_a_choice_made_in_it() -> None:
    """Whoever chooses 2 cannot pay 2 more, so 1 is all there is to choose."""
    rules = """
each player
  coins: 0..9 = 3
effect spend(p)
  choose n in 1..3
  lose n coins
instead of spend(p)
  previous
  pay 2 coins
play
  turn(seat1)
phase turn(p)
  spend(p)
  p wins
"""
    state = begun(rules)
    assert (state.decision, state.winners) == (None, [0])


def test_a_slot_that_was_asked_about_is_another_one_once_its_index_changes() -> None:
    rules = """
kind Card
  copies 4
table
  deck: pile of Card open
  spots: slots(3) of Card open
  here: 1..3
setup
  move all c in Card to deck
  draw 1 from deck to spots[2]
play
  turn(seat1)
phase turn(p)
  choose one "What?"
    "Go"
      go(p)
    "Stay"
    "Sleep"
  p wins
effect go(p)
  requires spots[here] is empty
  here = 2
  draw 1 from deck to spots[here]
"""
    state = begun(rules)
    assert state.decision is not None
    assert [str(option) for option in state.decision.options] == ["Stay", "Sleep"]
