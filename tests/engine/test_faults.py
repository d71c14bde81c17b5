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
from tests.engine.playouts import quick_library, same_end
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

WIDE = """\
each player
  a: 0..2000000000 = 2000000000
  b: 0..2000000000 = 1999999999
play
  repeat 2 times
    for p in players
      turn(p)
phase turn(p)
  LINE
  choose n in 1..4 "How much?"
  p.a = p.a * p.b div 2000000000 - kept * n
score p
  "All"  p.a
"""


COUNTED_OUT_OF_RANGE = """\
enum Colour = red | blue | green
kind Card
  copies 4 for each colour: Colour
table
  offer: pool of Card open
  moves: 0..40
each player
  hand: hand of Card open
  points: 0..9
setup
  move all c in Card to offer
play
  in turn p from seat1 until moves == 5
    turn(p)
value held(p, c: Colour): 0..3 = count(x in p.hand where x.colour == c)
value lacking(p, c: Colour): 1..4 = count(x in offer where x.colour == c)
phase turn(p)
  moves += 1
  choose one "Which?"
    "Take {c}" for c in Colour where held(p, c) < 3
      move up to 1 x in offer where x.colour == c to p.hand
    "Two of {c}" for c in Colour where lacking(p, c) > 1 and held(p, c) < 2
      move up to 2 x in offer where x.colour == c to p.hand
    "Three of {c}" for c in Colour
      move up to 3 x in offer where x.colour == c to p.hand
"""


def overflowing(rules: str = OVERFLOWING) -> NativeGame:
    compiled = compile_program(program := checked(rules))
    game = NativeGame(compiled, None, states_native=True)
    try:
        game.use(Engine(load_library(quick_library(program)), compiled.meta))
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem  # C that no compiler takes
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


@pytest.mark.parametrize(
    ("line", "reason"),
    [("let kept = p.a * p.b", "larger than 32 bits is kept"), ("let kept = p.a * p.b * p.a * p.b mod 7", "64 bits")],
)
def test_numbers_too_large_for_c(line: str, reason: str) -> None:
    """Python's numbers grow by themselves. What is kept over a decision has 32 bits in C, what is worked with 64."""
    with pytest.raises(NativeUnavailable, match=reason):
        make.c_of(checked(WIDE.replace("LINE", line)))


def test_options_with_too_many_combinations_for_c() -> None:
    """An option is one number of 32 bits in C: what its values are is worked out from it."""
    way = '\n    "{x} {a} {b}" for a in 1..40000, b in 1..40000 where a + b < 3\n      p.b = 1'
    ways = way.replace("{x}", "One") + way.replace("{x}", "Two")
    far = WIDE.replace("LINE", f'choose one "Which?"{ways}\n  let kept = 1')
    with pytest.raises(NativeUnavailable, match="combinations"):
        make.c_of(checked(far))


def test_products_within_64_bits() -> None:
    game = overflowing(WIDE.replace("LINE", "let kept = p.a * p.b mod 7"))
    reference = Game(game.compiled)
    for seed in range(3):
        ours = game.playout(seed)
        assert isinstance(ours, NativeState)
        assert ours.scores == reference.playout(seed).scores


def test_values_that_are_tallied_are_out_of_range_at_the_same_choice() -> None:
    """How many cards of each colour there are is counted in one pass; a count that its value cannot give is a fault
    for the colour, and at the choice, at which the rules would ask."""
    game = overflowing(COUNTED_OUT_OF_RANGE)
    reference = Game(game.compiled, None)
    assert {same_end(game, reference, seed) for seed in range(40)} == {True, False}
