"""Options that ask the same thing of every candidate, and searches that a loop makes only once."""

from __future__ import annotations

import random
import re

import pytest

from interpreter.check.program import Program
from interpreter.compile import ir
from interpreter.compile.hoist import share_in_loops
from interpreter.compile.ir import INDEX
from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

TOWN = """
enum Colour = red | green | blue
map town is grid 3 by 3
  node Cell
  edge Street
kind Card from cards.yaml
  colour: Colour
table
  deck: pile of Card open
each Street
  owner: player?
each player
  hand: hand of Card open
  points: 0..999
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 5 from deck to p.hand
play
  repeat 6 times
    for p in players
      turn(p)
phase turn(p)
  let reached = reach from cell_1_1 along e in Street where e.owner == p
  choose one "What now?"
    {option}
      {effect}
    "Nothing"
score p
  "Points"  p.points
rank p by highest score, then shared
"""
CARDS = """
kind: Card
default: known
rows:
  - {id: a, colour: red, copies: 4}
  - {id: b, colour: green, copies: 4}
  - {id: c, colour: blue, copies: 4}
"""
BUILD = '"Build {s}" for s in Street where s.owner is none and '
PLAY = '"Play {c}" for c in p.hand where '


def town(option: str, effect: str) -> Program:
    return checked(TOWN.replace("{option}", option).replace("{effect}", effect), tables={"cards.yaml": CARDS})


@pytest.mark.parametrize(
    ("option", "effect"),
    [
        (BUILD + "(cell_1_1 in ends(s) or some n in reached has n in ends(s))", "s.owner = p"),
        (BUILD + "(cell_1_1 in ends(s) or some n in reached where n.row < 3 has n in ends(s))", "s.owner = p"),
        (BUILD + "not (some n in reached has n.row == 2 and n in ends(s))", "s.owner = p"),
        (PLAY + "count(d in p.hand where d.colour == c.colour) >= 2", "move c to deck"),
        (PLAY + "count(d in p.hand where c.colour == d.colour) >= 2", "move c to deck"),
        (PLAY + "count(d in p.hand where d.colour == red) >= 2", "move c to deck"),
        (PLAY + "count(d in p.hand where d != c and d.colour == c.colour) >= 2", "move c to deck"),
    ],
)
def test_options_stay_those_of_the_slow_evaluator(option: str, effect: str) -> None:
    program = town(option, effect)
    game = game_from_program(program)
    for seed in range(12):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


NEAR = "count((reach from (first e in ends(s)) along e in Street where e.owner is none))"
COST = '"Build {s} for {n}" for s in Street where s.owner is none, n in '


@pytest.mark.parametrize(
    ("names", "moved"),
    [
        (f"0..8 where n == {NEAR}", True),
        (f"0..8 where {NEAR} == n and n > 1", True),
        (f"0..8 where n > 1 and n == {NEAR}", False),  # not asked in the first pass, so it need not be defined
        (f"0..p.points where n == {NEAR}", False),  # there may be no pass
        (f"0..8 where n == {NEAR} - n", False),
    ],
)
def test_a_value_that_a_label_names_is_worked_out_once(names: str, moved: bool) -> None:
    program = town(COST + names, "s.owner = p")
    game = game_from_program(program)
    assert bool(re.search(r"for h__t\d+ in \(len\(map_town", game.compiled.source)) is moved
    for seed in range(6):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


@pytest.mark.parametrize(("let_in_loop", "shared"), [(False, True), (True, False)])
def test_a_search_is_shared_if_its_goal_is_the_same_in_every_pass(let_in_loop: bool, shared: bool) -> None:
    def local(name: str) -> ir.Local:
        return ir.Local(name, type=INDEX)

    nowhere = ir.Tuple((), type=INDEX)
    search = ir.Cheapest("town", local("n"), local("goal"), "e", nowhere, None, local("p"), (), True, False, type=INDEX)
    let = ir.Let("goal", local("a"))
    inner = ir.For("n", nowhere, [ir.If(ir.IsNone(search, -1))])
    outer = ir.For("a", nowhere, [let, inner] if let_in_loop else [inner])
    made = share_in_loops([outer] if let_in_loop else [let, outer], lambda name: f"{name}__t1")
    assert ("CheapestTo" in str(made)) is shared
