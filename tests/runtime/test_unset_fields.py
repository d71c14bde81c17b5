"""A field that setup has yet to set shows no value: what fills its place until then is no fact."""

from __future__ import annotations

from typing import Any

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
game trump "Trump" for 2 players
enum Suit = red | blue
table
  trump: Suit
  leader: player
  noted: Suit hidden
  rounds: 0..9
setup
  choose_trump(seat2)
  leader = seat1
  seat1 chooses n in 1..2 "Go on?"
  rounds += n
play
  choose_trump(seat1)
phase choose_trump(p)
  choose one "Which?"
    "Red"
      trump = red
    "Blue"
      trump = blue
  noted = trump
"""


def shown(state: Any, player: int | None) -> list[Any]:
    fields = state.view(player)["fields"]["table"]
    return [fields["trump"], fields["leader"], fields.get("noted")]


def test_a_field_without_a_value_shows_none_until_it_is_set() -> None:
    state = game_from_program(checked(RULES)).new(seed=0)
    assert shown(state, None) == [None, None, None]
    again = state.game.from_json(state.to_json())
    assert shown(again, 0) == [None, None, None]
    state.apply(0)
    assert shown(state, None) == ["red", "seat1", "red"], "red is what filled the place before, and is a fact now"
    assert shown(state, 1) == shown(state.determinize(1, 3), 1) == ["red", "seat1", None]
    state.apply(0)
    assert shown(state, 0) == ["red", "seat1", None]
