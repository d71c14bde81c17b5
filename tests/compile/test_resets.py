"""Fields of a rule go back to their start; those of no piece at all take no room in the state."""

from __future__ import annotations

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

NO_CARDS = """\
kind Card from cards.yaml
each Card
  used: flag this turn
table
  round: 0..3
play
  repeat 3 times
    turn(seat1)
phase turn(p)
  round += 1
"""


def test_fields_of_no_piece_leave_the_state_as_long_as_it_is() -> None:
    game = game_from_program(checked(NO_CARDS))
    assert len(game.playout(0).f) == len(game.meta.start)
