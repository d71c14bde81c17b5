"""Building while Python already plays.

The whole build, from finding a compiler to putting the library in its place, is done by another process, which goes on
if this one ends: a command that is over before the compiler still leaves a library for the next command. It is polite
(a lower priority) and ends by itself, since everything in it has a time limit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO

from .build import SECONDS, Order, build, known_result
from .process import end_group
from .store import cannot_write, private_folder
from .toolchain import FLAGS, ProbeNeeded
from .unavailable import NativeUnavailable

_START = "import sys; sys.path.insert(0, sys.argv[1]); from interpreter.native.background import work; work()"
_ROOT = Path(__file__).resolve().parent.parent.parent
_RUNNING: list[subprocess.Popen[bytes]] = []  # kept from the garbage collector, which would complain about them


class BackgroundBuild:
    """A build that is under way, or one whose library was there already."""

    def __init__(self, child: subprocess.Popen[bytes] | None, answer: IO[bytes] | None, path: Path | None) -> None:
        self._child, self._answer, self._path = child, answer, path
        self._failure: NativeUnavailable | None = None

    def poll(self) -> Path | None:
        """The library, or None while it is being built; does not wait. Raises NativeUnavailable if it failed."""
        if self._child is not None and self._child.poll() is not None:
            self._finish(self._child.returncode)
        if self._failure is not None:
            raise self._failure
        return self._path

    def wait(self, seconds: float) -> Path | None:
        """As `poll`, after at most that time."""
        if self._child is not None:
            deadline = time.monotonic() + seconds
            while self._child.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
        return self.poll()

    def cancel(self) -> None:
        """End the build; what it has begun is removed by a later one."""
        if self._child is not None and self._child.poll() is None:
            end_group(self._child)
            self._finish(-9)

    def _finish(self, code: int) -> None:
        assert self._child is not None and self._answer is not None
        _RUNNING.remove(self._child)
        self._child = None
        with self._answer as file:
            file.seek(0)
            self._read(file.read(), code)

    def _read(self, answer: bytes, code: int) -> None:
        try:
            told = json.loads(answer)
        except ValueError:
            self._failure = NativeUnavailable(f"the build in the background ended with code {code}", passing=True)
            return
        if told["path"] is not None:
            self._path = Path(told["path"])
        else:
            self._failure = NativeUnavailable(told["reason"], told["detail"], passing=told["passing"])


def build_in_background(
    source: str,
    name: str,
    key: str,
    *,
    flags: Sequence[str] = FLAGS,
    kind: str = "library",
    seconds: float = SECONDS,
) -> BackgroundBuild:
    """Start building a library; returns at once. Raises NativeUnavailable if it is known already that it cannot be
    built, or if no process can be started."""
    order = Order(source, name, key, tuple(flags), kind, seconds)
    try:
        found = known_result(order, order.entry(order.compiler(may_probe=False)))
    except ProbeNeeded:
        found = None  # a compiler must be tried first; that is done in the background too
    if found is not None:
        return BackgroundBuild(None, None, found)
    return _started(order)


def _started(order: Order) -> BackgroundBuild:
    """The order goes in and the answer comes out through files without a name, which vanish with the last process."""
    folder = private_folder()
    try:
        answer = tempfile.TemporaryFile(dir=folder)
        with tempfile.TemporaryFile(dir=folder) as wanted:
            wanted.write(json.dumps(asdict(order)).encode())
            wanted.flush()
            wanted.seek(0)
            child = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(_ROOT)],
                stdin=wanted,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
    except (OSError, ValueError) as problem:
        raise cannot_write(folder, problem if isinstance(problem, OSError) else OSError(str(problem))) from problem
    _RUNNING.append(child)
    return BackgroundBuild(child, answer, None)


def work() -> None:
    """What the other process does: an order on standard input, an answer on standard output."""
    if hasattr(os, "nice"):
        os.nice(10)
    wanted = json.loads(sys.stdin.buffer.read())
    order = Order(**{**wanted, "flags": tuple(wanted["flags"])})
    told: dict[str, object] = {"path": None, "reason": "", "detail": "", "passing": False}
    try:
        told["path"] = str(build(order))
    except NativeUnavailable as problem:
        told |= {"reason": str(problem), "detail": problem.detail, "passing": problem.passing}
    except OSError as problem:
        told |= {"reason": f"the build in the background failed: {problem}", "passing": True}
    sys.stdout.write(json.dumps(told))
