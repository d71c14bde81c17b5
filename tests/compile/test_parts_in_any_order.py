"""`in any order`, `for … ordered by`, `may repeatedly`, calls `if possible`: what is left to do is looked at."""

from __future__ import annotations

import json
import random

import pytest

from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

HEAD = """
kind Card
  copies 2 for each rank: 1..2
table
  deck: pile of Card open
  rounds: 0..9
each player
  hand: hand of Card open
  bench: pool of Card open
  coins: 0..9
  ready: flag
setup
  move all c in Card to deck
  draw 4 from deck to seat1.hand
play
  repeat 3 times
    rounds += 1
    for p in players
      turn(p)
phase turn(p)
  choose one "What?"
    "Act"
      act(p)
    "Rest"
      p.coins += 1
"""
GAMES = {
    "a part that can never be done bars the others": """
effect act(p)
  in any order by p
    "Look"
      say "{p} looks"
    "Pay"
      lose 2 coins
""",
    "a part that can be done behind another": """
effect act(p)
  in any order by p
    "Get ready"
      p.ready = not p.ready
    "Go"
      requires p.ready "not ready"
""",
    "a choice in a part, before another one": """
effect act(p)
  in any order by p
    "Spend"
      choose n in 0..p.coins "How many?"
      lose n coins
    "Pay"
      lose 1 coins
    "Rest" if rounds == 2
      p.ready = no
""",
    "a choice in what is repeated, before its else": """
effect act(p)
  may repeatedly "Spend" if p.coins > 0
    choose n in 1..p.coins "How many?"
    lose n coins
  else
    requires p.coins == 1 "one is left"
""",
    "a choice in a call if possible, before what may be refused": """
effect act(p)
  spend(p) if possible
  requires p.coins != 2 "two are left"
effect spend(p)
  choose n in 0..p.coins "How many?"
  lose n coins
""",
    "equal copies are one option": """
effect act(p)
  for c in p.hand ordered by p
    move c to next(p).bench
    if count(next(p).bench) == 3
      move all b in next(p).bench to p.hand
""",
}


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.replace(" ", "_"))
def test_what_is_left_counts(case: str) -> None:
    program = checked(HEAD + GAMES[case])
    game = game_from_program(program)
    for seed in range(12):
        assert lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange) is None


def test_copies_in_a_hand_are_asked_about_once() -> None:
    state = game_from_program(checked(HEAD + GAMES["equal copies are one option"])).new(0)
    state.apply(0)
    assert [str(option) for option in state.decision.options] == ["Card 1", "Card 2"]


TWO_ORDERS = """
kind Card
  copies 2 for each rank: 1..3
table
  rack: pool of Card open
  noted: 0..9 capped
each player
  hand: hand of Card open
setup
  move all c in Card to rack
  for p in players
    move 1 c in rack where c.rank == 1 to p.hand
play
  for p in players
    turn(p)
phase turn(p)
  for c in rack where c.rank != 3 ordered by p
    noted += c.rank
  for d in rack where d.rank > 1 ordered by p
    noted += d.rank
"""


def test_two_orders_of_one_rule_can_be_saved_and_opened_as_they_stand() -> None:
    game = game_from_program(checked(TWO_ORDERS))
    for seed in range(3):
        state = game.new(seed, auto=False)
        while not state.over:
            saved = json.loads(state.to_json()) | {"seed": seed + 1}  # which does not lead there
            assert game.from_json(json.dumps(saved)).opts == state.opts
            state.apply(seed % len(state.opts))


LEFT_THE_ROW = """
kind Card
  copies 3 for each rank: 1..2
table
  row: row of Card open
  heap: pool of Card open
  noted: 0..9
setup
  move all c in Card to row
play
  turn(seat1)
phase turn(p)
  for c in row where c.rank == 1 ordered by p
    noted += 1
    move all d in row where d.rank == 1 to heap
"""


def test_cards_that_have_come_to_lie_together_are_one_option() -> None:
    """In the row they lay apart; in the heap nobody can tell them from one another."""
    program = checked(LEFT_THE_ROW)
    state = game_from_program(program).new(0)
    assert len(state.decision.options) == 3
    assert lock_step(state, SlowGame(program), 0, lambda _: 1) is None
    assert len(state.history) == 1
