"""Only regular files, inside the folder, of bounded size and number; and nothing is replaced by half, or by mistake."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.render import render_all
from interpreter.files import reading
from interpreter.files.reading import FileRefused, files_below, read_bytes
from interpreter.files.writing import json_of, write_whole
from interpreter.ruleset.fingerprint import fingerprint_of
from tests.trust.small import RULES, ruleset

SECRET = "root:x:0:0 a line of somebody's secrets\n"


def findings(folder: Path) -> str:
    with pytest.raises(rw.RulesetError) as refused:
        rw.load(str(folder))
    return render_all(refused.value.diagnostics)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("small.rules", RULES),
        ("ruleset.yaml", "name: small\n"),
        ("texts/fr.yaml", "texts: {}\n"),
        ("rulebook.yaml", "clauses: []\n"),
        ("scenarios/one.rules", ""),
        ("variants/one.rules", ""),
        ("cards.yaml", "kind: Card\nrows: []\n"),
    ],
)
def test_a_link_that_leaves_the_folder_is_not_read(tmp_path: Path, name: str, text: str) -> None:
    rules = RULES + "\nkind Card from cards.yaml\n" if name == "cards.yaml" else RULES
    home = ruleset(tmp_path, rules)
    (tmp_path / "secrets").write_text(SECRET)
    linked = home / name
    linked.parent.mkdir(exist_ok=True)
    linked.unlink(missing_ok=True)
    linked.symlink_to(tmp_path / "secrets")
    told = findings(home)
    assert "R0201" in told and "secret" not in told.replace("secrets", "")
    assert "a line of" not in told


def test_a_folder_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    home = ruleset(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "fr.yaml").write_text(SECRET)
    (home / "texts").symlink_to(tmp_path / "elsewhere")
    assert "outside of the ruleset" in findings(home)


def test_links_inside_the_folder_are_read(tmp_path: Path) -> None:
    home = ruleset(tmp_path)
    (home / "small.rules").rename(home / "real.rules")
    (home / "small.rules").symlink_to("real.rules")
    assert rw.load(str(home)).name == "small"


@pytest.mark.parametrize("name", ["small.rules", "ruleset.yaml", "scenarios/s.rules", "texts/fr.yaml"])
def test_a_pipe_or_a_device_keeps_nobody_waiting(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    home = ruleset(tmp_path)
    (home / name).parent.mkdir(exist_ok=True)
    (home / name).unlink(missing_ok=True)
    os.mkfifo(home / name)
    monkeypatch.setenv("RULEWRIGHT_PATH", str(tmp_path))
    assert exit_code_of(["list"]) == 0
    if name in ("small.rules", "ruleset.yaml"):
        assert exit_code_of(["validate", str(home)]) in (1, 2)
    (home / name).unlink()
    (home / name).symlink_to("/dev/zero")
    assert exit_code_of(["list"]) in (0, 1)


@pytest.mark.parametrize("command", [["replay"], ["play", "--resume"], ["record"], ["why"]])
def test_what_is_no_file_is_no_record(command: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of([*command, "/dev/zero", *(["x"] if command == ["why"] else [])]) == 2
    assert "device" in capfd.readouterr().err


def test_a_policy_is_a_file() -> None:
    with pytest.raises(rw.PlayError, match="device"):
        rw.bot("policy:/dev/zero")


def test_files_are_bounded_in_size_and_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = ruleset(tmp_path)
    with open(home / "small.rules", "ab") as file:
        file.truncate(1 << 40)  # a hole: no disk is used
    assert "larger than 1 MiB" in findings(home)
    (home / "small.rules").write_text(RULES)
    monkeypatch.setattr(reading, "MOST_FILES", 10)
    (home / "scenarios").mkdir()
    for number in range(20):
        (home / "scenarios" / f"{number}.rules").write_text("")
    assert "more than 10 files" in findings(home)
    monkeypatch.setattr(reading, "MOST_ENTRIES", 15)
    with pytest.raises(FileRefused, match="more than 15 files"):
        files_below(home, (".none",))
    with pytest.raises(FileRefused, match="larger than"):
        read_bytes(home / "small.rules", most=10)


def test_hidden_files_are_in_the_fingerprint(tmp_path: Path) -> None:
    home = ruleset(tmp_path, manifest="files: [small.rules, .h.rules]\n")
    (home / "small.rules").write_text(RULES.replace("repeat 3 times", "repeat times times"))
    (home / ".h.rules").write_text("constant times = 2\n")
    first = fingerprint_of(str(home), None)
    assert len(list(rw.load(str(home)).playout(0).history)) == 2
    (home / ".h.rules").write_text("constant times = 4\n")
    assert fingerprint_of(str(home), None) != first
    assert len(list(rw.load(str(home)).playout(0).history)) == 4


def test_names_that_are_no_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    home = ruleset(tmp_path)
    (home / "scenarios").mkdir()
    Path(os.fsdecode(bytes(home / "scenarios") + b"/\xff\x1b]0;.rules")).write_text("scenario nonsense")
    assert exit_code_of(["validate", str(home)]) == 1
    assert exit_code_of(["validate", os.fsdecode(b"/tmp/\xff\xfe")]) == 2
    assert exit_code_of(["replay", os.fsdecode(b"\xff\x1b[2J.json")]) == 2
    assert "\x1b" not in "".join(capfd.readouterr())


# ---------------------------------------------------------------------------- writing


WRITES = ("write", "fsync", "replace", "mkstemp")


@pytest.mark.parametrize("failing", WRITES)
@pytest.mark.parametrize("old", [None, "old"])
def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, failing: str, old: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.files import writing

    target = tmp_path / "file.json"
    if old is not None:
        target.write_text(old)

    def fails(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    if failing == "write":
        monkeypatch.setattr(writing.os, "fdopen", _full)
    elif failing == "mkstemp":
        monkeypatch.setattr(writing.tempfile, "mkstemp", fails)
    else:
        monkeypatch.setattr(writing.os, failing, fails)
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, "new" * 1000)
    monkeypatch.undo()
    assert (target.read_text() if target.exists() else None) == old
    assert sorted(os.listdir(tmp_path)) == ([target.name] if old is not None else [])


class _Full:
    """A file that is full after ten bytes."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __enter__(self) -> _Full:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.handle)

    def write(self, content: bytes) -> None:
        os.write(self.handle, content[:10])
        raise OSError(28, "No space left on device")


real_fdopen = os.fdopen


def _full(handle: int, mode: str, **how: Any) -> Any:
    return _Full(handle) if mode == "wb" else real_fdopen(handle, mode, **how)


def test_formatting_on_a_full_disk_keeps_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.files import writing

    home = ruleset(tmp_path, RULES.replace("n += k", "n   +=   k"))
    before = (home / "small.rules").read_bytes()
    monkeypatch.setattr(writing.os, "fdopen", _full)
    assert exit_code_of(["fmt", str(home)]) == 2
    monkeypatch.undo()
    assert (home / "small.rules").read_bytes() == before and len(os.listdir(home)) == 2
    assert exit_code_of(["fmt", str(home)]) in (0, 1)
    assert "n += k" in (home / "small.rules").read_text()


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    target = tmp_path / "real"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("what", ["folder", "pipe", "device", "rules"])
def test_only_files_of_the_same_kind_are_replaced(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = ruleset(tmp_path)
    target = tmp_path / "target.html"
    if what == "folder":
        target.mkdir()
    elif what == "pipe":
        os.mkfifo(target)
    elif what == "device":
        target.symlink_to("/dev/null")
    else:
        target.write_text(RULES)
    before = target.lstat().st_mode
    for option in ("--json", "--html"):
        assert exit_code_of(["simulate", str(home), "--games", "2", option, str(target)]) == 2
    assert exit_code_of(["play", str(home), "--seat", "1=random", "--record", str(target)]) == 2
    assert target.lstat().st_mode == before
    assert Path("/dev/null").is_char_device()


def test_reports_replace_reports_and_not_games(tmp_path: Path) -> None:
    home = ruleset(tmp_path)
    report, game = tmp_path / "report.json", tmp_path / "game.json"
    assert exit_code_of(["simulate", str(home), "--games", "2", "--bots", "random", "--json", str(report)]) == 0
    assert exit_code_of(["simulate", str(home), "--games", "3", "--bots", "random", "--json", str(report)]) == 0
    assert json.loads(report.read_text())["games"] == 3
    assert exit_code_of(["play", str(home), "--seat", "1=random", "--record", str(game)]) == 0
    assert exit_code_of(["play", str(home), "--seat", "1=random", "--record", str(game)]) == 0
    assert exit_code_of(["simulate", str(home), "--games", "2", "--bots", "random", "--json", str(game)]) == 2
    assert exit_code_of(["play", str(home), "--seat", "1=random", "--record", str(report)]) == 2
    assert json_of("rulewright-record")(game.read_bytes())


@pytest.mark.parametrize("where", [".", "small", "small/small.rules", "no/such/folder", "", "\0"])
def test_a_save_that_cannot_be_written_loses_no_game(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    home = ruleset(tmp_path)
    lines = iter([f"s {where}", "1", "1", "1"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    assert exit_code_of(["play", str(home)]) == 0
    out = capfd.readouterr().out
    assert "cannot be written" in out or not where
    assert (home / "small.rules").read_text() == RULES


@pytest.mark.parametrize("bot", ["python:evil:Bot", " python :evil:Bot", "process:touch evil"])
def test_a_save_runs_no_program(tmp_path: Path, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = ruleset(tmp_path)
    (tmp_path / "evil.py").write_text("open('evil', 'w')")
    save = json.loads(rw.load(str(home)).new(seed=1).to_json())
    (tmp_path / "game.json").write_text(json.dumps({**save, "seats": [bot]}))
    assert exit_code_of(["play", str(home), "--resume", "game.json"]) == 2
    assert not (tmp_path / "evil").exists()
    assert exit_code_of(["play", str(home), "--resume", "game.json", "--seat", "1=random"]) == 0
