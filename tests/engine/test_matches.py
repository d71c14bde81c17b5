"""Whole games of bots in native memory: the choices of Python, seed by seed, with all that players know kept in C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import interpreter as rw
from interpreter.check.program import Program
from interpreter.native import make
from interpreter.native.engine import FIELDS, FRAMES, LISTS, Engine
from interpreter.native.library import load_library
from interpreter.native.matches import can_be_played, why_in_python
from interpreter.native.unavailable import NativeUnavailable
from interpreter.play.bots.imagined import Worlds
from interpreter.play.match import bot_match
from interpreter.runtime.game import Game, game_from_program
from interpreter.runtime.state import State
from interpreter.study.thinking_games import ThinkingGames, native_matches
from interpreter.study.watch import load_counting
from tests.engine.playouts import optimised, quick_library
from tests.knowledge.test_tiny_games import GAMES as TINY
from tests.toy_games import checked

# Hands that are stolen from; bags and slots; what the rules pay is no whole number of wins; nothing hidden; pieces that
# carry others; dice under cups.
RULESETS = [
    ("pikit", 2), ("pikit", 4), ("kikai", 2), ("leduc_poker", 2), ("kalah", 2), ("flatiron", 2), ("liars_dice", 2),
]  # fmt: skip
EVERYDAY = (("pikit", 2), ("kalah", 2))
# Decisions; told to all; fields of pieces; carried; a set that only some pieces would do for; a payment nobody sees;
# numbers that are chosen at the same time; one worked out from a card, and one from what nobody saw being chosen.
TINY_EVERYDAY = (
    "follow_suit", "compare_cards", "trumps", "chests", "set_such_that", "paid_unseen", "two_blocks", "noted_card",
    "hidden_gift",
)  # fmt: skip
# Whose worlds are compared number by number: a card noted, and one of two equal ones; an unseen choice made again; a
# card that a rule holds; inside a block of `together`.
WORLDS_EVERYDAY = ("noted_card", "noted_copy", "hidden_gift", "best_shown_later", "raised_together")
# What searches choose in Python takes long to find out: on the engine they choose the same (test_search.py).
SEATS = [
    (["greedy", "greedy:2", "random", "first"], 20, "python"),
    (["mcts:24", "flat:12", "greedy", "random"], 5, "native"),
]
TINY_SEATS = [["greedy"], ["mcts:20"], ["flat:9", "mcts:9"]]
SEARCHED = [
    ("connect_four", ["mcts:60", "mcts:20+cut:4"]), ("pig", ["mcts:40", "flat:20"]),
    ("backgammon", ["mcts:12", "first"]), ("sea_wall", ["mcts:40", "mcts:20+cut:30"]),
    ("tic_tac_toe", ["mcts:200"] * 2), ("kuhn_poker", ["mcts:60", "mcts:60"]), ("branch_lines", ["mcts:20", "flat:20"]),
]  # fmt: skip
SEARCHED_EVERYDAY = ("connect_four", "pig")


def chosen_in_python(game: Game, bots: Sequence[str], seed: int) -> list[int]:
    match = bot_match(game, bots, seed)
    match.run()
    return match.state.h[1::2]  # type: ignore[no-any-return]


def library_of(name: str, game: Game, is_shipped: bool = False) -> Engine:
    """What plays whole games of a ruleset: with the flags that users get, or in a third of the compiler's time."""
    with optimised(is_shipped):
        return Engine(load_library(make.made(name, game.players, counted="knowledge")), game.meta)


def engine_of(program: Program, game: Game) -> Engine:
    """What plays whole games of a program without files. Python plays the other side, so no further library is made."""
    try:
        library = quick_library(program, "knowledge")
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
        pytest.skip(str(problem))
    return Engine(load_library(library), game.meta)


@pytest.mark.parametrize(("name", "players"), RULESETS, ids=[f"{name}-{players}" for name, players in RULESETS])
def test_games_of_bots_are_those_of_python(name: str, players: int, is_long: bool) -> None:
    if (name, players) not in EVERYDAY and not is_long:
        pytest.skip("two games are enough for every day")
    engine = library_of(name, rw.load(name, players), is_shipped=name == "pikit")
    for kinds, most, backend in SEATS:
        game = rw.load(name, players, backend=backend)
        bots = (kinds * players)[:players]
        matches, in_c = native_matches(engine, game, bots), 0
        seeds = range(most if is_long else 3)
        for seed in seeds:
            found = matches.choices(seed)
            assert found is None or found == chosen_in_python(game, bots, seed)
            in_c += found is not None
        assert 2 * in_c > len(seeds)


@pytest.mark.parametrize(("name", "bots"), SEARCHED, ids=[name for name, _ in SEARCHED])
def test_searches_of_whole_games_are_those_of_python(name: str, bots: list[str], is_long: bool) -> None:
    """Trees that are kept over a turn; chance in the tree; proofs; many options with equal copies; a cutoff."""
    if name not in SEARCHED_EVERYDAY and not is_long:
        pytest.skip("two games are enough for every day")
    game = rw.load(name, backend="native")
    engine = library_of(name, game)
    matches = native_matches(engine, game, bots)
    for seed in range(8 if is_long else 3):
        assert matches.choices(seed) == chosen_in_python(game, bots, seed)


@pytest.mark.parametrize("name", TINY)
def test_tiny_games_of_bots_are_those_of_python(name: str, is_long: bool) -> None:
    if name not in TINY_EVERYDAY and not is_long:
        pytest.skip("compiling every tiny game is part of the long run")
    program = checked(TINY[name].read_text(encoding="utf-8"))
    game = game_from_program(program)
    if not can_be_played(game, ["greedy"] * game.players):
        pytest.skip("something in it is not about which piece lies where")
    engine = engine_of(program, game)
    for kinds in TINY_SEATS:
        bots = (kinds * game.players)[: game.players]
        matches = native_matches(engine, game, bots)
        for seed in range(40 if is_long else 15):
            found = matches.choices(seed)
            assert found is None or found == chosen_in_python(game, bots, seed)
            assert (found is None) == bool(matches.why)


@pytest.mark.parametrize("name", TINY)
def test_worlds_of_whole_games_are_those_of_python(name: str, is_long: bool) -> None:
    """Choices say little of the worlds that they rest on: so fields, places and locals are compared in each."""
    if name not in WORLDS_EVERYDAY and not is_long:
        pytest.skip("compiling every tiny game is part of the long run")
    program = checked(TINY[name].read_text(encoding="utf-8"))
    game = game_from_program(program)
    bots = ["random"] * game.players
    if not can_be_played(game, bots):
        pytest.skip("what players know in it is Python's")
    engine = engine_of(program, game)
    matches, compared = native_matches(engine, game, bots), 0
    for seed in range(8):
        for played, there in enumerate(_positions(game, matches.choices(seed), seed)):
            worlds = Worlds(there, there.who, 7 * seed + played)
            for number in range(3):
                address = matches.world(seed, played, 7 * seed + played, number)
                if address:
                    assert _in_native_memory(engine, address) == _as_python_has_it(engine, worlds, number)
                    compared += 1
    assert compared or name not in WORLDS_EVERYDAY


def _positions(game: Game, taken: list[int] | None, seed: int) -> Iterator[State]:
    """The decisions of a game with these choices."""
    state = game.new(seed)
    for option in taken or ():
        yield state
        state.apply_at_once(option)


def _in_native_memory(engine: Engine, address: int) -> list[list[int]]:
    return [engine.read(address, part) for part in (FIELDS, LISTS, FRAMES)]


def _as_python_has_it(engine: Engine, worlds: Worlds, number: int) -> list[list[int]]:
    address = engine.state()
    engine.enter(address, worlds.separate(number))
    found = _in_native_memory(engine, address)
    engine.free_state(address)
    return found


def test_what_is_done_together_is_played_by_python() -> None:
    """If dice are rolled there: what a player saw of them must come again in every world."""
    program = checked(TINY["dice_in_cups"].read_text(encoding="utf-8"))
    game = game_from_program(program)
    matches = native_matches(engine_of(program, game), game, ["greedy"] * game.players)
    assert (
        matches.choices(1) is None and matches.why == "chance falls while players choose at the same time (`together`)"
    )


@pytest.mark.parametrize(("name", "players"), [("spring_bouquet", 3), ("hearts", 4)])
def test_what_is_chosen_together_is_not(name: str, players: int, is_long: bool) -> None:
    """Hands that are drafted; cards that are passed on."""
    if not is_long:
        pytest.skip("a tiny game is enough for every day")
    game = rw.load(name, players, backend="native")
    engine = library_of(name, game)
    for bots in (["greedy"] * players, (["mcts:12", "flat:6", "greedy"] * players)[:players]):
        matches = native_matches(engine, game, bots)
        assert matches.choices(1) == chosen_in_python(game, bots, 1)


AUCTION = """
game auction "Auction" for 3 players

each player
  coins: 0..40 = 20
  bid: 0..9 secret
  goods: 0..60

play
  repeat 6 times
    together p in players "All bid"
      choose n in 0..9 where n <= p.coins secretly "How much?"
      p.bid = n
    for p in players
      reveal p.bid
    let most = max(p.bid for p in players)
    let best = all p in players where p.bid == most
    for p in best
      p.goods += 6 div count(best)
    for p in players
      p.coins -= p.bid

score p
  "Goods"  p.goods
  "Coins"  p.coins
rank p by highest score, then shared
"""


def test_choices_at_the_same_time_are_worth_the_same_to_every_seat() -> None:
    """A look ahead that saw what the others' choices come to from the last seat only would win from there."""
    program = checked(AUCTION, 3)
    game = game_from_program(program)
    bots, firsts, games = ["greedy"] * 3, [0.0] * 3, 900
    matches = native_matches(engine_of(program, game), game, bots)
    for seed in range(games):
        choices, state = matches.choices(seed), game.new(seed)
        assert choices is not None
        if seed < 3:
            assert choices == chosen_in_python(game, bots, seed)
        for option in choices:
            state.apply_at_once(option)
        best = [player for player in range(3) if state.ranking[player] == min(state.ranking)]
        for player in best:
            firsts[player] += 1 / len(best)
    assert all(0.285 * games < first < 0.38 * games for first in firsts), firsts


@pytest.mark.parametrize("name", ["liars_dice", "market_garden", "bricolage_heads", "branch_lines"])
def test_secrets_of_the_box_are_kept_in_c(name: str) -> None:
    """What lies under a cup; what rules work out from secrets, also where players choose at the same time."""
    game = rw.load(name)
    assert not why_in_python(game, ["greedy"] * game.players)


@pytest.mark.parametrize(
    ("name", "why"),
    [("high_cards_named", "what is told to all (`public`) is a set"), ("marked_card", "a secret field names a piece"),
     ("spaces_picked", "the rules work something out from numbers that are picked one by one")],
)  # fmt: skip
def test_other_secrets_are_left_to_python(name: str, why: str) -> None:
    game = game_from_program(checked(TINY[name].read_text(encoding="utf-8")))
    assert why_in_python(game, ["greedy"] * game.players).startswith(why)
    assert not can_be_played(game, ["greedy"] * game.players)


@pytest.mark.parametrize("name", ["market_garden", "bricolage_heads", "branch_lines"])
def test_games_that_work_something_out_are_those_of_python(name: str, is_long: bool) -> None:
    """Decks from which cards go unseen into markets; points that are counted from them."""
    if not is_long:
        pytest.skip("tiny games are enough for every day")
    game = rw.load(name, backend="native")
    engine = library_of(name, game)
    for bots, seeds in ((["greedy"] * game.players, 3), (["mcts:12", "flat:6"] * game.players, 1)):
        matches = native_matches(engine, game, bots[: game.players])
        for seed in range(seeds):
            assert matches.choices(seed) == chosen_in_python(game, bots[: game.players], seed)


def test_other_bots_are_left_to_python() -> None:
    game = rw.load("kalah")
    for known in ("greedy", "greedy:2", "first", "flat:30", "mcts:50", "mcts:50+cut:20"):
        assert can_be_played(game, [known, "random"])
    for other in ("mcts:200ms", "mcts:1.5s", "mcts:50+policy:FILE", "mcts:50+cut:20+policy:FILE", "cfr:50", "mcts",
                  "flat", "random:2", "policy:FILE", "process:bot"):  # fmt: skip
        assert not can_be_played(game, [other, "random"])


def test_a_game_now_and_then_that_only_python_can_play_does_not_end_it() -> None:
    game = rw.load("kalah")
    engine = library_of("kalah", game)
    matches = native_matches(engine, game, ["first", "random"])
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
    with optimised(is_shipped=False):  # also what is made in the background
        game = load_counting("kalah", None)
        thinking, bots = ThinkingGames(game, ["greedy", "random"]), ["greedy", "random"]
        wanted = [chosen_in_python(game, bots, seed) for seed in range(4)]
        assert thinking.choices(0) == wanted[0]
        remembering = thinking._remembering
        assert remembering is not None
        remembering.use(library_of("kalah", game))
        assert [thinking.choices(seed) for seed in range(4)] == wanted
