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


# Laying cards is offered, since looking ahead ends before all ways are tried to lay six; none of them will do.
UNSEEN_END = """
game heap "Heap" for 1 players

kind Card
  copies 1 for each rank: 1..16

table
  cards: pool of Card open

setup
  move all c in Card to cards

play
  turn(seat1)

phase turn(p)
  choose one "What?"
    "Lay"
      repeat 6 times
        choose c in cards "Which card?"
        move c to box
      requires sum(c.rank for c in cards) == 9 "ten cards make more"
    "Rest"
"""


def test_a_search_for_sets_is_not_told_as_a_loop(tmp_path: Path) -> None:
    with pytest.raises(rw.Fault) as fault:
        written(tmp_path, RULES).new(seed=1).apply(0)
    assert fault.value.diagnostic.code == "R0903"
    assert (fault.value.diagnostic.help or "").startswith("there are too many sets to try")


def test_a_dead_end_that_looking_ahead_had_no_steps_to_find_says_so(tmp_path: Path) -> None:
    state = written(tmp_path, UNSEEN_END).new(seed=1).apply(0)
    with pytest.raises(rw.Fault) as fault:
        while not state.over:
            state.apply(0)
    assert fault.value.diagnostic.code == "R0701"
    assert any("ran out of steps" in note for note in fault.value.diagnostic.notes)
    assert "trial_steps" in (fault.value.diagnostic.help or "")


def written(tmp_path: Path, rules: str) -> rw.Game:
    folder = tmp_path / "heap"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: heap\n")
    (folder / "heap.rules").write_text(rules)
    return rw.load(str(folder), backend="python")
