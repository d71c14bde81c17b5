"""A choice that finds in each pass of a loop what it found before is no reason to try the choices in the loop."""

from __future__ import annotations

import random

import pytest

from interpreter.compile.passes import lower_program
from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

HEAD = """
map land is grid 2 by 3
  node Land
table
  die: 2 dice of 1..6
  rounds: 0..9
each Land
  owner: player?
  armies: 0..99
each player
  reserve: 0..9
  lent: 0..9
setup
  for l in Land
    l.owner = seat1 if l.column == 1 else seat2 if l.column == 2 else none
play
  repeat 4 times
    rounds += 1
    for p in players
      turn(p)
phase turn(p)
  p.reserve = 3
  p.lent = 0
  choose one "What?"
    "Act"
      act(p)
    "Rest"
"""

KEPT = {
    "nobody's land changes hands, and the condition gives the range a number": """
effect act(p)
  while p.reserve > 0
    choose l in Land where l.owner == p, n in 1..p.reserve "Where, how many?"
    p.reserve -= n
    l.armies += n
""",
    "the name is bound outside of the loop": """
effect act(p)
  let first_land = first l in Land where l.owner == p
  repeat 2 times
    choose l in Land where l == first_land or l.owner == p "Where?"
    let there = l
    there.armies += 1
""",
    "what the loop begins with is chance, in a pass that surely comes": """
effect act(p)
  choose n in 1..3 "How many?"
  for i in 1..2
    roll die[i]
  requires n < 9 - p.lent
""",
    "the condition of the loop asks for two names at once": """
effect act(p)
  while some l in Land where l.owner == p, n in 1..3 has l.armies == n
    choose l in Land where l.owner == p, n in 1..3 where l.armies == n "Which one?"
    l.armies = 0
""",
    "no more are chosen than there are": """
effect act(p)
  choose k in 1..2 "How?"
  p.lent = k
  let over = max(0, count(l in Land where l.owner == p) - 1)
  choose over l in Land where l.owner == p as lost "Which ones?"
  for l in lost
    l.armies += 1
""",
    "what is offered if nothing else is cannot fail": """
effect act(p)
  choose one "What?"
    "Leave {l}" for l in Land where l.owner == p if rounds > 2
      l.armies += 1
    otherwise "Nothing"
  while some l in Land, n in 1..3 has l.armies == n
    choose l in Land, n in 1..3 where l.armies == n "Which one?"
    l.armies = 0
""",
    "a land was asked for in front of the loop, and its condition gives the range a number": """
effect act(p)
  choose k in 1..2 "How many more?"
  p.reserve += k
  if some l in Land has l.owner == p
    while p.reserve > 0
      choose l in Land where l.owner == p, n in 1..p.reserve "Where, how many?"
      p.reserve -= n
      l.armies += n
""",
    "there were some when they were counted": """
effect act(p)
  choose k in 1..2 "How many?"
  let own = count(l in Land where l.owner == p)
  if 0 < own
    repeat k times
      choose l in Land where l.owner == p "Where?"
      l.armies += 1
""",
    "there are more than some number": """
effect act(p)
  choose k in 1..2 "How many?"
  p.lent = k
  if count(l in Land where l.armies == k) > count(l in Land where l.armies > 3)
    choose l in Land where l.armies == k "Where?"
    l.armies += 1
""",
    "the branch finds what was asked for": """
effect act(p)
  choose k in 1..2 "How many?"
  hop(p, k)
effect hop(p, k: 1..9) depth 9
  for l in Land where l.armies == 0
    l.armies += 1
  if k < 9 and some l in Land has l.armies == k
    choose one "Which one?"
      "Take {l}" for l in Land where l.armies == k
        l.armies += 1
        hop(p, k + 1)
""",
}
NOT_KEPT = {
    "each pass takes one of those that were counted": """
effect act(p)
  choose k in 1..2 "How many?"
  p.lent = k
  repeat count(l in Land where l.armies < k) times
    choose l in Land where l.armies < k "Where?"
    l.armies += 2
""",
    "others were counted": """
effect act(p)
  choose k in 1..2 "How many?"
  let own = count(l in Land where l.owner is none)
  if own > 0
    repeat k times
      choose l in Land where l.owner == p and l.armies < 3 "Where?"
      l.armies += 1
""",
    "what was counted is gone": """
effect act(p)
  choose k in 1..2 "How many?"
  let some_there = count(l in Land where l.armies == 0)
  for l in Land
    l.armies += k
  if some_there > 0
    choose l in Land where l.armies == 0 "Where?"
    l.armies += 1
""",
    "there may be none": """
effect act(p)
  choose k in 1..2 "How many?"
  for l in Land where l.armies == 0
    l.armies += k
  if count(l in Land where l.armies == k) >= rounds - 2
    choose l in Land where l.armies == k "Where?"
    l.armies += 1
""",
    "the branch asks for more": """
effect act(p)
  choose k in 1..2 "How many?"
  for l in Land where l.armies > k
    l.armies = 0
  if some l in Land has l.armies < k
    choose one "Which one?"
      "Take {l}" for l in Land where l.armies < k and l.owner == p
        l.armies += 1
""",
    "the range begins higher": """
effect act(p)
  choose k in 1..2 "How many?"
  for q in players where q.reserve < 5
    q.reserve = k
  if p.reserve > 0
    choose n in 2..p.reserve "How many?"
    p.lent = n
""",
    "only the first pass was asked for": """
effect act(p)
  choose k in 1..2 "How many?"
  p.reserve = k
  if some l in Land has l.armies == 0
    repeat 2 times
      choose l in Land where l.armies == 0 "Where?"
      l.armies += k
""",
    "the condition of the loop asks for another pair": """
effect act(p)
  while some l in Land, n in 1..3 has l.armies == n
    choose l in Land where l.owner == p, n in 1..3 where l.armies == n "Which one?"
    l.armies = 0
""",
    "one is gone since they were counted": """
effect act(p)
  choose k in 1..2 "How?"
  p.lent = k
  let over = min(2, count(l in Land where l.owner == p))
  for l in Land where l.owner == p and l.column == 1
    l.owner = none
  choose over l in Land where l.owner == p as lost "Which ones?"
  for l in lost
    l.armies += 1
""",
    "each pass takes one of them": """
effect act(p)
  repeat 2 times
    choose l in Land where l.owner is none or l.armies == 0 "Which one?"
    l.owner = p
    l.armies = rounds
""",
    "a rule that the loop calls takes one of them": """
effect act(p)
  repeat 2 times
    choose l in Land where l.armies < 2 "Which one?"
    fill(l)
effect fill(l: Land)
  l.armies += 2
""",
    "the range may be empty by then": """
effect act(p)
  repeat 2 times
    choose l in Land where l.owner == p, n in 1..p.reserve "Where, how many?"
    p.reserve -= n
""",
    "another name speaks of the number of the range": """
effect act(p)
  while p.reserve > 0
    choose n in 1..p.reserve, l in Land where l.column >= n "How many, where?"
    p.reserve -= 1
    l.armies += n
""",
    "another land is meant in each pass": """
effect act(p)
  repeat 2 times
    let full = first l in Land where l.owner == p by highest l.armies otherwise land_1_1
    choose l in neighbours(full) where l.column >= full.armies "Where?"
    l.armies += 2
    l.owner = p
""",
    "a free action comes between": """
free action lend(p) "Lend" during turn(p) also inside actions
  requires p.reserve > 0
  p.reserve -= 1
  p.lent += 1
effect act(p)
  repeat 2 times
    choose l in Land where l.armies < p.reserve "Where?"
    say "{l}"
""",
    "the choice has a block that may be refused": """
effect act(p)
  repeat 2 times
    choose l in Land where l.owner == p "Where?"
    p.reserve -= 1
    requires p.reserve + l.column != 2
""",
    "the loop is left before chance": """
effect act(p)
  choose n in 1..3 "How many?"
  for i in 1..2
    if rounds > 1
      stop
    roll die[i]
    p.lent = 9
  requires p.lent == 9 or n + rounds != 4
""",
}
CASES = {name: (rules, True) for name, rules in KEPT.items()}
CASES |= {name: (rules, False) for name, rules in NOT_KEPT.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.replace(" ", "_"))
def test_what_is_found_again(case: str) -> None:
    """Nothing is tried where it is known; and what is offered is what the slow evaluator, which tries all, offers."""
    rules, is_kept = CASES[case]
    program = checked(HEAD + rules)
    sites = [site for site in lower_program(program).sites if site.rule == "act"]
    assert sites and all(not site.trial for site in sites) is is_kept
    game = game_from_program(program)
    for seed in range(12):
        assert lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange) is None
