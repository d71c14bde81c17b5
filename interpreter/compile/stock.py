"""What each player still has, where neither points nor the conditions of `wins` tell who is ahead.

    each Square
      side: player?                      squares whose `side` is the player
    kind Man
      copies 8 for each owner: player    men of the player that are not in the box

In games of capture, where a win is mate or the last move that somebody has, no distance to a win can be read from the
rules (`progress`). But whoever has more men mostly stands better. So what belongs to a player is counted: nodes by an
open field `player?`, pieces by a printed attribute `player`. Each counts 1, since no rule says what a rook is worth.

- Only what can be lost counts: while the game goes on the rules set that field to none, or move pieces of that kind to
  the box. Where stones are laid and stay, all have as many, and nothing is to be learnt from it.
- A game that ends by how things lie together (`groups`, `longest_line` or `longest_trail` in the condition of an end)
  is left alone: whoever has fewer men has them together sooner.

The count is the routine `progress`, whose `rule` says where it comes from. That more is better is only a guess here:
each search tries it first (`play/bots/stock`).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..check.value_types import NONE, MapNode, Maybe, Number, Piece, Player, bare
from . import ir
from .ir import Op
from .unit import Unit

STOCK = "stock"
_COUNT = "thing__held"


def stock_of(unit: Unit, whose: Op) -> Op | None:
    """How many things belong to a player; None if nothing can be lost."""
    parts = [*_fields(unit, whose), *_pieces(unit, whose)]
    if not parts or _is_won_by_shape(unit):
        return None
    (total, most), *others = parts
    for part, more in others:
        most += more
        total = ir.Arithmetic("+", total, part, type=Number(0, most))
    return total


def _fields(unit: Unit, whose: Op) -> Iterator[tuple[Op, int]]:
    lost = _emptied(unit)
    for field, spot in unit.layout.fields.items():
        owner = field.owner_dimension
        if owner is None or field.dimensions or field.type != Maybe(Player()) or field.visibility != "open":
            continue
        if not isinstance(owner.type, MapNode) or not any(offset in spot for offset in lost):
            continue
        thing = ir.Local(_COUNT, type=Number(0, owner.size - 1))
        address = ir.Address(spot.base, (ir.Term(thing, 1, 0),), False, type=Number(0, spot.base + spot.size))
        held = ir.ReadField(address, NONE, type=field.type)
        every = ir.Sequence(tuple(range(owner.size)), type=owner.type)
        yield _counted(every, ir.Compare("==", held, whose), owner.size), owner.size


def _pieces(unit: Unit, whose: Op) -> Iterator[tuple[Op, int]]:
    discarded = _discarded(unit)
    for table in unit.program.attributes:
        if table.of != "piece" or table.type != Player() or table.dimensions or table.owner not in discarded:
            continue
        kind = unit.program.kinds[table.owner]
        domain = tuple(range(kind.first, kind.first + kind.count))
        own = ir.Indexed(unit.index(domain, (table,)), (whose,), type=Piece((table.owner,)))
        there = ir.Not(ir.InBox(ir.Local(_COUNT, type=Piece((table.owner,))), False))
        yield _counted(own, there, kind.count), kind.count


def _counted(source: Op, where: Op, most: int) -> Op:
    return ir.CountWhere(_COUNT, source, where, type=Number(0, most))


def _played(unit: Unit) -> Iterator[ir.Ins]:
    for name, routine in unit.routines.items():
        if name != "rule_setup":
            yield from routine.instructions()


def _emptied(unit: Unit) -> set[int]:
    """Offsets of fields that are set to none while the game goes on."""
    return {
        ins.address.base
        for ins in _played(unit)
        if isinstance(ins, ir.Store)
        and isinstance(ins.address, ir.Address)
        and isinstance(ins.value, ir.Const)
        and ins.value.value == NONE
    }


def _discarded(unit: Unit) -> set[str]:
    """Kinds of which pieces go to the box while the game goes on."""
    found: set[str] = set()
    for ins in _played(unit):
        if isinstance(ins, ir.Move) and ins.target is None:
            moved = bare(ins.piece.type)
            if isinstance(moved, Piece):
                found.update(moved.kinds)
    return found


def _is_won_by_shape(unit: Unit) -> bool:
    """Whether a condition of an end asks how things lie together."""
    waiting = [op for routine in unit.routines.values() for op in _conditions_of_ends(routine)]
    asked: set[str] = set()
    while waiting:
        for op in ir.operations(waiting.pop()):
            if isinstance(op, ir.Groups | ir.LongestLine | ir.LongestTrail):
                return True
            if isinstance(op, ir.CallValue) and op.routine in unit.routines and op.routine not in asked:
                asked.add(op.routine)
                waiting += unit.routines[op.routine].operations()
    return False


def _conditions_of_ends(routine: ir.Routine) -> Iterator[Op]:
    for ins in routine.instructions():
        if isinstance(ins, ir.If) and any(isinstance(inner, ir.Wins) for inner in [*ins.then, *ins.otherwise]):
            yield ins.condition
