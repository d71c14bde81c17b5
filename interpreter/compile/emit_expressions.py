"""Operations as Python expressions, all of them: on top of atoms, sets and maps the calls, and what was answered."""

from __future__ import annotations

from math import prod

from . import ir
from .emit_maps import MapEmitter
from .ir import Op, Site
from .layout import Layout
from .meta import PASS, SKIP


class ExpressionEmitter(MapEmitter):
    """`sites` say how options are numbered; `chosen` is the text of a set with the option that is tested."""

    def __init__(self, layout: Layout, players: int, sites: list[Site]) -> None:
        super().__init__(layout, players)
        self.sites = sites
        self.chosen = ""

    def _call_value(self, op: ir.CallValue) -> str:
        return self.called(op.routine, op.args)

    def _on_trial(self, op: ir.OnTrial) -> str:
        raise AssertionError("which way it is, is settled before anything is printed")

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

    def _public(self, op: ir.Public) -> str:
        return f"told(S, {op.told}, {self.sequence_of(op.args)}, {self.text(op.of)})"

    # ------------------------------------------------------------------ what was answered

    def _picked(self, op: ir.Picked) -> str:
        return self.value_in("S.pick", op.site, op.branch, op.position)

    def _answered(self, op: ir.Answered) -> str:
        return f"(S.pick == {PASS if op.what == 'pass' else SKIP})"

    def option(self, site: int, branch: int, names: tuple[str, ...]) -> str:
        """The number of an option with the values of these locals."""
        text, parts = "", self.sites[site].branches[branch].digits
        for name, (lowest, count) in zip(names, parts, strict=True):
            digit = name if lowest == 0 else f"({name} + {-lowest})"
            text = f"{f'({text})' if ' + ' in text else text} * {count} + {digit}" if text else digit
        first = self.sites[site].first(branch)
        if not text:
            return str(first)
        return f"{first} + {text}" if first else text

    def value_in(self, option: str, site: int, branch: int, position: int) -> str:
        """The value at that position of an option of the branch."""
        digits, first = self.sites[site].branches[branch].digits, self.sites[site].first(branch)
        lowest, count = digits[position]
        behind = prod(count for _, count in digits[position + 1 :])
        text = f"({option} - {first})" if first else option
        if behind > 1:
            text = f"{text} // {behind}"
        if position > 0:
            text = f"{text} % {count}"
        if lowest:
            text = f"{text} - {-lowest}"
        return text if text == option else f"({text})" if not text.startswith("(") or text[-1] != ")" else text

    def in_branch(self, option: str, site: int, branch: int) -> str:
        """A condition: the option is one of the branch. Passing and free actions have been looked at before."""
        made = self.sites[site]
        first, behind = made.first(branch), made.first(branch + 1)
        if behind - first == 1:
            return f"{option} == {first}"
        return f"{first} <= {option} < {behind}" if first else f"{option} < {behind}"

    def _is_branch(self, op: ir.IsBranch) -> str:
        return f"({self.in_branch('S.pick', op.site, op.branch)})"

    def _option_value(self, op: ir.OptionValue) -> str:
        return self.value_in("x_", op.site, op.branch, op.position)

    def _chosen_set(self, op: ir.ChosenSet) -> str:
        return self.chosen
