"""Two options that read alike: nobody can choose by that label, and deep validation finds those that differ."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from interpreter.study.deep import validate_deeply
from tests.toy_games import checked

PUSH = """
game push "Push" for 2 players
table
  pushed[1..4]: 0..20
  left: 0..9 = 4
play
  in turn p from seat1 until left == 0
    turn(p)
phase turn(p)
  left -= 1
  choose one "What do you push?"
    "Push something" for n in {cells}
      pushed[{cell}] += 1
    "Rest"
score p
  "Nothing"  1
rank p by highest score, then shared
"""


def test_a_label_of_several_options_is_ambiguous() -> None:
    decision = game_from_program(checked(PUSH.format(cells="1..2", cell="n"))).new(0).decision
    with pytest.raises(rw.AmbiguousChoice, match=r"2 options are called `Push something`: number 0 \(1\), number 1"):
        decision.find("Push something")
    assert decision.find("Rest").index == 2


def test_a_label_of_options_that_do_the_same_means_the_first() -> None:
    decision = game_from_program(checked(PUSH.format(cells="1..2", cell="3"))).new(0).decision
    assert decision.find("Push something").index == 0


@pytest.mark.parametrize(("cell", "found"), [("n", ["R0725"]), ("3", [])])
def test_deep_validation_finds_those_that_do_different_things(tmp_path: Path, cell: str, found: list[str]) -> None:
    (tmp_path / "push").mkdir()
    (tmp_path / "push" / "ruleset.yaml").write_text("name: push\n")
    (tmp_path / "push" / "push.rules").write_text(PUSH.format(cells="1..2", cell=cell))
    name = str(tmp_path / "push")
    deep = validate_deeply(name, [name], games=4)
    assert [one.code for one in deep.findings] == found
    if found:
        (finding,) = deep.findings
        assert finding.headline == "two options read “Push something” and do different things"
        assert finding.primary.span.line == 11
        assert "after no choice" in finding.notes[1]
