"""Studies on a local Ray: the same bytes as here, also when a worker is killed in the middle. Needs the extra `ray`."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from interpreter.play.contract import PlayError
from interpreter.study.batches import batches_of, run_batches
from interpreter.study.simulate import Batch, Games
from interpreter.study.watch import load_counting

GAMES = 400
ray = pytest.importorskip("ray")


class Killed(Games):
    """Games whose worker is killed when it first comes to the middle."""

    mark: Path | None = None
    parent = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "mark": self.mark, "parent": self.parent}

    def play(self, seeds: range) -> Batch:
        if GAMES // 2 in seeds and os.getpid() != self.parent and self.mark is not None and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(seeds)


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.cloudpickle.register_pickle_by_value(sys.modules[Killed.__module__])
    yield
    ray.shutdown()


def rows_of(mark: Path | None, engine: str) -> bytes:
    work = Killed(partial(load_counting, "nim", 2), ("random",) * 2, 0, GAMES, sends_rows=True)
    work.mark = mark
    batches = batches_of(0, GAMES, thoughtful=False)
    return pickle.dumps([row for batch in run_batches(work, batches, 2, engine) for row in batch.rows])


@pytest.mark.usefixtures("local_ray")
def test_a_killed_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    assert rows_of(mark, "ray") == rows_of(None, "processes")
    assert mark.exists()


def test_a_ray_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(**_: object) -> None:
        raise Exception("The current node timed out during startup.\nMore words.")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", late)
    with pytest.raises(PlayError, match="a local Ray cannot be started: The current node timed out during startup"):
        rows_of(None, "ray")
