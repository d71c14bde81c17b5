"""Which rules are turns and rounds, read from `play`."""

from __future__ import annotations

import pytest

from interpreter.compile.course import Course, course_of
from interpreter.compile.load import compile_program
from interpreter.study.watch import Watch, counting_game
from tests.toy_games import checked

HEAD = """
table
  left: 0..20 = 6
phase turn(p)
  left -= 1
phase other(p)
  left -= 1
effect income(p)
  left += 0
phase round_of_play
  in turn p from seat1 until left <= 2
    turn(p)
phase for_all
  for p in players
    turn(p)
"""

CASES = {
    "in turn": ("in turn p from seat1 until left == 0\n    turn(p)", Course(("turn",))),
    "the first call is the turn": (
        "in turn p from seat1 until left <= 1\n    turn(p)\n    other(p)",
        Course(("turn",)),
    ),
    "each branch has its own": (
        "in turn p from seat1 until left == 0\n    if p == seat1\n      turn(p)\n    else\n      other(p)",
        Course(("turn", "other")),
    ),
    "a rule in a loop is a round": ("repeat 2 times\n    round_of_play", Course(("turn",), ("round_of_play",))),
    "a rule that runs once is none": ("round_of_play", Course(("turn",))),
    "for each player, again and again": ("repeat 2 times\n    for_all", Course(("turn",), ("for_all",))),
    "an income is no turn": ("repeat 2 times\n    for p in players\n      income(p)", Course()),
    "nobody in particular": ("left = 0", Course()),
}


@pytest.mark.parametrize("case", CASES, ids=CASES)
def test_turns_and_rounds(case: str) -> None:
    play, course = CASES[case]
    assert course_of(checked(HEAD + "play\n  " + play + "\n")) == course


def test_a_question_that_is_asked_again_is_one_turn() -> None:
    """Calls of a rule that begins with a question skip its first segment, unless that counts."""
    rules = """
table
  left: 0..9 = 6
play
  in turn p from seat1 until left == 0
    turn(p)
phase turn(p)
  repeat 3 times
    choose one "Which?"
      "This"
        left -= 1
      "That"
        left -= 1
"""
    game = counting_game(compile_program(checked(rules), counted="begins"))
    row, _ = Watch(game, ["random"] * 2).row(1, closely=False)
    assert (row.turns, row.rounds, row.decisions) == (2, 1, 6)
