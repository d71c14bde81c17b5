"""Simulations: the same games whatever the processes, and reports that add up."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from interpreter.play.contract import PlayError
from interpreter.study.report import report_of, report_text
from interpreter.study.simulate import simulate
from tests.play.race import RaceGame, race_for_three

BOTS = ["random", "first", "random"]
SCHEMA = Path(__file__).parents[2] / "schemas" / "report.schema.json"


@pytest.mark.parametrize("bots", [BOTS, ["random"] * 3])
def test_the_number_of_processes_changes_nothing(bots: list[str]) -> None:
    here = simulate(race_for_three, bots, games=120, seed=5)
    there = simulate(race_for_three, bots, games=120, seed=5, jobs=2)
    assert here.outcomes == there.outcomes
    assert [outcome.seed for outcome in here.outcomes] == list(range(5, 125))


def test_random_games_are_played_out_fast_and_some_are_counted() -> None:
    outcomes = simulate(race_for_three, ["random"] * 3, games=100, seed=3).outcomes
    assert [outcome.seed for outcome in outcomes if outcome.offered is not None] == [3 + n for n in range(0, 100, 16)]


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


def test_the_text_shows_every_seat() -> None:
    report = report_of(RaceGame(3), simulate(race_for_three, ["first"] * 3, games=2))
    report["speed"] = {"jobs": 1, "seconds": 1.0, "games_per_second": 2.0, "decisions_per_second": 56.0}
    assert report_text(report).splitlines() == [
        "Race to ten (race), 3 players, 2 games from seed 0",
        "",
        "seat     bot    wins     rate              95 %  shared  mean  sd  min  q1  median  q3  max",
        "1 seat1  first     2  100.0 %  34.2 % - 100.0 %       0    10   0   10  10      10  10   10",
        "2 seat2  first     0    0.0 %    0.0 % - 65.8 %       0     9   0    9   9       9   9    9",
        "3 seat3  first     0    0.0 %    0.0 % - 65.8 %       0     9   0    9   9       9   9    9",
        "",
        "decisions a game    28 (middle half 28 .. 28, all 28 .. 28)",
        "options a decision  3.82",
        "speed               56 decisions a second, 2 games a second (1 job)",
        "",
        "How games ended",
        "  Ten reached  2  100.0 %",
    ]


def test_an_unknown_bot_is_told_before_anything_is_played() -> None:
    with pytest.raises(PlayError, match="no bot `randum`"):
        simulate(race_for_three, ["randum"] * 3, games=10)
