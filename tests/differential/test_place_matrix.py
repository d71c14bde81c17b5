"""Statements that move or show pieces, with every shape of place (`place_matrix`): what the checker takes is the same
game in Python, in C and in the slow evaluator, and keeps every invariant.

    python -m tests.differential.test_place_matrix PATTERN        those whose text matches; tells what became of each
"""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections import defaultdict
from typing import Any

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.compile.load import compile_program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game
from interpreter.runtime.invariants import first_problem
from tests.differential.lock_step import lock_step
from tests.differential.place_matrix import rules_with, statements
from tests.differential.slow_evaluator import SlowGame
from tests.differential.test_random_rules import compare_program
from tests.toys import gather_text

SETTINGS: tuple[dict[str, Any], ...] = ({}, {"hooks": True}, {"seen": "secret"}, {"drops": True, "hooks": True})
TOGETHER = 12  # statements in one ruleset of a normal run: most of the time goes into checking and compiling
EVERYDAY, COMPILED = 10, 3  # rulesets of a normal run


def program_of(chosen: list[str], settings: dict[str, Any]) -> Program | None:
    found = Diagnostics()
    program = check(gather_text(rules_with(chosen, **settings), {}, 3, found), found)
    return None if found.has_errors else program


def taken(chosen: list[str], settings: dict[str, Any]) -> list[str]:
    """Those that the checker takes beside the ones before: a card laid face down makes another choice a leak."""
    kept: list[str] = []
    for statement in chosen:
        if program_of([*kept, statement], settings) is not None:
            kept.append(statement)
    return kept


def what_is_wrong(program: Program, games: int = 6) -> str | None:
    """The first difference from the slow evaluator, or the first invariant that does not hold."""
    game = Game(compile_program(program))
    for seed in range(games):
        choose, state = random.Random(seed), game.new(seed=seed)
        while not state.over:
            problem = first_problem(state)
            if problem is not None:
                return str(problem)
            try:
                state.apply(choose.randrange(len(state.opts)))
            except Fault as fault:
                return f"{fault.diagnostic.code}: {fault.diagnostic.headline}"
        differs = lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange, 40, 60_000)
        if differs is not None:
            return differs
    return None


def chosen_for(number: int) -> tuple[list[str], dict[str, Any]]:
    """Some of all statements, other ones for each number."""
    return random.Random(number).sample(list(statements()), TOGETHER), SETTINGS[number % len(SETTINGS)]


@pytest.mark.parametrize("number", range(EVERYDAY))
def test_pieces_lie_where_the_slow_evaluator_says(number: int) -> None:
    chosen, settings = chosen_for(number)
    program = program_of(taken(chosen, settings), settings)
    assert program is not None
    wrong = what_is_wrong(program)
    assert wrong is None, (wrong, chosen, settings)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
@pytest.mark.parametrize("number", range(100, 100 + COMPILED))
def test_pieces_lie_in_c_where_they_lie_in_python(number: int) -> None:
    chosen, settings = chosen_for(number)
    program = program_of(taken(chosen, settings), settings)
    assert program is not None
    assert compare_program(program, 0) in ("same", "faulty"), (chosen, settings)


def main(pattern: str) -> None:
    for settings in SETTINGS:
        became: dict[str, list[str]] = defaultdict(list)
        for statement in statements():
            if re.search(pattern, statement):
                program = program_of([statement], settings)
                became["refused" if program is None else str(what_is_wrong(program, 3))].append(statement)
        for outcome, which in became.items():
            print(settings, len(which), outcome[:200], which[:5])


if __name__ == "__main__":
    main(sys.argv[1])
