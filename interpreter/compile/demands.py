"""What single statements demand of the state: counters, pieces, room (see foresight)."""

from __future__ import annotations

from ..check import program as core
from ..check.program import Block
from ..check.value_types import Maybe, VType, none_of
from .answers import NO, Answers
from .footprint import disturbs
from .ir import Ins, Op
from .lower_atoms import FLAG, INDEX
from .lowering import bounds, free_locals
from .statement_facts import binders_of, fills_up, surely_filled
from .unit import is_printed


class Demands(Answers):
    def _holds(self, stmt: core.Lose) -> bool:
        low = self.low
        for amount in stmt.amounts:
            if disturbs(self.road.changed, frozenset([amount.field])):
                return False
            self.reads |= {amount.field}
            address = low.x.field_address(amount.field, stmt.player, amount.indexes)
            held = Op("field", (address, none_of(amount.field.type)), amount.field.type)
            left = Op("subtract", (held, low.x.lower(amount.amount)), INDEX)
            self._unless(at_least(left, Op("const", (bounds(amount.field)[0] or 0,), INDEX)))
        return True

    def _has_piece(self, piece: core.Expr, before: Block) -> bool:
        if isinstance(piece.type, Maybe) and not surely_filled(piece, before):
            if not self._sees(piece):
                return False
            self._unless(is_there(self.low.x.lower(piece), piece.type))
        return True

    def _there_is_one(self, binder: core.Binder) -> None:
        local, source, where = self.low.x.source(binder)
        self.low.types[local] = binder.local.type
        there = Op("first", (local, source, where), Maybe(binder.local.type))
        self._unless(is_there(there, there.type))

    def _has_room(self, to: core.Destination, before: Block) -> bool:
        low = self.low
        if not fills_up(to, before):
            return True
        assert isinstance(to.place, core.PlaceRef)
        place = to.place.place
        if (place.shape == "slots" and to.place.slot is None) or not self._sees(to.place):
            return False
        if place.shape in ("slot", "slots"):
            self._unless(low.x.lower(core.IsEmpty(FLAG, to.place.span, to.place)))
        else:
            held = Op("count", (low.x.contents(to.place),), INDEX)
            self._unless(Op("compare", ("<", held, Op("const", (place.capacity,), INDEX), None, None), FLAG))
        return True

    def _moves_what_is_seen(self, stmt: core.Stmt, before: Block) -> bool:
        """A piece that its player has just chosen in sight is moved, and nothing is set off by that."""
        if not isinstance(stmt, core.MovePiece) or not isinstance(stmt.piece, core.LocalVar):
            return False
        if self.analysis.change_hooks(stmt) or self.analysis.move_hooks(stmt):
            return False
        for binder in (binder for chosen in before for binder in binders_of(chosen)):
            if binder.local is stmt.piece.local and isinstance(binder.source, core.PlaceRef):
                place = binder.source
                own = place.owner is not None and self._is_own(place.owner)
                return place.place.visibility == "open" or (place.place.visibility == "secret" and own)
        return False

    def _gives_back(self, stmt: core.Pay) -> bool:
        """A plain counter, and nobody notices: it can be paid and given back."""
        if self.analysis.change_hooks(stmt) or stmt.to is not None or len(stmt.costs) != 1:
            return False
        field = stmt.costs[0].field
        return field is not None and not field.capped

    def _at_least(self, test: core.Expr, loops: list[tuple[str, Op, Op | None]]) -> Op | None:
        """Of a price that is printed on what is chosen: whether the cheapest of them could be paid."""
        op = self.low.x.lower(test)
        if op.op != "compare" or op.args[0] != ">=" or any(name in free_locals(op.args[1]) for name, _, _ in loops):
            return None
        for local, source, _ in loops:
            price = op.args[2]
            if source.op == "sequence" and source.args and price.op != "const" and is_printed(price, local):
                cheapest = min(self.unit.worked_out(price, local, source.args))
                return Op("compare", (">=", op.args[1], Op("const", (cheapest,), INDEX), None, None), FLAG)
        return None

    def _flag(self) -> Op:
        """A local that is no at first."""
        name = self.unit.temporary("doubt")
        self.low.body.insert(0, Ins("let", (name, NO)))
        return Op("local", (name,), FLAG)


def is_there(piece: Op, of: VType) -> Op:
    return Op("not", (Op("is_none", (piece, none_of(of)), FLAG),), FLAG)


def at_least(value: Op, least: Op) -> Op:
    return Op("compare", (">=", value, least, None, None), FLAG)
