"""A person at the terminal, spoken to through a pipe."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from interpreter.cli.session import Session
from tests.play.race import RaceGame


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _play(
    lines: str, monkeypatch: pytest.MonkeyPatch, kinds: list[str], record: Path | None = None, secret: bool = False
) -> Session:
    game = RaceGame(len(kinds))
    hand = SimpleNamespace(visibility="secret" if secret else "open")
    game.meta = SimpleNamespace(places=[hand], fields=[], automas={}, boards=(), printed=(), phrases={})
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    session = Session(game, game.new(seed=7), kinds, record=record)
    session.run()
    return session


def test_a_game_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _play("3\n3\n3\n1\n", monkeypatch, ["person", "first"], record=tmp_path / "game.json")
    shown = capsys.readouterr().out
    assert shown.startswith("Race to ten, seed 7: seat1 person, seat2 first\n")
    assert "Race to ten · Race › Turn of seat1" in shown
    assert "How far?\n  1  Go 1\n  2  Go 2\n  3  Go 3\n  4  Pass\n" in shown
    assert "The game is over: Ten reached" in shown
    assert "seat1 wins." in shown
    assert json.loads((tmp_path / "game.json").read_text())["choices"] == [103, 101, 103, 101, 103, 101, 101]


def test_a_label_chooses_too(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _play("Go 2\nq\n", monkeypatch, ["person", "first"])
    assert session.match.state.history == (102, 101)


def test_a_number_that_is_not_offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _play("9\nq\n", monkeypatch, ["person", "first"])
    assert "There is no option 9: choose from 1 to 4." in capsys.readouterr().out


def test_undo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    session = _play("u\n3\nu\n1\nq\n", monkeypatch, ["person", "first"])
    assert session.match.state.history == (101, 101)
    assert "There is nothing to take back" in capsys.readouterr().out


def test_saving_and_leaving(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _play("s\nq\n", monkeypatch, ["person", "first"])
    assert (tmp_path / "race-7.save.json").exists()
    assert "go on with: rulewright play --resume race-7.save.json" in capsys.readouterr().out
    _play("s elsewhere.json\nq\n", monkeypatch, ["person", "first"])
    assert (tmp_path / "elsewhere.json").exists()
    _play("s no/such/folder.json\nq\n", monkeypatch, ["person", "first"])
    assert "cannot be written" in capsys.readouterr().out


@pytest.mark.parametrize("lines", ["1\n2\n", "1\n2\nq\n"])
def test_nothing_is_lost_when_the_input_ends(lines: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _play(lines, monkeypatch, ["person", "first"])
    saved = json.loads((tmp_path / "race-7.save.json").read_text())
    assert saved["seats"] == ["person", "first"]
    assert saved["state"]["history"] == [101, 101, 102, 101]


def test_nothing_is_lost_by_an_interrupt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = iter(["2"])

    def interrupted(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", interrupted)
    _play("", monkeypatch, ["person", "first"])
    assert json.loads((tmp_path / "race-7.save.json").read_text())["state"]["history"] == [102, 101]


def test_leaving_at_once_saves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _play("q\n", monkeypatch, ["person", "first"])
    assert list(tmp_path.iterdir()) == []


def test_help_table_and_log(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _play("h\n1\nt\nl\n\nq\n", monkeypatch, ["person", "first"])
    shown = capsys.readouterr().out
    assert "undo your latest choice" in shown
    assert shown.count("Turn of seat1") == 4
    assert shown.count("  step 1\n  step 1\n") == 2  # once when it was new, once when the log was asked for


def test_around_one_screen_secrets_are_passed_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _play("1\n1\nq\n", monkeypatch, ["person", "person"], secret=True)
    shown = capsys.readouterr().out
    assert shown.count("Pass the screen to seat2.") == 1
    assert shown.count("Pass the screen to seat1.") == 1
    _play("1\n1\nq\n", monkeypatch, ["person", "person"])
    assert "Pass the screen" not in capsys.readouterr().out


def test_bots_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _play("", monkeypatch, ["first", "first"])
    shown = capsys.readouterr().out
    assert "h for help" not in shown
    assert shown.count("  step 1\n") == 19
