"""Batches: in order whatever the processes; deaths cost time, interruptions keep what is done, memory stays flat."""

from __future__ import annotations

import os
import signal
import tracemalloc
from pathlib import Path

import pytest

from interpreter.play.contract import PlayError
from interpreter.study.batches import batches_of, run_batches
from interpreter.study.report import report_of
from interpreter.study.simulate import simulate
from tests.study import known_games as known


class Squares:
    """The squares of the seeds. `dies_at`: the process that comes to this seed first is killed; `mark` remembers it."""

    def __init__(self, dies_at: int = -1, mark: Path | None = None, always: bool = False) -> None:
        self.dies_at, self.mark, self.always = dies_at, mark, always
        self.parent = os.getpid()

    def open(self) -> None: ...

    def play(self, seeds: range) -> list[int]:
        if self.dies_at in seeds and os.getpid() != self.parent and self.mark is not None:
            if self.always or not self.mark.exists():
                self.mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return [seed * seed for seed in seeds]


def squares(work: Squares, jobs: int) -> list[int]:
    return [number for batch in run_batches(work, batches_of(0, 900, thoughtful=False), jobs) for number in batch]


@pytest.mark.parametrize(("games", "thoughtful"), [(1, True), (7, True), (999, True), (3, False), (12_345, False)])
def test_batches_have_every_seed_once(games: int, thoughtful: bool) -> None:
    assert [seed for batch in batches_of(5, games, thoughtful) for seed in batch] == list(range(5, 5 + games))


def test_results_come_in_order() -> None:
    assert squares(Squares(), 1) == squares(Squares(), 3) == [n * n for n in range(900)]


def test_a_process_that_is_killed_costs_nothing_but_time(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    assert squares(Squares(400, mark), 2) == [n * n for n in range(900)]
    assert mark.exists()


def test_processes_that_always_die_are_told(tmp_path: Path) -> None:
    with pytest.raises(PlayError, match="worker processes died"):
        squares(Squares(400, tmp_path / "killed", always=True), 2)


def test_an_interruption_keeps_what_was_played() -> None:
    played = 0

    def stop(more: int) -> None:
        nonlocal played
        played += more
        if played >= 150:
            raise KeyboardInterrupt

    simulation = simulate(known.coin, ["random"] * 2, 1000, progress=stop)
    assert simulation.is_interrupted and simulation.tally.games == played == 150
    report = report_of(known.coin(), simulation)
    assert report["interrupted"] and report["cautions"][0] == "Interrupted: 150 of 1,000 games were played."
    whole = simulate(known.coin, ["random"] * 2, 150)
    assert report["seats"] == report_of(known.coin(), whole)["seats"]


def test_nothing_is_kept_that_grows_with_the_games() -> None:
    simulate(known.race, ["random"] * 2, 200)
    peaks = []
    for games in (1500, 6000):
        tracemalloc.start()
        simulate(known.race, ["random"] * 2, games)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 200_000
