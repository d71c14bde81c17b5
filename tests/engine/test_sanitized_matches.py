"""Whole games of bots in C under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import hashlib

import pytest

import interpreter as rw
from interpreter.compile.c.module import Emitted
from interpreter.compile.load import checked_program
from interpreter.native import make
from interpreter.native.build import build_library
from interpreter.native.engine import Engine
from interpreter.native.export import whole_source
from interpreter.native.library import load_library
from interpreter.native.make import MATCHES, SEARCH, c_of
from interpreter.native.matches import described, why_in_python
from interpreter.native.unavailable import NativeUnavailable
from interpreter.play.bots import compiled_sight
from interpreter.play.bots.node import MOST_SLOTS
from interpreter.runtime.game import Game
from interpreter.study.thinking_games import native_matches
from tests.engine.playouts import optimised, quick_library
from tests.engine.test_sanitized import FLAGS, run_sanitized, what_it_said
from tests.engine.test_toys import both_of
from tests.knowledge.test_tiny_games import GAMES as TINY
from tests.toy_games import checked

EVERYDAY = ("leduc_poker",)
TINY_GAMES = [
    "set_such_that", "paid_unseen", "forced_first", "secret_choice", "rolled_again", "armed_blocks", "two_blocks",
    "raised_piece", "orders_for_copies",
    "laid_bids", "noted_card", "hidden_gift", "drawn_and_named", "laid_in_order", "turned_die", "written_by_chance",
    "counted_hand", "paid_face_down", "raised_together", "noted_together", "laid_and_doubted", "shown_then_gone",
]  # fmt: skip
SEEDS = 6
PROGRAM = """
#include <stdio.h>
static int play(Ctx *C, const int32_t *described, int32_t size) {
    RwMatch *X = rwx_match(described, size);
    int32_t n = 0;
    if (X == NULL) return 2;
    if (rwx_match(described, size - 1) != NULL) return 3; /* one is missing */
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        if (rwx_match_begin(C, X, seed) != RW_STOP || rwx_match_play(C, X, INT32_MAX) != RW_STOP) printf("-1 ");
        else rwx_match_choices(X, &n), printf("%d ", n);
    }
    rwx_match_free(X);
    return 0;
}

int main(void) {
    Ctx *C = rwx_context();
    if (C == NULL) return 4;
    int wrong = play(C, DESCRIBED_0, sizeof DESCRIBED_0 / sizeof DESCRIBED_0[0]);
    if (!wrong) wrong = play(C, DESCRIBED_1, sizeof DESCRIBED_1 / sizeof DESCRIBED_1[0]);
    rwx_free_context(C);
    return wrong;
}
"""


SEATS = (["greedy"], ["mcts:24", "flat:12"])
RULESETS = [
    "pikit", "kikai", "leduc_poker", "spring_bouquet", "kalah", "backgammon", "flatiron", "branch_lines", "liars_dice",
    "estate_sale", "market_garden",
]  # fmt: skip


@pytest.mark.parametrize("name", RULESETS)
def test_games_of_bots_under_sanitizers(name: str, is_long: bool) -> None:
    if name not in EVERYDAY and not is_long:
        pytest.skip("compiling with sanitizers takes long")
    game = rw.load(name)
    if why := why_in_python(game, ["greedy"] * game.players):
        pytest.skip(why)
    with optimised(is_shipped=False):
        engine = Engine(load_library(make.made(name, game.players, counted="knowledge")), game.meta)
    plays_the_same(engine, game, c_of(checked_program(name, game.players), "knowledge"))


@pytest.mark.parametrize("name", TINY_GAMES)
def test_tiny_games_of_bots_under_sanitizers(name: str, is_long: bool) -> None:
    """Sets and payments that others picked, numbers that somebody does not see, what is chosen at the same time, what
    rules work out from secrets."""
    if not is_long:
        pytest.skip("compiling with sanitizers takes long")
    program = checked(TINY[name].read_text(encoding="utf-8"))
    _, game = both_of(program)
    engine = Engine(load_library(quick_library(program, "knowledge")), game.meta)
    plays_the_same(engine, game, c_of(program, "knowledge"))


def plays_the_same(engine: Engine, game: Game, emitted: Emitted) -> None:
    """Games are as long as those of the library, and no sanitizer has anything to say."""
    head, lengths = f"#define SEEDS {SEEDS}\n", []
    for number, kinds in enumerate(SEATS):
        bots = (kinds * game.players)[: game.players]
        matches = native_matches(engine, game, bots)
        for seed in range(SEEDS):
            found = matches.choices(seed)
            lengths.append("-1" if found is None else str(len(found)))
        told = described(engine, game, bots, compiled_sight.described(game), MOST_SLOTS)
        head += f"static const int32_t DESCRIBED_{number}[] = {{{', '.join(map(str, told))}}};\n"
    source = whole_source(emitted.source + SEARCH + MATCHES) + head + PROGRAM
    try:
        built = build_library(
            source, "sanitized", hashlib.sha256(source.encode()).hexdigest(), flags=FLAGS, kind="executable"
        )
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem
        pytest.skip(str(problem))
    done = run_sanitized(built)
    assert (done.returncode, done.stdout.split()) == (0, lengths), what_it_said(done)
