"""docs/tutorial.md from beginning to end: its files are written, its commands run, what it prints is what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import shell
from tests.docs.fences import DOCS, Fence, fences

MANY = 200  # answers to a game at the terminal


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    printed = ""
    for fence in fences(DOCS / "tutorial.md"):
        written, added = fence.word("file"), fence.word("add")
        if written is not None:
            write(tmp_path / written, fence.text)
        elif added is not None:
            write(tmp_path / added, (tmp_path / added).read_text(encoding="utf-8") + fence.text)
        elif fence.language == "sh":
            printed = run(fence)
        elif fence.words == ("output",):
            assert printed.strip() == fence.text.strip(), f"{fence.id} is not what is printed"
        elif fence.language == "python":
            exec(compile(fence.text, fence.id, "exec"), {})
            assert capsys.readouterr().out.count("points in all") == 2
        else:
            raise AssertionError(f"{fence.id}: what is this block for?")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(fence: Fence) -> str:
    """Runs the command of a block as the installed program would; gives what it prints."""
    program, *arguments = fence.text.split()
    assert program == "rulewright", f"{fence.id} runs something else"
    answers = (fence.word("input") or "").replace("_", " ")
    code, printed = shell.run(arguments, f"{answers}\n" * MANY)
    assert code == int(fence.word("exit") or 0), f"{fence.id}: {printed}"
    return printed
