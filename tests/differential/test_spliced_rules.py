"""Rulesets spliced from others (`spliced_rules`) are refused in words, or play the same in every engine, keep every
invariant, and tell no secret.

    python -m tests.differential.test_spliced_rules FIRST COUNT             more of them; tells what went wrong
    python -m tests.differential.test_spliced_rules FIRST COUNT python      without a C compiler: many more a minute
    python -m tests.differential.test_spliced_rules SEED text               the text of one
"""

from __future__ import annotations

import random
import shutil
import sys
import time
import traceback
from collections import Counter
from typing import Any

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.compile.load import compile_program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game
from interpreter.runtime.invariants import first_problem
from interpreter.study import deep_knowledge
from interpreter.syntax.parse import parse_rules
from tests.differential.spliced_rules import Spliced, spliced
from tests.differential.test_random_rules import compare_program
from tests.toys import gather_text

EVERYDAY = 30  # rulesets of a normal run, played in Python
COMPILED = 3  # of those that the checker takes, each compiled by a C compiler
GAMES, DECISIONS = 3, 40


def program_of(one: Spliced) -> Program | None:
    """The checked program; None if the text cannot be read or the checker refuses it."""
    found = Diagnostics()
    if parse_rules(Source("spliced.rules", one.rules), found) is None or found.has_errors:
        return None
    program = check(gather_text(one.rules, one.tables, one.players, found), found)
    return None if found.has_errors else program


def played(program: Program) -> str:
    """Plays random games in Python and looks at every position: `played`, or `faulty` if the rules ran into a fault."""
    game = Game(compile_program(program))
    try:
        for seed in range(GAMES):
            _looked_at(game, seed)
    except Fault:
        return "faulty"
    return "played"


def _looked_at(game: Game, seed: int) -> None:
    choose, state = random.Random(seed), game.new(seed=seed)
    for number in range(DECISIONS):
        problem = first_problem(state)
        assert problem is None, problem
        if state.over:
            return
        if game.meta.has_secrets:
            for player in range(game.meta.players):
                told = deep_knowledge.compare(state, player, 31 * seed + number).told
                assert told is None, (told.what, told.place, told.worlds)
        state.apply(choose.randrange(len(state.opts)))


def outcome_of(seed: int, in_c: bool) -> str:
    program = program_of(spliced(seed))
    if program is None:
        return "refused"
    became = played(program)
    return compare_program(program, 0) if in_c and became == "played" else became


def test_spliced_rulesets_keep_what_must_hold(is_long: bool) -> None:
    outcomes = Counter(outcome_of(seed, in_c=False) for seed in range(2000 if is_long else EVERYDAY))
    assert outcomes["played"] > sum(outcomes.values()) // 5, outcomes


def test_spliced_rulesets_play_the_same_in_c(is_long: bool) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    wanted = 400 if is_long else COMPILED
    outcomes: Counter[str] = Counter()
    for seed in range(10_000, 10_000 + 10 * wanted):
        outcomes[outcome_of(seed, in_c=True)] += 1
        if outcomes["same"] == wanted:
            return
    pytest.fail(f"too few could be compared: {outcomes}")


def main(first: int, count: int, in_c: bool) -> None:
    outcomes: Counter[str] = Counter()
    seen: set[str] = set()
    began = time.process_time()
    for seed in range(first, first + count):
        try:
            outcomes[outcome_of(seed, in_c)] += 1
        except Exception as problem:
            outcomes["wrong"] += 1
            _tell(seed, problem, seen)
    print(dict(outcomes), f"{time.process_time() - began:.1f} s")


def _tell(seed: int, problem: Any, seen: set[str]) -> None:
    """A problem with the place where it was raised; one that was told before in a line."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
    told = f"--- {seed} ({spliced(seed).of}): {type(problem).__name__} at {where}: {str(problem)[:500]}"
    print(told if where not in seen else told[:150], flush=True)
    seen.add(where)


if __name__ == "__main__":
    if sys.argv[2] == "text":
        print(spliced(int(sys.argv[1])).rules)
    else:
        main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] != ["python"])
