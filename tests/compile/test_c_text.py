"""What the C of a game has in its text for speed: questions that draw, tests that are asked once."""

from __future__ import annotations

import re

from interpreter.native.make import c_of
from tests.toy_games import checked

GAME = """
map board is grid 5 by 5
  node Cell
each Cell
  owner: player?
each player
  houses[1..6]: 0..48
play
  in turn p from seat1 until no c in Cell has c.owner is none
    turn(p)
phase turn(p)
  choose one "Where?"
    "{{c}}" for c in Cell where {}
      c.owner = p
value crowded(p): flag = count(x in Cell where x.owner == p and some y in neighbours(x) has y.owner == p) > 3
"""


def source(condition: str) -> str:
    return c_of(checked(GAME.format(condition))).source


def test_options_of_a_mask_are_drawn() -> None:
    text = source("c.owner is none")
    assert "_draw(Ctx" in text and "rw_bit_of_rank" in text


def test_options_that_take_work_to_test_are_listed() -> None:
    """Counting them would be as much work as listing them, and finding one would be work once more."""
    assert "_draw(Ctx" not in source("c.owner is none and not crowded(p)")


def test_what_no_option_changes_is_asked_once() -> None:
    assert len(re.findall(r"num memo_\d+ = 0", source("c.owner is none and not crowded(p)"))) == 2  # to play, to try
    assert "memo_" not in source("c.owner is none and crowded(c.owner otherwise p)")
