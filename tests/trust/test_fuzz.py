"""A little of every fuzzer in each run, and whatever they have found before; hours of it with `tools/fuzz`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.trust.fuzzing import CORPUS, TARGETS

ROUNDS = {"rules": 60, "data": 25, "texts": 25, "api": 25, "commands": 25}


@pytest.mark.parametrize("name", list(TARGETS))
def test_odd_inputs_get_words(
    name: str, tmp_path: Path, is_long: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")  # nothing of this is met twice
    for number in range(ROUNDS[name] * (40 if is_long else 1)):
        TARGETS[name](random.Random(f"{name} {number}"), tmp_path / str(number))


def test_what_was_found_before(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each line of the corpus is a target and the seed that broke it once."""
    lines = [line.split() for line in (CORPUS / "found.txt").read_text().splitlines() if line and line[0] != "#"]
    for number, (name, seed) in enumerate(lines):
        TARGETS[name](random.Random(f"{name} {seed}"), tmp_path / str(number))
