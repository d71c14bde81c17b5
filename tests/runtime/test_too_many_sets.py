"""A set chosen out of many pieces by a hard condition: the fault says what is too much, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw

RULES = """
game heap "Heap" for 1 players

kind Card
  copies 1 for each rank: 1..20

table
  cards: pool of Card open

setup
  move all c in Card to cards

play
  seat1 chooses n in 1..2 "Which?"
  seat1 chooses 2..20 c in cards as some_cards such that is_steep(some_cards) "Which cards?"

value is_steep(chosen: set of Card): flag = sum(c.rank * c.rank for c in chosen) == 2869
"""


def test_a_search_for_sets_is_not_told_as_a_loop(tmp_path: Path) -> None:
    folder = tmp_path / "heap"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: heap\n")
    (folder / "heap.rules").write_text(RULES)
    with pytest.raises(rw.Fault) as fault:
        rw.load(str(folder), backend="python").new(seed=1).apply(0)
    assert fault.value.diagnostic.code == "R0903"
    assert (fault.value.diagnostic.help or "").startswith("there are too many sets to try")
