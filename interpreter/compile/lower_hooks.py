"""Hooks on changes of fields and places, and on pieces that enter or leave.

A change hook runs once after the statement that made the change: what the counters and counts were is kept before,
and compared after. A move hook runs at once after its piece has moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from ..check import program as core
from ..check.value_types import SetOf
from ..check.walk import conjuncts
from . import ir
from .ir import INDEX, Op
from .layout import Spot, all_dimensions
from .lower_loops import loop_over
from .lowering import Lowering


@dataclass
class Kept:
    """A hook, where the numbers lie that it watches, and the local that holds what they were: the numbers of a field,
    or how many pieces lie in each place."""

    hook: core.ChangeHook
    kind: ir.Kept
    spot: Spot
    was: ir.Local


def before_change(low: Lowering, hooks: list[core.ChangeHook]) -> list[Kept]:
    kept = []
    for hook in hooks:
        kind: ir.Kept = "fields" if hook.field is not None else "counts"
        spot = low.unit.layout.spot(_watched(hook))
        was = low.temporary("was", ir.Snapshot(kind, spot.base, spot.size, type=SetOf(INDEX)))
        kept.append(Kept(hook, kind, spot, was))
        # Hooks on single moves run in the middle of the statement. What they move must not count as its change, so they
        # find here which counts to correct.
        if hook.place is not None:
            low.counted.append((was, spot.base, spot.size))
    return kept


def _watched(hook: core.ChangeHook) -> core.FieldDecl | core.PlaceDecl:
    watched = hook.field or hook.place
    assert watched is not None
    return watched


def after_change(low: Lowering, kept: list[Kept]) -> None:
    """Finds out for all hooks what has changed before the first of them runs: a hook must not see, as a change by the
    statement, what another hook did."""
    for one in kept:
        if one.hook.place is not None:
            low.counted.pop()
    changes: list[Op] = [
        ir.Changed(one.kind, one.spot.base, one.spot.size, one.was, one.hook.change, type=SetOf(INDEX)) for one in kept
    ]
    # With one hook the list can be made where the loop goes over it; with more, all are made before the first hook.
    if len(changes) > 1:
        changes = [low.temporary("changed", changed, SetOf(INDEX)) for changed in changes]
    for one, changed in zip(kept, changes, strict=True):
        _run_change_hook(low, one, changed)


def _run_change_hook(low: Lowering, kept: Kept, changed: Op) -> None:
    """Calls the hook for each element that changed in the way asked for, with owner, indexes and the old value."""
    hook = kept.hook
    local = low.unit.temporary("c")
    low.types[local] = INDEX
    element = ir.Local(local, type=INDEX)

    def one_pass() -> None:
        old = () if hook.field is None else (ir.Element(kept.was, element, type=hook.field.type),)
        indexes = _indexes(element, _watched(hook), kept.spot, len(hook.rule.params) - len(old))
        run_hook(low, hook.rule, (*indexes, *old))

    if hook.rule in low.unit.analysis.framed:
        loop_over(low, local, INDEX, changed, one_pass)
    else:
        low.add(ir.For(local, changed, low.plain_pass(one_pass)))


def _indexes(element: Op, decl: core.FieldDecl | core.PlaceDecl, spot: Spot, count: int) -> Iterator[Op]:
    """The first `count` of owner and indexes. An element is a number in mixed radix; each index is a digit of it."""
    for dimension, stride in zip(all_dimensions(decl)[:count], spot.strides, strict=False):
        value = element
        if stride != 1:
            value = ir.Arithmetic("//", value, ir.Const(stride, type=INDEX), type=INDEX)
        value = ir.Arithmetic("%", value, ir.Const(dimension.size, type=INDEX), type=INDEX)
        if dimension.low:
            value = ir.Arithmetic("+", value, ir.Const(dimension.low, type=INDEX), type=INDEX)
        yield replace(value, type=dimension.type)


def run_hook(low: Lowering, rule: core.RuleDecl, args: tuple[Op, ...]) -> None:
    """Calls a hook's routine, which tests its own condition."""
    low.call(low.unit.hook_name(rule), args, rule, rule in low.unit.analysis.framed)


def call_move_hooks(
    low: Lowering, hooks: list[core.MoveHook], piece: Op, source: Op, target: Op | None, anywhere: bool = False
) -> None:
    """Calls the hooks on a piece that leaves and enters; with `anywhere` it is asked first whether the target is the
    hook's place. What these hooks move themselves is not a change by the statement, so the counts kept for change
    hooks are adjusted by it."""
    counted = (
        [
            (was, low.temporary("now", ir.Snapshot("counts", *spot, type=SetOf(INDEX))), spot)
            for was, *spot in low.counted
        ]
        if hooks
        else []
    )
    _call_move_hooks(low, hooks, piece, source, target, anywhere)
    for was, now, spot in counted:
        low.let(was.name, ir.Rebased(was, now, *spot, type=SetOf(INDEX)), SetOf(INDEX))


def _call_move_hooks(
    low: Lowering, hooks: list[core.MoveHook], piece: Op, source: Op, target: Op | None, anywhere: bool
) -> None:
    # A trade of two pieces leaves both places before it enters any, so hooks on leaving come first.
    for hook in sorted(hooks, key=lambda hook: hook.motion == "enters") if anywhere else hooks:
        spot = low.unit.layout.places[hook.place]
        number = source if hook.motion == "leaves" else target
        assert number is not None
        element = number
        if spot.base:
            element = ir.Arithmetic("-", number, ir.Const(spot.base, type=INDEX), type=INDEX)
        args = (piece, *_indexes(element, hook.place, spot, len(hook.rule.params) - 1))
        asked = asked_kinds(hook)  # most pieces are of another kind: tested here, it saves the call
        test: Op | None = None if asked is None else ir.InRanges(piece, asked)
        if hook.motion == "leaves" or anywhere:
            there = ir.InRanges(number, ((spot.base, spot.size),))
            test = ir.And(there, test) if test is not None else there
        if test is None:
            run_hook(low, hook.rule, args)
        else:
            low.when(test, partial(run_hook, low, hook.rule, args))


def asked_kinds(hook: core.MoveHook) -> tuple[tuple[int, int], ...] | None:
    """The numbers of the pieces that a hook is about, as first and count of each kind, if its condition begins with
    that: `after x enters discard when x is Coin`."""
    match conjuncts(hook.rule.when)[:1]:
        case [core.IsKind(of=core.LocalVar(local=local), ranges=ranges)] if local is hook.rule.params[0]:
            return ranges
    return None
