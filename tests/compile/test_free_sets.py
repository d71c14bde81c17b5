"""Which questions for a set say nothing about the pieces that were picked: of a free set worlds keep no fact."""

from __future__ import annotations

import pytest

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
kind Card
  copies 1 for each rank: 1..5
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  stash: pool of Card secret
  bid: 0..3 secret
  most: 0..3 = 2
setup
  move all c in Card to deck
  shuffle deck
  draw 3 from deck to seat1.hand
play
  put_aside(seat1)
phase put_aside(p)
  {question} secretly
  move aside to p.stash
"""
QUESTIONS = {
    "choose 2 c in p.hand as aside": True,
    "choose up to 2 c in p.hand as aside": True,
    "choose any c in p.hand as aside": True,
    "choose up to p.most c in p.hand as aside": True,
    # What is picked, or how much, tells of something that others do not see.
    "choose 2 c in p.hand where c.rank > 1 as aside": False,
    "choose 2 c in p.hand as aside such that sum(c.rank for c in aside) > 3": False,
    "choose up to p.bid c in p.hand as aside": False,
    "choose n in 1..2 secretly\n  choose up to n c in p.hand as aside": False,
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_set_is_free_if_any_of_its_size_will_do(question: str) -> None:
    meta = game_from_program(checked(RULES.replace("{question}", question))).meta
    assert bool(meta.free_sets) == QUESTIONS[question]
