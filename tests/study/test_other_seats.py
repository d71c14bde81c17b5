"""Of three seats and more the first is not the only one that may be better or worse than the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.commands import exit_code_of

# Two sides of the die for the first seat, those named for the second one, the others for the third.
LOTS = """
game lots "Lots" for 3 players

table
  dice: 1 dice of 1..6

play
  roll dice
  if dice[1].face <= 2
    seat1 wins "Low"
  if dice[1].face <= SECOND
    seat2 wins "Middle"
  seat3 wins "High"
"""


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (2, r"Of the others seat2 wins 33\.3 points less than an even share, and seat3 wins \S+ points more than"),
        (4, None),
    ],
)
def test_other_seats_are_told_where_they_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], second: int, told: str | None
) -> None:
    (tmp_path / "ruleset.yaml").write_text("format: 1\nname: lots\ntitle: Lots\n", encoding="utf-8")
    (tmp_path / "lots.rules").write_text(LOTS.replace("SECOND", str(second)), encoding="utf-8")
    assert exit_code_of(["simulate", str(tmp_path), "--bots", "random", "--games", "300"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "No advantage or disadvantage of the first seat is shown" in out
    assert (re.search(told, out) is not None) if told else "Of the others" not in out
    assert ("(corrected for looking at 2 seats)" in out) == (told is not None)
