"""Chunked cases of secrets: what leaks, and what only looks as if it did."""

from __future__ import annotations

from pathlib import Path

import pytest

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
