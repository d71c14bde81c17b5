"""What has to come about before somebody wins or loses: the conditions around each `wins`, as they stand in its rule.

    for f in Field where f.is_wood
      let near = count(neighbours(f))
      if f.fire + near >= 6
        nobody wins "The wood burns down"

That is read from the outside in, as a row of steps: some f of those fields, and of it that f.fire + the count is at
least 6. What a `let` keeps is put in for its name, as long as nothing else sets that name before the end. Conditions
that stand in another segment, or around the call of the rule, are not found.

From the same endings one can tell whether the players are a *team* (`is_team`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..check.value_types import VType
from . import ir
from .ir import Block, Ins, Op, Routine
from .unit import Unit

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


# ---------------------------------------------------------------------------- teams


def is_team(unit: Unit) -> bool:
    """Whether the players win or lose together, by the rules alone, and there is something to win or to count.

        everybody wins "All beacons are lit"
        score p
          "Show"  launched[red] + launched[blue]

    Nobody is ever ahead of anybody in such a game: the margin over the others is 0 for ever, and the ranks are equal. A
    bot that played for margins would not care what happens. So it has to be known that the players are one team, which
    plays for the points and the win as one player alone does. They are if no rule tells them apart at the end: every
    `wins` names all players or none, nobody can lose or drop out by themselves, there is no payoff, and neither the
    score nor the ranking asks for which player it is worked out.
    """
    program = unit.program
    if program.players < 2 or program.payoff is not None:
        return False
    endings = [one for routine in unit.routines.values() for one in _ends_in(routine)]
    if not all(isinstance(one, ir.Wins) and _names_all_or_none(one, program.players) for one in endings):
        return False
    counted = [name for name in unit.routines if name == "rank" or name.startswith("score_")]
    return bool(endings or counted) and not any(_reads_whose(unit.routines[name]) for name in counted)


def _ends_in(routine: ir.Routine) -> list[ir.Ins]:
    """What ends the game other than by points, or takes somebody out of it."""
    return [ins for ins in routine.instructions() if isinstance(ins, ir.Wins | ir.DropsOut)]


def _names_all_or_none(ending: ir.Wins, players: int) -> bool:
    return isinstance(ending.players, ir.Sequence) and len(ending.players.values) in (0, players)


def _reads_whose(routine: ir.Routine) -> bool:
    """True if a score or a ranking depends on the player for whom it is worked out. That a ranking asks for the `score`
    of that player does not count: what a score depends on is looked at by itself."""
    whose = routine.params[0]
    found = [*routine.operations()]
    own = [op for op in found if isinstance(op, ir.Local) and op.name == whose]
    in_score = [op for op in found if isinstance(op, ir.Score) and op.player in own]
    return len(own) > len(in_score)
