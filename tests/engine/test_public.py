"""All that a state tells by the public API is the same on native states, at every decision of some games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.test_equality import load_in_python, native

GAMES = [("kuhn_poker", 2), ("pikit", 2), ("liars_dice", 3)]

# What a person, a table, a bot or a learner may ask. `decision` and what ends a game come below.
ASKED: dict[str, Callable[[Any, int], Any]] = {
    "view": lambda state, seat: state.view(seat),
    "observation": lambda state, seat: state.observation(seat),
    "information": lambda state, seat: state.information(seat),
    "log": lambda state, seat: state.log(seat),
    "world": lambda state, seat: state.determinize(seat, 4).to_json(),
    "copy": lambda state, seat: state.clone().to_json(),
    "playout": lambda state, seat: state.playout(seat).to_json(),
    "save": lambda state, seat: state.game.from_json(state.to_json()).to_json(),
    "path": lambda state, seat: [str(part) for part in state.path],
    "history": lambda state, seat: list(state.history),
    "scores": lambda state, seat: state.scores,
    "score lines": lambda state, seat: [str(line) for line in state.score_lines],
    "undo": lambda state, seat: state.undo_horizon,
}
OF_A_DECISION: dict[str, Callable[[Any], Any]] = {
    "player": lambda decision: decision.player,
    "prompt": lambda decision: decision.prompt,
    "labels": lambda decision: [str(option) for option in decision.options],
    "codes": lambda decision: [int(option) for option in decision.options],
    "found": lambda decision: int(decision.find(str(decision.options[0]))),
    "why not": lambda decision: str(decision.why_not(str(decision.options[-1]))),
}
AT_THE_END = ("ranking", "returns", "winners", "reason", "scores", "history")


@pytest.mark.parametrize(("name", "players"), GAMES, ids=[name for name, _ in GAMES])
def test_native_states_tell_what_pythons_tell(name: str, players: int) -> None:
    ours, theirs, choose = native(name, players).new(3), load_in_python(name, players).new(3), random.Random(3)
    while not theirs.over:
        for what, ask in OF_A_DECISION.items():
            assert ask(ours.decision) == ask(theirs.decision), what
        seat = choose.randrange(players)
        for what, ask_of in ASKED.items():
            assert ask_of(ours, seat) == ask_of(theirs, seat), what
        index = choose.randrange(len(theirs.decision.options))
        ours.apply(index)
        theirs.apply(index)
    assert ours.over
    for part in AT_THE_END:
        assert getattr(ours, part) == getattr(theirs, part), part


def test_a_wrong_choice_is_answered_alike() -> None:
    told = []
    for state in (native("tic_tac_toe", 2).new(), load_in_python("tic_tac_toe", 2).new()):
        for choice in (9, -10, "nowhere", 10**12):
            with pytest.raises(Exception) as caught:
                state.apply(choice)  # type: ignore[arg-type]
            told.append((type(caught.value), str(caught.value)))
    assert told[: len(told) // 2] == told[len(told) // 2 :]
