"""Play, playouts and trials do the same to a game, and each has in its IR what belongs to it and nothing else."""

from __future__ import annotations

import pytest

from interpreter.compile import ir
from interpreter.compile.emit_python import emit_python
from interpreter.compile.invariants import broken_invariants
from interpreter.compile.ir import FLAG, WAYS, Block, Op
from interpreter.compile.load import compile_program
from interpreter.compile.passes import lower_program, prepared
from interpreter.compile.show import show_block, show_value
from interpreter.compile.ways import for_way, settled
from interpreter.runtime.game import Game
from tests.every_ruleset import loaded
from tests.toy_games import TOYS, toy_game, toy_program

# ---------------------------------------------------------------------------- whole games


def same_games(game: Game, seeds: range) -> None:
    """Playouts go on their own module; the same choices in play lead to the same state."""
    for seed in seeds:
        quick = game.playout(seed)
        slow = game.retrace(quick)
        assert slow.over and (quick.h, quick.f, quick.p, quick.at) == (slow.h, slow.f, slow.p, slow.at)


def test_games_are_the_same_in_playouts_and_in_play(game: tuple[str, int]) -> None:
    same_games(loaded(*game), range(2))


@pytest.mark.parametrize("name", sorted(TOYS))
def test_toys_are_the_same_in_playouts_and_in_play(name: str) -> None:
    same_games(toy_game(name), range(3))


# ---------------------------------------------------------------------------- what is settled

YES, NO, TRIAL = ir.Const(1, type=FLAG), ir.Const(0, type=FLAG), ir.OnTrial()
X = ir.Local("x", type=FLAG)


@pytest.mark.parametrize(
    ("condition", "on_trial", "otherwise"),
    [
        (TRIAL, "yes", "no"),
        (ir.Not(TRIAL), "no", "yes"),
        (ir.Or(TRIAL, X), "yes", "x"),
        (ir.Or(X, TRIAL), "x or yes", "x"),  # x is still asked: that may be a fault
        (ir.And(TRIAL, X), "x", "no"),
        (ir.And(X, ir.Not(TRIAL)), "x and no", "x"),
        (ir.Not(ir.And(X, TRIAL)), "not x", "not (x and no)"),
        (ir.Or(X, ir.Not(X)), "x or (not x)", "x or (not x)"),
    ],
)
def test_conditions_that_ask_for_the_way_are_settled(condition: Op, on_trial: str, otherwise: str) -> None:
    assert show_value(settled(condition, True)) == on_trial
    assert show_value(settled(condition, False)) == otherwise


def in_each_way(body: Block) -> dict[str, str]:
    unit = lower_program(toy_program(min(TOYS)))
    unit.routines = {"one": ir.Routine("one", "plain", (), body=body)}
    return {way: "; ".join(show_block(for_way(unit, way)["one"].body, 0)) for way in WAYS}


@pytest.mark.parametrize(
    ("body", "play", "playout", "trial"),
    [
        ([ir.Only(("play",), [ir.Let("a", X)]), ir.Return()], "let a = x; return", "return", "return"),
        ([ir.Only(("play", "trial"), [ir.Break()])], "break", "", "break"),
        ([ir.If(X, [ir.Only(("playout",), [ir.Break()])])], "", "if x;   break", ""),
        ([ir.If(TRIAL, [ir.Break()], [ir.Return()])], "return", "return", "break"),
        ([ir.For("a", X, [ir.Only(("trial",), [ir.Succeed()])])], "for a in x", "for a in x", "for a in x;   succeed"),
    ],
)  # fmt: skip
def test_each_way_has_what_belongs_to_it(body: Block, play: str, playout: str, trial: str) -> None:
    assert in_each_way(body) == {"play": play, "playout": playout, "trial": trial}


# ---------------------------------------------------------------------------- passes


def test_what_is_not_settled_is_noticed() -> None:
    unit = lower_program(toy_program(min(TOYS)))
    unit.routines = {"one": ir.Routine("one", "plain", (), body=[ir.If(TRIAL, [ir.Only(("play",), [ir.Return()])])])}
    told = " ".join(broken_invariants(unit, settled=True))
    assert broken_invariants(unit) == [] and "OnTrial" in told and "Only" in told


def test_routines_that_are_the_same_in_all_ways_are_printed_once() -> None:
    unit = lower_program(toy_program("expressions:1"))
    ways, _ = prepared(unit)
    same = [name for name in unit.routines if len({id(ways[way][name]) for way in WAYS}) == 1]
    assert any(name.startswith("value_") for name in same)
    modules = emit_python(unit, ways)
    assert {len(module.places) - len(module.source.splitlines()) for module in modules.values()} == {0}


@pytest.mark.parametrize("name", TOYS)
def test_counting_changes_nothing_but_play(name: str) -> None:
    plain, counted = (compile_program(toy_program(name), counted=counted) for counted in ("", "places"))
    assert plain.hits == () and counted.hits
    assert "HITS[" not in plain.source and counted.source.count("HITS[") == len(counted.hits)
    assert all(plain.sources[way] == counted.sources[way] for way in ("playout", "trial"))
