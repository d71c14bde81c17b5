"""What is asked of every number of a run (all houses of a row, all cells of a board) is asked of the run itself."""

from __future__ import annotations

import random

import pytest

from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

ROWS = """
map board is grid 3 by 4
  node Cell
each Cell
  owner: player?
  height: 0..5
each player
  houses[1..6]: 0..9 = 1
  best: 0..99
play
  repeat 5 times
    for p in players
      turn(p)
phase turn(p)
  choose h in 2..5, c in Cell where c.owner is none "Which?"
  c.owner = p
  c.height = h
  p.houses[h] += 1
  p.best = {value}
  if p.best > 60
    end game
score p
  "Best"  p.best
rank p by highest score, then shared
"""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("sum(p.houses[i] for i in 1..6)", "sum(f["),
        ("sum(p.houses[i] for i in 2..5)", "sum(f["),
        ("sum(p.houses[i] for i in 1..6 where i != h)", "sum(["),
        ("sum(p.houses[7 - i] for i in 1..6)", "sum(["),
        ("max(p.houses[i] for i in 1..6)", "max(f["),
        ("min(p.houses[i] for i in 3..6)", "min(f["),
        ("count(i in 1..6 where p.houses[i] == 1)", ".count(1)"),
        ("count(i in 1..6 where p.houses[i] != h)", "- f["),
        ("count(i in 1..6 where p.houses[i] == i)", "len([1"),
        ("count(n in Cell where n.owner == p)", ".count(p__"),
        ("count(n in Cell where n.owner is none)", ".count(-1)"),
        ("count(n in Cell where n.owner is not none)", "- f["),
        ("count(n in Cell where n.height > 3)", "len([1"),
        ("1 if some i in 1..6 has p.houses[i] == 3 else 0", "3 in f["),
        ("1 if every i in 1..6 has p.houses[i] != 3 else 0", "3 not in f["),
    ],
)
def test_runs_give_what_the_slow_evaluator_gives(value: str, text: str) -> None:
    program = checked(ROWS.replace("{value}", value))
    game = game_from_program(program)
    assert text in game.compiled.source
    for seed in range(3):
        assert lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange) is None
