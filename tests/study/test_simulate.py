"""Simulations: the same games whatever the processes, and reports that add up."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from interpreter.compile.load import compile_program
from interpreter.play.contract import PlayError
from interpreter.study.report import report_of
from interpreter.study.report_text import report_text
from interpreter.study.rows import Row
from interpreter.study.simulate import simulate, simulated_rows
from interpreter.study.watch import counting_game
from tests.play.race import RaceGame, race_for_three
from tests.study import known_games as known
from tests.toy_games import checked

BOTS = ["random", "first", "random"]
LEAVING = """
game leaving "Leaving" for 3 players
table
  dice: 1 dice of 1..6
play
  in turn p from seat1
    turn(p)
phase turn(p)
  roll dice
  choose n in 1..2 "How many?"
  if dice[1].face <= 2
    p loses "Thrown out"
"""
RANKED = """
game ranked "Ranked" for 2 players
table
  dice: 1 dice of 1..6
each player
  points: 0..100
play
  in turn p from seat1
    turn(p)
    if dice[1].face == 6
      end game
phase turn(p)
  roll dice
  p.points += dice[1].face
rank p by highest p.points, then shared
"""
SCHEMA = Path(__file__).parents[2] / "schemas" / "report.schema.json"


@pytest.mark.parametrize("bots", [BOTS, ["random"] * 3])
def test_the_number_of_processes_changes_nothing(bots: list[str]) -> None:
    here = simulated_rows(race_for_three, bots, games=120, seed=5)
    there = simulated_rows(race_for_three, bots, games=120, seed=5, jobs=2)
    assert here == there
    assert [row.seed for row in here] == list(range(5, 125))


def test_random_games_are_played_out_fast_and_some_are_counted() -> None:
    rows = simulated_rows(race_for_three, ["random"] * 3, games=200, seed=3)
    assert [row.seed for row in rows if row.offered is not None] == [3 + n for n in range(0, 200, 3)]


@pytest.mark.parametrize(
    ("rules", "players"), [(known.COIN, 2), (known.RACE, 2), (known.PILE, 2), (LEAVING, 3), (RANKED, 2)]
)
def test_whether_somebody_wants_rows_changes_no_sum(rules: str, players: int) -> None:
    """Without rows games that end alike are taken up together, in the order in which their ends first came."""
    game = counting_game(compile_program(checked(rules, players)))
    rows: list[Row] = []
    for number in (40, 300):
        alone = simulate(lambda: game, ["random"] * players, number).tally
        beside = simulate(lambda: game, ["random"] * players, number, take_rows=rows.extend).tally
        assert repr(alone) == repr(beside)
        assert alone.games == number
    for row in rows:
        state = game.playout(row.seed)
        assert (row.ranking, row.winners) == (tuple(state.ranking), tuple(state.winners))
    assert len(rows) == 340 and len({row[1:] for row in rows}) > 1


def test_progress_hears_of_every_game() -> None:
    done: list[int] = []
    simulate(race_for_three, BOTS, games=101, progress=done.append)
    assert sum(done) == 101


def test_a_report_adds_up_and_fits_its_schema() -> None:
    report = report_of(RaceGame(3), simulate(race_for_three, BOTS, games=60, seed=1))
    jsonschema.validate(json.loads(json.dumps(report)), json.loads(SCHEMA.read_text()))
    wins = sum(seat["wins"] for seat in report["seats"])
    assert wins + report["shared"] + report["without_winner"] == 60
    assert report["endings"] == {"Ten reached": 60}
    assert report["length"]["min"] >= 10
    assert 1 < report["branching"] <= 4
    for seat in report["seats"]:
        low, high = seat["interval"]
        assert 0 <= low <= seat["rate"] <= high <= 1


def test_the_interval_of_the_first_seat_is_the_one_that_its_sentence_tells() -> None:
    told = 0
    for games in range(20, 90, 7):
        report = report_of(RaceGame(3), simulate(race_for_three, ["random"] * 3, games=games, seed=games))
        low, high = report["seats"][0]["interval"]
        if not report["shared"]:
            told += 1
            assert f"between {100 * low:.1f} and {100 * high:.1f}" in report["first_seat"]["sentence"]
            assert (report["first_seat"]["chance"] < 0.05) == (not low <= report["first_seat"]["even"] <= high)
    assert told


def test_the_speed_of_slow_games_is_told_in_seconds_a_game() -> None:
    report = report_of(RaceGame(3), simulate(race_for_three, ["first"] * 3, games=2))
    for games, told in ((0.0286, "35 s a game"), (0.9, "1.1 s a game"), (19.24, "19.2 games a second")):
        report["speed"] = {"jobs": 1, "seconds": 1.0, "games_per_second": games, "decisions_per_second": 3.0}
        assert f"3 choices a second, {told} (1 job)" in report_text(report)


def test_the_text_shows_every_seat() -> None:
    report = report_of(RaceGame(3), simulate(race_for_three, ["first"] * 3, games=2))
    report["speed"] = {"jobs": 1, "seconds": 1.0, "games_per_second": 2.0, "decisions_per_second": 56.0}
    text = report_text(report).splitlines()
    assert text[:4] == [
        "Race to ten (race), 3 players, 2 games from seed 0",
        "",
        "Who wins",
        "  seat     bot    wins     rate     95 % interval  shares first  mean score  sd  min  q1  median  q3  max",
    ]  # fmt: skip
    assert text[4:7] == [
        "  1 seat1  first     2  100.0 %  15.8 % - 100.0 %             0          10   0   10  10      10  10   10",
        "  2 seat2  first     0    0.0 %    0.0 % - 84.2 %             0           9   0    9   9       9   9    9",
        "  3 seat3  first     0    0.0 %    0.0 % - 84.2 %             0           9   0    9   9       9   9    9",
    ]
    assert text[7].startswith("  No advantage or disadvantage of the first seat is shown")  # two games show nothing
    assert " ".join(line.strip() for line in text[8:11]).endswith("the best of several others is ahead of most.")
    assert text[12:] == [
        "The score sheet",
        "  line   seat1 (mean ± sd)  seat2 (mean ± sd)  seat3 (mean ± sd)  decides",
        "  Steps             10 ± 0              9 ± 0              9 ± 0  100.0 %",
        "  ± is the standard deviation from game to game; decides: the line's part of what makes scores differ.",
        "",
        "The games",
        "  choices of all players  28 on average, middle half 28 .. 28, all 28 .. 28; with two or more options",
        "  minutes, estimated      5 (at 10 s a choice and 2 s a forced one: `--pace`)",
        "  options a choice        3.82",
        "  margin in points        1 on average, middle half 1 .. 1, all 1 .. 1; between the best and the second best "
        "score, whoever won",
        "  speed                   56 choices a second, 2 games a second (1 job)",
        "",
        "How games ended",
        "  Ten reached  2  100.0 %",
    ]


def test_an_unknown_bot_is_told_before_anything_is_played() -> None:
    with pytest.raises(PlayError, match="no bot `randum`"):
        simulate(race_for_three, ["randum"] * 3, games=10)
