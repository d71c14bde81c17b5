"""Things paid out of a secret place: the payer says which, and nobody else learns it."""

from __future__ import annotations

import random

from tests.toy_games import toy_game


def test_the_payer_tells_unequal_things_apart() -> None:
    asked = 0
    state, rng = toy_game("stacks:1").new(3), random.Random(3)
    while not state.over:
        asked += {str(option) for option in state.decision.options} == {"Gem sun", "Gem moon"}
        state.apply(rng.choice(list(state.decision.options)))
    assert asked


def test_others_do_not_read_in_the_log_what_was_paid() -> None:
    for seed in range(6):
        state, rng = toy_game("stacks:1").new(seed), random.Random(seed)
        while not state.over:
            state.apply(rng.choice(list(state.decision.options)))
        for reader in range(2):
            others = [line for line in state.log(reader) if not line.startswith(f"seat{reader + 1}")]
            assert not [line for line in others if "Gem sun" in line or "Gem moon" in line]
