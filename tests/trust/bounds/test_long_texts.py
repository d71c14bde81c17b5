"""Files of a megabyte that say little are read in little memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.trust.small import ROOT

READS = """
import resource, sys
from pathlib import Path
from tests.toy_games import checked
from tests.trust.bounds.hostile import most_memory
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
begin, middle, end = sys.argv[1].split("|")
checked(begin + middle * int(sys.argv[2]) + end, 2)
assert most_memory() < 300 << 20, most_memory()
"""
HEAD = 'play\n  turn(seat1)\nphase turn(p)\n  choose k in 1..2 "'


@pytest.mark.parametrize(
    "rules, times",
    [
        (f'{HEAD}|x|"\n', 800_000),
        (f'{HEAD}|\\\\|"\n', 300_000),
        (f'{HEAD}?"|\n|  say "x"\n', 400_000),
        (f'{HEAD}?" |@A-1 |\n', 60_000),
        (f"{HEAD.replace('1..2', '(1,')}".replace(' "', "|\n| 2) ") + '"?"\n', 300_000),
    ],
    ids=["a text", "escapes", "empty lines", "tags", "lines after a comma"],
)
def test_a_long_file_is_read_in_little_memory(rules: str, times: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READS, rules, str(times)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-1500:]
