"""How near each player is to winning, where the rules count no points: worked out from the conditions of `wins`.

    if p.steps >= goal
      p wins "Home first"
    if count(opened) >= 5
      everybody wins "Five doors are open"
    if some s in Stretch has s.height == 0
      nobody wins "The sea breaks in"

A search that learns nothing but who has won learns nothing at all where random games never come to a win. But the rules
say what has to come true, and most of that can be counted: steps that are missing, doors that are closed, dykes that
are low. So every condition under which somebody wins or loses is turned into a *distance*, 0 where it holds:

    a >= b                  what a lacks                    a == b, of numbers     how far they are apart
    A and B                 both added up                   A or B                 the smaller one
    every x in S has A      those of all x added up         some x in S has A      that of the nearest x
    S is empty              how many there are              anything else          1 where it does not hold

What is added up is put on one scale first, by how large each distance can become. A distance that cannot be more than
1 says no more than the condition itself, and one that rests on locals of its rule cannot be asked elsewhere: both are
left out. A player's progress is the distance from the dangers, added up, less the distance to the nearest win; `p
loses` counts as a danger, and so does `nobody wins`. Where players do not win or lose together, an ending counts only
if its condition speaks of the player: what is the same for all says nothing about who is ahead.

Where there is nothing to read, what players still have may stand for it (`stock`).

`progress` is a routine like `rank`, in both backends. Bots take it for points where the rules have none (`standing`);
nothing else reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..check.value_types import Number, bare
from . import ir
from .ir import Block, Op, Routine
from .stock import STOCK, stock_of
from .team import is_team
from .unit import Unit

PROGRESS = "progress"
_WHOSE = "player__progress"
_SCALE = 1000  # what distances that are added up, or compared, can be at most
_UNCOUNTED = 20  # how many there may be where no bound is at hand
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# What can be asked at any moment at little cost. No search of a map, no look ahead, nothing that may be a fault.
_PLAIN = (
    ir.Const, ir.Local, ir.Arithmetic, ir.Unary, ir.Compare, ir.And, ir.Or, ir.Not, ir.Conditional, ir.Otherwise,
    ir.Contains, ir.Inside, ir.InsideGroup, ir.InBox, ir.InRanges, ir.IsNone, ir.IsEmpty, ir.IsFull, ir.Some, ir.Every,
    ir.All, ir.Count, ir.CountWhere, ir.SumOf, ir.ExtremeOf, ir.Extreme, ir.Range, ir.Sequence, ir.Address,
    ir.ReadField, ir.ReadSlot, ir.Face, ir.Contents, ir.Group, ir.SlotContents, ir.Boxed, ir.Lookup, ir.Indexed,
    ir.SeatsIn, ir.NextSeat, ir.Without, ir.Join, ir.Concatenate,
)  # fmt: skip


@dataclass(frozen=True)
class Distance:
    """How far a condition is from holding: an operation that gives 0 to `most`."""

    op: Op
    most: int

    def scaled(self) -> Distance:
        factor = max(1, _SCALE // self.most)
        return Distance(_times(self.op, factor), self.most * factor)


def add_progress(unit: Unit) -> None:
    """Adds the routine `progress`, if there is anything to count and the rules do not count themselves."""
    program = unit.program
    if program.rank is not None or program.scores or program.payoff is not None:
        return
    wins: list[Distance] = []
    dangers: list[Distance] = []
    is_common = program.players == 1 or is_team(unit)
    for routine in [*unit.routines.values()]:
        for conditions, ending in _endings(routine):
            found = _Reading(unit).ending(conditions, ending, is_common)
            if found is not None:
                (wins if found[0] else dangers).append(found[1])
    counted = _progress(wins, dangers) if wins or dangers else None
    if counted is None and not is_common:
        counted = stock_of(unit, ir.Local(_WHOSE, type=Number(0, program.players - 1)))
    if counted is not None:
        rule = PROGRESS if wins or dangers else STOCK
        unit.routines[PROGRESS] = Routine(PROGRESS, "pure", (_WHOSE,), body=[ir.Return(counted)], rule=rule)


def _progress(wins: list[Distance], dangers: list[Distance]) -> Op:
    if not dangers:
        nearest = _least(wins)
        return ir.Unary("negative", nearest.op, type=Number(-nearest.most, 0))
    danger = _sum(dangers)
    if not wins:
        return danger.op
    danger, nearest = danger.scaled(), _least(wins).scaled()
    return ir.Arithmetic("-", danger.op, nearest.op, type=Number(-nearest.most, danger.most))


def _endings(routine: Routine) -> Iterator[tuple[list[Op], ir.Wins]]:
    """Each `wins` with the conditions around it in its segment."""
    for block in [routine.body, *(segment.body for segment in routine.segments)]:
        yield from _endings_in(block, [])


def _endings_in(block: Block, conditions: list[Op]) -> Iterator[tuple[list[Op], ir.Wins]]:
    for ins in block:
        if isinstance(ins, ir.Wins):
            yield conditions, ins
        elif isinstance(ins, ir.If):
            yield from _endings_in(ins.then, [*conditions, ins.condition])
            yield from _endings_in(ins.otherwise, [*conditions, ir.Not(ins.condition)])
        else:
            for inner in ir.blocks_of(ins):
                yield from _endings_in(inner, conditions)


class _Reading:
    """Reads one ending. Locals of its rule are unknown, except the one that is the player it is about."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._known: frozenset[str] = frozenset()

    def ending(self, conditions: list[Op], ending: ir.Wins, is_common: bool) -> tuple[bool, Distance] | None:
        """Whether it is a win for the player of the routine, and how far away it is; None if that cannot be told."""
        about = self._about(ending.players, is_common)
        if about is None:
            return None
        is_win, local, whose = about
        self._known = frozenset([local] if local else [])
        parts = [part for condition in conditions for part in self._conjuncts(condition)]
        if not is_common and not any(local in ir.free_locals(part.op) for part in parts):
            return None
        if not parts:
            return None
        distance = _sum(parts)
        return is_win, Distance(ir.with_operations(distance.op, {local: whose}), distance.most)

    def _about(self, players: Op, is_common: bool) -> tuple[bool, str, Op] | None:
        """Whether it is a win, the local that it is about, and what that is if the player of the routine is meant."""
        own = ir.Local(_WHOSE, type=self._player)
        match players:
            case ir.Sequence(values=values) if is_common:
                return bool(values), "", own
            case ir.Join(items=(ir.JoinItem(of=ir.Local(name=name), none=None),)):
                return True, name, own
            case ir.Join(items=(ir.JoinItem(of=ir.Arithmetic("-", ir.Const(value=1), ir.Local(name=name))),)):
                return True, name, ir.Arithmetic("-", ir.Const(1, type=own.type), own, type=own.type)
            case ir.Without(source=ir.Sequence(), left_out=ir.Local(name=name)):
                return False, name, own
        return None

    @property
    def _player(self) -> Number:
        return Number(0, self._unit.program.players - 1)

    # ------------------------------------------------------------------ distances

    def _conjuncts(self, condition: Op) -> list[Distance]:
        """The parts of a condition that can be counted, all of which have to hold."""
        match condition:
            case ir.And(left=left, right=right):
                return [*self._conjuncts(left), *self._conjuncts(right)]
            case ir.Not(of=ir.Or(left=left, right=right)):
                return [*self._conjuncts(ir.Not(left)), *self._conjuncts(ir.Not(right))]
            case ir.Not(of=ir.Not(of=inner)):
                return self._conjuncts(inner)
        found = self._distance(condition)
        return [found] if found is not None and found.most > 1 else []

    def _distance(self, condition: Op) -> Distance | None:
        """None if the condition cannot be asked outside its rule."""
        condition = self._opened(condition)
        if not self._is_plain(condition):
            return None
        match condition:
            case ir.Not(of=ir.Not(of=inner)):
                return self._distance(inner)
            case ir.Not(of=ir.Compare(sign=sign, left=left, right=right) as same):
                return self._compared(ir.Compare(_OPPOSITE[sign], left, right, same.none_left, same.none_right))
            case ir.Compare():
                return self._compared(condition)
            case ir.And() | ir.Not(of=ir.Or()):
                parts = [self._distance(part) for part in _both(condition)]
                return _sum([part for part in parts if part is not None]) if None not in parts else None
            case ir.Or() | ir.Not(of=ir.And()):
                parts = [self._distance(part) for part in _both(condition)]
                return _least([part for part in parts if part is not None]) if None not in parts else None
            case ir.Every(local=local, source=source, where=where, has=has):
                return self._of_all(local, source, where, has)
            case ir.Not(of=ir.Some(local=local, source=source, where=where, has=has)):
                return self._of_all(local, source, where, ir.Not(has))
            case ir.Some(local=local, source=source, where=where, has=has):
                return self._of_nearest(local, source, where, has)
            case ir.Not(of=ir.Every(local=local, source=source, where=where, has=has)):
                return self._of_nearest(local, source, where, ir.Not(has))
            case ir.IsEmpty(of=held):
                most = _size(held)
                return Distance(ir.Count(held, type=Number(0, most)), most)
        return _is_missing(condition)

    def _compared(self, same: ir.Compare) -> Distance:
        """Numbers by how far they are apart, anything else by whether it holds."""
        left, right = _range(same.left), _range(same.right)
        if left is None or right is None or (same.none_left, same.none_right) != (None, None) or same.sign == "!=":
            return _is_missing(same)
        a, b = (same.left, left), (same.right, right)
        match same.sign:
            case ">=":
                return _lack(b, a, 0)
            case ">":
                return _lack(b, a, 1)
            case "<=":
                return _lack(a, b, 0)
            case "<":
                return _lack(a, b, 1)
            case "==":
                most = max(right.high - left.low, left.high - right.low, 0)
                apart = ir.Arithmetic("-", same.left, same.right, type=Number(-most, most))
                return Distance(ir.Unary("absolute", apart, type=Number(0, most)), most)
        raise AssertionError(same.sign)

    def _of_all(self, local: str, source: Op, where: Op | None, has: Op) -> Distance | None:
        each = self._inside(local, has)
        if each is None:
            return None
        most = _size(source) * each.most
        return Distance(ir.SumOf(local, source, where, each.op, type=Number(0, most)), most)

    def _of_nearest(self, local: str, source: Op, where: Op | None, has: Op) -> Distance | None:
        each = self._inside(local, has)
        if each is None:
            return None
        nothing = ir.Const(each.most, type=Number(each.most, each.most))
        span = Number(0, each.most)
        return Distance(ir.ExtremeOf("min", local, source, where, each.op, nothing, type=span), each.most)

    def _inside(self, local: str, has: Op) -> Distance | None:
        known = self._known
        self._known = known | {local}
        found = self._distance(has)
        self._known = known
        return found

    # ------------------------------------------------------------------ what can be asked

    def _opened(self, op: Op) -> Op:
        """A value that is one expression, called with plain arguments, is read as if it stood there."""
        if not isinstance(op, ir.CallValue):
            return op
        called = self._unit.routines.get(op.routine)
        if called is None or len(called.body) != 1 or not all(isinstance(arg, ir.Local | ir.Const) for arg in op.args):
            return op
        result = called.body[0]
        if not isinstance(result, ir.Return) or result.value is None:
            return op
        return ir.with_operations(result.value, dict(zip(called.params, op.args, strict=True)))

    def _is_plain(self, condition: Op) -> bool:
        free = set(ir.free_locals(condition))
        return free <= self._known and all(isinstance(op, _PLAIN) for op in ir.operations(condition))


# ---------------------------------------------------------------------------- making operations


def _both(condition: Op) -> tuple[Op, Op]:
    match condition:
        case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
            return left, right
        case ir.Not(of=ir.And(left=left, right=right)) | ir.Not(of=ir.Or(left=left, right=right)):
            return ir.Not(left), ir.Not(right)
    raise AssertionError(condition)


def _is_missing(condition: Op) -> Distance:
    yes, no = (ir.Const(number, type=Number(number, number)) for number in (0, 1))
    return Distance(ir.Conditional(condition, yes, no, type=Number(0, 1)), 1)


def _lack(wanted: tuple[Op, Number], held: tuple[Op, Number], more: int) -> Distance:
    """How much is missing until `held` is at least `wanted + more`."""
    most = max(0, wanted[1].high + more - held[1].low)
    least = min(0, wanted[1].low + more - held[1].high)
    missing: Op = ir.Arithmetic("-", wanted[0], held[0], type=Number(least - more, most - more))
    if more:
        missing = ir.Arithmetic("+", missing, ir.Const(more, type=Number(more, more)), type=Number(least, most))
    zero = ir.Const(0, type=Number(0, 0))
    return Distance(ir.Extreme("max", (zero, missing), type=Number(0, most)), most)


def _sum(parts: list[Distance]) -> Distance:
    if len(parts) == 1:
        return parts[0]
    total, *others = [part.scaled() if part.most else part for part in parts]
    for other in others:
        most = total.most + other.most
        total = Distance(ir.Arithmetic("+", total.op, other.op, type=Number(0, most)), most)
    return total


def _least(parts: list[Distance]) -> Distance:
    if len(parts) == 1:
        return parts[0]
    scaled = [part.scaled() if part.most else part for part in parts]
    most = min(part.most for part in scaled)
    return Distance(ir.Extreme("min", tuple(part.op for part in scaled), type=Number(0, most)), most)


def _times(op: Op, factor: int) -> Op:
    if factor == 1:
        return op
    span = _range(op) or Number(0, 0)
    number = ir.Const(factor, type=Number(factor, factor))
    return ir.Arithmetic("*", op, number, type=Number(span.low * factor, span.high * factor))


def _range(op: Op) -> Number | None:
    """The interval of a number. A count has none of its own: it is bounded by how many there are."""
    span = bare(op.type)
    if not isinstance(span, Number):
        return None
    match op:
        case ir.Count(of=held) | ir.CountWhere(source=held):
            return Number(0, min(span.high, _size(held)))
    return span


def _size(held: Op) -> int:
    """How many there can be; a guess where nothing says so, since it sets a scale and no more."""
    match held:
        case ir.Sequence(values=values):
            return len(values)
        case ir.Range(low=ir.Const(value=low), high=ir.Const(value=high)):
            return max(0, high - low + 1)
        case ir.All(source=source) | ir.Without(source=source):
            return _size(source)
        case ir.Group(size=size):
            return size
        case ir.SlotContents():
            return 1
    return _UNCOUNTED
