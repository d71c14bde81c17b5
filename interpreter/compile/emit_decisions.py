"""Decisions as Python statements: the options of a question, what becomes of those that cannot be carried through."""

from __future__ import annotations

from . import ir
from .emit_instructions import InstructionEmitter
from .ir import instructions


class DecisionEmitter(InstructionEmitter):
    def _ask(self, ins: ir.Ask, framed: bool) -> None:
        made = self.unit.sites[ins.site]
        who = self.x.text(ins.player)
        free = self.has_free and (made.in_phase or any(rule.inside_actions for rule in self.unit.program.free_actions))
        if made.kind == "pause":
            self.line("if TRIAL: raise Carried")
        if made.kind == "may" and not free:
            answered = next(s for s in self.routine.segments if s.number == self.segment.number + 1)
            self.line("if len(o) == 1 and o[0] is None:  # nothing but passing: nobody is asked")
            with self.writer.indented():
                self.line(f"if TRACK: not_asked(S, {ins.site}, {who})")
                self.line("S.pick = None")
                self.line(f"F[0] = {answered.number}")
                self.line(f"return {self._segment_name(self.routine, answered)}(S, F)")
        elif free and not ins.if_possible and made.kind in ("choose", "one", "may", "pause"):
            self._ask_with_free(ins.site, who, made.kind == "may")
            return
        elif ins.if_possible or free or made.kind in ("may", "set", "pay", "order"):
            so_far = f", {self.x.text(ins.picked)}" if ins.picked is not None else ""
            self.line(f"return ask(S, F, {ins.site}, {who}, o, {ins.if_possible}{so_far})", ins.span)
            return
        self.line(f"S.site = {ins.site}", ins.span)
        self.line(f"S.who = {who}", ins.span)
        self.line("S.opts = o")
        self.line("return 1")

    def _ask_with_free(self, site: int, who: str, may_pass: bool) -> None:
        """Free actions come last among the options; what says that none is possible is asked at once."""
        guard, known = self._free_guard(who)
        self.line(f"if o and not TRIAL{guard}: o = with_free_actions(S, {site}, {who}, o{known})")
        if may_pass:
            answered = next(s for s in self.routine.segments if s.number == self.segment.number + 1)
            self.line("if len(o) == 1 and o[0] is None:")
            with self.writer.indented():
                self.line(f"if TRACK: not_asked(S, {site}, {who})")
                self.line("S.pick = None")
                self.line(f"F[0] = {answered.number}")
                self.line(f"return {self._segment_name(self.routine, answered)}(S, F)")
        self.line(f"S.site = {site}")
        self.line(f"S.who = {who}")
        self.line("S.opts = o")
        self.line("return 1")

    def _free_guard(self, who: str) -> tuple[str, str]:
        """What must not say no of every free action; of a single one, what it says is handed on."""
        names = []
        for rule in self.unit.program.free_actions:
            name = self.unit.foreseen_entries.get(rule)
            if not name or len(rule.params) > 1:
                return "", ""
            names.append(name)
        if len(names) == 1:
            return f" and (r := {names[0]}(S, {who})) is not False", ", r"
        return f" and ({' or '.join(f'{name}(S, {who}) is not False' for name in names)})", ""

    def _begin_options(self, ins: ir.BeginOptions, framed: bool) -> None:
        self.line("o = []")

    def _option(self, ins: ir.Option, framed: bool) -> None:
        if ins.branch is None:
            self.line(f"o.append({ins.names[0]})")
        else:
            comma = "" if ins.names else ","
            self.line(f"o.append(({', '.join([str(ins.branch), *ins.names])}{comma}))")

    def _once(self, ins: ir.Once, framed: bool) -> None:
        """A piece that is also bound beside (a twin) is never left out, and stands for no other."""
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

    def _option_if(self, ins: ir.OptionIf, framed: bool) -> None:
        text = ins.names[0] if ins.branch is None else f"({', '.join([str(ins.branch), *ins.names])},)"
        if isinstance(ins.answer, ir.Unsure):
            self.line(f"o.append({text})", ins.span)
            self.line(f"u.append({text})")
            return
        self.line(f"r = TRIAL or {self.x.text(ins.answer)}", ins.span)
        self.line(f"if r: o.append({text})")
        self.line("elif r is None:")
        with self.writer.indented():
            self.line(f"o.append({text})")
            self.line(f"u.append({text})")

    def _try_unsure(self, ins: ir.TryUnsure, framed: bool) -> None:
        listed = "u" if ins.listed else "()"
        needed = "not TRIAL" if ins.callers else "u and not TRIAL"
        player = self.x.text(ins.player)
        self.line(f"if {needed}: o = tried_options(S, {ins.site}, {player}, o, {listed})", ins.span)

    def _filter(self, ins: ir.Filter, framed: bool) -> None:
        test = self._test(ins.site, ins.tests) if ins.tests else "None"
        self.line(f"if not TRIAL: o = carried_options(S, F, {ins.site}, {self.x.text(ins.player)}, o, {test})")

    def _test(self, site: int, tests: tuple[ir.OptionTest, ...]) -> str:
        """A function of an option: whether it can be carried through; None where only a trial can tell."""
        made = self.unit.sites[site]
        if made.values_only:
            [test] = tests
            if test.so_far is not None:
                return self._set_test(test, self.x.text(test.so_far))
            return f"lambda x_: {self._tested(test, True)}"
        text = "None"
        for test in reversed(tests):
            if test.branch >= 0:
                text = f"{self._tested(test, False)} if x_[0] == {test.branch} else {text}"
        if made.may_pass:
            passes = any(test.branch < 0 for test in tests)
            text = f"{True if passes else None} if x_ is None else {text}"
        return f"lambda x_: {text}"

    def _set_test(self, test: ir.OptionTest, picked: str) -> str:
        """Tests the set with and without this pick. A larger set may pass where this one does not, unless its price
        grows with every pick."""
        ended, longer = (self._tested(test, True, chosen) for chosen in (picked, f"{picked} + (x_,)"))
        return f"lambda x_: {ended} if x_ is None else {longer}{'' if test.grows else ' or None'}"

    def _tested(self, test: ir.OptionTest, is_value: bool, chosen: str = "") -> str:
        if not test.routine:
            return "True"
        self.x.is_value, self.x.chosen = is_value, chosen
        return self.x.called(test.routine, test.args)

    def _borrow(self, ins: ir.Borrow, framed: bool) -> None:
        where, less = self.x.index(ins.address), self.x.text(ins.amount)
        self.line(f"f[{where}] -= {less}", ins.span)
        self.line("try:")
        self._inner(ins.body, framed)
        self.line("finally:")
        with self.writer.indented():
            self.line(f"f[{where}] += {less}")

    def _pass_option(self, ins: ir.PassOption, framed: bool) -> None:
        self.line("o.append(None)")

    def _if_no_option(self, ins: ir.IfNoOption, framed: bool) -> None:
        otherwise = any(isinstance(inner, ir.Option) for _, _, inner in instructions(ins.body))
        if otherwise:
            self.line("if TRIAL and S.pick is NOTHING_ELSE: o, S.pick = [], None")
        self.line("if not o:")
        self._inner(ins.body, framed)

    def _set_options(self, ins: ir.SetOptions, framed: bool) -> None:
        such = f"lambda {ins.chosen}: {self.x.text(ins.such_that)}" if ins.such_that is not None else "None"
        bounds = f"{self.x.text(ins.low) if ins.low is not None else 0}, {self.x.maybe(ins.high)}"
        sets = f"{self.x.text(ins.candidates)}, {self.x.text(ins.picked)}"
        self.line(f"o = set_options(S, {sets}, {bounds}, {such}, {ins.how!r})", ins.span)

    def _pay_options(self, ins: ir.PayOptions, framed: bool) -> None:
        problem = self.x.payment(ins)
        refused = self._refusal("cannot pay", ins)
        self.line(f"o = payment_options({problem}, {self.x.text(ins.picks)}, {refused})", ins.span)

    def _settle(self, ins: ir.Settle, framed: bool) -> None:
        problem = self.x.payment(ins)
        receiver = self.x.maybe(ins.to)
        self.line(f"settle(S, {problem}, {self.x.text(ins.picks)}, {self.x.text(ins.player)}, {receiver})", ins.span)
