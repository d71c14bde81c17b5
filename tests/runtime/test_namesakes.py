"""Options with one label: words behind it tell them apart, if what their player sees of their pieces does."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from interpreter.study.same_labels import told_apart_by_nothing
from tests.toy_games import checked

SOLDIERS = """
game march "March" for 2 players
kind Soldier "soldier"
  copies 3 for each owner: player
map road is ring of camp, ford, town
  node Field
each Soldier
  tired: flag{visibility}
each Field
  army: pool of Soldier open
setup
  for p in players
    move 2 s in Soldier where s.owner == p to Field.camp.army
    move 1 s in Soldier where s.owner == p and s in box to Field.ford.army
play
  repeat 2 times
    for p in players
      turn(p)
phase turn(p)
  choose one "Who works?"
    "A soldier{where} digs" for f in Field, s in f.army where s.owner == p
      s.tired = yes
"""


def labels(rules: str, *choices: int) -> list[str]:
    state = game_from_program(checked(rules)).new(0)
    for choice in choices:
        state.apply(choice)
    return [str(option) for option in state.decision.options]


def soldiers(visibility: str = "", where: str = "") -> str:
    return SOLDIERS.format(visibility=visibility, where=where)


def test_where_pieces_lie_tells_them_apart() -> None:
    assert labels(soldiers()) == ["A soldier digs (camp)", "A soldier digs (ford)"]


def test_equal_pieces_in_one_place_are_one_option() -> None:
    assert labels(soldiers(where=" at {f}")) == ["A soldier at camp digs", "A soldier at ford digs"]


def test_fields_tell_those_apart_that_lie_together() -> None:
    state = game_from_program(checked(soldiers(where=" at {f}"))).new(0)
    state.apply(0)
    state.apply(0)
    said = ["A soldier at camp digs (tired)", "A soldier at camp digs (not tired)", "A soldier at ford digs"]
    assert [str(option) for option in state.decision.options] == said
    assert [option.apart for option in state.decision.options] == ["tired", "not tired", ""]
    assert state.decision.find("A soldier at camp digs (not tired)").index == 1
    assert state.decision.why_not("A soldier at camp digs (not tired)") is None
    with pytest.raises(rw.AmbiguousChoice, match=r"fits 2 options: .*\(tired\), .*\(not tired\)"):
        state.decision.find("A soldier at camp digs")
    assert told_apart_by_nothing(state) is None


def test_what_the_player_does_not_see_is_not_said() -> None:
    alike = ["A soldier at camp digs"] * 2 + ["A soldier at ford digs"]
    assert labels(soldiers(" hidden", " at {f}"), 0, 0) == alike


LOADS = """
game ferries "Ferries" for 2 players
kind Boat "boat"
  copies 2
enum Good = salt | wool
kind Sack "sack"
  copies 2 for each good: Good
each Boat
  hold: pool of Sack open
  trips: 0..9
table
  quay: pool of Boat open
  mole: row of Boat open
setup
  for b in Boat
    move b to quay
  pick b in quay
  move all s in Sack where s.good == salt to b.hold
play
  repeat 2 times
    turn(seat1)
phase turn(p)
  choose one "Which boat sails?"
    "A boat sails" for b in Boat
      b.trips += 1
      move b to {to}
"""


def test_what_pieces_carry_tells_them_apart() -> None:
    assert labels(LOADS.format(to="quay")) == ["A boat sails (sack salt ×2)", "A boat sails (nothing in hold)"]


def test_one_thing_that_tells_all_apart_is_enough() -> None:
    assert labels(LOADS.format(to="mole"), 0) == ["A boat sails (mole)", "A boat sails (quay)"]


def test_words_stay_as_they_were_when_the_game_goes_on() -> None:
    state = game_from_program(checked(LOADS.format(to="mole"))).new(0)
    state.apply(0)
    options = list(state.decision.options)
    state.apply(options[1])
    assert str(options[0]) == "A boat sails (mole)"


ROW = """
kind Bean
  copies 2 for each sort: 1..2
table
  line: row of Bean open
  heap: pile of Bean open
  eaten: 0..9 capped
setup
  move all b in Bean to line
play
  repeat 2 times
    turn(seat1)
phase turn(p)
  choose one "What?"
    "Eat {b}" for b in line
      move b to heap
    "Take {b} from the heap" for b in heap
      move b to line
    "Rest"
      eaten += 1
score p
  "Eaten"  count(heap) + eaten
"""


def test_equal_pieces_of_a_row_are_told_by_their_position() -> None:
    """In a row equal pieces are several options: which one goes says what is left in which order."""
    game = game_from_program(checked(ROW))
    state = game.new(0)
    assert [str(option) for option in state.decision.options][:4] == [
        "Eat Bean 1 (1)", "Eat Bean 1 (2)", "Eat Bean 2 (3)", "Eat Bean 2 (4)",
    ]  # fmt: skip
    assert state.decision.find("Eat Bean 1").index == 0  # whichever is taken, the same is left
    state.apply(state.decision.find("Eat Bean 2 (3)"))
    assert [str(option) for option in state.decision.options] == [
        "Eat Bean 1 (1)", "Eat Bean 1 (2)", "Eat Bean 2", "Take Bean 2 from the heap", "Rest",
    ]  # fmt: skip


def test_the_top_of_a_pile_is_the_first() -> None:
    rules = ROW.replace("repeat 2 times", "repeat 4 times")
    state = game_from_program(checked(rules)).new(0)
    for label in ("Eat Bean 1 (1)", "Eat Bean 2 (2)", "Eat Bean 1"):
        state.apply(state.decision.find(label))
    assert [str(option) for option in state.decision.options if "heap" in str(option)] == [
        "Take Bean 1 from the heap (1)", "Take Bean 2 from the heap", "Take Bean 1 from the heap (3)",
    ]  # fmt: skip
