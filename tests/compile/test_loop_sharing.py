"""Options that ask the same thing of every candidate, and searches that a loop makes only once."""

from __future__ import annotations

import random
import re

import pytest

from interpreter.check.program import Program
from interpreter.compile import ir
from interpreter.compile.ir import INDEX
from interpreter.compile.sharing import share_in_loops
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


NEAR = "count(neighbours((first e in ends(s))))"
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
    assert bool(re.search(r"for h__t\d+ in \(len\(neighbours_in_town", game.compiled.source)) is moved
    for seed in range(6):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


def local(name: str) -> ir.Local:
    return ir.Local(name, type=INDEX)


NOWHERE = ir.Tuple((), type=INDEX)
GOAL = ir.Let("goal", local("a"))


@pytest.mark.parametrize(
    ("in_front", "in_outer", "in_inner", "where"),
    [
        ([GOAL], [], [], "once"),
        ([], [GOAL], [], "again"),  # the goal is another one in each pass of the outer loop
        ([], [], [GOAL], "never"),
    ],
)
@pytest.mark.parametrize("ends", [("n", "goal"), ("goal", "n")])
def test_a_search_stands_in_front_of_the_loop_in_which_one_end_changes(
    in_front: ir.Block, in_outer: ir.Block, in_inner: ir.Block, where: str, ends: tuple[str, str]
) -> None:
    start, goal = map(local, ends)
    search = ir.Cheapest("town", start, goal, "e", NOWHERE, None, local("p"), (), True, False, type=INDEX)
    inner = ir.For("n", NOWHERE, [*in_inner, ir.If(ir.IsNone(search, -1))])
    outer = ir.For("a", NOWHERE, [*in_outer, inner])
    made = share_in_loops([*in_front, outer], lambda name: f"{name}__t1")
    [changed] = [ins for ins in made if isinstance(ins, ir.For)]
    before = changed.body[len(in_outer) : -1]
    assert [type(ins) for ins in before] == {"once": [ir.If], "again": [ir.Let], "never": []}[where]
    assert ("CostFrom" in str(changed)) is (where != "never")


WAY = """
value way(a: Cell, b: Cell): 0..99? = cheapest from a to b along e in Street where e.owner is none costing {cost}
"""
TO_EACH = '"Walk to {n}" for s in Street where s.owner is none, n in Cell where {test}'


@pytest.mark.parametrize(
    ("test", "cost", "searches"),
    [
        ("(way(first e in ends(s), n) otherwise 9) < 3", "1", 0),  # an end that is worked out stands in the call
        ("(way(cell_2_2, n) otherwise 9) < 3", "1", 1),
        ("(way(n, cell_2_2) otherwise 9) < 3", "1", 1),
        ("(way(n, n) otherwise 9) < 3", "1", 0),
        ("(way(cell_2_2, n) otherwise 9) < 3 and (way(n, cell_2_2) otherwise 9) > 1", "1", 1),
        ("(way(cell_2_2, n) otherwise 9) < 3", "2 div count(ends(e))", 0),  # nothing says that it meets no fault
        ("min(way(c, n) otherwise 9 for c in Cell where c.row == 1 else 9) < 3", "1", 1),
        ("some a in Cell, b in Cell has (way(a, b) otherwise 0) > n.row", "1", 0),  # there is no place inside a test
        ("min(way(c, cell_2_2) otherwise 9 for c in Cell where c.row == n.row else 9) < 3", "1", 1),
    ],
)
def test_a_search_in_a_value_is_made_once_for_all_ends(test: str, cost: str, searches: int) -> None:
    option = TO_EACH.replace("{test}", test)
    rules = TOWN.replace("{option}", option).replace("{effect}", "s.owner = p") + WAY.replace("{cost}", cost)
    program = checked(rules, tables={"cards.yaml": CARDS})
    game = game_from_program(program)
    assert game.compiled.source.count(".cheapest_to(") == searches
    for seed in range(4):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


LAID = '"Lay {s} at {c}" for s in Street, c in Cell where '
NETWORK = "(reach from cell_1_1 along e in Street where e.owner == p)"


@pytest.mark.parametrize(
    ("filter", "moved"),
    [
        (f"s.owner is none and c in {NETWORK}", True),
        ("s.owner is none and c in (reach from (first n in ends(s)) along e in Street where e.owner == p)", True),
        ("s.owner is none and s in (cheapest path from cell_1_1 to c along e in Street costing 1)", False),
        ("c in (reach from c along e in Street where e.owner == p) and s.owner is none", False),
    ],
)
def test_a_search_stands_in_front_of_the_loops_that_it_does_not_speak_of(filter: str, moved: bool) -> None:
    program = town(LAID + filter, "s.owner = p")
    game = game_from_program(program)
    assert bool(re.search(r"found__t\d+ = ", game.compiled.source)) is moved
    for seed in range(4):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None
