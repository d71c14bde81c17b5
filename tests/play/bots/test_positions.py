"""States as values: equality, hash, pickles; random games from any position; returns at the end only."""

from __future__ import annotations

import pickle

import pytest

import interpreter as rw
from interpreter.runtime.chance import Generator
from tests.toy_games import toy_game

GAMES = [("nim", 2), ("kuhn_poker", 2), ("pikit", 3), ("flatiron", 2)]


def some_position(name: str, players: int, choices: int = 9) -> rw.State:
    state, generator = rw.load(name, players).new(seed=5), Generator(1)
    for _ in range(choices):
        before = state.clone()
        state.apply(generator.below(len(state.decision.options)))
        if state.over:
            return before
    return state


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_position_is_equal_to_its_copies_and_to_nothing_else(name: str, players: int) -> None:
    state = some_position(name, players)
    copy = state.clone()
    assert state == copy and hash(state) == hash(copy) and len({state, copy}) == 1
    copy.apply(0)
    assert state != copy
    assert state != rw.load("tic_tac_toe").new() and state != "a state"


def test_how_a_position_was_reached_does_not_count() -> None:
    """Two marks in either order: the same board, the same turn, another history."""
    game = rw.load("tic_tac_toe")
    ways = [[0, 3, 0], [1, 3, 0]]
    boards = []
    for way in ways:
        state = game.new()
        for index in way:
            state.apply(index)
        boards.append(state)
    assert boards[0] == boards[1] and hash(boards[0]) == hash(boards[1])
    assert boards[0].history != boards[1].history and not boards[0].same_as(boards[1])


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_pickles_hold_the_game_and_the_state(name: str, players: int) -> None:
    state = some_position(name, players)
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.same_as(state) and again.game.name == state.game.name
    assert again.information(0) == state.information(0)
    assert pickle.loads(pickle.dumps([state, state]))[0].apply(0) == state.clone().apply(0)
    for other in (state.playout(3), state.determinize(0, 4), state.game.playout(2), state.game.untracked(1)):
        assert pickle.loads(pickle.dumps(other)) == other
    game = pickle.loads(pickle.dumps(state.game))
    assert game.playout(7) == state.game.playout(7)


def test_a_game_without_a_folder_can_be_pickled() -> None:
    game = toy_game("decisions:1")
    assert pickle.loads(pickle.dumps(game)).playout(3) == game.playout(3)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_playout_leaves_the_state_alone_and_is_fixed_by_its_seed(name: str, players: int) -> None:
    state = some_position(name, players)
    before = state.to_json()
    ends = [state.playout(seed) for seed in range(6)]
    assert state.to_json() == before and all(end.over for end in ends)
    assert [state.playout(seed) for seed in range(6)] == ends
    assert all(end.history[: len(state.history)] == state.history for end in ends)


@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("pikit", 2)])
def test_a_finished_playout_can_be_read(name: str, players: int) -> None:
    """View and log are worked out by playing the game again, with the chance that the playout had."""
    state = some_position(name, players)
    for start in (state, state.determinize(state.decision.player, 8)):
        end = start.playout(2)
        assert end.view(0)["player"] == 0
        assert end.log(0)[: len(start.log(0))] == start.log(0)


def test_chance_falls_anew_in_each_playout() -> None:
    """A state has a generator of its own; a playout does not show what it will roll."""
    state = rw.load("pikit").new(seed=1)
    rolls = {tuple(state.playout(seed).scores) for seed in range(12)}
    assert len(rolls) > 4
    assert state.clone().playout(5) == state.playout(5)


def test_returns_are_nothing_until_the_game_is_over() -> None:
    state = rw.load("nim").new()
    assert state.returns is None
    assert sorted(state.playout(1).returns or []) == [-1.0, 1.0]
