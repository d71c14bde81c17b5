"""Several looks of one question at the kinds of pieces in a place, as C: what lies there is a word of bits.

    "Take {c}" for c in market where fits(c, a, b)
    "Take {c} and {d}" for c in market where c.value == a, d in market where d.value == b and d != c
    "Take nothing" if no c in market has fits(c, a, b)

What is printed on a piece never changes. One pass over the market gives a word with one bit for each piece that lies
there. Which pieces fit is a table of such words, by a and b; so a loop goes over the pieces that are in both words,
`no c in market has` asks whether there are any, and a loop inside a loop that would find nothing is a reason not to
enter the outer one. Of equal pieces only the first is offered: behind it the bits of all its copies are taken out.

Where more than 64 pieces can lie there, of at most 64 rows, a bit stands for a row, and the first piece of each row is
noted beside the word. A few small numbers that something is looked for among have a word too (`_note_bits`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ...check.value_types import Piece, SetOf
from .. import ir
from ..fold import NotStatic, Worked
from ..ir import Op, conjunction, conjuncts_of, free_locals
from ..masks.static import Parameters, Statics
from .function import RowLook, RowWord
from .instructions import CHANGING
from .tallies import Tallies

FEWEST = 2  # looks for which a word pays
WIDTH = 64  # bits of a word
MOST_WORDS = 1 << 9  # of a table
MOST_ASKED = 1 << 15  # pieces and combinations of parameters


@dataclass(frozen=True)
class _Fitting:
    """The table of the rows that pass a test, by its parameters."""

    words: tuple[int, ...]
    terms: tuple[ir.MaskTerm, ...]


class Rows(Tallies):
    _row_tables: dict[tuple[int, ...], str]
    _tuples: dict[str, ir.Tuple]  # of the question in the making

    # ------------------------------------------------------------------ which looks

    def find_looks(self, body: ir.Block) -> None:
        """Notes the looks of a question at the kinds of pieces in a place."""
        for at, ins in enumerate(body):
            if isinstance(ins, ir.Let) and isinstance(ins.value, ir.Distinct) and ins.local not in self.slots:
                self._find_looks(ins.local, ins.value, body[at + 1 :])

    def _find_looks(self, local: str, kinds: ir.Distinct, body: ir.Block) -> None:
        word = self._word_of(local, kinds)
        if word is None:
            return
        lets = [ins for ins in body if isinstance(ins, ir.Let)]
        self._tuples = {ins.local: ins.value for ins in lets if isinstance(ins.value, ir.Tuple)}
        inside = [*ir.instructions(body)]
        changed = any(isinstance(ins, CHANGING) for ins in inside)
        looks: dict[int, RowLook] = {}
        own = 0
        for ins in inside:
            if isinstance(ins, ir.For) and (look := self._loop_look(ins, word, changed)) is not None:
                looks[id(ins)] = look
                own += look.own
            for op in () if changed else ir.operations(ins):
                if isinstance(op, ir.Some) and (look := self._some_look(op, word)) is not None:
                    looks[id(op)] = look
        if len(looks) < FEWEST or not own:
            return
        self.function.looks |= looks
        self.function.words[id(kinds)] = word
        self.declare(f"uint64_t there_{local} = 0;")
        if word.by_row:
            self.room_for("elt", f"first_{local}", max(word.bits) + 1)
        mentions = sum(isinstance(op, ir.Local) and op.name == local for ins in inside for op in ir.operations(ins))
        if mentions > own:
            self.function.listed.add(local)
        elif not any(
            isinstance(ins, ir.For) and isinstance(ins.source, ir.Counted) and id(ins) in looks for ins in inside
        ):
            self.function.uncounted.add(local)

    def _word_of(self, local: str, kinds: ir.Distinct) -> RowWord | None:
        """The bits of all pieces that the set may have."""
        held = kinds.type.of if isinstance(kinds.type, SetOf) else None
        if not isinstance(held, Piece):
            return None
        rows = {n: row.pieces for n, row in enumerate(self.unit.program.rows) if row.kind in held.kinds and row.pieces}
        pieces = [piece for row in rows.values() for piece in row]
        if not pieces:
            return None
        if max(pieces) - min(pieces) < WIDTH:
            return RowWord(local, str(kinds.source), {p - min(pieces): (p,) for p in pieces}, by_row=False)
        if max(rows) - min(rows) < WIDTH:
            return RowWord(local, str(kinds.source), {n - min(rows): row for n, row in rows.items()}, by_row=True)
        return None

    def _loop_look(self, ins: ir.For, word: RowWord, changed: bool) -> RowLook | None:
        """A loop over the kinds goes over the rows that fit. One over the pieces themselves is only kept from
        beginning."""
        source = ins.source.source if isinstance(ins.source, ir.Counted) else ins.source
        own = isinstance(source, ir.Local) and source.name == word.local
        if not own and (changed or str(ins.source) != word.source):
            return None
        match ins.body:
            case [ir.If(otherwise=[]) as test]:
                tests = conjuncts_of(test.condition)
            case _:
                return None
        fitting: list[Op] = []
        for part in tests:
            if ins.local not in free_locals(part) or self._table_of(part, ins.local, word) is None:
                break
            fitting.append(part)
        return RowLook(word, ins.local, tuple(fitting), own) if fitting else None

    def _some_look(self, op: ir.Some, word: RowWord) -> RowLook | None:
        tests = (*conjuncts_of(op.where), *conjuncts_of(op.has))
        if str(op.source) != word.source or any(self._table_of(part, op.local, word) is None for part in tests):
            return None
        return RowLook(word, op.local, tests, own=False)

    # ------------------------------------------------------------------ which rows fit

    def _table_of(self, test: Op, local: str, word: RowWord) -> _Fitting | None:
        test = self._written_out(test)
        statics = Statics(self.tables, self.graphs)
        for largest in (False, True):
            parameters = Parameters(self.bound_of, local, self.unit if largest else None)
            try:
                holds = statics.worked(test, parameters)
                if parameters.rows <= MOST_WORDS and parameters.rows * len(self.unit.program.pieces) <= MOST_ASKED:
                    words = tuple(
                        [_word(holds, word, values, self.meta.piece_row) for values in parameters.combinations()]
                    )
                    return _Fitting(words, parameters.terms())
            except (NotStatic, IndexError):  # an entry that a test before this one keeps it from asking for
                continue
        return None

    def _written_out(self, test: Op) -> Op:
        """`x in h`, where h was worked out before the loop, with the elements of h."""
        match test:
            case ir.Contains(source=ir.Local(name=name)) if name in self._tuples:
                items = tuple(ir.JoinItem(item, False, None) for item in self._tuples[name].items)
                return replace(test, source=ir.Join(items, type=test.source.type))
        return test

    def _rows_there(self, look: RowLook) -> str:
        """What is there and fits."""
        text = f"there_{look.word.local}"
        for test in look.tests:
            fitting = self._table_of(test, look.local, look.word)
            assert fitting is not None
            if not fitting.terms:
                text += f" & UINT64_C({fitting.words[0]:#x})"
                continue
            text += f" & {self._row_table(fitting.words)}[{self.row_of(fitting.terms)}]"
        return f"({text})"

    def _row_table(self, words: tuple[int, ...]) -> str:
        name = self._row_tables.setdefault(words, f"R_{len(self._row_tables)}")
        self.write_table(name, words, 1)
        return name

    # ------------------------------------------------------------------ as C

    def fill(self, op: Op, room: str) -> str:
        word = self.function.words.get(id(op))
        if word is None or not isinstance(op, ir.Distinct):
            return super().fill(op, room)
        local = word.local
        if local in self.function.listed:
            n = super().fill(op, room)
            self.line(f"there_{local} = 0;")
            with self.block(f"for (int32_t i_ = 0; i_ < {n}; i_++)"):
                self._mark_there(word, f"{room}[i_]")
            return n
        n = self.fresh("n")
        self.line(f"int32_t {n} = 0;")
        self.line(f"there_{local} = 0;")
        if not word.by_row:
            self._fill_pieces(word, op, n)
            return n
        skip = self.skip_equal(op.source)
        self.line(f"num {n}_last = -1;")
        with self.loop(op.source, "e_"), self.block(f"if (RW_ROW[e_ + 1] != {n}_last)"):
            self.line(f"{n}_last = RW_ROW[e_ + 1];")
            self._mark_there(word, "e_")
            self.line(f"{n}++;")
            self.line(skip)
        return n

    def _fill_pieces(self, word: RowWord, op: ir.Distinct, n: str) -> None:
        with self.loop(op.source, "e_"):
            self._mark_there(word, "e_")
        if word.local not in self.function.uncounted:
            with self.block(f"for (uint64_t m_ = there_{word.local}; m_; {n}++)"):
                self.line(self._past_copies(word, "m_", "rw_lowest(m_)"))

    def _mark_there(self, word: RowWord, piece: str) -> None:
        if word.by_row:
            row = self.meta.piece_row[word.bits[0][0]]
            self.line(f"const int row_ = RW_ROW[{piece} + 1]{f' - {row}' if row else ''};")
            self.line(f"there_{word.local} |= UINT64_C(1) << row_;")
            self.line(f"first_{word.local}[row_] = (elt){piece};")
        else:
            low = word.bits[0][0]
            self.line(f"there_{word.local} |= UINT64_C(1) << ({piece}{f' - {low}' if low else ''});")

    def _past_copies(self, word: RowWord, mask: str, bit: str) -> str:
        """A line that takes a piece and its copies out of a word."""
        if word.by_row:
            return f"{mask} &= {mask} - 1;"
        rows = self.unit.program.rows
        row_of = {bit: self.meta.piece_row[piece] for bit, (piece,) in word.bits.items()}
        if all(len(rows[row].pieces) == 1 for row in row_of.values()):
            return f"{mask} &= {mask} - 1;"
        low = word.bits[0][0]
        others = tuple(
            ~sum(1 << piece - low for piece in rows[row_of[bit]].pieces) & (1 << WIDTH) - 1 if bit in row_of else 0
            for bit in range(max(row_of) + 1)
        )
        return f"{mask} &= {self._row_table(others)}[{bit}];"

    def _for(self, ins: ir.For) -> None:
        look = self.function.looks.get(id(ins))
        if look is None or not look.own:
            super()._for(ins)
            return
        word = look.word
        if isinstance(ins.source, ir.Counted):
            self.count_work(f"(int64_t){word.local}.n * {ins.source.weight}", ins.source.span)
        [test] = ins.body
        assert isinstance(test, ir.If)
        found, m = self._rows_there(look), self.fresh("m")
        within = [f"{self._rows_there(inner)} != 0 ? " for inner in self._looks_within(ins, test)]
        self.line(f"uint64_t {m} = {''.join(within)}{found}{' : 0' * len(within)};")
        with self.block(f"while ({m})"):
            self.line(f"const num {m}_bit = rw_lowest({m});")
            self.line(self._past_copies(word, m, f"{m}_bit"))
            piece = f"first_{word.local}[{m}_bit]" if word.by_row else f"{m}_bit + {word.bits[0][0]}"
            self.line(f"const num {ins.local} = {piece};")
            self.line(f"(void){ins.local};")
            rest = conjunction(conjuncts_of(test.condition)[len(look.tests) :])
            self.write([ir.If(rest, test.then, span=test.span)] if rest is not None else test.then)

    def _looks_within(self, ins: ir.For, test: ir.If) -> list[RowLook]:
        """The look of a loop that is all that this one does, if it is the same in every pass."""
        *before, last = test.then or [ins]
        look = self.function.looks.get(id(last))
        if look is None or not isinstance(last, ir.For) or isinstance(last.source, ir.Counted):
            return []
        if any(not isinstance(one, ir.Let) or not isinstance(one.value, ir.Memory) for one in before):
            return []
        return [] if ins.local in free_locals(look.tests) else [look]

    @contextmanager
    def guarded(self, ins: ir.For) -> Iterator[None]:
        look = self.function.looks.get(id(ins))
        if look is None or look.own:
            yield
            return
        with self.block(f"if ({self._rows_there(look)})"):
            yield

    def _some(self, op: ir.Some) -> str:
        look = self.function.looks.get(id(op))
        return super()._some(op) if look is None else f"({self._rows_there(look)} != 0)"

    # ------------------------------------------------------------------ a few small numbers

    def _let(self, ins: ir.Let) -> None:
        super()._let(ins)
        if isinstance(ins.value, ir.Tuple):
            self._note_bits(ins.local, ins.value)

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


def _word(holds: Worked, word: RowWord, values: tuple[int, ...], row_of: Sequence[int]) -> int:
    """One bit for each that passes the test with these parameters. Of a row all pieces must, or none: a set of kinds
    has the first of them alone."""
    found, answers = 0, dict[int, bool]()
    for bit, pieces in word.bits.items():
        for piece in pieces:
            answer = bool(holds((piece, *values)))
            if answers.setdefault(row_of[piece], answer) != answer:
                raise NotStatic
        found |= answer << bit
    return found
