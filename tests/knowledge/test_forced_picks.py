"""Picks of a set that leave no choice answer themselves in a world as in the game, whether or not they did so in the
game: nobody else sees which of them were asked for."""

from __future__ import annotations

import interpreter as rw
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

# Whoever holds 1 and no 2 must pick the 1 first, and is asked for the other card.
RULES = """
kind Card
  copies 1 for each rank: 1..5
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  stash: pool of Card secret
setup
  move all c in Card to deck
  shuffle deck
  draw 3 from deck to seat1.hand
play
  put_aside(seat1)
phase put_aside(p)
  choose 2 c in p.hand as aside such that some d in aside has d.rank < 3 secretly "Which two?" if possible
    move aside to p.stash
"""


def test_a_world_goes_on_to_what_is_asked() -> None:
    game: rw.Game = game_from_program(checked(RULES))
    compared = {True: 0, False: 0}  # by whether the first pick was forced in the game
    for seed in range(30):
        state = game.new(seed=seed)
        if state.over:
            continue  # no two cards would do
        for draw in range(20):
            world = state.determinize(1, draw)
            compared[bool(state.picked)] += 1
            assert len(world.decision.options) > 1
            assert world.view(1) == state.view(1) and world.log(1) == state.log(1)
            assert world.information(1) == state.information(1)
    assert min(compared.values()) > 50


# What seat 1 puts aside is complete when seat 3 decides, although that decision looks into no hand and tells nothing.
THEN_SOMEBODY_ELSE = """
kind Card
  copies 1 for each rank: 1..6
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  stash: pool of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 3 from deck to seat1.hand
  draw 1 from deck to seat3.hand
play
  put_aside(seat1)
  rest(seat3)
  rest(seat2)
  rest(seat2)
phase put_aside(p)
  choose 2 c in p.hand as aside such that sum(c.rank for c in aside) >= 5 secretly "Which two?" if possible
    move aside to p.stash
phase rest(p)
  choose n in 1..3 "How many?"
  gain n points
"""


def test_worlds_do_not_turn_on_those_that_were_drawn_before() -> None:
    """A decision that is known to tell nothing is left out of later stories; a set that was complete by then is not
    taken up by it."""
    game: rw.Game = game_from_program(checked(THEN_SOMEBODY_ELSE, players=3))
    for seed in range(12):
        drawn = []
        for looks_before in (False, True):
            state = game.new(seed=seed)
            while state.who != 1:
                state.apply(state.decision.options[-1])
            if looks_before:
                state.determinize(1, 0)
            state.apply(state.decision.options[-1])
            drawn.append([state.determinize(1, draw).p for draw in range(8)])
        assert drawn[0] == drawn[1]
