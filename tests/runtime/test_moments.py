"""An option keeps the words it was offered with, also when the game has gone on."""

from __future__ import annotations

import random

import pytest

import interpreter as rw
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.listing import list_rulesets
from interpreter.runtime.state import State

STEPS = 30


@pytest.mark.parametrize("looks", [True, False], ids=["looked_at", "behind"])
@pytest.mark.parametrize("name", [game.name for game in list_rulesets(Diagnostics()) if not game.is_core])
def test_options_and_decisions_keep_their_words(name: str, looks: bool) -> None:
    state = rw.load(name).new(seed=5)
    choose = random.Random(name)
    for _ in range(STEPS):
        if state.over:
            break
        twin = state.clone()
        decision, options = state.decision, list(state.decision.options)
        if looks:
            assert decision.prompt == twin.decision.prompt
        state.apply(options[choose.randrange(len(options))])
        assert [str(option) for option in options] == [str(option) for option in twin.decision.options]
        assert [option.values for option in options] == [option.values for option in twin.decision.options]
        assert (decision.prompt, decision.path, decision.picked) == (
            twin.decision.prompt,
            twin.decision.path,
            twin.decision.picked,
        )


def test_choices_by_index_copy_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rw.load("nim").new(seed=1)
    state.apply(0)  # the first choice begins a point, with a copy
    copied: list[State] = []
    monkeypatch.setattr("interpreter.runtime.moment._kept", copied.append)
    while not state.over:
        state.apply(len(state.decision.options) - 1)
    assert copied == []
