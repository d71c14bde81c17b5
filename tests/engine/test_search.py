"""Bots that think make the same choices in Python and in C from the same seeds, simulation by simulation."""

from __future__ import annotations

import random
from typing import Any

import pytest

import interpreter as rw
from interpreter.native.engine import Engine
from interpreter.native.game import NativeGame
from interpreter.native.search import NativeSearch
from interpreter.play.bots import node
from interpreter.play.bots.compiled_looks import flat_found
from interpreter.play.bots.compiled_tree import CompiledSearch, compiled_search
from interpreter.play.bots.playing_out import PlayingOut
from interpreter.play.bots.tree import Search
from interpreter.ruleset.gathered import Limits
from interpreter.runtime.game import Game
from tests.engine.test_equality import BASE, native
from tests.engine.test_toys import SEARCHED, both
from tests.toy_games import TOYS

GAMES = [*BASE, ("pig", 2), ("rock_paper_scissors", 2), ("liars_dice", 2)]
IDS = [name for name, _ in GAMES]
SIMULATIONS = {"kikai": 12, "bricolage_heads": 12, "flatiron": 12, "kiwi_chow_down": 8}


def python(name: str, players: int) -> Game:
    return rw.load(name, players, backend="python")


def same_search(ours: Any, theirs: Any, seed: int, simulations: int, cut: int | None = None) -> None:
    """Everything that a search has found is the same, doubles to the last bit."""
    compiled, plain = compiled_search(ours, seed, cut), Search(theirs, seed, PlayingOut(theirs, cut, guided=True))
    assert compiled is not None
    for part in (1, simulations - 1):
        compiled.simulate(part)
        plain.simulate(part)
        assert compiled.found() == plain.found()
    assert compiled._in_python is None
    assert (compiled.chosen(), compiled.is_decided) == (plain.chosen(), plain.is_decided)
    assert (compiled.nodes, compiled.slots, compiled.visits) == (plain.nodes, plain.slots, plain.visits)


def search_along(compiled: NativeGame, reference: Game, seed: int, searches: int, simulations: int) -> None:
    """Searches at decisions of a random game."""
    ours, theirs, choose = compiled.new(seed), reference.new(seed), random.Random(seed)
    while not theirs.over and searches:
        if len(theirs.opts) > 1 and choose.random() < 0.4:
            same_search(ours, theirs, seed, simulations, choose.choice((None, None, 25)))
            searches -= 1
        index = choose.randrange(len(theirs.opts))
        ours.apply(index)
        theirs.apply(index)


@pytest.mark.parametrize(("name", "players"), GAMES, ids=IDS)
def test_tree_search_finds_the_same(name: str, players: int, is_long: bool) -> None:
    compiled, reference = native(name, players), python(name, players)
    simulations = SIMULATIONS.get(name, 60)
    for seed in range(20 if is_long else 1):
        search_along(compiled, reference, seed, 20 if is_long else 4, simulations * (5 if is_long else 1))


@pytest.mark.parametrize("name", TOYS)
def test_tree_search_finds_the_same_in_toys(name: str, is_long: bool) -> None:
    if name not in SEARCHED and not is_long:
        pytest.skip("compiling every toy is part of the long run")
    compiled, reference = both(name, Limits())
    for seed in range(4):
        search_along(compiled, reference, seed, 6, 60)


def test_every_combination_is_searched_alike(game: tuple[str, int], is_long: bool) -> None:
    if not is_long:
        pytest.skip("compiling every combination is part of the long run")
    name, players = game
    search_along(native(name, players), python(name, players), 1, 6, 24)


@pytest.mark.parametrize(("name", "players"), GAMES, ids=IDS)
def test_a_tree_is_kept_alike(name: str, players: int) -> None:
    """Seats keep their trees over a turn; what they find then is the same too."""
    simulations = SIMULATIONS.get(name, 40)
    matches = [moves_of(game, simulations) for game in (native(name, players), python(name, players))]
    assert matches[0] == matches[1]


def moves_of(game: Game, simulations: int) -> list[Any]:
    state = game.new(seed=3)
    seats = [rw.bot(f"mcts:{simulations}").seat(seat + 5) for seat in range(game.players)]
    moves: list[Any] = []
    while not state.over and len(moves) < 7:
        seat: Any = seats[state.who]
        index = seat.choose(state, state.decision).index
        search = seat._search
        moves.append((index, search and (search.visits, search.found())))
        state.apply(index)
    return moves


@pytest.mark.parametrize(("name", "players"), GAMES, ids=IDS)
def test_bots_without_a_tree_choose_the_same(name: str, players: int) -> None:
    compiled, reference = native(name, players), python(name, players)
    ours, theirs, choose = compiled.new(2), reference.new(2), random.Random(5)
    bots = [rw.bot(kind) for kind in ("flat:15", "greedy", "greedy:1")]
    for number in range(5):
        if theirs.over:
            break
        for bot in bots:
            assert bot.choose(ours, number).index == bot.choose(theirs, number).index
        assert ours.playout(number).to_json() == theirs.playout(number).to_json()
        index = choose.randrange(len(theirs.opts))
        ours.apply(index)
        theirs.apply(index)


def test_a_random_game_from_a_native_state_tells_what_was_seen() -> None:
    ours, theirs = native("pikit", 3).new(4), python("pikit", 3).new(4)
    for _ in range(3):
        ours.apply(0)
        theirs.apply(0)
    ended, expected = ours.playout(6), theirs.playout(6)
    assert ended.log(1) == expected.log(1) and ended.view(2) == expected.view(2)
    assert ours == theirs  # the state itself is where it was


def test_a_full_tree_is_full_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "MOST_SLOTS", 100)
    for name, players in (("connect_four", 2), ("pikit", 3)):
        ours, theirs = native(name, players).new(1), python(name, players).new(1)
        same_search(ours, theirs, 3, 300)
        search = compiled_search(ours, 3, None)
        assert search is not None
        search.simulate(300)
        assert 80 < search.slots <= 100
        assert not search.go_on(ours.clone().apply(search.chosen()), 4)


# ---------------------------------------------------------------------------- where it cannot be native


def refuse_the_third(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Any]:
    """Has the third world that this method hands over offer what no decision has; gives all that was handed over."""
    handed = getattr(NativeSearch, name)
    worlds: list[Any] = []

    def hand_over(self: NativeSearch, *given: Any) -> None:
        worlds.append(given)
        # The options are a list of numbers, the last one of what is given.
        position = max(at for at, one in enumerate(given) if isinstance(one, list))
        wrong = [*given[:position], [10**6] * len(given[position]), *given[position + 1 :]]
        handed(self, *(wrong if len(worlds) == 3 else given))

    monkeypatch.setattr(NativeSearch, name, hand_over)
    return worlds


@pytest.mark.parametrize("made_by", ["add_dealt", "add_world"])
def test_a_world_that_does_not_fit_is_searched_in_python(made_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, theirs = native("pikit", 3), python("pikit", 3).new(1)
    if made_by == "add_world":  # Python lays worlds out where the decision cannot be in native memory
        monkeypatch.setattr(Engine, "question", lambda *_: None)
    handed_over = refuse_the_third(monkeypatch, made_by)
    search, plain = compiled_search(compiled.new(1), 7, None), Search(theirs, 7, PlayingOut(theirs, guided=True))
    assert search is not None
    for part in (2, 30, 5):
        search.simulate(part)
        plain.simulate(part)
    assert len(handed_over) == 3 and search._in_python is not None
    assert (search.found(), search.chosen(), search.visits) == (plain.found(), plain.chosen(), plain.visits)
    assert not search.go_on(compiled.new(1), 3)
    del handed_over[2:]
    assert flat_found(compiled.new(1), 1, 30) is None
    assert len(handed_over) == 3
    del handed_over[2:]
    assert rw.bot("flat:30").choose(compiled.new(1), 1).index == rw.bot("flat:30").choose(theirs, 1).index


def test_a_description_that_does_not_fit_is_refused() -> None:
    from interpreter.play.bots.compiled_sight import described

    compiled = native("pikit", 3)
    engine, state = compiled.require_engine(), compiled.new(1)
    good = described(state)
    engine.search(good, 0, False, 1000)
    for position in range(0, len(good), 7):
        bad = good[:]
        bad[position] = 10**6
        try:  # most numbers are offsets or lengths; a few, such as the radix of a digit, may be anything
            engine.search(bad, 0, False, 1000)
        except engine.unfit:
            continue
    with pytest.raises(engine.unfit):
        engine.search(good[:-1], 0, False, 1000)


def test_a_game_with_a_script_is_searched_in_python() -> None:
    game = native("kuhn_poker", 2)
    state = game.new(script=[("shuffle", "deck", ["card_queen", "card_jack", "card_king"])])
    option = rw.bot("mcts:30").choose(state, 1)
    assert option in state.decision.options


def test_a_clock_stops_a_native_search() -> None:
    state = native("connect_four", 2).new(1)
    bot: Any = rw.bot("mcts:60ms")
    search = bot.search(state, 1)
    assert isinstance(search, CompiledSearch)
    bot.budget.spend(search)
    assert search.simulations > 50 and search.visits == search.simulations


def test_a_search_in_the_room_of_another_one_finds_the_same() -> None:
    """Room is handed on when a search is over, unless it was made for something else or has a policy."""
    game = native("connect_four", 2)
    state, later = game.new(1), game.new(2).apply(3).apply(3)

    def found(of: Any, cut: int | None) -> list[tuple[int, float]]:
        search = compiled_search(of, 7, cut)
        assert search is not None
        search.simulate(300)
        return search.found()

    def fresh(of: Any, cut: int | None) -> list[tuple[int, float]]:
        of.game.engine.spare_searches.clear()
        return found(of, cut)

    for of, cut in ((state, None), (later, None), (later, 20), (state, 20), (state, None)):
        alone = fresh(of, cut)
        found(state, None)
        found(later, cut)
        assert len(state.game.engine.spare_searches) == 1
        assert found(of, cut) == alone


def test_positions_of_nodes_met_often_are_those_of_the_way(is_long: bool) -> None:
    """Long searches take up positions that were kept; the tree is Python's, which keeps none. A tree that is kept for
    the next decision forgets them."""
    for name in ("tic_tac_toe", "connect_four", "pig"):
        ours, theirs = native(name, 2).new(4), python(name, 2).new(4)
        same_search(ours, theirs, 4, 2000 if is_long else 600)
