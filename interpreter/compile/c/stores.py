"""Stores as C: what a store does to the indexes and sums that know a field, and the tables that say which do.

Where a store can only meet fields that the same indexes know, it has a function of its own, with everything written
out. Elsewhere `rw_write` (rw_masks.h) looks up in tables which indexes and sums know the field.
"""

from __future__ import annotations

from .. import ir
from ..ir import Op
from ..masks import Index, Sum
from ..ranges import Range
from .atoms import _c
from .masks import Masks

_FEW_KNOWN = 3  # so many indexes and sums are asked one after the other whether they know a slot


class Stores(Masks):
    _writers: dict[tuple[str, ...], str]

    def written(self, where: str, value: str, address: Op) -> str:
        """A store into the state's array, which moves a bit of an index if there is one."""
        if not self.may_be_indexed(address):
            return self.store_at(where, value, self.numbers(address))
        return f"{self._writer(address)}(S, {where}, {value});"

    def _writer(self, address: Op) -> str:
        """The function that stores there: one of its own if all that know these fields know all of them."""
        numbers = self.numbers(address)
        known: list[Index | Sum] = []
        kept: list[Index | Sum] = [*self.masked.indexes.values(), *self.masked.sums.values()]
        for one in kept:
            first, last = _span(one)
            if first > numbers.high or last < numbers.low:
                continue
            if first > numbers.low or last < numbers.high or not _is_row(one):
                return "rw_write"
            known.append(one)
        key = tuple(one.name for one in known)
        if key not in self._writers:
            self._writers[key] = f"rw_write_{len(self._writers)}"
            self._write_writer(self._writers[key], known, numbers)
        return self._writers[key]

    def _write_writer(self, name: str, known: list[Index | Sum], addresses: Range) -> None:
        lines = [f"static void {name}(State *S, num at, num value) {{"]
        lines += [f"    const num old = {self.number_at('at', addresses)};"]
        lines += [f"    {self.store_at('at', 'value', addresses)}"]
        for one in known:
            lines += self._move_bit(one) if isinstance(one, Index) else self._change_sum(one)
        self.statics += [*lines, "}"]

    def write_slot_writer(self) -> None:
        """The function that stores into slots: `rw_write`, or everything that knows a slot written out."""
        if not self.masked.indexes and not self.masked.sums:
            return
        last_slot = self.layout.slots - 1
        kept: list[Index | Sum] = [*self.masked.indexes.values(), *self.masked.sums.values()]
        known = [one for one in kept if _span(one)[0] <= last_slot]
        head = "static void rw_write_slot(State *S, num at, num value) {"
        if len(known) > _FEW_KNOWN or not all(map(_is_row, known)):
            self.statics += [head, "    rw_write(S, at, value);", "}"]
            return
        lines = [head, "    const num old = rw_slot(S, at);", "    if (old == value) return;"]
        lines.append("    rw_set_slot(S, at, value);")
        for one in known:
            first, last = _span(one)
            made = self._move_bit(one) if isinstance(one, Index) else self._change_sum(one)
            if first > 0 or last < last_slot:
                made[0] = f"    if ({first} <= at && at <= {last}) {made[0].strip()}"
            lines += made
        self.statics += [*lines, "}"]

    def _move_bit(self, index: Index) -> list[str]:
        """A number outside the range of the field has no class: no rule stores one, but a foreign state may have it."""
        words, first = index.domain.words, self.index_first[index.name]
        element = f"at - {index.base}" if index.base else "at"
        word = " + (element >> 6)" if words > 1 else ""
        plain = index.classes == tuple(range(len(index.classes)))
        lines = [
            f"    {{   /* {index.name} */",
            f"        const num element = {element};",
            "        const uint64_t bit = UINT64_C(1) << (element & 63);",
            f"        uint64_t *const masks = S->m{f' + {first}' if plain and first else ''}{word};",
        ]
        for number in ("old", "value"):
            own = f"{number} - {_c(index.lowest)}" if index.lowest else number
            where = (f"({own}) * {words}" if words > 1 else own) if plain else f"RW_MASKS_{index.name}[{own}]"
            lines.append(f"        if ((uint64_t)({own}) < {len(index.classes)}) masks[{where}] ^= bit;")
        return [*lines, "    }"]

    def _change_sum(self, one: Sum) -> list[str]:
        number, first = list(self.masked.sums).index(one.name), one.addresses[0]
        lines = [
            f"    {{   /* {one.name} */",
            f"        const uint32_t *const worth = RW_WORTH_{one.name} + (at - {first}) * {one.values};",
        ]
        for number_, sign in (("value", "+"), ("old", "-")):
            own = f"{number_} - {_c(one.lowest)}" if one.lowest else number_
            lines.append(f"        if ((uint64_t)({own}) < {one.values}) S->z[{number}] {sign}= worth[{own}];")
        return [*lines, "    }"]

    def may_be_indexed(self, address: Op) -> bool:
        numbers = self.numbers(address)
        indexed = [(i.address(i.first), i.address(i.first + i.count - 1)) for i in self.masked.indexes.values()]
        summed = [(min(one.addresses), max(one.addresses)) for one in self.masked.sums.values()]
        return any(first <= numbers.high and last >= numbers.low for first, last in (*indexed, *summed))

    def kept_sum(self, op: ir.KeptSum) -> str:
        return f"S->z[{list(self.masked.sums).index(op.sum)}]"

    def _summed_fields(self) -> dict[int, list[tuple[int, int]]]:
        """For each address the sums that it is part of, and where the row of its worths begins in each."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number, one in enumerate(self.masked.sums.values()):
            for position, address in enumerate(one.addresses):
                found.setdefault(address, []).append((number, position * one.values))
        return found

    def sum_tables(self) -> list[str]:
        if not self.masked.sums:
            return []
        lines: list[str] = []
        for name, one in self.masked.sums.items():
            lines.append(f"static const uint32_t RW_WORTH_{name}[{len(one.worth)}] = {{")
            rows = [one.worth[start : start + 12] for start in range(0, len(one.worth), 12)]
            lines += ["    " + "".join(f"{worth}u, " for worth in row).rstrip() for row in rows]
            lines.append("};")
        lines.append("static const RwSum RW_SUM[RW_SUMS] = {")
        lines += [f"    {{{_c(s.lowest)}, {s.values}, RW_WORTH_{name}}}," for name, s in self.masked.sums.items()]
        lines += ["};", *self._by_field("RwSummed RW_SUMMED", "RW_SUMS_PER_FIELD", self._summed_fields())]
        return lines

    def _by_field(self, what: str, most: str, fields: dict[int, list[tuple[int, int]]]) -> list[str]:
        """A table with a row for each field: pairs of numbers, filled up with -1."""
        width = max(map(len, fields.values()))
        lines = [f"static const {what}[RW_FIELDS + 1][{most}] = {{"]
        for address in range(len(self.meta.start) + 1):
            known = fields.get(address, [])
            pairs = [*known, *[(-1, 0)] * (width - len(known))]
            lines.append(f"    {{{', '.join(f'{{{one}, {other}}}' for one, other in pairs)}}},")
        return [*lines, "};"]

    def index_constants(self) -> dict[str, int]:
        kept = self.masked.indexes.values()
        total = sum(index.masks * index.domain.words for index in kept)
        most = max(map(len, self._indexed_fields().values()), default=0)
        summed = max(map(len, self._summed_fields().values()), default=0)
        sums = {"SUMS": len(self.masked.sums), "SUMS_PER_FIELD": summed}
        return {"MASKS": total, "INDEXES": len(kept), "PER_FIELD": most, **sums}

    def _indexed_fields(self) -> dict[int, list[tuple[int, int]]]:
        """For each address the indexes that know it, and which element it is in each."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number, index in enumerate(self.masked.indexes.values()):
            for element in range(index.first, index.first + index.count):
                found.setdefault(index.address(element), []).append((number, element))
        return found

    def index_tables(self) -> list[str]:
        """What the runtime keeps indexes by: see rw_masks.h."""
        if not self.masked.indexes:
            return []
        firsts, fields = self.index_first, self._indexed_fields()
        lines: list[str] = []
        for name, index in self.masked.indexes.items():
            masks = ", ".join(str(firsts[name] + own * index.domain.words) for own in index.classes)
            lines.append(f"static const int16_t RW_MASKS_{name}[{len(index.classes)}] = {{{masks}}};")
        lines.append("static const RwIndex RW_INDEX[RW_INDEXES] = {")
        for name, index in self.masked.indexes.items():
            lines.append(f"    {{{_c(index.lowest)}, {len(index.classes)}, RW_MASKS_{name}}},")
        lines.append("};")
        return [*lines, *self._by_field("RwIndexed RW_INDEXED", "RW_PER_FIELD", fields)]


def _span(one: Index | Sum) -> tuple[int, int]:
    """The first and the last field that it knows."""
    if isinstance(one, Sum):
        return min(one.addresses), max(one.addresses)
    return one.address(one.first), one.address(one.first + one.count - 1)


def _is_row(one: Index | Sum) -> bool:
    """It knows every field between its first and its last."""
    if isinstance(one, Sum):
        return one.addresses == tuple(range(one.addresses[0], one.addresses[0] + len(one.addresses)))
    return one.stride == 1
