"""Whole games of bots in native memory: the choices of Python, seed by seed, with all that players know kept in C."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import interpreter as rw
from interpreter.check.program import Program
from interpreter.native import make
from interpreter.native.engine import Engine
from interpreter.native.library import load_library
from interpreter.native.matches import NativeMatches, can_be_played
from interpreter.play.match import bot_match
from interpreter.runtime.game import Game
from interpreter.study.thinking_games import ThinkingGames
from interpreter.study.watch import load_counting
from tests.engine.playouts import QUICK, optimised
from tests.engine.test_toys import both_of
from tests.knowledge.test_tiny_games import GAMES as TINY
from tests.toy_games import checked

# Hands that are stolen from; bags and slots; what the rules pay is no whole number of wins; nothing hidden.
RULESETS = [("pikit", 2), ("pikit", 4), ("kikai", 2), ("leduc_poker", 2), ("kalah", 2)]
EVERYDAY = (("pikit", 2), ("kalah", 2))
TINY_EVERYDAY = ("follow_suit",)


def chosen_in_python(game: Game, bots: Sequence[str], seed: int) -> list[int]:
    match = bot_match(game, bots, seed)
    match.run()
    return match.state.h[1::2]  # type: ignore[no-any-return]


def library_of(name: str, game: Game, is_shipped: bool = False) -> Engine:
    """What plays whole games of a ruleset: with the flags that users get, or in a third of the compiler's time."""
    with optimised(is_shipped):
        return Engine(load_library(make.made(name, game.players, counted="knowledge")), game.meta)


def matches_of(program: Program, game: Game, bots: Sequence[str]) -> NativeMatches:
    library = load_library(make.made_of_program(program, QUICK, counted="knowledge"))
    return NativeMatches(Engine(library, game.meta), game, bots)


@pytest.mark.parametrize(("name", "players"), RULESETS, ids=[f"{name}-{players}" for name, players in RULESETS])
def test_games_of_bots_are_those_of_python(name: str, players: int, is_long: bool) -> None:
    if (name, players) not in EVERYDAY and not is_long:
        pytest.skip("two games are enough for every day")
    game = rw.load(name, players)
    engine = library_of(name, game, is_shipped=name == "pikit")
    bots = (["greedy", "greedy:2", "random", "first"] * players)[:players]
    matches, in_c = NativeMatches(engine, game, bots), 0
    seeds = range(20 if is_long else 3)
    for seed in seeds:
        found = matches.choices(seed)
        assert found is None or found == chosen_in_python(game, bots, seed)
        in_c += found is not None
    assert 2 * in_c > len(seeds)


@pytest.mark.parametrize("name", TINY)
def test_tiny_games_of_bots_are_those_of_python(name: str, is_long: bool) -> None:
    if name not in TINY_EVERYDAY and not is_long:
        pytest.skip("compiling every tiny game is part of the long run")
    program = checked(TINY[name].read_text(encoding="utf-8"))
    _, game = both_of(program)
    bots = ["greedy"] * game.players
    if not can_be_played(game, bots):
        pytest.skip("something in it is not about which piece lies where")
    matches = matches_of(program, game, bots)
    for seed in range(40):
        found = matches.choices(seed)
        assert found is None or found == chosen_in_python(game, bots, seed)


def test_what_is_done_together_is_played_by_python() -> None:
    game = rw.load("spring_bouquet", 3)
    engine = library_of("spring_bouquet", game)
    assert NativeMatches(engine, game, ["greedy"] * 3).choices(1) is None


@pytest.mark.parametrize("name", ["liars_dice", "market_garden", "flatiron"])
def test_other_secrets_and_pieces_on_pieces_are_left_to_python(name: str) -> None:
    game = rw.load(name)
    assert not can_be_played(game, ["greedy"] * game.players)


def test_other_bots_are_left_to_python() -> None:
    game = rw.load("kalah")
    assert can_be_played(game, ["greedy:2", "random"]) and not can_be_played(game, ["mcts:50", "random"])


def test_a_game_now_and_then_that_only_python_can_play_does_not_end_it() -> None:
    game = rw.load("kalah")
    engine = library_of("kalah", game)
    matches = NativeMatches(engine, game, ["first", "random"])
    play, unknown = matches._play, lambda *given: -1
    for seed in range(60):
        matches._play = unknown if seed % 2 else play
        assert (matches.choices(seed) is None) == bool(seed % 2)
    matches._play = unknown
    assert not any(matches.choices(seed) for seed in range(16))
    matches._play = play
    assert matches.choices(0) is None  # so many in a row: no further one is tried


def test_a_study_plays_the_games_of_its_bots_wherever_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same choices from the first game on, in Python until there is a library, and then in C."""
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "auto")
    monkeypatch.setenv("RULEWRIGHT_OPTIMISE", "0")  # also of what is made in the background
    game = load_counting("kalah", None)
    thinking, bots = ThinkingGames(game, ["greedy", "random"]), ["greedy", "random"]
    wanted = [chosen_in_python(game, bots, seed) for seed in range(4)]
    assert thinking.choices(0) == wanted[0]
    remembering = thinking._remembering
    assert remembering is not None
    remembering.use(library_of("kalah", game))
    assert [thinking.choices(seed) for seed in range(4)] == wanted
