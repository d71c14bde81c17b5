"""Fields of a rule go back to their start; those of no piece at all take no room in the state."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked
from tests.toys import gather_text

NO_CARDS = """\
kind Card from cards.yaml
each Card
  used: flag this turn
table
  round: 0..3
play
  repeat 3 times
    turn(seat1)
phase turn(p)
  round += 1
"""


def test_fields_of_no_piece_leave_the_state_as_long_as_it_is() -> None:
    game = game_from_program(checked(NO_CARDS))
    assert len(game.playout(0).f) == len(game.meta.start)


LASTING = """\
table
  tired: flag{scopes}
  seen: 0..99
play
  march
  note_it
  halt
  note_it
effect march
  tired = yes
effect halt
  tired = yes
effect note_it
  seen = 10 * seen + (2 if tired else 1)
"""


@pytest.mark.parametrize(
    ("scopes", "seen"),
    [
        ("", 22),
        (" during march", 12),
        (" during march, halt", 11),
        (" during march this halt", 12),
        (" this note_it", 11),
        (" this march, note_it", 11),
    ],
)
def test_a_field_may_be_set_back_by_several_rules(scopes: str, seen: int) -> None:
    game = game_from_program(checked(LASTING.format(scopes=scopes)))
    assert game.playout(0).view(None)["fields"]["table"]["seen"] == seen


def test_each_rule_that_is_not_there_is_told() -> None:
    found = Diagnostics()
    check(gather_text(LASTING.format(scopes=" during marsh, hold"), found=found), found)
    assert [(one.code, one.headline) for one in found if one.code == "R0318"] == [
        ("R0318", "there is no rule `marsh`"),
        ("R0318", "there is no rule `hold`"),
    ]
