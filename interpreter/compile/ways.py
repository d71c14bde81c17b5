"""The IR of one way of running, made from the IR that lowering writes for all of them.

A game is run in three ways. *Play* keeps what everybody knows, and the log. *Playouts* are random games for bots and
figures: they keep neither. *Trials* look ahead, to find out whether an option can be carried through: they stop, and
count as success, where chance or unseen pieces come into it, or where the pass of a phase's loop in which they began
is over. Lowering says which instructions belong to one way only (`Only`) and which conditions ask for the way
(`OnTrial`). Here that is settled: the IR of a way has neither, and no branch that this way cannot take. Routines that
are the same in every way stay the same objects, so that a backend can print them once.

For studies, playouts may count how often each rule begins (`count_begins`; that costs a few percent of their speed),
and play which places of the rules it reaches (`count_hits`). Every routine counts that it
begins, and every instruction that has a place in the rules counts that it is reached. A loop is one statement of the
rules, however many passes it takes: what stands inside it at its own place is not counted again. What belongs to no
place by itself (a jump, a line of a question) is not counted either, nor is what a question does for every option.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import partial
from typing import Literal

from ..diagnostics.source import Span
from . import ir
from .ir import FLAG, Block, Ins, Op, Routine, Segment
from .meta import HitPlace, Place
from .tidy import Routines, entry_of
from .unit import Unit

_YES, _NO = ir.Const(1, type=FLAG), ir.Const(0, type=FLAG)


def for_way(unit: Unit, way: str) -> Routines:
    """All routines of the game, for one of `ir.WAYS`."""
    routines = unit.routines
    # Only play keeps what players know, so nobody can be told anything in the other ways.
    if unit.told and way != "play":
        routines = {name: without_telling(routine) for name, routine in routines.items()}
    change = partial(_block_for, way=way)
    return {name: routine.with_blocks(change) for name, routine in routines.items()}


def _block_for(body: Block, way: str) -> Block:
    made: Block = []
    for ins in body:
        made += _instruction_for(ins, way)
        if made and isinstance(made[-1], ir.Succeed):  # a trial goes no further
            break
    return _unless_same(body, made)


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
    # An `if` that held nothing but instructions of other ways is dropped, condition and all: conditions have no
    # effects.
    nothing_left = isinstance(made, ir.If) and not made.then and not made.otherwise
    return [] if nothing_left else [made]


def without_telling(routine: Routine) -> Routine:
    """The same routine, where nobody is told what its values come to."""
    return routine.with_blocks(hushed_block)


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


def _unless_same(body: Block, made: Block) -> Block:
    return body if len(made) == len(body) and all(map(operator.is_, made, body)) else made


def _unchanged(op: Op) -> Op:
    return op


# ---------------------------------------------------------------------------- counting


# What a game that is compiled for a study counts. `knowledge`: nothing; but what players know is kept in C.
Counted = Literal["", "begins", "places", "knowledge"]

_PLACELESS = (
    ir.Goto, ir.PassEnds, ir.BeginOptions, ir.BeginUnsure, ir.ForgetOptions, ir.Option, ir.PassOption, ir.Once,
    ir.Filter,
)  # fmt: skip
_LOOPS = (ir.For, ir.While, ir.Loop)


def count_hits(routines: Routines) -> tuple[Routines, tuple[HitPlace, ...]]:
    """The same routines with their counters, and what each counter stands for."""
    counting = _Counting()
    made = {name: counting.routine(routine) for name, routine in routines.items()}
    return made, tuple(counting.places)


def count_begins(routines: Routines) -> tuple[HitPlace, ...]:
    """Adds a counter of beginnings in playouts to phases, actions, hooks, and effects in which somebody decides;
    returns what each counter stands for. Other effects are called so often that counting them would be felt.

    The counter goes into the first segment. Where that does nothing but lead to a question, calls would begin with the
    question (`tidy.entry_of`), which a loop may come back to; with the counter in it they begin with the segment.
    """
    places: list[HitPlace] = []
    for name, routine in routines.items():
        is_small = routine.kind == "pure" or (routine.kind == "plain" and routine.form == "effect")
        if is_small or not name.startswith(("rule_", "hook_")):
            continue
        hit = ir.Only(("playout",), [ir.Hit(len(places))])
        places.append(HitPlace(place_of(routine.span), name, True))
        if routine.kind == "framed":
            first = routine.segments[0]
            routine.segments[0] = replace(first, body=[hit, *first.body])
        else:
            routine.body = [hit, *routine.body]
    return tuple(places)


class _Counting:
    def __init__(self) -> None:
        self.places: list[HitPlace] = []
        self.current = ""
        self.asks = False
        self.asks_again = False

    def routine(self, routine: Routine) -> Routine:
        self.current = routine.name
        if routine.kind != "framed":
            return replace(routine, body=[self._begin(routine.span), *self.block(routine.body, frozenset())])
        entry = entry_of(routine.segments)
        segments = [self._segment(routine, segment, segment.number == entry) for segment in routine.segments]
        return replace(routine, segments=segments)

    def _segment(self, routine: Routine, segment: Segment, is_entry: bool) -> Segment:
        self.asks = segment.role == "asks"
        self.asks_again = any(isinstance(ins, ir.FreeActions) for ins in ir.instructions(segment.body))
        begin = [self._begin(routine.span, self.asks)] if is_entry else []
        made = replace(segment, body=[*begin, *self.block(segment.body, frozenset())])
        self.asks = self.asks_again = False
        return made

    def _begin(self, span: Span, asks: bool = False) -> Ins:
        return self._hit(HitPlace(place_of(span), self.current, True, asks))

    def block(self, body: Block, around: frozenset[Place]) -> Block:
        """`around`: the places of the loops around."""
        made: Block = []
        for ins in body:
            place = place_of(ins.span)
            if place is not None and place not in around and not self._is_placeless(ins):
                made.append(self._hit(HitPlace(place, self.current, False)))
            if self.asks and isinstance(ins, ir.For):
                made.append(ins)
                continue
            inner = around | {place} if place is not None and isinstance(ins, _LOOPS) else around
            made.append(ir.rebuilt(ins, lambda op: op, lambda block, inner=inner: self.block(block, inner)))  # type: ignore[misc]
        return made

    def _is_placeless(self, ins: Ins) -> bool:
        """A question that free actions may interrupt is asked again behind each of them: that is not counted."""
        return isinstance(ins, _PLACELESS) or (self.asks_again and isinstance(ins, ir.Ask))

    def _hit(self, place: HitPlace) -> Ins:
        self.places.append(place)
        return ir.Hit(len(self.places) - 1)


def place_of(span: Span) -> Place | None:
    return (span.source.name, *span.source.place(span.start)) if span.source.text else None
