"""The list of what is promised names tests and commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def test_the_list_of_promises_names_what_exists() -> None:
    rows = [line for line in (HERE / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = {name for row in rows[2:] for name in re.findall(r"`([^`]+)`", row.split(" | ")[1])}
    tests = {name for file in (ROOT / "tests").rglob("test_*.py") for name in _tests_in(file)}
    commands = {name for name in named if name.startswith("tools/")}
    assert all((ROOT / name.split()[0]).exists() for name in commands), commands
    assert named - commands - tests <= {"--long", "ray"}


def _tests_in(file: Path) -> list[str]:
    return re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
