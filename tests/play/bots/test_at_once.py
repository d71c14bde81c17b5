"""Choices made at the same time: who is asked last knows no more than who is asked first."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.play.bots.at_once import come_to
from interpreter.play.bots.imagined import Worlds
from interpreter.play.bots.playing_out import PlayingOut
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

# The guesser is asked first or last. Nine is all that pays for the other one, so nine it is; among choices at random a
# guess would pay less than staying safe.
GUESS = """
game guess "Guess" for 2 players

constant guesser_is_last: flag = {last}

each player
  points: 0..99
  chosen: 0..9 secret

value guesses(p): flag = (p == seat2) == guesser_is_last

play
  together p in players "Both choose"
    choose n in 0..9 secretly "Which?"
    p.chosen = n
  for p in players
    reveal p.chosen
  for p in players
    if guesses(p)
      if p.chosen == 4
        p.points += 20
      else if p.chosen == rival(p).chosen
        p.points += 90
    else if p.chosen == 9
      p.points += 90

payoff p = p.points
"""


@pytest.mark.parametrize("last", ["no", "yes"])
def test_whoever_is_asked_last_takes_the_others_for_no_fools(last: str) -> None:
    state = game_from_program(checked(GUESS.format(last=last), 2)).new(seed=1)
    if last == "yes":
        state.apply(2)  # a foolish choice, which the other one does not see
    chosen = [str(rw.bot("mcts:300").choose(state, seed)) for seed in range(5)]
    assert chosen == ["9"] * 5


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


# What a choice is worth shows only behind the block; 4 is best, whatever the others do.
DOMINANT = """
game dominant "Dominant" for 3 players

each player
  points: -30..99
  chosen: 0..4 secret

play
  repeat 2 times
    together p in players "All choose"
      choose n in 0..4 secretly "Which?"
      p.chosen = n
    for p in players
      reveal p.chosen
    for p in players
      p.points += p.chosen
      if p.chosen == 0
        for q in rivals(p)
          q.points -= 1

score p
  "Points"  p.points
rank p by highest score, then shared
"""


@pytest.mark.parametrize("asked_before", [0, 1, 2])
def test_a_look_ahead_sees_what_comes_behind_the_block(asked_before: int) -> None:
    state = game_from_program(checked(DOMINANT, 3)).new(seed=1)
    for choice in (0, 3)[:asked_before]:
        state.apply(choice)
    for bot in ("greedy", "greedy:1"):
        assert [str(rw.bot(bot).choose(state, seed)) for seed in range(6)] == ["4"] * 6


def test_a_look_ahead_goes_no_further_than_the_block() -> None:
    """The next block begins at once: nobody is asked for a choice of it."""
    state = game_from_program(checked(DOMINANT, 3)).new(seed=1)
    for asked_before in range(3):
        worlds = Worlds(state, state.who, 5)
        worlds.separate(0)
        come = come_to(worlds, 0, 7)
        assert come is not None
        (world, at_once), chosen = come, 0
        while at_once.goes_on(world):
            at_once.choose(world)
            chosen += 1
        assert chosen == 3 - asked_before and world.together and world.who == 0
        state.apply(1)


@pytest.mark.parametrize("bot", ["greedy", "greedy:1", "flat:20", "mcts:30"])
def test_what_others_have_chosen_unseen_makes_no_difference(bot: str) -> None:
    chosen = set()
    for others in ((0, 0), (4, 1), (2, 3)):
        state = game_from_program(checked(DOMINANT, 3)).new(seed=1)
        for choice in others:
            state.apply(choice)
        chosen.add(tuple(str(rw.bot(bot).choose(state, seed)) for seed in range(5)))
    assert len(chosen) == 1
