"""Loops: plain ones stay loops, those with decisions inside become jumps between segments.

A cut loop keeps what it has still to do (the set it goes over, its position, how many times are left) in locals, which end
up in the frame like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..check import program as core
from ..check.value_types import Player, SetOf, VType
from .ir import Ins, Op
from .lower_expressions import FLAG, INDEX

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
    if source.op in ("sequence", "players") and where is None:
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
        low.add("for", local, items, blocks=(low.inner(stmt.body),), span=stmt.span)
        low.loops.pop()
        return
    cut_for(low, local, stmt.binder.local, items, stmt.body)


def cut_for(low: StatementLowering, local: str, decl: core.LocalDecl, items: Op, body: core.Block) -> None:
    loop_over(low, local, decl.type, items, lambda: low.block(body), f"for {decl.name}")


def loop_over(low: StatementLowering, local: str, item: VType, items: Op, body: Callable[[], bool | None], note: str = "") -> None:
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
    """Seats in order from the start, again and again. `last` counts the passes of a last round; -1: not begun."""
    local = low.name(stmt.local)
    current = Op("local", (local,), Player())
    low.let(local, low.x.lower(stmt.start), Player())
    start = low.temporary("start", current, Player()) if stmt.last_round == "finishing" else None
    last = low.unit.temporary("last")
    if stmt.last_round is not None:
        low.let(last, Op("const", (-1,), INDEX))
    head, after, advance = low.segment(f"in turn {stmt.local.name}"), low.segment(), low.segment()
    low.goto(head)
    low.open(head)
    leave = [Ins("goto", (after.number, False, False))]
    if low.unit.seats_may_drop:
        low.let(local, Op("still_in", (current,), Player()), Player())
        low.add("if", Op("is_none", (current, -1), FLAG), blocks=([Ins("goto", (after.number, False, False))], []))
    _test_until(low, stmt, Op("local", (last,), INDEX), last, leave, start, current)
    if stmt.skipping is not None:
        skipped = low.unit.temporary("skipped")
        low.let(skipped, Op("unskipped", (low.unit.players(), current, local, low.x.lower(stmt.skipping)), Player()))
        low.let(local, Op("local", (skipped,), Player()), Player())
        low.add("if", Op("is_none", (current, -1), FLAG), blocks=([Ins("goto", (after.number, False, False))], []))
    low.loops.append(after)
    if not low.block(stmt.body):
        low.goto(advance)
    low.loops.pop()
    low.open(advance)
    low.let(local, _next(low, current), Player())
    low.goto(head, backward=True)
    low.open(after)
    return False


def _next(low: StatementLowering, current: Op) -> Op:
    count = low.unit.program.players
    if low.unit.seats_may_drop:
        return Op("next", (current,), Player())
    if count == 2:
        return minus(Op("const", (1,), Player()), current)
    return Op("modulo", (plus(current, ONE), Op("const", (count,), INDEX)), Player())


def _test_until(
    low: StatementLowering, stmt: core.InTurn, last: Op, last_name: str, leave: list[Ins], start: Op | None, current: Op
) -> None:
    if stmt.until is None:
        return
    until = low.x.lower(stmt.until)
    if stmt.last_round is None:
        low.add("if", until, blocks=(leave, []), span=stmt.span)
        return
    begun = Op("compare", (">=", last, ZERO, None, None), FLAG)
    begins = Op("and", (Op("not", (begun,), FLAG), until), FLAG)
    count = Op("count", (low.unit.players(),), INDEX)
    if stmt.last_round == "each_once_more":
        low.add("if", begins, blocks=([Ins("let", (last_name, count))], []), span=stmt.span)
        low.add("if", equal(last, ZERO), blocks=(leave, []))
        low.add("if", begun, blocks=([Ins("let", (last_name, minus(last, ONE)))], []))
    else:
        assert start is not None
        low.add("if", begins, blocks=([Ins("let", (last_name, ZERO))], []), span=stmt.span)
        low.add("if", Op("and", (begun, equal(current, start)), FLAG), blocks=(leave, []))


def lower_together(low: StatementLowering, stmt: core.Together) -> None:
    items = Op("all", ("e_", low.x.set_of(stmt.source), None, None, None), SetOf(Player()))
    local = low.name(stmt.local)
    if not any(low.unit.analysis.cuts(inner) for inner in stmt.body):
        low.loops.append(None)
        low.add("for", local, items, blocks=(low.inner(stmt.body),), span=stmt.span)
        low.loops.pop()
        return
    low.add("together", 1)
    low.together += 1
    cut_for(low, local, stmt.local, items, stmt.body)
    low.together -= 1
    low.add("together", -1)
