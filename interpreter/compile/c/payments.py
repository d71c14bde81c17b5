"""What is to be paid with, as C: a function for each payment of the rules.

`payment_N` describes what the payer holds, kind by kind, for whoever asks which pick may come next. Most questions only
want to know whether the costs can be met at all:

    "Build {l}" for l in Line          # asked once for every line
      pay l.length wagon among l.colour

For that the kinds do not matter, only how many units there are of each value. `payable_N` counts them in one pass, and
gives the same answer as a description would.
"""

from __future__ import annotations

from typing import Any

from ...check.value_types import Piece, SetOf
from .. import ir
from ..ir import Routine
from .atoms import _c
from .dispatch import Dispatch
from .function import Function

PATTERNS = {None: 0, "all_equal": 1, "all_different": 2, "among": 3}
MOST_VALUES = 64  # values that are counted by; what has more is described
MOST_COSTS = 8  # RW_MOST_COUNTED in rw_payments.h


class Payments(Dispatch):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked_payable: set[int] = set()  # numbers of payments for which `payable_N` is wanted

    def write_payment(self, payment: ir.Payment) -> None:
        params = "Ctx *C, State *S, RwPay *P, num player__0, const num *amounts, const Set *among"
        head = f"static void payment_{payment.number}({params})"
        self.function = Function(f"payment_{payment.number}", "plain", "q")
        self.routine = Routine(f"payment_{payment.number}", "plain", ("player__0",))
        self.begin_routine(self.routine)
        self.line("(void)C; (void)S; (void)player__0; (void)among;")
        self.line("rw_pay_begin(P);")
        for number, cost in enumerate(payment.costs):
            pattern = PATTERNS[cost.pattern]
            among = f"among[{number}]" if pattern == 3 else "(Set){0, 0}"
            self.line(f"rw_pay_cost(P, amounts[{number}], {pattern}, {among}, {cost.values});")
            like = _same_sources(payment, number)
            if like < number:
                self.line(f"rw_pay_as(P, {like});")
                continue
            for position, source in enumerate(cost.sources):
                if source.when is not None:
                    with self.block(f"if ({self.test(source.when)})"):
                        self._source(source, number, position)
                else:
                    self._source(source, number, position)
        self.function.lines = [line.replace("return RW_FAULT;", "return;") for line in self.function.lines]
        self.prototypes.append(f"{head};")
        self.functions += self.whole_function(head)
        if payment.number in self.asked_payable:
            self._write_payable(payment)

    def _source(self, source: ir.PaySource, cost: int, position: int) -> None:
        wild = int(source.as_any)
        if source.contents is not None:
            by = "0"
            if source.by is not None:
                name, _ = self.table(source.by, 1, of_sets=False)
                by = f"{name} + 1"
            none = "RW_WILD" if source.wild is None else f"(int32_t){_c(source.wild)}"
            self.line(f"rw_pay_pieces(P, {self.as_set(source.contents)}, {by}, {wild}, {none}, {position});")
            return
        address = self.x(source.address) if source.address is not None else f"among[{cost}].n"
        counter = source.counter
        assert counter is not None
        bounds = f"{counter.stride}, {counter.low}, {counter.high}, {int(counter.capped)}, 0"
        self.line(f"rw_pay_counter(P, S, {source.key}, {address}, {wild}, {position}, {bounds});")

    # ------------------------------------------------------------------ whether the costs can be met

    def _can_pay(self, op: ir.CanPay) -> str:
        payment = self.unit.payments.made[op.payment]
        if not self._is_told_by_counting(payment):
            return super()._can_pay(op)
        self.asked_payable.add(payment.number)
        name, player = self.fresh("pay"), self.atom(op.player)
        self.payment_arrays(name, op)
        if len(payment.costs) == 1:  # counting one cost is no work that counts
            return self.named(f"payable_{payment.number}(C, S, {player}, {name}_n, {name}_s)")
        self.line(f"int64_t {name}_looked = 0;")
        found = self.named(f"payable_{payment.number}(C, S, {player}, {name}_n, {name}_s, &{name}_looked)")
        self.count_work(f"{name}_looked", op.span)
        return found

    def _is_told_by_counting(self, payment: ir.Payment) -> bool:
        """True if how many units there are of each value tells whether the costs can be met: then a description would
        not have to search either."""
        sources = payment.costs[0].sources
        if not _is_plain(sources) or len(payment.costs) > MOST_COSTS or len(self._told_apart(payment)) > MOST_VALUES:
            return False
        if len(payment.costs) == 1:
            # Units without a value are equal among themselves, and different from all others.
            has_values = all(source.by is not None or source.as_any for source in sources)
            return has_values or payment.costs[0].pattern in (None, "among")
        if any(cost.pattern not in (None, "among") for cost in payment.costs):
            return False
        # Equal pieces in two sources are one kind, and then a search has to tell.
        kinds = [kind for source in sources if source.contents is not None for kind in _kinds(source.contents)]
        return len(kinds) == len(set(kinds)) and all(
            _same_sources(payment, number) == 0 for number in range(1, len(payment.costs))
        )

    def _told_apart(self, payment: ir.Payment) -> range:
        """From the lowest to the highest value by which units are told apart."""
        found = [
            value
            for source in payment.costs[0].sources
            if source.by is not None
            for value in self.column(source.by)[1:]
            if value != source.wild
        ]
        return range(min(found), max(found) + 1) if found else range(0)

    def _write_payable(self, payment: ir.Payment) -> None:
        looked = ", int64_t *looked" if len(payment.costs) > 1 else ""
        params = f"Ctx *C, State *S, num player__0, const num *amounts, const Set *among{looked}"
        head = f"static num payable_{payment.number}({params})"
        values = self._told_apart(payment)
        self.function = Function(f"payable_{payment.number}", "pure", "q")
        self.routine = Routine(f"payable_{payment.number}", "pure", ("player__0",))
        self.begin_routine(self.routine)
        self.line("(void)C; (void)S; (void)player__0; (void)among;")
        self.line(f"num held[{len(values) + 1}] = {{0}}, wild = 0, other = 0;")
        for source in payment.costs[0].sources:
            self._count_source(source, values)
        low = values.start if values else 0
        units = f"(RwHeld){{held, {_c(low)}, {len(values)}, wild, other}}"
        if len(payment.costs) == 1:
            [cost] = payment.costs
            self.leave(f"rw_held_meets({units}, {PATTERNS[cost.pattern]}, amounts[0], among[0], {cost.values})")
        else:
            patterns = ", ".join(str(PATTERNS[cost.pattern]) for cost in payment.costs)
            self.line(f"static const uint8_t patterns[] = {{{patterns}}};")
            self.leave(f"rw_held_meets_all({units}, {len(payment.costs)}, patterns, amounts, among, looked)")
        self.prototypes.append(f"{head};")
        self.functions += self.whole_function(head)

    def _count_source(self, source: ir.PaySource, values: range) -> None:
        plain = "wild" if source.as_any else "other"
        if source.contents is None:
            assert source.address is not None and source.counter is not None
            units = self.named(f"rw_number(S, {self.x(source.address)}) - {_c(source.counter.low)}")
            self.line(f"if ({units} > 0) {plain} += {units};")
            return
        with self.loop(source.contents, "e_"):
            if source.by is None or source.as_any:
                self.line(f"{plain}++;")
                return
            name, _ = self.table(source.by, 1, of_sets=False)
            value = self.named(f"{name}[e_ + 1]")
            if source.wild is None:
                self.line(f"held[{value} - {_c(values.start)}]++;")
            else:
                self.line(f"if ({value} == {_c(source.wild)}) wild++; else held[{value} - {_c(values.start)}]++;")


def _is_plain(sources: tuple[ir.PaySource, ...]) -> bool:
    """Each is there in any case, and going over it is no work that counts."""
    return all(
        source.when is None
        and (source.address is not None if source.contents is None else isinstance(source.contents, ir.Contents))
        for source in sources
    )


def _kinds(pieces: ir.Op) -> tuple[str, ...]:
    held = pieces.type.of if isinstance(pieces.type, SetOf) else pieces.type
    assert isinstance(held, Piece)
    return held.kinds


def _same_sources(payment: ir.Payment, number: int) -> int:
    """The first cost that is paid from just the same as this one. A source with a condition, or one that the cost names
    itself, is asked each time; so is one whose pieces are work to find, because work counts each time."""
    own = payment.costs[number].sources
    for source in own:
        place = source.contents
        if source.when is not None or (place is None and source.address is None):
            return number
        if place is not None and not isinstance(place, ir.Contents | ir.Group):
            return number
    texts = [str(source) for source in own]
    costs = enumerate(payment.costs[:number])
    return next((n for n, cost in costs if [str(source) for source in cost.sources] == texts), number)
