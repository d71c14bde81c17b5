"""`column[n]` is taken from its place: looking for it in the whole pile, position by position, took quadratic time."""

from __future__ import annotations

import re

from interpreter.compile.passes import lower_program
from interpreter.compile.show import show_ir
from tests.toy_games import toy_game, toy_program


def test_a_pile_is_not_searched_for_its_third_piece() -> None:
    shown = show_ir(lower_program(toy_program("in_place:1")))
    run = re.search(r"^pure value_is_run.*?\n\n", shown, re.MULTILINE | re.DOTALL)
    assert run is not None and "[(k__" in run.group() and "position(" not in run.group()


def test_games_of_columns_play_to_their_end() -> None:
    game = toy_game("in_place:1")
    for seed in range(20):
        assert game.playout(seed).over
