"""What no longer tells anything about now is not kept for worlds, however long a game lasts.

Told by what a story keeps (`runtime/story.py`), and not by time: facts that worlds are tested against, and steps that
are run again.
"""

from __future__ import annotations

from interpreter.runtime.game import game_from_program
from interpreter.runtime.questions import Told
from interpreter.runtime.story import story_of
from tests.toy_games import checked

# Roles are shuffled again each round, hands never: what was told of roles in a round long ago says nothing of hands.
ROLES = """\
kind Role
  copies 1 for each rank: 1..4
kind Card
  copies 1 for each value: 1..6
table
  box_of_roles: pool of Role hidden
  deck: pile of Card hidden
each player
  role: slot of Role secret
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand
play
  repeat 9 times
    round
phase round
  move all r in Role to box_of_roles
  shuffle box_of_roles
  for p in players
    pick r in box_of_roles at random
    move r to p.role
  for n in 1..4
    for p in players
      if public(p.role.rank == n)
        turn(p)
phase turn(p)
  choose k in 1..2 "Left or right?"
"""

# One of two cards goes back below the deck each round: there is no order in which a single card goes.
ONE_BACK = """\
kind Card
  copies 1 for each value: 1..9
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  offer: pool of Card secret
setup
  move all c in Card to deck
  shuffle deck
play
  repeat 3 times
    for p in players
      turn(p)
phase turn(p)
  draw 2 from deck to p.offer
  choose c in p.offer secretly "Which one do you keep?"
  move c to p.hand
  move all x in p.offer to deck on bottom
"""

BOTH_BACK = ONE_BACK.replace("draw 2 from", "draw 3 from")


def kept(rules: str) -> list[tuple[int, int]]:
    """The told values and the steps in the second player's story at each decision of one game."""
    game = game_from_program(checked(rules))
    state = game.new(seed=4)
    found = []
    while not state.over:
        story = story_of(state, state.meta, 1)
        found.append((sum(isinstance(fact, Told) for fact in story.facts), len(story.steps)))
        state.apply(0)
    return found


def test_what_was_told_of_roles_is_forgotten_when_they_are_shuffled_again() -> None:
    told = [told for told, _ in kept(ROLES)]
    assert len(told) == 18 and 0 < max(told) <= 8  # as many as there are in one round


def test_a_single_card_that_goes_below_a_pile_needs_no_step() -> None:
    assert not any(steps for _, steps in kept(ONE_BACK))


def test_two_cards_that_go_below_a_pile_need_one() -> None:
    assert any(steps for _, steps in kept(BOTH_BACK))
