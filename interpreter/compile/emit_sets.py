"""Operations on sets as Python expressions: what is said of some or all of them, picked out, counted and joined."""

from __future__ import annotations

import re

from ..check.value_types import NONE, none_of
from .emit_atoms import AtomEmitter
from .hoist import EVERYTHING, hoist
from .ir import Op, with_constant
from .unit import weight

FEW_ELEMENTS, FEW_PARTS = 4, 16  # loops over so few constants, with so little to do, are written out
FRESH = ("all", "reach", "group", "best", "without", "join")  # lists that nobody else holds


class SetEmitter(AtomEmitter):
    def _where(self, where: Op | None) -> str:
        return f" if {self.condition(where)}" if where is not None else ""

    def _loop(self, local: str, source: Op, test: Op | None) -> str:
        """`for x in S if C`, with what C works out of other things alone in front."""
        if test is None:
            return f"for {local} in {self.text(source)}"
        found: dict[str, Op] = {}
        test = hoist(test, local, EVERYTHING, found, self._hoisted_name)
        before = "".join(f"for {name} in ({self.text(op)},) " for name, op in found.items())
        return f"{before}for {local} in {self.text(source)} if {self.condition(test)}"

    def _hoisted_name(self) -> str:
        self.hoisted += 1
        return f"h_{self.hoisted}"

    def _same_number(self, local: str, source: Op, test: Op) -> tuple[str, bool] | None:
        """`K in f[a:b]` where a test of one number of each element of a run can be put that way, and whether it
        is negated."""
        negated = False
        while test.op == "not":
            test, negated = test.args[0], not negated
        if (
            source.op != "sequence"
            or not source.args
            or source.args != tuple(range(source.args[0], source.args[-1] + 1))
        ):
            return None
        if test.op == "is_none":
            read, wanted = test.args[0], str(test.args[1])
        elif test.op == "compare" and test.args[0] in ("==", "!=") and test.args[3] is None and test.args[4] is None:
            read, wanted = test.args[1], self.text(test.args[2])
            negated ^= test.args[0] == "!="
            if re.search(rf"\b{local}\b", wanted):
                return None
        else:
            return None
        if read.op not in ("field", "slot") or read.args[0].op != "address":
            return None
        base, terms, optional = read.args[0].args
        if optional or len(terms) != 1 or terms[0][1] != 1 or terms[0][0].op != "local" or terms[0][0].args[0] != local:
            return None
        first = base - terms[0][2] + source.args[0]
        return f"{wanted} in f[{first}:{first + len(source.args)}]", negated

    def is_peephole(self, op: Op) -> bool:
        """A `some` that is better said as `K in f[a:b]`."""
        local, source, where, has = op.args
        same = self._same_number(local, source, has) if where is None else None
        return same is not None and not same[1]

    def _written_out(self, local: str, source: Op, test: Op) -> list[tuple[int, str]] | None:
        """The test for each of a few constants; None if there are too many, or it is too much."""
        if source.op != "sequence" or not 0 < len(source.args) <= FEW_ELEMENTS or weight(test) > FEW_PARTS:
            return None
        return [(number, self.condition(with_constant(test, local, number))) for number in source.args]

    def _some(self, op: Op, local: str, source: Op, where: Op | None, has: Op) -> str:
        same = self._same_number(local, source, has) if where is None else None
        if same is not None and not same[1]:
            return f"({same[0]})"
        both = has if where is None else Op("and", (where, has), has.type)
        written = self._written_out(local, source, both)
        if written is not None:
            return f"({' or '.join(text for _, text in written)})"
        found = f"next((True {self._loop(local, source, both)}), False)"
        return f"(len({source.args[0]}) > 0 and {found})" if source.op == "local" else found

    def _every(self, op: Op, local: str, source: Op, where: Op | None, has: Op) -> str:
        same = self._same_number(local, source, has) if where is None else None
        if same is not None and same[1]:
            return f"({same[0].replace(' in f[', ' not in f[')})"
        fails = Op("not", (has,), has.type)
        both = fails if where is None else Op("and", (where, fails), has.type)
        written = self._written_out(local, source, both)
        if written is not None:
            return f"(not ({' or '.join(text for _, text in written)}))"
        return f"next((False {self._loop(local, source, both)}), True)"

    def _gathered(self, op: Op, local: str, source: Op, tests: tuple[Op, ...]) -> str:
        if not tests:
            return f"set({self.text(source)})"
        return f"{{{local} for {local} in {self.text(source)} if {' and '.join(map(self.condition, tests))}}}"

    def _meets(self, op: Op, one: Op, other: Op) -> str:
        return f"(not {self.text(one)}.isdisjoint({self.text(other)}))"

    def _listed(self, op: Op, local: str, source: Op, value: Op) -> str:
        return f"[{self.text(value)} for {local} in {self.text(source)}]"

    def _occurrences(self, op: Op, listed: Op, value: Op) -> str:
        return f"{self.text(listed)}.count({self.text(value)})"

    def _all(self, op: Op, local: str, source: Op, where: Op | None, direction: str | None, key: Op | None) -> str:
        if where is None:
            listed = self.text(source) if source.op in FRESH else f"list({self.text(source)})"
        else:
            listed = f"[{local} {self._loop(local, source, where)}]"
        if key is None:
            return listed
        sign = "-" if direction == "highest" else ""
        return f"sorted({listed}, key=lambda {local}: {sign}{self.text(key)})"

    def _best(self, op: Op, local: str, source: Op, where: Op | None, best: str, measure: Op) -> str:
        listed = f"[{local} for {local} in {self.text(source)}{self._where(where)}]"
        return f"best({listed}, lambda {local}: {self.text(measure)}, {best == 'most'})"

    def _counted(self, op: Op, source: Op) -> str:
        return f"counted(S, {self.text(source)})"

    def _distinct(self, op: Op, source: Op) -> str:
        return f"distinct({self.text(source)})"

    def _the(self, op: Op, found: Op) -> str:
        if found.op == "best":
            local, source, where, best, measure = found.args
            items = self.text(source) if where is None else f"[{local} {self._loop(local, source, where)}]"
            measured = f"lambda {local}: {self.text(measure)}"
            return f"the_best({items}, {measured}, {best == 'most'}, {self._none(op)})"
        return f"the_only({self.text(found)}, {self._none(op)})"

    def _first(self, op: Op, local: str, source: Op, where: Op | None) -> str:
        if where is None:
            return f"first_of({self.text(source)}, {self._none(op)})"
        written = self._written_out(local, source, where)
        if written is not None:
            return f"({''.join(f'{number} if {text} else ' for number, text in written)}{self._none(op)})"
        return f"next(({local} {self._loop(local, source, where)}), {self._none(op)})"

    def _end(self, op: Op, source: Op, which: str) -> str:
        return f"{which}_of({self.text(source)}, {self._none(op)})"

    def _none(self, op: Op) -> int:
        return none_of(op.type)

    def _element(self, op: Op, source: Op, position: Op) -> str:
        return f"{self.text(source)}[{self.index(position)}]"

    def _append(self, op: Op, source: Op, item: Op) -> str:
        return f"({self.text(source)} + ({self.text(item)},))"

    def _count(self, op: Op, source: Op) -> str:
        if source.op == "group" and (slots := self.slots_of(source)) is not None:
            return f"({source.args[1]} - {slots}.count({NONE}))"
        return f"len({self.text(source)})"

    def _count_where(self, op: Op, local: str, source: Op, where: Op) -> str:
        return f"len([1 {self._loop(local, source, where)}])"

    def _sum(self, op: Op, local: str, source: Op, where: Op | None, value: Op) -> str:
        return f"sum([{self.text(value)} {self._loop(local, source, where)}])"

    def _extreme_of(
        self, op: Op, which: str, local: str, source: Op, where: Op | None, value: Op, otherwise: Op | None
    ) -> str:
        listed = f"[{self.text(value)} for {local} in {self.text(source)}{self._where(where)}]"
        if otherwise is None:
            return f"{which}({listed})"
        return f"{which}({listed}, default={self.text(otherwise)})"

    def _extreme(self, op: Op, which: str, items: tuple[Op, ...]) -> str:
        texts = list(dict.fromkeys(self.text(item) for item in items))
        return texts[0] if len(texts) == 1 else f"{which}({', '.join(texts)})"

    def _range(self, op: Op, low: Op, high: Op) -> str:
        if low.op == "const" and high.op == "const":
            return self.constant(tuple(range(low.args[0], high.args[0] + 1)))
        return f"range({self.text(low)}, {self.text(high)} + 1)"

    def _join(self, op: Op, *items: tuple[Op, bool, int | None]) -> str:
        if len(items) == 1 and not items[0][1] and items[0][2] is None:
            return f"({self.text(items[0][0])},)"
        if all(is_set and item.op == "sequence" for item, is_set, _ in items):
            return self.constant(tuple(dict.fromkeys(number for item, _, _ in items for number in item.args)))
        parts = []
        for item, is_set, none in items:
            if is_set:
                parts.append(self.text(item))
            elif none is None:
                parts.append(f"({self.text(item)},)")
            else:
                parts.append(f"unless_none({self.text(item)}, {none})")
        return f"joined({', '.join(parts)})"

    def _concatenate(self, op: Op, *items: tuple[Op, bool, int | None]) -> str:
        parts = [f"*{self.text(item)}" if is_set else self.text(item) for item, is_set, _ in items]
        return f"({', '.join(parts)},)"

    def _without(self, op: Op, source: Op, left_out: Op, is_set: bool) -> str:
        test = "not in" if is_set else "!="
        return f"[e_ for e_ in {self.text(source)} if e_ {test} {self.text(left_out)}]"

    def _seats(self, op: Op) -> bool:
        return op.op == "sequence" and op.args == tuple(range(self.players)) and self.players <= 64

    def _from(self, op: Op, source: Op, item: Op) -> str:
        if self._seats(source):
            seats = source.args
            return f"{self.constant(tuple(seats[i:] + seats[:i] for i in seats))}[{self.text(item)}]"
        return f"turned_to({self.text(source)}, {self.text(item)})"

    def _after(self, op: Op, source: Op, item: Op) -> str:
        if self._seats(source):
            seats = source.args
            return f"{self.constant(tuple(seats[i + 1 :] + seats[:i] for i in seats))}[{self.text(item)}]"
        return f"following({self.text(source)}, {self.text(item)})"

    def _players(self, op: Op) -> str:
        return "seats_in(S)"

    def _next(self, op: Op, player: Op) -> str:
        return f"next_seat(S, {self.text(player)})"

    def _still_in(self, op: Op, player: Op) -> str:
        return f"still_in(S, {self.text(player)})"

    def _unskipped(self, op: Op, seats: Op, player: Op, local: str, skip: Op) -> str:
        return f"unskipped({self.text(seats)}, {self.text(player)}, lambda {local}: {self.text(skip)})"

    def _position(self, op: Op, source: Op, item: Op) -> str:
        return f"position_in({self.text(source)}, {self.text(item)})"

    def _walk_on(self, op: Op, row: Op, piece: Op, old: Op) -> str:
        return f"walk_on({self.text(row)}, {self.text(piece)}, {self.text(old)})"

    def _memory(self, op: Op, how: str) -> str:
        return "-1" if how == "row" else "[]"

    def _snapshot(self, op: Op, kind: str, base: int, size: int) -> str:
        return f"tuple(f[{base}:{base + size}])" if kind == "fields" else f"place_counts(S, {base}, {size})"

    def _changed(self, op: Op, kind: str, base: int, size: int, snapshot: Op, change: str) -> str:
        current = f"f[{base}:{base + size}]" if kind == "fields" else f"place_counts(S, {base}, {size})"
        return f"changed_since({self.text(snapshot)}, {current}, {change!r})"
