"""The comparison of random games in Python and in C counts games, and tells how one differs."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

import interpreter as rw
from tools.equality import compared, differences, main


@pytest.mark.parametrize("backend", ["native", "wasm"])
def test_games_are_counted_and_equal(backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "20", "--backend", backend, "nim"]) in (0, 1)
    told = capsys.readouterr().out
    if "games  not compared" in told:
        pytest.skip(told)
    assert "20 games  equal" in told
    assert "20 games of 1 combinations; 0 of them differ" in told


def test_rules_of_ones_own_are_compared_by_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(Path(rw.__file__).parent.parent / "rulesets" / "nim", tmp_path / "nim")
    assert main(["--games", "5", "--players", "2", str(folder)]) in (0, 1)
    assert "2 players       5 games  equal" in (told := capsys.readouterr().out) or "not compared" in told


def test_a_difference_is_told_and_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (rw.load("tic_tac_toe", backend="python") for _ in range(2))
    assert list(differences(one, other, range(3))) == ["", "", ""]
    played = other.playout
    monkeypatch.setattr(other, "playout", lambda seed: played(seed + (seed == 2)))
    assert list(differences(one, other, range(3)))[2].startswith("seed 2: another history, f, ")


def test_a_game_without_a_library_is_not_called_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rw, "load", lambda *_, **__: SimpleNamespace(engine=None, reason="no compiler was found"))
    assert compared("nim", 2, range(5), None) == (0, "not compared: no compiler was found")
