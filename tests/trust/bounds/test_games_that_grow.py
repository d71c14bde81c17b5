"""Games with a very large state are stopped before what is kept of their decisions fills the memory."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.runtime import machine
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """table
  n[1..90000]: 0..9
play
  in turn p from seat1 until no
    turn(p)
phase turn(p)
  choose k in 1..2 "Which?"
  n[k] = 1
"""


def test_what_is_kept_of_decisions_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MOST_KEPT", 950_000)
    game = game_from_program(checked(RULES, 2))
    state = game.new(seed=1)
    for _ in range(8):
        state.apply(0)
        assert state.log(0)
    with pytest.raises(rw.Fault) as caught:
        for _ in range(3):
            state.apply(0).log(0)
    assert caught.value.diagnostic.code == "R0915" and caught.value.rule == "turn"


def test_copies_go_on_from_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MOST_KEPT", 950_000)
    state = game_from_program(checked(RULES, 2)).new(seed=1)
    for _ in range(9):
        state = state.clone().apply(1)
        state.log(0)
    with pytest.raises(rw.Fault):
        state.clone().apply(1).log(0)
    assert state.log(0), "the game stands where it stood"


def test_what_happens_between_decisions_is_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MOST_KEPT", 200_000)
    rules = """kind Card
  copies 1 for each n: 1..500
each player
  hand: hand of Card secret
setup
  for c in Card
    move c to seat1.hand
play
  in turn p from seat1 until no
    turn(p)
phase turn(p)
  choose k in 1..2 "?"
  for i in 1..10
    pass hand left
"""
    state = game_from_program(checked(rules, 2)).new(seed=1)
    with pytest.raises(rw.Fault) as caught:
        for _ in range(6):
            state.apply(0).log(0)
    assert caught.value.diagnostic.code == "R0915"
