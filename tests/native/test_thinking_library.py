"""A game that is asked for by name waits for a library that plays; what thinks is compiled when a bot first does."""

from __future__ import annotations

import random
from typing import Any

import pytest

import interpreter as rw
from interpreter.native import make
from interpreter.native.game import NativeGame
from interpreter.native.unavailable import NativeUnavailable


@pytest.fixture(autouse=True)
def quickly(real_compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_OPTIMISE", "0")


def native(name: str) -> NativeGame:
    game = rw.load(name, 2, backend="native")
    assert isinstance(game, NativeGame) and game.engine is not None, getattr(game, "reason", "")
    return game


def same_choices(game: NativeGame, name: str, bot: str, seed: int = 3) -> None:
    """A bot chooses the same in both, at decisions of a random game."""
    ours: Any
    ours, theirs, choose = game.new(seed), rw.load(name, 2, backend="python").new(seed), random.Random(seed)
    for number in range(4):
        if theirs.over:
            return
        chosen = [rw.bot(bot).choose(state, number).index for state in (ours, theirs)]
        assert chosen[0] == chosen[1]
        index = choose.randrange(len(theirs.opts))
        ours, theirs = ours.apply(index), theirs.apply(index)


@pytest.mark.parametrize("name", ["nim", "kuhn_poker"])  # without and with secrets
def test_it_is_made_for_the_first_thought(name: str) -> None:
    game = native(name)
    game.playouts(0, 20)
    assert make.found(name, 2) is None, "nobody thinks yet"
    for bot in ("mcts:20", "flat:10", "greedy"):
        same_choices(game, name, bot)
    whole = make.found(name, 2)
    assert whole is not None and game.engine is not None and game.engine.library.path != whole
    assert native(name).engine.library.path == whole, "what thinks plays as well"  # type: ignore[union-attr]


def test_without_it_python_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = native("nim"), []

    def full(*args: Any, **named: Any) -> Any:
        asked.append(args)
        raise NativeUnavailable("the disk is full", passing=True)

    monkeypatch.setattr(make, "made", full)
    same_choices(game, "nim", "mcts:20")
    assert len(asked) == 1, "nobody waits for it twice"
    assert game.playouts(0, 5)[1] > 0
