"""Batches on Ray: as many machines as a cluster has, or the processes of a local Ray.

The same batches, the same results in the same order as `batches` gives on this machine: what a batch gives depends on
its seeds alone. Ray plays a batch again if the worker that had it dies. A worker opens the work once and keeps it for
all batches; on other machines the program must be installed in the same version, and the ruleset must lie in the same
place.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from typing import Any, TypeVar

from ..play.contract import PlayError
from .batches import AHEAD, MOST_DEATHS, Work

T = TypeVar("T")

_opened: dict[str, Any] = {}  # of a worker: the work that it has opened, by its key


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise PlayError("`--engine ray` needs the extra `ray`", "pip install 'rulewright[ray]'") from None


def run_on_ray(work: Work[T], batches: Sequence[range], jobs: int, address: str | None = None) -> Iterator[T]:
    """The results of all batches, in their order. Without an address a local Ray is started with `jobs` workers."""
    ray = _ray()
    work.open()  # once here: what is wrong with the ruleset is told at once, and local workers find it in the cache
    ours = not ray.is_initialized()
    if ours:
        _begin(ray, jobs, address)
    try:
        yield from _played(ray, work, batches, jobs if address is None else _cpus(ray, jobs))
    finally:
        if ours:
            ray.shutdown()


def _begin(ray: Any, jobs: int, address: str | None) -> None:
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address is None:
            ray.init(num_cpus=jobs, **quiet)
        else:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except Exception as problem:  # Ray raises this very class if it does not start in time
        where = f"no Ray answers at `{address}`" if address else "a local Ray cannot be started"
        raise PlayError(f"{where}: {(str(problem) or 'no reason given').splitlines()[0]}") from problem


def _cpus(ray: Any, jobs: int) -> int:
    return max(jobs, int(ray.cluster_resources().get("CPU", jobs)))


def _played(ray: Any, work: Work[T], batches: Sequence[range], workers: int) -> Iterator[T]:
    content = ray.cloudpickle.dumps(work)
    key = sha256(content).hexdigest()
    sent = ray.put(content)
    play = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(_play)
    left, waiting = deque(batches), deque[Any]()
    try:
        while left or waiting:
            while left and len(waiting) < workers * AHEAD:
                waiting.append(play.remote(key, sent, left.popleft()))
            yield _result(ray, waiting[0])
            waiting.popleft()
    finally:
        for task in waiting:
            ray.cancel(task, force=False)


def _result(ray: Any, task: Any) -> Any:
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as failed:
        raise failed.cause from None  # a fault of the rules, told as if it had happened here
    except ray.exceptions.WorkerCrashedError as died:
        raise PlayError(
            f"Ray workers died more than {MOST_DEATHS} times over the same games",
            "is there enough memory? what was finished before is kept",
        ) from died


def _play(key: str, content: bytes, seeds: range) -> Any:
    """Runs in a worker."""
    if key not in _opened:
        opened = pickle.loads(content)
        opened.open()
        _opened[key] = opened
    return _opened[key].play(seeds)
