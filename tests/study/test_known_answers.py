"""Statistics on games with known answers: intervals cover what they promise, tests raise few false alarms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interpreter.play.seeds import derived_seed
from interpreter.runtime.game import Game
from interpreter.study.compare import Pairs, comparison_of, play_pairs
from interpreter.study.figures import PairTally
from interpreter.study.rows import Row
from interpreter.study.simulate import simulated_rows
from interpreter.study.statistics import moments_of, wilson_interval
from interpreter.study.watch import Watch
from tests.study import known_games as known

REPETITIONS = 1000
EACH = 40  # games


def repetitions(load: Callable[[], Game], each: int = EACH) -> list[list[Row]]:
    """A thousand studies of forty games, every game with a seed of its own. The seeds are spread: the random choices of
    neighbouring seeds are not quite independent, which shows in games of three or four choices and nothing else."""
    watch = Watch(load(), ["random", "random"])
    rows = [watch.row(derived_seed(number, 0), closely=False)[0] for number in range(REPETITIONS * each)]
    return [rows[start : start + each] for start in range(0, len(rows), each)]


@pytest.mark.parametrize(
    ("load", "truth"),
    [(known.coin, 1 / 2), (known.race, 6 / 11), (known.pile, known.first_wins_pile())],
    ids=["coin", "race", "pile"],
)
def test_win_rates_are_covered_as_promised(load: Callable[[], Game], truth: float) -> None:
    covered = 0
    for rows in repetitions(load):
        low, high = wilson_interval(sum(row.winners == (0,) for row in rows), len(rows))
        covered += low <= truth <= high
    assert 0.93 <= covered / REPETITIONS <= 0.975


def test_mean_lengths_are_covered_as_promised() -> None:
    """The turns of the race are geometric, which is as lopsided as lengths come: forty games are few for it."""
    covered = 0
    for rows in repetitions(known.race):
        low, high = moments_of([row.turns or 0 for row in rows]).interval()
        covered += low <= 6 <= high
    assert 0.91 <= covered / REPETITIONS <= 0.97


def test_differences_are_covered_and_false_alarms_are_rare() -> None:
    """A game compared with itself under other seeds: no figure differs in truth."""
    covered = alarms = lines = 0
    watch = Watch(known.scores(), ["random", "random"])
    for number in range(300):
        rows = [watch.row(derived_seed(number, game), closely=False)[0] for game in range(2 * EACH)]
        pairs = list(zip(rows[:EACH], rows[EACH:], strict=True))
        comparison = compared(pairs)
        alarms += bool(comparison["sentences"])
        for line in comparison["lines"]:
            covered += line["interval"][0] <= 0 <= line["interval"][1]
            lines += 1
    assert alarms / 300 <= 0.08
    assert 0.93 <= covered / lines <= 0.99


def compared(pairs: list[tuple[Row, Row]]) -> dict[str, Any]:
    tally = PairTally(("seat1", "seat2"))
    for first, second in pairs:
        tally.note(first, second)
    game = known.scores()
    return comparison_of((game, game), Pairs(("random", "random"), 0, len(pairs), tally))


def test_turns_and_rounds_are_those_of_the_rules() -> None:
    rows = simulated_rows(known.scores, ["random", "random"], 20)
    assert {(row.turns, row.rounds) for row in rows} == {(2, 1)}
    assert {row.decisions for row in rows} == {2}
    rows = simulated_rows(known.race, ["random", "random"], 200)
    assert {row.winners[0] for row in rows if row.turns == 1} == {0}
    assert all(row.rounds == -(-(row.turns or 0) // 2) for row in rows)


def test_a_known_difference_is_found_and_told() -> None:
    pairs = play_pairs((known.race, known.coin), ["random", "random"], 1000)
    comparison = comparison_of((known.race(), known.coin()), pairs)
    told = "\n".join(comparison["sentences"])
    assert "ends with: A six: 100.0 points less often" in told
    wins = next(line for line in comparison["lines"] if line["name"] == "seat1 wins")
    assert wins["interval"][0] - 0.01 < 1 / 2 - 6 / 11 < wins["interval"][1] + 0.01
