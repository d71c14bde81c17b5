"""Segments that go on by themselves in C, and sets that are sorted there: the same games as in Python."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from interpreter.check.program import Program
from interpreter.compile.load import compile_program
from interpreter.native import make
from interpreter.native.engine import STOP, Engine
from interpreter.native.game import NativeGame
from interpreter.native.library import load_library
from interpreter.native.state import NativeState
from interpreter.native.unavailable import NativeUnavailable
from interpreter.ruleset.gathered import Limits
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game
from tests.engine.playouts import quick_build, same_end
from tests.toy_games import checked

# Whoever has the lamp is asked; the others take their turns without a word, thousands of them between two decisions.
QUIET = """
table
  n: 0..9000
each player
  lamp: flag
  points: 0..9000
setup
  for p in players
    p.lamp = yes
play
  in turn p from seat1 until n == 9000
    turn(p)
phase turn(p)
  n += 1
  if n mod 3000 < 5
    lit(p)
  answer(p)
phase lit(p)
  choose k in 1..3 "How much?"
  answer(p)
  p.points += k
effect answer(p)
  if p.lamp and n mod 1000 == 0
    choose k in 1..2 "Which?"
    p.points += k
"""

# Keys that come again and again, so that the order of equals is seen; the set is far larger than a short run.
SORTED = """
table
  n: 0..4000
  seen: 0..1000000
play
  in turn p from seat1 until n >= 3
    turn(p)
phase turn(p)
  n += 1
  choose k in 2..9 "Modulo?"
  seen = 0
  for i in 1..700 by highest (i * i * 7 + n) mod k
    seen = (seen * 31 + i) mod 99991
  for i in 1..700 where i mod 3 > 0 by lowest i mod 50
    seen = (seen * 31 + i) mod 99991
  choose m in 1..5 where m >= seen mod 3 + 1 "Which?"
  seen = 0
"""


def in_c(program: Program) -> NativeGame:
    compiled = compile_program(program)
    game = NativeGame(compiled, None, True)
    try:
        path = quick_build(make.c_of(program).source, "toy")
    except NativeUnavailable as problem:
        assert "failed with exit code" not in str(problem), problem
        pytest.skip(str(problem))
    game.engine = Engine(load_library(path), compiled.meta)
    return game


@pytest.mark.parametrize("rules", [QUIET, SORTED], ids=["quiet turns", "sorted sets"])
def test_games_are_those_of_python(rules: str) -> None:
    program = checked(rules, 2)
    game, reference = in_c(program), Game(compile_program(program))
    for seed in range(4):
        same_end(game, reference, seed)


def test_a_limit_of_steps_is_met_at_the_same_choice_step_by_step() -> None:
    """Segments that go on by themselves count as steps of the choice that they lead to, one by one."""
    program, ends = checked(QUIET, 2), set[int]()
    for steps in (3, 4, 1993, 1994, 3_000):
        limited = replace(program, title=f"{program.title} {steps}", limits=Limits(steps=steps))
        game, reference = in_c(limited), Game(compile_program(limited))
        made = choices_in_c(game)
        assert made == choices_in_python(reference), steps
        ends.add(made)
    assert ends == {0, 3, 4, 27}  # the last limit is never met


def choices_in_c(game: NativeGame) -> int:
    """How many first options can be taken up before a fault or the end."""
    engine = game.require_engine()
    context, made = engine.context, 0
    state = NativeState(game, engine, engine.state(), 0, True)
    apply = engine.function("rwx_apply", "i32", "address", "address", "i32")
    signal = engine.new(context.address, state.native, 0, 1)
    while signal == STOP and context.report[2] == 0:
        signal = apply(context.address, state.native, 0)
        made += signal == STOP
    return made


def choices_in_python(game: Game) -> int:
    made = 0
    try:
        state = game.new(0)
        while not state.over:
            state.apply(0)
            made += 1
    except Fault:
        pass
    return made


def test_rings_of_segments_go_by_way_of_the_machine() -> None:
    """A turn that may end without a question must not call the next one: thousands would lie on the C stack."""
    text = make.c_of(checked(QUIET, 2)).source
    calls: dict[str, set[str]] = {}
    for name, body in re.findall(
        r"^static int (q_s\d+)\(Ctx \*C, State \*S, int32_t \*F\) \{\n(.*?)^\}", text, re.M | re.S
    ):
        calls[name] = set(re.findall(r"return (q_s\d+)\(C, S, [FG]\)", body))
    assert any("rw_runs_on" in line for line in text.splitlines())

    def goes_round(name: str, above: tuple[str, ...] = ()) -> bool:
        return name in above or any(goes_round(other, (*above, name)) for other in calls.get(name, ()))

    assert calls and not any(goes_round(name) for name in calls)


def test_a_large_set_is_sorted_by_merging() -> None:
    assert "rw_sort_by(" in make.c_of(checked(SORTED, 2)).source
    assert "rw_sort_by(" not in make.c_of(checked(SORTED.replace("1..700", "1..20"), 2)).source
