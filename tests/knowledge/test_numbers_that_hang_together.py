"""Worlds in which several secret numbers are others at once, since no two of them alone could be.

A tiny game cannot show it: with few numbers everything drawn anew at once agrees soon enough.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import interpreter as rw

RULES = """game code "Code" for 2 players

each player
  peg[1..5]: 0..6 secret

play
  for i in 1..5
    set_peg(seat1, i)
  for i in 1..4
    if public(seat1.peg[i] == seat1.peg[i + 1])
      say "two alike"
  choose_one(seat2)

phase set_peg(p, i: 1..5)
  choose n in 1..6 secretly "Which?"
  p.peg[i] = n

phase choose_one(p)
  choose n in 1..6 "What is it?"
  if public(seat1.peg[1] == n)
    p wins "Found"
"""


@pytest.mark.parametrize("backend", ["python", "native"])
def test_numbers_that_are_known_to_be_equal_change_together(tmp_path: Path, backend: str) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: code\n")
    (folder / "code.rules").write_text(RULES)
    state = rw.load(str(folder), backend=backend).new(seed=1)
    for _ in range(5):
        state.apply(2)
    came: Counter[int] = Counter()
    for seed in range(60):
        world = state.determinize(1, seed)
        pegs = set(world.view(None)["fields"]["players"][0]["peg"].values())
        assert len(pegs) == 1
        assert not world.approximate
        came[pegs.pop()] += 1
    assert set(came) == set(range(1, 7))
    assert came[3] < 30, "the truth comes up as any other does"
