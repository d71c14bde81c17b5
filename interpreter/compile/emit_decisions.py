"""Decisions as Python statements: the options of a question, what becomes of those that cannot be carried through."""

from __future__ import annotations

from . import ir
from .emit_instructions import InstructionEmitter
from .meta import PASS, SKIP

UNASKED = {"pass": PASS, "skip": SKIP, "only": "o[0]"}  # answers that are given without asking


class DecisionEmitter(InstructionEmitter):
    def _ask(self, ins: ir.Ask, framed: bool) -> None:
        self.line(f"S.site = {ins.site}", ins.span)
        self.line(f"S.who = {self.x.text(ins.player)}", ins.span)
        self.line("S.opts = o")
        if ins.picked is not None:
            self.line(f"S.picked = {self.x.text(ins.picked)}")
        self.line("return 1")

    def _answer(self, ins: ir.Answer, framed: bool) -> None:
        self.line(f"S.pick = {UNASKED[ins.how]}", ins.span)

    def _note_unasked(self, ins: ir.NoteUnasked, framed: bool) -> None:
        so_far = self.x.text(ins.picked) if ins.picked is not None else "()"
        told = f"{ins.site}, {self.x.text(ins.player)}, {so_far}, {UNASKED[ins.how]}"
        self.line(f"not_asked(S, {told})", ins.span)

    def _free_actions(self, ins: ir.FreeActions, framed: bool) -> None:
        """If there is one free action, the answer that was foreseen for it is passed on, so that it is not asked
        twice."""
        who, known = self.x.text(ins.player), ""
        says = [f"{name}(S, {who})" for name in ins.asked_first]
        if len(says) == 1:
            says, known = [f"(r := {says[0]})"], ", r"
        test = " or ".join(f"{said} is not False" for said in says)
        self.line(f"{f'if {test}: ' if test else ''}o = with_free_actions(S, {ins.site}, {who}, o{known})", ins.span)

    def _begin_options(self, ins: ir.BeginOptions, framed: bool) -> None:
        self.line("o = []")

    def _offer_all(self, ins: ir.OfferAll, framed: bool) -> None:
        self.line(f"o = {self.x.text(ins.source)}", ins.span)

    def _option(self, ins: ir.Option, framed: bool) -> None:
        self.line(f"o.append({self.x.option(ins.site, ins.branch, ins.names)})")

    def _once(self, ins: ir.Once, framed: bool) -> None:
        """Skips a piece that is equal to one already offered. A piece that another binder of the same option has taken
        (a twin) is never skipped, and never makes others be skipped."""
        local, memory = ins.local, ins.memory
        other = "".join(f"{local} != {twin} and " for twin in ins.twins)
        if ins.how == "row":
            self.line(f"if {other}ROW[{local}] == {memory}: continue")
            unless_twin = f"if {other.removesuffix(' and ')}: " if ins.twins else ""
            self.line(f"{unless_twin}{memory} = ROW[{local}]")
        else:
            self.line(f"if {other}seen_equal(S, {local}, {memory}): continue")

    def _begin_unsure(self, ins: ir.BeginUnsure, framed: bool) -> None:
        self.line("u = []")

    def _unsure_option(self, ins: ir.UnsureOption, framed: bool) -> None:
        text = self.x.option(ins.site, ins.branch, ins.names)
        self.line(f"o.append({text})", ins.span)
        self.line(f"u.append({text})")

    def _if_answer(self, ins: ir.IfAnswer, framed: bool) -> None:
        self.line(f"r = {self.x.text(ins.answer)}", ins.span)
        self.line("if r:")
        self._inner(ins.yes, framed)
        self.line("elif r is None:")
        self._inner(ins.unsure, framed)

    def _try_unsure(self, ins: ir.TryUnsure, framed: bool) -> None:
        listed = "u" if ins.listed else "()"
        needed = "" if ins.callers else "if u: "
        player = self.x.text(ins.player)
        self.line(f"{needed}o = tried_options(S, {ins.site}, {player}, o, {listed})", ins.span)

    def _filter(self, ins: ir.Filter, framed: bool) -> None:
        test = self._test(ins.site, ins.tests) if ins.tests else "None"
        self.line(f"o = carried_options(S, F, {ins.site}, {self.x.text(ins.player)}, o, {test})")

    def _test(self, site: int, tests: tuple[ir.OptionTest, ...]) -> str:
        """A Python lambda that says of an option whether it can be carried through; None if only a trial can tell."""
        made = self.unit.sites[site]
        if made.values_only:
            [test] = tests
            if test.so_far is not None:
                return self._set_test(site, test, self.x.text(test.so_far))
            return f"lambda x_: {self._tested(test)}"
        text = "None"
        for test in reversed(tests):
            if test.branch >= 0:
                text = f"{self._tested(test)} if {self.x.in_branch('x_', site, test.branch)} else {text}"
        if made.may_pass:
            passes = any(test.branch < 0 for test in tests)
            text = f"{True if passes else None} if x_ < 0 else {text}"
        return f"lambda x_: {text}"

    def _set_test(self, site: int, test: ir.OptionTest, picked: str) -> str:
        """Tests the set with and without this pick. A larger set may pass where this one does not, unless its price
        grows with every pick."""
        more = f"{picked} + ({self.x.value_in('x_', site, 0, 0)},)"
        ended, longer = (self._tested(test, chosen) for chosen in (picked, more))
        return f"lambda x_: {ended} if x_ < 0 else {longer}{'' if test.grows else ' or None'}"

    def _tested(self, test: ir.OptionTest, chosen: str = "") -> str:
        if not test.routine:
            return "True"
        self.x.chosen = chosen
        return self.x.called(test.routine, test.args)

    def _borrow(self, ins: ir.Borrow, framed: bool) -> None:
        where, less = self.x.index(ins.address), self.x.text(ins.amount)
        self.line(f"{self.x.f}[{where}] -= {less}", ins.span)
        self.line("try:")
        self._inner(ins.body, framed)
        self.line("finally:")
        with self.writer.indented():
            self.line(f"{self.x.f}[{where}] += {less}")

    def _pass_option(self, ins: ir.PassOption, framed: bool) -> None:
        self.line(f"o.append({PASS})")

    def _forget_options(self, ins: ir.ForgetOptions, framed: bool) -> None:
        self.line(f"o, S.pick = [], {PASS}")

    def _set_options(self, ins: ir.SetOptions, framed: bool) -> None:
        such = f"lambda {ins.chosen}: {self.x.text(ins.such_that)}" if ins.such_that is not None else "None"
        bounds = f"{self.x.text(ins.low) if ins.low is not None else 0}, {self.x.maybe(ins.high)}"
        sets = f"{self.x.text(ins.candidates)}, {self.x.text(ins.picked)}"
        lowest = self.unit.sites[ins.site].branches[0].digits[0][0]
        self.line(f"o = set_options(S, {sets}, {bounds}, {such}, {(ins.how or '')!r}, {lowest}, {ins.units})", ins.span)

    def _pay_options(self, ins: ir.PayOptions, framed: bool) -> None:
        problem = self.x.payment(ins)
        self.line(f"o = payment_options(S, {problem}, {self.x.text(ins.picks)}, {ins.refusal})", ins.span)

    def _settle(self, ins: ir.Settle, framed: bool) -> None:
        problem = self.x.payment(ins)
        receiver = self.x.maybe(ins.to)
        self.line(f"settle(S, {problem}, {self.x.text(ins.picks)}, {self.x.text(ins.player)}, {receiver})", ins.span)
