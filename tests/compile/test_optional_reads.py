"""A read through several things that may be none is written once: code grows with the number of steps, not doubling."""

from __future__ import annotations

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

LINKED = """
kind Card
  copies 4
each Card
  link: Card?
  owner: player?
play
  turn(seat1)
phase turn(p)
  choose c in Card "Which?"
  if c{links}.owner == p
    p wins
"""


def test_each_link_adds_the_same_amount_of_code() -> None:
    sizes = [len(game_from_program(checked(LINKED.format(links=".link" * n))).compiled.source) for n in (4, 8, 12)]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]
