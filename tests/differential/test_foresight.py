"""What can be carried through is worked out by conditions where the rules allow it, and is what a trial would find."""

from __future__ import annotations

import random

import pytest

from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

MARKET = """\
kind Stall from stalls.yaml
  deal: effect

kind Ware
  copies 2 for each sort: 1..3

table
  stalls: pool of Stall open
  wares: pool of Ware open

each player
  coins: 0..99
  shelf: pool of Ware open capacity 3
  bench: slot of Ware open

setup
  move all s in Stall to stalls
  move all w in Ware to wares
  for p in players
    p.coins = 4

play
  repeat 6 times
    for p in players
      turn(p)

phase turn(p)
  choose one "What do you do?"
    "Visit {s}" for s in stalls
      perform s.deal for p
    "Earn"
      gain 1 coins

effect buy(p, price: 1..5) "Buy for {price}"
  choose w in wares "Which one?"
  if w.sort == 3
    pay price + 1 coins
  else
    pay price coins
  move w to p.shelf

effect hold(p) "Hold one"
  requires p.bench is empty "the bench is taken"
  pay 1 coins
  move 1 w in wares where w.sort == 1 to p.bench

effect guide(p, fee: 1..2) "Be led for {fee}"
  pay fee coins
  choose one "Where to?"
    "Stall {s}" for s in stalls
      perform s.deal for p

score p
  "Wares"  count(p.shelf)
rank p by highest score, then shared
"""

STALLS = """\
kind: Stall
default: known
rows:
  - {id: cheap, deal: buy(1)}
  - {id: dear, deal: buy(4)}
  - {id: bench, deal: hold}
  - {id: guide, deal: guide(1)}
  - {id: grand, deal: guide(2)}
"""


@pytest.mark.parametrize("seed", range(12))
def test_options_are_those_of_the_slow_evaluator(seed: int) -> None:
    program = checked(MARKET, tables={"stalls.yaml": STALLS})
    game = game_from_program(program)
    rng = random.Random(seed)
    assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


def test_nothing_is_tried() -> None:
    """Costs that come on top of costs, effects that call effects, a shelf that fills up: all by conditions."""
    game = game_from_program(checked(MARKET, tables={"stalls.yaml": STALLS}))
    assert [game.playout(seed).tried.trials for seed in range(20)] == [0] * 20


def test_why_an_option_is_missing_is_still_told() -> None:
    state = game_from_program(checked(MARKET, tables={"stalls.yaml": STALLS})).new(0)
    while "Visit dear" in [str(option) for option in state.decision.options]:
        state.apply(state.decision.find("Visit cheap"))
        while not str(state.decision.options[0]).startswith("Visit"):
            state.apply(0)
    refusal = state.decision.why_not("Visit dear")
    assert refusal is not None and "coins" in refusal.reason


KEPT_OPEN = """
each player
  coins: 0..9 = 1
play
  turn(seat1)
phase turn(p)
  may "Buy" if p.coins > 5
    pay 5 coins
  choose one "What now?"
    "Sing"
    "Dance"
free action spend(p) "Spend a coin" during turn(p)
  pay 1 coins
"""


def test_a_decision_that_a_free_action_keeps_open_tells_nothing_of_the_next_one() -> None:
    decision = game_from_program(checked(KEPT_OPEN)).new(0).decision
    assert [str(option) for option in decision.options] == ["Pass", "Spend a coin"]
    assert decision.why_not("Dance") is None
    refusal = decision.why_not("Buy")
    assert refusal is not None and refusal.reason == "`p.coins > 5` does not hold"
