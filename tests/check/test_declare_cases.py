"""Chunked cases of declarations: what is wrong, and on which line."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.check.declare import declare
from interpreter.diagnostics.codes import CODES
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.chunks import Chunk, differences, read_chunks
from tests.toys import gather_text

CASES = Path(__file__).parent.parent / "cases" / "declare"
BAD = [chunk for path in sorted((CASES / "bad").glob("*.rules")) for chunk in read_chunks(path)]
GOOD = [chunk for path in sorted((CASES / "good").glob("*.rules")) for chunk in read_chunks(path)]


@pytest.mark.parametrize("chunk", GOOD, ids=lambda chunk: chunk.name)
def test_good_declarations_have_no_findings(chunk: Chunk) -> None:
    found = Diagnostics()
    declare(gather_text(chunk.rules, chunk.tables, chunk.players, found), found)
    assert not differences(chunk, found)


@pytest.mark.parametrize("chunk", BAD, ids=lambda chunk: chunk.name)
def test_bad_declarations_are_found_on_their_line(chunk: Chunk) -> None:
    found = Diagnostics()
    declare(gather_text(chunk.rules, chunk.tables, chunk.players, found), found)
    assert not differences(chunk, found)
    assert chunk.expected


def test_every_code_of_a_case_has_an_entry() -> None:
    assert {one.code for chunk in BAD for one in chunk.expected} <= CODES.keys()
