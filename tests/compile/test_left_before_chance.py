"""Chance ends a look ahead, but not one that leaves the rule or the loop before it: that goes on behind them."""

from __future__ import annotations

import random

import pytest

from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

HEAD = """
table
  die: 2 dice of 1..6
  rounds: 0..9
  safe: flag this turn
kind Coin
  copies 4
play
  repeat 4 times
    rounds += 1
    for p in players
      turn(p)
phase turn(p)
  choose n in 1..3 "How many?"
  act(p, n)
"""
GAMES = {
    "done in an if": """
effect act(p, n: 1..3)
  leave(n)
  requires safe or n + rounds != 4
effect leave(n: 1..3)
  if n == 2
    done
  roll die
  safe = yes
""",
    "a result": """
effect act(p, n: 1..3)
  let k = throw(p, n)
  requires safe or k + rounds != 4
effect throw(p, n: 1..3): 0..9
  if n == 2
    result 2
  roll die
  safe = yes
  result 1
""",
    "done in an option": """
effect act(p, n: 1..3)
  throw(p)
  requires safe or rounds < 2
effect throw(p)
  choose one "?"
    "Leave"
      done
    "Throw"
      safe = no
  roll die
  safe = yes
""",
    "done in an option in a loop": """
effect act(p, n: 1..3)
  throw(p)
  requires safe or rounds < 2
effect throw(p)
  repeat 2 times
    choose one "?"
      "Leave"
        done
      "Throw"
        safe = no
    roll die
    safe = yes
""",
    "stop in an option": """
effect act(p, n: 1..3)
  repeat 3 times
    choose one "?"
      "Stop"
        stop
      "Go"
        safe = no
    roll die
    safe = yes
  requires safe or rounds < 2
""",
    "stop in a loop without choices": """
effect act(p, n: 1..3)
  for i in 1..2
    if rounds > 1
      stop
    roll die[i]
    safe = yes
  requires safe or n + rounds != 4
""",
    "stop in two loops": """
effect act(p, n: 1..3)
  for i in 1..2
    for k in 1..2
      if n == 2
        stop
    if n == 2
      stop
    roll die[i]
    safe = yes
  requires safe or n + rounds != 4
""",
    "done where a piece was picked": """
effect act(p, n: 1..3)
  throw(n)
  requires safe or n + rounds != 4
effect throw(n: 1..3)
  pick c in Coin if possible
    if n == 2
      done
  roll die
  safe = yes
""",
}


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.replace(" ", "_"))
def test_what_is_offered_comes_through(case: str) -> None:
    program = checked(HEAD + GAMES[case])
    game = game_from_program(program)
    for seed in range(12):
        assert lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange) is None


# The first coin there is is picked, and then what is done with it may be refused.
PICKED = """
kind Coin
  copies 2
each player
  purse: pool of Coin open
  cards: 0..3
play
  repeat 3 times
    for p in players
      turn(p)
phase turn(p)
  choose one "What?"
    "Take"
      pick c in Coin where c in box if possible
        move c to p.purse
        requires p.cards > 0 "no cards"
    "Draw" if p.cards < 3
      p.cards += 1
"""


def test_the_block_of_a_pick_may_refuse() -> None:
    program = checked(PICKED)
    state = game_from_program(program).new(0, auto=False)
    assert [str(option) for option in state.decision.options] == ["Draw"]
    for seed in range(12):
        game = game_from_program(program).new(seed, auto=False)
        assert lock_step(game, SlowGame(program, auto=False), seed, random.Random(seed).randrange) is None
