"""Chunked cases of loops that end, and of loops that may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.check.check import check
from interpreter.check.walk import called_rules, walk
from interpreter.compile.load import compile_program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import Game
from tests.chunks import Chunk, differences, read_chunks
from tests.pass_findings import findings
from tests.toy_games import checked
from tests.toys import gather_text

CASES = Path(__file__).parent.parent / "cases" / "loops"
CHUNKS = [chunk for path in sorted(CASES.glob("*/*.rules")) for chunk in read_chunks(path)]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_endless_loops_are_found_on_their_line(chunk: Chunk) -> None:
    assert not differences(chunk, findings(chunk, "R0450"))


def test_called_rules_come_in_the_order_of_the_text() -> None:
    """As a set they came in another order in every run, and the notes that the program makes for worlds with them."""
    names = [f"step_{letter}" for letter in "kcaiebjdhfg"]
    rules = "play\n  work\neffect work\n" + "".join(f"  {name}\n" for name in names)
    rules += "".join(f'effect {name}\n  say "{name}"\n' for name in sorted(names))
    program = checked(rules)
    assert [rule.name for rule in called_rules(walk(program.rules["play"].body))] == ["work", *names]


@pytest.mark.parametrize("depth", [20, 21, 40])
def test_more_loops_inside_one_another_than_python_compiles_are_told_with_their_line(depth: int) -> None:
    loops = "".join(f"{'  ' * (n + 1)}for i{n} in 1..1\n" for n in range(depth))
    rules = f"table\n  total: 0..9 capped\nplay\n{loops}{'  ' * (depth + 1)}total += 1\n"
    found = Diagnostics()
    program = check(gather_text(rules, found=found), found)
    told = [(one.code, one.primary.span.text) for one in found if one.code == "R0102"]
    assert told == ([] if depth == 20 else [("R0102", "for i20 in 1..1")])
    if depth == 20:
        assert program is not None
        Game(compile_program(program)).new(0)
