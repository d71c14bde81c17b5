"""A scene shows what its seat may know and nothing else.

All histories of tiny games are played (see `tests/knowledge/histories.py`): decisions at which a player has seen the
same since the beginning must have the same scene for that player, previews and refusals included. A spectator sees less
than any player, so within such a group the spectator's scenes must be the same too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import interpreter as rw
from interpreter.web.scene import scene_of, why
from interpreter.web.scene.presentation import NOTHING
from tests.knowledge.histories import GAMES, Node, histories_of

MOST_GROUPS, MOST_NODES = 14, 4


def groups(name: str, is_long: bool) -> Iterator[tuple[int, list[Node]]]:
    """Decisions that a player cannot tell apart, several of them in each group."""
    several = [(player, nodes) for (player, _), nodes in histories_of(name).groups.items() if len(nodes) > 1]
    step = 1 if is_long else max(1, len(several) // MOST_GROUPS)
    for player, nodes in several[::step]:
        yield player, nodes if is_long else nodes[:: max(1, len(nodes) // MOST_NODES)][:MOST_NODES]


def scene(name: str, state: rw.State, player: int | None) -> dict[str, Any]:
    return scene_of(histories_of(name).game, state, player, presentation=NOTHING)


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [f"{key}: {one[key]} / {other[key]}" for key in one if one[key] != other.get(key)]


@pytest.mark.parametrize("name", GAMES)
def test_what_a_player_cannot_tell_apart_looks_the_same(name: str, is_long: bool) -> None:
    for player, nodes in groups(name, is_long):
        first, *others = [scene(name, node.state, player) for node in nodes]
        for other in others:
            assert not differing(first, other)


@pytest.mark.parametrize("name", GAMES)
def test_a_spectator_sees_no_more_than_any_player(name: str, is_long: bool) -> None:
    for _, nodes in groups(name, is_long):
        first, *others = [scene(name, node.state, None) for node in nodes]
        for other in others:
            assert not differing(first, other)


@pytest.mark.parametrize("name", GAMES)
def test_reasons_tell_nothing_that_the_player_does_not_know(name: str, is_long: bool) -> None:
    game = histories_of(name).game
    for player, nodes in groups(name, is_long):
        told = [why(game, node.state, player, presentation=NOTHING) for node in nodes]
        assert all(one == told[0] for one in told)


@pytest.mark.parametrize("name", ("pikit", "hearts", "flatiron", "kiwi_chow_down"))
def test_a_world_that_agrees_with_all_a_player_knows_looks_the_same(name: str) -> None:
    """Larger games, in worlds drawn for a player. Logs of worlds have no clauses, so they are left out here."""
    game = rw.load(name)
    state = game.new(seed=11)
    for number in range(24):
        if state.over:
            return
        if number % 6 == 5:
            player = number % game.players
            here = scene_of(game, state, player)
            there = scene_of(game, state.determinize(player, number), player)
            for one in (here, there):
                del one["log"], one["clauses"]
            assert not differing(here, there)
        decision = state.decision
        assert decision is not None
        state.apply(number * 7 % len(decision.options))
