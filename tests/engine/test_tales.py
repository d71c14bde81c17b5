"""Stories that are told in native memory come to the very numbers that Python works out, so worlds are the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import interpreter as rw
from interpreter.native.game import NativeGame
from interpreter.native.glances import Glances
from interpreter.native.tales import ToldCourse
from interpreter.native.walking import NativeCourse
from interpreter.runtime.dealing import IN_MIND
from interpreter.runtime.facts import Fact, Naming
from interpreter.runtime.questions import Asked
from interpreter.runtime.state import State
from interpreter.runtime.trail import ASKED, events
from tests.engine.test_equality import native
from tests.engine.test_toys import both_of
from tests.knowledge.test_tiny_games import GAMES as TINY
from tests.toy_games import checked

# Hands that are stolen from; tricks, and sets of which any would do; pieces with fields; bags.
RULESETS = [("pikit", 2), ("pikit", 4), ("hearts", 4), ("kiwi_chow_down", 2)]
EVERYDAY = (("pikit", 2), ("hearts", 4))
TINY_EVERYDAY = ("trumps", "guards")


def decisions(game: NativeGame, seed: int, every: int, count: int) -> Iterator[State]:
    state, choose = game.new(seed), random.Random(seed)
    for step in range(every * count):
        if state.over:
            return
        if step % every == every - 1:
            yield state
        state.apply(choose.randrange(len(state.opts)))


def same_story(game: NativeGame, state: State, player: int) -> bool:
    """Compares the two stories of a player; says whether there was one in native memory that takes a walk."""
    dealer = state.worlds(player).dealer
    told = dealer.native
    if not isinstance(told, ToldCourse):
        return False
    wanted = NativeCourse(game.require_engine(), dealer)  # from the story as Python tells it
    assert told.told.tolist() == wanted.told.tolist()
    assert [fact.address for fact in told.facts] == [fact.address for fact in wanted.facts]
    assert told.home == wanted.home
    assert dealer.approximate in ((), (IN_MIND,))  # what rules keep in mind is no part of a story
    return dealer.course is not None


@pytest.mark.parametrize(("name", "players"), RULESETS, ids=[f"{name}-{players}" for name, players in RULESETS])
def test_numbers_of_a_story_are_those_of_python(name: str, players: int, is_long: bool) -> None:
    if (name, players) not in EVERYDAY and not is_long:
        pytest.skip("two games are enough for every day")
    game = native(name, players)
    found = 0
    for seed in range(6 if is_long else 1):
        for state in decisions(game, seed, 7, 20 if is_long else 5):
            found += sum(same_story(game, state, player) for player in range(players))
    assert found


@pytest.mark.parametrize("name", TINY)
def test_stories_of_tiny_games_are_those_of_python(name: str, is_long: bool) -> None:
    if name not in TINY_EVERYDAY and not is_long:
        pytest.skip("compiling every tiny game is part of the long run")
    game, _ = both_of(checked(TINY[name].read_text(encoding="utf-8")))
    for seed in range(6):
        for state in decisions(game, seed, 1, 8):
            for player in range(game.players):
                same_story(game, state, player)


def test_a_tale_goes_back_to_where_two_copies_parted() -> None:
    game = native("pikit", 2)
    one = game.new(5)
    choose = random.Random(5)
    for _ in range(12):
        one.apply(choose.randrange(len(one.opts)))
    one.worlds(0)
    other = one.clone()
    for step in range(14):  # each copy asks in its turn, so the tale of a player changes from one to the other
        for state in (one, other):
            if not state.over:
                state.apply((step if state is one else -1 - step) % len(state.opts))
                for player in range(2):
                    same_story(game, state, player)
    fresh = game.new(6)
    assert isinstance(fresh.worlds(1).dealer.native, ToldCourse)
    same_story(game, fresh, 1)


def test_numbers_that_players_do_not_see_are_told_by_python() -> None:
    game, reference = native("liars_dice", 2), rw.load("liars_dice", 2, backend="python")
    state, same = game.new(1), reference.new(1)
    worlds = state.worlds(0)
    assert not isinstance(worlds.dealer.native, ToldCourse)
    assert worlds.draw(3).f == same.worlds(0).draw(3).f


def test_worlds_of_a_moment_stay_when_the_game_goes_on() -> None:
    """The table of worlds is the state itself as Python has it: nothing may change it afterwards."""
    game, reference = native("pikit", 2), rw.load("pikit", 2, backend="python")
    state, same = game.new(2), reference.new(2)
    for _ in range(9):
        state.apply(0)
        same.apply(0)
    kept, wanted = state.worlds(1), same.worlds(1)
    state.information(0)
    for _ in range(3):
        state.apply(0)
    assert kept.draw(7).p == wanted.draw(7).p
    assert kept.draw(7).information(0) == wanted.draw(7).information(0)
    assert state.in_python().h == state.h


def test_a_native_state_knows_what_was_seen_after_the_end() -> None:
    game, reference = native("pikit", 2), rw.load("pikit", 2, backend="python")
    state, same = game.new(3), reference.new(3)
    while not same.over:
        state.apply(0)
        same.apply(0)
    assert state.to_json() == same.to_json()
    assert state.view(0) == same.view(0)


@pytest.mark.parametrize(("name", "players"), [("pikit", 2), ("hearts", 4), ("kalah", 2)])
def test_greedy_glances_choose_as_python_does(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, reference = native(name, players), rw.load(name, players, backend="python")
    glanced, look = [0], Glances.look

    def counted(self: Glances, *args: Any) -> Any:
        found = look(self, *args)
        glanced[0] += 1
        return found

    monkeypatch.setattr(Glances, "look", counted)
    bot, state, same = rw.bot("greedy"), game.new(4), reference.new(4)
    for step in range(30):
        if same.over:
            break
        chosen = bot.choose(same, step).index
        assert bot.choose(state, step).index == chosen
        state.apply(chosen)
        same.apply(chosen)
    assert glanced[0] >= 10


@pytest.mark.parametrize("name", ["pikit", "branch_lines", "flatiron", "hearts", "kiwi_chow_down", "market_garden"])
def test_a_question_that_is_idle_reads_nothing(name: str, is_long: bool) -> None:
    """What is worked out from its code errs on the safe side only: asked, it looks into no such place."""
    if name != "pikit" and not is_long:
        pytest.skip("one game is enough for every day")
    game = rw.load(name, backend="python")
    names = list(range(game.meta.pieces))
    truth, met = Naming(names, names), set()
    state, choose = game.new(8), random.Random(8)
    for _ in range(200 if is_long else 60):
        state.apply(choose.randrange(len(state.opts)))
        for player in range(game.players):
            for fact in _facts(state, player):
                fact.answers = {}
                fact._ask_here(fact.tally.total(names), truth, [])
                assert 0 in fact.answers or not fact.is_idle()
                met.add(fact.is_idle())
        if state.over:
            break
    assert met == {True, False} or name != "pikit"


def _facts(state: State, player: int) -> list[Fact]:
    """What a player may learn from the last decisions of others."""

    last = [event for event in events(state.ev)[-6:] if event[0] == ASKED and event[1].who != player]
    made = [Asked.of(state.meta, player, event[1], event[2], 0) for event in last]
    return [fact for fact in made if fact is not None]
