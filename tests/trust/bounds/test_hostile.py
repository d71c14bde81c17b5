"""Rulesets that do more than anybody waits for are stopped: with their line, within seconds, within 500 MB."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.trust.bounds.hostile import MEMORY, PATIENCE, PLAYED

# Much like others, or of those that take seconds: in the long run.
DEAR = (
    "sums that few sets have", "payments of many kinds", "payments of hundreds", "thousands of pieces passed on",
    "millions of cards drawn",
)  # fmt: skip
ROOT = Path(__file__).resolve().parents[3]


def outcomes(backend: str, names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """What each ruleset came to, told by a process that has limits of its own."""
    command = [sys.executable, "-m", "tests.trust.bounds.hostile", backend, *names]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    return {line["name"]: line for line in lines}


@pytest.mark.parametrize("backend", ["python", "native"])
def test_what_never_ends_is_stopped_with_its_line(backend: str, is_long: bool) -> None:
    if backend == "native" and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    names = tuple(PLAYED) if is_long else tuple(name for name in PLAYED if name not in DEAR)
    if backend == "native" and not is_long:
        names = ("calls that double", "looks ahead that double", "sets that nothing completes", "payments that compete")
    found = outcomes(backend, names)
    for name in names:
        came = found[name]
        assert came["code"] in PLAYED[name][1], (name, came)
        assert came["code"] is None or (came["place"] is not None and came["rule"] == "turn"), (name, came)
        assert came["seconds"] < PATIENCE, (name, came)
    assert max(came["memory"] for came in found.values()) < MEMORY
