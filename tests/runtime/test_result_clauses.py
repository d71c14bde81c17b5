"""The clause of the `result` line that says no is the clause of the refusal."""

from __future__ import annotations

from functools import cache

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

PURSE = """
each player
  coins: 0..9
  n: 0..9
setup
  choose_start(seat1)
phase choose_start(p)
  choose coins_held in 0..9, days in 0..7 "How is it?"
  p.coins = coins_held
  p.n = days
play
  in turn p from seat1 until p.n == 9
    turn(p)
phase turn(p)
  p.n += 1
  choose one "What?"
    "Take {k}" for k in 1..3 where may_take(p, k)                              @T-9
      gain up to k coins
    lend(p)
    spend(p)
    "Sleep" if limit(p) > 3
      gain up to 1 coins
    "Rest"
value may_take(p, k: 1..3): flag
  if p.n < 3
    result k == 1                                                              @T-1
  if p.coins > 4
    result no                                                                  @T-2
  result k != 3
action lend(p) "Lend"
  requires may_lend(p)
  gain up to 1 coins
action spend(p) "Spend"
  requires not may_lend(p) "no spending while lending"
  lose 1 coins
value may_lend(p): flag
  if p.coins == 0
    result no                                                                  @T-4
  let twice = 2 * p.n
  if twice > 12
    result no                                                                  @T-5
  result yes                                                                   @T-6
value limit(p): 0..9
  if p.coins == 9
    result 0                                                                   @T-7
  result p.n                                                                   @T-8
"""


@cache
def purse() -> rw.Game:
    return game_from_program(checked(PURSE))


@pytest.mark.parametrize(
    ("coins", "days", "label", "cites"),
    [
        (2, 0, "Take 2", ("T-1",)),
        (5, 5, "Take 1", ("T-2",)),
        (3, 5, "Take 3", ("T-9",)),  # that line has no clause: the one of the option
        (0, 1, "Lend", ("T-4",)),
        (3, 7, "Lend", ("T-5",)),
        (3, 1, "Spend", ("T-6",)),
        (9, 5, "Sleep", ("T-7",)),
        (1, 1, "Sleep", ("T-8",)),
    ],
)
def test_the_line_that_says_no_has_the_clause(coins: int, days: int, label: str, cites: tuple[str, ...]) -> None:
    state = purse().new()
    state.apply(state.decision.find(f"{coins}, {days}"))
    refusal = state.decision.why_not(label)
    assert refusal is not None and refusal.cites == cites
