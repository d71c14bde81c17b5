"""Random small rulesets play the same in Python, in C, and as far as it can in the slow evaluator: the same options,
courses, states and ends from the same seeds, and where a ruleset runs into a fault, the same fault after the same
choices.

    python -m tests.differential.test_random_rules FIRST COUNT          more of them; tells which differ
    python -m tests.differential.test_random_rules FIRST COUNT boards   of those over a board
    python -m tests.differential.test_random_rules FIRST COUNT cells    of those with calls in tables
    python -m tests.differential.test_random_rules FIRST COUNT supposing   of those with refusals behind stores
    python -m tests.differential.test_random_rules FIRST COUNT leaving     of those that are left on the way
    python -m tests.differential.test_random_rules FIRST COUNT mixed       with hooks, orders and results as well
    python -m tests.differential.test_random_rules FIRST COUNT wide        with all that the language has
    python -m tests.differential.test_random_rules FIRST COUNT wide slow   the same without C: ten times as many an hour
"""

from __future__ import annotations

import dataclasses
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.compile.load import compile_program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.native.engine import Engine
from interpreter.native.game import NativeGame
from interpreter.native.library import load_library
from interpreter.native.make import c_of
from interpreter.native.unavailable import NativeUnavailable
from interpreter.ruleset.gathered import Limits
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game
from tests.differential import random_boards, random_cells, random_wide
from tests.differential.lock_step import lock_step, played_alike
from tests.differential.random_rules import leaving, mixed, ruleset
from tests.differential.slow_evaluator import SlowGame
from tests.engine.playouts import quick_build, same_end
from tests.toys import gather_text

EVERYDAY = 7  # rulesets of a normal run, each compiled by a C compiler
LIMITS = (Limits(), Limits(), Limits(), Limits(steps=60), Limits(trial_steps=9), Limits(options=3))


TABLES = {random_cells.ruleset: random_cells.tables, random_wide.ruleset: random_wide.tables}


def program_of(seed: int, rules: Callable[[int], str] = ruleset) -> Program | None:
    """The checked program of that seed; None if the checker refuses it."""
    found = Diagnostics()
    tables = TABLES[rules](seed) if rules in TABLES else {}
    seats = random_wide.seats(seed) if rules is random_wide.ruleset else 2
    program = check(gather_text(rules(seed), tables, seats, found), found)
    if program is None or found.has_errors:
        return None
    return dataclasses.replace(program, limits=LIMITS[seed % len(LIMITS)])


def native_game(program: Program) -> NativeGame:
    """The game in C, compiled as quickly as can be. Raises NativeUnavailable."""
    source = c_of(program).source
    compiled = compile_program(program)
    game = NativeGame(compiled, None, states_native=True)
    game.use(Engine(load_library(quick_build(source, "random")), compiled.meta))
    return game


def compare(seed: int, rules: Callable[[int], str] = ruleset) -> str:
    """Plays a ruleset in all ways. Says what became of it: refused, python only, faulty, same."""
    program = program_of(seed, rules)
    return "refused" if program is None else compare_program(program, seed)


def compare_slowly(seed: int, rules: Callable[[int], str]) -> str:
    """Plays a ruleset in Python and in the slow evaluator alone, within the usual limits."""
    program = program_of(seed, rules)
    if program is None:
        return "refused"
    program = dataclasses.replace(program, limits=Limits())
    return "faulty" if _slow_agrees(program, Game(compile_program(program)), seed) else "same"


def compare_program(program: Program, seed: int) -> str:
    """The same for a program that the checker took."""
    reference = Game(compile_program(program))
    faulty = _slow_agrees(program, reference, seed)
    try:
        compiled = native_game(program)
    except NativeUnavailable:
        return "python only"
    for number in range(6):
        faulty |= _same_choices(compiled, reference, number)
        faulty |= same_end(compiled, reference, number)
    return "faulty" if faulty else "same"


def _slow_agrees(program: Program, reference: Game, seed: int) -> bool:
    """True if it ran into a fault. One game of two has decisions with a single option."""
    if program.limits != Limits():
        return False
    faulty = False
    for number in range(2):
        slow = SlowGame(program, auto=number % 2 == 0)
        differs, fault = played_alike(reference, slow, number, 60, 40_000)
        assert differs is None, (seed, differs)
        faulty |= fault
    return faulty


def _begun(game: Any, seed: int) -> tuple[Any, str]:
    try:
        return game.untracked(seed), ""
    except Fault as fault:
        return None, fault.diagnostic.code


def _same_choices(compiled: NativeGame, reference: Game, seed: int) -> bool:
    """Choice by choice: options, positions, work, faults. True if it came to a fault."""
    choose = random.Random(seed)
    ours, told = _begun(compiled, seed)
    theirs, also = _begun(reference, seed)
    assert told == also, (seed, told, also)
    if theirs is None:
        return True
    for _ in range(80):
        assert (ours.over, ours.f, ours.p, ours.at, ours.g) == (theirs.over, theirs.f, theirs.p, theirs.at, theirs.g)
        if theirs.over:
            assert (ours.scores, ours.ranking) == (theirs.scores, theirs.ranking)
            return False
        assert (ours.opts, ours.site, ours.who, ours.steps) == (theirs.opts, theirs.site, theirs.who, theirs.steps)
        index = choose.randrange(len(theirs.opts))
        faults = [_fault_of(state, index) for state in (ours, theirs)]
        assert faults[0] == faults[1], faults
        if faults[0]:
            return True
    return False


def _fault_of(state: Any, index: int) -> tuple[str, Any]:
    try:
        state.apply(index)
    except Fault as fault:
        return fault.diagnostic.code, fault.place
    return ()  # type: ignore[return-value]


def test_random_rulesets_play_the_same(is_long: bool) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    outcomes = Counter(compare(seed) for seed in range(400 if is_long else EVERYDAY))
    assert outcomes["same"] + outcomes["faulty"] > sum(outcomes.values()) // 2, outcomes
    assert outcomes["same"] > 0, outcomes


def test_random_boards_play_the_same(is_long: bool) -> None:
    """Filters over cells, which are masks in C. Seed 3 has a tight limit of steps."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    outcomes = Counter(compare(seed, random_boards.ruleset) for seed in range(400 if is_long else 3))
    assert not outcomes["python only"] and outcomes["same"] > sum(outcomes.values()) // 2, outcomes


def test_random_cells_play_the_same(is_long: bool) -> None:
    """Cells with several calls, sets as arguments, parameters of free actions."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    outcomes = Counter(compare(seed, random_cells.ruleset) for seed in range(400 if is_long else 3))
    assert not outcomes["python only"] and not outcomes["refused"], outcomes
    assert outcomes["same"] > 0, outcomes


def test_random_refusals_behind_stores_play_the_same(is_long: bool) -> None:
    """What is asked as if fields were set and pieces moved, without a trial."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    outcomes = Counter(compare(seed, random_boards.supposing) for seed in range(400 if is_long else 3))
    assert not outcomes["python only"] and outcomes["same"] > sum(outcomes.values()) // 2, outcomes


def test_random_rules_that_are_left_play_the_same(is_long: bool) -> None:
    """`done` and `stop` before chance, where a look ahead ends that does not leave before it."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    outcomes = Counter(compare(seed, leaving) for seed in range(400 if is_long else 3))
    assert not outcomes["python only"] and outcomes["same"] > 0, outcomes


def test_random_rules_of_all_sorts_play_the_same(is_long: bool) -> None:
    """Calls that may be possible, results, hooks, orders, full places: most of them in Python alone."""
    for seed in range(3000 if is_long else 120):
        program = program_of(seed, mixed)
        if program is not None:
            _slow_agrees(program, Game(compile_program(program)), seed)
    if shutil.which("cc") is not None:
        outcomes = Counter(compare(seed, mixed) for seed in range(400 if is_long else 3))
        assert not outcomes["python only"], outcomes


def test_random_rules_over_the_whole_language_play_the_same(is_long: bool) -> None:
    """Cells, currencies, secrets, free actions, hooks on changes, slots, histories: also with single options asked, and
    going on from saves."""
    outcomes = Counter(compare_slowly(seed, random_wide.ruleset) for seed in range(3000 if is_long else 40))
    assert outcomes["refused"] < sum(outcomes.values()) // 8, outcomes
    assert outcomes["same"] > sum(outcomes.values()) // 4, outcomes
    if shutil.which("cc") is not None:
        outcomes = Counter(compare(seed, random_wide.ruleset) for seed in range(400 if is_long else 3))
        assert outcomes["python only"] <= sum(outcomes.values()) // 4, outcomes


KINDS = {
    "": ruleset,
    "leaving": leaving,
    "mixed": mixed,
    "boards": random_boards.ruleset,
    "cells": random_cells.ruleset,
    "supposing": random_boards.supposing,
    "wide": random_wide.ruleset,
}


PICKED_FROM_A_PILE = """
kind Card
  copies 1 for each rank: 1..6
table
  deck: pile of Card open
  round: 0..9
each player
  hand: hand of Card open
setup
  move all c in Card to deck
  shuffle deck
play
  in turn p from seat1 until round == 2
    round += 1
    turn(p)
phase turn(p)
  pick c in deck at random
  move c to p.hand
  choose n in 1..2 "How many?"
"""


def test_a_pile_is_picked_from_in_its_order() -> None:
    """Which piece a draw of the generator stands for: in a pile by how it lies, also in the slow evaluator."""
    program = check(gather_text(PICKED_FROM_A_PILE, {}, 2, Diagnostics()), Diagnostics())
    assert program is not None
    for seed in range(4):
        state = Game(compile_program(program)).new(seed)
        assert lock_step(state, SlowGame(program), seed, random.Random(seed).randrange) is None


def main(first: int, count: int, kind: str, slow: bool) -> None:
    rules = KINDS[kind]
    outcomes: Counter[str] = Counter()
    began = time.process_time()
    for seed in range(first, first + count):
        try:
            outcomes[compare_slowly(seed, rules) if slow else compare(seed, rules)] += 1
        except Exception as problem:
            print(f"--- {seed}: {type(problem).__name__} {str(problem)[:600]}")
            outcomes["differs"] += 1
    print(dict(outcomes), f"{time.process_time() - began:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if sys.argv[3:] else "", sys.argv[4:] == ["slow"])
