"""Fields and pieces that are only supposed to change: tests look at what comes behind a store, without a trial."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import interpreter as rw
from interpreter.check.program import Program
from interpreter.compile import ir
from interpreter.compile.choices.supposing import Supposing
from interpreter.compile.passes import lower_program
from interpreter.compile.unit import Unit
from interpreter.runtime.game import game_from_program
from tests.toy_games import TOYS, checked, toy_program

SUPPOSED = [name for name in TOYS if name.startswith("supposed:")]
STONES = """
map board is grid 3 by 3
  node Cell
each Cell
  owner: player?
  height: 0..3
table
  moves: 0..9
{more}
play
  in turn p from seat1 until moves == 9
    turn(p)
phase turn(p)
  moves += 1
  choose one "Where?"
    "On {{c}}" for c in Cell where c.owner is none
{body}
    otherwise "Pass"
"""
BREATHES = "requires some d in neighbours(c) has d.owner is none and d.height < 2"


def stones(*body: str, more: str = "") -> Unit:
    text = STONES.format(body="\n".join(f"      {line}" for line in body), more=more)
    return lower_program(checked(text))


def supposed_in(unit: Unit) -> list[str]:
    bodies = [routine.body for routine in unit.routines.values()]
    inside = [ins for body in bodies for ins in ir.instructions(body)]
    return [type(ins).__name__ for ins in inside if isinstance(ins, ir.Suppose | ir.SupposeMove)]


@pytest.mark.parametrize(
    ("body", "times"),
    [
        (("c.owner = p", BREATHES), 1),
        (("c.owner = p", "c.height = 2", BREATHES), 2),
        (("if c.height < 3", "  c.height += 1", "c.owner = p", BREATHES), 3),  # the owner in both cases
        (("c.owner = p", "if c.height == 3", "  p wins", BREATHES), 1),
        (("moves = 3", "requires c.height < 2"), 0),  # nothing looks at it
    ],
)
def test_what_is_stored_is_supposed(body: tuple[str, ...], times: int) -> None:
    unit = stones(*body)
    assert len(supposed_in(unit)) == times
    assert [site.trial for site in unit.sites] == [""]


def test_what_sets_off_a_hook_is_tried() -> None:
    unit = stones("c.owner = p", BREATHES, more="after c.owner changes\n  c.height = 1")
    assert supposed_in(unit) == []
    assert unit.sites[0].trial


def test_a_store_that_may_fault_is_tried() -> None:
    unit = stones("c.height += moves", BREATHES)
    assert supposed_in(unit) == []
    assert unit.sites[0].trial


CARDS = """
kind Card from cards.yaml
  act: effect
table
  line: row of Card open
each player
  coins: 0..9 = 3
  last: 0..9
setup
  move all c in Card to line
play
  turn(seat1)
phase turn(p)
  choose c in line "Which card?"
  p.last = 1
  perform c.act for p
effect spend(p, n: 1..9) "Spend {n}"
  requires p.last == 1
  pay n coins
"""


def test_a_store_before_the_effect_of_a_card_is_tried() -> None:
    """The runtime may have to try the effect: asked in a test, that would be a trial beside the trial."""
    rows = "".join(f"  - {{id: {name}, act: spend({n})}}\n" for name, n in (("a", 1), ("b", 2), ("c", 4)))
    program = checked(CARDS, 2, {"cards.yaml": f"rows:\n{rows}"})
    assert supposed_in(lower_program(program)) == []
    assert len(game_from_program(program).new(1).decision.options) == 2


def without_supposing(monkeypatch: pytest.MonkeyPatch, program: Program) -> rw.Game:
    never: Callable[..., bool] = lambda *_: False  # noqa: E731
    with monkeypatch.context() as patch:
        patch.setattr(Supposing, "_is_supposed", never)
        patch.setattr(Supposing, "_may_suppose_move", never)
        patch.setattr(Supposing, "_is_split", never)
        patch.setattr(Supposing, "_may_be_over", never)
        return game_from_program(program)


@pytest.mark.parametrize("name", SUPPOSED)
def test_trials_offer_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules compiled with and without supposing offer the same, and play the same random games."""
    program = toy_program(name)
    told, tried = game_from_program(program), without_supposing(monkeypatch, program)
    assert supposed_in(lower_program(program))
    assert not any(site.trial for site in told.meta.sites) and any(site.trial for site in tried.meta.sites)
    rng = random.Random(5)
    for seed in range(6):
        one, other = told.new(seed), tried.new(seed)
        while not one.over:
            offered = [_raws(state) for state in (one, other)]
            assert offered[0] == offered[1]
            choice = rng.randrange(len(offered[0]))
            one, other = one.apply(choice), other.apply(choice)
        assert other.over
        assert told.playout(seed).history == tried.playout(seed).history


def _raws(state: Any) -> list[int]:
    return [int(option) for option in state.decision.options]
