"""The IR of one way of running, made from the IR that lowering writes for all of them.

A game is run in three ways. *Play* keeps what everybody knows, and the log. *Playouts* are random games for bots and
figures: they keep neither. *Trials* look ahead, to find out whether an option can be carried through: they stop, and
count as success, where chance or unseen pieces come into it, or where the pass of a phase's loop in which they began
is over. Lowering says which instructions belong to one way only (`Only`) and which conditions ask for the way
(`OnTrial`). Here that is settled: the IR of a way has neither, and no branch that this way cannot take. Routines that
are the same in every way stay the same objects, so that a backend can print them once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from . import ir
from .ir import FLAG, Block, Ins, Op, Routine, Segment
from .tidy import Routines
from .unit import Unit

_YES, _NO = ir.Const(1, type=FLAG), ir.Const(0, type=FLAG)


def for_way(unit: Unit, way: str) -> Routines:
    """All routines of the game, for one of `ir.WAYS`."""
    routines = unit.routines
    if unit.told and way != "play":
        routines = {name: without_telling(routine) for name, routine in routines.items()}
    change = partial(_block_for, way=way)
    return {name: _with_blocks(routine, change) for name, routine in routines.items()}


def _block_for(body: Block, way: str) -> Block:
    return _unless_same(body, [new for ins in body for new in _instruction_for(ins, way)])


def _instruction_for(ins: Ins, way: str) -> Block:
    if isinstance(ins, ir.Only):
        return _block_for(ins.body, way) if way in ins.ways else []
    if isinstance(ins, ir.If):
        condition = settled(ins.condition, way == "trial")
        if isinstance(condition, ir.Const):
            return _block_for(ins.then if condition.value else ins.otherwise, way)
        if condition is not ins.condition:
            ins = replace(ins, condition=condition)
    made = ir.rebuilt(ins, _unchanged, partial(_block_for, way=way))
    nothing_left = isinstance(made, ir.If) and not made.then and not made.otherwise
    return [] if nothing_left else [made]


def without_telling(routine: Routine) -> Routine:
    """The same routine, where nobody is told what its values come to."""
    return _with_blocks(routine, hushed_block)


def hushed_block(body: Block) -> Block:
    return _unless_same(body, [ir.rebuilt(ins, hushed, hushed_block) for ins in body])


def hushed(op: Op) -> Op:
    """An operation that gives the same and tells nobody."""
    return hushed(op.of) if isinstance(op, ir.Public) else ir.rebuilt(op, hushed)


def settled(condition: Op, on_trial: bool) -> Op:
    """A condition with its questions for the way answered, as far as they decide it."""
    match condition:
        case ir.OnTrial():
            return _YES if on_trial else _NO
        case ir.And() | ir.Or() | ir.Not():
            made = ir.rebuilt(condition, partial(settled, on_trial=on_trial))
            return condition if made is condition else _decided(made)
        case _:
            return condition


def _decided(condition: Op) -> Op:
    """`a and yes` is a; behind what decides it nothing is looked at."""
    match condition:
        case ir.Not(of=ir.Const(value=value)):
            return _NO if value else _YES
        case ir.And(left=ir.Const(value=value) as left, right=right):
            return right if value else left
        case ir.Or(left=ir.Const(value=value) as left, right=right):
            return left if value else right
        case ir.And(left=left, right=ir.Const(value=1)) | ir.Or(left=left, right=ir.Const(value=0)):
            return left
        case _:
            return condition


# ---------------------------------------------------------------------------- the same objects where nothing changes


def _with_blocks(routine: Routine, change: Callable[[Block], Block]) -> Routine:
    """The routine with its blocks changed; parts that the change leaves alone stay the same objects."""
    body = change(routine.body)
    segments: list[Segment] = []
    for segment in routine.segments:
        own = change(segment.body)
        segments.append(segment if own is segment.body else replace(segment, body=own))
    if body is routine.body and all(map(operator.is_, segments, routine.segments)):
        return routine
    return replace(routine, body=body, segments=segments)


def _unless_same(body: Block, made: Block) -> Block:
    return body if len(made) == len(body) and all(map(operator.is_, made, body)) else made


def _unchanged(op: Op) -> Op:
    return op
