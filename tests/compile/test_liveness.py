"""Which unseen locals a frame still holds for somebody: from where they are bound to where they are read last."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.runtime.game import game_from_program
from interpreter.runtime.meta import Meta
from tests.toy_games import checked

GAMES = Path(__file__).parents[1] / "knowledge" / "games"

HEAD = """
each player
  bid: 0..9 secret
  points: 0..99
play
  for p in players
    turn(p)
phase turn(p)
"""
# What `turn` does, and at which of its decisions the frame still has a use for the secret number. A frame stands at the
# segment that asks while somebody decides; the one that takes up the answer, which may read the number, is no place to
# stand at.
TURNS = {
    "  choose n in 1..3 secretly\n  p.bid = n\n  choose m in 1..2\n  gain m points\n": [False, False],
    "  choose n in 1..3 secretly\n  choose m in 1..2\n  p.bid = n\n  gain m points\n": [False, True],
    "  choose n in 1..3 secretly\n  p.bid = n\n  choose m in 1..2 where n > 0\n  gain m points\n": [False, True],
    '  choose n in 1..3 secretly\n  p.bid = n\n  choose m in 1..2 "Beside {n}?"\n  gain m points\n': [False, True],
}


def meta_of(rules: str) -> Meta:
    meta: Meta = game_from_program(checked(rules)).meta
    return meta


@pytest.mark.parametrize("turn", TURNS)
def test_a_secret_counts_as_long_as_something_reads_it(turn: str) -> None:
    game = game_from_program(checked(HEAD + turn))
    state, meta = game.new(seed=1), game.meta
    held: list[bool] = []
    stood_at: set[int] = set()
    while not state.over:
        segment, *slots = state.k[-1]
        kept = [slots[number - 1] for number in meta.unseen_slots.get(segment, ())]
        assert kept in ([], [3])  # the number that was chosen, and nothing else
        held.append(bool(kept))
        stood_at.update(frame[0] for frame in state.k)
        state.apply(len(state.opts) - 1)
    assert held == TURNS[turn] * 2  # both players have had their turn
    assert stood_at.issuperset(meta.unseen_slots)


def test_a_secret_of_a_loop_is_gone_behind_it() -> None:
    assert not meta_of((GAMES / "two_ships.rules").read_text(encoding="utf-8")).unseen_slots


def test_worlds_of_such_a_game_keep_all_that_was_told() -> None:
    state = game_from_program(checked((GAMES / "two_ships.rules").read_text(encoding="utf-8"))).new(seed=1)
    while not state.over:
        assert not any(state.determinize(player, 5).approximate for player in (0, 1))
        state.apply(0)
