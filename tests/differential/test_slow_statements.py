"""One busy toy with nearly every statement, played at random by the slow evaluator: nothing lost, nothing stuck."""

from __future__ import annotations

import random

import pytest

from tests.differential.slow_evaluator import SlowGame
from tests.differential.test_slow_evaluator import labels, toy

BUSY = """
enum Suit = clubs | hearts
kind Card
  copies 3 for each suit: Suit, rank: 1..4
kind Stone
  copies 4 for each owner: player
kind Cart
  copies 1 for each owner: player
map board is grid 3 by 3
  node Cell
table
  deck: pile of Card hidden
  river: row of Card open capacity 5
  heap: pool of Card open
  sack: bag of Stone hidden
  spots: slots(3) of Stone open
  bins: slots by Suit of Card open
  dice: 2 dice of 1..6
  rounds: 0..99 capped
each player
  hand: hand of Card secret
  stones: pool of Stone open
  coins: 0..99 capped = 5
  bid: 0..9 secret
  bought: 0..9 this turn
each Cell
  token: slot of Stone open
each Cart
  load: pile of Stone open
each Card
  used: flag this turn
setup
  move all c in Card to deck
  shuffle deck
  move all s in Stone to sack
  for p in players
    draw 3 from deck to p.hand
    draw 2 from sack to p.stones
  draw up to 4 from deck to river
play
  in turn p from seat1 until rounds >= 4 finishing the round
    turn(p)
  end game "All done"
phase turn(p) "Turn of {p}"
  if p == seat1
    rounds += 1
  roll dice
  dice[1].face = 3
  act(p) if possible
  choose c in p.hand where not c.used by highest c.rank, n in 1..2 "Which card?" if possible
    c.used = yes
    move c to heap
  choose up to 2 r in river as taken "Which of the river?"
  move taken to p.hand
  may repeatedly "Buy" if p.bought < 2
    pay 1 coins
    p.bought += 1
    draw up to 1 from deck to p.hand
  may "Stack" for s in p.stones
    load(p, s)
  else
    gain up to 1 coins
  choose one "Where?"
    "At {x}" for x in Cell, s in p.stones where x.token is empty
      move s to x.token
    build(p)
    otherwise "Nowhere"
      lose up to 1 coins
  first possible
    build(p)
    cheer(p)
  together q in players
    choose m in 0..3 secretly
    q.bid = m
  for q in players
    reveal q.bid
    q.coins += q.bid
  walk r in river
    if r.rank == 4 and heap is not empty and river is not full
      pick d in heap preferring d.rank == 1, any
      move d to river as first
      stop
  pass hand left
  pick lost in rival(p).hand at random if possible
    reveal lost
    move lost to heap
  pick i in 1..3 where spots[i] is empty if possible
    pick s in p.stones if possible
      move s to spots[i]
  if bins[hearts] is empty
    pick h in heap where h.suit == hearts if possible
      move h to bins[hearts]
  if deck is empty
    shuffle heap into deck
  pause "End of turn"
effect load(p, s: Stone)
  pick k in Cart where k.owner == p
  move s to k.load on bottom
action act(p) "Act"
  requires p.coins > 20
  pay 3 coins
action build(p) "Build"
  requires largest_group(x in Cell where x.token.owner == p) < 4
  choose x in Cell where x.token is empty "Which cell?"
  pay 2 coins
  pick s in p.stones
  move s to x.token
effect cheer(p)
  say "{p} cheers"
free action trade(p) "Trade" during turn(p)
  requires p.bought == 0 and p.coins > 2
  lose 1 coins
  p.bought += 1
after c leaves river
  draw up to 1 from deck to river
after s enters x.token when some y in neighbours(x) has y.token is empty
  gain_one(s.owner)
effect gain_one(p)
  gain 1 coins
after p.coins falls when p.coins == 0
  gain 2 coins
before build(p)
  for q in players after p
    q may "Object" if q.coins > 4
      q loses 2 coins
      prevent
score p
  "Coins" p.coins
  "Stones" 2 * count(x in Cell where x.token.owner == p)
  "Load" sum(count(k.load) for k in Cart where k.owner == p)
rank p by highest score, then fewest count(p.hand), then shared
"""


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("auto", [True, False])
def test_random_games_end_and_lose_nothing(seed: int, auto: bool) -> None:
    game = SlowGame(BUSY_PROGRAM, auto=auto)
    decision, chance, kinds = game.start(seed), random.Random(seed), set()
    while decision is not None:
        kinds |= {option.kind for option in decision.options}
        assert len({option.key for option in decision.options}) == len(decision.options)
        assert all(labels(decision))
        decision = game.choose(chance.randrange(len(decision.options)))
        held = sorted(piece for pieces in game.state.contents.values() for piece in pieces)
        assert held == sorted(game.state.at) and len(held) + len(game.in_box()) == len(BUSY_PROGRAM.pieces)
        assert not game.state.journals or decision is not None
    assert kinds == {"option", "pass", "enough", "free"}
    assert sorted(game.ranking())[0] == 1 and game.state.over


BUSY_PROGRAM = toy(BUSY)
