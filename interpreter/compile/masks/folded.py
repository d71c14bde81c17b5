"""Values that never change, as tables.

    value side(t: Tile, turned: 0..3): Side
      let at = turned mod 4
      if at == 0
        result t.a
      …

Such a value asks nothing of the state, only what is printed, the map and its own parameters. If these have few values
together, all that it can give is worked out when the game is compiled, and a call becomes a look into a table. Masks
see through that as they see through any printed attribute, which they do not with a call.

Where they have more values than a table has room for, but no more than can be tried, a call becomes one expression.
Of `t in Square where reaches(p, c, s, t)` the masks then make a table by p, c and s.

A value that may meet a fault for some of its parameters, that counts work, or that loops stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...check.value_types import SetOf
from .. import ir
from ..bounds import Bounds, sizes_in
from ..fold import NotStatic, Worked
from ..ir import Block, Op, Routine
from ..tidy import Routines
from ..unit import Unit
from ..written_out import expression_of, is_long
from .static import BoundOf, Parameters, Statics

MOST_ENTRIES = 1 << 12  # of a table
MOST_TRIED = 1 << 14  # combinations of parameters
LEAST_WORK = 8  # operations: less is written out where it is called, and often becomes a mask there
ROUNDS = 4  # values that ask for values that ask for values …

Ways = dict[str, Routines]
Step = Callable[[list[Any]], int | None]  # of the locals; gives the value once there is one


class _Statics(Statics):
    def worked(self, op: Op, parameters: Parameters) -> Worked:
        if not isinstance(op, ir.InRange | ir.Fitting):
            return super().worked(op, parameters)
        of, low, high = self.worked(op.value, parameters), op.low, op.high

        def within(v: Any) -> Any:
            value = of(v)
            if not low <= value <= high:
                raise NotStatic
            return value

        return within


@dataclass(frozen=True)
class _Folded:
    """What a call becomes: a look into a table, of which the parameters begin at these numbers; or an expression."""

    params: tuple[str, ...]
    table: str = ""
    lowest: tuple[int, ...] = ()
    expression: Op | None = None

    def asked_with(self, call: ir.CallValue) -> Op | None:
        if self.expression is not None:
            if not all(isinstance(arg, ir.Local | ir.Const) for arg in call.args):
                return None
            return ir.with_operations(self.expression, dict(zip(self.params, call.args, strict=True)))
        index, *more = [_from(low, arg) for low, arg in zip(self.lowest, call.args, strict=True)]
        return ir.Lookup(self.table, index, tuple(more), type=call.type, span=call.span)


def _from(low: int, arg: Op) -> Op:
    return ir.Arithmetic("-", arg, ir.Const(low, type=ir.INDEX), type=ir.INDEX) if low < -1 else arg


def with_tables(
    unit: Unit, ways: Ways, bounds: Bounds, tables: Mapping[str, Any], graphs: Mapping[str, Any]
) -> tuple[Ways, dict[str, Any]]:
    """The routines with looks into tables in place of calls, and all tables."""
    made = dict(tables)
    folded: dict[str, _Folded] = {}
    for _ in range(ROUNDS):
        found = len(folded)
        for name, routine in ways["playout"].items():
            if name in folded or ways["trial"].get(name) is not routine or not _is_worth_it(routine):
                continue
            one = _folded(routine, sizes_in(unit, routine, bounds), made, graphs)
            if one is not None:
                folded[name] = one
        if len(folded) == found:
            break
        ways = _with_lookups(ways, folded)
    return ways, made


def _is_worth_it(routine: Routine) -> bool:
    if routine.kind != "pure" or not routine.params:
        return False
    operations = sum(1 for _ in routine.operations())
    return operations >= LEAST_WORK


# ---------------------------------------------------------------------------- what a value gives


def _folded(routine: Routine, bound_of: BoundOf, tables: dict[str, Any], graphs: Mapping[str, Any]) -> _Folded | None:
    parameters = Parameters(bound_of, "", None)
    ranges, tried, entries = [], 1, 1
    try:
        for name in routine.params:
            parameters.position(ir.Local(name, type=ir.INDEX))
            _, numbers = parameters.found[f"x_{name}"]
            ranges.append(range(numbers.lowest, numbers.high + 1))
            tried *= len(ranges[-1])
            entries *= len(ranges[-1]) + 1 if numbers.lowest < -1 else numbers.high + 2
        if tried > MOST_TRIED:
            return None
        steps = _steps(routine.body, _Statics(tables, graphs), parameters)
        found = {given: _given(steps, given, len(parameters.found)) for given in product(*ranges)}
    except (NotStatic, IndexError):
        return None
    if any(value is None for value in found.values()):
        return None
    if entries > MOST_ENTRIES:
        return _written_out(routine)
    name, lowest = f"{routine.name}_told", tuple(each.start for each in ranges)
    tables[name] = _levels(found, (), [_numbered(each) for each in ranges])
    return _Folded(routine.params, name, lowest)


def _numbered(numbers: range) -> tuple[int, ...]:
    """The values of a parameter in the order of a table: from 0 on, and what stands for none last."""
    return (*numbers, numbers.start) if numbers.start < -1 else (*range(numbers.stop), -1)


def _written_out(routine: Routine) -> _Folded | None:
    """The value as one expression. No combination of its parameters meets a fault, so nothing is left to be checked."""
    whole = expression_of(routine.body)
    if whole is None:
        return None
    expression = _unchecked(whole)
    return None if is_long(expression) else _Folded(routine.params, expression=expression)


def _unchecked(op: Op) -> Op:
    op = ir.rebuilt(op, _unchecked)
    return op.value if isinstance(op, ir.InRange | ir.Fitting) else op


def _steps(body: Block, statics: Statics, parameters: Parameters) -> list[Step]:
    return [_step(ins, statics, parameters) for ins in body]


def _step(ins: ir.Ins, statics: Statics, parameters: Parameters) -> Step:
    match ins:
        case ir.Let():
            value = statics.worked(ins.value, parameters)
            at = parameters.position(ir.Local(ins.local, type=ins.value.type))

            def let(v: list[Any]) -> None:
                v[at] = value(v)

            return let
        case ir.Return(value=Op() as of) if not isinstance(of.type, SetOf):
            result = statics.worked(of, parameters)
            return lambda v: int(result(v))
        case ir.If():
            condition = statics.worked(ins.condition, parameters)
            then = _steps(ins.then, statics, parameters)
            otherwise = _steps(ins.otherwise, statics, parameters)
            return lambda v: _run(then if condition(v) else otherwise, v)
    raise NotStatic


def _run(steps: list[Step], v: list[Any]) -> int | None:
    for step in steps:
        value = step(v)
        if value is not None:
            return value
    return None


def _given(steps: list[Step], given: tuple[int, ...], locals_: int) -> int | None:
    return _run(steps, [None, *given, *[None] * (locals_ - len(given))])


def _levels(found: Mapping[tuple[int, ...], int | None], given: tuple[int, ...], levels: list[tuple[int, ...]]) -> Any:
    if not levels:
        return found.get(given, 0)
    return tuple(_levels(found, (*given, each), levels[1:]) for each in levels[0])


# ---------------------------------------------------------------------------- where it is asked for


def _with_lookups(ways: Ways, folded: Mapping[str, _Folded]) -> Ways:
    """Routines that the ways share stay shared."""

    def looked_up(op: Op) -> Op:
        op = ir.rebuilt(op, looked_up)
        if isinstance(op, ir.CallValue) and op.routine in folded:
            return folded[op.routine].asked_with(op) or op
        return op

    def block(body: Block) -> Block:
        return [ir.rebuilt(ins, looked_up, block) for ins in body]

    every = {id(one): one for routines in ways.values() for one in routines.values()}
    made = {number: one.with_blocks(block) for number, one in every.items()}
    return {way: {name: made[id(one)] for name, one in routines.items()} for way, routines in ways.items()}
