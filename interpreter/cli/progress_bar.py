"""The bar of a study: how many games are done, and how long the rest will take.

Before two batches are done nothing is known from the study itself; then the estimate of the trial games stands in, if
there is one. Afterwards the games of the last half minute count.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.status import Status
from rich.text import Text

from .messages import own_stream


class TimeLeft(ProgressColumn):
    """`expected` seconds for one game, as it was estimated."""

    max_refresh = 0.5

    def __init__(self, expected: float | None) -> None:
        super().__init__()
        self._expected = expected

    def render(self, task: Task) -> Text:
        return Text(_told(self.seconds(task)), style="progress.remaining")

    def seconds(self, task: Task) -> float | None:
        if task.finished:
            return 0.0
        if task.total is None:
            return None
        measured = task.time_remaining  # by the speed of the last half minute, from the second batch on
        if measured is not None:
            return measured
        if self._expected is None:
            return None
        return max(0.0, task.total * self._expected - (task.elapsed or 0.0))


def _told(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 100:
        return f"{seconds:.0f} s left"
    return f"{seconds / 60:.0f} min left" if seconds < 5400 else f"{seconds / 3600:.1f} h left"


def waiting(words: str) -> Status:
    """A line that says what is being done as long as that takes, on the error stream."""
    return Console(file=own_stream(sys.stderr)).status(words)


def bar_of(expected: float | None) -> Progress:
    """The bar, on the error stream. Its tasks say in words what is counted."""
    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeLeft(expected),
        console=Console(file=own_stream(sys.stderr)), transient=True,
    )  # fmt: skip
