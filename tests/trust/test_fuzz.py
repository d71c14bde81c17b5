"""A little of every fuzzer in each run, and whatever they have found before; hours of it with `tools/fuzz`."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.trust.corpus_files import CASES, CORPUS, tried
from tests.trust.fuzzing import TARGETS, generator_of

ROUNDS = {"rules": 16, "grammar": 40, "data": 25, "texts": 12, "api": 25, "commands": 15, "saves": 30, "records": 12,
          "scenarios": 10, "web": 60}  # fmt: skip


@pytest.mark.parametrize("name", list(TARGETS))
def test_odd_inputs_get_words(name: str, is_long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis draws every number that a fuzzer asks for: the same ones in each run, and fewer for what fails."""
    if name == "web" and importlib.util.find_spec("starlette") is None:
        pytest.skip("the extra `web` is not installed")
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")  # nothing of this is met twice

    @settings(
        max_examples=ROUNDS[name] * (40 if is_long else 1), derandomize=True, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.randoms(use_true_random=False))
    def tries(rng: random.Random) -> None:
        folder = Path(tempfile.mkdtemp())
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                TARGETS[name](rng, folder / "one")
        finally:
            shutil.rmtree(folder)

    tries()


def test_what_was_found_before(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each line of the corpus is a target and the seed, or the bytes, that broke it once."""
    lines = [line.split() for line in (CORPUS / "found.txt").read_text().splitlines() if line and line[0] != "#"]
    for number, (name, seed) in enumerate(lines):
        TARGETS[name](generator_of(name, seed), tmp_path / str(number))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_files_that_once_broke_something(case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tried(case, tmp_path)
