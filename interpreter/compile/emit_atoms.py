"""Operations as Python expressions: numbers, fields, places, arithmetic and tests. One short function an operation.

The text of an operation may stand anywhere a Python operand may: whatever is not a name, a number, a call or a
subscript comes in brackets. Constant sets longer than a handful are put into the module's pool and named there.
"""

from __future__ import annotations

from ..check.value_types import NO_NUMBER, NONE, Flag, Maybe, bare
from .ir import Op
from .layout import Layout

SHORT = 8
SHORT_TEXT = 40


class AtomEmitter:
    """What reads the state, arithmetic and tests; sets, maps and calls are added by its heirs."""

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
            return self._is_filled(op.args[0].args[0]) or self.text(op.args[0].args[0])
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

    def slots_of(self, group: Op) -> str | None:
        """The run of slots that a group of pieces lies in, if there is one in any case."""
        address, size = group.args
        if address.op != "address" or address.args[2]:
            return None
        first = self.index(address)
        return f"f[{first}:{first} + {size}]"

    def _is_filled(self, source: Op) -> str | None:
        slots = self.slots_of(source) if source.op == "group" else None
        return f"({slots}.count({NONE}) < {source.args[1]})" if slots is not None else None

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
        filled = self._is_filled(source)
        return f"(not {filled or self.text(source)})"

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
