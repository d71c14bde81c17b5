"""Calls of rules, cells and payments, and what was answered, as C."""

from __future__ import annotations

from abc import abstractmethod
from math import prod

from .. import ir
from ..ir import Op
from .atoms import ROOM, _c
from .function import ON_STACK, CannotEmit
from .large_maps import LargeMaps
from .widths import ONE_NUMBER


class Calls(LargeMaps):
    routine_numbers: dict[str, int]
    given_names: dict[str, tuple[int, int | None]]  # where what is given by name lies, and the room of a set
    given_cells: int

    # ------------------------------------------------------------------ routines

    def c_name(self, routine: str) -> str:
        """The function of a plain or pure routine. Values are the same in all ways, and so is what foresees."""
        kind = self.unit.routines[routine].kind
        return (
            f"v_{routine}" if kind == "pure" and routine in self.same_in_all_ways else f"{self.function.way}_{routine}"
        )

    same_in_all_ways: set[str]

    def arguments(self, args: tuple[Op, ...]) -> list[str]:
        return [self.as_set(arg) if self.is_set(arg) else self.x(arg) for arg in args]

    def _call_value(self, op: ir.CallValue) -> str:
        if self.is_set(op):
            return self.called_set(op)
        return self.value_of(op.routine, self.arguments(op.args))

    def value_of(self, routine: str, args: list[str]) -> str:
        text = f"{self.c_name(routine)}({', '.join(['C', 'S', *args])})"
        if routine not in self.faulty:
            return text
        name = self.named(text)
        self.hand_on_fault()
        return name

    def called_set(self, op: ir.CallValue) -> str:
        room, name = self.fresh("b"), self.fresh("s")
        self.room_for("elt", room, self.result_room(op.routine))
        args = self.arguments(op.args)
        self.line(f"const Set {name} = {self.c_name(op.routine)}({', '.join(['C', 'S', *args, room])});")
        if op.routine in self.faulty:
            self.hand_on_fault()
        return name

    def result_room(self, routine: str) -> int:
        bound = self.bounds.results.get(routine)
        size = ROOM if bound is None or bound.size is None else max(1, min(bound.size, ROOM))
        return self.kept_room(size) if self.unit.routines[routine].kind == "framed" else size

    def _formula(self, op: ir.Formula) -> str:
        name = self.named(f"rw_formula(C, S, {self.x(op.cell)}, {self.x(op.player)})")
        self.hand_on_fault()
        return name

    def _can_call(self, op: ir.CanCall) -> str:
        args = [self.held(arg) if self.is_set(arg) else self.atom(arg) for arg in op.args]
        name, listed = self.fresh(), self.fresh("a")
        known = self.value_of(op.known, args) if op.known is not None else "RW_UNSURE"
        self.line(f"num {name} = {known};")
        with self.block(f"if ({name} == RW_UNSURE)"):
            who = self.x(op.player) if op.player is not None else "-1"
            placed, cells = self.image(op.routine)
            self.cells(listed, cells, list(zip(placed, args, strict=True)))
            number = self.routine_numbers[op.routine]
            self.line(f"{name} = rw_can_call(C, S, {number}, {listed}, {cells}, {who});")
        self.hand_on_fault()
        return name

    def given(self, given: tuple[ir.Given, ...]) -> str:
        """What is handed to the calls of a cell, as it lies in the cell's frame."""
        name, taken = self.fresh("a"), [one for one in given if one.name in self.given_names]
        values = [self.held(one.value) if self.is_set(one.value) else self.x(one.value) for one in taken]
        self.cells(name, self.given_cells, list(zip((self.given_names[g.name] for g in taken), values, strict=True)))
        return name

    def cells(self, name: str, count: int, values: list[tuple[tuple[int, int | None], str]]) -> None:
        """An array of so many cells, with values at their places: numbers, and sets with their sizes first."""
        if all(room is None for (_, room), _ in values) and len(values) == count:
            listed = [f"(elt){value}" for _, value in values]
            self.line(f"const elt {name}[] = {{{', '.join([*listed, '0'])}}};")
            return
        self.room_for("elt", name, count + 1)
        self.line(f"memset({name}, 0, sizeof(elt) * {count + 1});")
        for (offset, room), value in values:
            if room is None:
                self.line(f"{name}[{offset}] = (elt){value};")
            else:
                self.leave_if(f"rw_keep(C, {name} + {offset}, {value}, {room})", self.at_fault)

    @abstractmethod
    def image(self, routine: str) -> tuple[list[tuple[int, int | None]], int]:
        """How the arguments of a routine lie one behind the other: where each begins, the room of a set; all cells."""

    def _can_perform(self, op: ir.CanPerform) -> str:
        cell, player, given = self.x(op.cell), self.x(op.player), self.given(op.given)
        name = self.named(f"rw_can_perform(C, S, {cell}, {player}, {given})")
        self.hand_on_fault()
        return name

    # ------------------------------------------------------------------ payments

    def payment(self, of: ir.CanPay | ir.Paid | ir.PayOptions | ir.Settle) -> str:
        """What is to be paid, by whom, from what: the name of an `RwPay` that is filled.

        When a payment is made, each source is asked in turn what it pays, and nothing moves before all were asked: so
        the payment is described once for all of them. `write` forgets it where something else comes between."""
        parts = (of.player, *of.amounts, *of.among)
        known = f"{of.payment}: {', '.join(map(str, parts))}"
        if all(isinstance(part, ir.Local | ir.Const) for part in parts) and self.function.paying[0] == known:
            return self.function.paying[1]
        name = pay = self.fresh("pay")
        kinds, pieces = self.payment_room()
        if 64 * kinds + 4 * pieces <= ON_STACK // 2:
            self.declare(f"RwPay {name};")
        else:
            pay = self.borrow("RwPay", name)
        player = self.x(of.player)
        self.payment_arrays(name, of)
        self.line(f"payment_{of.payment}(C, S, &{pay}, {player}, {name}_n, {name}_s);")
        self.hand_on_fault()
        self.function.paying = (known, pay)
        return pay

    def payment_arrays(self, name: str, of: ir.CanPay | ir.Paid | ir.PayOptions | ir.Settle) -> None:
        """Amounts and values of each cost, as two arrays."""
        amounts = ", ".join([*(self.x(amount) for amount in of.amounts), "0"])
        among = [self.as_set(one) if self.is_set(one) else f"(Set){{0, (int32_t)({self.x(one)})}}" for one in of.among]
        among += ["(Set){0, 0}"]
        self.line(f"const num {name}_n[] = {{{amounts}}};")
        self.line(f"const Set {name}_s[] = {{{', '.join(among)}}};")

    def payment_room(self) -> tuple[int, int]:
        """How many kinds of things, and how many pieces, a payment can be made with at most."""
        sources = [sum(len(cost.sources) for cost in payment.costs) for payment in self.unit.payments.made]
        rows, pieces = len(set(self.meta.piece_row)) + 1, self.meta.pieces + 1
        return max((n * rows for n in sources), default=1), max((n * pieces for n in sources), default=1)

    def _can_pay(self, op: ir.CanPay) -> str:
        name = self.payment(op)
        found = self.named(f"rw_payable(&{name}, (Set){{0, 0}})")
        self.count_work(f"{name}.looked", op.span)
        return found

    def fill_more(self, op: Op, room: str, n: str) -> bool:
        if isinstance(op, ir.Paid):
            name, picks = self.payment(op), self.as_set(op.picks)
            self.line(f"int32_t {n} = rw_paid(&{name}, {picks}, {op.cost}, {op.source}, {room});")
            return True
        return super().fill_more(op, room, n)

    def _paid(self, op: ir.Paid) -> str:
        return self.as_set(op)

    # ------------------------------------------------------------------ pieces, scores

    def _where_is(self, op: ir.WhereIs) -> str:
        piece = self.x(op.piece)
        match op.what:
            case "at":
                return f"rw_where(S, {piece}, RW_NODE_OF, RW_CARRIER)"
            case "holder":
                return f"rw_where(S, {piece}, RW_HOLDER, RW_CARRIER)"
            case "under":
                return f"rw_under(S, {piece}, RW_CARRIER)"
            case "place":
                return f"rw_place_of(S, {piece})"
            case _:
                raise AssertionError(op.what)

    def _public(self, op: ir.Public) -> str:
        return self.x(op.of)

    def _score(self, op: ir.Score) -> str:
        name = self.named(f"rw_points(C, S, (int){self.x(op.player)})")
        self.hand_on_fault()
        return name

    def _score_line(self, op: ir.ScoreLine) -> str:
        return self.x(op.points)

    # ------------------------------------------------------------------ what was answered

    def _result(self, op: ir.Result) -> str:
        return self.as_set(op) if self.is_set(op) else "(num)S->r[0]"

    def _picked(self, op: ir.Picked) -> str:
        return self.value_in("S->pick", op.site, op.branch, op.position)

    def _answered(self, op: ir.Answered) -> str:
        return f"(S->pick == {'RW_PASS' if op.what == 'pass' else 'RW_SKIP'})"

    def option(self, site: int, branch: int, names: tuple[str, ...]) -> str:
        """The number of an option with the values of these locals."""
        made = self.unit.sites[site]
        if made.first(len(made.branches)) > ONE_NUMBER:
            raise CannotEmit("a decision whose values make more than 2^31 combinations")
        text, parts = "", made.branches[branch].digits
        for name, (lowest, count) in zip(names, parts, strict=True):
            digit = name if lowest == 0 else f"({name} - {_c(lowest)})"
            text = f"({text}) * {count} + {digit}" if text else digit
        first = made.first(branch)
        return f"{first} + {text}" if first and text else text or str(first)

    def value_in(self, option: str, site: int, branch: int, position: int) -> str:
        """The value at that position of an option of the branch."""
        made = self.unit.sites[site]
        digits, first = made.branches[branch].digits, made.first(branch)
        lowest, count = digits[position]
        behind = prod(count for _, count in digits[position + 1 :])
        text = f"({option} - {first})" if first else f"{option}"
        if behind > 1:
            text = f"{text} / {behind}"
        if position > 0:
            text = f"{text} % {count}"
        return f"((num)({text}) + {_c(lowest)})" if lowest else f"((num)({text}))"

    def in_branch(self, option: str, site: int, branch: int) -> str:
        made = self.unit.sites[site]
        first, behind = made.first(branch), made.first(branch + 1)
        if behind - first == 1:
            return f"({option} == {first})"
        return f"({first} <= {option} && {option} < {behind})" if first else f"({option} < {behind})"

    def _has_option(self, op: ir.HasOption) -> str:
        return "(C->optop > o)"

    def _one_option(self, op: ir.OneOption) -> str:
        return "(C->optop - o == 1)"

    def _only_pass(self, op: ir.OnlyPass) -> str:
        return "(C->optop - o == 1 && C->opts[o] == RW_PASS)"

    def _is_complete(self, op: ir.IsComplete) -> str:
        return "(complete)"

    def _sure_here(self, op: ir.SureHere) -> str:
        return f"rw_sure_here(S, {op.site}, {self.x(op.player)}, RW_SURE_{op.of.upper()})"

    def _nothing_else(self, op: ir.NothingElse) -> str:
        return "(S->pick == RW_NOTHING_ELSE)"

    def _is_branch(self, op: ir.IsBranch) -> str:
        return self.in_branch("S->pick", op.site, op.branch)

    def _option_value(self, op: ir.OptionValue) -> str:
        return self.value_in("x_", op.site, op.branch, op.position)
