"""Changes that are supposed: what comes behind a store or a move is asked as if it had been made.

    a.owner = none
    b.owner = p
    requires some d in neighbours(b) has d.owner is none       # looks at what the two lines before have changed

The field gets its value, the rest is asked, the field gets its old value back (`Suppose`, of a piece `SupposeMove`). A
payment from one counter is such a store.
Nobody can notice, and it costs far less than a trial, which copies the game and runs the rule on the copy. Only what is
certain is supposed: nothing hooks on to the change, it can be neither refused nor a fault, and both where it goes and
what it is can be told. A piece has one way back only if it comes from a slot, the box, or a list in table order.

An `if` with such changes in it is followed in both cases, a few times over; so is one in which the game may end.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from ...check import program as core
from ...check.forms import Flow, flow
from ...check.program import Block
from ...check.value_types import bare
from ...check.walk import statements
from .. import ir
from ..footprint import disturbs
from ..ir import INDEX, Op
from ..lowering import bounds, held, suffices
from .answers import Foreseen
from .demands import Demands

MOST_SPLITS = 2  # what follows an `if` is made once for each of its cases


class Supposing(Demands):
    """The statements behind which the rest of a rule is asked as if they had been carried out."""

    @abstractmethod
    def _following(self, block: Block, before: Block) -> tuple[Foreseen, Op] | None: ...

    @abstractmethod
    def _end_with(self, answer: Foreseen, op: Op) -> None: ...

    def _is_supposed(self, stmt: core.SetField, rest: Block, before: Block) -> bool:
        """True if what follows looks at the field and nothing else comes of setting it: no hook, no fault, and where it
        is and what it gets can be told."""
        field = stmt.field
        fits = stmt.fits or field.capped or bounds(field)[0] is None
        # A number out of range is a fault when the option is taken. Supposed, it would pass unnoticed.
        if not fits or self.analysis.stmt_refuses(stmt, before) or self.analysis.change_hooks(stmt):
            return False
        own = frozenset([field])
        # If something on the way has changed this field, perhaps at another index, one supposed store does not make it
        # what it will be. And if nothing that follows looks at it, there is no point in supposing.
        if disturbs(self.road.changed, own) or not disturbs(own, self.footprints.block_reads(rest)):
            return False
        if not self._sees(stmt.owner, *stmt.indexes, stmt.value):
            return False
        if stmt.op != "=":
            self.reads |= own
        return not self.low.x.field_address(field, stmt.owner, stmt.indexes).optional

    def _may_suppose_move(self, stmt: core.MovePiece, rest: Block) -> bool:
        """The same of a piece that goes from and to slots, the box and lists in table order: there is one way back."""
        to, moved = stmt.to, self.footprints.writes((stmt,))
        if self.unit.uses_faces or self.analysis.change_hooks(stmt) or self.analysis.move_hooks(stmt):
            return False
        if disturbs(self.road.changed, moved) or not disturbs(moved, self.footprints.block_reads(rest)):
            return False
        kinds = set(getattr(bare(stmt.piece.type), "kinds", ()))
        # Out of the middle of a pile, a piece could be put back only by whoever remembers where in it the piece lay.
        if any(place.shape in ("pile", "row") and kinds & set(place.kinds) for place in self.unit.program.places):
            return False
        if isinstance(to.place, core.PlaceRef):
            place = to.place.place
            if place.owner == "piece" or (place.shape == "slots" and to.place.slot is None):
                return False
            if self.low.x.place_address(to.place).optional or not self._sees(to.place):
                return False
        return self._sees(stmt.piece)

    def _is_split(self, stmt: core.If, rest: Block) -> bool:
        """`if` something is captured, and what follows looks at what that changes: it is asked in both cases."""
        # Each split makes the rest of the routine twice: after ten of them it would stand there a thousand times.
        if self.road.splits >= MOST_SPLITS or any(
            not isinstance(inner, core.SetField | core.MovePiece | core.If | core.Let) for inner in statements((stmt,))
        ):
            return False
        changed = self.footprints.writes((stmt,))
        if disturbs(self.road.changed, changed) or not disturbs(changed, self.footprints.block_reads(rest)):
            return False
        return self._sees(stmt.condition)

    def _suppose(self, stmt: core.SetField, rest: Block, passed: Block) -> None:
        """`s.owner = p` then `requires has_liberty(s)`: the field gets its value for as long as the rest is asked."""
        low = self.low
        self.road = replace(self.road, may_end=self.road.may_end or not self.footprints.certain((stmt,)))
        following = self._following(rest, passed)
        # Whether a cell can be performed may itself have to be tried, and a trial inside a test saves no trial.
        if following is None or following[0].performs:
            self._unsure()
            return
        # The rest may have become unsure before it came to the field; then storing would take time and tell nothing.
        if disturbs(frozenset([stmt.field]), following[0].reads):
            address, value = low.supposed(stmt)
            low.out = low.add(ir.Suppose(low.unit.temporary("was"), address, value, span=stmt.span)).body
        self._end_with(*following)

    def _suppose_move(self, stmt: core.MovePiece, rest: Block, before: Block) -> None:
        """`move r to c.man` then `requires not is_attacked(king)`: the piece lies there for as long as the rest is
        asked."""
        low = self.low
        certain = self.footprints.certain((stmt,)) or self._moves_what_is_seen(stmt, before)
        self.road = replace(self.road, may_end=self.road.may_end or not certain)
        following = self._following(rest, (*before, stmt))
        if following is None:
            self._unsure()
            return
        if disturbs(self.footprints.writes((stmt,)), following[0].reads):
            piece = low.temporary("x", low.x.lower(stmt.piece), stmt.piece.type)
            target: Op | None = None
            how: ir.Manner = "box"
            if isinstance(stmt.to.place, core.PlaceRef):
                target = low.temporary("to", low.x.place_address(stmt.to.place), INDEX)
                how = "slot" if stmt.to.place.place.shape in ("slot", "slots") else "sorted"
            low.out = low.add(ir.SupposeMove(low.unit.temporary("was"), piece, target, how, span=stmt.span)).body
        self._end_with(*following)

    def _is_plainly_paid(self, stmt: core.Pay) -> bool:
        """True if all that a payment does is to lower one uncapped counter: no receiver, no hook."""
        [cost, *others] = stmt.costs
        plain = cost.field is not None and not cost.field.capped and not others
        return plain and stmt.to is None and not self.analysis.change_hooks(stmt)

    def _suppose_paid(self, stmt: core.Pay, rest: Block, passed: Block) -> None:
        """`pay 3 coins` then `requires p.coins >= 2`: the rest must see the coins as they will be."""
        [cost] = stmt.costs
        field, low = cost.field, self.low
        assert field is not None
        following = self._following(rest, passed)
        if following is None or not disturbs(frozenset([field]), following[0].reads):
            self._unless(self.unit.payments.can_pay(low.x, stmt.player, stmt.costs))
        else:
            address = low.temporary("a", low.x.field_address(field, stmt.player, cost.indexes), INDEX)
            there, amount = held(field, address), low.kept("n", low.x.lower(cost.amount))
            self._unless(suffices(field, there, amount))
            less = ir.Arithmetic("-", there, amount, type=field.type)
            low.out = low.add(ir.Suppose(low.unit.temporary("was"), address, less, span=stmt.span)).body
        if following is None:
            self._unsure()
        else:
            self._end_with(*following)

    def _may_be_over(self, stmt: core.If) -> bool:
        """`if climbed`, `p wins`: in one case the look ahead ends there, in the other it goes on."""
        return len(stmt.then) == 1 and flow(stmt.then[0]) is Flow.ends_game and self._sees(stmt.condition)
