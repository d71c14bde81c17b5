"""A playout in C beside the same one in Python, faults included, for which `game.playout` would ask Python again."""

from __future__ import annotations

import ctypes
import hashlib
import random
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interpreter.check.program import Program
from interpreter.compile.ways import Counted
from interpreter.native.build import build_library
from interpreter.native.engine import HISTORY, STOP
from interpreter.native.game import NativeGame
from interpreter.native.make import made_of_program
from interpreter.native.state import NativeState
from interpreter.native.toolchain import FLAGS, zig_path
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game

# The same C without optimisation, where it is played for seconds only. Base games and the gallery are compiled with the
# flags and the compiler that users get.
QUICK = tuple("-O0" if flag.startswith("-O") else flag for flag in FLAGS)
DEAD_END = 701  # a refusal that nothing caught


@contextmanager
def quickly() -> Iterator[None]:
    """Libraries are made by the compiler that is fastest without optimisation: ziglang's takes two fifths of the time
    of gcc, and understands the same C."""
    zig = zig_path()
    with pytest.MonkeyPatch.context() as patch:
        if zig is not None:
            patch.setenv("RULEWRIGHT_CC", f"{shlex.quote(str(zig))} cc")
        yield


@contextmanager
def optimised(is_shipped: bool) -> Iterator[None]:
    """Libraries are made with the flags and by the compiler that users get, or quickly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_OPTIMISE", "" if is_shipped else "0")
        if is_shipped:
            yield
        else:
            with quickly():
                yield


def quick_library(program: Program, counted: Counted = "") -> Path:
    """The library of a program without files, with all that `made_of_program` has."""
    with quickly():
        return made_of_program(program, QUICK, counted=counted)


def quick_build(source: str, name: str) -> Path:
    """The library of a C source."""
    with quickly():
        return build_library(source, name, hashlib.sha256(source.encode()).hexdigest(), flags=QUICK)


def same_end(compiled: NativeGame, reference: Game, seed: int) -> bool:
    """The same history to the end of the game, or to the same fault after as many choices; whether it was a fault."""
    engine = compiled.require_engine()
    context, native = engine.context, NativeState(compiled, engine, engine.state(), seed, True)
    signal = engine.playout(context.address, native.native, seed, context.story, HISTORY, context.noted)
    noted = context.noted_numbers()
    told = (ctypes.c_int64 * 4)()
    engine.function("rwx_trouble", None, "address", "address")(context.address, ctypes.addressof(told))
    try:
        state = reference.playout(seed)
    except Fault as fault:
        assert signal != STOP, fault
        assert (told[0] or DEAD_END, noted // 2) == (int(fault.diagnostic.code[1:]), fault.step)
        return True
    assert signal == STOP, told[0]
    assert context.history[:noted].tolist() == [int(number) for number in state.h]
    return False


def same_work(compiled: NativeGame, reference: Game, seed: int, choices: int = 60) -> int:
    """The same counts of work at each decision of a random game, to its end or to a fault that both meet, by the same
    choice; how many decisions were compared. Single options are decisions too if the seed is odd."""
    choose, auto = random.Random(seed), seed % 2 == 0
    try:
        theirs = reference.untracked(seed, auto)
    except Fault:
        with pytest.raises(Fault):
            compiled.untracked(seed, auto)
        return 0
    ours = compiled.untracked(seed, auto)
    assert isinstance(ours, NativeState)
    for decision in range(choices):
        assert ours.steps == theirs.steps
        if theirs.over:
            return decision
        index, native = choose.randrange(len(theirs.opts)), ours.native
        try:
            theirs.apply(index)
        except Fault:
            with pytest.raises(Fault):
                ours.apply(index)
            return decision
        ours.apply(index)
        assert ours.native == native, "C met a fault that Python did not meet"  # and went on from Python's position
    return choices
