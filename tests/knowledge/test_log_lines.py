"""The property `log` finds a line that tells more than was noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter.runtime.game import game_from_program
from tests.knowledge.properties import NORMAL, Proof, the_log_tells_no_more
from tests.toy_games import checked

LAID = """
kind Rose
  copies 2
kind Skull
  copies 1
table
  heap: pool of Rose | Skull hidden
each player
  hand: hand of Rose | Skull secret
setup
  move all c in Rose to seat1.hand
  move all c in Skull to seat1.hand
play
  lay(seat1)
  rest(seat2)
phase lay(p)
  choose c in p.hand "Lay which?"
  move c to heap
phase rest(p)
  choose n in 1..2 "Go on?"
"""


def test_a_line_that_tells_a_kind_is_found() -> None:
    game = game_from_program(checked(LAID))
    assert not the_log_tells_no_more(Proof(game, NORMAL))
    # As if the log told what a piece is that nobody else sees.
    proof = Proof(game, NORMAL)
    for number, node in enumerate(proof.histories.nodes):
        state = node.state.clone()
        state.lg = [(("read", player, f"seat1 lays {state.p}"), {}) for player in range(2)]
        proof.histories.nodes[number] = replace(node, state=state)
    assert the_log_tells_no_more(proof)


THOUGHT_OF = """
kind Card
  copies 1 for each rank: 1..3
each player
  hand: hand of Card secret
setup
  move all c in Card to seat1.hand
play
  step(seat1)
  rest(seat2)
phase step(p)
  choose c in p.hand "Which do you think of?"
  choose d in p.hand "Which do you show?"
  move d to box
  choose n in 1..2 "Well?"
phase rest(p)
  choose n in 1..2 "Go on?"
"""


@pytest.mark.parametrize("cards", ["1..3", "1..2"], ids=["one of two is left", "the last one is known"])
def test_a_card_that_was_thought_of_is_not_named_when_another_choice_shows_it(cards: str) -> None:
    game = game_from_program(checked(THOUGHT_OF.replace("1..3", cards)))
    proof = Proof(game, NORMAL)
    assert not the_log_tells_no_more(proof)
    logs = {tuple(node.state.log(1)) for node in proof.histories.nodes if node.state.who == 1}
    assert all(log[0] == "seat1: a card" and log[1].startswith("seat1: Card") for log in logs)
