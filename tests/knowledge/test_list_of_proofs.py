"""The list of what is proved names tests, games and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def test_the_list_of_proofs_names_what_exists() -> None:
    rows = [line for line in (HERE / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[2])}
    tests = {name for file in (ROOT / "tests").rglob("test_*.py") for name in _tests_in(file)}
    games = {file.stem for file in (HERE / "games").glob("*.rules")}
    paths = {name for name in named if "/" in name}
    assert all((ROOT / name.split()[0]).exists() for name in paths), paths
    assert named - paths - tests - games <= {"information"}
    assert len(named & games) > 20, "a tiny game that proves nothing"


def _tests_in(file: Path) -> list[str]:
    return re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
