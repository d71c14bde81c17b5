"""Chunked cases of declarations that nothing uses: warnings, and none on the sample games."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics, Severity
from interpreter.ruleset.gather import gather
from tests.chunks import Chunk, differences, read_chunks
from tests.pass_findings import findings
from tests.toys import gather_text

CASES = Path(__file__).parent.parent / "cases"
CHUNKS = [chunk for path in sorted((CASES / "use").glob("*/*.rules")) for chunk in read_chunks(path)]
KAIJU = "rows:\n" + "".join(
    f"  - {{id: card_{value}, value: {value}, trick: {trick}, copies: 4}}\n"
    for value, trick in enumerate(("null", "reroll", "null", "steal", "draw", "cancel", "turn", "null", "copy"), 1)
)


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_unused_declarations_are_told(chunk: Chunk) -> None:
    told = findings(chunk, "R07")
    assert not differences(chunk, told)
    assert all(finding.severity is Severity.warning for finding in told)


@pytest.mark.parametrize("name", ["tic_tac_toe", "breakthrough", "kuhn_poker", "pikit"])
def test_the_sample_games_have_no_findings(name: str) -> None:
    found = Diagnostics()
    rules = (CASES / "samples" / f"{name}.rules").read_text(encoding="utf-8")
    assert check(gather_text(rules, {"kaiju.yaml": KAIJU}, 2, found), found) is not None
    assert not list(found)


def test_a_variant_need_not_use_the_state_of_its_base(tmp_path: Path) -> None:
    rules = """
game walk "Walk" for 2 players
table
  clock: 0..9
play
  repeat 3 times
    clock += 1
    turn(seat1)
    if clock > 5
      stop
phase turn(p)
  choose n in 1..2 "How far?"
variant short of walk "Short"
  table
    idle: 0..9
  replace play
    turn(seat1)
"""
    (tmp_path / "walk").mkdir()
    (tmp_path / "walk" / "ruleset.yaml").write_text("name: walk\n")
    (tmp_path / "walk" / "walk.rules").write_text(rules)
    found = Diagnostics()
    gathered = gather(f"{tmp_path / 'walk'}+short", 2, found)
    assert gathered is not None and check(gathered, found) is not None
    assert [(one.code, one.headline) for one in found] == [("R0750", "`idle` is never used")]
