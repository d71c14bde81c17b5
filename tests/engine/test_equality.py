"""The same seed gives the same game in Python and in C: history, position, options, scores, ranking, words, saves."""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter.native.game import NativeGame, load
from interpreter.native.state import NativeState
from interpreter.runtime.game import Game
from interpreter.runtime.game import load as load_in_python
from tests.engine.playouts import optimised

BASE = [
    ("nim", 2), ("tic_tac_toe", 2), ("connect_four", 2), ("breakthrough", 2), ("kalah", 2), ("kuhn_poker", 2),
    ("pikit", 3), ("bricolage_heads", 2), ("kikai", 2), ("flatiron", 2), ("kiwi_chow_down", 2),
]  # fmt: skip
GAMES = 8

# Each of these shows one mechanism. A library takes seconds to make, so the everyday run makes some of them, with
# trials, histories, maps, secrets and dice; `--long` makes them all (`test_every_combination`).
GALLERY = [("chess", 2), ("oware", 2), ("backgammon", 2), ("liars_dice", 3), ("branch_lines", 2)]


def native(name: str, players: int, is_shipped: bool = False) -> NativeGame:
    """Base games and the gallery are compiled with the flags that users get, and so is what asks for it; all others
    without optimisation, in less than half of the time."""
    with optimised(is_shipped or (name, players) in (*BASE, *GALLERY)):
        game = load(name, players, backend="native")
    assert isinstance(game, NativeGame)
    if game.engine is None:
        pytest.skip(game.reason)
    return game


@pytest.mark.parametrize(("name", "players"), BASE, ids=[name for name, _ in BASE])
def test_base_games(name: str, players: int) -> None:
    compiled, reference = native(name, players), load_in_python(name, players)
    for seed in range(GAMES):
        same_playout(compiled, reference, seed)
    for seed in range(2):
        same_game(compiled, reference, seed)


@pytest.mark.parametrize(("name", "players"), GALLERY, ids=[name for name, _ in GALLERY])
def test_gallery(name: str, players: int) -> None:
    compiled, reference = native(name, players), load_in_python(name, players)
    for seed in range(2):
        same_playout(compiled, reference, seed)
    same_game(compiled, reference, 5)


def test_every_combination(game: tuple[str, int], is_long: bool) -> None:
    """Variants are compiled one by one, which takes long: the everyday run has the games without variants above."""
    if not is_long:
        pytest.skip("compiling every combination is part of the long run")
    name, players = game
    compiled, reference = native(name, players, is_shipped=True), load_in_python(name, players)
    for seed in range(100):
        same_playout(compiled, reference, seed)
    for seed in range(5):
        same_game(compiled, reference, seed)


def same_playout(compiled: NativeGame, reference: Game, seed: int) -> None:
    ours, theirs = compiled.playout(seed), reference.playout(seed)
    assert isinstance(ours, NativeState)
    assert [int(number) for number in theirs.h] == ours.h
    assert (ours.ranking, ours.scores, ours.returns) == (theirs.ranking, theirs.scores, theirs.returns)
    same_position(ours, theirs)


def same_game(compiled: NativeGame, reference: Game, seed: int) -> None:
    """A game step by step, with copies, conversions, views, logs and saves on the way."""
    ours, theirs, choose = compiled.new(seed), reference.new(seed), random.Random(seed)
    assert isinstance(ours, NativeState)
    while not theirs.over:
        assert (ours.site, ours.who, ours.opts) == (theirs.site, theirs.who, theirs.opts)
        if choose.random() < 0.1:
            same_position(ours, theirs)
            copy = ours.clone()
            assert copy.opts == theirs.opts
            entered = compiled.entered(theirs)
            assert isinstance(entered, NativeState)
            assert entered.opts == theirs.opts
        if choose.random() < 0.02:
            player = choose.randrange(reference.players)
            assert ours.view(player) == theirs.view(player)
            assert ours.log(player) == theirs.log(player)
            assert [str(option) for option in ours.decision.options] == [str(o) for o in theirs.decision.options]
            assert ours.information(player) == theirs.information(player)
            assert compiled.from_json(ours.to_json()).opts == theirs.opts
        index = choose.randrange(len(theirs.opts))
        ours.apply(index)
        theirs.apply(index)
    assert ours.over
    assert (ours.ranking, ours.scores, ours.reason) == (theirs.ranking, theirs.scores, theirs.reason)
    assert ours.to_json() == theirs.to_json()


def same_position(ours: Any, theirs: Any) -> None:
    for part in ("f", "p", "at", "g", "fd", "won", "gone", "over", "together"):
        assert getattr(ours, part) == getattr(theirs, part), part
    assert [_numbers(frame) for frame in ours.k] == [_numbers(frame) for frame in theirs.k]
    assert theirs.over or _numbers(ours.picked) == _numbers(theirs.picked)


def _numbers(value: Any) -> Any:
    """Yes and no are numbers; a set may be a tuple or a range, and 0 before it is worked out."""
    if isinstance(value, tuple | list | range):
        return [_numbers(item) for item in value] or 0
    return value if isinstance(value, str) else int(value)


def test_a_copy_may_lie_where_another_one_was_dropped() -> None:
    """Memory of states that are gone is used again, and those that are still there do not notice."""
    game, reference = native("tic_tac_toe", 2), load_in_python("tic_tac_toe", 2)
    kept = [game.new(0)]
    for index in range(5):
        for _ in range(3):
            kept[-1].clone().apply(index)
        kept.append(kept[-1].clone().apply(0))
    places = {state.native for state in kept if isinstance(state, NativeState)}
    assert len(places) == len(kept)
    theirs = reference.new(0)
    for ours in kept:
        assert (ours.h, ours.opts) == (theirs.h, theirs.opts)
        same_position(ours, theirs)
        if not theirs.over:
            theirs.apply(0)
