"""The pass: every set with a filter that can be a mask becomes one, in all routines of a way of running.

It goes from the inside out, so what is said of a set (`some`, `every`, `count`, `first`) finds its set changed already.
Where nothing is left to test, no loop is left: `some` asks whether the mask is empty, `count` counts its bits.

In loops of statements the first `if` of the body is a filter too, if the body changes nothing that it reads: that is
how the options of a question are listed.
"""

from __future__ import annotations

from dataclasses import replace

from .. import ir
from ..ir import Block, Ins, Op, conjunction
from .filters import Filters
from .guards import CHANGES_NOTHING
from .images import Images
from .indexes import Sums
from .lines import with_lines


class Rewriting:
    def __init__(self, filters: Filters, sums: Sums) -> None:
        self.filters, self.sums, self.images = filters, sums, Images(filters)

    def block(self, body: Block) -> Block:
        return [self._instruction(ins) for ins in body]

    def _instruction(self, ins: Ins) -> Ins:
        changed = ir.rebuilt(ins, self.op, self.block)
        return self._for(changed) if isinstance(changed, ir.For) else changed

    def _for(self, ins: ir.For) -> Ins:
        """`for t in X: if A and B: …` with what can be a mask taken out of the condition."""
        match ins.body:
            # The condition is asked in each pass, a mask once before the first: both say the same only if no pass
            # changes what the condition reads.
            case [ir.If(otherwise=[]) as test] if self._only_lists(ins):
                found = self.filters.filtered(ins.source, ins.local, [test.condition], ordered=True)
                if found is not None:
                    rest = conjunction(found.rest)
                    inner: Block = [replace(test, condition=rest)] if rest is not None else test.then
                    return replace(ins, source=found.source, body=inner)
        return ins

    def _only_lists(self, ins: ir.For) -> bool:
        """The body changes neither the state nor what the condition reads."""
        inside = [*ir.instructions(ins.body)]
        if not all(isinstance(inner, CHANGES_NOTHING) for inner in inside):
            return False
        set_inside = {getattr(inner, inner.sets) for inner in inside if inner.sets}
        test = ins.body[0]
        assert isinstance(test, ir.If)
        return not set_inside & set(ir.free_locals(test.condition))

    # ------------------------------------------------------------------ operations

    def op(self, op: Op) -> Op:
        changed = ir.rebuilt(op, self.op)
        match changed:
            case ir.Some():
                return self._some(changed)
            case ir.Every():
                return self._every(changed)
            case ir.CountWhere():
                return self._count_where(changed)
            case ir.All() if changed.where is not None:
                return self._all(changed)
            case ir.First() if changed.where is not None:
                return self._first(changed)
            case ir.SumOf() | ir.ExtremeOf() if changed.where is not None:
                found = self.filters.filtered(
                    changed.source, changed.local, [changed.where], ordered=not self._free(changed.value)
                )
                return replace(changed, source=found.source, where=conjunction(found.rest)) if found else changed
            case ir.Best() if changed.where is not None:
                found = self.filters.filtered(changed.source, changed.local, [changed.where], ordered=True)
                return replace(changed, source=found.source, where=conjunction(found.rest)) if found else changed
            case ir.Fingerprint():
                return replace(changed, parts=tuple(self.sums.of(part, changed.prime) for part in changed.parts))
            case ir.Compare():
                return with_lines(changed, self.filters)
            case ir.Join():
                return self.filters.joined(changed) or changed
            case ir.Reach():
                return self.filters.reached(changed) or changed
        return changed

    def _free(self, op: Op) -> bool:
        return self.filters.is_free(op)

    def _some(self, op: ir.Some) -> Op:
        tests = [*([op.where] if op.where is not None else []), op.has]
        found = self.filters.filtered(op.source, op.local, tests, ordered=False)
        if found is None:
            return self._image(op) or op
        has = conjunction(found.rest)
        if has is None:
            return ir.Not(ir.IsEmpty(found.source, span=op.span), span=op.span)
        return replace(op, source=found.source, where=None, has=has)

    def _image(self, op: ir.Some) -> Op | None:
        """What the loop looks at in place of what it goes over: a mask, or a list if that is gone over after all."""
        image = self.images.some(op)
        if image is None:
            return None
        changed = self.op(image)
        loops = [inner.source for inner in ir.operations(changed) if isinstance(inner, ir.Some)]
        if any(isinstance(source, ir.Marked) and source.words > 1 for source in loops):
            image = self.images.some(op, is_list=True)
            assert image is not None
            return self.op(image)
        return changed

    def _every(self, op: ir.Every) -> Op:
        """All of them have it exactly if there is none that lacks it."""
        lacks = ir.Not(op.has, span=op.span)
        some = ir.Some(op.local, op.source, op.where, lacks, span=op.span)
        changed = self._some(some)
        return op if changed is some else ir.Not(changed, span=op.span)

    def _count_where(self, op: ir.CountWhere) -> Op:
        found = self.filters.filtered(op.source, op.local, [op.where], ordered=False)
        if found is None:
            return op
        rest = conjunction(found.rest)
        if rest is None:
            return ir.Count(found.source, type=op.type, span=op.span)
        return replace(op, source=found.source, where=rest)

    def _all(self, op: ir.All) -> Op:
        assert op.where is not None
        found = self.filters.filtered(op.source, op.local, [op.where], ordered=True)
        if found is None:
            return op
        if op.key is None and not found.rest:
            return found.source
        return replace(op, source=found.source, where=conjunction(found.rest))

    def _first(self, op: ir.First) -> Op:
        assert op.where is not None
        found = self.filters.filtered(op.source, op.local, [op.where], ordered=True)
        if found is None:
            return op
        if not found.rest and isinstance(found.source, ir.Marked):
            return ir.End(found.source, "first", type=op.type, span=op.span)
        return replace(op, source=found.source, where=conjunction(found.rest))
