"""The toy games of `tests/toys`, checked and compiled once a run: small rulesets that together use every form."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import interpreter as rw
from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.diagnostics.diagnostic import Diagnostics, Severity
from interpreter.runtime.game import game_from_program
from tests.chunks import Chunk, read_chunks
from tests.toys import gather_text

_EVERY: dict[str, Chunk] = {
    chunk.name: chunk
    for file in sorted((Path(__file__).parent / "toys").glob("*.rules"))
    for chunk in read_chunks(file)
}
# Maps of thousands of nodes show what C has room for. The slow evaluator, drawings and whatever else goes over all toys
# would take minutes for each of them and find nothing that a small map does not show.
LARGE: dict[str, Chunk] = {name: chunk for name, chunk in _EVERY.items() if name.startswith("large:")}
TOYS: dict[str, Chunk] = {name: chunk for name, chunk in _EVERY.items() if name not in LARGE}


def checked(rules: str, players: int = 2, tables: dict[str, str] | None = None) -> Program:
    """The program of a text; every error is told."""
    found = Diagnostics()
    program = check(gather_text(rules, tables, players, found), found)
    errors = [f"{f.primary.span.at}: {f.code} {f.headline}" for f in found if f.severity is Severity.error]
    assert program is not None and not errors, errors
    return program


@cache
def toy_program(name: str) -> Program:
    chunk = _EVERY[name]
    return checked(chunk.rules, chunk.players, chunk.tables)


@cache
def toy_game(name: str) -> rw.Game:
    return game_from_program(toy_program(name))
