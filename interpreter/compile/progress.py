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
    S is empty              how many there are              for x in S where A     that of the nearest x
    count(x in S where A) >= 3      how many x are missing, and how far off the nearest of them is
    anything else           1 where it does not hold

What is added up is put on one scale first, by how large each distance can become. A distance that cannot be more than
1 says no more than the condition itself, and is left out; of the elements of a loop only those count for which it
holds. So is one that rests on a local that cannot be asked for elsewhere. But where players win or lose together, a
player, a space or an enum of which the rule was told (`phase check(f: Field)`) stands for the nearest of all, and so
does the element of a loop whose set cannot be asked for, or is what dice have picked.

A player's progress is the distance from the dangers, added up, less the distance to the nearest win; `p
loses` counts as a danger, and so does `nobody wins`. Where players do not win or lose together, an ending counts only
if its condition speaks of the player: what is the same for all says nothing about who is ahead.

Where there is nothing to read, what players still have may stand for it (`stock`).

Where the rules tell of dangers only, a win comes to those who hold out: of lost games the longer ones are worth more
there (`playing_out`), where nobody is ahead of anybody.

`progress` is a routine like `rank`, in both backends. Bots take it for points where the rules have none (`standing`);
nothing else reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..check.value_types import Die, EnumOf, Flag, MapNode, Number, Player, SetOf, bare
from . import ir
from .endings import Each, Step, endings_of, is_team
from .ir import Op, Routine
from .stock import STOCK, stock_of
from .unit import Unit

PROGRESS = "progress"
DANGER = "danger"  # the rule of the routine, where no win can be counted
_WHOSE = "player__progress"
_SCALE = 1000  # what distances that are added up, or compared, can be at most
_MOST_LOOKED_AT = 512  # elements of loops inside one another
_UNCOUNTED = 20  # how many there may be where no bound is at hand
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# What can be asked at any moment at little cost. No search of a map, no look ahead, nothing that may be a fault.
_PLAIN = (
    ir.Const, ir.Local, ir.Arithmetic, ir.Unary, ir.Compare, ir.And, ir.Or, ir.Not, ir.Conditional, ir.Otherwise,
    ir.Contains, ir.Inside, ir.InsideGroup, ir.InBox, ir.InRanges, ir.IsNone, ir.IsEmpty, ir.IsFull, ir.Some, ir.Every,
    ir.All, ir.Count, ir.CountWhere, ir.SumOf, ir.ExtremeOf, ir.Extreme, ir.Range, ir.Sequence, ir.Address,
    ir.ReadField, ir.ReadSlot, ir.Face, ir.Contents, ir.Group, ir.SlotContents, ir.Boxed, ir.Lookup, ir.Indexed,
    ir.SeatsIn, ir.NextSeat, ir.Without, ir.Join, ir.Concatenate, ir.Counted,
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
        for steps, ending in endings_of(routine):
            found = _Reading(unit, is_common).ending(steps, ending)
            if found is not None:
                (wins if found[0] else dangers).append(found[1])
    counted = _progress(wins, dangers) if wins or dangers else None
    if counted is None and not is_common:
        counted = stock_of(unit, ir.Local(_WHOSE, type=Number(0, program.players - 1)))
    if counted is not None:
        rule = PROGRESS if wins else DANGER if dangers else STOCK
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


class _Reading:
    """Reads one ending. Locals of its rule are unknown, except the one that is the player it is about, and those of the
    loops that are read."""

    def __init__(self, unit: Unit, is_common: bool) -> None:
        self._unit = unit
        self._is_common = is_common
        self._known: frozenset[str] = frozenset()
        self._room = _MOST_LOOKED_AT

    def ending(self, steps: list[Step], ending: ir.Wins) -> tuple[bool, Distance] | None:
        """Whether it is a win for the player of the routine, and how far away it is; None if that cannot be told."""
        about = self._about(ending.players)
        if about is None:
            return None
        is_win, local, whose = about
        self._known = frozenset([local] if local else [])
        parts = self._parts([*self._told(steps), *steps])
        if not self._is_common and not any(local in ir.free_locals(part.op) for part in parts):
            return None
        if not parts:
            return None
        distance = _sum(parts)
        return is_win, Distance(ir.with_operations(distance.op, {local: whose}), distance.most)

    def _about(self, players: Op) -> tuple[bool, str, Op] | None:
        """Whether it is a win, the local that it is about, and what that is if the player of the routine is meant."""
        own = ir.Local(_WHOSE, type=self._player)
        match players:
            case ir.Sequence(values=values) if self._is_common:
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

    # ------------------------------------------------------------------ steps

    def _told(self, steps: list[Step]) -> list[Each]:
        """Where all win or lose together, locals that no step explains: of each it may be any."""
        bound, found = set(self._known), list[Each]()
        for step in steps if self._is_common else ():
            if isinstance(step, Each):
                bound.add(step.local)
                continue
            free = set(ir.free_locals(step)) - bound
            for op in ir.operations(step):
                if isinstance(op, ir.Local) and op.name in free:
                    found.append(Each(op.name, op.type))
                    free.discard(op.name)
                    bound.add(op.name)
        return found

    def _parts(self, steps: list[Step]) -> list[Distance]:
        """What has to come about, one after the other; behind a loop what the nearest of its elements lacks."""
        found: list[Distance] = []
        for position, step in enumerate(steps):
            source = self._source(step) if isinstance(step, Each) and step.local not in self._known else None
            if isinstance(step, Each) and source is not None:
                return [*found, *self._of_some(step, source, steps[position + 1 :])]
            condition = step.where if isinstance(step, Each) else step
            found += self._conjuncts(condition) if condition is not None else []
        return found

    def _source(self, each: Each) -> Op | None:
        """What the element may be; None if that cannot be told, or takes too long to look at."""
        source = each.source
        if source is None or not self._is_plain(source) or _reads_dice(source):
            kind = bare(each.kind)
            ranges = self._unit.ranges_of(kind) if isinstance(kind, MapNode | EnumOf) else None
            if not self._is_common or (ranges is None and kind != Player()):
                return None
            every = tuple(value for first, count in ranges or () for value in range(first, first + count))
            source = self._unit.players() if ranges is None else ir.Sequence(every, type=SetOf(kind))
        return source if self._room >= _size(source) and not isinstance(bare(each.kind), Die) else None

    def _of_some(self, each: Each, source: Op, steps: list[Step]) -> list[Distance]:
        """The steps behind a loop: those that are about its element once for the nearest, those that are not as they
        are."""
        known, room = self._known, self._room
        self._known, self._room = known | {each.local}, room // max(1, _size(source))
        own = [] if each.where is None else [each.where]
        parts = self._parts([*own, *steps])
        held = [op for step in [*own, *steps] if not isinstance(step, Each) for op in self._yes_or_no(step, each.local)]
        self._known, self._room = known, room
        about = [part for part in parts if each.local in ir.free_locals(part.op)]
        others = [part for part in parts if each.local not in ir.free_locals(part.op)]
        if not about:
            return others
        return [*others, _nearest(each.local, source, ir.conjunction(held), _sum(about))]

    def _yes_or_no(self, condition: Op, local: str) -> list[Op]:
        """The parts of a condition on the element of a loop that hold or do not hold, and nothing between."""
        if isinstance(condition, ir.And):
            return [*self._yes_or_no(condition.left, local), *self._yes_or_no(condition.right, local)]
        if self._conjuncts(condition) or not self._is_plain(condition) or _reads_dice(condition):
            return []
        return [condition] if local in ir.free_locals(condition) else []

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
            case ">=" | ">":
                return self._counted(same.left, _lack(b, a, int(same.sign == ">")))
            case "<=" | "<":
                return self._counted(same.right, _lack(a, b, int(same.sign == "<")))
            case "==":
                most = max(right.high - left.low, left.high - right.low, 0)
                apart = ir.Arithmetic("-", same.left, same.right, type=Number(-most, most))
                return Distance(ir.Unary("absolute", apart, type=Number(0, most)), most)
        raise AssertionError(same.sign)

    def _counted(self, held: Op, lack: Distance) -> Distance:
        """Where so many are missing for which something holds: each counts for as much as one can lack, but the nearest
        of them for what it does lack."""
        if not isinstance(held, ir.CountWhere) or lack.most == 0:
            return lack
        each = self._inside(held.local, held.where)
        if each is None or each.most < 2:
            return lack
        nearest = _nearest(held.local, held.source, ir.Not(held.where, type=Flag()), each)
        spare = ir.Arithmetic("-", _number(each.most), nearest.op, type=Number(0, each.most))
        most = lack.most * each.most
        left = ir.Arithmetic("-", _times(lack.op, each.most), spare, type=Number(-each.most, most))
        return Distance(ir.Extreme("max", (_number(0), left), type=Number(0, most)), most)

    def _of_all(self, local: str, source: Op, where: Op | None, has: Op) -> Distance | None:
        each = self._inside(local, has)
        if each is None:
            return None
        most = _size(source) * each.most
        return Distance(ir.SumOf(local, source, where, each.op, type=Number(0, most)), most)

    def _of_nearest(self, local: str, source: Op, where: Op | None, has: Op) -> Distance | None:
        each = self._inside(local, has)
        return None if each is None else _nearest(local, source, where, each)

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


def _number(value: int) -> Op:
    return ir.Const(value, type=Number(value, value))


def _nearest(local: str, source: Op, where: Op | None, each: Distance) -> Distance:
    """That of the nearest one; the most there can be if there is none."""
    least = ir.ExtremeOf("min", local, source, where, each.op, _number(each.most), type=Number(0, each.most))
    return Distance(least, each.most)


def _reads_dice(op: Op) -> bool:
    """What dice show now says nothing of how near an ending is."""
    return any(isinstance(inner, ir.Face) for inner in ir.operations(op))


def _is_missing(condition: Op) -> Distance:
    return Distance(ir.Conditional(condition, _number(0), _number(1), type=Number(0, 1)), 1)


def _lack(wanted: tuple[Op, Number], held: tuple[Op, Number], more: int) -> Distance:
    """How much is missing until `held` is at least `wanted + more`."""
    most = max(0, wanted[1].high + more - held[1].low)
    least = min(0, wanted[1].low + more - held[1].high)
    missing: Op = ir.Arithmetic("-", wanted[0], held[0], type=Number(least - more, most - more))
    if more:
        missing = ir.Arithmetic("+", missing, _number(more), type=Number(least, most))
    return Distance(ir.Extreme("max", (_number(0), missing), type=Number(0, most)), most)


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
    return ir.Arithmetic("*", op, _number(factor), type=Number(span.low * factor, span.high * factor))


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
        case ir.All(source=source) | ir.Without(source=source) | ir.Counted(source=source):
            return _size(source)
        case ir.Group(size=size):
            return size
        case ir.SlotContents():
            return 1
    return _UNCOUNTED
