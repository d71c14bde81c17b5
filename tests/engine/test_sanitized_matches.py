"""Whole games of bots in C under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import subprocess

import pytest

import interpreter as rw
from interpreter.compile.load import checked_program
from interpreter.native import make
from interpreter.native.build import build_library
from interpreter.native.engine import Engine
from interpreter.native.export import whole_source
from interpreter.native.library import load_library
from interpreter.native.make import MATCHES, SEARCH, c_of
from interpreter.native.matches import NativeMatches, described
from interpreter.native.unavailable import NativeUnavailable
from tests.engine.test_sanitized import FLAGS

EVERYDAY = ("leduc_poker",)
SEEDS = 6
PROGRAM = """
#include <stdio.h>
int main(void) {
    Ctx *C = rwx_context();
    RwMatch *X = rwx_match(DESCRIBED, sizeof DESCRIBED / sizeof DESCRIBED[0]);
    int32_t n = 0;
    if (C == NULL || X == NULL) return 2;
    if (rwx_match(DESCRIBED, sizeof DESCRIBED / sizeof DESCRIBED[0] - 1) != NULL) return 3; /* one is missing */
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        if (rwx_match_begin(C, X, seed) != RW_STOP || rwx_match_play(C, X) != RW_STOP) printf("-1 ");
        else rwx_match_choices(X, &n), printf("%d ", n);
    }
    rwx_match_free(X);
    rwx_free_context(C);
    return 0;
}
"""


@pytest.mark.parametrize("name", ["pikit", "kikai", "leduc_poker", "spring_bouquet", "kalah", "branch_lines"])
def test_games_of_bots_under_sanitizers(name: str, is_long: bool) -> None:
    if name not in EVERYDAY and not is_long:
        pytest.skip("compiling with sanitizers takes long")
    game = rw.load(name)
    bots = ["greedy"] * game.players
    engine = Engine(load_library(make.made(name, game.players, counted="knowledge")), game.meta)
    matches = NativeMatches(engine, game, bots)
    wanted = [matches.choices(seed) for seed in range(SEEDS)]
    numbers = ", ".join(map(str, described(engine, game, bots)))
    head = f"#define SEEDS {SEEDS}\nstatic const int32_t DESCRIBED[] = {{{numbers}}};\n"
    emitted = c_of(checked_program(name, game.players), "knowledge")
    source = whole_source(emitted.source + SEARCH + MATCHES) + head + PROGRAM
    try:
        built = build_library(source, name, "sanitized matches", flags=FLAGS, kind="executable")
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem
        pytest.skip(str(problem))
    done = subprocess.run([str(built)], capture_output=True, text=True, timeout=600)
    lengths = [-1 if found is None else len(found) for found in wanted]
    assert (done.returncode, done.stdout.split()) == (0, [str(n) for n in lengths]), done.stderr[-3000:]
