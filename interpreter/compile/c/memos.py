"""What a question asks for every option although no option changes the answer, as C.

    "{s} to {t}" for s in Square where s.owner == p, t in neighbours(s) where may_step(p, s, t) and not can_capture(p)

`can_capture(p)` goes over the board, and comes out the same for every s and t. It cannot be asked before the loop,
because it might never be reached, and asking is work that counts against the limit of steps. So it is worked out when
it is first met, and kept with what it cost; from then on the cost alone is counted. Only close to the limit it is
worked out again, so that the fault comes at the same step as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .. import ir
from ..ir import Op
from .instructions import CHANGING, Instructions

LOOKING = (
    ir.Some, ir.Every, ir.CountWhere, ir.SumOf, ir.ExtremeOf, ir.First, ir.Groups, ir.LongestLine, ir.LongestTrail,
    ir.Cheapest, ir.CallValue, ir.Fingerprint,
)  # fmt: skip
KEPT = (ir.MaskIndex, ir.KeptSum)  # they look at what every store keeps up to date
# They look at the options that are there, or lay some down for a while.
OPTIONS_READ = (
    ir.CanCall, ir.CanPerform, ir.CanPay, ir.Paid, ir.Formula, ir.Score, ir.HasOption, ir.OneOption, ir.OnlyPass,
    ir.IsComplete,
)  # fmt: skip


class Memos(Instructions):
    trying: set[str]  # values that look ahead, or at the options so far
    keeping: set[str]  # values that do so, or look at an index or a sum

    @contextmanager
    def remembering(self, ins: ir.For) -> Iterator[None]:
        """Inside it, what no pass of this loop changes is worked out once."""
        outer = dict(self.function.memos)
        if self.function.asking:
            self._find_memos(ins)
        yield
        self.function.memos = outer

    def _find_memos(self, ins: ir.For) -> None:
        if self.changes(ins):
            return
        inside = [ins, *ir.instructions(ins.body)]
        bound = {getattr(inner, inner.sets) for inner in inside if inner.sets}
        for inner in inside[1:]:
            for op in ir.operands(inner):
                self._note_memos(op, bound)

    def changes(self, ins: ir.For) -> bool:
        return any(isinstance(inner, CHANGING) for inner in ir.instructions(ins.body))

    def _note_memos(self, op: Op, bound: set[str]) -> None:
        """The largest parts that no pass of the loop changes."""
        if id(op) in self.function.memos:
            return
        if isinstance(op, LOOKING) and self._is_the_same(op, bound):
            name = self.fresh("memo")
            self.line(f"num {name} = 0; int64_t {name}_cost = -1;")
            self.function.memos[id(op)] = name
            return
        if op.binds:  # what stands inside may speak of what is bound here
            return
        for part in ir.operands(op):
            self._note_memos(part, bound)

    def _is_the_same(self, op: Op, bound: set[str]) -> bool:
        if self.is_set(op) or self.may_be_unsure(op) or bound & set(ir.free_locals(op)):
            return False
        return not any(
            isinstance(part, OPTIONS_READ) or (isinstance(part, ir.CallValue) and part.routine in self.trying)
            for part in ir.operations(op)
        )

    def looks_at_kept(self, body: ir.Block) -> bool:
        """Something in it looks at an index or a sum, or copies the state with them."""
        return any(
            isinstance(op, (*KEPT, *OPTIONS_READ)) or (isinstance(op, ir.CallValue) and op.routine in self.keeping)
            for op in ir.operations_in(body)
        )

    def x(self, op: Op) -> str:
        name = self.function.memos.get(id(op))
        if name is None:
            return super().x(op)
        with self.block(f"if ({name}_cost >= 0 && S->steps + {name}_cost <= RW_STEP_LIMIT)"):
            self.line(f"S->steps += {name}_cost;")
        with self.block("else"):
            self.line(f"{name}_cost = S->steps;")
            self.line(f"{name} = {super().x(op)};")
            self.line(f"{name}_cost = S->steps - {name}_cost;")
        return name
