"""Rulesets that would take minutes to check are checked, or refused with their line, in a few seconds."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from interpreter.compile.load import checked_program
from interpreter.diagnostics.diagnostic import MOST, Diagnostics, RulesetError
from interpreter.ruleset.combinations import combinations
from interpreter.ruleset.gather import gather

HEAD = "format: 1\nname: {name}\ntitle: T\nplayers: {{fewest: 2, most: 2}}\n"
PLAY = 'play\n  turn(seat1)\nphase turn(p)\n  choose k in 1..2 "?"\n'
PATIENCE = 10.0  # CPU seconds


def written(folder: Path, name: str, rules: str, more: str = "", word: str = "game") -> Path:
    """A ruleset with these rules, and more lines in its manifest."""
    own = folder / name
    own.mkdir()
    (own / "ruleset.yaml").write_text(HEAD.format(name=name) + more, "utf-8")
    (own / f"{name}.rules").write_text(f'{word} {name} "T" for 2 players\n{rules}', "utf-8")
    return own


def codes_of(folder: Path) -> list[str]:
    """The codes of the errors, found in time."""
    began = time.process_time()
    found: list[str] = []
    try:
        checked_program(str(folder), 2)
    except RulesetError as wrong:
        found = [finding.code for finding in wrong.diagnostics if finding.severity.value == "error"]
    assert time.process_time() - began < PATIENCE
    return found


def test_a_state_of_135_million_numbers_is_refused(tmp_path: Path) -> None:
    fields = "".join(f"  n{i}[1..90000]: 0..9\n" for i in range(1500))
    assert codes_of(written(tmp_path, "fields", f"table\n{fields}{PLAY}")) == ["R0478"]


def test_thirty_thousand_values_of_an_enum(tmp_path: Path) -> None:
    values = " | ".join(f"c{i}" for i in range(30_000))
    assert codes_of(written(tmp_path, "enums", f"enum Colour = {values}\n{PLAY}")) == []


def test_enough_unknown_keys_are_told(tmp_path: Path) -> None:
    keys = "".join(f"key{i}: 1\n" for i in range(20_000))
    found = codes_of(written(tmp_path, "keys", PLAY, keys))
    assert len(found) == MOST and set(found) == {"R0210"}


def test_cores_that_use_the_same_cores(tmp_path: Path) -> None:
    below = ""
    for layer in range(14):
        for side in "ab":
            name = f"l{layer}{side}"
            written(tmp_path, name, f"{below}constant k{name}: 0..9 = 1\n", word="core")
        below = f"use l{layer}a\nuse l{layer}b\n"
    assert codes_of(written(tmp_path, "diamond", below + PLAY)) == []


def test_two_hundred_variants_are_not_checked_in_pairs(tmp_path: Path) -> None:
    names = [f"v{i}" for i in range(200)]
    rules = "constant n: 0..9 = 1\n" + PLAY.replace("1..2", "1..n")
    rules += "".join(f'\nvariant {name} of many "V"\n  set n = 2\n' for name in names)
    folder = written(tmp_path, "many", rules, "variants:\n" + "".join(f"  - {{name: {n}}}\n" for n in names))
    began = time.process_time()
    gathered = gather(str(folder), 2, Diagnostics())
    assert gathered is not None
    assert len(combinations("many", gathered.all_variants)) == 201
    assert len(combinations("many", gathered.all_variants[:40])) == 1 + 40 + 780
    assert time.process_time() - began < PATIENCE


@pytest.mark.parametrize("asked, got", [(50_000, 50_000), (90_000_000, 1_000_000)])
def test_a_manifest_does_not_raise_its_limits_beyond_the_ceilings(tmp_path: Path, asked: int, got: int) -> None:
    folder = written(tmp_path, "high", PLAY, f"limits: {{steps: {asked}}}\n")
    assert checked_program(str(folder), 2).limits.steps == got
