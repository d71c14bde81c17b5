"""The list of what authors asked for names tests and files that exist, and sections and reasons that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINES = (ROOT / "tests/cases/README.md").read_text(encoding="utf-8").splitlines()
HEADS = {number + step for number, line in enumerate(LINES) if line.startswith("| ---") for step in (-1, 0)}
ROWS = [line for number, line in enumerate(LINES) if line.startswith("| ") and number not in HEADS]


def test_each_row_names_what_exists() -> None:
    tests = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(ROWS) > 40
    for row in ROWS:
        named = re.findall(r"`([^`]+)`", row.split("|")[2])
        assert named, f"nothing answers this: {row}"
        missing = [name for name in named if name not in tests and not (ROOT / name).exists()]
        assert not missing, missing


def test_sections_and_reasons_are_there() -> None:
    language = (ROOT / "docs/language.md").read_text(encoding="utf-8")
    design = (ROOT / "docs/design.md").read_text(encoding="utf-8").lower()
    left_out = design[design.index("## words that were left out") :]
    sections = [part for row in ROWS for part in re.findall(r"sections? ([0-9, and]+)", row)]
    numbers = {number for part in sections for number in re.findall(r"\d+", part)}
    assert all(re.search(rf"^## {number} ", language, re.MULTILINE) for number in numbers)
    reasons = [reason for row in ROWS for reason in re.findall(r"`docs/design.md` \(([^)]+)\)", row)]
    assert len(reasons) > 6
    for reason in reasons:
        assert f"*{reason}.*" in left_out, reason
