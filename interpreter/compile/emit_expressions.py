"""Operations as Python expressions: one short function an operation.

The text of an operation may stand anywhere a Python operand may: whatever is not a name, a number, a call or a
subscript comes in brackets. Constant sets longer than a handful are put into the module's pool and named there.
"""

from __future__ import annotations

import re

from ..check.value_types import NO_NUMBER, NONE, Flag, Maybe, bare, none_of
from .hoist import hoist
from .ir import Op
from .layout import Layout
from .unit import weight

SHORT = 8


class _Everything(set[str]):
    """Every name: a test may speak of anything but the local of its own loop."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = _Everything()
SHORT_TEXT = 40
FEW_ELEMENTS, FEW_PARTS = 4, 16  # loops over so few constants, with so little to do, are written out

FRESH = ("all", "reach", "group", "best", "without", "join")  # lists that nobody else holds

Stops = tuple[tuple[int, int], ...]  # runs of nodes that are reached and not passed


class ExpressionEmitter:
    def __init__(self, layout: Layout, players: int) -> None:
        self.layout = layout
        self.players = players
        self.pool: dict[tuple[object, ...], str] = {}
        self.hoisted = 0

    def text(self, op: Op) -> str:
        return getattr(self, "_" + op.op)(op, *op.args)  # type: ignore[no-any-return]

    def condition(self, op: Op) -> str:
        """An operation where only its truth counts."""
        if op.op == "not" and op.args[0].op == "is_empty":
            return self.text(op.args[0].args[0])
        if op.op == "not" and op.args[0].op == "not":
            return self.condition(op.args[0].args[0])
        if op.op == "not":
            return f"(not {self.condition(op.args[0])})"
        if op.op in ("and", "or"):
            return f"({self.condition(op.args[0])} {op.op} {self.condition(op.args[1])})"
        return self.text(op)

    def constant(self, values: tuple[object, ...]) -> str:
        """A constant tuple, named if it is long."""
        if len(values) <= SHORT and all(isinstance(value, int) for value in values):
            return repr(tuple(values))
        if values not in self.pool:
            self.pool[values] = f"POOL_{len(self.pool)}"
        return self.pool[values]

    # ------------------------------------------------------------------ atoms

    def _const(self, op: Op, value: int) -> str:
        if isinstance(bare(op.type), Flag) and value in (0, 1):
            return "True" if value else "False"
        return str(value) if value >= 0 else f"({value})"

    def _sequence(self, op: Op, *values: int) -> str:
        return self.constant(values)

    def _local(self, op: Op, name: str) -> str:
        return name

    def _address(self, op: Op, base: int, terms: tuple[tuple[Op, int, int], ...], optional: bool) -> str:
        for index, stride, low in terms if not optional else ():
            if index.op == "const":
                base += (index.args[0] - low) * stride
        if not optional:
            terms = tuple(term for term in terms if term[0].op != "const")
            return self._offset(base, [(self.text(index), stride, low) for index, stride, low in terms])
        texts = [(self.text(index), stride, low) for index, stride, low in terms]
        missing = " or ".join(f"{text} < 0" for text, _, _ in texts)
        return f"(-1 if {missing} else {self._offset(base, texts)})"

    def _offset(self, base: int, terms: list[tuple[str, int, int]]) -> str:
        base -= sum(low * stride for _, stride, low in terms)
        parts = [text if stride == 1 else f"{stride} * {text}" for text, stride, _ in terms]
        if base > 0 or not parts:
            parts.insert(0, str(base))
        joined = " + ".join(parts)
        if base < 0:
            joined += f" - {-base}"
        return joined if len(parts) == 1 and base >= 0 and "*" not in joined else f"({joined})"

    def index(self, address: Op) -> str:
        """An address where it stands in brackets already."""
        text = self.text(address)
        return text[1:-1] if text.startswith("(") and text.endswith(")") and self._whole(text) else text

    @staticmethod
    def _whole(text: str) -> bool:
        depth = 0
        for position, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and position < len(text) - 1:
                return False
        return True

    def _is_optional(self, address: Op) -> bool:
        return address.op == "address" and bool(address.args[2])

    def _field(self, op: Op, address: Op, none: int) -> str:
        if self._is_optional(address):
            return f"read_or(f, {self.index(address)}, {none})"
        return f"f[{self.index(address)}]"

    def _slot(self, op: Op, address: Op) -> str:
        return self._field(op, address, NONE)

    def _face(self, op: Op, die: Op) -> str:
        dice = self.layout.dice
        return f"f[{dice} + {self.text(die)}]" if dice else f"f[{self.index(die)}]"

    def _list(self, op: Op, address: Op) -> str:
        return f"p[{self.index(address)}]"

    def _group(self, op: Op, address: Op, size: int) -> str:
        return f"group(f, {self.index(address)}, {size})"

    def _slot_list(self, op: Op, address: Op) -> str:
        return f"one_or_none({self._field(op, address, NONE)})"

    def _boxed(self, op: Op, ranges: tuple[tuple[int, int], ...]) -> str:
        pieces = tuple(piece for low, size in ranges for piece in range(low, low + size))
        return f"[e_ for e_ in {self.constant(pieces)} if at[e_] == -1]"

    def _lookup(self, op: Op, table: str, index: Op, *more: Op) -> str:
        return table + "".join(f"[{self.index(one)}]" for one in (index, *more))

    def _indexed(self, op: Op, index: str, *values: Op) -> str:
        texts = [self.text(value) for value in values]
        key = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        return f"{index}.get({key}, ())"

    def _tuple(self, op: Op, *items: Op) -> str:
        inner = ", ".join(self.text(item) for item in items)
        return f"({inner},)" if items else "()"

    def _score_line(self, op: Op, text: int, args: tuple[Op, ...], value: Op) -> str:
        given = ", ".join(["S", *(self.text(arg) for arg in args)])
        return f"({text}, text_{text}({given}), {self.text(value)})"

    # ------------------------------------------------------------------ arithmetic and tests

    def _binary(self, sign: str, a: Op, b: Op) -> str:
        return f"({self.text(a)} {sign} {self.text(b)})"

    def _add(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("+", a, b)

    def _subtract(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("-", a, b)

    def _multiply(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("*", a, b)

    def _divide(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("//", a, b)

    def _modulo(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("%", a, b)

    def _negative(self, op: Op, a: Op) -> str:
        return f"(-{self.text(a)})"

    def _absolute(self, op: Op, a: Op) -> str:
        return f"abs({self.text(a)})"

    def _sign(self, op: Op, a: Op) -> str:
        return f"sign({self.text(a)})"

    def _compare(self, op: Op, sign: str, a: Op, b: Op, none_a: int | None, none_b: int | None) -> str:
        left, right = self.text(a), self.text(b)
        if none_a is None and none_b is None:
            return f"({left} {sign} {right})"
        if sign in ("==", "!="):
            if none_a is None or none_b is None:
                return f"({left} {sign} {right})"
            same = f"({left} == {right} != {none_b})"
            return same if sign == "==" else f"(not {same})"
        if none_b is None and sign in ("<", "<="):
            return f"({none_a} != {left} {sign} {right})"
        if none_a is None and sign in (">", ">="):
            return f"({left} {sign} {right} != {none_b})"
        if none_b is None:  # a is optional, > or >=: none is the smallest number of all
            return f"({left} {sign} {right})" if none_a == NO_NUMBER else f"({none_a} != {left} {sign} {right})"
        if none_a is None:
            return f"({left} {sign} {right})" if none_b == NO_NUMBER else f"({left} {sign} {right} != {none_b})"
        return f"({none_a} != {left} {sign} {right} != {none_b})"

    def _and(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("and", a, b)

    def _or(self, op: Op, a: Op, b: Op) -> str:
        return self._binary("or", a, b)

    def _not(self, op: Op, a: Op) -> str:
        return f"(not {self.text(a)})"

    def _if(self, op: Op, condition: Op, a: Op, b: Op) -> str:
        return f"({self.text(a)} if {self.text(condition)} else {self.text(b)})"

    def _otherwise(self, op: Op, a: Op, b: Op, none: int) -> str:
        value = self.text(a)
        if a.op == "local" or (a.op == "lookup" and len(value) < SHORT_TEXT):  # quicker read twice than called
            return f"({value} if {value} != {none} else {self.text(b)})"
        return f"instead_of_none({value}, {none}, lambda: {self.text(b)})"

    def _contains(self, op: Op, source: Op, item: Op, optional: bool) -> str:
        if source.op == "join" and all(not is_set and none is None for _, is_set, none in source.args):
            inner = ", ".join(self.text(element) for element, _, _ in source.args)
            return f"({self.text(item)} in ({inner},))"
        return f"({self.text(item)} in {self.text(source)})"

    def _inside(self, op: Op, number: Op, item: Op, optional: bool) -> str:
        place = self.text(number)
        if self._is_optional(number):
            return f"(-1 != {place} == at[{self.text(item)}])"
        return f"(at[{self.text(item)}] == {place})"

    def _inside_group(self, op: Op, number: Op, size: int, item: Op, optional: bool) -> str:
        return f"({self.text(number)} <= at[{self.text(item)}] < {self.text(number)} + {size})"

    def _in_box(self, op: Op, item: Op, optional: bool) -> str:
        return f"(at[{self.text(item)}] == -1)"

    def _in_ranges(self, op: Op, item: Op, ranges: tuple[tuple[int, int], ...]) -> str:
        merged: list[tuple[int, int]] = []
        for low, size in sorted(ranges):
            if merged and merged[-1][0] + merged[-1][1] == low:
                merged[-1] = (merged[-1][0], merged[-1][1] + size)
            else:
                merged.append((low, size))
        text = self.text(item)
        if len(merged) == 1:
            low, size = merged[0]
            return f"({text} == {low})" if size == 1 else f"({low} <= {text} < {low + size})"
        return f"({text} in {self.constant(tuple(n for low, size in merged for n in range(low, low + size)))})"

    def _is_none(self, op: Op, a: Op, none: int) -> str:
        return f"({self.text(a)} == {none})"

    def _is_empty(self, op: Op, source: Op) -> str:
        return f"(not {self.text(source)})"

    def _is_full(self, op: Op, source: Op, capacity: int) -> str:
        return f"(len({self.text(source)}) >= {capacity})"

    def _rule_running(self, op: Op, rule: str) -> str:
        return f"rule_running(S, {rule!r})"

    def _cell_running(self, op: Op, cell: Op) -> str:
        return f"cell_running(S, {self.text(cell)})"

    def _is_known(self, op: Op, piece: Op, player: Op) -> str:
        return f"is_known(S, {self.text(piece)}, {self.text(player)})"

    def _has_bit(self, op: Op, mask: Op, number: int) -> str:
        return f"({self.text(mask)} >> {number} & 1)"

    def _in_range(self, op: Op, value: Op, low: int, high: int, name: str) -> str:
        none = NO_NUMBER if isinstance(op.type, Maybe) else None
        return f"in_range({self.text(value)}, {low}, {high}, {name!r}, {none})"

    def _fitting(self, op: Op, value: Op, low: int, high: int, what: str) -> str:
        none = NO_NUMBER if isinstance(op.type, Maybe) else None
        return f"fitting({self.text(value)}, {low}, {high}, {what!r}, {none})"

    # ------------------------------------------------------------------ sets

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
        return [(number, self.condition(_with_constant(test, local, number))) for number in source.args]

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
        return f"{which}({', '.join(self.text(item) for item in items)})"

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

    # ------------------------------------------------------------------ calls and answers

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

    # ------------------------------------------------------------------ maps

    def _map_table(self, op: Op, table: str, *indexes: Op) -> str:
        return table + "".join(f"[{self.index(index)}]" for index in indexes)

    def _on_map(self, name: str, method: str, *args: Op) -> str:
        return f"{name}.{method}({', '.join(self.text(arg) for arg in args)})"

    def _distance(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "distance", a, b)

    def _line(self, op: Op, name: str, node: Op, direction: Op, steps: Op) -> str:
        return self._on_map(name, "line", node, direction, steps)

    def _between(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "between", a, b)

    def _ring(self, op: Op, name: str, node: Op, steps: Op) -> str:
        return self._on_map(name, "ring", node, steps)

    def _spiral(self, op: Op, name: str, node: Op) -> str:
        return self._on_map(name, "spiral", node)

    def _joining(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "edges_joining", a, b)

    def _edge(self, op: Op, name: str, a: Op, b: Op) -> str:
        return self._on_map(name, "edge_joining", a, b)

    def _reach(
        self,
        op: Op,
        name: str,
        start: Op,
        edge: str | None,
        edges: Op | None,
        edge_where: Op | None,
        node: str | None,
        nodes: Op | None,
        node_where: Op | None,
        stops: Stops,
        every_edge: bool,
    ) -> str:
        parts = [self.text(start)]
        if every_edge and edge is not None and node is None and edge_where is not None:
            owned = self._own_field_test(edge, edge_where)
            if owned is not None:
                base, wanted = owned
                return f"{name}.reach_owned({parts[0]}, f, {base}, {wanted}, {self._stops(stops)})"
        if edge is not None and edges is not None:
            parts.append(self._members(edge, edges, edge_where))
        if node is not None and nodes is not None:
            parts.append(self._members(node, nodes, node_where))
        elif edge is None:
            parts.append("None")
        method = "reach_both" if edge is not None and node is not None else "reach_along" if edge else "reach_through"
        return f"{name}.{method}({', '.join(parts)}, {self._stops(stops)})"

    def _cheapest(
        self,
        op: Op,
        name: str,
        start: Op,
        goal: Op,
        edge: str,
        edges: Op,
        where: Op | None,
        cost: Op,
        stops: Stops,
        is_path: bool,
    ) -> str:
        costs = f"{{{edge}: {self.text(cost)} for {edge} in {self.text(edges)}{self._where(where)}}}"
        method = "cheapest_path" if is_path else "cheapest"
        return f"{name}.{method}({self.text(start)}, {self.text(goal)}, {costs}, {self._stops(stops)})"

    def _cheapest_to(
        self, op: Op, name: str, goal: Op, edge: str, edges: Op, where: Op | None, cost: Op, stops: Stops
    ) -> str:
        costs = f"{{{edge}: {self.text(cost)} for {edge} in {self.text(edges)}{self._where(where)}}}"
        return f"{name}.cheapest_to({self.text(goal)}, {costs}, {self._stops(stops)})"

    def _cost_from(self, op: Op, costs: Op, start: Op) -> str:
        return f"{self.text(costs)}.get({self.text(start)}, {self._none(op)})"

    def _members(self, local: str, source: Op, where: Op | None) -> str:
        """Edges or nodes that satisfy a condition, as something that answers `in` at once."""
        text = self.text(source)
        if where is None:
            return text if text.startswith("range(") else f"set({text})"
        return f"{{{local} for {local} in {text}{self._where(where)}}}"

    def _stops(self, stops: Stops) -> str:
        if len(stops) == 1:
            return f"range({stops[0][0]}, {sum(stops[0])})"
        return self.constant(tuple(n for low, size in stops for n in range(low, low + size)))

    def _groups(self, op: Op, name: str, largest: bool, local: str, source: Op, where: Op | None) -> str:
        listed = f"[{local} for {local} in {self.text(source)}{self._where(where)}]"
        return f"{name}.{'largest_group' if largest else 'groups'}({listed})"

    def _own_field_test(self, local: str, test: Op) -> tuple[int, str] | None:
        """`field of x == E`: the offset to x's number of that field, and E."""
        if test.op != "compare" or test.args[0] != "==" or test.args[4] is not None:
            return None
        read, wanted = test.args[1], self.text(test.args[2])
        if read.op not in ("field", "slot") or read.args[0].op != "address" or re.search(rf"\b{local}\b", wanted):
            return None
        base, terms, optional = read.args[0].args
        if optional or len(terms) != 1 or terms[0][1] != 1 or terms[0][0].op != "local" or terms[0][0].args[0] != local:
            return None
        return base - terms[0][2], wanted

    def _longest_line(self, op: Op, name: str, local: str, through: Op, where: Op) -> str:
        run = self._own_field_test(local, where)
        if run is not None:
            base, wanted = run
            return f"{name}.longest_run({self.text(through)}, f, {base}, {wanted})"
        return f"{name}.longest_line({self.text(through)}, lambda {local}: {self.text(where)})"


def _with_constant(op: Op, local: str, number: int) -> Op:
    """The operation with a number in place of a local."""
    if op.op == "local":
        return Op("const", (number,), op.type, op.span) if op.args[0] == local else op
    return Op(op.op, tuple(_constant_in(arg, local, number) for arg in op.args), op.type, op.span)


def _constant_in(arg: object, local: str, number: int) -> object:
    if isinstance(arg, tuple):
        return tuple(_constant_in(item, local, number) for item in arg)
    return _with_constant(arg, local, number) if isinstance(arg, Op) else arg
