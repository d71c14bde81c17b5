"""What single statements demand of the state: counters, pieces, room (see foresight)."""

from __future__ import annotations

from ..check import program as core
from ..check.program import Block
from ..check.value_types import Maybe, VType, none_of
from . import ir
from .answers import NO, Answers
from .fold import is_printed
from .footprint import disturbs
from .ir import FLAG, INDEX, Op, free_locals
from .lowering import bounds
from .statement_facts import binders_of, fills_up, surely_filled


class Demands(Answers):
    def _holds(self, stmt: core.Lose) -> bool:
        low = self.low
        for amount in stmt.amounts:
            if disturbs(self.road.changed, frozenset([amount.field])):
                return False
            self.reads |= {amount.field}
            address = low.x.field_address(amount.field, stmt.player, amount.indexes)
            held = ir.ReadField(address, none_of(amount.field.type), type=amount.field.type)
            left = ir.Arithmetic("-", held, low.x.lower(amount.amount), type=INDEX)
            self._unless(at_least(left, ir.Const(bounds(amount.field)[0] or 0, type=INDEX)))
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
        there = ir.First(local, source, where, type=Maybe(binder.local.type))
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
            held = ir.Count(low.x.contents(to.place), type=INDEX)
            self._unless(ir.Compare("<", held, ir.Const(place.capacity, type=INDEX)))
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
        if not isinstance(op, ir.Compare) or op.sign != ">=":
            return None
        if any(name in free_locals(op.left) for name, _, _ in loops):
            return None
        price = op.right
        for local, source, _ in loops:
            if not isinstance(source, ir.Sequence) or not source.values:
                continue
            if not isinstance(price, ir.Const) and is_printed(price, local):
                cheapest = min(self.unit.worked_out(price, local, source.values))
                return ir.Compare(">=", op.left, ir.Const(cheapest, type=INDEX))
        return None

    def _flag(self) -> ir.Local:
        """A local that is no at first."""
        name = self.unit.temporary("doubt")
        self.low.body.insert(0, ir.Let(name, NO))
        return ir.Local(name, type=FLAG)


def is_there(piece: Op, of: VType) -> Op:
    return ir.Not(ir.IsNone(piece, none_of(of)))


def at_least(value: Op, least: Op) -> Op:
    return ir.Compare(">=", value, least)
