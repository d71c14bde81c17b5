"""The processes in which bots think (`worker`): a few of them, each with one job at a time and a time limit.

Rules and searches are Python code, which would hold up every table if it ran in the server itself. A worker that is
late is killed and another one started: a bot cannot stop a table for ever, nor any other table at all.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import Any

_PACKAGE_PARENT = Path(__file__).resolve().parents[3]
_LONGEST_ANSWER = 1 << 20


class WorkFailed(Exception):
    """A job that was not done: the worker was late, died, or said why."""


class Workers:
    def __init__(self, count: int) -> None:
        self._count = max(1, count)
        self._idle: list[_Process] = []
        self._free = asyncio.Semaphore(self._count)
        self._all: set[_Process] = set()
        self._closed = False

    async def run(self, job: dict[str, Any], limit: float) -> dict[str, Any]:
        """The answer to a job. Waiting for a free worker does not count towards the limit."""
        async with self._free:
            if self._closed:
                raise WorkFailed("the server is stopping")
            worker = self._idle.pop() if self._idle else await self._started()
            try:
                answer = await asyncio.wait_for(worker.ask(job), limit)
            except asyncio.CancelledError:
                await self._end(worker)
                raise
            except (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError) as problem:
                await self._end(worker)
                raise WorkFailed(f"{type(problem).__name__}: {problem}") from problem
            self._idle.append(worker)
        if "error" in answer:
            raise WorkFailed(answer["error"])
        return answer

    async def _started(self) -> _Process:
        environment = {**os.environ, "PYTHONPATH": str(_PACKAGE_PARENT)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", f"{__package__}.worker",
            stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment, limit=_LONGEST_ANSWER, start_new_session=True,
        )  # fmt: skip
        worker = _Process(process)
        self._all.add(worker)
        return worker

    async def _end(self, worker: _Process) -> None:
        self._all.discard(worker)
        await worker.end()

    async def close(self) -> None:
        self._closed = True
        for worker in list(self._all):
            await self._end(worker)
        self._idle.clear()


class _Process:
    def __init__(self, process: Process) -> None:
        self._process = process
        self._asked = 0

    async def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._asked += 1
        self._process.stdin.write(json.dumps({"id": self._asked, **job}).encode() + b"\n")
        await self._process.stdin.drain()
        answer: dict[str, Any] = json.loads(await self._process.stdout.readuntil(b"\n"))
        if answer.pop("id", None) != self._asked:
            raise ValueError("an answer to something else")
        return answer

    async def end(self) -> None:
        if self._process.returncode is None:
            try:
                self._process.kill()
            except ProcessLookupError:
                pass
            await self._process.wait()
