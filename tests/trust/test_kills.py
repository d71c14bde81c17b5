"""Processes that are killed at random moments, and disks that are full: files are old or new, never half."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import interpreter as rw
import interpreter.study.soak as soak_module
from interpreter.study.soak import soak
from tests.trust.injected import UGLY, check_files, jobs
from tests.trust.small import ROOT, command, ruleset

SOME = {"kill": ("save", "format"), "full": ("record", "format")}


def run_and_kill(words: list[str], cwd: Path, after: float, typed: bytes = b"") -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RULEWRIGHT_BACKEND": "python"}
    environment["RULEWRIGHT_CACHE"] = str(cwd / "cache")
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "interpreter", *words], cwd=cwd, env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        if typed and child.stdin:
            child.stdin.write(typed)
            child.stdin.close()
        time.sleep(after)
        child.send_signal(signal.SIGKILL)
    except BrokenPipeError:
        pass
    finally:
        child.wait()


@pytest.mark.parametrize("how", ["kill", "full"])
def test_every_step_of_every_write_may_be_the_last(how: str, is_long: bool) -> None:
    """Killed there, or with a disk that is full from there on. The files are looked at by `injected` itself."""
    names = ("save", "record", "format", "json", "compile") if is_long else SOME[how]
    done = subprocess.run(
        [sys.executable, "-m", "tests.trust.injected", how, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    steps = [int(line) for line in done.stdout.split()]
    assert len(steps) == len(names) and min(steps) >= 3  # made aside, renamed, and whatever else


def test_killed_processes_leave_nothing_half(tmp_path: Path, is_long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(17)
    home = ruleset(tmp_path, UGLY)
    names = list(jobs(home))
    began = time.monotonic()
    command("list", cwd=tmp_path)
    usual = time.monotonic() - began
    for number in range(500 if is_long else 5):
        name = names[number % len(names)]
        if name == "format":
            (home / "small.rules").write_text(UGLY)
        typed = b"1\ns kept.json\n" * 40 if name == "save" else b""
        run_and_kill(jobs(home)[name], tmp_path, rng.uniform(0.3, 1.8) * usual, typed)
        check_files(tmp_path, home)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    assert rw.load(str(home)).playout(1).over  # the cache is whole, or is made again


@pytest.mark.parametrize("name", ["json", "record", "format", "save"])
def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path, name: str) -> None:
    """No file of the process may grow beyond a few bytes, as on a full disk: at every write of every command."""
    home = ruleset(tmp_path, UGLY)
    for file in ("out.json", "out.record.json", "out.html", "out.csv"):
        (tmp_path / file).write_text("")
    before = {path: path.read_bytes() for path in (*tmp_path.glob("*.*"), home / "small.rules")}
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); sys.argv = ['rulewright', *sys.argv[1:]]; "
        "from interpreter.cli import main; main()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RULEWRIGHT_BACKEND": "python", "RULEWRIGHT_CACHE": ""}
    # Python would cut its own compiled modules short, put them in their place, and fail to read them from then on.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, "-P", "-c", limited, *jobs(home)[name]], cwd=tmp_path, env=environment, capture_output=True,
        input=b"1\ns kept.json\n1\n1\n",
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"cannot be written" in done.stdout + done.stderr
    for path, content in before.items():
        assert path.read_bytes() == content
    assert not (tmp_path / "kept.json").exists()


def test_a_small_disk_that_is_really_full(tmp_path: Path, is_long: bool) -> None:
    """A file system of 256 KB, filled to its last block: every command says so, and what was there stays."""
    if not is_long or os.geteuid() != 0:
        pytest.skip("mounts a file system: for root, in the long run")
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        home = ruleset(disk, UGLY)
        assert command("play", str(home), "--seat", "1=random", "--record", "out.record.json", cwd=disk).returncode == 0
        kept = (disk / "out.record.json").read_bytes()
        with contextlib.suppress(OSError), open(disk / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(b"x" * 4096)
        for name in ("json", "record", "format"):
            done = command(*jobs(home)[name], cwd=disk)
            assert done.returncode == 2 and b"cannot be written" in done.stdout + done.stderr, (name, done)
            assert (home / "small.rules").read_text() == UGLY and (disk / "out.record.json").read_bytes() == kept
            left = {path.name for path in disk.iterdir()} - {"out.csv.part"}  # rows so far: a study goes on from them
            assert left == {"small", "filler", "out.record.json"}
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_soak_looks_at_every_position(tmp_path: Path) -> None:
    done = command("soak", "kuhn_poker", "--decisions", "60", "--format", "json", cwd=tmp_path)
    shown = json.loads(done.stdout)
    jsonschema.validate(shown, json.loads((ROOT / "schemas" / "soak.schema.json").read_text()))
    told = shown["soaked"][0]
    assert done.returncode == 0 and told["decisions"] == 60 and told["looked_at"] > 60 and not told["problem"]


def test_soak_in_c_looks_at_a_sample_and_compares_with_python(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = rw.load("nim", backend="native")
    if game.engine is None:
        pytest.skip(f"no compiler: {game.reason}")
    told = soak(game, "native", 600)
    assert told.decisions == 600 and told.games > 20 and not told.problem
    assert told.looked_at == told.games + 600 // soak_module.SAMPLED
    monkeypatch.setattr(game, "in_python", lambda seed, auto: rw.load("nim", backend="python").new(seed + 1).apply(0))
    assert soak(game, "native", 20).problem  # Python plays another game


def test_soak_finds_what_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rw.load("nim", backend="python")
    real = game.machine.run

    def broken(state: Any) -> None:
        real(state)
        if len(state.h) > 6:
            state.f[0] = 77

    monkeypatch.setattr(game.machine, "run", broken)
    found = soak(game, "python", 200)
    assert "77" in found.problem and found.line.startswith("nim:2:")
