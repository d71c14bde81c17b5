"""Payments: plain counters are tested and taken; currencies with several sources are paid thing by thing.

A payment that can be made in several ways is a decision of the payer, pick by pick over the kinds of things that
may be paid. What can be paid, and whether the rest can still be met, is worked out by `runtime.payments` from what
the emitted `payment_N` routine says the payer holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..check import program as core
from ..check.value_types import Number, Player, SetOf, none_of
from .analysis import is_choice
from .ir import Ins, Op, SiteBranch
from .lower_expressions import FLAG, INDEX, ExpressionLowering
from .lower_loops import ZERO
from .unit import Unit

if TYPE_CHECKING:
    from .lower_statements import StatementLowering


@dataclass(eq=False)
class SourceUnit:
    """What one source of a currency offers: a counter (address) or pieces (contents, by, back)."""

    key: int
    address: Op | None
    contents: Op | None
    by: str | None
    as_any: bool
    back: Op | None
    back_how: str
    when: Op | None


@dataclass(eq=False)
class PaymentUnit:
    number: int
    player: str
    costs: list[tuple[str | None, list[SourceUnit]]]  # pattern, sources


@dataclass(eq=False)
class Payments:
    unit: Unit
    made: list[PaymentUnit] = field(default_factory=list)
    _found: dict[int, PaymentUnit] = field(default_factory=dict)

    # ------------------------------------------------------------------ statements

    def lower(self, low: StatementLowering, stmt: core.Pay) -> None:
        if any(is_choice(cost) for cost in stmt.costs):
            self._lower_choice(low, stmt)
            return
        fields = [(self._field(cost), cost) for cost in stmt.costs]
        for counter, cost in fields:
            amount = core.CounterAmount(cost.amount, counter, cost.indexes, False)
            low._require_held(stmt, stmt.player, amount)
        for counter, cost in fields:
            low._change_counter(stmt, stmt.player, core.CounterAmount(cost.amount, counter, cost.indexes, True), -1, False)
        if stmt.to is not None:
            for counter, cost in fields:
                low._change_counter(stmt, stmt.to, core.CounterAmount(cost.amount, counter, cost.indexes, False), 1, False)

    def _field(self, cost: core.CostDecl) -> core.FieldDecl:
        counter = cost.field if cost.currency is None else cost.currency.sources[0].field
        assert counter is not None
        return counter

    def _lower_choice(self, low: StatementLowering, stmt: core.Pay) -> None:
        from .lower_choices import ask, new_site, open_question

        payment = self.payment(stmt.costs)
        player = low.temporary("payer", low.x.lower(stmt.player), Player())
        amounts = tuple(low.temporary("n", low.x.lower(cost.amount), INDEX) for cost in stmt.costs)
        among = tuple(self._among(low, cost) for cost in stmt.costs)
        site = new_site(low, "pay", None, stmt)
        keys = len(self.unit.program.rows) + len(self.unit.program.fields)
        site.branches.append(SiteBranch(None, (), (("payable", 0, keys),)))
        site.values_only = True
        picks = low.unit.temporary("paid")
        number = SetOf(Number(0, keys))
        low.let(picks, Op("sequence", (), number), number)
        so_far = Op("local", (picks,), number)
        question, answer = open_question(low)
        low.add("pay_options", payment.number, player, amounts, among, so_far, span=stmt.span, cites=stmt.cites)
        if id(stmt) in low.unit.analysis.trials:
            site.trial, site.trial_branches = "what follows may be refused", (0,)
            low.add("filter", site.number, player)
        low.add("ask", site.number, player, False, so_far, span=stmt.span, cites=stmt.cites)
        low.open(answer)
        finished = low.segment()
        low.add("if", Op("answer", ("is_pass",), FLAG), blocks=([Ins("goto", (finished.number, False, False))], []))
        low.let(picks, Op("append", (so_far, Op("picked", (None,), INDEX)), number), number)
        low.add("goto", question.number, False, True)
        low.open(finished)
        to = low.x.maybe(stmt.to)
        low.add("settle", payment.number, player, amounts, among, so_far, to, span=stmt.span)

    def _among(self, low: StatementLowering, cost: core.CostDecl) -> Op:
        empty = Op("sequence", (), SetOf(INDEX))
        if cost.among is None:
            return empty
        return low.temporary("among", Op("all", ("e_", low.x.set_of(cost.among), None, None, None), SetOf(INDEX)))

    # ------------------------------------------------------------------ expressions

    def can_pay(self, x: ExpressionLowering, player: core.Expr, costs: tuple[core.CostDecl, ...]) -> Op:
        if not any(is_choice(cost) for cost in costs):
            tests = [self._held(x, player, cost) for cost in costs]
            result = tests[0]
            for test in tests[1:]:
                result = Op("and", (result, test), FLAG)
            return result
        payment = self.payment(costs)
        amounts = tuple(x.lower(cost.amount) for cost in costs)
        among = tuple(x.set_of(cost.among) if cost.among is not None else Op("sequence", (), SetOf(INDEX)) for cost in costs)
        return Op("can_pay", (payment.number, x.lower(player), amounts, among), FLAG)

    def _held(self, x: ExpressionLowering, player: core.Expr, cost: core.CostDecl) -> Op:
        from .lower_statements import bounds

        counter = self._field(cost)
        held = Op("field", (x.field_address(counter, player, cost.indexes), none_of(counter.type)), counter.type)
        left = Op("subtract", (held, x.lower(cost.amount)), INDEX)
        lowest = Op("const", (bounds(counter)[0] or 0,), INDEX) if bounds(counter)[0] else ZERO
        return Op("compare", (">=", left, lowest, None, None), FLAG)

    # ------------------------------------------------------------------ what the payer holds

    def payment(self, costs: tuple[core.CostDecl, ...]) -> PaymentUnit:
        made = PaymentUnit(len(self.made), "player_", [])
        self.made.append(made)
        for cost in costs:
            made.costs.append((cost.pattern, self._sources(cost)))
        return made

    def _sources(self, cost: core.CostDecl) -> list[SourceUnit]:
        player = core.LocalDecl(0, "player", Player())
        x = ExpressionLowering(self.unit)
        if cost.currency is None:
            assert cost.field is not None
            owner = core.LocalVar(Player(), core.NOWHERE, player)
            address = x.field_address(cost.field, owner, cost.indexes)
            return [SourceUnit(self._field_key(cost.field), address, None, None, False, None, "", None)]
        return [self._source(x, cost.currency, source, player) for source in cost.currency.sources]

    def _source(
        self, x: ExpressionLowering, currency: core.CurrencyDecl, source: core.CurrencySourceDecl, player: core.LocalDecl
    ) -> SourceUnit:
        from .lower_moves import _target
        from .substitute import substitute

        me: dict[core.LocalDecl, core.Expr] = {currency.player: core.LocalVar(Player(), core.NOWHERE, player)}
        when = x.lower(substitute(source.when, me)) if source.when is not None else None
        if source.field is not None:
            address = x.field_address(source.field, core.LocalVar(Player(), core.NOWHERE, player), ())
            return SourceUnit(self._field_key(source.field), address, None, None, source.as_any, None, "", when)
        assert source.place is not None
        contents = x.set_of(substitute(source.place, me))
        back: Op | None = None
        how = "box"
        if source.back_to is not None and isinstance(source.back_to, core.PlaceRef):
            holder = _JustExpressions(x)
            to = core.Destination(substitute(source.back_to, me), None, None, None)
            back, how, _ = _target(holder, to)  # type: ignore[arg-type]
        by = self.unit.table(source.by) if source.by is not None else None
        return SourceUnit(-1, None, contents, by, source.as_any, back, how, when)

    def _field_key(self, counter: core.FieldDecl) -> int:
        return len(self.unit.program.rows) + self.unit.program.fields.index(counter)


@dataclass
class _JustExpressions:
    x: ExpressionLowering
