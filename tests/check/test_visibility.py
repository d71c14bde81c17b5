"""Chunked cases of secrets: what leaks, and what only looks as if it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostic, Diagnostics
from tests.chunks import Chunk, differences, read_chunks
from tests.pass_findings import findings
from tests.toys import gather_text

CASES = Path(__file__).parent.parent / "cases" / "visibility"
CHUNKS = [chunk for path in sorted(CASES.glob("*/*.rules")) for chunk in read_chunks(path)]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_leaks_are_found_on_their_line_and_nothing_else(chunk: Chunk) -> None:
    assert not differences(chunk, findings(chunk, "R051"))


def test_each_finding_about_secrets_has_a_case() -> None:
    assert {one.code for chunk in CHUNKS for one in chunk.expected} == {f"R051{n}" for n in range(1, 7)}


def test_a_finding_names_what_is_secret() -> None:
    chunk = next(c for c in CHUNKS if [one.code for one in c.expected] == ["R0511"])
    (finding,) = findings(chunk, "R051")
    (label,) = finding.others
    assert label.span.text == "deck"
    assert label.text == "`deck` is hidden: nobody sees it"


def _found_in(name: str, code: str, text: str) -> Diagnostic:
    """The first finding of a bad case whose caret stands under that text."""
    chunk = next(chunk for chunk in CHUNKS if chunk.name == f"{name}:1" and chunk.expected)
    return next(one for one in findings(chunk, code) if one.primary.span.text == text)


def test_a_finding_says_who_would_learn_what() -> None:
    compared = _found_in("pieces", "R0512", "rival(p).card == Card.king")
    assert compared.primary.text == "all players would see whether this holds"
    assert [(label.span.text, label.text) for label in compared.others] == [
        ("card", "`card` is secret: only its owner sees it")
    ]
    assert compared.notes == ("all players see this: `gain 1 vp` (toy.rules:25:5)",)
    stored = _found_in("dice", "R0513", "fate[1].face")
    assert [label.text for label in stored.others] == ["`fate` is hidden: nobody sees it"]
    performed = _found_in("refusals", "R0512", "perform h.trick for p if possible")
    assert [label.text for label in performed.others] == ["`bid` is secret: only its owner sees it"]
    chosen = _found_in("refusals", "R0512", "g")
    assert chosen.primary.text == "all players would see what was chosen `secretly`"


def test_what_only_its_owner_sees_is_not_said_to_be_seen_by_all() -> None:
    rules = """
table
  fate: 1..6 hidden
each player
  plan: 0..9 secret
setup
  pick n in 1..6 at random
  fate = n
play
  if fate > 2
    seat1.plan = 1
  seat1 chooses n in 1..2 where n > seat1.plan "Go on?"
"""
    found = Diagnostics()
    check(gather_text(rules, found=found), found)
    told = next(one for one in found if one.code == "R0512")
    assert told.headline == "what an owner sees turns on a secret"
    assert told.primary.text == "its owner would see whether this holds"
    assert told.notes == ("only its owner sees this: `seat1.plan = 1` (toy.rules:11:5)",)
    assert told.help == "`reveal` it to the owner before, or make hidden what is written there"


def test_a_name_is_said_to_be_the_secret_and_not_the_pile_that_all_may_count() -> None:
    rules = """
kind Card
  copies 1 for each rank: 1..9
table
  deck: pile of Card hidden
  thrown: pool of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 3 from deck to p.hand
play
  seat1 chooses up to 2 c in seat1.hand as cards secretly "Which?"
  let n = count(cards)
  move cards to thrown
  if count(deck) < n
    shuffle thrown into deck
"""
    found = Diagnostics()
    check(gather_text(rules, found=found), found)
    (told,) = (one for one in found if one.code == "R0512")
    assert not told.others
    assert told.notes[0] == "not all know what `n` stands for"


def test_a_label_that_names_an_unseen_piece_is_told_to_say_where_it_lies() -> None:
    assert _found_in("pointed", "R0511", "t").help == "say where it lies: `{position(t, line)}`"


def test_who_shows_some_of_a_hand_one_by_one_is_told_to_show_them_at_once() -> None:
    rules = """
kind Card
  copies 2 for each rank: 1..9
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 3 from deck to p.hand
play
  for c in seat2.hand where c.rank == 3
    reveal c
    move c to seat1.hand
"""
    found = Diagnostics()
    check(gather_text(rules, found=found), found)
    (told,) = (one for one in found if one.code == "R0512")
    these = "c in seat2.hand where c.rank == 3"
    assert told.help == f"show them all at once, `reveal all {these}`; behind that `move all {these} to …` may stand"
    accepted = rules[: rules.index("  for c in seat2")] + f"  reveal all {these}\n  move all {these} to seat1.hand\n"
    found = Diagnostics()
    check(gather_text(accepted, found=found), found)
    assert not [one for one in found if one.code == "R0512"]
