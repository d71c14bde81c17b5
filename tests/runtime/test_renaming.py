"""The quick way to rename the pieces of a state against the obvious one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import interpreter as rw
from interpreter.runtime.determinise import apply_identities
from interpreter.runtime.game import game_from_program
from interpreter.runtime.meta import Meta
from interpreter.runtime.renaming import Renaming
from tests.toy_games import checked

GAMES = Path(__file__).parents[1] / "knowledge" / "games"


def renamed_both_ways(state: rw.State, new: list[int]) -> tuple[object, object]:
    told = []
    assert state.kn is not None  # a state that is behind with knowledge catches up here
    for quick in (True, False):
        drawn = state.clone()
        if quick:
            Renaming(state.meta).apply(state, drawn, new)
        else:
            apply_identities(state, drawn, state.meta, new)
        told.append((drawn.f, drawn.p[: state.meta.lists], drawn.at, drawn.k, drawn.fd, drawn.opts, drawn.kn))
    return told[0], told[1]


def within_kinds(meta: Meta, random: Random) -> list[int]:
    """Some pieces of each kind under other names."""
    kinds: dict[str, list[int]] = {}
    for piece, kind in enumerate(meta.piece_kind[: meta.pieces]):
        kinds.setdefault(kind, []).append(piece)
    new = list(range(meta.pieces))
    for pieces in kinds.values():
        some = random.sample(pieces, random.randint(0, len(pieces)))
        for piece, name in zip(some, random.sample(some, len(some)), strict=True):
            new[piece] = name
    return new


@pytest.mark.parametrize("name", ["chests", "passed_hands", "payment", "follow_suit"])
def test_tiny_games_are_renamed_alike(name: str) -> None:
    game = game_from_program(checked((GAMES / f"{name}.rules").read_text(encoding="utf-8")))
    for seed in range(20):
        state, random = game.new(seed=seed), Random(seed)
        while not state.over:
            quick, obvious = renamed_both_ways(state, within_kinds(state.meta, random))
            assert quick == obvious
            state.apply(random.randrange(len(state.opts)))


@pytest.mark.parametrize("name", ["kiwi_chow_down", "bricolage_heads", "pikit"])
def test_published_games_are_renamed_alike(name: str) -> None:
    state, random = rw.load(name).new(seed=3), Random(3)
    for _ in range(25):
        if state.over:
            break
        quick, obvious = renamed_both_ways(state, within_kinds(state.meta, random))
        assert quick == obvious
        state.apply(random.randrange(len(state.opts)))


UNSET = """
game beans "Beans" for 2 players
kind Bean
  copies 1 for each rank: 1..6
table
  deck: pile of Bean hidden
each player
  hand: hand of Bean secret
  field: pool of Bean open
setup
  move all b in Bean to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand
play
  for p in players
    turn(p)
phase turn(p)
  may "Lay"
    choose b in p.hand "Which?"
    move b to p.field
  for b in p.field
    may "Sell {b}"
      move b to box
"""


@pytest.mark.parametrize("quick", [True, False])
def test_a_set_that_was_not_worked_out_yet_is_no_piece(quick: bool) -> None:
    """Its slot holds 0 until then, which was taken for the first piece: worlds differed from those in C."""
    state = game_from_program(checked(UNSET)).new(seed=1)
    drawn, new = state.clone(), [*range(1, 6), 0]
    if quick:
        Renaming(state.meta).apply(state, drawn, new)
    else:
        apply_identities(state, drawn, state.meta, new)
    frame = drawn.k[-1]
    things = state.meta.slot_things[state.meta.segment_routine[frame[0]]]
    assert [value for value, thing in zip(frame[1:], things, strict=True) if thing == "set:piece"] == [0]
