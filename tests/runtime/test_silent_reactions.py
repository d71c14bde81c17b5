"""A silent reaction tells nobody whether there could have been one: not in views, not in logs, not by waiting."""

from __future__ import annotations

import json

import interpreter as rw
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
kind Card
  copies 2 for each rank: 1..3
table
  deck: pile of Card hidden
  discard: pile of Card open
each player
  hand: hand of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  in turn p from seat1 until count(deck) < 2
    turn(p)
phase turn(p)
  choose n in 1..2 "Score?"
  if stands(p)
    gain n points
  draw up to 1 from deck to discard
effect stands(p): flag
  for q in players after p
    q may "Cancel with {c}" for c in q.hand where c.rank == 3
      move c to discard
      result no
  result yes
"""


def started(second: str) -> rw.State:
    """The second player holds that card; the first one cannot tell which."""
    order = ["card_1", second, "card_2", "card_1"]
    return GAME.new(script=[("shuffle", "deck", order)])


GAME = game_from_program(checked(RULES))


def seen_by_first(state: rw.State) -> str:
    return json.dumps([state.view(0), state.log(0)], sort_keys=True)


def test_who_is_asked_is_not_told_to_the_others() -> None:
    state = started("card_3").apply(0)
    assert state.decision.player == 1 and [str(o) for o in state.decision.options][-1] == "Pass"
    assert state.view(0)["decision"]["player"] is None and "prompt" not in state.view(0)["decision"]
    assert state.view(1)["decision"]["player"] == 1


def test_passing_leaves_no_more_trace_than_not_being_able() -> None:
    could = started("card_3").apply(0)
    could.apply(could.decision.find("Pass"))
    could_not = started("card_2").apply(0)
    assert could.decision.player == could_not.decision.player == 1  # the next turn
    assert seen_by_first(could) == seen_by_first(could_not)
    assert could.undo_horizon == could_not.undo_horizon + 1 or could.undo_horizon == could_not.undo_horizon


def test_reacting_is_seen_by_all() -> None:
    state = started("card_3").apply(0)
    state.apply(0)
    assert any("Cancel with" in line for line in state.log(0))
