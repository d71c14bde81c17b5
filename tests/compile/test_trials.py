"""Where a look ahead is left out because nothing can be refused, and that the options are right all the same."""

from __future__ import annotations

import random

import pytest

from interpreter.compile.analysis import Analysis
from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

SHOP = """
enum Thing = hat | coat | boots
chart price(thing: Thing): 1..4 = 1, 2, 4

kind Card from cards.yaml
  gift: effect

table
  deck: pile of Card open

each player
  coins: 0..20 = 3
  bought: 0..9

setup
  move all c in Card to deck

play
  repeat 4 times
    for p in players
      turn(p)

phase turn(p)
  choose one "What now?"
    "Shop in {n} ways" for n in 1..2
      shop(p)
    "Open a card" if deck is not empty
      open_card(p)

action shop(p) "Shop"
  choose any thing in Thing as things "Buy what?"
  pay sum(price(thing) for thing in things) coins
  gain count(things) bought

effect open_card(p)
  choose c in deck "Which card?"
  move c to box
  perform c.gift for p
  choose one "And then?"
    "Keep {n}" for n in 1..3 if p.coins > n
    otherwise "Nothing"

effect earn(p, n: 1..3)
  choose one "Coins or goods?"
    "Coins"
      gain n coins
    "Goods"
      gain 1 bought

score p
  "Goods"  p.bought
rank p by highest score, then shared
"""
CARDS = """
kind: Card
default: known
rows:
  - {id: small, gift: earn(1), copies: 3}
  - {id: large, gift: "earn(3), earn(2)", copies: 2}
"""


def test_choosing_nothing_an_otherwise_and_a_lone_perform_are_never_refused() -> None:
    program = checked(SHOP, tables={"cards.yaml": CARDS})
    refusing = {rule.name for rule in Analysis(program).refuses}
    assert refusing == {"open_card"}  # the deck may be empty there; what follows the choice cannot be refused


def test_the_options_stay_those_of_the_slow_evaluator() -> None:
    program = checked(SHOP, tables={"cards.yaml": CARDS})
    game = game_from_program(program)
    for seed in range(20):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


def test_a_perform_inside_a_cell_may_find_its_effect_running() -> None:
    nested = SHOP.replace("      gain n coins\n", "      gain n coins\n      if deck is not empty\n        again(p)\n")
    nested += "\neffect again(p)\n  let c = top of deck\n  if c is not none\n    perform c.gift for p\n"
    assert "again" in {rule.name for rule in Analysis(checked(nested, tables={"cards.yaml": CARDS})).refuses}


UNTOLD = """
table
  fame: 0..9
each player
  coins: 0..9
play
  turn(seat1)
phase turn(p)
  choose n in 1..3 "Which?"
  requires n > fame "too little"
  p.coins = n
  requires p.coins > 1 "too poor"
after p.coins rises when fame > 1
  p.coins = 0
"""


def test_what_cannot_be_told_is_named_by_its_line() -> None:
    [site] = game_from_program(checked(UNTOLD, 2)).meta.sites
    assert site.trial == "its conditions cannot tell in every case (toy.rules:12)"


SHELVES = """
map hall is grid 1 by 3
  node Space
kind Card
  copies 2
each Space
  shelf: slot of Card open
table
  tired: flag
setup
  for s in Space
    pick c in Card where c in box if possible
      move c to s.shelf
play
  turn(seat1)
phase turn(p)
  choose s in Space where not (s.shelf is empty and tired) "Which shelf do you clear?"
  move s.shelf to box
"""


def test_a_shelf_that_is_empty_while_nobody_is_tired_is_not_offered() -> None:
    program = checked(SHELVES)
    state = game_from_program(program).new(1)
    assert [str(option) for option in state.decision.options] == ["space 1 1", "space 1 2"]
    assert lock_step(game_from_program(program).new(1), SlowGame(program), 1, random.Random(1).randrange) is None


CAMPS = """
enum Colour = red | blue
map land is line of 4
  node Spot
kind Card
  copies 2 for each rank: 1..3, colour: Colour
each Spot
  owner: player?
each player
  hand: pool of Card open
  feud[Colour]: 0..3 = 1
setup
  move 6 c in Card by lowest c.rank to seat1.hand
  move all c in Card where c in box to seat2.hand
play
  in turn p from seat1 until no s in Spot has s.owner is none
    turn(p)
value is_at_war(p, k: Colour): flag = p.feud[k] > 0 and some c in p.hand has c.colour == k
phase turn(p)
  choose s in Spot where s.owner is none "Where to?"
  s.owner = p
  while some k in Colour has is_at_war(p, k) at most 2 times
    choose x in Colour where is_at_war(p, x) "Which war first?"
    p.feud[x] -= 1
  while count(c in p.hand where c.rank > 1) > 2 at most 5 times
    choose d in p.hand where d.rank > 1 "Which one goes?"
    move d to box
  choose any t in p.hand as sent such that (every y in sent has y.rank == 1) and count(sent) < 4
  move sent to box
"""
OTHERWISE = {
    "as it is": ("turn", "turn", False),
    "another condition": ("choose x in Colour where is_at", "choose x in Colour where not is_at", True),
    "another set": ("choose d in p.hand", "choose d in rival(p).hand", True),
    "none will do": ("count(c in p.hand where c.rank > 1) > 2", "count(c in p.hand where c.rank > 1) >= 0", True),
    "changed between": ("    choose x in", "    p.feud[red] = 0\n    choose x in", True),
    "not none": ("count(sent) < 4", "count(sent) > 0", True),
    "one way is enough": ("count(sent) < 4", "count(sent) < 4 or count(sent) > 5", False),
}


@pytest.mark.parametrize("case", OTHERWISE)
def test_what_was_just_asked_for_is_there_and_nothing_may_be_enough(case: str) -> None:
    old, new, refuses = OTHERWISE[case]
    program = checked(CAMPS.replace(old, new))
    first = game_from_program(program).meta.sites[0]
    assert bool(first.trial_branches) == refuses


def test_the_options_behind_such_questions_are_those_of_the_slow_evaluator() -> None:
    program = checked(CAMPS)
    game = game_from_program(program)
    for seed in range(20):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None
