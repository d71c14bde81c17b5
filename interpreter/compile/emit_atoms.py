"""Operations as Python expressions: numbers, fields, places, arithmetic and tests. One short method per operation.

The text of an operation may stand anywhere a Python operand may: whatever is not a name, a number, a call or a
subscript comes in brackets. Constant sets longer than a handful are put into the module's pool and named there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from ..check.value_types import NO_NUMBER, NONE, Flag, Maybe, bare
from . import ir
from .hoist import plain_elements
from .ir import Op, free_locals
from .layout import Layout

SHORT = 8
SHORT_TEXT = 40


class AtomEmitter(ABC):
    """What reads the state, arithmetic and tests; sets, maps and calls are added by subclasses."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.pool: dict[tuple[object, ...], str] = {}
        self.used: set[str] = set()  # short names of parts of the state that the function in the making uses

    @property
    def f(self) -> str:
        """The state's array by its short name: a function that uses it begins with `f = S.f`."""
        self.used.add("f")
        return "f"

    @property
    def p(self) -> str:
        """The state's lists of pieces."""
        self.used.add("p")
        return "p"

    @property
    def at(self) -> str:
        """Where each piece is."""
        self.used.add("at")
        return "at"

    @abstractmethod
    def text(self, op: Op) -> str:
        """Any operation as Python."""

    def condition(self, op: Op) -> str:
        """The text of an operation of which only the truth counts, which may be shorter."""
        match op:
            case ir.Not(of=ir.IsEmpty(of=source)):
                return self.text(source)
            case ir.Not(of=ir.Not(of=inner)):
                return self.condition(inner)
            case ir.Not(of=inner):
                return f"(not {self.condition(inner)})"
            case ir.And():
                return f"({self.condition(op.left)} and {self.condition(op.right)})"
            case ir.Or():
                return f"({self.condition(op.left)} or {self.condition(op.right)})"
            case _:
                return self.text(op)

    def constant(self, values: tuple[object, ...]) -> str:
        """A constant tuple, named if it is long."""
        if len(values) <= SHORT and all(isinstance(value, int) for value in values):
            return repr(tuple(values))
        if values not in self.pool:
            self.pool[values] = f"POOL_{len(self.pool)}"
        return self.pool[values]

    # ------------------------------------------------------------------ atoms

    def _const(self, op: ir.Const) -> str:
        if isinstance(bare(op.type), Flag) and op.value in (0, 1):
            return "True" if op.value else "False"
        return str(op.value) if op.value >= 0 else f"({op.value})"

    def _sequence(self, op: ir.Sequence) -> str:
        return self.constant(op.values)

    def _address(self, op: ir.Address) -> str:
        if not op.optional:
            base, terms = op.base, []
            for term in op.terms:
                if isinstance(term.index, ir.Const):
                    base += (term.index.value - term.low) * term.stride
                else:
                    terms.append((self.text(term.index), term.stride, term.low))
            return self._offset(base, terms)
        texts = [(self.text(term.index), term.stride, term.low) for term in op.terms]
        if all(text.isidentifier() for text, _, _ in texts):  # quicker read twice than called
            missing = " or ".join(f"{text} < 0" for text, _, _ in texts)
            return f"(-1 if {missing} else {self._offset(op.base, texts)})"
        # Written twice, `c.next.next.next.owner` would double with each step.
        base = op.base - sum(low * stride for _, stride, low in texts)
        return f"address_or_none({base}, {', '.join(f'{text}, {stride}' for text, stride, _ in texts)})"

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
        """The text of an address without its outer brackets, for use between `[` and `]`."""
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

    def is_optional(self, address: Op) -> bool:
        """True if the address may be none."""
        return isinstance(address, ir.Address) and address.optional

    def _read(self, address: Op, none: int) -> str:
        if self.is_optional(address):
            return f"read_or({self.f}, {self.index(address)}, {none})"
        return f"{self.f}[{self.index(address)}]"

    def _read_field(self, op: ir.ReadField) -> str:
        return self._read(op.address, op.none)

    def _read_slot(self, op: ir.ReadSlot) -> str:
        return self._read(op.address, NONE)

    def _face(self, op: ir.Face) -> str:
        dice = self.layout.dice
        return f"{self.f}[{dice} + {self.text(op.die)}]" if dice else f"{self.f}[{self.index(op.die)}]"

    def _contents(self, op: ir.Contents) -> str:
        return f"{self.p}[{self.index(op.address)}]"

    def _group(self, op: ir.Group) -> str:
        return f"group({self.f}, {self.index(op.address)}, {op.size})"

    def _slot_contents(self, op: ir.SlotContents) -> str:
        return f"one_or_none({self._read(op.address, NONE)})"

    def _boxed(self, op: ir.Boxed) -> str:
        pieces = tuple(piece for low, size in op.ranges for piece in range(low, low + size))
        return f"[e_ for e_ in {self.constant(pieces)} if {self.at}[e_] == -1]"

    def _lookup(self, op: ir.Lookup) -> str:
        return op.table + "".join(f"[{self.index(one)}]" for one in (op.index, *op.more))

    def _indexed(self, op: ir.Indexed) -> str:
        texts = [self.text(value) for value in op.values]
        key = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        return f"{op.index}.get({key}, ())"

    def _tuple(self, op: ir.Tuple) -> str:
        return self.sequence_of(op.items)

    def sequence_of(self, items: tuple[Op, ...]) -> str:
        inner = ", ".join(self.text(item) for item in items)
        return f"({inner},)" if items else "()"

    def called(self, routine: str, args: tuple[Op, ...]) -> str:
        """A call of a function of the emitted module, which gets the state first."""
        return f"{routine}({', '.join(['S', *(self.text(arg) for arg in args)])})"

    def _score_line(self, op: ir.ScoreLine) -> str:
        return f"({op.text}, {self.called(f'text_{op.text}', op.args)}, {self.text(op.points)})"

    def _memory(self, op: ir.Memory) -> str:
        return "-1" if op.how == "row" else "[]"

    def _current(self, op: ir.Snapshot | ir.Changed) -> str:
        is_fields = op.kind == "fields"
        return f"{self.f}[{op.base}:{op.base + op.size}]" if is_fields else f"place_counts(S, {op.base}, {op.size})"

    def _snapshot(self, op: ir.Snapshot) -> str:
        return f"tuple({self._current(op)})" if op.kind == "fields" else self._current(op)

    def _changed(self, op: ir.Changed) -> str:
        return f"changed_since({self.text(op.snapshot)}, {self._current(op)}, {op.change!r})"

    # ------------------------------------------------------------------ arithmetic and tests

    def _unary(self, op: ir.Unary) -> str:
        called = {"negative": "", "absolute": "abs", "sign": "sign"}[op.what]
        return f"{called}({self.text(op.of)})" if called else f"(-{self.text(op.of)})"

    def _compare(self, op: ir.Compare) -> str:
        sign, none_a, none_b = op.sign, op.none_left, op.none_right
        left, right = self.text(op.left), self.text(op.right)
        if sign in ("==", "!="):
            if none_a is None or none_b is None:
                return f"({left} {sign} {right})"
            same = f"({left} == {right} != {none_b})"
            return same if sign == "==" else f"(not {same})"
        # None of a number is the smallest number of all. Where the other side is never none, nothing is less than it.
        tests_a = none_a is not None and (sign in ("<", "<=") or none_a != NO_NUMBER or none_b is not None)
        tests_b = none_b is not None and (sign in (">", ">=") or none_b != NO_NUMBER or none_a is not None)
        before, behind = f"{none_a} != " if tests_a else "", f" != {none_b}" if tests_b else ""
        return f"({before}{left} {sign} {right}{behind})"

    def _otherwise(self, op: ir.Otherwise) -> str:
        value = self.text(op.value)
        is_short = isinstance(op.value, ir.Lookup) and len(value) < SHORT_TEXT
        if isinstance(op.value, ir.Local) or is_short:  # quicker read twice than called
            return f"({value} if {value} != {op.none} else {self.text(op.fallback)})"
        return f"instead_of_none({value}, {op.none}, lambda: {self.text(op.fallback)})"

    def _contains(self, op: ir.Contains) -> str:
        elements = plain_elements(op.source)
        if elements is not None:
            inner = ", ".join(self.text(element) for element in elements)
            return f"({self.text(op.item)} in ({inner},))"
        return f"({self.text(op.item)} in {self.text(op.source)})"

    def _inside(self, op: ir.Inside) -> str:
        place = self.text(op.place)
        if self.is_optional(op.place):
            return f"(-1 != {place} == {self.at}[{self.text(op.item)}])"
        return f"({self.at}[{self.text(op.item)}] == {place})"

    def _inside_group(self, op: ir.InsideGroup) -> str:
        first, at = self.text(op.first), f"{self.at}[{self.text(op.item)}]"
        if self.is_optional(op.first):  # the slots of none, -1, would begin with the box
            return f"is_in_group({first}, {op.size}, {at})"
        return f"({first} <= {at} < {first} + {op.size})"

    def _in_ranges(self, op: ir.InRanges) -> str:
        merged, text = op.joined, self.text(op.item)
        if len(merged) == 1:
            low, size = merged[0]
            return f"({text} == {low})" if size == 1 else f"({low} <= {text} < {low + size})"
        return f"({text} in {self.constant(tuple(n for low, size in merged for n in range(low, low + size)))})"

    def _in_range(self, op: ir.InRange) -> str:
        none = NO_NUMBER if isinstance(op.type, Maybe) else None
        return f"in_range({self.text(op.value)}, {op.low}, {op.high}, {op.name!r}, {none})"

    def _fitting(self, op: ir.Fitting) -> str:
        none = NO_NUMBER if isinstance(op.type, Maybe) else None
        return f"fitting({self.text(op.value)}, {op.low}, {op.high}, {op.what!r}, {none})"


# ---------------------------------------------------------------------------- what lies side by side


def constants_in(source: Op) -> tuple[int, ...]:
    """The elements of a set that is always the same; empty if the set is not constant."""
    match source:
        case ir.Sequence():
            return source.values
        case ir.Range(low=ir.Const(value=low), high=ir.Const(value=high)):
            return tuple(range(low, high + 1))
        case _:
            return ()


def own_field(local: str, read: Op) -> int | None:
    """The distance from the number of x to the offset of its own field that is read."""
    first = first_of_run(local, read, 0)
    return first.base if first is not None and not first.terms else None


def first_of_run(local: str, read: Op, first: int) -> ir.Address | None:
    """The address that is read for the first x, if those for the following ones lie directly behind it."""
    match read:
        case (
            ir.ReadField(address=ir.Address(optional=False) as address)
            | ir.ReadSlot(address=ir.Address(optional=False) as address)
        ):
            pass
        case _:
            return None
    own = [term for term in address.terms if isinstance(term.index, ir.Local) and term.index.name == local]
    others = tuple(term for term in address.terms if term not in own)
    if len(own) != 1 or own[0].stride != 1 or local in free_locals(others):
        return None
    return replace(address, base=address.base + first - own[0].low, terms=others)
