"""One native game in several threads: each thread has buffers of its own, and plays the games that it plays alone."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from interpreter.native.game import NativeGame, load


def test_threads_play_what_they_play_alone() -> None:
    game = load("pikit", 2, backend="native")
    assert isinstance(game, NativeGame)
    if game.engine is None:
        pytest.skip(game.reason)

    def played(seed: int) -> tuple[object, ...]:
        state, choose = game.new(seed), random.Random(seed)
        while not state.over:
            copy = state.clone()
            copy.apply(choose.randrange(len(copy.opts)))
            state.apply(choose.randrange(len(state.opts)))
        return tuple(state.h), tuple(game.playout(seed).h), tuple(state.ranking)

    alone = [played(seed) for seed in range(24)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(played, range(24))) == alone
