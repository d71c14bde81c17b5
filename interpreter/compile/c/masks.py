"""Masks as C: words of 64 bits, in expressions that are written out word by word.

A mask is worked out where it stands and kept in variables, so a loop over its bits goes over what was there when it
began, whatever its body changes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from .. import ir
from ..ir import Op
from ..masks import Masked
from ..masks.static import may_be_none
from .atoms import _c
from .fingerprints import Fingerprints

SHORT = 8  # elements of a set
MANY_ROWS = 1 << 13
Words = list[str]  # one C expression for each word
_Row = TypeVar("_Row", int, tuple[int, ...])


class Masks(Fingerprints):
    masked: Masked
    _tables_written: set[str]

    # ------------------------------------------------------------------ masks

    def words(self, op: Op, count: int) -> Words:
        """The words of a mask; the statements that they need are written before."""
        match op:
            case ir.MaskBoth():
                left, right = self.words(op.left, count), self.words(op.right, count)
                return [f"({a} & {b})" for a, b in zip(left, right, strict=True)]
            case ir.MaskEither():
                left, right = self.words(op.left, count), self.words(op.right, count)
                return [f"({a} | {b})" for a, b in zip(left, right, strict=True)]
            case ir.MaskNot():
                return [f"~{word}" for word in self.words(op.of, count)]
            case ir.MaskIf():
                return [self._all_or_none(op)] * count
            case ir.MaskTable():
                return self._table_words(op, count)
            case ir.MaskIndex():
                return self._index_words(op, count)
            case ir.MaskUnion():
                return self._union_words(op, count)
            case ir.MaskReach():
                return self._reach_words(op, count)
            case ir.MaskRays():
                return self._ray_words(op)
        raise AssertionError(f"{op} is no mask")

    def _all_or_none(self, op: ir.MaskIf) -> str:
        name, condition = self.fresh("m"), self.test(op.condition)
        self.line(f"const uint64_t {name} = {condition} ? ~UINT64_C(0) : 0;")
        return name

    def _table_words(self, op: ir.MaskTable, count: int) -> Words:
        rows = self.masked.tables.masks[op.table]
        if not op.terms:
            return [_word(rows[0], position) for position in range(count)]
        table, where = op.table, self.row_of(op.terms)
        if _repeats(rows):
            table, where = f"{op.table}_each", f"{op.table}_of[{where}]"
            rows = self._numbered(op.table, rows)
        self.write_table(table, rows, count)
        if count == 1:
            return [f"{table}[{where}]"]
        row = self.named(f"({where}) * {count}")
        return [f"{table}[{row} + {position}]" for position in range(count)]

    def _numbered(self, name: str, rows: tuple[_Row, ...]) -> tuple[_Row, ...]:
        """The different rows of a table; which of them a row is is written as numbers."""
        numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        if f"{name}_of" not in self._tables_written:
            self._tables_written.add(f"{name}_of")
            width = "uint16_t" if len(numbers) < 1 << 16 else "uint32_t"
            self.array(f"{name}_of", [numbers[row] for row in rows], width)
        return tuple(numbers)

    def row_of(self, terms: tuple[ir.MaskTerm, ...]) -> str:
        text = "0"
        for number, term in enumerate(terms):
            own = f"{self.x(term.index)} - {_c(term.low)}" if term.low else self.x(term.index)
            if not self._is_there(term.index):
                own = f"rw_row({own}, {term.size})"  # a row that nobody asks for, if it is none
            text = f"({text}) * {term.size} + {own}" if number else own
        return text

    def _is_there(self, index: Op) -> bool:
        """True if it is what its bound says also where nothing has been asked yet. None is within the bound of some."""
        return self.numbers(index).none is not None or not may_be_none(index, self.bound_of, self.unit)

    def write_table(self, name: str, rows: tuple[int, ...], count: int) -> None:
        if name in self._tables_written:
            return
        self._tables_written.add(name)
        listed = [_word(row, position) for row in rows for position in range(count)]
        self.statics.append(f"static const uint64_t {name}[{len(listed)}] = {{")
        self.statics += ["    " + ", ".join(listed[start : start + 4]) + "," for start in range(0, len(listed), 4)]
        self.statics.append("};")

    def _index_words(self, op: ir.MaskIndex, count: int) -> Words:
        index, first = self.masked.indexes[op.index], self.index_first[op.index]
        if isinstance(op.value, ir.Const):
            own = op.value.value - index.class_low
            inside = 0 <= own < index.masks
            return [f"S->m[{first + own * count + position}]" if inside else "UINT64_C(0)" for position in range(count)]
        numbers, value = self.numbers(op.value), self.x(op.value)
        shift = first - index.class_low * count
        inside = numbers.lowest >= index.class_low and numbers.high < index.class_low + index.masks
        if inside and self._is_there(op.value):
            value = self.atom(op.value) if count > 1 else value
            scaled = value if count == 1 else f"{value} * {count}"
            return [f"S->m[{scaled} + {_c(shift + position)}]" for position in range(count)]
        name = self.named(value)
        inside_text = f"{name} >= {_c(index.class_low)} && {name} < {index.class_low + index.masks}"
        return [f"({inside_text} ? S->m[{name} * {count} + {_c(shift + position)}] : 0)" for position in range(count)]

    @property
    def index_first(self) -> dict[str, int]:
        """Where the masks of each index begin in the state."""
        firsts, total = {}, 0
        for name, index in self.masked.indexes.items():
            firsts[name] = total
            total += index.masks * index.domain.words
        return firsts

    def _union_words(self, op: ir.MaskUnion, count: int) -> Words:
        name = self.fresh("u")
        self.line(f"uint64_t {name}[{count}] = {{0}};")
        if op.source is None:
            self._mark(op.of, name, count)
        else:
            assert op.local is not None
            with self.loop(op.source, op.local, op.where):
                self._mark(op.of, name, count)
        return [f"{name}[{position}]" for position in range(count)]

    def _mark(self, op: Op, name: str, count: int) -> None:
        if isinstance(op, ir.Marked) and op.spent is None:
            for position, word in enumerate(self.words(op.mask, count)):
                self.line(f"{name}[{position}] |= {word};")
            return
        if isinstance(op, ir.Join):
            for item in op.items:
                self._mark_item(item, name, count)
            return
        if isinstance(op, ir.Reach):
            self.mark_reach(op, name, count)
            return
        with self.loop(op, "e_"):
            self.line(bit(name, "e_", count))

    @abstractmethod
    def mark_reach(self, op: ir.Reach, name: str, count: int) -> None: ...

    def _mark_item(self, item: ir.JoinItem, name: str, count: int) -> None:
        if item.is_set:
            self._mark(item.of, name, count)
            return
        value = self.atom(item.of)
        wanted = f"if ({value} != {_c(item.none)}) " if item.none is not None else ""
        self.line(wanted + bit(name, value, count))

    def _reach_words(self, op: ir.MaskReach, count: int) -> Words:
        """Each node that is reached is taken once: its neighbours among the nodes to go through are new or known."""
        self.write_table(op.beside, self.masked.tables.masks[op.beside], count)
        start, through, seen, rest = (
            self.atom(op.start),
            self.kept_mask(op.through, count),
            self.fresh("u"),
            self.fresh("m"),
        )
        stops = sum(1 << node for node in op.stops)
        self.line(f"uint64_t {seen}[{count}] = {{0}}, {rest}[{count}] = {{0}};")
        # The start may be none, or a node that the map does not have: then it has no neighbours.
        self.line(f"if ({start} >= 0) {bit(rest, start, count)}")
        with self.block(f"for (num here_; (here_ = rw_mask_next({rest}, {count})) >= 0;)"):
            for position in range(count):
                row = f"{op.beside}[here_ * {count} + {position}]" if count > 1 else f"{op.beside}[here_]"
                word = through if count == 1 else f"{through}[{position}]"
                self.line(f"const uint64_t new_{position} = {row} & {word} & ~{seen}[{position}];")
            for position in range(count):
                passed = f"new_{position}" if not stops else f"(new_{position} & ~{_word(stops, position)})"
                self.line(f"{seen}[{position}] |= new_{position}; {rest}[{position}] |= {passed};")
        where = "0" if count == 1 else f"{start} >> 6"
        self.line(f"if ({start} >= 0) {seen}[{where}] &= ~(UINT64_C(1) << ({start} & 63));")
        return [f"{seen}[{position}]" for position in range(count)]

    def _ray_words(self, op: ir.MaskRays) -> Words:
        self.write_table(op.steps, self.masked.tables.masks[op.steps], 1)
        stop, good, name = self.kept_mask(op.stop, 1), self.kept_mask(op.good, 1), self.fresh("m")
        self.line(f"const uint64_t {name} = rw_rays({op.steps}, {op.directions}, {op.longest}, {stop}, {good});")
        return [name]

    def _has_line(self, op: ir.HasLine) -> str:
        """All rows are asked, whatever the first ones say: a processor that guesses where to stop would guess wrong."""
        self.write_table(op.table, self.masked.tables.masks[op.table], 1)
        [mask] = self.words(op.mask, 1)
        kept, found, row = self.fresh("m"), self.fresh(), self.fresh("row")
        self.line(f"const uint64_t {kept} = {mask};")
        self.line(f"num {found} = 0;")
        first = f"{op.table} + ({self.x(op.through)} + 1) * {op.width}"
        self.line(f"for (const uint64_t *{row} = {first}; *{row}; {row}++) {found} |= ({kept} & *{row}) == *{row};")
        return found

    # ------------------------------------------------------------------ their elements

    def begin_marked(self, op: ir.Marked | ir.Sieved) -> None:
        if op.spent is not None:
            assert isinstance(op.spent, ir.Counted)
            self.count_passes(op.spent)

    def kept_mask(self, op: Op, count: int) -> str:
        """The mask in a variable: a word, or an array of words."""
        words, name = self.words(op, count), self.fresh("m")
        if count == 1:
            self.line(f"uint64_t {name} = {words[0]};")
        else:
            self.line(f"uint64_t {name}[{count}] = {{{', '.join(words)}}};")
        return name

    def open_marked(self, op: ir.Marked, local: str, counted: ir.Counted | None = None) -> None:
        self.begin_marked(op)
        mask = self.kept_mask(op.mask, op.words)
        if counted is not None:
            self.count_work(f"{self.bits_of(mask, op.words)} * {counted.weight}", counted.span)
        if op.words > 1:
            back = self._backward(op)
            step = f"rw_mask_next({mask}, {op.words})"
            if back:
                step = f"({back} ? rw_mask_last({mask}, {op.words}) : {step})"
            self._open(f"for (num {local}; ({local} = {step}) >= 0;)")
        elif op.backward is None:
            self._open(f"for (; {mask}; {mask} &= {mask} - 1)")
            self.line(f"num {local} = rw_lowest({mask});")
        else:
            back = self._backward(op)
            self._open(f"while ({mask})")
            self.line(f"num {local} = {back} ? rw_highest({mask}) : rw_lowest({mask});")
            self.line(f"{mask} ^= UINT64_C(1) << {local};")

    def _backward(self, op: ir.Marked) -> str:
        return self.named(self.words(op.backward, 1)[0]) if op.backward is not None else ""

    def open_sieved(self, op: ir.Sieved, local: str) -> None:
        self.begin_marked(op)
        if op.mask is None:
            self._open_listed(op.source, local)
            return
        mask = self.kept_mask(op.mask, op.words)
        self._open_listed(op.source, local)
        word = mask if op.words == 1 else f"{mask}[{local} >> 6]"
        self._open(f"if ({word} >> ({local} & 63) & 1)")

    @contextmanager
    def listed(self, op: Op, local: str) -> Iterator[None]:
        """A loop over a set that never changes, in its order."""
        depth = self.function.depth
        self._open_listed(op, local)
        yield
        self.close_to(depth)

    def _open_listed(self, op: Op, local: str) -> None:
        """Short sets stand in rows of one width that end with -1: a loop needs neither their place nor their size."""
        if not isinstance(op, ir.SetTable) or op.most > SHORT:
            self._open_loop(op, local)
            return
        name, width = f"{op.table}_rows", op.most + 1
        if name not in self._tables_written:
            self._tables_written.add(name)
            rows = [(*row, *[-1] * (width - len(row))) for row in self.masked.tables.sets[op.table]]
            self.array(name, [element for row in rows for element in row], "int16_t")
        at = self.fresh("i")
        self._open(f"for (const int16_t *{at} = {name} + ({self.row_of(op.terms)}) * {width}; *{at} >= 0; {at}++)")
        self.line(f"num {local} = *{at};")

    def set_table(self, op: ir.SetTable) -> str:
        rows, where = self.masked.tables.sets[op.table], self.row_of(op.terms)
        if _repeats(rows):
            rows, where = self._numbered(op.table, rows), f"{op.table}_of[{where}]"
        if op.table not in self._tables_written:
            self._tables_written.add(op.table)
            self.set_array(op.table, rows)
        return self.set_in(op.table, self.named(where))

    def bits_of(self, mask: str, count: int) -> str:
        words = [mask] if count == 1 else [f"{mask}[{position}]" for position in range(count)]
        return f"({' + '.join(f'rw_bits({word})' for word in words)})"

    def marked_count(self, op: ir.Marked) -> str:
        self.begin_marked(op)
        return f"({' + '.join(f'rw_bits({word})' for word in self.words(op.mask, op.words))})"

    def marked_empty(self, op: ir.Marked) -> str:
        self.begin_marked(op)
        return f"(({' | '.join(self.words(op.mask, op.words))}) == 0)"

    def marked_first(self, op: ir.Marked, none: str) -> str:
        self.begin_marked(op)
        mask, back = self.kept_mask(op.mask, op.words), self._backward(op)
        if op.words == 1:
            end = f"({back} ? rw_highest({mask}) : rw_lowest({mask}))" if back else f"rw_lowest({mask})"
            return self.named(f"{mask} ? {end} : {none}")
        end = f"rw_mask_next({mask}, {op.words})"
        end = f"({back} ? rw_mask_last({mask}, {op.words}) : {end})" if back else end
        found = self.named(end)
        return f"({found} >= 0 ? {found} : {none})"

    def _no_value(self, op: Op) -> str:
        raise AssertionError("a mask is no value")

    _mask_table = _mask_index = _mask_if = _mask_both = _mask_either = _mask_not = _mask_union = _mask_reach = (
        _kept_sum
    ) = _no_value


def bit(name: str, element: str, count: int) -> str:
    where = "0" if count == 1 else f"{element} >> 6"
    return f"{name}[{where}] |= UINT64_C(1) << ({element} & 63);"


def _repeats(rows: tuple[_Row, ...]) -> bool:
    """A long table in which the same masks come up again: copies of a tile cover the same fields, and many a tile looks
    the same when it is turned."""
    return len(rows) > MANY_ROWS and len(set(rows)) * 2 < len(rows)


def _word(mask: int, position: int) -> str:
    return f"UINT64_C(0x{mask >> 64 * position & (1 << 64) - 1:x})"
