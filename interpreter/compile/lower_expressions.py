"""Expressions as operations, all of them: on top of atoms and sets the calls.

What is decided here: which values are small enough to be written out in place of their call, and what of a call is
known beforehand.
"""

from __future__ import annotations

from dataclasses import replace

from ..check import program as core
from ..check.value_types import Number, Player, VType, bare
from ..check.walk import walk
from ..diagnostics.source import Span
from . import ir
from .ir import FLAG, INDEX, Op
from .lower_sets import SetLowering
from .substitute import is_simple, substitute
from .told import told

SMALL = 60  # nodes of a value that is written out in place of its call


class ExpressionLowering(SetLowering):
    """Lowers expressions of one routine. `previous` is the routine that `previous` means in an instead hook."""

    def _value_call(self, expr: core.ValueCall) -> Op:
        rule = expr.rule
        if (
            rule.expression is not None
            and not rule.instead
            and all(is_simple(arg) for arg in expr.args)
            and self._inlining < 6
        ):
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


def size_of(expr: core.Expr) -> int:
    return sum(1 for _ in walk(expr))


def _within(inner: VType, outer: VType) -> bool:
    a, b = bare(inner), bare(outer)
    if isinstance(a, Number) and isinstance(b, Number):
        return b.low <= a.low and a.high <= b.high
    return True
