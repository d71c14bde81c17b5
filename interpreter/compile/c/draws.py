"""Questions of random games as C: one option is drawn, and the others are never written down.

A playout takes one option of each question at random. Where options come from masks, counting them takes an instruction
or two for each word, and so does finding the one with a given number; listing takes some for each option. So such a
question has a second function, which counts, draws, and goes over the same loops again up to the option that was drawn:

    q_s7        lists: whoever plays, searches or looks ahead sees all options
    q_s7_draw   draws: the same option that the playout would have taken from the list

Both passes stand in one function, written by the same code in two modes. The second one counts no work: S->steps is put
back to what the first pass left.
"""

from __future__ import annotations

from ...diagnostics.source import Span
from .. import ir
from ..ir import Op
from .decisions import LISTING, Decisions
from .masks import SHORT
from .memos import LOOKING, OPTIONS_READ

SHAPE = (*LISTING, ir.BeginOptions, ir.OfferAll, ir.PassOption, ir.Ask)
BEGINNING = (ir.BeginOptions, ir.OfferAll)
# Too much work to be done twice.
HEAVY = (*LOOKING, ir.MaskReach, ir.MaskUnion, ir.Distinct, ir.Best, ir.Listed)


class Draws(Decisions):
    # ------------------------------------------------------------------ which questions

    def can_draw(self, body: ir.Block) -> bool:
        """The question offers what loops over masks give, and tests little beside."""
        inside = [*ir.instructions(body)]
        if not all(isinstance(ins, SHAPE) for ins in inside) or not body or not isinstance(body[-1], ir.Ask):
            return False
        if sum(isinstance(ins, (ir.Ask, *BEGINNING)) for ins in inside) != 2:
            return False
        for op in ir.operations_in(body):
            if isinstance(op, HEAVY) or (isinstance(op, OPTIONS_READ) and not isinstance(op, ir.HasOption)):
                return False
        loops = [ins for ins in inside if isinstance(ins, ir.For)]
        asked = (op for ins in loops for op in ir.operations_in(ins.body))
        return any(map(self._is_counted, inside)) and not any(isinstance(op, ir.HasOption) for op in asked)

    def _is_counted(self, ins: ir.Ins) -> bool:
        """How many options the instruction gives is the number of bits of a mask."""
        match ins:
            case ir.OfferAll() | ir.For(body=[ir.Option()]):
                return self._is_mask(ins.source)
        return False

    def _is_mask(self, source: Op) -> bool:
        match source:
            case ir.Marked():
                return True
            case ir.Counted(source=ir.Marked()):
                return True
            case ir.Sieved(source=ir.SetTable() as table, mask=mask) if mask is not None:
                return self._is_plain_table(table, source.words)
        return False

    def _is_plain_table(self, table: ir.SetTable, words: int) -> bool:
        rows = self.masked.tables.sets[table.table]
        return table.most <= SHORT and all(
            len(set(row)) == len(row) and all(0 <= element < 64 * words for element in row) for row in rows
        )

    # ------------------------------------------------------------------ the two passes

    def write_draw(self, body: ir.Block) -> None:
        *listing, ask = body
        assert isinstance(ask, ir.Ask)
        self.line("int32_t top_ = 0; /* options so far */")
        self.function.drawing = "count"
        with self.block(""):
            self.write(listing)
            self.line(f"S->site = {ask.site};")
            self.line(f"S->who = (int32_t){self.x(ask.player)};")
        self.line("S->opts = o; S->nopts = top_;")
        self.line("if (top_ > C->optcap - o) return rw_fault(C, 905, C->optcap, -1);")
        self.line("if (top_ == 0 || (C->sampled == RW_NUMBER_OF_OPTIONS && top_ > 1)) return RW_STOP;")
        self.line("const int32_t want_ = rw_drawn_option(C, top_);")
        self.line("const int64_t steps_ = S->steps;")
        self.line("S->steps = 0; top_ = 0;")
        self.function.drawing = "pick"
        with self.block(""):
            self.write(listing)
        self.line("return rw_fault(C, 908, want_, -1); /* both passes go over the same options */")
        self.function.drawing = ""

    def _offer(self, text: str) -> None:
        match self.function.drawing:
            case "count":
                self.line("top_++;")
            case "pick":
                with self.block("if (top_ == want_)"):
                    self._take_drawn(text)
                self.line("top_++;")
            case _:
                super()._offer(text)

    def _take_drawn(self, text: str) -> None:
        self.line(f"C->opts[o] = (int32_t)({text});")
        self.line("S->steps = steps_;")
        self.line("return RW_STOP;")

    def count_work(self, units: str, span: Span) -> None:
        if self.function.drawing != "pick":
            super().count_work(units, span)

    def _spend(self, ins: ir.Spend) -> None:
        if self.function.drawing != "pick":
            super()._spend(ins)

    def _begin_options(self, ins: ir.BeginOptions) -> None:
        if not self.function.drawing:
            super()._begin_options(ins)

    def _has_option(self, op: ir.HasOption) -> str:
        return "(top_ > 0)" if self.function.drawing else super()._has_option(op)

    # ------------------------------------------------------------------ loops that are counted

    def _listing_for(self, ins: ir.For) -> None:
        if not self.function.drawing or not self._is_counted(ins):
            super()._listing_for(ins)
            return
        [option] = ins.body
        assert isinstance(option, ir.Option)
        self._draw_from(ins.source, ins.local, self.option(option.site, option.branch, option.names))

    def _offer_all(self, ins: ir.OfferAll) -> None:
        if not self.function.drawing:
            super()._offer_all(ins)
        elif self._is_counted(ins):
            self._draw_from(ins.source, "e_", "e_")
        else:
            with self.loop(ins.source, "e_"):
                self._offer("e_")

    def _draw_from(self, source: Op, local: str, text: str) -> None:
        """One option for each bit of a mask; `text` is the option of the element that `local` names."""
        with self.block(""):
            mask, words = self._counted_mask(source)
            bits = self.bits_of(mask, words)
            if self.function.drawing == "count":
                self.line(f"top_ += (int32_t){bits};")
                return
            self.line(f"const int32_t here_ = (int32_t){bits};")
            with self.block("if (top_ + here_ > want_)"):
                self._pick_from(source, local, text, mask, words)
            self.line("top_ += here_;")

    def _counted_mask(self, source: Op) -> tuple[str, int]:
        """The mask of the elements that the loop goes over, in a variable; its work is counted."""
        match source:
            case ir.Marked():
                self.begin_marked(source)
                return self.kept_mask(source.mask, source.words), source.words
            case ir.Counted(source=ir.Marked() as marked):
                self.begin_marked(marked)
                mask = self.kept_mask(marked.mask, marked.words)
                self.count_work(f"{self.bits_of(mask, marked.words)} * {source.weight}", source.span)
                return mask, marked.words
            case ir.Sieved(source=ir.SetTable() as table, mask=mask_op) if mask_op is not None:
                self.begin_marked(source)
                rows = self.masked.tables.sets[table.table]
                name = f"{table.table}_bits"
                self.write_table(name, tuple(sum(1 << element for element in row) for row in rows), source.words)
                row, words = self.row_of(table.terms), self.words(mask_op, source.words)
                if source.words == 1:
                    own = [f"{name}[{row}]"]
                else:
                    at = self.named(f"({row}) * {source.words}")
                    own = [f"{name}[{at} + {position}]" for position in range(source.words)]
                made = self.fresh("m")
                both = [f"{a} & {b}" for a, b in zip(own, words, strict=True)]
                text = both[0] if source.words == 1 else f"{{{', '.join(both)}}}"
                self.line(f"uint64_t {made}{'' if source.words == 1 else f'[{source.words}]'} = {text};")
                return made, source.words
        raise AssertionError(f"{source} is not counted")

    def _pick_from(self, source: Op, local: str, text: str, mask: str, words: int) -> None:
        source = source.source if isinstance(source, ir.Counted) else source
        if isinstance(source, ir.Sieved):  # in the order of the set
            with self.listed(source.source, local):
                word = mask if words == 1 else f"{mask}[{local} >> 6]"
                with self.block(f"if ({word} >> ({local} & 63) & 1)"):
                    self._offer(text)
            return
        assert isinstance(source, ir.Marked)
        at = "want_ - top_"
        if source.backward is not None:
            at = f"({self.named(self.words(source.backward, 1)[0])} ? here_ - 1 - ({at}) : {at})"
        chosen = f"rw_bit_of_rank({mask}, {at})" if words == 1 else f"rw_bit_of_rank_in({mask}, {words}, {at})"
        self.line(f"const num {local} = {chosen};")
        self._take_drawn(text)
