"""Sets and calls as operations: what is gathered, counted and compared, values, `can`, payments.

What is decided here: which values are small enough to be written out in place of their call, and what of a call is
known beforehand.
"""

from __future__ import annotations

from dataclasses import replace

from ..check import program as core
from ..check.value_types import Number, Player, SetOf, VType, bare, none_of
from ..diagnostics.source import Span
from . import ir
from .ir import FLAG, INDEX, Op
from .lower_atoms import AtomLowering, join_item
from .substitute import is_simple, substitute
from .told import told

SMALL = 60  # nodes of a value that is written out in place of its call


class ExpressionLowering(AtomLowering):
    """Lowers every expression of one routine."""

    # ------------------------------------------------------------------ sets

    def _quantified(self, expr: core.Quantified) -> Op:
        local, source, where = self.source(expr.binder)
        has = self.lower(expr.has)
        if expr.which == "some":
            return ir.Some(local, source, where, has, span=expr.span)
        assert expr.which == "every", expr.which
        return ir.Every(local, source, where, has, span=expr.span)

    def _selected(self, expr: core.Selected) -> Op:
        at = self._in_place(expr)
        if at is not None:
            return at
        local, source, where = self.source(expr.binder)
        of = SetOf(expr.binder.local.type)
        if expr.best is not None and expr.measure is not None:
            measure = self.lower(expr.measure)
            found: Op = ir.Best(local, source, where, expr.best, measure, type=of, span=expr.span)
        elif expr.which == "first":
            return self.somebody(ir.First(local, source, where, type=expr.type, span=expr.span))
        else:
            found = ir.All(local, source, where, type=of, span=expr.span)
        if expr.which == "all":
            return found
        if expr.which == "the":
            return ir.The(found, type=expr.type, span=expr.span)
        return ir.End(found, "first", type=expr.type, span=expr.span)

    def _in_place(self, expr: core.Selected) -> Op | None:
        """`column[3]`: the third piece of a pile is taken from there, and not searched for. Any other set is gone over:
        it would be worked out twice, once for how many there are and once for the element."""
        where, over = expr.binder.where, expr.binder.source
        if expr.which != "first" or not (isinstance(where, core.Compare) and where.op == "=="):
            return None
        match where.left:
            case core.Builtin(name="position", args=(core.LocalVar(local=one), within)):
                if one is not expr.binder.local or within is not over:
                    return None
            case _:
                return None
        held = self.set_of(over)
        if not isinstance(held, ir.Contents) or getattr(held.address, "optional", False):
            return None
        at, one_less = self.lower(where.right), ir.Const(1, type=INDEX)
        is_there = ir.And(
            ir.Compare("<", ir.Const(0, type=INDEX), at, span=expr.span),
            ir.Compare("<=", at, ir.Count(held, type=INDEX, span=expr.span), span=expr.span),
            span=expr.span,
        )
        found = ir.Element(
            held, ir.Arithmetic("-", at, one_less, type=INDEX), type=expr.binder.local.type, span=expr.span
        )
        return ir.Conditional(
            is_there, found, ir.Const(none_of(expr.type), type=expr.type), type=expr.type, span=expr.span
        )

    def _count_of(self, expr: core.CountOf) -> Op:
        return ir.Count(self.set_of(expr.of), type=expr.type, span=expr.span)

    def _count_where(self, expr: core.CountWhere) -> Op:
        local, source, where = self.source(expr.binder)
        if where is None:
            return ir.Count(source, type=expr.type, span=expr.span)
        return ir.CountWhere(local, source, where, type=expr.type, span=expr.span)

    def _sum_of(self, expr: core.SumOf) -> Op:
        local, source, where = self.source(expr.binder)
        return ir.SumOf(local, source, where, self.lower(expr.value), type=expr.type, span=expr.span)

    def _list_of(self, expr: core.ListOf) -> Op:
        local, source, where = self.source(expr.binder)
        if where is not None:
            source = ir.All(local, source, where, type=source.type, span=expr.span)
        return ir.Listed(local, source, self.lower(expr.value), type=expr.type, span=expr.span)

    def _fingerprint(self, expr: core.Fingerprint) -> Op:
        return ir.Fingerprint(self.lower_all(expr.parts), expr.prime, type=expr.type, span=expr.span)

    def _extreme_of(self, expr: core.ExtremeOf) -> Op:
        local, source, where = self.source(expr.binder)
        otherwise = self.maybe(expr.otherwise)
        value = self.lower(expr.value)
        found = ir.ExtremeOf(expr.which, local, source, where, value, otherwise, type=expr.type, span=expr.span)
        if otherwise is not None:
            return found
        first = self.somebody(ir.End(source, "first", type=expr.binder.local.type, span=expr.span))
        if not isinstance(first, ir.Somebody):
            return found
        is_there = ir.Compare(">=", first, ir.Const(0, type=first.type), span=expr.span)
        return ir.Conditional(is_there, found, ir.Const(0, type=expr.type), type=expr.type, span=expr.span)

    def _extreme(self, expr: core.Extreme) -> Op:
        return ir.Extreme(expr.which, self.lower_all(expr.items), type=expr.type, span=expr.span)

    def _number_range(self, expr: core.NumberRange) -> Op:
        return ir.Range(self.lower(expr.low), self.lower(expr.high), type=expr.type, span=expr.span)

    def _set_list(self, expr: core.SetList) -> Op:
        items: list[ir.JoinItem] = []
        for item in expr.items:
            is_set = isinstance(item, core.PlaceRef | core.Box | core.DiceGroup) or isinstance(bare(item.type), SetOf)
            items.append(ir.JoinItem(self.set_of(item), True) if is_set else join_item(item, self.lower(item)))
        if expr.repeats:
            return ir.Concatenate(tuple(items), type=expr.type, span=expr.span)
        return ir.Join(tuple(items), type=expr.type, span=expr.span)

    def _without(self, expr: core.Without) -> Op:
        is_set = isinstance(bare(expr.left_out.type), SetOf) or isinstance(expr.left_out, core.PlaceRef)
        left_out = self.set_of(expr.left_out) if is_set else self.lower(expr.left_out)
        return ir.Without(self.set_of(expr.source), left_out, is_set, type=expr.type, span=expr.span)

    def _up_to(self, expr: core.UpTo) -> Op:
        local, stop = self.unit.local_name(expr.binder.local), expr.binder.where
        assert stop is not None
        return ir.UpTo(local, self.set_of(expr.binder.source), self.lower(stop), type=expr.type, span=expr.span)

    def _starting_with(self, expr: core.StartingWith) -> Op:
        return ir.TurnedTo(self.set_of(expr.source), self.lower(expr.first), type=expr.type, span=expr.span)

    def _following(self, expr: core.Following) -> Op:
        return ir.Following(self.set_of(expr.source), self.lower(expr.first), type=expr.type, span=expr.span)

    def _all_of(self, expr: core.AllOf) -> Op:
        return ir.Sequence(expr.domain, type=expr.type, span=expr.span)

    def _players(self, expr: core.Players) -> Op:
        if expr.which == "everybody":
            return ir.Sequence(tuple(range(self.unit.program.players)), type=expr.type, span=expr.span)
        if expr.which == "nobody":
            return ir.Sequence((), type=expr.type, span=expr.span)
        seats = self.unit.players()
        if expr.which == "rivals":
            assert expr.of is not None
            return ir.Without(seats, self.lower(expr.of), False, type=expr.type, span=expr.span)
        return seats

    # ------------------------------------------------------------------ calls

    def _value_call(self, expr: core.ValueCall) -> Op:
        rule = expr.rule
        if (
            rule.expression is not None
            and not rule.instead
            and all(is_simple(arg) for arg in expr.args)
            # Each level may multiply the size by the number of calls in it, so values that call values are written out
            # only so far.
            and self._inlining < 6
        ):
            # A result that may be out of range has to be tested, and that stands in the routine of the value.
            fits = rule.result is None or _within(rule.expression.type, rule.result)
            if fits and self.unit.size_of(rule) <= SMALL:
                self._inlining += 1
                body = substitute(rule.expression, dict(zip(rule.params, expr.args, strict=True)))
                lowered = self.lower(body)
                self._inlining -= 1
                return replace(lowered, type=expr.type, span=expr.span)
        self.unit.need_value(rule)
        name = self.unit.value_name(rule)
        return ir.CallValue(name, self.lower_all(expr.args), type=expr.type, span=expr.span)

    def _formula_call(self, expr: core.FormulaCall) -> Op:
        return ir.Formula(self.lower(expr.cell), self.lower(expr.player), type=expr.type, span=expr.span)

    def _previous(self, expr: core.Previous) -> Op:
        assert self.previous is not None
        args = self.own_args if expr.args is None else self.lower_all(expr.args)
        return ir.CallValue(self.previous, args, type=expr.type, span=expr.span)

    def _can_call(self, expr: core.CanCall) -> Op:
        return self.can_call(expr.rule, self.lower_all(expr.args), expr.span)

    def can_call(self, rule: core.RuleDecl, args: tuple[Op, ...], span: Span) -> Op:
        """Whether a call can be carried through: by the foreseen answer as far as it is sure, otherwise by trial."""
        foreseen = self.unit.foresee(rule)
        if foreseen is not None and not foreseen.name:
            return ir.Const(1, type=FLAG, span=span)
        if foreseen is not None and foreseen.exact:
            return ir.CallValue(foreseen.name, args, type=FLAG, span=span)
        known = foreseen.name if foreseen is not None else None
        return ir.CanCall(self.unit.routine_name(rule), args, self.chooser(rule, args), known, span=span)

    def chooser(self, rule: core.RuleDecl, args: tuple[Op, ...]) -> Op | None:
        """The player whose decisions a trial of this call goes through: the first player among its arguments."""
        for param, arg in zip(rule.params, args, strict=True):
            if isinstance(param.type, Player):
                return arg
        return None

    def _can_perform(self, expr: core.CanPerform) -> Op:
        return ir.CanPerform(self.lower(expr.cell), self.lower(expr.player), span=expr.span)

    def _can_pay(self, expr: core.CanPay) -> Op:
        return self.unit.payments.can_pay(self, expr.player, expr.costs)

    def _builtin(self, expr: core.Builtin) -> Op:
        args = expr.args
        match expr.name:
            case "next":
                return self._next(self.lower(args[0]), expr)
            case "rival":
                return ir.Arithmetic(
                    "-", ir.Const(1, type=Player()), self.lower(args[0]), type=expr.type, span=expr.span
                )
            case "seat":
                return ir.Arithmetic("-", self.lower(args[0]), ir.Const(1, type=INDEX), type=expr.type, span=expr.span)
            case "abs":
                return ir.Unary("absolute", self.lower(args[0]), type=expr.type, span=expr.span)
            case "sign":
                return ir.Unary("sign", self.lower(args[0]), type=expr.type, span=expr.span)
            case "at" | "holder" | "under":
                return ir.WhereIs(expr.name, self.lower(args[0]), type=expr.type, span=expr.span)
            case "position":
                return ir.Position(self.set_of(args[1]), self.lower(args[0]), type=expr.type, span=expr.span)
            case "public":
                value = self.lower(args[0])
                return ir.Public(value, *told(self.unit, value), type=expr.type, span=expr.span)
            case "score":
                return ir.Score(self.lower(args[0]), type=expr.type, span=expr.span)
        raise AssertionError(expr.name)

    def _next(self, player: Op, expr: core.Builtin) -> Op:
        if self.unit.seats_may_drop:
            return ir.NextSeat(player, type=expr.type, span=expr.span)
        count = self.unit.program.players
        if count == 2:
            return ir.Arithmetic("-", ir.Const(1, type=Player()), player, type=expr.type, span=expr.span)
        one_more = ir.Arithmetic("+", player, ir.Const(1, type=INDEX), type=INDEX)
        return ir.Arithmetic("%", one_more, ir.Const(count, type=INDEX), type=expr.type, span=expr.span)


def _within(inner: VType, outer: VType) -> bool:
    a, b = bare(inner), bare(outer)
    if isinstance(a, Number) and isinstance(b, Number):
        return b.low <= a.low and a.high <= b.high
    return True
