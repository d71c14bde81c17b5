"""Operations as C expressions: numbers, fields, places, arithmetic and tests.

`x(op)` writes the statements that an operation needs and gives its value as a C expression without side effects, which
must be used before the next instruction. `atom(op)` gives a name or a number, for values that are read more than once.
`test(op)` gives a C condition: an answer that is unsure does not hold.
"""

from __future__ import annotations

from collections.abc import Callable

from ...check.value_types import NO_NUMBER, NONE, Maybe, PlaceOf, SetOf
from ...files.records import handler
from .. import ir
from ..bounds import Bound, Bounds, sizes_in
from ..ir import Op, Routine
from ..meta import Meta
from ..ranges import ANY, Range
from ..unit import Unit
from .function import CannotEmit
from .kept import keep_numbers
from .tables import Tables
from .widths import ONE_NUMBER, TOO_WIDE, Widths, may_be_wide

SETS = (ir.Listed, ir.CheapestTo, ir.Snapshot, ir.Rebased, ir.Append, ir.Tuple, ir.Concatenate, ir.Paid)
# No set has more room. One that nothing bounds is given this much, and to want more is a fault: Python goes on then.
# The checker lets no set of numbers have more than a hundred thousand, and no map more edges.
ROOM = 1 << 17


class Atoms(Tables):
    def __init__(self, unit: Unit, meta: Meta, bounds: Bounds, tables: dict[str, object]) -> None:
        super().__init__(tables)
        self.unit, self.meta, self.bounds = unit, meta, bounds
        self.layout, self.players = unit.layout, unit.program.players
        self.kept = keep_numbers(unit.layout)
        self.unsure_routines: set[str] = set()
        self.faulty: set[str] = set()  # pure routines that may meet a fault
        self.read_locals: set[str] = set()  # of the routine in the making: what some operation reads
        self.rooms: dict[str, int] = {}  # of locals that are no sets of the rules
        self.bound_of: Callable[[Op], Bound] = lambda op: Bound(ANY)
        self.wide_results: dict[str, int] = {}  # of values that may be wider than 32 bits
        self.widths = Widths(Routine("", "pure", ()), self.bound_of, {})

    def begin_routine(self, routine: Routine) -> None:
        self.read_locals = {op.name for op in routine.operations() if isinstance(op, ir.Local)}
        nodes, lets = len(self.unit.program.nodes), (ins for ins in routine.instructions() if isinstance(ins, ir.Let))
        self.rooms = {let.local: nodes for let in lets if isinstance(let.value, ir.CheapestTo)}
        self.bound_of = sizes_in(self.unit, routine, self.bounds)
        self.widths = Widths(routine, self.bound_of, self.wide_results)

    # ------------------------------------------------------------------ facts about operations

    def is_set(self, op: Op) -> bool:
        match op:
            case ir.Local():
                return op.name in self.function.sets
            case ir.Memory():
                return op.how == "key"
            case ir.Result() | ir.Conditional() | ir.CallValue() | ir.Public() | ir.Lookup() | ir.MapTable():
                return isinstance(op.type, SetOf | PlaceOf)
            case ir.ScoreLine():
                return False
        return isinstance(op, SETS) or isinstance(op.type, SetOf | PlaceOf)

    def room(self, op: Op) -> int:
        """How many elements a set can have at most."""
        if isinstance(op, ir.CheapestTo):
            return len(self.unit.program.nodes)
        if isinstance(op, ir.Local) and op.name in self.rooms:
            return self.rooms[op.name]
        size = self.bound_of(op).size
        return ROOM if size is None else max(1, min(size, ROOM))

    def is_proved(self, op: Op) -> bool:
        """The set fits into its room whatever happens."""
        size = self.bound_of(op).size
        return isinstance(op, ir.CheapestTo) or (size is not None and size <= ROOM)

    def kept_room(self, size: int | None) -> int:
        """The room in the state of a set with at most so many elements; `rw_keep` tests whether it is enough."""
        return max(1, min(ROOM, ROOM if size is None else size))

    def narrow(self, op: Op) -> Op:
        """The operation, whose value is kept in 32 bits."""
        if may_be_wide(op) and self.widths.of(op) > ONE_NUMBER:
            raise CannotEmit("a number that may be larger than 32 bits is kept")
        return op

    def in_64_bits(self, op: Op) -> None:
        """What is made out of other numbers has 64 bits; Python's numbers grow by themselves."""
        if may_be_wide(op) and self.widths.of(op) >= TOO_WIDE:
            raise CannotEmit("a number may become larger than 64 bits")

    def numbers(self, op: Op) -> Range:
        return self.bound_of(op).numbers

    def may_be_unsure(self, op: Op) -> bool:
        match op:
            case ir.Unsure():
                return True
            case ir.Local():
                return op.name in self.function.unsure
            case ir.CallValue():
                return op.routine in self.unsure_routines
            case ir.And() | ir.Or():
                return self.may_be_unsure(op.left) or self.may_be_unsure(op.right)
            case ir.Conditional():
                return self.may_be_unsure(op.then) or self.may_be_unsure(op.otherwise)
            case ir.Public():
                return self.may_be_unsure(op.of)
        return False

    # ------------------------------------------------------------------ values

    def x(self, op: Op) -> str:
        method: Callable[[Op], str] = getattr(self, handler(type(op)))
        return method(op)

    def atom(self, op: Op) -> str:
        text = self.x(op)
        return text if text.isidentifier() or text.lstrip("-(").rstrip(")").isdigit() else self.named(text)

    def named(self, text: str) -> str:
        name = self.fresh()
        self.line(f"num {name} = {text};")
        return name

    def test(self, op: Op) -> str:
        if not self.may_be_unsure(op):
            match op:
                case ir.Not(of=ir.Not(of=inner)):
                    return self.test(inner)
                case ir.Not():
                    return f"!{self.test(op.of)}"
                case _:
                    return self.x(op)
        match op:
            case ir.And() | ir.Or():
                return self._both(op, self.test)
            case _:
                return f"({self.x(op)} == RW_YES)"

    def _both(self, op: ir.And | ir.Or, value: Callable[[Op], str]) -> str:
        """The right side is worked out only if the left one does not settle it."""
        left = value(op.left)
        right, lines = self._aside(op.right, value)
        sign = "&&" if isinstance(op, ir.And) else "||"
        if not lines:
            return f"({left} {sign} {right})"
        name = self.fresh()
        self.line(f"num {name} = {left};")
        with self.block(f"if ({name if isinstance(op, ir.And) else f'!{name}'})"):
            self.function.lines += lines
            self.line(f"{name} = {right};")
        return name

    def _aside(self, op: Op, value: Callable[[Op], str]) -> tuple[str, list[str]]:
        """A value that may not be worked out at all, with the lines that it takes."""
        lines: list[str] = []
        with self.captured(lines):
            text = value(op)
        return text, lines

    def _and(self, op: ir.And) -> str:
        return self._three_valued(op) if self.may_be_unsure(op) else self._both(op, self.test)

    def _or(self, op: ir.Or) -> str:
        return self._three_valued(op) if self.may_be_unsure(op) else self._both(op, self.test)

    def _three_valued(self, op: ir.And | ir.Or) -> str:
        """As Python has it: the left side itself unless it holds (`and`), or if it holds (`or`); else the right one."""
        name = self.fresh()
        self.line(f"num {name} = {self.x(op.left)};")
        with self.block(f"if ({name} {'==' if isinstance(op, ir.And) else '!='} RW_YES)"):
            self.line(f"{name} = {self.x(op.right)};")
        return name

    def _not(self, op: ir.Not) -> str:
        return f"(!{self.test(op.of)})"

    def _conditional(self, op: ir.Conditional) -> str:
        condition = self.test(op.condition)
        then, then_lines = self._aside(op.then, self.x)
        otherwise, else_lines = self._aside(op.otherwise, self.x)
        if not then_lines and not else_lines:
            return f"({condition} ? {then} : {otherwise})"
        name = self.fresh()
        self.line(f"num {name};")
        self.line(f"if ({condition}) {{")
        self.function.lines += then_lines
        self.line(f"    {name} = {then};")
        self.line("} else {")
        self.function.lines += else_lines
        self.line(f"    {name} = {otherwise};")
        self.line("}")
        return name

    def _otherwise(self, op: ir.Otherwise) -> str:
        value = self.atom(op.value)
        fallback, lines = self._aside(op.fallback, self.x)
        if not lines:
            return f"({value} != {_c(op.none)} ? {value} : {fallback})"
        name = self.named(value)
        with self.block(f"if ({name} == {_c(op.none)})"):
            self.function.lines += lines
            self.line(f"{name} = {fallback};")
        return name

    # ------------------------------------------------------------------ atoms and the state

    def _const(self, op: ir.Const) -> str:
        return _c(op.value)

    def _local(self, op: ir.Local) -> str:
        return op.name

    def _address(self, op: ir.Address) -> str:
        base, terms = op.base, []
        for term in op.terms:
            if isinstance(term.index, ir.Const) and not op.optional:
                base += (term.index.value - term.low) * term.stride
                continue
            base -= term.low * term.stride
            terms.append((self.atom(term.index) if op.optional else self.x(term.index), term.stride))
        offset = " + ".join(text if stride == 1 else f"{stride} * {text}" for text, stride in terms)
        whole = f"({offset} + {_c(base)})" if offset and base else f"({offset})" if offset else _c(base)
        if not op.optional or not terms:
            return whole
        missing = " || ".join(f"{text} < 0" for text, _ in terms)
        return f"(({missing}) ? -1 : {whole})"

    def is_optional(self, address: Op) -> bool:
        return not isinstance(address, ir.Const) and not (isinstance(address, ir.Address) and not address.optional)

    def _read(self, address: Op, none: int) -> str:
        if isinstance(address, ir.Address) and address.optional:
            where = self.named(self.x(address))
            return f"({where} >= 0 ? {self.number_at(where, self.numbers(address))} : {_c(none)})"
        return self.number_at(self.x(address), self.numbers(address))

    def number_at(self, where: str, addresses: Range) -> str:
        """The number at an address that is one of these. Where the C is written without knowing in which array that
        is, it asks while it runs."""
        try:
            offset = self.kept.offset(addresses)
        except LookupError:
            return f"rw_number(S, {where})"
        if offset is not None:
            return f"(num)S->wide[{where}{_added(offset)}]"
        shift = self.kept.small.shift
        return f"((num)S->small[{where}] - {shift})" if shift else f"(num)S->small[{where}]"

    def store_at(self, where: str, value: str, addresses: Range) -> str:
        """A store of a number, and of nothing else."""
        try:
            offset = self.kept.offset(addresses)
        except LookupError:
            return f"rw_set_number(S, {where}, {value});"
        if offset is not None:
            return f"S->wide[{where}{_added(offset)}] = (RW_WIDE){value};"
        return f"S->small[{where}] = (RW_SMALL)({value}{_added(self.kept.small.shift)});"

    def slot_at(self, where: str) -> str:
        return self.number_at(where, Range(0, max(0, self.layout.slots - 1)))

    def dice(self) -> Range:
        sizes = [spot.size for field, spot in self.layout.fields.items() if field.is_dice]
        return Range(self.layout.dice, self.layout.dice + max(1, sum(sizes)) - 1)

    def _read_field(self, op: ir.ReadField) -> str:
        return self._read(op.address, op.none)

    def _read_slot(self, op: ir.ReadSlot) -> str:
        return self._read(op.address, NONE)

    def _face(self, op: ir.Face) -> str:
        return self.number_at(f"{self.layout.dice} + {self.x(op.die)}", self.dice())

    def _lookup(self, op: ir.Lookup) -> str:
        indexes = [self.x(index) for index in (op.index, *op.more)]
        name, sizes = self.table(op.table, len(indexes), of_sets=False)
        return f"(num){name}[{position_text(indexes, sizes)}]"

    # ------------------------------------------------------------------ arithmetic and tests

    def _arithmetic(self, op: ir.Arithmetic) -> str:
        left, right = self.x(op.left), self.x(op.right)
        if op.sign in ("+", "-", "*"):
            self.in_64_bits(op)
            return f"({left} {op.sign} {right})"
        divisor = self.numbers(op.right)
        if divisor.lowest <= 0 <= divisor.high:
            right = self.named(right)
            self.fault_if(f"{right} == 0", 901, right, op.span)
        if self.numbers(op.left).lowest >= 0 and divisor.lowest >= 0:
            return f"({left} {'/' if op.sign == '//' else '%'} {right})"
        return f"{'rw_quotient' if op.sign == '//' else 'rw_remainder'}({left}, {right})"

    def _unary(self, op: ir.Unary) -> str:
        if op.what == "negative":
            return f"(-{self.x(op.of)})"
        value = self.atom(op.of)
        if op.what == "absolute":
            return f"({value} < 0 ? -{value} : {value})"
        return f"(({value} > 0) - ({value} < 0))"

    def _compare(self, op: ir.Compare) -> str:
        none_a, none_b = op.none_left, op.none_right
        if (none_a is None and none_b is None) or (op.sign in ("==", "!=") and (none_a is None or none_b is None)):
            return f"({self.x(op.left)} {op.sign} {self.x(op.right)})"
        left, right = self.atom(op.left), self.atom(op.right)
        if op.sign in ("==", "!="):
            same = f"({left} == {right} && {right} != {_c(none_b or 0)})"
            return same if op.sign == "==" else f"(!{same})"
        tests = [f"{left} {op.sign} {right}"]
        tests += [f"{left} != {_c(none_a)}"] if none_a is not None else []
        tests += [f"{right} != {_c(none_b)}"] if none_b is not None else []
        return f"({' && '.join(tests)})"

    def _inside(self, op: ir.Inside) -> str:
        place, item = self.x(op.place), self.x(op.item)
        if isinstance(op.place, ir.Address) and not op.place.optional:
            return f"(RW_AT(S, {item}) == {place})"
        place = self.named(place)
        return f"({place} != -1 && RW_AT(S, {item}) == {place})"

    def _inside_group(self, op: ir.InsideGroup) -> str:
        first, place = self.atom(op.first), self.named(f"RW_AT(S, {self.x(op.item)})")
        is_any = (
            f"{first} >= 0 && " if self.is_optional(op.first) else ""
        )  # slots of none, -1, would begin with the box
        return f"({is_any}{first} <= {place} && {place} < {first} + {op.size})"

    def _in_box(self, op: ir.InBox) -> str:
        return f"(RW_AT(S, {self.x(op.item)}) == -1)"

    def _in_ranges(self, op: ir.InRanges) -> str:
        item = self.atom(op.item)
        tests = [
            f"{item} == {_c(low)}" if size == 1 else f"({item} >= {_c(low)} && {item} < {low + size})"
            for low, size in op.joined
        ]
        return f"({' || '.join(tests)})" if tests else "0"

    def _is_none(self, op: ir.IsNone) -> str:
        return f"({self.x(op.of)} == {_c(op.none)})"

    def _has_bit(self, op: ir.HasBit) -> str:
        return f"({self.x(op.mask)} >> {op.number} & 1)"

    def _in_range(self, op: ir.InRange) -> str:
        return self._checked(op, 901)

    def _fitting(self, op: ir.Fitting) -> str:
        return self._checked(op, 907)

    def _filled(self, op: ir.Filled) -> str:
        value = self.named(self.x(op.value))
        self.fault_if(f"{value} < 0", 913, value, op.span)
        return value

    def _somebody(self, op: ir.Somebody) -> str:
        value = self.named(self.x(op.value))
        self.fault_if(f"{value} < 0", 916, value, op.span)
        return value

    def _checked(self, op: ir.InRange | ir.Fitting, code: int) -> str:
        value = self.named(self.x(op.value))
        outside = f"{value} < {_c(op.low)} || {value} > {_c(op.high)}"
        if isinstance(op.type, Maybe):
            outside = f"({outside}) && {value} != {_c(NO_NUMBER)}"
        self.fault_if(outside, code, value, op.span)
        return value

    def _rule_running(self, op: ir.RuleRunning) -> str:
        return f"rw_rule_running(S, {self.rule_number(op.rule)})"

    def rule_number(self, rule: str) -> int:
        """Rules are numbered in the order of their names; the same numbers stand in the table of segments."""
        names = sorted(set(self.meta.segment_rule))
        return names.index(rule) if rule in names else -1

    def _cell_running(self, op: ir.CellRunning) -> str:
        return f"rw_cell_running(S, {self.x(op.cell)})"

    def _is_known(self, op: ir.IsKnown) -> str:
        return "1"  # nobody keeps what players know here: playouts in Python say the same

    def _on_trial(self, op: ir.OnTrial) -> str:
        raise AssertionError("which way it is, is settled before anything is emitted")

    def _unsure(self, op: ir.Unsure) -> str:
        return "RW_UNSURE"

    def _is_unsure(self, op: ir.IsUnsure) -> str:
        if self.is_set(op.answer):  # a set that is worked out when it is first wanted: so far it is not there
            return f"({self.x(op.answer)}.n < 0)"
        return f"({self.x(op.answer)} == RW_UNSURE)" if self.may_be_unsure(op.answer) else "0"


def position_text(indexes: list[str], sizes: tuple[int, ...]) -> str:
    """Where a table has the entry for these indexes; each is one further on than in Python, none comes first."""
    text = f"{indexes[0]} + 1"
    for index, size in zip(indexes[1:], sizes[1:], strict=True):
        text = f"({text}) * {size} + {index} + 1"
    return text


def _added(offset: int) -> str:
    return f" {'-' if offset < 0 else '+'} {abs(offset)}" if offset else ""


def _c(value: int) -> str:
    if value == NO_NUMBER:
        return "RW_NO_NUMBER"
    return str(value) if value >= 0 else f"({value})"
