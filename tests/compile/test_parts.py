"""Parts of questions: each offers what the whole question offers in that line, and where the lines of a question have
to do with one another it has no parts."""

from __future__ import annotations

import random
from typing import Any

import pytest

import interpreter as rw
from interpreter.compile.meta import POSED
from interpreter.compile.parts import parts_of_questions
from interpreter.compile.passes import lower_program, prepared
from interpreter.runtime import questions
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import game_from_program
from interpreter.runtime.questions import asked_again
from tests.knowledge.histories import GAMES, tiny_game
from tests.toy_games import TOYS, checked, toy_game

GAME = """
kind Card
  copies 2 for each suit: 1..2, rank: 1..4
table
  deck: pile of Card hidden
  row: row of Card open
each player
  hand: hand of Card secret
  coins: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 4 from deck to p.hand
  draw 2 from deck to row
play
  repeat 6 times
    for p in players
      lay(p)
phase lay(p)
"""
LINES = """  choose one
    "Pair of {n}" for n in 1..4 if count(c in p.hand where c.rank == n) == 2
      gain up to 1 coins
    "Lay {c}" for c in p.hand
      move c to row
"""
QUESTIONS = {
    "two lines": (LINES, {0, 1}),
    "a line that is always there": (LINES + '    "Nothing"\n      lose up to 1 coins\n', {0, 1, 2, POSED}),
    "a line in place of all others": (LINES + '    otherwise "Nothing"\n      lose up to 1 coins\n', {0, 1, POSED}),
    "a single line": ("  choose c in p.hand if possible\n    move c to row\n", set()),
    "what may be left": ('  may "Lay {c}" for c in p.hand\n    move c to row\n', set()),
    "lines that are tried": (
        LINES + '    "Buy {c}" for c in row\n      move c to p.hand\n      choose d in row where d.suit != c.suit\n'
        "      pay d.rank coins\n",
        set(),
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_a_part_for_each_line_that_can_be_asked_alone(name: str) -> None:
    question, expected = QUESTIONS[name]
    unit = lower_program(checked(GAME + question))
    ways, _ = prepared(unit)
    assert {branch for _, _, branch in parts_of_questions(unit, ways["playout"])} == expected


def test_a_part_offers_what_the_question_offers_in_that_line() -> None:
    compared = sum(_compared(game_from_program(checked(GAME + question))) for question, _ in QUESTIONS.values())
    assert compared > 200


@pytest.mark.parametrize("name", TOYS)
def test_parts_of_toy_games_offer_what_their_questions_do(name: str) -> None:
    _compared(toy_game(name))


@pytest.mark.parametrize("name", GAMES)
def test_parts_of_tiny_games_offer_what_their_questions_do(name: str) -> None:
    _compared(tiny_game(name))


def test_worlds_ask_the_line_that_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def counting(T: Any, branch: int | None = None) -> Any:
        asked.append(branch)
        return asked_again(T, branch)

    monkeypatch.setattr(questions, "asked_again", counting)
    state = game_from_program(checked(GAME + QUESTIONS["a line in place of all others"][0])).new(seed=1)
    for _ in range(6):
        last = state.decision.options[-1]  # a card is laid
        state.apply(last)
    for seed in range(5):
        state.determinize(state.who, seed)
    assert set(asked) == {1}


def _compared(game: rw.Game) -> int:
    """How many parts were asked in some random games."""
    compared = 0
    if not game.new(seed=0).machine.parts:
        return compared
    for seed in range(4):
        choose = random.Random(seed)
        state = game.new(seed=seed)
        try:
            for _ in range(60):
                if state.over:
                    break
                compared += _compared_here(state)
                state.apply(choose.randrange(len(state.decision.options)))
        except Fault:
            pass  # some toys are there to show them
    return compared


def _compared_here(state: rw.State) -> int:
    segment, site = state.k[-1][0], state.meta.sites[state.site]
    branches = [branch for number, branch in state.machine.parts if number == segment]
    for branch in branches:
        posed, options = asked_again(state.fork())
        part_posed, part = asked_again(state.fork(), branch)
        if branch == POSED:
            assert posed and part_posed
            continue
        expected = [option for option in options if option >= 0 and site.branch_of(option) == branch] if posed else []
        found = [option for option in part if option >= 0] if part_posed else []
        assert found == expected, (segment, branch)
    return len(branches)
