"""Findings that name their cause, where it does not stand in the line that is wrong."""

from __future__ import annotations

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostic, Diagnostics
from tests.toys import gather_text

FACE_DOWN = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
  built: row of Card open
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to built face down
play
  turn_up(seat1)
phase turn_up(p)
  choose c in built where c.rank > 1 "Which?"
  flip c face up
"""
FORGOTTEN = """
table
  guest: player?
each player
  coins: 0..9
free action send_away(p) "Send the guest away" during visit(p)
  requires guest is not none
  guest = none
play
  visit(seat1)
phase visit(p)
  guest = p
  choose n in 1..2 "How many coins?"
  guest.coins += n
"""


def only_finding(rules: str) -> Diagnostic:
    found = Diagnostics()
    check(gather_text(rules, None, 2, found), found)
    (finding,) = [one for one in found if one.code in ("R0511", "R0432")]
    return finding


def test_pieces_face_down_are_named_as_the_cause() -> None:
    finding = only_finding(FACE_DOWN)
    assert finding.code == "R0511"
    (cause,) = finding.others
    assert cause.text.startswith("`built` is open, but something may lie there face down")
    assert cause.span.text == "built"


def test_a_decision_that_ended_what_was_known_is_named() -> None:
    finding = only_finding(FORGOTTEN)
    assert finding.code == "R0432"
    assert finding.notes[0].startswith("a decision ended what was known of `guest`")


def test_what_was_written_since_is_no_matter_of_the_decision() -> None:
    finding = only_finding(FORGOTTEN.replace("  guest.coins", "  guest = none\n  guest.coins"))
    assert finding.notes == ()
