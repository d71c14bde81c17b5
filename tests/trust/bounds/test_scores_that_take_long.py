"""Scores and ranks are worked out when somebody reads them: in seconds, any number of times, or with a fault."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from interpreter.web.scene import scene_of
from tests.toy_games import checked

GAME = """map net is complete of {towns}
  node Town
  edge Way
each Way
  owner: player?
play
  turn(seat1)
phase turn(p)
  choose k in 1..2 "?"
score p
  "Road" longest_trail(w in Way where w.owner is none)
"""


def test_a_score_without_an_end_is_a_fault_with_its_line() -> None:
    state = game_from_program(checked(GAME.format(towns=40), 2)).new(seed=1)
    for limit in (state.limit, 20_000):  # what users have, once; then the same on the next decision, in less time
        state.limit = limit
        assert scene_of(state.game, state, 0)["score_sheet"] is None
        for name in ("scores", "score_lines", "ranking"):
            with pytest.raises(rw.Fault) as caught:
                getattr(state, name)
            assert caught.value.diagnostic.code == "R0903" and caught.value.place[1] == 11  # type: ignore[index]
        if not state.over:
            assert state.apply(0).over, "the game itself goes on"


def test_a_score_may_be_read_again_and_again() -> None:
    """Each reading has the steps of one: they do not add up."""
    state = game_from_program(checked(GAME.format(towns=6), 2)).new(seed=1)
    state.limit = 20_000
    assert {tuple(state.scores) for _ in range(30)} == {(13, 13)}
