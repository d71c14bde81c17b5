"""A name that no member of a type has: the help tells what members are called."""

from __future__ import annotations

from pathlib import Path

import interpreter as rw
from tests.play.toys import write_ruleset

HIVE = """\
game hive "Hive" for 1 player
map board is hexagon of 2
  node Space
each Space
  owner: player?
play
  repeat 2 times
    seat1 chooses s in Space where s.owner is none
    s.owner = seat1
    if Space.MEMBER.owner is none
      s.owner = none
"""


def help_with(tmp_path: Path, member: str) -> str | None:
    (finding,) = rw.check_ruleset(str(write_ruleset(tmp_path, "hive", HIVE.replace("MEMBER", member)))).findings
    assert (finding.code, finding.headline) == ("R0320", f"`Space` has no `{member}`")
    return finding.help


def test_names_of_a_shape_begin_with_its_kind(tmp_path: Path) -> None:
    assert help_with(tmp_path, "hex_1_1") == "its members are `space_1_1`, `space_1_2`, `space_2_1` and 4 more"


def test_a_slip_is_told_as_such(tmp_path: Path) -> None:
    assert help_with(tmp_path, "spaec_1_1") == "did you mean `space_1_1`?"
