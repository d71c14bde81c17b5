"""What must hold for a value to say yes, asked before the value is.

    value fits(t: Tile, s: Plot, turn: 0..3): flag
      if s.tile is not empty or no n in neighbours(s) has n.tile is not empty
        result no
      result every d in Direction has …

    "On {s}, turned {r}" for s in Plot, r in 0..3 where fits(t, s, r)

Only an empty plot beside a tile will do, whichever way the tile is turned. That is a condition on s alone, and in part
a mask: the loop goes over the plots that have it, and asks `fits` of those. The value is called as it was, and says the
same; only calls that would say no are left out. Only values without faults and without work that counts are looked
into, since those are to be met as often as the rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from itertools import takewhile
from operator import is_

from .. import ir
from ..ir import Block, Ins, Op, Routine, conjunction, conjuncts_of, free_locals
from ..written_out import with_arguments

CHANGES_NOTHING = (
    ir.If, ir.IfAnswer, ir.For, ir.Let, ir.Option, ir.UnsureOption, ir.PassOption, ir.Once, ir.Break, ir.Return,
    ir.Spend, ir.Succeed,
)  # fmt: skip


class Guards:
    def __init__(self, values: Mapping[str, Routine], is_free: Callable[[Op], bool]) -> None:
        self.values, self.is_free = values, is_free
        self._named = 0

    def routine(self, routine: Routine) -> Routine:
        """`for s in X: for r in Y: if fits(s, r): …` with what `fits` asks of s alone in front of the second loop."""
        return routine.with_blocks(self._block)

    def _block(self, body: Block) -> Block:
        new = [self._instruction(ins) for ins in body]
        return body if all(map(is_, new, body)) else new

    def _instruction(self, ins: Ins) -> Ins:
        ins = ir.rebuilt(ins, lambda op: op, self._block)
        if not isinstance(ins, ir.For):
            return ins
        inside = [*ir.instructions(ins.body)]
        if not all(isinstance(inner, CHANGES_NOTHING) for inner in inside):
            return ins
        needed = [one for one in self._needed_inside(ins.body) if ins.local in free_locals(one)]
        match ins.body:
            case [ir.If(otherwise=[]) as test]:
                tests, below = [test.condition, *needed], test.then
            case _:
                tests, below = needed, ins.body
        if not needed:
            return ins
        asked = conjunction(tests)
        assert asked is not None
        return replace(ins, body=[ir.If(asked, below, span=ins.span)])

    def needed(self, test: Op) -> list[Op]:
        """Conditions that hold wherever the test does, if the test is a call of a value. No later ones than those that
        can be asked here: a line of the value may rest on the one before, `c is none` above all."""
        if not isinstance(test, ir.CallValue) or not self.is_free(test):
            return []
        value = self.values.get(test.routine)
        if value is None or not all(isinstance(arg, ir.Local | ir.Const) for arg in test.args):
            return []
        given: dict[str, Op] = dict(zip(value.params, test.args, strict=True))
        opening = takewhile(lambda one: given.keys() >= set(free_locals(one)), _opening(value.body))
        return [with_arguments(condition, given, self.fresh) for condition in opening]

    def fresh(self, name: str) -> str:
        self._named += 1
        return f"{name}_g{self._named}"

    def _needed_inside(self, body: Block) -> list[Op]:
        """Conditions without which loops inside a loop list nothing, and which do not speak of what those go over."""
        found: list[Op] = []
        inner: set[str] = set()
        asked: set[str] = set()  # what tests in between speak of: what comes behind may rest on them
        while True:
            match body:
                case [ir.For(local=local, source=source, body=below)] if self.is_free(source):
                    inner.add(local)
                    body = below
                case [ir.If(condition=condition, then=below, otherwise=[])]:
                    for part in conjuncts_of(condition):
                        # Whatever stands behind it is asked only if this part meets no fault.
                        if not self.is_free(part):
                            return found
                        if inner:
                            found += _apart(self.needed(part), inner | asked)
                            asked |= set(free_locals(part)) - inner
                    body = below
                case _:
                    return found


def _apart(conditions: list[Op], names: Set[str]) -> list[Op]:
    """The first of them, as far as they do not speak of these names."""
    return [*takewhile(lambda one: not names & set(free_locals(one)), conditions)]


def _opening(body: Block) -> list[Op]:
    """What the first lines of a value ask for: `if C` / `result no`, then the parts of what it gives."""
    found: list[Op] = []
    for ins in body:
        match ins:
            case ir.If(condition=condition, then=[ir.Return(value=ir.Const(value=0))], otherwise=[]):
                found += _denied(condition)
            case ir.Return(value=value):
                return found + conjuncts_of(value)
            case ir.Let():
                pass
            case _:
                return found
    return found


def _denied(condition: Op) -> list[Op]:
    """What must all hold for the condition not to."""
    match condition:
        case ir.Or():
            return _denied(condition.left) + _denied(condition.right)
        case ir.Not():
            return conjuncts_of(condition.of)
    return [ir.Not(condition, span=condition.span)]
