"""How many of each: what loops over values ask of the same pieces, counted in one pass, as C.

    "Take two {g}" for g in Gem where count(c in bank where c.gem == g) >= 4
    "{c} from the centre" for c in Colour where some t in centre has t.colour == c

Asked for one colour after the other, each goes over all pieces. Instead, when the first one is asked, one pass counts
the pieces of each colour (a *tally*; where only `some` asks, a bit for each), and the loop reads its entry. Values that
are no more than such a count are looked through.

Only what meets no fault and counts no work is tallied, so it makes no difference how often it is worked out. In loops
of expressions nothing can change meanwhile; of loops of statements only those of a question are looked at, which change
nothing either (see `memos`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from .. import ir
from ..hoist import cannot_fail
from ..ir import Op, Routine, free_locals
from .atoms import _c
from .function import Tally
from .memos import Memos

LARGEST = 64  # values that a tally has room for
LONGEST = 128  # elements of a set that is written out
FEWEST = 3  # passes of a loop for which a tally pays


class Tallies(Memos):
    ways: dict[str, dict[str, Routine]]

    # ------------------------------------------------------------------ where they are asked for

    @contextmanager
    def remembering(self, ins: ir.For) -> Iterator[None]:
        outer = dict(self.function.tallies)
        with super().remembering(ins):
            if self.function.asking and self._is_long(ins.source):
                inside = [*ir.instructions(ins.body)]
                bound = {ins.local} | {getattr(inner, inner.sets) for inner in inside if inner.sets}
                if not self.changes(ins):
                    for inner in inside:
                        for op in ir.operands(inner):
                            self._find_tallies(op, bound)
            yield
        self.function.tallies = outer

    @contextmanager
    def _tallying(self, source: Op, local: str, *parts: Op | None) -> Iterator[None]:
        """Inside it, a loop of an expression over `source` works these parts out for each element."""
        outer = dict(self.function.tallies)
        if self._is_long(source):
            for part in parts:
                if part is not None:
                    self._find_tallies(part, {local})
        yield
        self.function.tallies = outer

    def _is_long(self, source: Op) -> bool:
        size = self.bound_of(source).size
        return size is None or size >= FEWEST

    def _some(self, op: ir.Some) -> str:
        with self._tallying(op.source, op.local, op.where, op.has):
            return super()._some(op)

    def _every(self, op: ir.Every) -> str:
        with self._tallying(op.source, op.local, op.where, op.has):
            return super()._every(op)

    def _count_where(self, op: ir.CountWhere) -> str:
        with self._tallying(op.source, op.local, op.where):
            return super()._count_where(op)

    def _sum_of(self, op: ir.SumOf) -> str:
        with self._tallying(op.source, op.local, op.where, op.value):
            return super()._sum_of(op)

    def _extreme_of(self, op: ir.ExtremeOf) -> str:
        with self._tallying(op.source, op.local, op.where, op.value):
            return super()._extreme_of(op)

    def _first(self, op: ir.First) -> str:
        with self._tallying(op.source, op.local, op.where):
            return super()._first(op)

    # ------------------------------------------------------------------ what can be one

    def _find_tallies(self, op: Op, bound: set[str]) -> None:
        if id(op) in self.function.tallies or id(op) in self.function.memos:
            return
        made = self._tally(op, bound)
        if made is not None:
            known = {tally.pass_over: tally.name for tally in self.function.tallies.values()}
            name = known.get(made.pass_over, made.name)
            if name == made.name:
                room = f"uint64_t {name} = 0;" if made.bits else f"int32_t {name}[{made.size}];"
                self.line(f"int {name}_made = 0; {room}")
            self.function.tallies[id(op)] = replace(made, name=name)
            return
        inner = bound | {getattr(op, name) for name in op.binds if isinstance(getattr(op, name), str)}
        for part in ir.operands(op):
            self._find_tallies(part, inner)

    def _tally(self, op: Op, bound: set[str]) -> Tally | None:
        within, asked = None, op
        if isinstance(op, ir.CallValue):
            asked, within = self._looked_through(op)
        match asked:
            case ir.CountWhere(where=ir.Compare(sign="==") as test):
                bits = False
            case ir.Some(where=None, has=ir.Compare(sign="==") as test):
                bits = True
            case _:
                return None
        local, source = asked.local, asked.source
        own, wanted = (test.left, test.right) if local in free_locals(test.left) else (test.right, test.left)
        if local in free_locals(wanted) or not self._is_passed(source) or not _is_read(own, local):
            return None
        fixed = set(free_locals(source)) | set(free_locals(own)) - {local}
        if fixed & bound or not bound & set(free_locals(wanted)) or not cannot_fail(wanted):
            return None
        numbers = self.numbers(own)
        if not 0 < numbers.count <= LARGEST:
            return None
        name = self.fresh("tally")
        return Tally(name, source, local, own, wanted, numbers.low, numbers.count, bits, within)

    def _looked_through(self, call: ir.CallValue) -> tuple[Op, tuple[int, int] | None]:
        """What a value gives, if it is no more than one expression, with the arguments in place of its parameters; and
        the range that it must be in. What it binds gets a name that nothing here has."""
        routine = self.ways["q"].get(call.routine)
        simple = all(isinstance(arg, ir.Local | ir.Const) for arg in call.args)
        if routine is None or not simple or len(routine.params) != len(call.args):
            return call, None
        match routine.body:
            case [ir.Return(value=ir.InRange(value=ir.CountWhere() as counted) as checked)]:
                within: tuple[int, int] | None = (checked.low, checked.high)
            case [ir.Return(value=ir.CountWhere() | ir.Some() as counted)]:
                within = None
            case _:
                return call, None
        given: dict[str, Op] = dict(zip(routine.params, call.args, strict=True))
        own = self.fresh("x")
        given[counted.local] = ir.Local(own, type=ir.INDEX)
        return replace(ir.rebuilt(counted, lambda inner: ir.with_operations(inner, given)), local=own), within

    def _is_passed(self, source: Op) -> bool:
        """A set that is gone over without faults, work or more than a few steps for each element."""
        match source:
            case ir.Contents() | ir.Group():
                return _is_address(source.address)
            case ir.Range():
                return all(map(_is_address, (source.low, source.high)))
            case ir.Local():
                return self.is_set(source)
            case ir.Sequence():
                return len(source.values) <= LONGEST
        return False

    # ------------------------------------------------------------------ what is read

    def x(self, op: Op) -> str:
        tally = self.function.tallies.get(id(op))
        if tally is None:
            return super().x(op)
        self._make(tally)
        wanted = self.atom(tally.wanted)
        at = f"{wanted} - {_c(tally.low)}" if tally.low else wanted
        numbers = self.numbers(tally.wanted)
        entry = f"({tally.name} >> ({at}) & 1)" if tally.bits else f"{tally.name}[{at}]"
        if not tally.low <= numbers.lowest <= numbers.high < tally.low + tally.size:
            entry = f"((uint64_t)({at}) < {tally.size} ? {entry} : 0)"
        found = self.named(f"(num){entry}")
        if tally.within is not None:
            low, high = tally.within
            with self.block(f"if ({found} < {_c(low)} || {found} > {_c(high)})"):
                self.line(f"{found} = {super().x(op)};")
        return found

    def _make(self, tally: Tally) -> None:
        name = tally.name
        with self.block(f"if (!{name}_made)"):
            self.line(f"{name}_made = 1;")
            if not tally.bits:
                self.line(f"for (int i_ = 0; i_ < {tally.size}; i_++) {name}[i_] = 0;")
            with self.loop(tally.source, tally.local):
                at = self.named(f"{self.x(tally.own)} - {_c(tally.low)}")
                each = f"{name} |= UINT64_C(1) << {at}" if tally.bits else f"{name}[{at}]++"
                self.line(f"if ((uint64_t){at} < {tally.size}) {each};")


def _is_address(op: Op) -> bool:
    """The number of a place or a field that is surely one, or another number without a fault."""
    match op:
        case ir.Address():
            return not op.optional and all(cannot_fail(term.index) for term in op.terms)
        case ir.Arithmetic(sign="+" | "-"):
            return _is_address(op.left) and _is_address(op.right)
    return cannot_fail(op)


def _is_read(own: Op, local: str) -> bool:
    """What is printed on an element, what a die shows, or a field of it."""
    match own:
        case ir.Lookup(index=ir.Local(name=name), more=()):
            return name == local
        case ir.Face(die=ir.Local(name=name)):
            return name == local
        case ir.ReadField():
            return local in free_locals(own) and cannot_fail(own)
    return False
