"""What the conditions say can be carried through is what a trial finds, at every decision of random games.

Both are at hand at run time: the test that the compiler made of the rules, and the trial it stands in for. Here each
option is put to both. A test may be unsure; it may not be wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from interpreter.runtime import trials
from tests.every_ruleset import every_game, game_id, loaded

Said = list[tuple[str, bool]]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    """Every answer of a test is compared with the trial; noted are the decisions that it answered for."""
    noted: Said = []
    offered = trials._is_offered

    def both(machine: Any, S: Any, described: Any, test: Any, option: Any, who: int, budget: list[int]) -> bool:
        by_test = offered(machine, S, described, test, option, who, [10_000])
        by_trial = offered(machine, S, described, None, option, who, [10_000])
        where = f"{described.rule} at {described.place}, {option}"
        assert by_test == by_trial, f"{where}: by its test {by_test}, on trial {by_trial}"
        noted.append((where, by_test))
        return by_trial

    monkeypatch.setattr(trials, "_is_offered", both)
    yield noted


@pytest.mark.parametrize("game", every_game(False), ids=game_id)
def test_tests_agree_with_trials(game: tuple[str, int], compared: Said, pytestconfig: pytest.Config) -> None:
    played = loaded(*game)
    rng = random.Random(7)
    decisions = 4000 if pytestconfig.getoption("--long") else 150
    seed = 0
    while decisions > 0:
        state = played.new(seed)
        seed += 1
        while not state.over and decisions > 0:
            state.apply(rng.randrange(len(state.decision.options)))
            decisions -= 1
