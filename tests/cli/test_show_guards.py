"""`show guards` names the line behind a choice that may be refused, and the cure."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from interpreter.cli.commands import rulewright
from tests.play.toys import write_ruleset

FORGE = """\
game forge "Forge" for 2 players

each player
  coins: 0..9 = 3
  heat: 0..9 capped
  turns: 0..5

play
  in turn p from seat1 until p.turns == 5
    turn(p)

phase turn(p)
  p.turns += 1
  choose one "What now?"
    "Heat up by {n}" for n in 1..3
      p.heat += n
      strike(p)
    "Pay {n}" for n in 1..3 if p can pay n coins
      pay n coins
    otherwise "Rest"

effect strike(p)
  requires p.heat mod 2 == 0 "the iron is not right"
"""


def test_the_line_that_may_refuse_is_named_with_its_cure(tmp_path: Path) -> None:
    folder = write_ruleset(tmp_path, "forge", FORGE)
    said = CliRunner().invoke(rulewright, ["show", str(folder), "guards"], standalone_mode=False).output
    assert "1 of 1 decisions need look-ahead" in said
    assert "forge.rules:14 may be refused by" in said
    assert '  line 23: requires p.heat mod 2 == 0 "the iron is not right"\n    foreseen if it reads only' in said
    assert "pay n coins" not in said  # asked beforehand: nothing is left open there
