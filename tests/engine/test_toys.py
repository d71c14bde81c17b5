"""Toy games in Python and in C, also where limits are so tight that trials run out of steps and games into faults.

A trial that has used up its steps counts as success, so which option a tight limit lets through depends on every
single step being counted at the same place in both engines.
"""

from __future__ import annotations

import dataclasses
import random
import subprocess
from pathlib import Path

import pytest

from interpreter.check.program import Program
from interpreter.compile.load import compile_program
from interpreter.native import make
from interpreter.native.build import HEADERS
from interpreter.native.engine import Engine
from interpreter.native.game import NativeGame
from interpreter.native.library import load_library
from interpreter.native.toolchain import require_compiler
from interpreter.native.unavailable import NativeUnavailable
from interpreter.ruleset.gathered import Limits
from interpreter.runtime.game import Game
from tests.engine.playouts import QUICK, quick_build, quick_library, same_end, same_work
from tests.engine.test_equality import same_playout, same_position
from tests.toy_games import LARGE, TOYS, toy_program

EVERYDAY = (
    "boards:1",
    "boards:52",
    "decisions:1",
    "effects:1",
    "effects:135",
    "decisions:285",
    "events:1",
    "free_actions:1",
    "guards:1",
    "guards:56",
    "guards:109",
    "handed_sets:1",
    "histories:1",
    "moved_out:1",
    "kinds_there:1",
    "kinds_there:39",
    "kinds_there:114",
    "large:1",
    "many_kinds:1",
    "masks:1",
    "masks:70",
    "masks:146",
    "masks:210",
    "masks:260",
    "masks:289",
    "narrowed:1",
    "numbered:1",
    "optional_reads:1",
    "payable:1",
    "payable:70",
    "payable:131",
    "payments:1",
    "payments:110",
    "payments:171",
    "payoffs:1",
    "pointing:1",
    "refills:1",
    "searches:1",
    "stopping:1",
    "supposed:1",
    "supposed:43",
    "tallies:1",
    "told_by_tables:1",
    "trails:1",
    "widths:1",
    "widths:53",
    "words:1",
)
SEARCHED = (
    "decisions:1",
    "free_actions:1",
    "optional_reads:1",
    "payments:1",
)  # in `test_search`, with the same library
TIGHT = (
    Limits(trial_steps=3),
    Limits(trial_steps=11),
    Limits(steps=15),
    Limits(frames=4),
    Limits(decisions=5),
    Limits(options=3),
    Limits(steps=60),
)
# Trials that run out of steps; rules that are nested; a segment that goes on by itself to a question beyond the limit.
TIGHT_EVERYDAY = (("decisions:38", TIGHT[0]), ("decisions:38", TIGHT[3]), ("guards:1", TIGHT[6]))


@pytest.mark.parametrize("name", [*TOYS, *LARGE])
def test_toys_play_the_same(name: str, is_long: bool) -> None:
    if name not in EVERYDAY and not is_long:
        pytest.skip("compiling every toy is part of the long run")
    compiled, reference = both(name, Limits(), searched=name in SEARCHED)
    for seed in range(30 if is_long else 10):
        same_playout(compiled, reference, seed)
    for seed in range(6 if is_long else 3):
        _same_steps(compiled, reference, seed)
        same_work(compiled, reference, seed)


@pytest.mark.parametrize("limits", TIGHT, ids=str)
@pytest.mark.parametrize("name", [*TOYS, *LARGE])
def test_tight_limits_are_met_at_the_same_step(name: str, limits: Limits, is_long: bool) -> None:
    if not is_long and (name, limits) not in TIGHT_EVERYDAY:
        pytest.skip("compiling every toy with every limit is part of the long run")
    compiled, reference = both(name, limits, searched=False)
    for seed in range(12):
        same_end(compiled, reference, seed)
        same_work(compiled, reference, seed)


def both(name: str, limits: Limits, searched: bool = True) -> tuple[NativeGame, Game]:
    """A toy with these limits, compiled and in Python."""
    return both_of(dataclasses.replace(toy_program(name), limits=limits), searched)


def both_of(program: Program, searched: bool = True) -> tuple[NativeGame, Game]:
    """The game of a program, compiled and in Python; `searched`: with what bots and worlds need."""
    compiled = compile_program(program)
    game = NativeGame(compiled, None, states_native=True)
    try:
        library = quick_library(program) if searched else library_to_play(program)
        game.use(Engine(load_library(library), compiled.meta))
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
        pytest.skip(str(problem))
    return game, Game(compiled)


def library_to_play(program: Program) -> Path:
    """The library without searches and worlds, which are half of the work. The compiler still has to understand them,
    with the sizes of this game."""
    source = make.c_of(program).source
    compiler = require_compiler()
    command = [*compiler.command, *QUICK, *compiler.machine_flags, f"-I{HEADERS}", "-fsyntax-only", "-x", "c", "-"]
    read = subprocess.run(command, input=source + make.SEARCH, capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr[-2000:]
    return quick_build(source, program.name)


def _same_steps(compiled: NativeGame, reference: Game, seed: int) -> None:
    """Step by step, single options too if the seed is odd; copies are made and asked on the way."""
    auto, choose = seed % 2 == 0, random.Random(seed)
    ours, theirs = compiled.untracked(seed, auto), reference.untracked(seed, auto)
    copies = []
    for _ in range(60):
        same_position(ours, theirs)
        if theirs.over:
            break
        assert ours.opts == theirs.opts
        copies.append((ours.clone(), list(theirs.opts)))
        index = choose.randrange(len(theirs.opts))
        ours.apply(index)
        theirs.apply(index)
    for copy, options in copies:  # another game has asked since: they are worked out again
        assert copy.opts == options
