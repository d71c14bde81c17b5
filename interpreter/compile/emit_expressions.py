"""Operations as Python expressions, all of them: on top of atoms, sets and maps the calls, and what was answered."""

from __future__ import annotations

from .emit_maps import MapEmitter
from .ir import Op


class ExpressionEmitter(MapEmitter):
    def _value(self, op: Op, routine: str, *args: Op) -> str:
        return f"{routine}({', '.join(['S', *(self.text(arg) for arg in args)])})"

    def _formula(self, op: Op, cell: Op, player: Op) -> str:
        return f"formula(S, {self.text(cell)}, {self.text(player)})"

    def _on_trial(self, op: Op) -> str:
        return "TRIAL"

    def _unsure(self, op: Op) -> str:
        return "None"

    def _is_unsure(self, op: Op, answer: Op) -> str:
        return f"({self.text(answer)} is None)"

    def _can_call(self, op: Op, routine: str, args: tuple[Op, ...], player: Op | None, known: str | None) -> str:
        inner = ", ".join(self.text(arg) for arg in args) + ("," if args else "")
        return f"can_call(S, {routine!r}, ({inner}), {self.text(player) if player is not None else None}, {known})"

    def _can_perform(self, op: Op, cell: Op, player: Op, given: tuple[tuple[str, Op], ...] = ()) -> str:
        return f"can_perform(S, {self.text(cell)}, {self.text(player)}, {self.given(given)})"

    def given(self, given: tuple[tuple[str, Op], ...]) -> str:
        inner = ", ".join(f"({name!r}, {self.text(value)})" for name, value in given)
        return f"({inner},)" if given else "()"

    def sequence_of(self, items: tuple[Op, ...]) -> str:
        inner = ", ".join(self.text(item) for item in items)
        return f"({inner},)" if items else "()"

    def _can_pay(self, op: Op, number: int, player: Op, amounts: tuple[Op, ...], among: tuple[Op, ...]) -> str:
        given = f"{self.sequence_of(amounts)}, {self.sequence_of(among)}"
        return f"payable(payment_{number}(S, {self.text(player)}, {given}), ())"

    def _paid(
        self,
        op: Op,
        number: int,
        player: Op,
        amounts: tuple[Op, ...],
        among: tuple[Op, ...],
        picks: Op,
        cost: int,
        source: int,
    ) -> str:
        problem = f"payment_{number}(S, {self.text(player)}, {self.sequence_of(amounts)}, {self.sequence_of(among)})"
        return f"paid({problem}, {self.text(picks)}, {cost}, {source})"

    def _rebased(self, op: Op, snapshot: Op, before: Op, base: int, size: int) -> str:
        return f"rebased({self.text(snapshot)}, {self.text(before)}, place_counts(S, {base}, {size}))"

    def _where_is(self, op: Op, what: str, piece: Op) -> str:
        return f"{what}_of(S, {self.text(piece)})"

    def _public(self, op: Op, value: Op) -> str:
        return self.text(value)

    def _score(self, op: Op, player: Op) -> str:
        return f"score_of(S, {self.text(player)})"

    def _result(self, op: Op) -> str:
        return "S.r"

    def _picked(self, op: Op, index: int | None) -> str:
        return "S.pick" if index is None else f"S.pick[{index}]"

    def _answer(self, op: Op, what: str, branch: int = 0) -> str:
        if what == "branch":
            return f"(S.pick[0] == {branch})"
        return "(S.pick is None)" if what == "is_pass" else "(S.pick is SKIPPED)"
