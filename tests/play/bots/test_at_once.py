"""Choices made at the same time: who is asked last knows no more than who is asked first."""

from __future__ import annotations

from interpreter.play.bots.playing_out import PlayingOut
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

BID = """
game bid "Bid" for 2 players

each player
  points: 0..99 = 20
  bid: 0..9 secret

play
  together p in players "Both bid"
    choose n in 0..9 secretly "How much?"
    p.bid = n
  for p in players
    reveal p.bid
  for p in players
    p.points -= p.bid
    if p.bid > rival(p).bid
      p.points += 10

score p
  "Points"  p.points
rank p by highest score, then shared
"""


def test_guided_games_do_not_go_by_what_others_choose_at_the_same_time() -> None:
    """What seat2 bids in a guided game is the same whatever seat1 has bid: nobody bids one more than the other did."""
    paid = {}
    for other in (0, 3, 8):
        state = game_from_program(checked(BID, 2)).new(seed=1)
        state.apply(other)
        games = PlayingOut(state, guided=True)
        ends = [games._guided_on(state.fork(), seed).scores[1] for seed in range(40)]
        paid[other] = [20 - end if end <= 20 and other >= 20 - end else 30 - end for end in ends]
    assert paid[0] == paid[3] == paid[8] and len(set(paid[0])) > 5
