"""All games under the address and undefined-behaviour sanitizers: nothing reads or writes outside what it has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from interpreter.compile.load import checked_program
from interpreter.native.build import build_library
from interpreter.native.export import whole_source
from interpreter.native.make import c_of
from interpreter.native.unavailable import NativeUnavailable

EVERYDAY = (("nim", 2), ("kuhn_poker", 2), ("pikit", 2))
FLAGS = ("-std=c11", "-O1", "-g", "-w", "-fwrapv", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
PROGRAM = """
#include <stdio.h>
int main(void) {
    Ctx *C = rwx_context();
    double returns[RW_PLAYERS] = {0};
    int64_t decisions = 0, played = rwx_playouts(C, 0, %d, returns, &decisions);
    State *S = rwx_state();
    for (uint64_t seed = 0; seed < %d; seed++) { /* choice by choice: all options are worked out, and copies taken */
        uint64_t state = rw_seeded(seed);
        if (rwx_new(C, S, seed, 1) != RW_STOP) return 2;
        while (!rwx_over(S)) {
            State *copy = rwx_clone(S);
            rwx_finish(C, copy, seed, NULL, 0, NULL);
            rwx_free_state(copy);
            if (rwx_apply(C, S, (int32_t)rw_below_of(&state, S->nopts)) != RW_STOP) return 3;
        }
    }
    rwx_free_state(S);
    rwx_free_context(C);
    printf("%%lld\\n", (long long)played);
    return 0;
}
"""


def test_games_under_sanitizers(game: tuple[str, int], is_long: bool, tmp_path: Path) -> None:
    if game not in EVERYDAY and not is_long:
        pytest.skip("compiling every combination is part of the long run")
    name, players = game
    games, steps = (200, 5) if is_long else (60, 2)
    source = whole_source(c_of(checked_program(name, players)).source) + PROGRAM % (games, steps)
    try:
        built = build_library(source, name, f"sanitized {games}", flags=FLAGS, kind="executable")
    except NativeUnavailable as problem:
        pytest.skip(str(problem))
    done = subprocess.run([str(built)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) == games
