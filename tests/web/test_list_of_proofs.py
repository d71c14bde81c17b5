"""The list of what the table promises names tests, files and commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def test_the_list_of_promises_names_what_exists() -> None:
    rows = [line for line in (HERE / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[2])}
    tests = {name for file in (ROOT / "tests").rglob("test_*.py") for name in _tests_in(file)}
    paths = {name for name in named if "/" in name}
    assert all((ROOT / name).exists() for name in paths), paths
    assert named - paths - tests == set()
    assert all(re.search("`[^`]+`", row.split("|")[2]) for row in rows if row.split("|")[2].strip() not in HEADINGS)


HEADINGS = ("proved by", "where", "---")


def _tests_in(file: Path) -> list[str]:
    return re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
