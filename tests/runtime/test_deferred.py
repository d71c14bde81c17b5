"""Knowledge that is worked out when somebody looks is the knowledge that would have been kept all along."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import interpreter
from interpreter.runtime import deferred
from interpreter.runtime.state import State
from tools.deck_builder import deck_builder

GAMES = (("pikit", 4), ("kuhn_poker", 2), ("kiwi_chow_down", 4), ("nim", 2))


def at_once(game: Any, seed: int) -> State:
    """A game that never falls behind."""
    state: State = game.new(seed)
    state.may_defer = False
    return state


def assert_same(late: State, prompt: State) -> None:
    assert late.to_json() == prompt.to_json()
    for player in range(late.meta.players):
        assert late.view(player) == prompt.view(player)
        assert late.log(player) == prompt.log(player)
        assert late.information(player) == prompt.information(player)
    assert late.undo_horizon == prompt.undo_horizon


def advance(choose: random.Random, *states: State) -> None:
    option = choose.randrange(len(states[0].opts))
    for state in states:
        state.apply(option)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_whoever_looks_now_and_then_finds_the_same(name: str, players: int) -> None:
    game = interpreter.load(name, players=players)
    late, prompt, choose = game.new(3), at_once(game, 3), random.Random(3)
    for number in range(60):
        if prompt.over:
            break
        if number % 13 == 5:
            assert_same(late, prompt)
            assert late.determinize(0, number).to_json() == prompt.determinize(0, number).to_json()
        advance(choose, late, prompt)
    assert_same(late, prompt)


def test_a_world_falls_behind_and_catches_up_like_a_game() -> None:
    game, choose = deck_builder(), random.Random(1)
    late, prompt = game.new(1), at_once(game, 1)
    for _ in range(20):
        advance(choose, late, prompt)
    world, other = late.determinize(1, 5), prompt.determinize(1, 5)
    for _ in range(6):
        advance(choose, world, other)
    assert world.since is not None
    assert_same(world, other)


def test_copies_share_what_one_of_them_works_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game, choose = deck_builder(), random.Random(2)
    state = game.new(2)
    for _ in range(30):
        advance(choose, state)
    replayed: list[int] = []
    played_on = deferred._played_on

    def counted(start: State, choices: list[int]) -> State:
        replayed.append(len(choices) // 2)
        return played_on(start, choices)

    monkeypatch.setattr(deferred, "_played_on", counted)
    copies = [state.clone() for _ in range(5)]
    for copy in copies:
        copy.apply(0)
        copy.view(0)
    assert sum(replayed) == 30 + 5
    assert_same(copies[0], copies[1])


def test_a_playout_of_a_state_that_is_behind_can_be_looked_at() -> None:
    game, choose = deck_builder(), random.Random(4)
    state, prompt = game.new(4), at_once(game, 4)
    for _ in range(10):
        advance(choose, state, prompt)
    game.finish(state, 9)
    for position in range(len(prompt.h), len(state.h), 2):
        prompt.apply(prompt.opts.index(state.h[position + 1]))
    assert prompt.over
    assert_same(state, prompt)


def test_a_fault_is_the_same_and_leaves_the_same_state(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.load("nim", players=2)
    monkeypatch.setitem(game.meta.limits, "decisions", 2)
    told = []
    for state in (game.new(1), at_once(game, 1)):
        state.apply(0)
        state.apply(0)
        with pytest.raises(interpreter.Fault) as fault:
            state.apply(0)
        told.append((str(fault.value), fault.value.history, state.to_json()))
    assert told[0] == told[1]


def test_several_threads_may_look_at_once() -> None:
    game, choose = deck_builder(), random.Random(6)
    state, prompt = game.new(6), at_once(game, 6)
    for _ in range(15):
        advance(choose, state, prompt)
    with ThreadPoolExecutor(4) as threads:
        views = list(threads.map(lambda _: state.view(0), range(8)))
    assert views == [prompt.view(0)] * 8


def test_a_state_changed_by_hand_says_so_instead_of_guessing() -> None:
    state = deck_builder().new(1)
    state.apply(0)
    state.f[-1] += 1
    with pytest.raises(AssertionError, match="changed by hand"):
        state.view(0)


def test_whoever_looks_after_every_choice_is_not_made_to_wait_twice() -> None:
    state, choose = deck_builder().new(7), random.Random(7)
    behind = []
    for _ in range(3 * (deferred.PROMPT + 1)):
        advance(choose, state)
        behind.append(state.since is not None)
        state.view(0)
    assert sum(behind) == 3
    for _ in range(deferred.PROMPT + 2):  # nobody looks any more
        advance(choose, state)
    assert state.since is not None


def test_who_keeps_knowledge_at_once_goes_back_to_what_the_trail_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice that is interrupted leaves the state whole, also without a copy made before each choice."""
    state, choose = deck_builder().new(7), random.Random(7)
    for _ in range(12):
        advance(choose, state)
        state.view(0)
    twin = state.clone()
    assert state.promptly > 1 and state.since is None
    run = type(state.game).run

    def interrupted(game: Any, running: Any) -> None:
        run(game, running)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(type(state.game), "run", interrupted)
        for option in range(len(state.opts)):
            with pytest.raises(KeyboardInterrupt):
                state.apply(option)
    assert_same(state, twin)
    assert state.opts == twin.opts and state.p == twin.p and state.k == twin.k
    while not state.over:
        advance(choose, state, twin)
    assert_same(state, twin)
