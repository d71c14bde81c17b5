"""Sets as C: loops over their elements where that is enough, arrays where a set must be kept.

`loop(op)` opens one C loop over the elements of a set; what is written inside it is run for each. `as_set(op)` gives a
`Set`, filled into a room of its own if it is not one already. Filters are never built for a loop: the loop tests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from ...check.value_types import Piece, SetOf
from ...diagnostics.source import NOWHERE
from .. import ir
from ..ir import Op
from ..ranges import Range
from .atoms import ROOM, Atoms, _c, position_text
from .function import TOO_LARGE

HELD = (
    ir.Local, ir.Sequence, ir.Lookup, ir.MapTable, ir.Indexed, ir.Result, ir.Public, ir.ChosenSet, ir.Counted,
    ir.Conditional, ir.CallValue, ir.MapQuery, ir.SetTable,
)  # sets that are there already, or that somebody else fills  # fmt: skip
GLANCES = (
    ir.Local, ir.Const, ir.Address, ir.ReadField, ir.ReadSlot, ir.IsNone, ir.Compare, ir.And, ir.Or, ir.Not,
    ir.Arithmetic, ir.Lookup,
)  # a test of these counts no work, so it makes no difference whether it is asked once more or less  # fmt: skip
MANY_COPIES, MANY_PIECES = 8, 24  # of one row, in one place: it pays to go past copies
FEW_SORTED = 64  # elements that are sorted one by one as they come, which takes the square of their number
FEW = 6  # a constant set of so few elements is tested one by one


def _is_run(source: Op) -> bool:
    """Numbers in a row: a loop over them needs no room."""
    if not isinstance(source, ir.Sequence):
        return True
    return bool(source.values) and source.values == tuple(range(source.values[0], source.values[-1] + 1))


class Sets(Atoms, ABC):
    _has_row_ends = False

    # ------------------------------------------------------------------ loops

    @contextmanager
    def loop(self, op: Op, local: str, where: Op | None = None) -> Iterator[None]:
        """One C loop over the elements, those that have `where`: `break` leaves it, `continue` goes on to the next."""
        depth = self.function.depth
        self._open_loop(op, local)
        if where is not None:
            self.line(f"if (!{self.test(where)}) continue;")
        yield
        self.close_to(depth)

    def close_to(self, depth: int) -> None:
        """Closes the blocks that were opened since."""
        while self.function.depth > depth:
            self.function.depth -= 1
            self.line("}")

    def _open(self, head: str) -> None:
        self.line(f"{head} {{")
        self.function.depth += 1

    def _open_loop(self, op: Op, local: str) -> None:
        match op:
            case ir.Sequence() if op.values and op.values == tuple(range(op.values[0], op.values[-1] + 1)):
                self._open(f"for (num {local} = {_c(op.values[0])}; {local} <= {_c(op.values[-1])}; {local}++)")
            case ir.Range():
                low, high = self.x(op.low), self.atom(op.high)
                self._open(f"for (num {local} = {low}; {local} <= {high}; {local}++)")
            case ir.Contents():
                self._open_list(op, local)
            case ir.Group():
                self._open_group(op, local)
            case ir.SlotContents():
                piece = self.named(self._read(op.address, -1))
                self._open(
                    f"for (num {local} = {piece}, once_{local} = 1; once_{local} && {local} >= 0; once_{local} = 0)"
                )
            case ir.Boxed():
                pieces = tuple(piece for low, size in op.ranges for piece in range(low, low + size))
                self._open_loop(ir.Sequence(pieces, type=op.type), local)
                self._open(f"if (RW_AT(S, {local}) == -1)")
            case ir.SeatsIn():
                self._open(f"for (num {local} = 0; {local} < {self.players}; {local}++)")
                self._open(f"if (!rw_is_gone(S, {local}))")
            case ir.All(key=None):
                self._open_filter(op, local)
            case ir.UpTo() if all(isinstance(part, GLANCES) for part in ir.operations(op.stop)):
                self._open_up_to(op, local)
            case ir.Without():
                self._open_without(op, local)
            case ir.Public():
                self._open_loop(op.of, local)
            case ir.Marked():
                self.open_marked(op, local)
            case ir.Sieved():
                self.open_sieved(op, local)
            case ir.Counted(source=ir.Marked() as source):
                self.open_marked(source, local, op)
            case ir.Counted(source=ir.Range() | ir.Sequence() as source) if _is_run(source):
                self._count_run(op, source)
                self._open_loop(source, local)
            case ir.Counted(source=ir.Contents() as source):
                self._count_list(op, source)
                self._open_loop(source, local)
            case _:
                self._open_array(self.as_set(op), local)

    def _count_run(self, op: ir.Counted, source: ir.Range | ir.Sequence) -> None:
        """Counts the passes over numbers in a row, which need no room."""
        if isinstance(source, ir.Sequence):
            self.count_work(str(len(source.values) * op.weight), op.span)
            return
        low, high = self.atom(source.low), self.atom(source.high)
        self.count_work(f"({high} >= {low} ? {high} - {low} + 1 : 0) * {op.weight}", op.span)

    def _count_list(self, op: ir.Counted, source: ir.Contents) -> None:
        place = self.atom(source.address)
        there = f"({place} >= 0 ? S->count[{place}] : 0)" if self.is_optional(source.address) else f"S->count[{place}]"
        self.count_work(f"(int64_t){there} * {op.weight}", op.span)

    def count_passes(self, op: ir.Counted) -> None:
        """Counts the elements of a set that is not gone over."""
        match op.source:
            case ir.Range() | ir.Sequence() if _is_run(op.source):
                self._count_run(op, op.source)
            case ir.Contents():
                self._count_list(op, op.source)
            case _:
                self._counted_set(op)

    @abstractmethod
    def open_marked(self, op: ir.Marked, local: str, counted: ir.Counted | None = None) -> None: ...

    @abstractmethod
    def open_sieved(self, op: ir.Sieved, local: str) -> None: ...

    @abstractmethod
    def set_table(self, op: ir.SetTable) -> str: ...

    def _open_array(self, text: str, local: str) -> None:
        held, position = text, self.fresh("i")
        if not text.isidentifier():
            held = self.fresh("s")
            self.line(f"const Set {held} = {text};")
        self._open(f"for (int32_t {position} = 0; {position} < {held}.n; {position}++)")
        self.line(f"num {local} = {held}.v[{position}];")

    def _open_list(self, op: ir.Contents, local: str) -> None:
        address = self.x(op.address)
        if self.is_optional(op.address):
            place = self.named(address)
            first = f"{place} >= 0 ? RW_FIRST(S, {place}) : -1"
        else:
            first = f"RW_FIRST(S, {address})"
        self._open(f"for (num {local} = {first}; {local} >= 0; {local} = RW_NEXT(S, {local}))")

    def _open_group(self, op: ir.Group, local: str) -> None:
        first, position = self.atom(op.address), self.fresh("i")
        there = f"{first} >= 0 && " if self.is_optional(op.address) else ""
        self._open(f"for (int {position} = 0; {there}{position} < {op.size}; {position}++)")
        self.line(f"num {local} = {self.slot_at(f'{first} + {position}')};")
        self._open(f"if ({local} >= 0)")

    def _open_filter(self, op: ir.All, local: str) -> None:
        if op.where is None:
            self._open_loop(op.source, local)
            return
        self._open_loop(op.source, op.local)
        self._open(f"if ({self.test(op.where)})")
        if local != op.local:
            self.line(f"num {local} = {op.local};")

    def _open_up_to(self, op: ir.UpTo, local: str) -> None:
        """A ray is gone along as far as it goes, without being kept. The element that stops it is gone through too, so
        the loop is left when the next one comes."""
        last = self.fresh("last")
        self.line(f"num {last} = 0;")
        self._open_array(self.as_set(op.source), op.local)
        self.line(f"if ({last}) break;")
        self.line(f"{last} = {self.test(op.stop)};")
        if local != op.local:
            self.line(f"num {local} = {op.local};")

    def _open_without(self, op: ir.Without, local: str) -> None:
        if op.is_set:
            left_out = self.held(op.left_out)
            self._open_loop(op.source, local)
            self._open(f"if (!rw_has({left_out}, {local}))")
        else:
            left_out = self.atom(op.left_out)
            self._open_loop(op.source, local)
            self._open(f"if ({local} != {left_out})")

    # ------------------------------------------------------------------ sets that are kept

    def held(self, op: Op) -> str:
        """A set by a name."""
        text = self.as_set(op)
        if text.isidentifier():
            return text
        name = self.fresh("s")
        self.line(f"const Set {name} = {text};")
        return name

    def is_static(self, op: Op) -> bool:
        """A set that is there for ever, whatever happens to the state and to this function."""
        match op:
            case ir.Sequence() | ir.Indexed() | ir.SetTable() | ir.Join(items=()):
                return True
            case ir.Sieved(mask=None, spent=None):
                return True
            case ir.Lookup() | ir.MapTable():
                return self.is_set(op)
            case ir.MapQuery():  # tables of the map, but for this one
                return op.what != "edges_joining" and self.is_set(op)
            case ir.All(where=None, key=None):  # a copy of what never changes
                return self.is_static(op.source)
            case _:
                return False

    def as_set(self, op: Op) -> str:
        match op:
            case ir.Local():
                return op.name
            case ir.Sequence():
                return self.constant_set(op.values)
            case ir.Lookup():
                indexes = [self.atom(index) for index in (op.index, *op.more)]
                name, sizes = self.table(op.table, len(indexes), of_sets=True)
                return self.set_in(name, self.named(position_text(indexes, sizes)))
            case ir.MapTable():
                return self.map_set(op)
            case ir.Indexed():
                return self._indexed_set(op)
            case ir.Result():
                return "(Set){S->r + 1, S->r[0]}"
            case ir.Public():
                return self.as_set(op.of)
            case ir.ChosenSet():
                return self.function.chosen
            case ir.Counted():
                return self._counted_set(op)
            case ir.Conditional():
                return self._conditional_set(op)
            case ir.CallValue():
                return self.called_set(op)
            case ir.MapQuery():
                return self.query_set(op)
            case ir.SetTable():
                return self.set_table(op)
            case ir.All() | ir.Sieved() if self.is_static(op):
                return self.as_set(op.source)
            case ir.Join(items=()):
                return "(Set){0, 0}"
            case _:
                room = self.fresh("b")
                self.room_for("elt", room, self.room(op))
                return f"(Set){{{room}, {self.fill(op, room)}}}"

    def is_filled(self, op: Op) -> bool:
        """A set that is written element by element into a room, wherever that is."""
        return not isinstance(op, HELD)

    def _conditional_set(self, op: ir.Conditional) -> str:
        name = self.fresh("s")
        self.line(f"Set {name};")
        condition = self.test(op.condition)
        with self.block(f"if ({condition})"):
            self.line(f"{name} = {self.as_set(op.then)};")
        with self.block("else"):
            self.line(f"{name} = {self.as_set(op.otherwise)};")
        return name

    def _counted_set(self, op: ir.Counted) -> str:
        held = self.held(op.source)
        self.count_work(f"(int64_t){held}.n * {op.weight}", op.span)
        return held

    def _indexed_set(self, op: ir.Indexed) -> str:
        name, where = self.keyed_position(op)
        return f"{where} < 0 ? (Set){{0, 0}} : {self.set_in(name, where)}"

    def keyed_position(self, op: ir.Indexed) -> tuple[str, str]:
        """The table, and where in it the elements stand; -1 if it has none such."""
        name, spans = self.keyed(op.index)
        values = [self.atom(value) for value in op.values]
        inside = " && ".join(
            f"{value} >= {_c(low)} && {value} < {low + count}"
            for value, (low, count) in zip(values, spans, strict=True)
        )
        text = ""
        for value, (low, count) in zip(values, spans, strict=True):
            own = f"({value} - {_c(low)})"
            text = f"({text}) * {count} + {own}" if text else own
        return name, self.named(f"({inside}) ? {text} : -1")

    def skip_equal(self, source: Op) -> str:
        """A line that goes from the piece `e_` to the last of its copies, if that lies in the same place: a supply of a
        hundred cards of ten sorts is gone over in ten steps. Where copies are few it would cost more than it saves."""
        held = source.type.of if isinstance(source.type, SetOf) else None
        if not isinstance(source, ir.Contents) or not isinstance(held, Piece):
            return ""
        most = self.bound_of(source).size
        copies = max((len(row.pieces) for row in self.unit.program.rows if row.kind in held.kinds), default=0)
        if copies < MANY_COPIES or (most is not None and most < MANY_PIECES):
            return ""
        if not self._has_row_ends:
            rows = self.meta.piece_row[:-1]
            last = {row: piece for piece, row in enumerate(rows)}
            self.array("RW_ROW_END", [0, *(last[row] for row in rows)], "int16_t")
            self._has_row_ends = True
        return f"if (RW_AT(S, RW_ROW_END[e_ + 1]) == {self.atom(source.address)}) e_ = RW_ROW_END[e_ + 1];"

    def fill(self, op: Op, room: str) -> str:
        """Writes the elements of a set into an array; gives the name of their number."""
        n, most = self.fresh("n"), 0 if self.is_proved(op) else ROOM
        match op:
            case ir.All() if op.key is not None:
                return self._sorted(op, room)
            case ir.Best():
                return self._best_of(op, room)
            case ir.Distinct():
                self.line(f"int32_t {n} = 0; num {n}_last = -1;")
                skip = self.skip_equal(op.source)
                with self.loop(op.source, "e_"), self.block(f"if (RW_ROW[e_ + 1] != {n}_last)"):
                    self.line(f"{n}_last = RW_ROW[e_ + 1];")
                    self.put(room, n, "e_", most)
                    self.line(skip)
            case ir.Join():
                self.line(f"int32_t {n} = 0;")
                for item in op.items:
                    self._join_item(item, room, n, most)
            case ir.Concatenate():
                self.line(f"int32_t {n} = 0;")
                for item in op.items:
                    if item.is_set:
                        with self.loop(item.of, "e_"):
                            self.put(room, n, "e_", most)
                    else:
                        self.put(room, n, self.x(self.narrow(item.of)), most)
            case ir.Append():
                source, added = self.held(op.source), self.x(self.narrow(op.item))
                self.line(f"int32_t {n} = rw_copied({room}, {source});")
                self.put(room, n, added, most)
            case ir.Tuple():
                values = [self.x(self.narrow(item)) for item in op.items]
                self.line(f"int32_t {n} = {len(values)};")
                for position, value in enumerate(values):
                    self.line(f"{room}[{position}] = (elt){value};")
            case ir.Listed():
                self.line(f"int32_t {n} = 0;")
                with self.loop(op.source, op.local):
                    self.put(room, n, self.x(self.narrow(op.value)), most)
            case ir.UpTo():
                self.line(f"int32_t {n} = 0;")
                with self.loop(op.source, op.local):
                    self.put(room, n, op.local, most)
                    self.line(f"if ({self.test(op.stop)}) break;")
            case ir.TurnedTo() | ir.Following():
                source, first = self.held(op.source), self.x(op.item)
                skips = int(isinstance(op, ir.Following))
                self.line(f"int32_t {n} = rw_turned({room}, {source}, {first}, {skips});")
            case ir.Snapshot() | ir.Changed() | ir.Rebased():
                self._fill_counts(op, room, n)
            case ir.Memory():
                self.line(f"int32_t {n} = 0;")
            case _:
                if not self.fill_more(op, room, n):
                    self.line(f"int32_t {n} = 0;")
                    with self.loop(op, "e_"):
                        self.put(room, n, "e_", most)
        return n

    def _fill_counts(self, op: ir.Snapshot | ir.Changed | ir.Rebased, room: str, n: str) -> None:
        """Numbers in fields, or of pieces in places: as they are now, or what has changed since they were kept."""
        if isinstance(op, ir.Changed):
            self._fill_changed(op, room, n)
            return
        if isinstance(op, ir.Snapshot):
            text = f"(elt){self._now(op.kind, op.base, op.size, 'i_')}"
        else:
            snapshot, before = self.held(op.snapshot), self.held(op.before)
            text = f"{snapshot}.v[i_] + (elt){self._now('counts', op.base, op.size, 'i_')} - {before}.v[i_]"
        self.line(f"int32_t {n} = {op.size};")
        self.line(f"for (int i_ = 0; i_ < {op.size}; i_++) {room}[i_] = {text};")

    def fill_more(self, op: Op, room: str, n: str) -> bool:
        """Sets that subclasses fill."""
        return False

    def put(self, room: str, n: str, item: str, most: int) -> None:
        """One more element. `most`: nothing says that it fits; 0: it does."""
        if most:
            self.fault_if(f"{n} >= {most}", TOO_LARGE, n, NOWHERE)
        self.line(f"{room}[{n}++] = (elt){item};")

    def _join_item(self, item: ir.JoinItem, room: str, n: str, most: int) -> None:
        if item.is_set:
            with self.loop(item.of, "e_"), self.block(f"if (!rw_has((Set){{{room}, {n}}}, e_))"):
                self.put(room, n, "e_", most)
            return
        value = self.atom(self.narrow(item.of))
        wanted = f"{value} != {_c(item.none)} && " if item.none is not None else ""
        with self.block(f"if ({wanted}!rw_has((Set){{{room}, {n}}}, {value}))"):
            self.put(room, n, value, most)

    def _now(self, kind: ir.Kept, base: int, size: int, position: str) -> str:
        """The number in a field, or how many pieces lie in a place, counted from `base`."""
        if kind == "fields":
            return self.number_at(f"{base} + {position}", Range(base, base + size - 1))
        if base >= self.layout.lists:
            return f"({self.slot_at(f'{base - self.layout.lists} + {position}')} >= 0)"
        return f"S->count[{base} + {position}]"

    def _fill_changed(self, op: ir.Changed, room: str, n: str) -> None:
        before = self.held(op.snapshot)
        self.line(f"int32_t {n} = 0;")
        tests = {
            "rises": "new_ > old_", "grows": "new_ > old_", "falls": "new_ < old_", "shrinks": "new_ < old_",
            "becomes_empty": "new_ == 0 && old_ > 0",
        }  # fmt: skip
        with self.block(f"for (int i_ = 0; i_ < {op.size}; i_++)"):
            self.line(f"num old_ = {before}.v[i_], new_ = {self._now(op.kind, op.base, op.size, 'i_')};")
            self.line(f"if ({tests.get(op.change, 'new_ != old_')}) {room}[{n}++] = i_;")

    def _sorted(self, op: ir.All, room: str) -> str:
        """Sorted by a key; equals keep their order. Each goes to its place among few; many are sorted at the end."""
        assert op.key is not None
        keys, n, size = self.fresh("k"), self.fresh("n"), self.room(op)
        self.room_for("num", keys, size)
        self.line(f"int32_t {n} = 0;")
        sign = "-" if op.direction == "highest" else ""
        with self.loop(ir.All(op.local, op.source, op.where, type=op.type), op.local):
            key = self.x(op.key)
            if not self.is_proved(op):
                self.fault_if(f"{n} >= {ROOM}", TOO_LARGE, n, NOWHERE)
            if size <= FEW_SORTED:
                self.line(f"rw_insert({room}, {keys}, {n}, (elt){op.local}, {sign}({key}));")
            else:
                self.line(f"{keys}[{n}] = {sign}({key}); {room}[{n}] = (elt){op.local};")
            self.line(f"{n}++;")
        if size > FEW_SORTED:
            beside, beside_keys = self.fresh("b"), self.fresh("k")
            self.room_for("elt", beside, size)
            self.room_for("num", beside_keys, size)
            self.line(f"rw_sort_by({room}, {keys}, {n}, {beside}, {beside_keys});")
        return n

    def _best_of(self, op: ir.Best, room: str) -> str:
        n, best = self.fresh("n"), self.fresh("m")
        self.line(f"int32_t {n} = 0; num {best} = 0;")
        with self.loop(op.source, op.local, op.where):
            value = self.named(self.x(op.measure))
            better = f"{value} {'>' if op.best == 'most' else '<'} {best}"
            self.line(f"if ({n} == 0 || {better}) {{ {best} = {value}; {n} = 0; }}")
            with self.block(f"if ({value} == {best})"):
                self.put(room, n, op.local, 0 if self.is_proved(op) else ROOM)
        return n

    # ------------------------------------------------------------------ sets where a number is wanted

    def _as_value(self, op: Op) -> str:
        """The text of a set, for places that copy or hand it on."""
        return self.as_set(op)

    _sequence = _contents = _group = _slot_contents = _boxed = _indexed = _gathered = _listed = _all = _as_value
    _best = _counted = _distinct = _range = _join = _concatenate = _without = _turned_to = _following = _as_value
    _append = _tuple = _up_to = _seats_in = _snapshot = _changed = _rebased = _chosen_set = _as_value
    _marked = _sieved = _set_table = _as_value

    @abstractmethod
    def map_set(self, op: ir.MapTable) -> str: ...

    @abstractmethod
    def called_set(self, op: ir.CallValue) -> str: ...

    @abstractmethod
    def query_set(self, op: ir.MapQuery) -> str: ...
