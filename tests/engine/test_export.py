"""`rulewright build`: what other programs get compiles and plays, with nothing of the project beside it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.native.game import NativeGame, load


def run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def need(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"no {tool} on this machine")
    return found


def built(folder: Path, target: str, capsys: pytest.CaptureFixture[str], name: str = "nim") -> None:
    if exit_code_of(["build", name, "--to", str(folder), "--target", target]) != 0:
        pytest.skip(capsys.readouterr().err)


def test_c_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path, "c", capsys)
    run(need("cc"), "-std=c11", "-Wall", "-O1", "example.c", "nim.c", "-o", "example", cwd=tmp_path)
    told = run("./example", cwd=tmp_path)
    assert "decisions" in told
    assert told.count("player") == 2


def test_c_needs_no_extension(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Plain C11: what gcc and clang have beyond it is used where it is there, and games are the same without."""
    built(tmp_path, "c", capsys, "tic_tac_toe")
    source, told = tmp_path / "tic_tac_toe.c", []
    guard = "#if defined(__GNUC__) || defined(__clang__)"
    text = source.read_text(encoding="utf-8")
    assert guard in text
    for variant in (text, text.replace(guard, "#if 0")):
        source.write_text(variant, encoding="utf-8")
        flags = ("-std=c11", "-pedantic-errors", "-O1")
        run(need("cc"), *flags, "example.c", "tic_tac_toe.c", "-o", "example", cwd=tmp_path)
        told.append(run("./example", cwd=tmp_path))
    assert told[0] == told[1] and "decisions" in told[0]


def test_a_library_for_rust(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path, "native", capsys)
    run(need("rustc"), "-L", ".", "-l", "nim", "example.rs", cwd=tmp_path)
    told = run("env", "LD_LIBRARY_PATH=.", "./example", cwd=tmp_path)
    assert told.splitlines()[0] == _first_line()


def test_a_module_for_javascript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    node = need("node")
    built(tmp_path, "wasm", capsys)
    assert run(node, "example.mjs", cwd=tmp_path).splitlines()[0] == _first_line()


def _first_line() -> str:
    """What Python knows of the same thousand games."""
    game = load("nim", backend="python")
    assert not isinstance(game, NativeGame)
    return f"1000 games, {sum(len(game.playout(seed).h) // 2 for seed in range(1000))} decisions"


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert exit_code_of(["build", "nim", "--to", str(tmp_path / "file")]) != 0
    assert "cannot be written" in capsys.readouterr().err
