"""One commit for many: a thread that writes to the store what waits."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from .store import Change, Store

_MOST_AT_ONCE = 200  # changes in one transaction


class Writer:
    """A thread that writes what waits. `write` gives a future that is done when the change is on disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: queue.SimpleQueue[tuple[tuple[Change, ...], Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def write(self, *changes: Change) -> Future[None]:
        done: Future[None] = Future()
        self._waiting.put((changes, done))
        return done

    def close(self) -> None:
        """Writes what waits and stops."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._waiting.get()
            if first is None:
                return
            batch = [first]
            while len(batch) < _MOST_AT_ONCE and not self._waiting.empty():
                more = self._waiting.get()
                if more is None:
                    self._waiting.put(None)  # after this batch
                    break
                batch.append(more)
            self._write(batch)

    def _write(self, batch: list[tuple[tuple[Change, ...], Future[None]]]) -> None:
        changes = [change for together, _ in batch for change in together]
        try:
            problems = self._store.write(changes)
        except Exception as problem:  # the disk is full, the server is gone: nothing of it was written
            problems = [problem] * len(changes)
        position = 0
        for together, done in batch:
            own = problems[position : position + len(together)]
            position += len(together)
            failed = next((problem for problem in own if problem is not None), None)
            _settle(done, failed)


def _settle(done: Future[None], failed: Exception | None) -> None:
    if not done.set_running_or_notify_cancel():
        return
    if failed is None:
        done.set_result(None)
    else:
        done.set_exception(failed)
