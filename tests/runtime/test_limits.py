"""Every limit is met by the shortest toy that meets it; every fault speaks of the rules: place, rule, stack, step."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import interpreter as rw
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

ENDLESS = 'play\n  in turn p from seat1\n    choose n in 1..2 "Which?"\n'

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
    assert fault.place is not None and fault.place[:2] == ("toy.rules", 10)


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


def test_a_trial_that_runs_out_of_its_budget_offers_the_option() -> None:
    """What cannot be foreseen is offered; going on then shows the dead end."""
    game = limited(AHEAD, trial_steps=10)
    assert len(game.new().decision.options) == 2 and game.machine.exhausted > 0
    assert fault_of(game).diagnostic.code == "R0701"


# ---------------------------------------------------------------------------- faults


RANGE = """
table
  round: 1..3
play
  in turn p from seat1
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
