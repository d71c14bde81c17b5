"""Tiny games whose answers are known in closed form, for the statistics of studies."""

from __future__ import annotations

from functools import cache

from interpreter.compile.load import compile_program
from interpreter.runtime.game import Game
from interpreter.study.watch import counting_game
from tests.toy_games import checked

# A fair coin decides.
COIN = """
game coin "Coin" for 2 players
table
  dice: 1 dice of 1..2
play
  roll dice
  if dice[1].face == 1
    seat1 wins "Heads"
  else
    seat2 wins "Tails"
"""

# Whoever throws the first six wins: the first seat does with 6/11, and the number of turns is geometric with mean 6.
RACE = """
game race "Race" for 2 players
table
  dice: 1 dice of 1..6
play
  in turn p from seat1
    turn(p)
phase turn(p)
  roll dice
  if dice[1].face == 6
    p wins "A six"
"""

# One pile; one or two counters are taken at random, whoever takes the last one wins.
PILE = """
game pile "Pile" for 2 players
table
  pile: 0..5 = 5
play
  in turn p from seat1
    take(p)
phase take(p)
  choose one "How many?"
    "Take {n}" for n in 1..2 where n <= pile
      pile -= n
      if pile == 0
        p wins "Took the last"
"""

# One die each; whoever has thrown may add one, which a random bot does half the time.
SCORES = """
game scores "Scores" for 2 players
table
  dice: 2 dice of 1..6
each player
  points: 0..7
play
  repeat 1 times
    deal_round
phase deal_round
  in turn p from seat1 until every q in players has q.points > 0
    turn(p)
phase turn(p)
  roll dice
  p.points = dice[1].face
  choose one "One more?"
    "Yes"
      p.points += 1
    "No"
      p.points += 0
score p
  "Die" p.points
"""


def known_game(rules: str) -> Game:
    return counting_game(compile_program(checked(rules), counted="begins"))


@cache
def coin() -> Game:
    return known_game(COIN)


@cache
def race() -> Game:
    return known_game(RACE)


@cache
def pile() -> Game:
    return known_game(PILE)


@cache
def scores() -> Game:
    return known_game(SCORES)


def first_wins_pile(left: int = 5) -> float:
    """The chance that whoever is to take from so many counters wins, if all choose at random."""
    if left == 1:
        return 1.0
    outcomes = [1.0 if taken == left else 1 - first_wins_pile(left - taken) for taken in (1, 2)]
    return sum(outcomes) / 2
