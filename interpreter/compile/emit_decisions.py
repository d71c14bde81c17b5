"""Decisions as Python statements: the options of a question, what becomes of those that cannot be carried through."""

from __future__ import annotations

from typing import Any

from .emit_instructions import InstructionEmitter
from .ir import Ins, Op
from .tidy import instructions

Test = tuple[int, str, tuple[Any, ...]]  # a branch, what answers for it, with which arguments


class DecisionEmitter(InstructionEmitter):
    def _ask(self, ins: Ins, framed: bool, site: int, player: Op, if_possible: bool, picked: Op | None = None) -> None:
        made = self.unit.sites[site]
        who = self.x.text(player)
        free = self.has_free and (made.in_phase or any(rule.inside_actions for rule in self.unit.program.free_actions))
        if made.kind == "pause":
            self.line("if TRIAL: raise Carried")
        if made.kind == "may" and not free:
            answered = next(s for s in self.routine.segments if s.number == self.segment.number + 1)
            self.line("if len(o) == 1 and o[0] is None:  # nothing but passing: nobody is asked")
            with self.writer.indented():
                self.line("S.pick = None")
                self.line(f"F[0] = {answered.number}")
                self.line(f"return {self._segment_name(self.routine, answered)}(S, F)")
        elif free and not if_possible and made.kind in ("choose", "one", "may", "pause"):
            self._ask_with_free(site, who, made.kind == "may")
            return
        elif if_possible or free or made.kind in ("may", "set", "pay", "order"):
            so_far = f", {self.x.text(picked)}" if picked is not None else ""
            self.line(f"return ask(S, F, {site}, {who}, o, {if_possible}{so_far})", ins.span)
            return
        self.line(f"S.site = {site}", ins.span)
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

    def _begin_options(self, ins: Ins, framed: bool) -> None:
        self.line("o = []")

    def _option(self, ins: Ins, framed: bool, branch: int | None, names: tuple[str, ...]) -> None:
        if branch is None:
            self.line(f"o.append({names[0]})")
        else:
            self.line(
                f"o.append(({', '.join([str(branch), *names])},))"
                if not names
                else f"o.append(({', '.join([str(branch), *names])}))"
            )

    def _once(self, ins: Ins, framed: bool, local: str, memory: str, how: str, twins: tuple[str, ...]) -> None:
        """A piece that is also bound beside (a twin) is never left out, and stands for no other."""
        other = "".join(f"{local} != {twin} and " for twin in twins)
        if how == "row":
            self.line(f"if {other}ROW[{local}] == {memory}: continue")
            unless_twin = f"if {other.removesuffix(' and ')}: " if twins else ""
            self.line(f"{unless_twin}{memory} = ROW[{local}]")
        else:
            self.line(f"if {other}seen_equal(S, {local}, {memory}): continue")

    def _begin_unsure(self, ins: Ins, framed: bool) -> None:
        self.line("u = []")

    def _option_if(self, ins: Ins, framed: bool, answer: Op, branch: int | None, names: tuple[str, ...]) -> None:
        text = names[0] if branch is None else f"({', '.join([str(branch), *names])},)"
        if answer.op == "unsure":
            self.line(f"o.append({text})", ins.span)
            self.line(f"u.append({text})")
            return
        self.line(f"r = TRIAL or {self.x.text(answer)}", ins.span)
        self.line(f"if r: o.append({text})")
        self.line("elif r is None:")
        with self.writer.indented():
            self.line(f"o.append({text})")
            self.line(f"u.append({text})")

    def _try_unsure(self, ins: Ins, framed: bool, site: int, player: Op, unsure: bool, callers: bool) -> None:
        listed = "u" if unsure else "()"
        needed = "not TRIAL" if callers else "u and not TRIAL"
        self.line(f"if {needed}: o = tried_options(S, {site}, {self.x.text(player)}, o, {listed})", ins.span)

    def _filter(self, ins: Ins, framed: bool, site: int, player: Op, tests: tuple[Test, ...]) -> None:
        test = self._test(site, tests) if tests else "None"
        self.line(f"if not TRIAL: o = carried_options(S, F, {site}, {self.x.text(player)}, o, {test})")

    def _test(self, site: int, tests: tuple[Test, ...]) -> str:
        """A function of an option: whether it can be carried through; None where only a trial can tell."""
        made = self.unit.sites[site]
        if made.values_only:
            [(_, name, args)] = tests
            last = args[-1] if args else None
            if isinstance(last, tuple):
                return self._set_test(name, args[:-1], last[1], last[2])
            return f"lambda x_: {self._tested(name, args, made.values_only)}"
        text = "None"
        for branch, name, args in reversed(tests):
            if branch >= 0:
                text = f"{self._tested(name, args, False)} if x_[0] == {branch} else {text}"
        if made.may_pass:
            passes = any(branch < 0 for branch, _, _ in tests)
            text = f"{True if passes else None} if x_ is None else {text}"
        return f"lambda x_: {text}"

    def _set_test(self, name: str, args: tuple[Any, ...], so_far: Op, grows: bool) -> str:
        """With one more, or as it is. A larger set may do what this one does not, unless its price grows."""
        picked = self.x.text(so_far)
        ended, longer = (self._tested(name, args, True, chosen) for chosen in (picked, f"{picked} + (x_,)"))
        return f"lambda x_: {ended} if x_ is None else {longer}{'' if grows else ' or None'}"

    def _tested(self, name: str, args: tuple[Any, ...], is_value: bool, chosen: str = "") -> str:
        if not name:
            return "True"
        texts = []
        for arg in args:
            if isinstance(arg, int):
                texts.append("x_" if is_value else f"x_[{arg + 1}]")
            else:
                texts.append(chosen if arg == "chosen" else self.x.text(arg))
        return f"{name}({', '.join(['S', *texts])})"

    def _borrow(self, ins: Ins, framed: bool, address: Op, amount: Op) -> None:
        where, less = self.x.index(address), self.x.text(amount)
        self.line(f"f[{where}] -= {less}", ins.span)
        self.line("try:")
        self._inner(ins.blocks[0], framed)
        self.line("finally:")
        with self.writer.indented():
            self.line(f"f[{where}] += {less}")

    def _pass_option(self, ins: Ins, framed: bool) -> None:
        self.line("o.append(None)")

    def _if_no_option(self, ins: Ins, framed: bool) -> None:
        otherwise = any(inner.op == "option" for _, _, inner in instructions(ins.blocks[0]))
        if otherwise:
            self.line("if TRIAL and S.pick is NOTHING_ELSE: o, S.pick = [], None")
        self.line("if not o:")
        self._inner(ins.blocks[0], framed)

    def _set_options(
        self,
        ins: Ins,
        framed: bool,
        candidates: Op,
        picked: Op,
        low: Op | None,
        high: Op | None,
        chosen: str,
        such: Op | None,
        how: str,
    ) -> None:
        such_text = f"lambda {chosen}: {self.x.text(such)}" if such is not None else "None"
        bounds = f"{self.x.text(low) if low is not None else 0}, {self.x.text(high) if high is not None else None}"
        self.line(
            f"o = set_options(S, {self.x.text(candidates)}, {self.x.text(picked)}, {bounds}, {such_text}, {how!r})",
            ins.span,
        )

    def _pay_options(
        self, ins: Ins, framed: bool, number: int, player: Op, amounts: tuple[Op, ...], among: tuple[Op, ...], picks: Op
    ) -> None:
        problem = (
            f"payment_{number}(S, {self.x.text(player)}, {self.x.sequence_of(amounts)}, {self.x.sequence_of(among)})"
        )
        refused = self._refusal("cannot pay", ins)
        self.line(f"o = payment_options({problem}, {self.x.text(picks)}, {refused})", ins.span)

    def _settle(
        self,
        ins: Ins,
        framed: bool,
        number: int,
        player: Op,
        amounts: tuple[Op, ...],
        among: tuple[Op, ...],
        picks: Op,
        to: Op | None,
    ) -> None:
        problem = (
            f"payment_{number}(S, {self.x.text(player)}, {self.x.sequence_of(amounts)}, {self.x.sequence_of(among)})"
        )
        receiver = self.x.text(to) if to is not None else None
        self.line(f"settle(S, {problem}, {self.x.text(picks)}, {self.x.text(player)}, {receiver})", ins.span)
