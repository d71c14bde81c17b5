"""What is said of games in which one seat plays against all others, who win together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.study.test_honest_figures import simulated

THIEF = """
game thief "Thief" for 3 players as thief, blue, green
table
  dice: 1 dice of 1..4
play
  roll dice
  if dice[1].face == 1
    thief wins "Away"
  else
    thief loses "Caught"
"""


def test_half_is_even_for_one_against_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, _ = simulated(tmp_path, THIEF, capsys, "--games", "300")
    assert re.search(r"The first seat wins 2\d\.\d points less than an even share: 2\d\.\d % of the games \(95 %", told)
    assert "even would be 50.0 %. thief plays alone, and the others win together: half is even." in told
    assert "in parts" not in told
