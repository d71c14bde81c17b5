"""Values as expressions: what a call comes to, written where it is called.

    value way(u: Unit, h: Hex): 0..99?
      let steps = cheapest from at(u) to h along w in Way costing toll(w)
      result steps if h.unit is empty else none

Passes look through a call that way: a search or a loop in it then stands beside the loops of whoever calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from . import ir
from .ir import Block, Op


def expression_of(body: Block, known: Mapping[str, Op] | None = None) -> Op | None:
    """What a value gives, as one expression, or None if it does more than name, ask and give. A name that is used
    twice is written twice."""
    known = known or {}
    for at, ins in enumerate(body):
        match ins:
            case ir.Let():
                known = {**known, ins.local: ir.with_operations(ins.value, known)}
            case ir.Return(value=Op() as of):
                return ir.with_operations(of, known)
            case ir.If():
                rest = body[at + 1 :]
                then = expression_of([*ins.then, *rest], known)
                otherwise = expression_of([*ins.otherwise, *rest], known)
                if then is None or otherwise is None:
                    return None
                condition = ir.with_operations(ins.condition, known)
                return ir.Conditional(condition, then, otherwise, type=then.type, span=ins.span)
            case _:
                return None
    return None


def with_arguments(op: Op, given: Mapping[str, Op], fresh: Callable[[str], str]) -> Op:
    """The operation with the arguments in place of the parameters. What it binds gets names of its own: the routine
    that asks may have the same ones for something else."""
    return _with_arguments(op, given, {}, fresh)


def _with_arguments(op: Op, given: Mapping[str, Op], names: Mapping[str, str], fresh: Callable[[str], str]) -> Op:
    if isinstance(op, ir.Local):
        return replace(op, name=names[op.name]) if op.name in names else given.get(op.name, op)
    own = {field: getattr(op, field) for field in op.binds if isinstance(getattr(op, field), str)}
    renamed: dict[str, Any] = {field: fresh(name) for field, name in own.items()}
    inner = {**names, **{name: renamed[field] for field, name in own.items()}}
    changed = ir.rebuilt(op, lambda part: _with_arguments(part, given, inner, fresh))
    return replace(changed, **renamed) if renamed else changed
