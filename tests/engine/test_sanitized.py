"""All games under the address and undefined-behaviour sanitizers: nothing reads or writes outside what it has."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.compile.load import checked_program
from interpreter.native.build import build_library
from interpreter.native.export import whole_source
from interpreter.native.make import SEARCH, c_of
from interpreter.native.unavailable import NativeUnavailable
from interpreter.play.bots.compiled_sight import described
from tests.toy_games import toy_program

EVERYDAY = (("othello", 2), ("kuhn_poker", 2), ("pikit", 2))
FLAGS = (
    "-std=c11", "-O0", "-g1", "-w", "-fwrapv", "-fno-math-errno",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DRW_CHECKED",  # masks are what the fields say
    # Without optimisation a square root is a call, and libraries named before the source are dropped unless kept.
    *(("-Wl,--no-as-needed",) if sys.platform == "linux" else ()), "-lm",
)  # fmt: skip
PROGRAM = """
#include <stdio.h>
/* The pending decision with pieces exchanged, as worlds ask it; and what is no renaming is refused. */
static int ask_of_worlds(Ctx *C, const State *S, int32_t *room, int32_t size) {
    /* Slots hold pieces. Which cells of the stack do, only Python knows: see `where_names_stand`. */
    static const int32_t told[] = {1, 0, RW_SLOTS, 1, 0, 0, RW_PIECES, 0, 0};
    static const int32_t outside[] = {1, 0, RW_SLOTS, 1, 0, 0, RW_PIECES, 0, 1, INT32_MAX};
    for (int32_t turned = 0; turned < 5; turned++) { /* pieces change places within their kinds */
        for (int32_t i = 0; i < KINDS[0]; i++) {
            const int32_t first = KINDS[1 + 2 * i], count = KINDS[2 + 2 * i];
            for (int32_t n = 0; n < count; n++) room[first + n] = first + (n + turned) %% count;
        }
        room[RW_PIECES] = 0;
        rwx_asked(C, S, told, room, size);
    }
    for (int32_t i = 0; i < RW_PIECES; i++) room[i] = 0;
    if (RW_PIECES > 1 && rwx_asked(C, S, told, room, size) != RW_UNKNOWN) return 0;
    for (int32_t i = 0; i < RW_PIECES; i++) room[i] = i;
    room[RW_PIECES] = 0;
    if (rwx_asked(C, S, outside, room, size) != RW_UNKNOWN) return 0;
    room[RW_PIECES] = size;
    return rwx_asked(C, S, told, room, size) == RW_UNKNOWN;
}
/* A few games stepped together, with choices from outside and at random, and what is seen of them. */
static int batch_along(Ctx *C) {
    enum { GAMES = 5, STEPS = 12 };
    int32_t who[GAMES], site[GAMES], count[GAMES], length[GAMES], choices[GAMES], at, room = GAMES * 20000;
    int64_t first[2][GAMES];
    uint8_t ended[GAMES];
    double rewards[GAMES * RW_PLAYERS];
    int32_t *options[2] = {malloc(sizeof(int32_t) * room), malloc(sizeof(int32_t) * room)};
    int32_t *seen = malloc(sizeof(int32_t) * GAMES * rwx_observation_size());
    RwBatch B = {GAMES, room, 1, rwx_state_size(), malloc(GAMES * rwx_state_size()), who, site, count, first[0],
                 options[0], options[1], first[1], rewards, ended, length};
    int fine = rwx_batch_begin(C, &B) == RW_STOP;
    for (int step = 0; fine && step < STEPS; step++) {
        for (int game = 0; game < GAMES; game++) choices[game] = count[game] - 1;
        fine = rwx_batch_step(C, &B, choices, &at) == RW_STOP;
        if (fine) fine = rwx_batch_random(C, &B, step, step) == step * GAMES;
        rwx_batch_observe(&B, seen);
    }
    free(options[0]);
    free(options[1]);
    free(seen);
    free(B.games);
    return fine;
}
/* A search at every decision: tree, kept tree, flat, one look. Worlds are the game itself. */
static int search_along(Ctx *C, uint64_t seed, int32_t simulations, int32_t cut) {
    State *S = rwx_state(), *out = rwx_state();
    double looks[1 + RW_FALLS * (RW_RANK_KEYS + 2)];
    int32_t *options = calloc(RW_OPTION_LIMIT + 1, sizeof *options);
    int32_t *indexes = calloc(RW_OPTION_LIMIT + 1, sizeof *indexes);
    int32_t *asked = calloc(RW_PIECES + RW_OPTION_LIMIT + 16, sizeof *asked);
    RwSearch *kept = NULL;
    for (int32_t i = 0; i <= RW_OPTION_LIMIT; i++) indexes[i] = i;
    if (rwx_new(C, S, seed, 1) != RW_STOP) return 4;
    for (int step = 0; step < 12 && !rwx_over(S); step++) {
        if (!ask_of_worlds(C, S, asked, RW_PIECES + RW_OPTION_LIMIT + 16)) return 12;
        int32_t n = rwx_options(C, S, options, RW_OPTION_LIMIT), node = RW_NO_NODE, slot = 0;
        if (kept != NULL) {
            slot = rw_best_slot(&kept->tree, &kept->tree.nodes[kept->root]);
            rwx_search_foresee(C, kept, slot, out);
            node = rwx_search_after(C, kept, S, slot);
            if (node == RW_NO_NODE) node = rwx_search_next(kept, slot);
        }
        int32_t worlds = node < 0 ? -1 : rwx_search_move(C, kept, node, seed, slot, indexes, n, n);
        if (worlds < 0) {
            rwx_search_free(kept);
            kept = rwx_search(DESCRIBED, sizeof DESCRIBED / sizeof DESCRIBED[0], cut, seed == 2, 400);
            if (kept == NULL || rwx_search_begin(kept, seed, S->who, n, !kept->sights.has_secrets) != RW_GO) return 5;
        }
        if (kept->nworlds == 0 && rwx_search_world(C, kept, S, options, 1) != RW_GO) return 6;
        if (rwx_search_run(C, kept, simulations) != RW_GO) return 7;
        RwSearch *flat = rwx_search(DESCRIBED, sizeof DESCRIBED / sizeof DESCRIBED[0], 0, 0, 400);
        if (flat == NULL || rwx_search_begin(flat, seed, S->who, n, 1) != RW_GO) return 8;
        if (rwx_search_world(C, flat, S, options, 1) != RW_GO || rwx_search_flat(C, flat, 8) != RW_GO) return 9;
        if (rwx_search_look(C, flat, 0, n - 1, seed, looks, sizeof looks / sizeof looks[0]) < 0) return 10;
        rwx_search_free(flat);
        slot = rw_best_slot(&kept->tree, &kept->tree.nodes[kept->root]);
        if (rwx_take(C, S, kept->worlds[0].options[slot]) != RW_STOP) return 11;
    }
    rwx_search_free(kept);
    rwx_free_state(S);
    rwx_free_state(out);
    free(options);
    free(indexes);
    free(asked);
    return 0;
}
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
    if (!batch_along(C)) return 4;
    for (uint64_t seed = 0; seed < 3; seed++) {
        int problem = search_along(C, seed, %d, seed == 1 ? 20 : 0);
        if (problem != 0) return problem;
    }
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
    state = rw.load(name, players, backend="python").new()
    kinds = [len(state.meta.kinds), *(number for kind in state.meta.kinds.values() for number in kind)]
    program = _numbers("DESCRIBED", described(state)) + _numbers("KINDS", kinds)
    program += PROGRAM % (games, steps, steps * 100)
    source = whole_source(c_of(checked_program(name, players)).source + SEARCH) + program
    try:
        built = build_library(source, name, f"sanitized {games}", flags=FLAGS, kind="executable")
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
        pytest.skip(str(problem))
    done = run_sanitized(built)
    assert done.returncode == 0, what_it_said(done)
    assert int(done.stdout) == games


def run_sanitized(program: Path) -> subprocess.CompletedProcess[str]:
    """Runs to its end. The limit is for programs that hang: on a busy machine large games take a quarter of an hour."""
    return subprocess.run([str(program)], capture_output=True, text=True, timeout=3600)


def what_it_said(done: subprocess.CompletedProcess[str]) -> str:
    """How a program ended, and its first words: there a sanitizer names the fault and its line; pages follow."""
    return f"ended with {done.returncode}: {done.stderr[:3000]}"


def _numbers(name: str, values: Iterable[int]) -> str:
    return f"static const int32_t {name}[] = {{{', '.join(map(str, values))}}};\n"


TOY_PROGRAM = """
#include <stdio.h>
int main(void) {
    Ctx *C = rwx_context();
    double returns[RW_PLAYERS] = {0};
    int64_t decisions = 0, played = rwx_playouts(C, 0, 40, returns, &decisions);
    rwx_free_context(C);
    printf("%lld\\n", (long long)played);
    return 0;
}
"""


TOYS = (
    "handed_sets:1", "images:1", "large:1", "large:33", "large:69", "narrowed:1", "numbered:1",
    "payments:171", "searches:1", "supposed:1", "supposed:43", "tallies:1",
)  # fmt: skip


@pytest.mark.parametrize("name", TOYS)
def test_large_sets_under_sanitizers(name: str, is_long: bool) -> None:
    """Sets that the context lends room for, sets as arguments, large maps; payments and tallies."""
    if not is_long:
        pytest.skip("compiling with sanitizers takes long")
    source = whole_source(c_of(toy_program(name)).source) + TOY_PROGRAM
    try:
        built = build_library(source, "toy", f"sanitized {name}", flags=FLAGS, kind="executable")
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem
        pytest.skip(str(problem))
    done = run_sanitized(built)
    assert (done.returncode, done.stdout) == (0, "40\n"), what_it_said(done)
