"""What a preview says comes true.

`certain` stops where chance falls, where somebody is asked, or where the rules look at something hidden. Where it came
to the next decision, taking the option must give just what was foreseen. Where it stopped before, it must have seen the
same in every world that the player thinks possible.
"""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from interpreter.runtime.certain import Foresight, Outcome
from interpreter.web.scene import scene_of
from tests.web.scene.played import positions

NAMES = (
    "connect_four", "kalah", "breakthrough", "kikai", "pikit", "flatiron", "kiwi_chow_down", "hearts", "backgammon",
    "market_garden",
)  # fmt: skip


def outcomes(state: rw.State) -> list[Outcome | None]:
    foresight = Foresight(state)
    return [foresight.outcome(raw) for raw in state.opts]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_foreseen_to_the_next_decision_comes_true(name: str) -> None:
    game = rw.load(name)
    for state in positions(game, 6, 60, 7):
        if state.over:
            continue
        for index, outcome in enumerate(outcomes(state)):
            if outcome is None or not outcome.is_complete:
                continue
            after = _taken(state, index)
            if after is not None:
                assert {offset: int(after.f[offset]) for offset in outcome.fields} == {
                    offset: int(now) for offset, (_, now) in outcome.fields.items()
                }
                assert {piece: after.at[piece] for piece in outcome.moves} == {
                    piece: now for piece, (_, now) in outcome.moves.items()
                }


def _taken(state: rw.State, index: int) -> Any:
    """The state after a choice, if nothing was chosen by itself after it and no chance fell."""
    after: Any = state.clone()
    after.auto = False
    after.apply(index)
    return after


@pytest.mark.parametrize("name", ("pikit", "hearts", "flatiron", "kiwi_chow_down", "market_garden"))
def test_the_same_is_foreseen_in_every_world(name: str) -> None:
    game = rw.load(name)
    for state in positions(game, 9, 60, 9):
        if state.over:
            continue
        here = scene_of(game, state, state.who)["decision"]
        for seed in range(2):
            world = state.determinize(state.who, seed)
            assert scene_of(game, world, state.who)["decision"]["options"] == here["options"]


def test_a_disc_falls_where_the_preview_shows_it() -> None:
    game = rw.load("connect_four")
    options = scene_of(game, game.new().apply(2).apply(2), 0)["decision"]["options"]
    assert options[2]["touches"] == ["n.cell_3_3"]
    assert options[2]["preview"] == {
        "counters": [{"id": "discs[3]", "from": 2, "to": 3}],
        "moves": [],
        "owners": [{"id": "n.cell_3_3", "seat": 0}],
        "dice": [],
    }


def test_chance_is_not_foreseen() -> None:
    """Rolling again in Pig may end the turn; what is certain of it is nothing."""
    game = rw.load("pig")
    state = game.new(seed=1)
    options = {option["label"]: option for option in scene_of(game, state, state.who)["decision"]["options"]}
    assert all(option["preview"] is None for label, option in options.items() if "oll" in label)


def test_nothing_is_drawn_from_a_hidden_deck_in_a_preview() -> None:
    """A card that a choice would turn over stays unknown: the preview ends before."""
    game = rw.load("pikit")
    for state in positions(game, 3, 60, 4):
        if state.over:
            continue
        for option in scene_of(game, state, state.who)["decision"]["options"]:
            assert all(move["from"] != "deck" for move in (option["preview"] or {"moves": ()})["moves"])
