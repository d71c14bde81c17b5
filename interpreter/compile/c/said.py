"""What is said of sets, as C: whether some or all have something, how many, the largest, the first, the only one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from ...check.value_types import none_of
from .. import ir
from ..ir import Op
from .atoms import ROOM, _c
from .sets import FEW, Sets

BITS_PAY = 3  # elements from which looking for a number among the bits of a word is cheaper than comparing it


class Said(Sets):
    # ------------------------------------------------------------------ what is said of sets

    def _found(self, op: ir.Some | ir.Every, tests: list[tuple[Op, bool]], start: int) -> str:
        """Goes over a set until all tests come out as said; the answer is then the other one."""
        name = self.fresh()
        self.line(f"num {name} = {start};")
        with self.loop(op.source, op.local):
            for test, wanted in tests:
                self.line(f"if ({'!' if wanted else ''}{self.test(test)}) continue;")
            self.line(f"{name} = {1 - start};")
            self.line("break;")
        return name

    def _some(self, op: ir.Some) -> str:
        where = [(op.where, True)] if op.where is not None else []
        return self._found(op, [*where, (op.has, True)], 0)

    def _every(self, op: ir.Every) -> str:
        where = [(op.where, True)] if op.where is not None else []
        return self._found(op, [*where, (op.has, False)], 1)

    def _contains(self, op: ir.Contains) -> str:
        source = op.source.of if isinstance(op.source, ir.Public) else op.source
        elements = single_elements(source)
        if elements is not None and self._are_bits(op.item, elements):
            bits = " | ".join(f"UINT64_C(1) << {self.x(element)}" for element in elements)
            return f"(({bits}) >> {self.x(op.item)} & 1)"  # in a loop the C compiler puts the bits together once
        if elements is not None:  # asked one by one: no set is made for it
            item = self.atom(op.item)
            return f"({' || '.join(f'{item} == {self.x(element)}' for element in elements)})" if elements else "0"
        match source:
            case ir.Sequence() if len(source.values) <= FEW:
                item = self.atom(op.item)
                return f"({' || '.join(f'{item} == {_c(value)}' for value in source.values)})" if source.values else "0"
            case ir.Sequence() if source.values == tuple(range(source.values[0], source.values[-1] + 1)):
                item = self.atom(op.item)
                return f"({item} >= {_c(source.values[0])} && {item} <= {_c(source.values[-1])})"
            case ir.Range():
                item, low, high = self.atom(op.item), self.x(source.low), self.x(source.high)
                return f"({item} >= {low} && {item} <= {high})"
            case ir.Contents():
                item, place = self.atom(op.item), self.atom(source.address)
                return f"({item} >= 0 && {place} >= 0 && RW_AT(S, {item}) == {place})"
            case ir.Local() | ir.Lookup() | ir.MapTable() | ir.Indexed() | ir.Sequence() | ir.ChosenSet():
                item = self.x(op.item)
                return f"rw_has({self.held(source)}, {item})"
        item, name = self.atom(op.item), self.fresh()
        self.line(f"num {name} = 0;")
        with self.loop(source, "e_"):
            self.line(f"if (e_ == {item}) {{ {name} = 1; break; }}")
        return name

    def _are_bits(self, item: Op, elements: Sequence[Op]) -> bool:
        """All numbers are those of the bits of a word."""
        known = [self.numbers(each) for each in (item, *elements)]
        return len(elements) >= BITS_PAY and all(each.lowest >= 0 and each.high < 64 for each in known)

    def size(self, op: Op) -> str:
        match op:
            case ir.Sequence():
                return str(len(op.values))
            case ir.Contents() if not self.is_optional(op.address):
                return f"(num)S->count[{self.x(op.address)}]"
            case ir.Group() if not self.is_optional(op.address):
                return f"rw_filled(S, {self.x(op.address)}, {op.size})"
            case ir.Local() | ir.Lookup() | ir.MapTable() | ir.Indexed() | ir.ChosenSet() | ir.Result():
                return f"(num){self.held(op)}.n"
            case ir.Public():
                return self.size(op.of)
            case ir.Marked():
                return self.marked_count(op)
        name = self.fresh()
        self.line(f"num {name} = 0;")
        with self.loop(op, "e_"):
            self.line("(void)e_;")
            self.line(f"{name}++;")
        return name

    def _is_empty(self, op: ir.IsEmpty) -> str:
        match op.of:
            case ir.Sequence() | ir.Contents() | ir.Local() | ir.Lookup() | ir.MapTable() | ir.Indexed():
                return f"({self.size(op.of)} == 0)"
            case ir.Marked():
                return self.marked_empty(op.of)
        name = self.fresh()
        self.line(f"num {name} = 1;")
        with self.loop(op.of, "e_"):
            self.line("(void)e_;")
            self.line(f"{name} = 0;")
            self.line("break;")
        return name

    def _is_full(self, op: ir.IsFull) -> str:
        return f"({self.size(op.of)} >= {op.capacity})"

    def _count(self, op: ir.Count) -> str:
        return self.size(op.of)

    def _count_where(self, op: ir.CountWhere) -> str:
        name = self.fresh()
        self.line(f"num {name} = 0;")
        with self.loop(op.source, op.local):
            self.line(f"{name} += !!{self.test(op.where)};")
        return name

    def _sum_of(self, op: ir.SumOf) -> str:
        self.in_64_bits(op)
        name = self.fresh()
        self.line(f"num {name} = 0;")
        with self.loop(op.source, op.local, op.where):
            self.line(f"{name} += {self.x(op.value)};")
        return name

    def _extreme_of(self, op: ir.ExtremeOf) -> str:
        name = self.fresh()
        self.line(f"num {name} = 0; int {name}_any = 0;")
        sign = ">" if op.which == "max" else "<"
        with self.loop(op.source, op.local, op.where):
            value = self.atom(op.value)
            self.line(f"if (!{name}_any || {value} {sign} {name}) {{ {name} = {value}; {name}_any = 1; }}")
        if op.otherwise is not None:
            with self.block(f"if (!{name}_any)"):
                self.line(f"{name} = {self.x(op.otherwise)};")
        return name

    def _extreme(self, op: ir.Extreme) -> str:
        name = self.named(self.x(op.items[0]))
        sign = ">" if op.which == "max" else "<"
        for item in op.items[1:]:
            value = self.atom(item)
            self.line(f"if ({value} {sign} {name}) {name} = {value};")
        return name

    # ------------------------------------------------------------------ one of a set

    def _none(self, op: Op) -> str:
        return _c(none_of(op.type))

    def _the(self, op: ir.The) -> str:
        if isinstance(best := op.of, ir.Best):
            return self._the_best(op, best)
        name, n = self.fresh(), self.fresh("n")
        self.line(f"num {name} = {self._none(op)}; int {n} = 0;")
        with self.loop(op.of, "e_"):
            self.line(f"if ({n}++) {{ {name} = {self._none(op)}; break; }}")
            self.line(f"{name} = e_;")
        return name

    def _the_best(self, op: ir.The, best: ir.Best) -> str:
        name, most, n = self.fresh(), self.fresh("m"), self.fresh("n")
        self.line(f"num {name} = {self._none(op)}, {most} = 0; int {n} = 0;")
        with self.loop(best.source, best.local, best.where):
            value = self.named(self.x(best.measure))
            better = f"{value} {'>' if best.best == 'most' else '<'} {most}"
            self.line(f"if (!{n} || {better}) {{ {name} = {best.local}; {most} = {value}; {n} = 1; }}")
            self.line(f"else if ({value} == {most}) {name} = {self._none(op)};")
        return name

    def _first(self, op: ir.First) -> str:
        if isinstance(op.source, ir.Indexed) and op.where is None:  # `cell(row, column)`
            table, where = self.keyed_position(op.source)
            first = self.keyed_first(table, none_of(op.type))
            return self.named(f"{where} < 0 ? {self._none(op)} : (num){first}[{where}]")
        name = self.fresh()
        self.line(f"num {name} = {self._none(op)};")
        with self.loop(op.source, op.local, op.where):
            self.line(f"{name} = {op.local};")
            self.line("break;")
        return name

    def _end(self, op: ir.End) -> str:
        if isinstance(op.of, ir.Contents) and not self.is_optional(op.of.address):
            ends = "RW_FIRST" if op.which == "first" else "RW_LAST"
            return f"(num){ends}(S, {self.x(op.of.address)})"
        if op.which == "first" and isinstance(op.of, ir.Marked):
            return self.marked_first(op.of, self._none(op))
        if op.which == "first":
            return self._first(ir.First("e_", op.of, None, type=op.type, span=op.span))
        held = self.held(op.of)
        return f"({held}.n ? (num){held}.v[{held}.n - 1] : {self._none(op)})"

    def _element(self, op: ir.Element) -> str:
        if isinstance(op.source, ir.Contents):
            return f"rw_nth(S, {self.x(op.source.address)}, {self.x(op.position)})"
        position = self.x(op.position)
        return f"(num){self.held(op.source)}.v[{position}]"

    def _position(self, op: ir.Position) -> str:
        if isinstance(op.source, ir.Contents):
            place, piece = self.atom(op.source.address), self.atom(op.item)
            return f"rw_position_in(S, {place}, {piece})"
        source, item = self.held(op.source), self.x(op.item)
        return f"rw_position({source}, {item})"

    def _walk_on(self, op: ir.WalkOn) -> str:
        row, piece, old = self.held(op.row), self.x(op.piece), self.x(op.old)
        return f"rw_walk_on({row}, {piece}, {old})"

    def _memory(self, op: ir.Memory) -> str:
        return "-1"

    # ------------------------------------------------------------------ masks: see `masks`

    @abstractmethod
    def marked_count(self, op: ir.Marked) -> str: ...

    @abstractmethod
    def marked_empty(self, op: ir.Marked) -> str: ...

    @abstractmethod
    def marked_first(self, op: ir.Marked, none: str) -> str: ...

    # ------------------------------------------------------------------ seats

    def _round(self, op: Op) -> tuple[str, int, int] | None:
        """Numbers from 0 on, such as those of all players, from one of them round to the one before it: which one, how
        many of them are left out, and how many there are."""
        if not isinstance(op, ir.TurnedTo | ir.Following) or not isinstance(op.source, ir.Sequence):
            return None
        count, numbers = len(op.source.values), self.numbers(op.item)
        if op.source.values != tuple(range(count)) or numbers.none is not None:
            return None
        known = 0 <= numbers.low and numbers.high < count
        return (self.atom(op.item), int(isinstance(op, ir.Following)), count) if known else None

    def _open_loop(self, op: Op, local: str) -> None:
        found = self._round(op)
        if found is None:
            super()._open_loop(op, local)
            return
        (first, left_out, count), step = found, self.fresh("i")
        self._open(f"for (num {step} = {first} + {left_out}; {step} < {first} + {count}; {step}++)")
        self.line(f"num {local} = {step} < {count} ? {step} : {step} - {count};")

    def fill(self, op: Op, room: str) -> str:
        if self._round(op) is None:
            return super().fill(op, room)
        n = self.fresh("n")
        self.line(f"int32_t {n} = 0;")
        with self.loop(op, "e_"):
            self.put(room, n, "e_", 0 if self.is_proved(op) else ROOM)
        return n

    def _next_seat(self, op: ir.NextSeat) -> str:
        return f"rw_next_seat(S, {self.x(op.player)})"

    def _still_in(self, op: ir.StillIn) -> str:
        return f"rw_still_in(S, {self.x(op.player)})"

    def _unskipped(self, op: ir.Unskipped) -> str:
        """The seats are turned to the player first, whose name the test may bind anew."""
        name, room = self.fresh(), self.fresh("b")
        seats, player = self.held(op.seats), self.x(op.player)
        self.room_for("elt", room, self.players)
        turned = self.fresh("s")
        self.line(f"const Set {turned} = {{{room}, rw_turned({room}, {seats}, {player}, 0)}};")
        self.line(f"num {name} = -1;")
        self._open_array(turned, op.local)
        self.line(f"if ({self.test(op.skip)}) continue;")
        self.line(f"{name} = {op.local};")
        self.line("break;")
        self.function.depth -= 1
        self.line("}")
        return name


def single_elements(source: Op) -> tuple[Op, ...] | None:
    """The elements of a set that is put together from single values; None if it is anything else."""
    match source:
        case ir.Tuple():
            return source.items
        case ir.Join() | ir.Concatenate() if not any(item.is_set or item.none is not None for item in source.items):
            return tuple(item.of for item in source.items)
    return None
