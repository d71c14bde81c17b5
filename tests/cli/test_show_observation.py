"""`show NAME observation` lists every number of an observation once, in its order."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

import interpreter as rw
from interpreter.cli.commands import rulewright


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "pikit", "kikai", "flatiron", "kiwi_chow_down"])
def test_the_rows_lie_one_after_the_other(name: str) -> None:
    shown = CliRunner().invoke(rulewright, ["show", name, "observation"], standalone_mode=False).output
    rows = [(int(row[1]), int(row[2])) for row in re.finditer(r"(?m)^ *(\d+) +(\d+)  ", shown)]
    ends = [first + size for first, size in rows]
    assert [first for first, _ in rows] == [0, *ends[:-1]]
    meta = rw.load(name).meta
    assert ends[-1] == len(meta.start) + meta.pieces + meta.lists
    assert f"{ends[-1]} numbers" in shown
