"""What is not offered has its reason: a plain choice, what comes behind it or in a branch, a free action."""

from __future__ import annotations

import pytest

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
kind Card
  copies 1 for each rank: 1..5
table
  deck: row of Card open
each player
  coins: 0..9 = 4
  got: pool of Card open
setup
  move 5 c in Card to deck
play
  in turn p from seat1 until count(deck) < 3
    turn(p)
phase turn(p)                                                                  @T-01
  choose c in deck where c.rank > 1 and c.rank < 6 "Which?"
  requires c.rank != 3 "three is unlucky"                                      @T-03
  pay c.rank coins
  move c to p.got
  p.coins = 4
  choose one "And?"
    "Double {d}" for d in deck where d.rank > 1 if p.coins > 0                 @T-05
      requires d.rank != 4
      pay d.rank coins
    "Twice {d}, {n}" for d in deck, n in 1..2 where n < d.rank
      pay n coins
    "Rest" if p.coins > 8
    "Nothing"
free action shout(p) "Shout" during turn(p)
  requires p.coins > 7 "too poor to shout"
score p
  "Coins" p.coins
"""


@pytest.mark.parametrize(
    ("choices", "text", "reason", "cites"),
    [
        (0, "Card 1", "`c.rank > 1` does not hold", ("T-01",)),
        (0, "card 3", "three is unlucky", ("T-03",)),
        (0, "Card 5", "not enough coins: 5 needed, 4 held", ("T-01",)),
        (0, "Shout", "too poor to shout", ()),
        (1, "Double Card 1", "`d.rank > 1` does not hold", ("T-05",)),
        (1, "Double Card 2", "it is not in `deck`", ("T-05",)),
        (1, "Double Card 4", "`d.rank != 4` does not hold", ("T-01",)),
        (1, "Double Card 5", "not enough coins: 5 needed, 4 held", ("T-01",)),
        (1, "Double Joker", "nothing in `deck` is called so", ("T-05",)),
        (1, "Twice Card 1, 2", "`n < d.rank` does not hold", ("T-01",)),
        (1, "Rest", "`p.coins > 8` does not hold", ("T-01",)),
    ],
)
def test_everything_refused_has_its_reason(choices: int, text: str, reason: str, cites: tuple[str, ...]) -> None:
    state = game_from_program(checked(RULES)).new(0)
    for _ in range(choices):
        state.apply(0)
    refusal = state.decision.why_not(text)
    assert refusal is not None and (refusal.reason, refusal.cites) == (reason, cites)


def test_what_is_offered_or_unknown_has_none() -> None:
    decision = game_from_program(checked(RULES)).new(0).decision
    assert decision.why_not("Card 2") is None
    assert decision.why_not("Joker") is None
