"""Two small games, compiled and slow: cards that turn round in a full pile, and pieces picked unseen from the box."""

from __future__ import annotations

import random

import pytest

from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

TURNING = """\
kind Card
  copies 1 for each rank: 1..4
kind Medal
  copies 1 for each worth: 1..3

table
  deck: pile of Card top open capacity 4
  shown: pool of Medal open
  turns: 0..9

setup
  move all c in Card to deck
  shuffle deck
  pick m in Medal where m in box at random
  move m to shown

play
  repeat 3 times
    for p in players
      turn(p)

phase turn(p)
  choose one "What now?"
    "Turn {top of deck}"
      move top of deck to deck on bottom
      turns += 1
    "Wait"
"""


@pytest.mark.parametrize("seed", range(5))
def test_a_card_can_turn_round_in_a_full_pile(seed: int) -> None:
    program = checked(TURNING)
    game = game_from_program(program)
    rng = random.Random(seed)
    assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None
    state = game.new(seed)
    first, labels = str(state.decision.options[0]), []
    for _ in range(4):
        labels.append(str(state.decision.options[0]))
        state.apply(0)
    assert len(set(labels)) == 4
    assert str(state.decision.options[0]) == first


def test_what_is_picked_from_the_box_and_laid_out_is_known_to_all() -> None:
    view = game_from_program(checked(TURNING)).new(3).view(0)
    [medal] = view["places"]["table"]["shown"]
    assert medal is not None and medal.startswith("Medal")
