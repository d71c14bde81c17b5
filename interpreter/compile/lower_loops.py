"""Loops: plain ones stay loops, those with decisions inside become jumps between segments.

A Python loop cannot be left at a decision and resumed from a saved game. So

    repeat 3 times                      head     if left < 1, go to after; left = left - 1; ask for a card
      choose c in market         is     answer   take c; go back to head
      take(p, c)                        after    what comes behind the loop

A cut loop keeps what it has still to do (the set it goes over, its position, how many times are left) in locals,
which end up in the frame like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce

from ..check import program as core
from ..check.value_types import Player, SetOf, VType
from . import ir
from .choices.decisions import lower_ordered_for
from .ir import INDEX, Ins, Op, Segment
from .lowering import ONE, ZERO, Lowering, bound_set, equal, less, minus, plus


def lower_for(low: Lowering, stmt: core.For) -> None:
    items = bound_set(low, stmt.binder)
    local = low.name(stmt.binder.local)
    if stmt.ordered_by is not None:
        lower_ordered_for(low, stmt, items, local)
    elif low.unit.analysis.block_cuts(stmt.body):
        _cut_for(low, stmt.binder.local, items, stmt.body)
    else:
        # A loop over a handful of constants cannot run away, and counting its passes would cost more than they do.
        if not (isinstance(items, ir.Sequence) and len(items.values) <= 16):
            items = ir.Counted(items, type=items.type, span=items.span)
        _plain_for(low, stmt, local, items)


def _plain_for(low: Lowering, stmt: core.For | core.Together, local: str, items: Op) -> None:
    low.add(ir.For(local, items, low.plain_pass(partial(low.block, stmt.body)), span=stmt.span))


def _cut_for(low: Lowering, local: core.LocalDecl, items: Op, body: core.Block) -> None:
    loop_over(low, low.name(local), local.type, items, partial(low.block, body), f"for {local.name}")


@contextmanager
def cut_loop(low: Lowering, note: str) -> Iterator[tuple[Segment, Segment]]:
    """A loop that a decision may cut. It begins with the segment `head`, to which each pass jumps back; the other
    segment comes after the loop. What is added belongs to the loop, and later what comes after it."""
    head, after = low.segment(note), low.segment()
    low.goto(head)
    low.open(head)
    low.loops.append(after)
    yield head, after
    low.loops.pop()
    low.open(after)


def loop_over(
    low: Lowering, local: str, item: VType, items: Op, body: Callable[[], bool | None], note: str = ""
) -> None:
    """A loop over a set that is computed once. `body` lowers one pass, and returns True if the end of the pass is never
    reached."""
    kept = low.temporary("items", items, SetOf(item))
    here = low.temporary("i", ZERO)
    with cut_loop(low, note) as (head, after):
        finished = ir.Compare(">=", here, ir.Count(kept, type=INDEX))
        low.add(ir.If(finished, [_leave(after)]))
        low.let(local, ir.Element(kept, here, type=item), item)
        low.let(here.name, plus(here, ONE))
        if not body():
            low.goto(head, backward=True)


def lower_walk(low: Lowering, stmt: core.Walk) -> None:
    """Walks along a row that may change on the way: `i` is the position at which x was visited, and the row is read
    again for each step."""
    local = low.name(stmt.local)
    row = low.x.contents(stmt.place)
    # The row is not copied: pieces that leave it are not visited, and pieces that join behind this one are.
    here = low.temporary("i", ZERO)
    inside = less(here, ir.Count(row, type=INDEX))

    def step() -> bool:
        low.let(local, ir.Element(row, here, type=stmt.local.type), stmt.local.type)
        if low.block(stmt.body):
            return True
        low.let(here.name, ir.WalkOn(row, ir.Local(local, type=stmt.local.type), here, type=INDEX))
        return False

    if not low.unit.analysis.block_cuts(stmt.body):
        low.add(ir.While(inside, None, low.plain_pass(step), span=stmt.span))
        return
    with cut_loop(low, f"walk {stmt.local.name}") as (head, after):
        low.add(ir.If(ir.Not(inside), [_leave(after)]))
        if not step():
            low.goto(head, backward=True)


def lower_repeat(low: Lowering, stmt: core.Repeat | core.While) -> None:
    """`repeat` and `while`: a loop with a condition, with a largest number of passes, with both, or with neither."""
    condition = low.x.lower(stmt.condition) if isinstance(stmt, core.While) else None
    most = low.x.maybe(stmt.at_most if isinstance(stmt, core.While) else stmt.times)
    if not low.unit.analysis.block_cuts(stmt.body):
        body = low.plain_pass(partial(low.block, stmt.body))
        plain = ir.Loop(most, body) if condition is None else ir.While(condition, most, body)
        low.add(replace(plain, span=stmt.span))
        return
    # A loop that is cut by a decision counts its passes in the frame: a Python loop could not be left and resumed.
    left = ir.Local(low.unit.temporary("left"), type=INDEX)
    if most is not None:
        low.let(left.name, most, INDEX)
    with cut_loop(low, "repeat" if condition is None else "while") as (head, after):
        ends: list[Op] = [less(left, ONE)] if most is not None else []
        ends += [ir.Not(condition)] if condition is not None else []
        if ends:
            low.add(ir.If(reduce(ir.Or, ends), [_leave(after)]))
        if most is not None:
            low.let(left.name, minus(left, ONE))
        if not low.block(stmt.body):
            low.goto(head, backward=True)


def lower_in_turn(low: Lowering, stmt: core.InTurn) -> None:
    """Seats in order from the start, again and again. A seat comes to its pass if it is in and not skipped."""
    local = low.name(stmt.local)
    current = ir.Local(local, type=Player())
    low.let(local, low.x.lower(stmt.start), Player())
    last = _LastRound(low, stmt, current) if stmt.last_round is not None and stmt.until is not None else None
    with cut_loop(low, f"in turn {stmt.local.name}") as (head, after):
        advance = low.segment()
        if last is not None:
            last.seat_comes(after, advance)
        if low.unit.seats_may_drop:
            low.let(local, ir.StillIn(current, type=Player()), Player())
            low.add(ir.If(ir.IsNone(current, -1), [_leave(after)]))
        # Seats that are out or skipped are passed over before `until` is asked, since it is asked for the seat whose
        # pass would come.
        if stmt.skipping is not None:
            skipped = low.unit.temporary("skipped")
            skip = low.x.lower(stmt.skipping)
            low.let(skipped, ir.Unskipped(low.unit.players(), current, local, skip, type=Player()))
            low.let(local, ir.Local(skipped, type=Player()), Player())
            low.add(ir.If(ir.IsNone(current, -1), [_leave(after)]))
        if last is not None:
            last.test_until(after)
        elif stmt.until is not None:
            low.add(ir.If(low.x.lower(stmt.until), [_leave(after)], span=stmt.span))
        if not low.block(stmt.body):
            low.goto(advance)
        low.open(advance)
        low.let(local, _next_seat(low, current), Player())
        low.goto(head, backward=True)


def _leave(segment: Segment) -> Ins:
    return ir.Goto(segment.number)


def _next_seat(low: Lowering, current: Op) -> Op:
    """The neighbouring seat, whether or not its player is still in."""
    count = low.unit.program.players
    if count == 2:
        return minus(ir.Const(1, type=Player()), current)
    return ir.Arithmetic("%", plus(current, ONE), ir.Const(count, type=INDEX), type=Player())


class _LastRound:
    """What `finishing the round` and `then each once more` keep: whether `until` has held, and where the round ends.

    `left` is -1 before. Then for `finishing` it is 0, and the loop ends where the start seat would come; for `each once
    more` it counts the seats that are still to come, those that are out or skipped too: the last is the one that had
    the last pass.
    """

    def __init__(self, low: Lowering, stmt: core.InTurn, current: Op) -> None:
        self.low, self.stmt, self.current = low, stmt, current
        self.finishing = stmt.last_round == "finishing"
        self.seats = ir.Const(low.unit.program.players, type=INDEX)
        self.left = low.temporary("left", ir.Const(-1, type=INDEX), INDEX)
        self.begun = ir.Compare(">=", self.left, ZERO)
        first = current if self.finishing else ir.Const(-1, type=Player())
        self.mark = low.temporary("start" if self.finishing else "had", first, Player())
        self.came = low.temporary("came", current, Player()) if self.finishing else None

    def _set(self, local: ir.Local, value: Op) -> Ins:
        return ir.Let(local.name, value, span=self.stmt.span)

    def _steps(self, source: Op, target: Op) -> Op:
        """How many seats lie between one seat and another, in playing order."""
        return ir.Arithmetic("%", minus(target, source), self.seats, type=INDEX)

    def seat_comes(self, after: Segment, advance: Segment) -> None:
        """The next seat in order, before those that are out or skipped are passed over."""
        low = self.low
        if self.came is not None:
            low.let(self.came.name, self.current, Player())
            return
        low.add(ir.If(equal(self.left, ZERO), [_leave(after)]))
        counted = self._set(self.left, minus(self.left, ONE))
        tests: list[Ins] = []
        if low.unit.seats_may_drop:
            seat_in = ir.Contains(low.unit.players(), self.current, False)
            tests.append(ir.If(ir.Not(seat_in), [_leave(advance)]))
        if self.stmt.skipping is not None:
            tests.append(ir.If(low.x.lower(self.stmt.skipping), [_leave(advance)]))
        low.add(ir.If(self.begun, [counted, *tests]))

    def test_until(self, after: Segment) -> None:
        """Tests `until`. The seat is the one that would have the next pass."""
        low, stmt = self.low, self.stmt
        assert stmt.until is not None
        begins = ir.And(ir.Not(self.begun), low.x.lower(stmt.until))
        if self.came is not None:
            low.add(ir.If(begins, [self._set(self.left, ZERO)], span=stmt.span))
            passed = ir.Compare("<=", self._steps(self.came, self.mark), self._steps(self.came, self.current))
            low.add(ir.If(ir.And(self.begun, passed), [_leave(after)]))
            return
        others = ir.Conditional(
            less(self.mark, ZERO), minus(self.seats, ONE), self._steps(self.current, self.mark), type=INDEX
        )
        low.add(ir.If(begins, [self._set(self.left, others)], span=stmt.span))
        low.add(ir.If(ir.Not(self.begun), [self._set(self.mark, self.current)]))


def lower_together(low: Lowering, stmt: core.Together) -> None:
    items = ir.All("e_", low.x.set_of(stmt.source), type=SetOf(Player()))
    if not low.unit.analysis.block_cuts(stmt.body):
        _plain_for(low, stmt, low.name(stmt.local), items)
        return
    begins = low.segment("together", "together")
    low.add(ir.Goto(begins.number, backward=True))
    low.open(begins)
    low.add(ir.Together(1, span=stmt.span))
    low.together += 1
    _cut_for(low, stmt.local, items, stmt.body)
    low.together -= 1
    low.add(ir.Together(-1))
