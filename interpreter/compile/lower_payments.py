"""Payments: plain counters are tested and taken; currencies with several sources are paid thing by thing.

A payment that can be made in several ways is a decision of the payer, pick by pick over the kinds of things that
may be paid. What can be paid, and whether the rest can still be met, is worked out by `runtime.payments` from what
the emitted `payment_N` routine says the payer holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from ..check import program as core
from ..check.forms import is_choice, sources_of
from ..check.value_types import Maybe, Number, Piece, Player, SetOf, none_of
from ..diagnostics.source import NOWHERE
from . import ir
from .analysis import FOLLOWING
from .choices.filters import add_payment_filter
from .choices.offers import ask, new_site, open_question
from .ir import INDEX, Op, Payment, PaySource, SiteBranch
from .lower_expressions import ExpressionLowering
from .lower_hooks import after_change, before_change
from .lower_moves import put_all
from .lowering import Lowering, bounds, held, suffices
from .substitute import substitute
from .unit import Unit


@dataclass(eq=False)
class Payments:
    unit: Unit
    made: list[Payment] = field(default_factory=list)

    # ------------------------------------------------------------------ statements

    def lower(self, low: Lowering, stmt: core.Pay) -> None:
        if any(is_choice(cost) for cost in stmt.costs):
            self._lower_choice(low, stmt)
            return
        amounts = [core.CounterAmount(cost.amount, self._field(cost), cost.indexes, False) for cost in stmt.costs]
        numbers = [low.kept("n", low.x.lower(cost.amount)) for cost in stmt.costs]
        for amount, number in zip(amounts, numbers, strict=True):
            low.require_held(stmt, stmt.player, amount, number)
        for amount, number in zip(amounts, numbers, strict=True):
            low.change_counter(stmt, stmt.player, replace(amount, fits=True), "-", False, number)
        for amount, number in zip(amounts, numbers, strict=True):
            if stmt.to is not None:
                low.change_counter(stmt, stmt.to, amount, "+", False, number)

    def _field(self, cost: core.CostDecl) -> core.FieldDecl:
        counter = cost.field if cost.currency is None else sources_of(cost)[0].field
        assert counter is not None
        return counter

    def _lower_choice(self, low: Lowering, stmt: core.Pay) -> None:
        payment = self.payment(stmt.costs)
        player = low.temporary("payer", low.x.lower(stmt.player), Player())
        amounts = tuple(low.temporary("n", low.x.lower(cost.amount), INDEX) for cost in stmt.costs)
        among = tuple(self._kept_among(low, stmt, cost) for cost in stmt.costs)
        site = new_site(low, "pay", None, stmt)
        keys = len(self.unit.program.rows) + len(self.unit.program.fields)
        site.branches.append(SiteBranch(None, (), (("payable", 0, keys),), digits=((0, keys),)))
        site.values_only = True
        picks = site.chosen = low.unit.temporary("paid")
        number = SetOf(Number(0, keys))
        low.let(picks, ir.Sequence((), type=number), number)
        so_far = ir.Local(picks, type=number)
        question, answer = open_question(low)
        problem = (payment.number, player, amounts, among, so_far)
        low.add(ir.PayOptions(*problem, low.refusal("cannot pay", stmt), span=stmt.span, cites=stmt.cites))
        if id(stmt) in low.unit.analysis.trials:
            site.trial, site.trial_branches = FOLLOWING, (0,)
            add_payment_filter(low, site, stmt, player)
        ask(low, site, player, answer, picked=so_far)
        low.open(answer)
        finished = low.segment()
        low.add(ir.If(ir.Answered("pass"), [ir.Goto(finished.number)]))
        low.let(picks, ir.Append(so_far, ir.Picked(site.number, 0, 0, type=INDEX), type=number), number)
        low.add(ir.Goto(question.number, backward=True))
        low.open(finished)
        kept = before_change(low, low.unit.analysis.change_hooks(stmt))
        # What each source pays is worked out before anything moves: a card that has gone to the discard pile is no
        # longer in the hand that the next cost is counted in.
        going = [
            (source, low.temporary("going", ir.Paid(*problem, number, position, type=SetOf(INDEX)), SetOf(INDEX)))
            for number, cost in enumerate(stmt.costs)
            for position, source in enumerate(sources_of(cost))
            if source.place is not None
        ]
        low.add(ir.Settle(*problem, low.x.maybe(stmt.to), span=stmt.span))
        for source, pieces in going:
            self._hand_back(low, stmt, source, pieces)
        after_change(low, kept)

    def _hand_back(self, low: Lowering, stmt: core.Pay, source: core.CurrencySourceDecl, pieces: Op) -> None:
        """Moves what was paid to where its source says, like any other move."""
        currency = next(c for cost in stmt.costs if (c := cost.currency) is not None and source in c.sources)
        assert isinstance(source.place, core.PlaceRef)
        back: core.Expr = core.Box(source.place.type, stmt.span)
        if source.back_to is not None:
            back = substitute(source.back_to, {currency.player: stmt.player})
        put_all(low, stmt, pieces, Piece(source.place.place.kinds), core.Destination(back, None, None, None))

    def _kept_among(self, low: Lowering, stmt: core.Pay, cost: core.CostDecl) -> Op:
        """What `_among` gives, kept in a local: picks must not change it."""
        among = self._among(low.x, stmt.player, cost)
        if cost.currency is None:
            return low.temporary("a", among, INDEX)
        return among if cost.among is None else low.temporary("among", ir.All("e_", among, type=SetOf(INDEX)))

    # ------------------------------------------------------------------ expressions

    def can_pay(self, x: ExpressionLowering, player: core.Expr, costs: tuple[core.CostDecl, ...]) -> Op:
        if not any(is_choice(cost) for cost in costs):
            return reduce(ir.And, [self._held(x, player, cost) for cost in costs])
        payment = self.payment(costs)
        amounts = tuple(x.lower(cost.amount) for cost in costs)
        among = tuple(self._among(x, player, cost) for cost in costs)
        return ir.CanPay(payment.number, x.lower(player), amounts, among)

    def _among(self, x: ExpressionLowering, player: core.Expr, cost: core.CostDecl) -> Op:
        """The values of `among`; for a counter that the cost names, its offset."""
        if cost.currency is None:
            assert cost.field is not None
            return x.field_address(cost.field, player, cost.indexes)
        return x.set_of(cost.among) if cost.among is not None else ir.Sequence((), type=SetOf(INDEX))

    def _held(self, x: ExpressionLowering, player: core.Expr, cost: core.CostDecl) -> Op:
        counter = self._field(cost)
        there = held(counter, x.field_address(counter, player, cost.indexes))
        return suffices(counter, there, x.lower(cost.amount))

    # ------------------------------------------------------------------ what the payer holds

    def payment(self, costs: tuple[core.CostDecl, ...]) -> Payment:
        paid = tuple(ir.PayCost(cost.pattern, self._sources(cost), self._values(cost)) for cost in costs)
        made = Payment(len(self.made), paid)
        self.made.append(made)
        return made

    def _values(self, cost: core.CostDecl) -> int:
        """How many different values there are by which the units of this cost are told apart."""
        return len(
            {
                value
                for source in sources_of(cost)
                if source.by is not None
                for value in source.by.values
                if not (isinstance(source.by.type, Maybe) and value == none_of(source.by.type))
            }
        )

    def _sources(self, cost: core.CostDecl) -> tuple[PaySource, ...]:
        if cost.currency is None:
            assert cost.field is not None
            counter = self._counter(cost.field)
            return (PaySource(self._field_key(cost.field), None, None, None, False, None, counter),)
        return tuple(self._source(cost.currency, source) for source in sources_of(cost))

    def _counter(self, counter: core.FieldDecl) -> ir.PayCounter:
        low, high = bounds(counter)
        stride = self.unit.layout.fields[counter].strides[0]
        return ir.PayCounter(stride, low or 0, high or 0, counter.capped, counter.name)

    def _source(self, currency: core.CurrencyDecl, source: core.CurrencySourceDecl) -> PaySource:
        x = ExpressionLowering(self.unit)
        player = core.LocalVar(Player(), NOWHERE, core.LocalDecl(0, "player", Player()))
        me: dict[core.LocalDecl, core.Expr] = {currency.player: player}
        when = x.lower(substitute(source.when, me)) if source.when is not None else None
        if source.field is not None:
            address = x.field_address(source.field, player, ())
            key, counter = self._field_key(source.field), self._counter(source.field)
            return PaySource(key, address, None, None, source.as_any, when, counter)
        assert source.place is not None
        contents = x.set_of(substitute(source.place, me))
        by = self.unit.table(source.by) if source.by is not None else None
        wild = none_of(source.by.type) if source.by is not None and isinstance(source.by.type, Maybe) else None
        return PaySource(-1, None, contents, by, source.as_any, when, None, wild)

    def _field_key(self, counter: core.FieldDecl) -> int:
        return len(self.unit.program.rows) + self.unit.program.fields.index(counter)
