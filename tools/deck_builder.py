"""A deck builder with 270 pieces, for measuring what it costs to keep track of what players know.

Everybody draws five cards a turn from a deck of their own, plays two of them and buys a card from an open supply; the
discard pile is shuffled when the deck runs out. So there is a shuffle every few turns, five cards drawn in every one,
and what each player knows of the others' decks changes all the time.
"""

from __future__ import annotations

from functools import cache

import interpreter as rw
from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import game_from_program
from tests.toys import gather_text

RULES = """
game deck_builder "Deck builder" for 3 players
kind Card
  copies 27 for each worth: 1..10
table
  supply: pool of Card open
  rounds: 0..99
each player
  deck: pile of Card hidden
  hand: hand of Card secret
  played: pool of Card open
  discard: pile of Card top open
  points: 0..99 capped
setup
  move all c in Card to supply
  for p in players
    repeat 7 times
      pick c in supply where c.worth == 1
      move c to p.deck
    repeat 3 times
      pick c in supply where c.worth == 2
      move c to p.deck
    shuffle p.deck
play
  repeat 20 times
    rounds += 1
    for p in players
      turn(p)
phase turn(p)
  repeat 5 times
    if count(p.deck) < 1
      shuffle p.discard into p.deck
    draw up to 1 from p.deck to p.hand
  repeat 2 times
    choose c in p.hand if possible
      move c to p.played
      gain 1 points
  choose one "What do you buy?"
    "Buy {c}" for c in supply where c.worth <= 2 + sum(d.worth for d in p.played)
      move c to p.discard
    otherwise "Nothing"
  move all c in p.hand to p.discard
  move all c in p.played to p.discard
"""


@cache
def deck_builder() -> rw.Game:
    found = Diagnostics()
    program = check(gather_text(RULES, players=3, found=found), found)
    assert program is not None, [finding.headline for finding in found]
    return game_from_program(program)
