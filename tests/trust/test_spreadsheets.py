"""Tables for spreadsheets hold what rules say as text: a spreadsheet works out what begins like a formula."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.files.shown import cell
from tests.trust.small import command, ruleset

RULES = """game small "Small" for 2 players
table
  n: 0..9
play
  go(seat1)
phase go(p)
  choose k in 1..2 "How far?"
  n = k
  p wins "=HYPERLINK(0)"
score p
  "@SUM(1)" n
"""


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1+1", "@SUM(1)", " =1", "\t=1"])
def test_what_begins_like_a_formula_is_quoted(text: str) -> None:
    assert cell(text).startswith("'")


@pytest.mark.parametrize("value", [-3, 0.5, None, "a=b", "seat1", ""])
def test_everything_else_stays(value: object) -> None:
    assert cell(value) == value


def test_rows_of_a_study(tmp_path: Path) -> None:
    home = ruleset(tmp_path, RULES)
    done = command("simulate", str(home), "--games", "2", "--bots", "random", "--rows", "rows.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    heads, *rows = (tmp_path / "rows.csv").read_text().splitlines()
    assert "'@SUM(1): seat1" in heads.split(",") and len(rows) == 2
    assert all("'=HYPERLINK(0)" in row.split(",") for row in rows)
