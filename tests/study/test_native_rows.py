"""Long studies play in C: row by row and sum by sum they are the studies that Python makes."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from interpreter.compile.load import compile_program, load_compiled
from interpreter.native.engine import Engine
from interpreter.native.library import load_library
from interpreter.native.make import made_in_background
from interpreter.native.unavailable import NativeUnavailable
from interpreter.runtime.game import Game
from interpreter.study.choices import Branches
from interpreter.study.rows import Row
from interpreter.study.settings import load_with
from interpreter.study.simulate import Played
from interpreter.study.tally import Tally
from interpreter.study.watch import CountingGame, Watch, counting_game, load_counting, with_counters
from tests.engine.playouts import optimised, quick_library
from tests.toy_games import checked

# Lines that are there only sometimes, in two blocks, one label in both; ends with and without values, score or reason.
SHEETS = """
game sheets "Sheets" for 2..4 players
table
  dice: 2 dice of 1..6
each player
  kept: 0..90 = 0
  low: 0..90 = 0
  luck: 0..90 = 0
score p
  "Kept"  p.kept
  "Low"   -p.low
score p when p.luck > 0
  "Luck"  3 * p.luck
  "Kept"  1
rank p by highest score, then fewest p.low
play
  in turn p from seat1
    turn(p)
phase turn(p)
  roll dice
  choose one "Which die do you keep?"
    "Die {n}" for n in 1..2 where dice[n].face < 6
      let face = dice[n].face
      if face < 4
        p.low += 1
        p.kept += 1
      else
        p.kept += face
    "Your luck" if dice[1].face == dice[2].face
      p.luck += 1
    otherwise "Nothing"
      p.low += 1
  if p.kept > 20
    end game "{p} has {p.kept}"
  if p.low > 6
    p loses "Too low" without score
  if p.luck > 1
    end game
"""


def native(compiled_by: str, players: int) -> tuple[Game, Game]:
    """The same game twice, with an engine and without one. One of them is compiled with the flags that users get."""
    compiled = load_compiled(compiled_by, players, counted="begins")
    game = CountingGame(with_counters(compiled), compiled_by, states_native=False)
    try:
        with optimised((compiled_by, players) == ("pikit", 3)):
            game.require_engine()
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
        pytest.skip(str(problem))
    return game, counting_game(compiled, compiled_by)


def of_text(rules: str, players: int) -> tuple[Game, Game]:
    program = checked(rules, players)
    compiled = compile_program(program, counted="begins")
    game = CountingGame(with_counters(compiled), None, states_native=False)
    try:
        game.use(Engine(load_library(quick_library(program, "begins")), game.meta))
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
        pytest.skip(str(problem))
    return game, counting_game(compiled)


def played(game: Game, bot: str, games: int, first: int = 7) -> tuple[list[Row], Tally, Watch]:
    """One game in three is looked at closely."""
    watch, tally = Watch(game, (bot,) * game.players), Tally(game.players)
    rows = Played(watch, tally, True, Branches(game.meta)).games(range(first, first + games), first, 3, False)
    return rows, tally, watch


def assert_same(games: tuple[Game, Game], bot: str, count: int, first: int = 7) -> list[Row]:
    (ours, sums, watch), (theirs, wanted, _) = (played(game, bot, count, first) for game in games)
    assert watch.compiled() is not None
    assert ours == theirs
    assert repr(sums) == repr(wanted)  # to the order in which things were first seen
    return ours


@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", 2), ("kuhn_poker", 2), ("pikit", 3), ("sea_wall", 2)])
def test_rows_and_sums_are_the_same(name: str, players: int) -> None:
    assert_same(native(name, players), "random", 40)


# Points all over the place, and thousands of different first choices.
WIDE = """
game wide "Wide" for 2 players
each player
  points: 0..9000
play
  repeat 3 times
    for p in players
      turn(p)
phase turn(p)
  choose n in 1..900 "How many?"
  p.points += n
score p
  "Points"  p.points
"""


def test_numbers_that_lie_far_apart_are_counted_too() -> None:
    games = of_text(WIDE, 2)
    rows = assert_same(games, "random", 2400)
    assert max(row.scores[0] for row in rows) - min(row.scores[0] for row in rows) > 1000
    _, tally, _ = played(games[0], "random", 2400)
    assert len(tally.early) > 2048


def test_more_rows_than_there_is_room_for_are_added_up_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """C keeps some eight thousand different rows; a batch may have more, and all of it is played there."""
    games = of_text(WIDE, 2)
    wanted, sums, _ = played(games[1], "random", 9000)
    assert len({row[1:] for row in wanted}) > 8192
    monkeypatch.setattr(Played, "_here", lambda *_: pytest.fail("a game was played in Python"))
    ours, found, _ = played(games[0], "random", 9000)
    assert ours == wanted and repr(found) == repr(sums)


def test_seeds_below_zero_follow_each_other_too() -> None:
    assert [row.seed for row in assert_same(native("tic_tac_toe", 2), "random", 8, -5)] == list(range(-5, 3))


def test_games_of_bots_that_think_are_followed_in_c() -> None:
    assert_same(native("pikit", 2), "greedy", 4)


@pytest.mark.parametrize("players", [2, 3])
def test_lines_that_come_and_go_and_ends_of_every_kind(players: int) -> None:
    rows = assert_same(of_text(SHEETS, players), "random", 200)
    assert {len(row.sheet) for row in rows} == {0, 2, 3}
    reasons = {row.reason for row in rows}
    assert {"Too low", ""} < reasons and any("has 2" in reason for reason in reasons)
    assert all(row.scores == (0,) * players and row.sheet == () for row in rows if row.reason == "Too low")


@pytest.mark.parametrize(
    ("rank", "leads"),
    [
        ("highest score", lambda scores: (scores[0] - scores[1], abs(scores[0] - scores[1]))),
        ("lowest score", lambda scores: (scores[1] - scores[0], abs(scores[0] - scores[1]))),
        ("most p.luck, then highest score", lambda scores: (None, None)),
    ],
)
def test_leads_go_by_what_the_rules_rank(
    rank: str, leads: Callable[[tuple[int, ...]], tuple[int | None, int | None]]
) -> None:
    """Where the fewest points win, whoever has fewer is ahead; where something else decides, points say nothing."""
    rows = assert_same(of_text(SHEETS.replace("rank p by highest score", f"rank p by {rank}"), 2), "random", 60)
    assert [(row.lead, row.margin) for row in rows] == [leads(row.scores) for row in rows]


def test_with_three_players_the_margin_is_that_of_the_fewest_points() -> None:
    rows = assert_same(of_text(SHEETS.replace("highest score", "lowest score"), 3), "random", 60)
    for row in rows:
        fewest, next_fewest, _ = sorted(row.scores)
        assert (row.lead, row.margin) == (min(row.scores[1:]) - row.scores[0], next_fewest - fewest)


def test_a_score_sheet_whose_labels_have_holes_is_read_by_python() -> None:
    rules = SHEETS.replace('"Low"   -p.low', '"Low dice of {p}"  -p.low')
    games = of_text(rules, 2)
    ours, sums, watch = played(games[0], "random", 60)
    theirs, wanted, _ = played(games[1], "random", 60)
    assert watch.compiled() is None and ours == theirs and repr(sums) == repr(wanted)


def test_a_game_that_c_cannot_write_down_is_played_by_python() -> None:
    rules = SHEETS.replace("3 * p.luck", "3000000 * p.luck")
    rows = assert_same(of_text(rules, 2), "random", 60)
    assert any(max(row.scores) > 1_000_000 for row in rows)


def test_a_game_with_another_constant_has_an_engine_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules stand in no file: what is laid over the files goes along, also into a pickle and another process."""
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "auto")
    with optimised(is_shipped=False):
        game = load_with("pig", 2, ("goal=30",))
        assert isinstance(game, CountingGame)
        try:
            game.require_engine()
        except NativeUnavailable as problem:
            assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
            pytest.skip(str(problem))
        assert_same((game, counting_game(game.compiled)), "random", 40)
        again = pickle.loads(pickle.dumps(game))
        assert again.engine_for_playouts(0.0) is not None  # found, and not made again
        other = load_with("pig", 2, ("goal=31",))
        assert isinstance(other, CountingGame)
        assert made_in_background(other.asked, 2, "begins", other.texts).wait(120) == 0
        assert other.engine_for_playouts(0.0) is not None


def test_games_that_are_looked_at_closely_lead_to_an_engine_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a study of some fifty games all are looked at closely, and such a game may take seconds in Python."""
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "auto")
    told: list[float] = []
    monkeypatch.setattr(CountingGame, "engine_for_playouts", lambda self, spent: told.append(spent))
    watch = Watch(load_counting("kalah", None), ["random"] * 2)
    for seed in range(2_000):
        watch.row(seed, closely=True)
        watch.compiled()
        if told:
            break
    assert told and told[0] > 0
