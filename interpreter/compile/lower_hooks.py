"""Hooks on changes of fields and places, and on pieces that enter or leave.

A change hook runs once after the statement that made the change: what the counters and counts were is kept before,
and compared after. A move hook runs at once after its piece has moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from ..check import program as core
from ..check.value_types import SetOf
from ..check.walk import conjuncts
from . import ir
from .ir import INDEX, Op
from .layout import all_dimensions
from .lower_loops import loop_over
from .lowering import Lowering


@dataclass
class Kept:
    """A hook, and the local that holds the old values of all its elements."""

    hook: core.ChangeHook
    snapshot: ir.Local


def before_change(low: Lowering, hooks: list[core.ChangeHook]) -> list[Kept]:
    kept = []
    for hook in hooks:
        if hook.field is not None:
            spot = low.unit.layout.fields[hook.field]
            snapshot = ir.Snapshot("fields", spot.base, spot.size, type=SetOf(INDEX))
        else:
            assert hook.place is not None
            spot = low.unit.layout.places[hook.place]
            snapshot = ir.Snapshot("counts", spot.base, spot.size, type=SetOf(INDEX))
        kept.append(Kept(hook, low.temporary("was", snapshot, SetOf(INDEX))))
        # Hooks on single moves run in the middle of the statement. What they move must not count as its change, so they
        # find here which counts to correct.
        if hook.place is not None:
            low.counted.append((kept[-1].snapshot, spot.base, spot.size))
    return kept


def after_change(low: Lowering, kept: list[Kept]) -> None:
    """Finds out for all hooks what has changed before the first of them runs: a hook must not see, as a change by the
    statement, what another hook did."""
    if not kept:
        return
    for one in kept:
        if one.hook.place is not None:
            low.counted.pop()
    changes: list[Op] = [_changed(low, one) for one in kept]
    # With one hook the list can be made where the loop goes over it; with more, all are made before the first hook.
    if len(changes) > 1:
        changes = [low.temporary("changed", changed, SetOf(INDEX)) for changed in changes]
    for one, changed in zip(kept, changes, strict=True):
        _run_change_hook(low, one, changed)


def _changed(low: Lowering, kept: Kept) -> Op:
    hook = kept.hook
    spot = low.unit.layout.fields[hook.field] if hook.field is not None else low.unit.layout.places[hook.place]  # type: ignore[index]
    kind: ir.Kept = "fields" if hook.field is not None else "counts"
    return ir.Changed(kind, spot.base, spot.size, kept.snapshot, hook.change, type=SetOf(INDEX))


def _run_change_hook(low: Lowering, kept: Kept, changed: Op) -> None:
    """Calls the hook for each element that changed in the way asked for, with owner, indexes and the old value."""
    hook = kept.hook
    decl = hook.field or hook.place
    assert decl is not None
    spot = (low.unit.layout.fields if hook.field else low.unit.layout.places)[decl]  # type: ignore[index]
    local = low.unit.temporary("c")
    low.types[local] = INDEX
    element = ir.Local(local, type=INDEX)

    def one_pass() -> None:
        args: list[Op] = []
        dimensions = all_dimensions(decl)
        for dimension, stride in zip(
            dimensions[: len(hook.rule.params) - (1 if hook.field else 0)], spot.strides, strict=False
        ):
            args.append(_coordinate(element, stride, dimension))
        if hook.field is not None:
            args.append(ir.Element(kept.snapshot, element, type=hook.field.type))
        run_hook(low, hook.rule, tuple(args))

    if hook.rule in low.unit.analysis.framed:
        loop_over(low, local, INDEX, changed, one_pass)
        return
    outer, low.out = low.out, []
    one_pass()
    made, low.out = low.out, outer
    low.add(ir.For(local, changed, made))


def _coordinate(element: Op, stride: int, dimension: core.Dimension) -> Op:
    # The element is a number in mixed radix; this takes out one digit.
    value = element
    if stride != 1:
        value = ir.Arithmetic("//", value, ir.Const(stride, type=INDEX), type=INDEX)
    value = ir.Arithmetic("%", value, ir.Const(dimension.size, type=INDEX), type=INDEX)
    if dimension.low:
        value = ir.Arithmetic("+", value, ir.Const(dimension.low, type=INDEX), type=INDEX)
    return replace(value, type=dimension.type)


def run_hook(low: Lowering, rule: core.RuleDecl, args: tuple[Op, ...]) -> None:
    """Calls a hook's routine, which tests its own condition."""
    name = low.unit.hook_name(rule)
    if rule in low.unit.analysis.framed:
        low.call_framed(name, args, rule.span)
    else:
        low.add(ir.Call(None, name, args, span=rule.span))


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
    for hook in sorted(hooks, key=lambda hook: hook.motion == "enters") if anywhere else hooks:
        spot = low.unit.layout.places[hook.place]
        number = source if hook.motion == "leaves" else target
        assert number is not None
        element = number
        if spot.base:
            element = ir.Arithmetic("-", number, ir.Const(spot.base, type=INDEX), type=INDEX)
        args = [piece]
        for dimension, stride in zip(
            all_dimensions(hook.place)[: len(hook.rule.params) - 1], spot.strides, strict=False
        ):
            args.append(_coordinate(element, stride, dimension))
        test = _inline_when(hook, piece)
        if hook.motion == "leaves" or anywhere:
            there = ir.InRanges(number, ((spot.base, spot.size),))
            test = ir.And(there, test) if test is not None else there
        if test is None:
            run_hook(low, hook.rule, tuple(args))
        else:
            low.when(test, partial(run_hook, low, hook.rule, tuple(args)))


def _inline_when(hook: core.MoveHook, piece: Op) -> Op | None:
    """The part of a hook's condition that concerns only the piece, tested before the hook is called: most pieces fail
    it."""
    match conjuncts(hook.rule.when)[:1]:
        case [core.IsKind(of=core.LocalVar(local=local), ranges=ranges)] if local is hook.rule.params[0]:
            return ir.InRanges(piece, ranges)
    return None
