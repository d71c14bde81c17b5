"""Chunked cases of secrets: what leaks, and what only looks as if it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic
from tests.chunks import Chunk, differences, read_chunks
from tests.pass_findings import findings

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


def test_a_label_that_names_an_unseen_piece_is_told_to_say_where_it_lies() -> None:
    assert _found_in("pointed", "R0511", "t").help == "say where it lies: `{position(t, line)}`"
