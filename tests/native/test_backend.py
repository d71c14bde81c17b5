"""Which backend is used, what is said about it, and how missing parts are installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli import extras
from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.diagnostic import RulesetError
from interpreter.native import backend
from interpreter.native.backend import asked_backend, choose_backend
from interpreter.play.contract import PlayError
from tests.play.toys import write_ruleset

Offer = Callable[..., None]
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_BACKEND", raising=False)
    monkeypatch.delenv(extras.INSTALLER, raising=False)


# ---------------------------------------------------------------- the word


@pytest.mark.parametrize("word", backend.BACKENDS)
def test_words(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked_backend() == "auto" and asked_backend(word) == word
    monkeypatch.setenv("RULEWRIGHT_BACKEND", f" {word.upper()} ")
    assert asked_backend() == word and asked_backend("python") == "python"


@pytest.mark.parametrize(("word", "help_text"), [("nativ", "did you mean `native`?"), ("c", "say `python`, `native`")])
def test_a_wrong_word(
    word: str, help_text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RulesetError) as caught:
        asked_backend(word)
    (found,) = caught.value.diagnostics
    assert found.code == "R0909" and found.primary.span.text == f'"{word}"'
    monkeypatch.setenv("RULEWRIGHT_BACKEND", word)
    assert exit_code_of(["doctor"]) == 2
    told = capsys.readouterr().err
    assert f"RULEWRIGHT_BACKEND={word}" in told and help_text in told and "Traceback" not in told


def test_what_is_used(only: Offer, real_compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only(cc='real "$@"')
    assert choose_backend().backend == choose_backend("native").backend == "native"
    assert choose_backend("python").backend == "python"
    monkeypatch.setenv("RULEWRIGHT_CC", "")
    without = choose_backend()
    assert without.backend == "python" and without.granted and "switched off" in without.reason
    assert not choose_backend("native").granted


def test_wasm_needs_two_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    found = choose_backend("wasm")
    assert found.backend == "python" and not found.granted and "wasmtime" in found.reason


# ---------------------------------------------------------------- the doctor


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = exit_code_of(["doctor", *arguments])
    return code, capsys.readouterr().out


def test_the_doctor_finds_a_compiler(only: Offer, real_compiler: str, capsys: pytest.CaptureFixture[str]) -> None:
    only(cc="exit 3", gcc='real "$@"')
    code, told = doctor(capsys, "--json")
    found = json.loads(told)
    assert code == 0 and [row["works"] for row in found["compilers"]] == [False, True]
    assert found["compilers"][0]["reason"].startswith("failed with exit code 3")
    assert found["backend"]["used"] == "native" and found["caches"][0]["name"] == "native"
    code, told = doctor(capsys)
    assert code == 0 and "broken" in told and "Games run on native" in told


MARKED = """
game marked "Marked" for 2 players
kind Card
  copies 1 for each rank: 1..3
table
  cards: row of Card open
each player
  mark: Card? secret
setup
  move all c in Card to cards
play
  for p in players
    p chooses c in cards secretly "Which card do you mark?"
    p.mark = c
"""


@pytest.mark.parametrize(("name", "reason"), [("kuhn_poker", ""), ("marked", "a secret field names a piece")])
def test_the_doctor_says_where_bots_think(
    name: str, reason: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = str(write_ruleset(tmp_path, name, MARKED)) if reason else name
    _, told = doctor(capsys, asked, "--json")
    game = json.loads(told)["game"]
    assert game["thinks_in_c"] == (not reason) and game["reason"].startswith(reason)
    _, told = doctor(capsys, asked)
    assert (f"in Python, since {reason}" if reason else "are played in C") in " ".join(told.split())


def test_the_doctor_finds_none(
    only: Offer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only()
    code, told = doctor(capsys)
    assert code == 0 and "Games run on python: no C compiler was found" in told
    assert "needs a C compiler: pip install rulewright[native]" in told
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "native")
    assert doctor(capsys)[0] == 1


def test_the_doctor_without_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cache").write_text("")
    code, told = doctor(capsys)
    assert code == 0 and "cannot be written" in told and "export RULEWRIGHT_CACHE=FOLDER" in told


def test_the_doctor_without_a_cache(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    assert "RULEWRIGHT_CACHE is empty" in doctor(capsys)[1]


# ---------------------------------------------------------------- extras


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installer that notes how it was called and makes a module, unless there is a file `offline`."""
    path = tmp_path / "installer.py"
    path.write_text(
        "import pathlib, sys\n"
        "here = pathlib.Path(__file__).parent\n"
        "(here / 'calls').open('a').write(' '.join(sys.argv[1:]) + '\\n')\n"
        "if (here / 'offline').exists(): sys.exit(1)\n"
        "(here / 'made_for_a_test.py').write_text('answer = 42')\n"
    )
    monkeypatch.setenv(extras.INSTALLER, str(path))
    monkeypatch.syspath_prepend(tmp_path)
    return path


def calls(installer: Path) -> list[str]:
    file = installer.with_name("calls")
    return file.read_text().splitlines() if file.exists() else []


def test_a_missing_extra_is_installed(installer: Path) -> None:
    assert extras.required_module("made_for_a_test", "draw", "this needs").answer == 42
    assert extras.required_module("made_for_a_test", "draw", "this needs").answer == 42
    assert calls(installer) == ["extra draw"]


def test_a_missing_extra_that_cannot_be_installed(installer: Path) -> None:
    installer.with_name("offline").touch()
    with pytest.raises(PlayError, match="this needs the extra `draw`"):
        extras.required_module("never_made", "draw", "this needs")


def test_without_an_installer_the_command_is_named() -> None:
    with pytest.raises(PlayError) as caught:
        extras.required_module("never_made", "draw", "this needs")
    assert caught.value.help == "install it with `pip install rulewright[draw]`"


def test_a_compiler_is_installed_only_if_none_works(
    only: Offer, installer: Path, real_compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(cc='real "$@"')
    extras.native_if_wanted(1000)
    monkeypatch.setenv("RULEWRIGHT_CC", "")
    extras.native_if_wanted(1000)
    assert calls(installer) == []
    monkeypatch.delenv("RULEWRIGHT_CC")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "python")
    extras.native_if_wanted(1000)
    assert calls(installer) == []
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "auto")
    extras.native_if_wanted(20)
    assert calls(installer) == []
    extras.native_if_wanted(1000)
    assert calls(installer) == ["extra native"]


def test_the_doctor_installs(installer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(capsys, "--install", "native")[0] == 0
    installer.with_name("offline").touch()
    assert doctor(capsys, "--install", "native")[0] == 2
    assert calls(installer) == ["extra native --again"] * 2


def test_the_real_installer_tries_once_a_day(tmp_path: Path) -> None:
    """In a copy of the clone whose environment has a Python that cannot install anything."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "set_up.py").write_text((ROOT / "tools" / "set_up.py").read_text())
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nexit 1\n')
    python.chmod(0o700)

    def add(*words: str) -> int:
        command = [sys.executable, tmp_path / "tools" / "set_up.py", "extra", *words]
        return subprocess.run(command, env={**os.environ}, capture_output=True).returncode

    assert add("native") == 1 and add("native") == 1
    assert len((tmp_path / "calls").read_text().splitlines()) == 1
    assert add("native", "--again") == 1
    assert len((tmp_path / "calls").read_text().splitlines()) == 2
    assert "[native]" in (tmp_path / "calls").read_text() and add("../evil") != 0


def test_a_native_state_takes_options_and_indexes_from_the_end() -> None:
    native, plain = rw.load("tic_tac_toe", backend="native").new(1), rw.load("tic_tac_toe", backend="python").new(1)
    for state in (native, plain):
        state.apply(state.decision.options[3]).apply(-1)
        with pytest.raises(rw.UnknownChoice, match="there is no option 9"):
            state.apply(9)
    assert native.history == plain.history
