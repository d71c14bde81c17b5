"""Playing leaves no garbage in cycles: what is not needed any more goes at once, and not when Python looks for it."""

from __future__ import annotations

import gc
import random

import pytest

from interpreter.runtime.faults import Refused
from tests.toy_games import toy_game


@pytest.mark.parametrize("name", ["histories:1", "effects:135", "payments:171"])
def test_trials_that_are_refused_leave_nothing(name: str) -> None:
    game, refused = toy_game(name), 0
    game.new(0)
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for seed in range(3):
            state, choose = game.new(seed), random.Random(seed)
            for _ in range(60):
                if state.over:
                    break
                refused += isinstance(state.tried.reason, Refused)
                state.apply(choose.randrange(len(state.opts)))
        assert refused
        del state
        assert gc.collect() == 0
    finally:
        if was_on:
            gc.enable()
