"""What a running game keeps for the worlds of its players: values told to all, and numbers written unseen.

`public(E)` tells everybody what E gives. A world must give the same, so E is kept as a function of its own
(`told_N`), which can be asked again of any state: `Public` names it and the locals it needs. A local that holds a piece
is asked under the name that the world gives that piece.

A field that somebody may not see can be written in three ways, and a world treats each as the player sees it:

| written | example | in a world |
| --- | --- | --- |
| by so much more or less | `p gains 2 coins` | that much more or less than before |
| with something all may know | `p.bid = 0` | the same |
| with something unseen | `p.bid = n` after `choose n … secretly`, `secret = dice[1].face` | drawn anew |

The first needs no note. `Wrote` notes the others; `unseen` says whether the value itself reads what may be unseen. A
value that comes out of a local is taken to be as secret as the last choice made.
"""

from __future__ import annotations

from ..check import program as core
from . import ir
from .ir import Op
from .unit import ToldUnit, Unit, thing_of

PLAIN = ir.Const | ir.Local | ir.Arithmetic | ir.Unary | ir.Compare | ir.And | ir.Or | ir.Not | ir.Lookup | ir.Address


def told(unit: Unit, value: Op) -> tuple[int, tuple[Op, ...]]:
    """The number under which a value can be asked again, and the locals to ask it with."""
    types = {op.name: op.type for op in ir.operations(value) if isinstance(op, ir.Local)}
    params = tuple(dict.fromkeys(ir.free_locals(value)))
    made = ToldUnit(len(unit.told), params, tuple(thing_of(types[name]) for name in params), value)
    unit.told.append(made)
    return made.number, tuple(ir.Local(name, type=types[name]) for name in params)


def wrote(unit: Unit, address: Op, value: Op, field: core.FieldDecl) -> ir.Ins | None:
    """What is noted behind a store to a field that somebody may not see; nothing if it only adds or takes away."""
    if field.visibility == "open":
        return None
    if isinstance(value, ir.Arithmetic) and value.sign in "+-":
        held = value.left
        if isinstance(held, ir.ReadField) and held.address is address:
            return None
    return ir.Only(("play",), [ir.Wrote(address, _may_be_unseen(unit, value))])


def _may_be_unseen(unit: Unit, value: Op) -> bool:
    return not all(isinstance(op, PLAIN) or _is_open(unit, op) for op in (value, *ir.operations(value)))


def _is_open(unit: Unit, op: Op) -> bool:
    """A field that all may see."""
    if not isinstance(op, ir.ReadField) or not isinstance(op.address, ir.Address):
        return False
    base = op.address.base
    return any(
        field.visibility == "open" and spot.base <= base < spot.base + max(1, spot.size)
        for field, spot in unit.layout.fields.items()
    )
