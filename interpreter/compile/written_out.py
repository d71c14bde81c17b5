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

LONGEST = 64  # operations


def expression_of(body: Block) -> Op | None:
    """What a value gives, as one expression; None if it does more than name, ask and give, or becomes far too long. A
    name that is used twice is written twice."""
    return _Writing(4 * LONGEST).block(body, {})


def is_long(op: Op) -> bool:
    """Whether it is no longer worth writing out."""
    return _length(op) > LONGEST


class _Writing:
    """`left`: how many operations may still be written. They are counted before they are put together: forty lines of
    `let b = a + a` would be 2^40 of them."""

    def __init__(self, left: int) -> None:
        self.left = left

    def block(self, body: Block, known: Mapping[str, Op]) -> Op | None:
        for at, ins in enumerate(body):
            match ins:
                case ir.Let():
                    value = self._written(ins.value, known)
                    if value is None:
                        return None
                    known = {**known, ins.local: value}
                case ir.Return(value=Op() as of):
                    return self._written(of, known)
                case ir.If():
                    return self._either(ins, body[at + 1 :], known)
                case _:
                    return None
        return None

    def _either(self, asked: ir.If, rest: Block, known: Mapping[str, Op]) -> Op | None:
        condition = self._written(asked.condition, known)
        then = None if condition is None else self.block([*asked.then, *rest], known)
        otherwise = None if then is None else self.block([*asked.otherwise, *rest], known)
        if condition is None or then is None or otherwise is None:
            return None
        return ir.Conditional(condition, then, otherwise, type=then.type, span=asked.span)

    def _written(self, op: Op, known: Mapping[str, Op]) -> Op | None:
        if isinstance(op, ir.Local):
            return known.get(op.name, op)
        named = (known.get(one.name) if isinstance(one, ir.Local) else None for one in ir.operations(op))
        self.left -= sum(1 if one is None else _length(one) for one in named)
        return ir.with_operations(op, known) if self.left >= 0 else None


def _length(op: Op) -> int:
    return sum(1 for _ in ir.operations(op))


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
