"""The lists of what is promised (`README.md` of folders of tests) name tests, games, files and commands that exist.

Each has tables with a promise on the left and what answers for it on the right, in backticks. A row without an answer
fails, and so does a name that nothing has any more.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LISTS = {
    "cases": ROOT / "tests/cases/README.md",
    "knowledge": ROOT / "tests/knowledge/README.md",
    "study": ROOT / "tests/study/README.md",
    "trust": ROOT / "tests/trust/README.md",
    "web": ROOT / "tests/web/README.md",
}
WORDS = {"--long", "ray", "information", "rulewright soak"}  # what is neither a test nor a file


def rows_of(page: Path) -> list[str]:
    """The rows of the tables of a page, without their heads."""
    lines = page.read_text(encoding="utf-8").splitlines()
    heads = {number + step for number, line in enumerate(lines) if line.startswith("| ---") for step in (-1, 0)}
    return [line for number, line in enumerate(lines) if line.startswith("| ") and number not in heads]


def answers_in(row: str) -> list[str]:
    return re.findall(r"`([^`]+)`", row.split(" | ")[-1])


@cache
def known_tests() -> frozenset[str]:
    files = (ROOT / "tests").rglob("test_*.py")
    return frozenset(name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M))


def is_there(name: str, home: Path) -> bool:
    path = name.split()[0]
    in_folders = any((folder / path).exists() for folder in (ROOT, home, home / "games"))
    return name in known_tests() or name in WORDS or in_folders or (home / "games" / f"{name}.rules").exists()


@pytest.mark.parametrize("name", LISTS)
def test_every_promise_is_answered_by_what_exists(name: str) -> None:
    rows = rows_of(LISTS[name])
    assert len(rows) > 15
    for row in rows:
        answers = answers_in(row)
        assert answers, f"nothing answers this: {row}"
        assert all(is_there(answer, LISTS[name].parent) for answer in answers), row


def test_every_tiny_game_proves_something() -> None:
    games = {file.stem for file in (ROOT / "tests/knowledge/games").glob("*.rules")}
    named = {name for row in rows_of(LISTS["knowledge"]) for name in answers_in(row)}
    assert len(named & games) > 20


def test_sections_and_reasons_are_there() -> None:
    rows = rows_of(LISTS["cases"])
    language = (ROOT / "docs/language.md").read_text(encoding="utf-8")
    design = (ROOT / "docs/design.md").read_text(encoding="utf-8").lower()
    left_out = design[design.index("## words that were left out") :]
    sections = [part for row in rows for part in re.findall(r"sections? ([0-9, and]+)", row)]
    numbers = {number for part in sections for number in re.findall(r"\d+", part)}
    assert all(re.search(rf"^## {number} ", language, re.MULTILINE) for number in numbers)
    reasons = [reason for row in rows for reason in re.findall(r"`docs/design.md` \(([^)]+)\)", row)]
    assert len(reasons) > 6
    for reason in reasons:
        assert f"*{reason}.*" in left_out, reason
