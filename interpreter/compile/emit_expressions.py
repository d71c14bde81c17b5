"""Operations as Python expressions, all of them: on top of atoms, sets and maps the calls, and what was answered."""

from __future__ import annotations

from . import ir
from .emit_maps import MapEmitter
from .ir import Op
from .layout import Layout


class ExpressionEmitter(MapEmitter):
    """`is_value` and `chosen` say how a test of an option names what it tests: whether the option `x_` is a bare value
    or has a branch before its values, and the text of the set with it.
    """

    def __init__(self, layout: Layout, players: int) -> None:
        super().__init__(layout, players)
        self.is_value = False
        self.chosen = ""

    def _call_value(self, op: ir.CallValue) -> str:
        return self.called(op.routine, op.args)

    def _formula(self, op: ir.Formula) -> str:
        return f"formula(S, {self.text(op.cell)}, {self.text(op.player)})"

    def _on_trial(self, op: ir.OnTrial) -> str:
        raise AssertionError("which way it is, is settled before anything is printed")

    def _unsure(self, op: ir.Unsure) -> str:
        return "None"

    def _is_unsure(self, op: ir.IsUnsure) -> str:
        return f"({self.text(op.answer)} is None)"

    def _can_call(self, op: ir.CanCall) -> str:
        inner = ", ".join(self.text(arg) for arg in op.args) + ("," if op.args else "")
        return f"can_call(S, {op.routine!r}, ({inner}), {self.maybe(op.player)}, {op.known})"

    def maybe(self, op: Op | None) -> str:
        """The text of an operation that may be missing."""
        return self.text(op) if op is not None else "None"

    def _can_perform(self, op: ir.CanPerform) -> str:
        return f"can_perform(S, {self.text(op.cell)}, {self.text(op.player)}, {self.given(op.given)})"

    def given(self, given: tuple[ir.Given, ...]) -> str:
        inner = ", ".join(f"({one.name!r}, {self.text(one.value)})" for one in given)
        return f"({inner},)" if given else "()"

    def payment(self, of: ir.CanPay | ir.Paid | ir.PayOptions | ir.Settle) -> str:
        """What is to be paid, by whom, from what."""
        player = self.text(of.player)
        return f"payment_{of.payment}(S, {player}, {self.sequence_of(of.amounts)}, {self.sequence_of(of.among)})"

    def _can_pay(self, op: ir.CanPay) -> str:
        return f"payable({self.payment(op)}, ())"

    def _paid(self, op: ir.Paid) -> str:
        return f"paid({self.payment(op)}, {self.text(op.picks)}, {op.cost}, {op.source})"

    def _rebased(self, op: ir.Rebased) -> str:
        now = f"place_counts(S, {op.base}, {op.size})"
        return f"rebased({self.text(op.snapshot)}, {self.text(op.before)}, {now})"

    def _where_is(self, op: ir.WhereIs) -> str:
        return f"{op.what}_of(S, {self.text(op.piece)})"

    def _public(self, op: ir.Public) -> str:
        return f"told(S, {op.told}, {self.sequence_of(op.args)}, {self.text(op.of)})"

    def _score(self, op: ir.Score) -> str:
        return f"score_of(S, {self.text(op.player)})"

    # ------------------------------------------------------------------ what was answered

    def _result(self, op: ir.Result) -> str:
        return "S.r"

    def _picked(self, op: ir.Picked) -> str:
        return "S.pick" if op.position is None else f"S.pick[{op.position}]"

    def _answered(self, op: ir.Answered) -> str:
        return "(S.pick is None)" if op.what == "pass" else "(S.pick is SKIPPED)"

    def _has_option(self, op: ir.HasOption) -> str:
        return "o"

    def _one_option(self, op: ir.OneOption) -> str:
        return "(len(o) == 1)"

    def _only_pass(self, op: ir.OnlyPass) -> str:
        return "(len(o) == 1 and o[0] is None)"

    def _is_complete(self, op: ir.IsComplete) -> str:
        return "(o is None)"

    def _nothing_else(self, op: ir.NothingElse) -> str:
        return "(S.pick is NOTHING_ELSE)"

    def _is_branch(self, op: ir.IsBranch) -> str:
        return f"(S.pick[0] == {op.branch})"

    def _option_value(self, op: ir.OptionValue) -> str:
        return "x_" if self.is_value else f"x_[{op.position + 1}]"

    def _chosen_set(self, op: ir.ChosenSet) -> str:
        return self.chosen
