"""docs/studies.md from beginning to end: its commands run, and what it shows is what they print."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.docs import shell
from tests.docs.fences import DOCS, fences


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are looked for without regard to how columns are spaced."""
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    for fence in fences(DOCS / "studies.md"):
        if fence.language == "sh":
            program, *arguments = shlex.split(fence.text)
            code, text = shell.run(arguments)
            assert program == "rulewright" and code == int(fence.word("exit") or 0), f"{fence.id}: {text}"
            printed = [" ".join(line.split()) for line in text.splitlines()]
        elif fence.words == ("lines",):
            missing = [line for line in fence.text.splitlines() if " ".join(line.split()) not in printed]
            assert not missing, f"{fence.id}: {missing} in {printed}"
        else:
            raise AssertionError(f"{fence.id}: what is this block for?")
