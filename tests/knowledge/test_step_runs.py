"""A step of the game is run once for all worlds that have the same in what it looked at (`runtime/steps.py`).

Each time a kept run is used, the step is run again in that very world: the same must come of it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from interpreter.runtime.game import game_from_program
from interpreter.runtime.steps import Step
from tests.toy_games import checked

GAMES = Path(__file__).parent / "games"
WITH_STEPS = (
    "best_picked",
    "laid_in_order",
    "running_total",
    "ship_on_grid",
    "spent_gold",
    "unseen_ways",
    "lowest_put_aside",
)


@pytest.mark.parametrize("name", WITH_STEPS)
def test_a_kept_run_is_what_the_step_gives_in_that_world(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = Step.result
    kept: list[bool] = []

    def compared(self: Step, renamings: Any, shifts: Any) -> Any:
        before = sum(map(len, self.runs.values()))
        found = result(self, renamings, shifts)
        if sum(map(len, self.runs.values())) == before:
            runs, self.runs = self.runs, {}
            kept.append(result(self, renamings, shifts) == found)
            self.runs = runs
        return found

    monkeypatch.setattr(Step, "result", compared)
    game = game_from_program(checked((GAMES / f"{name}.rules").read_text(encoding="utf-8")))
    chance = random.Random(5)
    for seed in range(3):
        state = game.new(seed=seed)
        while not state.over:
            for player in range(game.players):
                state.determinize(player, seed)
            decision = state.decision
            assert decision is not None
            state.apply(chance.randrange(len(decision.options)))
    assert len(kept) > 20 and all(kept)
