"""Chunked cases of loops that end, and of loops that may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chunks import Chunk, differences, read_chunks
from tests.pass_findings import findings

CASES = Path(__file__).parent.parent / "cases" / "loops"
CHUNKS = [chunk for path in sorted(CASES.glob("*/*.rules")) for chunk in read_chunks(path)]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_endless_loops_are_found_on_their_line(chunk: Chunk) -> None:
    assert not differences(chunk, findings(chunk, "R0450"))
