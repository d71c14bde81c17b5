"""Running a program that may hang, crash, or print without end.

Compilers are programs of others. Each is started in a process group of its own, so that its helpers (`cc1`, `as`,
`ld`) can be ended with it; its output is read up to a limit, and its time is limited.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .unavailable import NativeUnavailable

KEPT = 64 * 1024  # bytes of output that are kept
MOST_OUTPUT = 16 * 1024 * 1024  # a program that prints more than this is ended


@dataclass(frozen=True)
class Finished:
    """How a program ended. `code` is its exit code, or minus the number of the signal that ended it."""

    code: int
    output: str
    timed_out: bool = False
    printed_too_much: bool = False

    @property
    def succeeded(self) -> bool:
        return self.code == 0 and not self.timed_out and not self.printed_too_much

    @property
    def was_killed(self) -> bool:
        """True if somebody else ended it (SIGKILL, SIGTERM): a user, or a machine that had no memory left."""
        return self.code in (-9, -15) and not (self.timed_out or self.printed_too_much)

    def how(self, seconds: float) -> str:
        """What went wrong, to follow the name of the program: `did not finish within 10 s`."""
        if self.timed_out:
            return f"did not finish within {seconds:g} s"
        if self.printed_too_much:
            return "printed without end"
        if self.code < 0:
            return f"was ended by {_signal_name(-self.code)}"
        return f"failed with exit code {self.code}"


def run(
    command: Sequence[str], seconds: float, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run a program to its end, or end it when its time is up. Raises NativeUnavailable (`cannot be started: …`) if
    that is so; the caller puts the name of the program before it."""
    try:
        child = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as problem:
        raise NativeUnavailable(f"cannot be started: {_said(problem)}") from problem
    return _watch(child, time.monotonic() + seconds)


def _watch(child: subprocess.Popen[bytes], deadline: float) -> Finished:
    """Read what it prints until it ends. Whatever happens here (also Ctrl-C), the program does not outlive the call."""
    assert child.stdout is not None
    output, count = bytearray(), 0
    timed_out = False
    with child.stdout, selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        try:
            while count <= MOST_OUTPUT and not timed_out:
                # Usually the end of the output is the end of the program. A helper that lives on would keep the pipe
                # open, so the program itself is looked at too.
                if selector.select(min(0.1, max(0.0, deadline - time.monotonic()))):
                    chunk = os.read(child.stdout.fileno(), KEPT)
                    if not chunk:
                        break
                    count += len(chunk)
                    output += chunk[: KEPT - len(output)]
                elif child.poll() is not None:
                    break
                timed_out = time.monotonic() >= deadline
            if count <= MOST_OUTPUT and not timed_out:
                timed_out = not _has_ended(child, deadline)
        finally:
            if child.returncode is None:
                end_group(child)
    text = output.decode("utf-8", errors="replace")
    return Finished(child.returncode, text, timed_out, count > MOST_OUTPUT)


def _has_ended(child: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        child.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def end_group(child: subprocess.Popen[bytes]) -> None:
    """End a program that has not been waited for, and all that it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _said(problem: Exception) -> str:
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
