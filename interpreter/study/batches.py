"""Runs the batches of a study, here or in several processes, and gives their results in order.

What a batch gives depends on its seeds alone, so neither the number of processes nor which of them played it matters.
Only a few batches are under way at any time and results are handed on as they come, so memory stays flat. A process
that dies (killed, out of memory) costs time and nothing else: what it had not sent back is played again by a new one.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Generic, Protocol, TypeVar

from ..play.contract import PlayError
from ..runtime.faults import Fault

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

PROCESSES = "processes"
MOST_GAMES = 32_000  # of a batch
SHARES = 64  # batches of a study, where those are neither very small nor very large: 2, 4 or 8 processes get as many
_SINGLE = 6  # batches of one game at the beginning of a study by bots that think
AHEAD = 3  # batches under way for each process: enough that none waits, few enough to keep in memory
Stop = PlayError | Fault  # what ends a study before its time: a bot that fails, dead workers, a fault in the rules
MOST_DEATHS = 3  # in a row, without a single batch finished in between


class Work(Protocol[T_co]):
    """What is done with a batch. It is sent to each process once, and opened there (games are loaded)."""

    def open(self) -> None: ...
    def play(self, seeds: range) -> T_co: ...


def require_engine(engine: str) -> None:
    """Raises PlayError if there is no such engine."""
    if engine not in (PROCESSES, "ray") and not engine.startswith("ray:"):
        raise PlayError(f"there is no engine `{engine}`", "there are processes, ray and ray:ADDRESS")


def batches_of(first: int, games: int, thoughtful: bool) -> list[range]:
    """The seeds of a study cut into batches: small ones where bots think, so that progress is seen; large ones in a
    long study, since what is done for each batch is felt where games take microseconds. Where bots think the first
    batches are single games: so the time that is left is known after two of them."""
    least, most = (1, 10) if thoughtful else (50, MOST_GAMES)
    size = max(least, min(most, -(-games // SHARES)))
    end, start = first + games, first
    batches: list[range] = []
    while start < end:
        wanted = 1 if thoughtful and len(batches) < _SINGLE else size
        batches.append(range(start, min(start + wanted, end)))
        start += wanted
    return batches


def run_batches(work: Work[T], batches: Sequence[range], jobs: int, engine: str = PROCESSES) -> Iterator[T]:
    """The results of all batches, in their order. `engine`: processes, ray, or ray:ADDRESS of a cluster."""
    require_engine(engine)
    if engine != PROCESSES:
        from .ray_engine import run_on_ray

        yield from run_on_ray(work, batches, jobs, engine.partition(":")[2] or None)
        return
    if jobs <= 1 or len(batches) < 2:
        work.open()
        for batch in batches:
            yield work.play(batch)
        return
    work.open()  # once here: the processes find what is compiled in the cache, and what is wrong is told at once
    yield from _Pool(work, min(jobs, len(batches))).run(batches)


# ---------------------------------------------------------------------------- several processes

_work: Any = None  # of a worker process


def _start_worker(work: Any) -> None:
    """Ctrl-C reaches all processes of a terminal; the one that talks to the person stops the others."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = work
    _work.open()


def _play(seeds: range) -> Any:
    return _work.play(seeds)


class _Pool(Generic[T]):
    def __init__(self, work: Work[T], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._pool = self._started()
        self._waiting: deque[tuple[range, Future[T]]] = deque()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, initializer=_start_worker, initargs=(self._work,))

    def run(self, batches: Sequence[range]) -> Iterator[T]:
        left = deque(batches)
        deaths = 0
        try:
            while left or self._waiting:
                try:
                    while left and len(self._waiting) < self._jobs * AHEAD:
                        self._waiting.append((left[0], self._pool.submit(_play, left[0])))
                        left.popleft()
                    result = self._waiting[0][1].result()
                except BrokenProcessPool:
                    deaths += 1
                    self._begin_again(left, deaths)
                    continue
                deaths = 0
                self._waiting.popleft()
                yield result
        finally:
            self._stop()

    def _begin_again(self, left: deque[range], deaths: int) -> None:
        if deaths > MOST_DEATHS:
            raise PlayError(
                f"worker processes died {deaths} times in a row",
                "is there enough memory? try fewer `--jobs`; what was finished before is kept",
            )
        self._pool.shutdown(wait=False)
        left.extendleft(batch for batch, _ in reversed(self._waiting))
        self._waiting.clear()
        self._pool = self._started()

    def _stop(self) -> None:
        """Ends the processes without waiting for games that nobody wants any more."""
        processes = list((getattr(self._pool, "_processes", None) or {}).values())
        unfinished = any(not future.done() for _, future in self._waiting)
        self._pool.shutdown(wait=not unfinished, cancel_futures=True)
        if unfinished:
            for process in processes:
                if process.pid is not None and process.is_alive():
                    os.kill(process.pid, signal.SIGTERM)
