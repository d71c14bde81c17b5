"""Games for three that random games have found (`hunt.py`), each as short as it gets; those for two are in `games`."""

from __future__ import annotations

import pytest

from tests.knowledge.hunt import SURE, Tally, problems_of

# Chance picks the only card of a hand, which is passed on, joined by another one, and comes back as the higher of them:
# the third player knows the other one, and not which of the two it is.
PICKED_AND_PASSED = """game toy "Toy" for 3 players
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  mixes(seat1)
  rest(seat3)
phase mixes(p)
  pick c in p.hand at random
  pass hand left
  move up to 1 d in p.hand by lowest d.rank to next(p).hand
  move up to 1 d in next(p).hand by highest d.rank to p.hand
phase rest(p)
  choose n in 1..2 "Go on?"
"""


@pytest.mark.parametrize("rules", [PICKED_AND_PASSED], ids=["picked_and_passed"])
def test_nothing_is_wrong(rules: str) -> None:
    tally = Tally()
    assert not problems_of(rules, SURE, tally)
    assert tally.outcome["right"] == 1, tally
