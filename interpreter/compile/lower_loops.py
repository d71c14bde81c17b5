"""Loops: plain ones stay loops, those with decisions inside become jumps between segments.

A cut loop keeps what it has still to do (the set it goes over, its position, how many times are left) in locals,
which end up in the frame like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..check import program as core
from ..check.value_types import Player, SetOf, VType
from .ir import Ins, Op, Segment
from .lower_atoms import FLAG, INDEX

if TYPE_CHECKING:
    from .lower_statements import StatementLowering

ZERO = Op("const", (0,), INDEX)
ONE = Op("const", (1,), INDEX)


def less(a: Op, b: Op) -> Op:
    return Op("compare", ("<", a, b, None, None), FLAG)


def equal(a: Op, b: Op) -> Op:
    return Op("compare", ("==", a, b, None, None), FLAG)


def plus(a: Op, b: Op) -> Op:
    return Op("add", (a, b), INDEX)


def minus(a: Op, b: Op) -> Op:
    return Op("subtract", (a, b), INDEX)


def bound_set(low: StatementLowering, binder: core.Binder) -> Op:
    """What a `for` goes over, worked out once: filtered, sorted, copied."""
    local, source, where = low.x.source(binder)
    if source.op in ("sequence", "players", "from", "after") and where is None:
        return source
    if source.op == "all" and where is None:
        return source
    return Op("all", (local, source, where, None, None), SetOf(binder.local.type), binder.span)


def lower_for(low: StatementLowering, stmt: core.For) -> None:
    items = bound_set(low, stmt.binder)
    local = low.name(stmt.binder.local)
    if stmt.ordered_by is not None:
        from .lower_choices import lower_ordered_for

        lower_ordered_for(low, stmt, items, local)
        return
    if not any(low.unit.analysis.cuts(inner) for inner in stmt.body):
        low.loops.append(None)
        if not (items.op == "sequence" and len(items.args) <= 16):
            items = Op("counted", (items,), items.type, items.span)
        low.add("for", local, items, blocks=(low.inner(stmt.body),), span=stmt.span)
        low.loops.pop()
        return
    cut_for(low, local, stmt.binder.local, items, stmt.body)


def cut_for(low: StatementLowering, local: str, decl: core.LocalDecl, items: Op, body: core.Block) -> None:
    loop_over(low, local, decl.type, items, lambda: low.block(body), f"for {decl.name}")


def loop_over(
    low: StatementLowering, local: str, item: VType, items: Op, body: Callable[[], bool | None], note: str = ""
) -> None:
    """A loop over a set that is worked out once; `body` lowers one pass and says whether its end is never reached."""
    kept = low.temporary("items", items, SetOf(item))
    position = low.unit.temporary("i")
    low.let(position, ZERO)
    here = Op("local", (position,), INDEX)
    head, after = low.segment(note), low.segment()
    low.goto(head)
    low.open(head)
    finished = Op("compare", (">=", here, Op("count", (kept,), INDEX), None, None), FLAG)
    low.add("if", finished, blocks=([Ins("goto", (after.number, False, False))], []))
    low.let(local, Op("element", (kept, here), item), item)
    low.let(position, plus(here, ONE))
    low.loops.append(after)
    if not body():
        low.goto(head, backward=True)
    low.loops.pop()
    low.open(after)


def lower_walk(low: StatementLowering, stmt: core.Walk) -> None:
    """`i` is where x stood when it was visited; the row is read anew each time."""
    local = low.name(stmt.local)
    position = low.unit.temporary("i")
    here = Op("local", (position,), INDEX)
    row = low.x.contents(stmt.place)
    cut = any(low.unit.analysis.cuts(inner) for inner in stmt.body)
    low.let(position, ZERO)
    inside = less(here, Op("count", (row,), INDEX))
    visit = Op("element", (row, here), stmt.local.type)
    moved_on = Op("walk_on", (row, Op("local", (local,), stmt.local.type), here), INDEX)
    if not cut:
        low.loops.append(None)
        kept, low.out = low.out, []
        low.let(local, visit, stmt.local.type)
        if not low.block(stmt.body):
            low.let(position, moved_on)
        made, low.out = low.out, kept
        low.loops.pop()
        low.add("while", inside, None, blocks=(made,), span=stmt.span)
        return
    head, after = low.segment(f"walk {stmt.local.name}"), low.segment()
    low.goto(head)
    low.open(head)
    low.add("if", Op("not", (inside,), FLAG), blocks=([Ins("goto", (after.number, False, False))], []))
    low.let(local, visit, stmt.local.type)
    low.loops.append(after)
    if not low.block(stmt.body):
        low.let(position, moved_on)
        low.goto(head, backward=True)
    low.loops.pop()
    low.open(after)


def lower_repeat(low: StatementLowering, stmt: core.Repeat) -> bool:
    cut = any(low.unit.analysis.cuts(inner) for inner in stmt.body)
    times = low.x.maybe(stmt.times)
    if not cut:
        low.loops.append(None)
        body = low.inner(stmt.body)
        low.loops.pop()
        low.add("loop", times, blocks=(body,), span=stmt.span)
        return False
    left = low.unit.temporary("left")
    if times is not None:
        low.let(left, times, INDEX)
    head, after = low.segment("repeat"), low.segment()
    low.goto(head)
    low.open(head)
    if times is not None:
        here = Op("local", (left,), INDEX)
        low.add("if", less(here, ONE), blocks=([Ins("goto", (after.number, False, False))], []))
        low.let(left, minus(here, ONE))
    low.loops.append(after)
    if not low.block(stmt.body):
        low.goto(head, backward=True)
    low.loops.pop()
    low.open(after)
    return False


def lower_while(low: StatementLowering, stmt: core.While) -> None:
    cut = any(low.unit.analysis.cuts(inner) for inner in stmt.body)
    condition = low.x.lower(stmt.condition)
    at_most = low.x.maybe(stmt.at_most)
    if not cut:
        low.loops.append(None)
        body = low.inner(stmt.body)
        low.loops.pop()
        low.add("while", condition, at_most, blocks=(body,), span=stmt.span)
        return
    left = low.unit.temporary("left")
    if at_most is not None:
        low.let(left, at_most, INDEX)
    head, after = low.segment("while"), low.segment()
    low.goto(head)
    low.open(head)
    ends = Op("not", (condition,), FLAG)
    if at_most is not None:
        here = Op("local", (left,), INDEX)
        ends = Op("or", (less(here, ONE), ends), FLAG)
    low.add("if", ends, blocks=([Ins("goto", (after.number, False, False))], []))
    if at_most is not None:
        low.let(left, minus(Op("local", (left,), INDEX), ONE))
    low.loops.append(after)
    if not low.block(stmt.body):
        low.goto(head, backward=True)
    low.loops.pop()
    low.open(after)


def lower_in_turn(low: StatementLowering, stmt: core.InTurn) -> bool:
    """Seats in order from the start, again and again. A seat comes to its pass if it is in and not skipped."""
    local = low.name(stmt.local)
    current = Op("local", (local,), Player())
    low.let(local, low.x.lower(stmt.start), Player())
    last = _LastRound(low, stmt, current) if stmt.last_round is not None and stmt.until is not None else None
    head, after = low.segment(f"in turn {stmt.local.name}"), low.segment()
    low.loops.append(after)
    advance = low.segment()
    low.goto(head)
    low.open(head)
    if last is not None:
        last.seat_comes(after, advance)
    if low.unit.seats_may_drop:
        low.let(local, Op("still_in", (current,), Player()), Player())
        low.add("if", Op("is_none", (current, -1), FLAG), blocks=([_leave(after)], []))
    if stmt.skipping is not None:
        skipped = low.unit.temporary("skipped")
        low.let(skipped, Op("unskipped", (low.unit.players(), current, local, low.x.lower(stmt.skipping)), Player()))
        low.let(local, Op("local", (skipped,), Player()), Player())
        low.add("if", Op("is_none", (current, -1), FLAG), blocks=([_leave(after)], []))
    if last is not None:
        last.test_until(after)
    elif stmt.until is not None:
        low.add("if", low.x.lower(stmt.until), blocks=([_leave(after)], []), span=stmt.span)
    if not low.block(stmt.body):
        low.goto(advance)
    low.open(advance)
    low.let(local, _next_seat(low, current), Player())
    low.goto(head, backward=True)
    low.loops.pop()
    low.open(after)
    return False


def _leave(segment: Segment) -> Ins:
    return Ins("goto", (segment.number, False, False))


def _next_seat(low: StatementLowering, current: Op) -> Op:
    """The seat beside, in or not."""
    count = low.unit.program.players
    if count == 2:
        return minus(Op("const", (1,), Player()), current)
    return Op("modulo", (plus(current, ONE), Op("const", (count,), INDEX)), Player())


class _LastRound:
    """What `finishing the round` and `then each once more` keep: whether `until` has held, and where the round ends.

    `left` is -1 before. Then for `finishing` it is 0, and the loop ends where the start seat would come; for `each once
    more` it counts the seats that are still to come, those that are out or skipped too: the last is the one that had
    the last pass.
    """

    def __init__(self, low: StatementLowering, stmt: core.InTurn, current: Op) -> None:
        self.low, self.stmt, self.current = low, stmt, current
        self.finishing = stmt.last_round == "finishing"
        self.seats = Op("const", (low.unit.program.players,), INDEX)
        self.left = low.temporary("left", Op("const", (-1,), INDEX), INDEX)
        self.begun = Op("compare", (">=", self.left, ZERO, None, None), FLAG)
        first = current if self.finishing else Op("const", (-1,), Player())
        self.mark = low.temporary("start" if self.finishing else "had", first, Player())
        self.came = low.temporary("came", current, Player()) if self.finishing else None

    def _set(self, local: Op, value: Op) -> Ins:
        return Ins("let", (local.args[0], value), (), self.stmt.span)

    def _steps(self, source: Op, target: Op) -> Op:
        """How many seats on from the one to the other."""
        return Op("modulo", (minus(target, source), self.seats), INDEX)

    def seat_comes(self, after: Segment, advance: Segment) -> None:
        """The next seat in order, before anybody is left out."""
        low = self.low
        if self.came is not None:
            low.let(self.came.args[0], self.current, Player())
            return
        low.add("if", equal(self.left, ZERO), blocks=([_leave(after)], []))
        counted = self._set(self.left, minus(self.left, ONE))
        passed_over = [self._goto(advance)]
        tests: list[Ins] = []
        if low.unit.seats_may_drop:
            seat_in = Op("contains", (low.unit.players(), self.current, False), FLAG)
            tests.append(Ins("if", (Op("not", (seat_in,), FLAG),), (list(passed_over), [])))
        if self.stmt.skipping is not None:
            tests.append(Ins("if", (low.x.lower(self.stmt.skipping),), (list(passed_over), [])))
        low.add("if", self.begun, blocks=([counted, *tests], []))

    def _goto(self, segment: Segment) -> Ins:
        return Ins("goto", (segment.number, False, False))

    def test_until(self, after: Segment) -> None:
        """The seat is the one that would have the next pass."""
        low, stmt = self.low, self.stmt
        assert stmt.until is not None
        begins = Op("and", (Op("not", (self.begun,), FLAG), low.x.lower(stmt.until)), FLAG)
        if self.came is not None:
            low.add("if", begins, blocks=([self._set(self.left, ZERO)], []), span=stmt.span)
            passed = Op(
                "compare",
                ("<=", self._steps(self.came, self.mark), self._steps(self.came, self.current), None, None),
                FLAG,
            )
            low.add("if", Op("and", (self.begun, passed), FLAG), blocks=([_leave(after)], []))
            return
        none_yet = Op("compare", ("<", self.mark, ZERO, None, None), FLAG)
        others = Op("if", (none_yet, minus(self.seats, ONE), self._steps(self.current, self.mark)), INDEX)
        low.add("if", begins, blocks=([self._set(self.left, others)], []), span=stmt.span)
        low.add("if", Op("not", (self.begun,), FLAG), blocks=([self._set(self.mark, self.current)], []))


def lower_together(low: StatementLowering, stmt: core.Together) -> None:
    items = Op("all", ("e_", low.x.set_of(stmt.source), None, None, None), SetOf(Player()))
    local = low.name(stmt.local)
    if not any(low.unit.analysis.cuts(inner) for inner in stmt.body):
        low.loops.append(None)
        low.add("for", local, items, blocks=(low.inner(stmt.body),), span=stmt.span)
        low.loops.pop()
        return
    begins = low.segment("together")
    low.add("goto", begins.number, False, True)
    low.open(begins)
    low.add("together", 1, span=stmt.span)
    low.together += 1
    cut_for(low, local, stmt.local, items, stmt.body)
    low.together -= 1
    low.add("together", -1)
