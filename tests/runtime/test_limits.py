"""Every limit is met by the shortest toy that meets it; every fault speaks of the rules: place, rule, stack, step."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.diagnostics.render import render
from interpreter.ruleset.gathered import Limits
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

SPIN = """
table
  n: 0..1
play
  turn(seat1)
phase turn(p)
  choose k in 1..2 "Which?"
  spin(p)
effect spin(p)
  while n < 1 at most 999999 times
    n = 0
"""

DEEP = """
play
  turn(seat1)
phase turn(p)
  again(p)
effect again(p) depth 3
  choose k in 1..2 "Deeper?"
  again(p)
"""

CHAIN = """
kind Card from cards.yaml
  act: effect
table
  line_of_cards: row of Card open
setup
  move all c in Card to line_of_cards
play
  turn(seat1)
phase turn(p)
  again(p)
effect again(p) "Again"
  choose c in line_of_cards "Which card?"
  perform c.act for p
effect rest(p) "Rest"
  say "{p} rests"
"""
CARDS = "rows:\n" + "".join(f"  - {{id: c{n}, act: again}}\n" for n in range(5)) + "  - {id: z, act: rest}\n"

MANY = 'play\n  turn(seat1)\nphase turn(p)\n  choose a in 1..20, b in 1..20 "Which?"\n'

ENDLESS = 'play\n  in turn p from seat1 until no\n    choose n in 1..2 "Which?"\n'

AHEAD = """
each player
  coins: 0..9
play
  turn(seat1)
phase turn(p)
  choose n in 1..2 "Which?"
  for m in 1..50
    choose k in 1..2 "And?"
  requires p.coins > 0 "never"
"""


def limited(rules: str, tables: dict[str, str] | None = None, **limits: int) -> rw.Game:
    return game_from_program(dataclasses.replace(checked(rules, 2, tables), limits=Limits(**limits)))


def play_first(state: rw.State) -> rw.State:
    while not state.over:
        state.apply(0)
    return state


def fault_of(game: rw.Game, play: Any = None) -> rw.Fault:
    with pytest.raises(rw.Fault) as caught:
        (play or (lambda: play_first(game.new(seed=3))))()
    return caught.value


def test_steps_between_decisions() -> None:
    fault = fault_of(limited(SPIN, steps=500))
    assert fault.diagnostic.code == "R0903" and fault.rule == "turn" and fault.step == 1
    assert fault.diagnostic.help is not None and "`limits: {steps: …}`" in fault.diagnostic.help
    assert fault.place is not None and fault.place[:2] == ("toy.rules", 10)


WAITING = """
table
  n: 0..1
play
  seat1 chooses k in 1..2 "Which?"
  in turn p from seat1 until n > 0
    turn(p)
phase turn(p)
  choose one
    "Wait"
    "Win" if n > 0
      n = 1
"""


def test_a_round_in_which_nobody_can_decide_is_told_at_its_loop() -> None:
    fault = fault_of(limited(WAITING, steps=500))
    assert fault.diagnostic.code == "R0903" and fault.place == ("toy.rules", 6, 3)
    assert fault.diagnostic.help is not None and fault.diagnostic.help.startswith("nobody could decide for 500 steps")
    assert fault.step == 1


def test_steps_in_a_playout() -> None:
    game = limited(SPIN, steps=500)
    assert fault_of(game, lambda: game.playout(1)).diagnostic.code == "R0903"


def test_the_depth_of_a_rule() -> None:
    fault = fault_of(limited(DEEP))
    assert fault.diagnostic.code == "R0904" and "more than 3 times" in fault.diagnostic.headline
    assert fault.stack.count("again") == 4 and fault.step == 3


def test_frames() -> None:
    fault = fault_of(limited(CHAIN, {"cards.yaml": CARDS}, frames=8))
    assert fault.diagnostic.code == "R0904" and "8 deep" in fault.diagnostic.headline
    assert play_first(limited(CHAIN, {"cards.yaml": CARDS}, frames=40).new()).over


def test_options() -> None:
    fault = fault_of(limited(MANY, options=399))
    assert fault.diagnostic.code == "R0905" and fault.step == 0
    assert len(limited(MANY, options=400).new().decision.options) == 400


@pytest.mark.parametrize("fast", [True, False])
def test_decisions_of_a_game(fast: bool) -> None:
    game = limited(ENDLESS, decisions=30)
    fault = fault_of(game, (lambda: game.playout(1)) if fast else None)
    assert fault.diagnostic.code == "R0906"
    assert fast or fault.step == 31
    assert fault.diagnostic.headline == f"the game has not ended after {fault.step} decisions"


def test_a_trial_that_runs_out_of_its_budget_offers_the_option() -> None:
    """What cannot be foreseen is offered; going on then shows the dead end."""
    game = limited(AHEAD, trial_steps=10)
    state = game.new()
    assert len(state.decision.options) == 2 and state.tried.exhausted > 0
    assert fault_of(game).diagnostic.code == "R0701"


# ---------------------------------------------------------------------------- faults


RANGE = """
table
  round: 1..3
play
  in turn p from seat1 until no
    turn(p)
phase turn(p)
  choose n in 1..2 "How far?"
  advance(p, n)
effect advance(p, n: 1..2)                                        @T-01
  round += n
"""


def test_a_number_out_of_range_is_told_with_its_line_and_the_rules_that_run() -> None:
    fault = fault_of(limited(RANGE))
    assert fault.diagnostic.code == "R0901"
    assert fault.diagnostic.headline == "`round` would be 4, outside 1..3"
    assert fault.place == ("toy.rules", 11, 3)
    assert fault.stack == ("play", "turn") and fault.seed == 3 and fault.step == 3
    told = render(fault.diagnostic)
    assert "error[R0901]" in told and "toy.rules:11:3" in told
    assert "running: play > turn" in told and "seed 3, after 3 decisions" in told


USES = """
chart track(n: 1..4): 0..90 = 10, 20, 30, 40
chart field(n: 1..4, m: 2..3): 0..90 = (10, 20), (30, 40), (50, 60), (70, 80)
table
  n: -9..9
  row_of[1..4]: 0..9
  shelf: slots(4) of Stone open
  dice: 2 dice of 1..6
each player
  coins: 0..99
kind Stone
  copies 2
setup
  n = NUMBER
play
  turn(seat1)
phase turn(p)
  choose k in 1..2 "Which?"
  USE
value whole(k: 1..4): 0..90 = track(k)
effect earn(p, k: 1..4)
  p.coins += k
after earn(p, k) when row_of[1] + whole(1) + field(1, 2) + dice[1].face > 99 and shelf[1] is empty
  p.coins = 0
"""


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("use", "told"),
    [
        ("p.coins = track(n)", "`n` of the chart `track` is {}, outside 1..4"),
        ("p.coins = field(n, 2)", "`n` of the chart `field` is {}, outside 1..4"),
        ("p.coins = field(2, n)", "`m` of the chart `field` is {}, outside 2..3"),
        ("p.coins = row_of[n]", "the index of `row_of` is {}, outside 1..4"),
        ("row_of[n] += 3", "the index of `row_of` is {}, outside 1..4"),
        ("row_of[n] = 3", "the index of `row_of` is {}, outside 1..4"),
        ("if shelf[n] is empty\n    gain 1 coins", "the index of `shelf` is {}, outside 1..4"),
        ("p.coins = dice[n].face", "the index of `dice` is {}, outside 1..2"),
        ("p.coins = whole(n)", "`k` of `whole` is {}, outside 1..4"),
        ("earn(p, n)", "`k` of `earn` is {}, outside 1..4"),
        ("seat(n) gains 1 coins", "the number of a seat is {}, outside 1..2"),
    ],
)
def test_an_argument_or_index_out_of_range(use: str, told: str, fast: bool) -> None:
    """Never another row or cell, which a negative number would find, and never an error of Python."""
    for number in (-1, 0, 5):
        rules = USES.replace("USE", use).replace("NUMBER", str(number))
        game = limited(rules if "earn(p, n)" in use else rules + "after turn(p)\n  earn(p, 1)\n")
        fault = fault_of(game, (lambda game=game: game.playout(1)) if fast else None)
        assert (fault.diagnostic.code, fault.diagnostic.headline) == ("R0907", told.format(number))
        assert fault.place is not None and fault.place[:2] == ("toy.rules", 19) and fault.rule == "turn"


def test_what_surely_fits_is_not_tested() -> None:
    """The interval is known from the range, from a comparison, or from a set."""
    use = "if n in 1..4\n    earn(p, n)\n  if n > 0 and n < 5\n    p.coins = track(n) + row_of[n]"
    rules = USES.replace("USE", use).replace("NUMBER", "3")
    assert "fitting(" not in compile_program(checked(rules)).source
    assert "fitting(" in compile_program(checked(rules.replace("in 1..4", "in 1..5"))).source


def test_a_dead_end_names_the_requirement() -> None:
    rules = """
each player
  coins: 0..9
play
  turn(seat1)
phase turn(p)
  toll(p)
effect toll(p)
  requires p.coins > 0 "a coin is needed"
"""
    fault = fault_of(limited(rules))
    assert fault.diagnostic.code == "R0701" and fault.diagnostic.headline == "a dead end: a coin is needed"
    assert fault.place == ("toy.rules", 9, 3)


def test_nothing_to_choose_is_a_dead_end() -> None:
    rules = "play\n  turn(seat1)\nphase turn(p)\n  choose n in 1..3 where n > count(players) + 1\n"
    fault = fault_of(limited(rules))
    assert fault.diagnostic.code == "R0701" and fault.place is not None and fault.place[:2] == ("toy.rules", 4)
    assert fault.diagnostic.notes[-1] == (
        "the option that comes furthest fails: `n > count(players) + 1` does not hold, toy.rules:4"
    )


def test_a_dead_end_says_what_is_empty() -> None:
    rules = "each player\n  hand: hand of Card open\nkind Card\n  copies 2\n"
    rules += "play\n  turn(seat1)\nphase turn(p)\n  choose c in p.hand\n  move c to box\n"
    fault = fault_of(limited(rules))
    assert (
        fault.diagnostic.notes[-1] == "the option that comes furthest fails: there is nothing in `p.hand`, toy.rules:8"
    )


@pytest.mark.parametrize("fast", [True, False])
def test_a_dead_end_says_what_refuses_the_option_that_comes_furthest(fast: bool) -> None:
    rules = """
kind Card
  copies 3
table
  spare: slot of Card open
  aside: pool of Card open
setup
  move 1 c in Card where c in box to spare
play
  turn(seat1)
phase turn(p)
  choose one "Which card?"
    "Never" if count(aside) > 0
      gain 0 coins
    "Take {c}" for c in Card where c in box
      move c to spare
each player
  coins: 0..9
"""
    game = limited(rules)
    fault = fault_of(game, (lambda: game.playout(1)) if fast else None)
    assert fault.diagnostic.notes[-1] == "the option that comes furthest fails: there is no room for it, toy.rules:16"


def test_an_automa_is_asked() -> None:
    rules = 'seat 2 is automa robot\nplay\n  turn(seat2)\nphase turn(p)\n  choose n in 1..3 "Which?"\n'
    assert fault_of(limited(rules)).diagnostic.code == "R0703"
    taking = limited(rules.replace("automa robot", "automa robot taking first options"))
    assert taking.new().over


def test_a_piece_moved_into_itself() -> None:
    rules = """
kind Cart
  copies 2
each Cart
  load: pile of Cart open
play
  turn(seat1)
phase turn(p)
  choose a in Cart, b in Cart "What, where to?"
  move a to b.load
"""
    game = limited(rules)
    fault = fault_of(game, lambda: game.new().apply(0))
    assert fault.diagnostic.code == "R0902" and fault.place == ("toy.rules", 10, 3)
    assert game.new().apply(1).over


def test_a_fault_met_while_looking_ahead_does_not_hide_the_option() -> None:
    rules = """
table
  round: 1..3
each player
  coins: 0..9
play
  turn(seat1)
phase turn(p)
  choose n in 1..3 "How far?"
  round += n
  requires p.coins == 0 "no"
"""
    game = limited(rules)
    assert len(game.new().decision.options) == 3
    assert fault_of(game, lambda: game.new().apply(2)).diagnostic.code == "R0901"
