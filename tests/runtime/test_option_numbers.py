"""An option is one number: which branch and values it stands for, and how it is known in saves of older versions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interpreter.compile.meta import FREE, PASS
from interpreter.runtime.game import game_from_program
from tests.runtime.small_table import site
from tests.toy_games import TOYS, checked, toy_game

TWO_VALUES = site("one", (), (("number", -2, 5), ("piece", 0, 7)), (("player", 0, 3),))


def test_numbers_are_dense_and_tell_branch_and_values() -> None:
    made = [(0, ()), *((1, (n, p)) for n in range(-2, 3) for p in range(7)), *((2, (seat,)) for seat in range(3))]
    assert [TWO_VALUES.option_of(branch, values) for branch, values in made] == list(range(1 + 35 + 3))
    assert [TWO_VALUES.values_of(number) for number in range(1 + 35 + 3)] == made


def test_passing_and_free_actions_stand_for_no_branch() -> None:
    assert [TWO_VALUES.values_of(number) for number in (PASS, FREE, FREE - 3)] == [None, None, None]


NEGATIVE = """
each player
  total: -90..90
play
  turn(seat1)
phase turn(p)
  repeat 2 times
    choose n in -2..2 where n != 0 "How much?"
    p.total += n
  choose up to 2 n in -1..1 as some "Which?"
  for n in some ordered by p
    p.total = p.total * 2 + n
score p
  "Total" p.total
rank p by highest score
"""


def test_a_value_that_may_be_negative_is_chosen_by_its_own_name() -> None:
    state = game_from_program(checked(NEGATIVE)).new(seed=1)
    assert [str(option) for option in state.decision.options] == ["-2", "-1", "1", "2"]
    for label in ("-2", "1", "-1", "1"):
        state.apply(state.decision.find(label))
    assert [str(option) for option in state.decision.options] == ["-1", "1"]
    state.apply(state.decision.find("1"))
    assert state.over and state.scores == [(-1 * 2 + 1) * 2 - 1, 0]


@pytest.mark.parametrize("name", TOYS)
def test_a_save_with_options_written_out_is_still_read(name: str) -> None:
    """Saves used to hold none for passing, a bare value, or a branch with its values."""
    game = toy_game(name)
    state = game.new(seed=5)
    for step in range(12):
        if state.over:
            break
        state.apply(step % len(state.decision.options))
    saved = json.loads(state.to_json())
    del saved["state"]["options"]
    saved["state"]["h"] = [_written_out(game, saved["state"]["h"], at) for at in range(len(saved["state"]["h"]))]
    if saved["state"]["apart"] is None:
        assert game.from_json(json.dumps(saved)).same_as(state)


def _written_out(game: Any, history: list[int], at: int) -> Any:
    number = history[at]
    if at % 2 == 0:
        return number
    site = game.meta.sites[history[at - 1]]
    if number <= FREE:
        return [-1, FREE - number]
    found = site.values_of(number)
    if found is None:
        return None
    return found[1][0] if site.values_only else [found[0], *found[1]]
