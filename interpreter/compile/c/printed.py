"""Several loops of one question over the same set, each for what has something printed on it, as C.

    "Roll again with {c}" for c in p.hand where does(c, reroll)
    "Draw a card with {c}" for c in p.hand where does(c, draw)

What is printed never changes, so each piece has a word with one bit for each of these tests. One pass over the hand
puts the words together; a loop whose bit is not there would find nothing, and is not entered. If nothing but these
loops looks at the set, what has none of the bits is left out of it from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeGuard

from .. import ir
from ..ir import Op, conjuncts_of
from .atoms import ROOM
from .tallies import Tallies

FEWEST = 2  # loops for which the first pass pays
MOST = 32  # bits of a word


class Printed(Tallies):
    _printed_made: dict[tuple[str, ...], str]

    def find_printed(self, body: ir.Block) -> None:
        """Notes the loops of a question that are entered only if something in their set has what they look for."""
        kept = {ins.local for ins in body if isinstance(ins, ir.Let) and self.is_set(ins.value)}
        kept -= {word.local for word in self.function.words.values()}
        tables: dict[str, dict[str, int]] = {}
        for ins in ir.instructions(body):
            if isinstance(ins, ir.For) and isinstance(ins.source, ir.Local) and ins.source.name in kept:
                table = _looked_up(ins)
                if table is not None:
                    bits = tables.setdefault(ins.source.name, {})
                    bit = bits.setdefault(table, len(bits))
                    self.function.guards[id(ins)] = f"any_{ins.source.name} >> {bit} & 1"
        for local, bits in tables.items():
            if FEWEST <= len(bits) <= MOST:
                self.function.printed[local] = self._words(tuple(bits))
                self.declare(f"uint32_t any_{local} = 0;")
                if local not in self.slots and self._only_guarded(local, body):
                    self.function.narrowed |= {id(ins.value) for ins in body if _keeps_kinds(ins, local)}
            else:
                own = f"any_{local} "
                self.function.guards = {k: v for k, v in self.function.guards.items() if not v.startswith(own)}

    def _only_guarded(self, local: str, body: ir.Block) -> bool:
        """Every mention of the set is that of a loop with a guard."""
        inside = [*ir.instructions(body)]
        mentions = sum(isinstance(op, ir.Local) and op.name == local for ins in inside for op in ir.operations(ins))
        own = f"any_{local} "
        return mentions == sum(self.function.guards.get(id(ins), "").startswith(own) for ins in inside)

    def fill(self, op: Op, room: str) -> str:
        if id(op) not in self.function.narrowed or not isinstance(op, ir.Distinct):
            return super().fill(op, room)
        local = room.removesuffix("_b")
        n, most = self.fresh("n"), 0 if self.is_proved(op) else ROOM
        self.line(f"int32_t {n} = 0; num {n}_last = -1;")
        skip = self.skip_equal(op.source)
        with self.loop(op.source, "e_"):
            self.line(f"const uint32_t word_ = {self.function.printed[local]}[e_ + 1];")
            with self.block(f"if (word_ && RW_ROW[e_ + 1] != {n}_last)"):
                self.line(f"{n}_last = RW_ROW[e_ + 1];")
                self.line(f"any_{local} |= word_;")
                self.put(room, n, "e_", most)
                self.line(skip)
        return n

    def _words(self, names: tuple[str, ...]) -> str:
        """The array with the word of each piece, the one of none first, as in other tables."""
        if names not in self._printed_made:
            self._printed_made[names] = f"K_{len(self._printed_made)}"
            columns = [self.column(name) for name in names]
            size = max(map(len, columns))
            words = [
                sum(1 << bit for bit, own in enumerate(columns) if at < len(own) and own[at] != 0) for at in range(size)
            ]
            self.array(self._printed_made[names], words, "uint32_t")
        return self._printed_made[names]

    def _let(self, ins: ir.Let) -> None:
        super()._let(ins)
        if isinstance(ins.value, ir.Tuple):
            self._note_bits(ins.local, ins.value)
        words = self.function.printed.get(ins.local)
        if words is not None and id(ins.value) not in self.function.narrowed:
            with self.block(f"for (int32_t i_ = 0; i_ < {ins.local}.n; i_++)"):
                self.line(f"any_{ins.local} |= {words}[{ins.local}.v[i_] + 1];")

    def _note_bits(self, local: str, value: ir.Tuple) -> None:
        """A few small numbers that something is looked for among: one bit for each of them as well."""
        if not value.items or any(self.numbers(i).lowest < 0 or self.numbers(i).high > 63 for i in value.items):
            return
        if local not in self.function.bits:
            self.function.bits[local] = f"bits_{local}"
            self.declare(f"uint64_t bits_{local} = 0; (void)bits_{local};")
        each = (f"UINT64_C(1) << {local}.v[{position}]" for position in range(len(value.items)))
        self.line(f"bits_{local} = {' | '.join(each)};")

    def _contains(self, op: ir.Contains) -> str:
        bits = self.function.bits.get(op.source.name) if isinstance(op.source, ir.Local) else None
        if bits is None:
            return super()._contains(op)
        numbers, item = self.numbers(op.item), self.atom(op.item)
        inside = "" if numbers.lowest >= 0 and numbers.high < 64 else f"(uint64_t){item} < 64 && "
        return f"({inside}{bits} >> {item} & 1)"

    @contextmanager
    def guarded(self, ins: ir.For) -> Iterator[None]:
        guard = self.function.guards.get(id(ins))
        if guard is None:
            yield
            return
        with self.block(f"if ({guard})"):
            yield


def _keeps_kinds(ins: ir.Ins, local: str) -> TypeGuard[ir.Let]:
    return isinstance(ins, ir.Let) and ins.local == local and isinstance(ins.value, ir.Distinct)


def _looked_up(ins: ir.For) -> str | None:
    """The table that the body of a loop asks first, if nothing is done for an element that does not have it."""
    match ins.body:
        case [ir.If(otherwise=[]) as test]:
            first: Op = conjuncts_of(test.condition)[0]
            match first:
                case ir.Lookup(table=table, index=ir.Local(name=name), more=()) if name == ins.local:
                    return table
    return None
