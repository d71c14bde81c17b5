"""What has to come about before somebody wins or loses: the conditions around each `wins`, as they stand in its rule.

    for f in Field where f.is_wood
      let near = count(neighbours(f))
      if f.fire + near >= 6
        nobody wins "The wood burns down"

That is read from the outside in, as a row of steps: some f of those fields, and of it that f.fire + the count is at
least 6. What a `let` keeps is put in for its name, as long as nothing else sets that name before the end. Conditions
that stand in another segment, or around the call of the rule, are not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..check.value_types import VType
from . import ir
from .ir import Block, Ins, Op, Routine

_MOST_WRITTEN = 200  # operations of a condition in which values of `let` are put in
_Lets = dict[str, tuple[Op, int]]  # what a local stands for, and how many operations that are


@dataclass(frozen=True)
class Each:
    """`for x in S where C`: the steps behind it are about some x of those. No source: about any of its kind."""

    local: str
    kind: VType
    source: Op | None = None
    where: Op | None = None


Step = Op | Each


def endings_of(routine: Routine) -> Iterator[tuple[list[Step], ir.Wins]]:
    """Each `wins` of a routine with its steps."""
    for block in routine.blocks:
        yield from _endings_in(block, [], {})


def _endings_in(block: Block, steps: list[Step], lets: _Lets) -> Iterator[tuple[list[Step], ir.Wins]]:
    lets = dict(lets)
    for ins in block:
        if isinstance(ins, ir.Wins):
            yield steps, ins
        elif isinstance(ins, ir.If):
            condition = _with_lets(ins.condition, lets)[0]
            yield from _endings_in(ins.then, [*steps, condition], lets)
            yield from _endings_in(ins.otherwise, [*steps, ir.Not(condition)], lets)
        else:
            inside = {name: value for name, value in lets.items() if name not in _set_in(ins)}
            own = [_each(ins, inside)] if isinstance(ins, ir.For) else []
            for inner in ir.blocks_of(ins):
                yield from _endings_in(inner, [*steps, *own], inside)
        for name in _set_in(ins):
            lets.pop(name, None)
        if isinstance(ins, ir.Let):
            value, size = _with_lets(ins.value, lets)
            if size <= _MOST_WRITTEN and ins.local not in ir.free_locals(value):
                lets[ins.local] = value, size


def _each(ins: ir.For, lets: _Lets) -> Each:
    source, where = ins.source, None
    while isinstance(source, ir.Counted | ir.All):
        if isinstance(source, ir.All) and source.where is not None:
            if where is not None:
                break
            where = ir.with_operations(source.where, {source.local: _local(ins)})
        source = source.source
    where = None if where is None else _with_lets(where, lets)[0]
    return Each(ins.local, _local(ins).type, _with_lets(source, lets)[0], where)


def _local(ins: ir.For) -> ir.Local:
    """The local of a loop, as its elements are."""
    kind = ins.source.type
    return ir.Local(ins.local, type=getattr(kind, "of", kind))


def _with_lets(op: Op, lets: _Lets) -> tuple[Op, int]:
    """The operation with what was kept in place of the names, unless that is too long to be written out; and how many
    operations it is then."""
    size = sum(1 for _ in ir.operations(op))
    names = [name for name in ir.free_locals(op) if name in lets]
    written = size + sum(lets[name][1] for name in names)
    if not names or written > _MOST_WRITTEN:
        return op, written
    return ir.with_operations(op, {name: lets[name][0] for name in names}), written


def _set_in(ins: Ins) -> set[str]:
    """The locals that an instruction sets, those inside it included."""
    every = [ins, *(inner for block in ir.blocks_of(ins) for inner in ir.instructions(block))]
    return {getattr(one, one.sets) for one in every if one.sets and getattr(one, one.sets)}
