"""Faults of compiled rules are told as Python tells them: in games, in worlds, in playouts; and a sandbox stays one."""

from __future__ import annotations

import pickle

import pytest

from interpreter.compile.load import compile_program
from interpreter.native import make
from interpreter.native.engine import Engine
from interpreter.native.game import NativeGame
from interpreter.native.library import load_library
from interpreter.native.state import NativeState
from interpreter.native.unavailable import NativeUnavailable
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game
from tests.engine.playouts import QUICK
from tests.toy_games import checked

OVERFLOWING = """\
game toy "Toy" for 2 players as red, blue

table
  total: 0..3

each player
  luck: 1..6 secret

setup
  for p in players
    p.luck = 3

play
  in turn p from red until total == 9
    add(p)

phase add(p)
  choose one "How much?"
    "One"
      total += 1
    "Two"
      total += 2
"""


def overflowing() -> NativeGame:
    compiled = compile_program(program := checked(OVERFLOWING))
    game = NativeGame(compiled, None, states_native=True)
    try:
        game.use(Engine(load_library(make.made_of_program(program, QUICK)), compiled.meta))
    except NativeUnavailable as problem:
        pytest.skip(str(problem))
    return game


def test_a_fault_is_told_in_full() -> None:
    game = overflowing()
    ours, theirs = game.new(1), Game(game.compiled).new(1)
    assert isinstance(ours, NativeState)
    told = []
    for state in (ours, theirs):
        state.apply(1)
        with pytest.raises(Fault) as fault:
            state.apply(1)
        told.append((fault.value.diagnostic.code, fault.value.place, fault.value.step, fault.value.stack))
    assert told[0] == told[1]
    assert told[0][0] == "R0901"


def test_a_world_tells_of_its_own_fault() -> None:
    """No seed leads to a world: the choices that led to the fault are played from the world itself."""
    game = overflowing()
    state = game.new(1)
    state.apply(0)
    world = state.determinize(0, 5)
    assert isinstance(world, NativeState)
    copy = world.clone()
    assert copy.approximate == world.approximate
    copy.apply(0)
    with pytest.raises(Fault):
        copy.apply(1)


def test_a_playout_that_faults_leaves_no_wrong_state() -> None:
    game = overflowing()
    state = game.new(1)
    with pytest.raises(Fault):
        game.finish(state, 2)
    assert not state.over
    assert state.opts == game.new(1).opts


def test_a_pickled_sandbox_is_still_one() -> None:
    game = NativeGame(compile_program(checked(OVERFLOWING)), None, states_native=True, sandboxed=True)
    again = pickle.loads(pickle.dumps(game))
    assert again.sandboxed
    assert again.engine_for_playouts(100.0) is None, "nothing is loaded into this process for it"
