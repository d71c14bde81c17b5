"""Chunked cases of names, types and hooks in bodies: what is wrong, and on which line."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.check import program as core
from interpreter.check.check import elaborate_bodies
from interpreter.check.declare import declare
from interpreter.check.program import Program
from interpreter.check.walk import walk_program
from interpreter.diagnostics.codes import CODES
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.chunks import Chunk, differences, read_chunks
from tests.toys import gather_text

CASES = Path(__file__).parent.parent / "cases"
PRELUDE = (CASES / "elaborate_prelude.rules").read_text(encoding="utf-8")
TABLES = {
    "cards.yaml": """
rows:
  - {id: ace, colour: red, rank: 1, answer: echo}
  - {id: two, colour: blue, rank: 2, answer: echo, copies: 2}
""",
    "track.yaml": "rows: [{space: 1, gift: 0}, {space: 2, gift: 3}, {space: 3, gift: 5}]",
}
ECHO = 'effect echo(p, other: Card) "Echo"\n  say "{other}"\n'
PLAY = "play\n  end game\n"


def chunks(folder: str) -> list[Chunk]:
    paths = [path for topic in ("names", "types", "hooks") for path in sorted((CASES / topic / folder).glob("*.rules"))]
    return [chunk for path in paths for chunk in read_chunks(path)]


def elaborate(chunk: Chunk) -> tuple[Program, Diagnostics]:
    """The chunk in the world of the prelude."""
    found = Diagnostics()
    rules = chunk.rules + PRELUDE + ECHO + ("" if "\nplay\n" in f"\n{chunk.rules}" else PLAY)
    declared = declare(gather_text(rules, TABLES | chunk.tables, chunk.players, found), found)
    return elaborate_bodies(declared, found), found


@pytest.mark.parametrize("chunk", chunks("bad"), ids=lambda chunk: chunk.name)
def test_what_is_wrong_is_found_on_its_line(chunk: Chunk) -> None:
    _, found = elaborate(chunk)
    assert not differences(chunk, found)
    assert chunk.expected


@pytest.mark.parametrize("chunk", chunks("good"), ids=lambda chunk: chunk.name)
def test_what_is_right_is_accepted(chunk: Chunk) -> None:
    _, found = elaborate(chunk)
    assert [f"{finding.primary.span.at}: {finding.headline}" for finding in found] == []


def test_there_are_enough_cases_and_every_code_has_an_entry() -> None:
    bad = chunks("bad")
    assert len(bad) >= 60
    assert {one.code for chunk in bad for one in chunk.expected} <= CODES.keys()


def test_good_cases_make_every_form_of_the_program() -> None:
    made = {type(node) for chunk in chunks("good") for node in walk_program(elaborate(chunk)[0])}
    forms = {form for form in vars(core).values() if isinstance(form, type) and issubclass(form, core.Expr | core.Stmt)}
    missing = forms - made - {core.Expr, core.Stmt}
    assert sorted(form.__name__ for form in missing) == []
