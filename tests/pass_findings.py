"""What the passes after elaboration find in a case: visibility, loops, use."""

from __future__ import annotations

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostic, Diagnostics
from tests.chunks import Chunk
from tests.toys import gather_text

PASSES = ("R0450", "R051", "R075", "R076")


def findings(chunk: Chunk, family: str) -> list[Diagnostic]:
    """The findings whose code begins with `family`. The case must be sound up to the passes."""
    found = Diagnostics()
    check(gather_text(chunk.rules, chunk.tables, chunk.players, found), found)
    unsound = [f"{f.code} {f.primary.span.at}: {f.headline}" for f in found if not f.code.startswith(PASSES)]
    assert not unsound
    return [finding for finding in found if finding.code.startswith(family)]
