"""The time that is left: by the trial games at first, then by the games of the study."""

from __future__ import annotations

import io
import sys

import pytest
from rich.progress import Progress, TaskID

import interpreter as rw
from interpreter.cli.progress_bar import TimeLeft
from interpreter.cli.study_options import bots_of, progress_of
from interpreter.study.default_bots import Players


class Hours:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def study() -> tuple[Hours, Progress, TaskID]:
    clock = Hours()
    bar = Progress(get_time=clock, disable=False, auto_refresh=False)
    return clock, bar, bar.add_task("games", total=100)


def left(bar: Progress, expected: float | None) -> float | None:
    return TimeLeft(expected).seconds(bar.tasks[0])


def test_the_trial_games_stand_in_at_first(study: tuple[Hours, Progress, TaskID]) -> None:
    clock, bar, _ = study
    assert left(bar, 2.0) == 200 and left(bar, None) is None
    clock.now = 30.0
    assert left(bar, 2.0) == 170
    clock.now = 900.0
    assert left(bar, 2.0) == 0


def test_after_two_games_the_study_itself_counts(study: tuple[Hours, Progress, TaskID]) -> None:
    clock, bar, task = study
    for clock.now in (10.0, 15.0, 20.0):
        bar.advance(task, 1)
    assert left(bar, 2.0) == left(bar, None) == 97 * 5
    bar.advance(task, 97)
    assert left(bar, 2.0) == 0


@pytest.mark.parametrize(
    ("seconds", "words"), [(None, ""), (0.2, "20 s left"), (2.0, "3 min left"), (90.0, "2.5 h left")]
)
def test_times_are_told_in_words(study: tuple[Hours, Progress, TaskID], seconds: float | None, words: str) -> None:
    assert TimeLeft(seconds).render(study[1].tasks[0]).plain == words


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """No fixture: pytest exchanges the streams between the making of one and its test."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return made


def test_a_terminal_is_told_of_trial_games(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = screen_of(monkeypatch)
    game = rw.load("nim")
    bots_of("random", game, 3)
    assert screen.getvalue() == ""
    bots_of("auto", game, 3)
    assert "timing trial games" in screen.getvalue()


def test_the_bar_says_who_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a bot whose name would mean something to the bar."""
    screen = screen_of(monkeypatch)
    with progress_of(10, seated=Players(("mcts:50", "process:[b]{x}"), None, 60.0), jobs=1) as more:
        assert more is not None
        more(1)
    assert "games by mcts:50, process:[b]{x}" in screen.getvalue()
    assert "10 min left" in screen.getvalue()
