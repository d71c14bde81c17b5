"""Every line of rules that section 26 of the reference quotes stands somewhere in a game that is checked and played."""

from __future__ import annotations

import re

import pytest

from tests.docs.fences import DOCS, ROOT, fences

PAGE = (DOCS / "language.md").read_text(encoding="utf-8")
SECTION = re.sub(r"^```.*?^```$", "", PAGE[PAGE.index("\n## 26 ") :], flags=re.MULTILINE | re.DOTALL)
ROWS = [line.split(" | ") for line in SECTION.splitlines() if re.match(r"\| (?!---)", line)]
NO_LINE_OF_RULES = {"this RULE", "during RULE", "limits: {steps: 1000000}"}


def as_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def rules() -> str:
    """All rules and tables that the tests check and play: right examples, and the games that come with the program."""
    found = [fence for page in ("language.md", "mechanisms.md") for fence in fences(DOCS / page)]
    shown = [fence.text for fence in found if "error" not in fence.words]
    games = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "rulesets").rglob("*.rules"))]
    return "\n".join(map(as_one_line, shown + games))


def test_the_section_has_rows() -> None:
    assert len(ROWS) > 80


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("| "))
def test_what_is_quoted_stands_in_a_game(row: list[str], rules: str) -> None:
    quoted = set(re.findall(r"`([^`]+)`", row[1])) - NO_LINE_OF_RULES
    parts = {as_one_line(part) for line in quoted for part in line.split("…")}
    assert sorted(part for part in parts if part not in rules) == []
