"""Operations on sets as Python expressions: what is said of some or all of them, picked out, counted and joined."""

from __future__ import annotations

from dataclasses import replace

from ..check.value_types import NONE, none_of
from . import ir
from .emit_atoms import AtomEmitter
from .ir import Op, free_locals, with_constant
from .unit import weight

FEW_ELEMENTS, FEW_PARTS = 4, 16  # loops over so few constants, with so little to do, are written out
FRESH = (ir.All, ir.Reach, ir.Group, ir.Best, ir.Without, ir.Join)  # lists that nobody else holds


class SetEmitter(AtomEmitter):
    def _where(self, where: Op | None) -> str:
        return f" if {self.condition(where)}" if where is not None else ""

    def _loop(self, local: str, source: Op, test: Op | None) -> str:
        """`for x in S if C`"""
        return f"for {local} in {self.text(source)}{self._where(test)}"

    def _same_number(self, local: str, source: Op, test: Op) -> tuple[str, str, bool] | None:
        """Looks for a test of one number of each element that can be written `K in f[a:b]`. Gives K, `f[a:b]`, and
        whether the test is negated; None if there is none."""
        negated = False
        while isinstance(test, ir.Not):
            test, negated = test.of, not negated
        match test:
            case ir.IsNone():
                read, wanted = test.of, str(test.none)
            case ir.Compare(sign="==" | "!=", none_left=none_left, none_right=none_right):
                if local in free_locals(test.right) or (none_left is not None and none_right is not None):
                    return None
                read, wanted = test.left, self.text(test.right)
                negated ^= test.sign == "!="
            case _:
                return None
        run = self._run(local, source, read)
        return None if run is None else (wanted, run, negated)

    def _run(self, local: str, source: Op, read: Op) -> str | None:
        """The slice `f[a:b]`, if what is read of each element of a run of constants lies side by side."""
        values = constants_in(source)
        if not values or values != tuple(range(values[0], values[-1] + 1)):
            return None
        first = first_of_run(local, read, values[0])
        if first is None:
            return None
        if not first.terms:
            return f"{self.f}[{first.base}:{first.base + len(values)}]"
        start = self.index(first)
        return f"{self.f}[{start}:{start} + {len(values)}]"

    def is_peephole(self, op: ir.Some) -> bool:
        """True if it is written as `K in f[a:b]`, which beats any loop."""
        same = self._same_number(op.local, op.source, op.has) if op.where is None else None
        return same is not None and not same[2]

    def _written_out(self, local: str, source: Op, test: Op) -> list[tuple[int, str]] | None:
        """The test written out for each of a few constants; None if there are too many, or the test is too long."""
        if not isinstance(source, ir.Sequence) or not 0 < len(source.values) <= FEW_ELEMENTS:
            return None
        if weight(test) > FEW_PARTS:
            return None
        return [(number, self.condition(with_constant(test, local, number))) for number in source.values]

    def _some(self, op: ir.Some) -> str:
        local, source, where, has = op.local, op.source, op.where, op.has
        same = self._same_number(local, source, has) if where is None else None
        if same is not None and not same[2]:
            return f"({same[0]} in {same[1]})"
        both = has if where is None else ir.And(where, has, type=has.type)
        written = self._written_out(local, source, both)
        if written is not None:
            return f"({' or '.join(text for _, text in written)})"
        found = f"next((True {self._loop(local, source, both)}), False)"
        return f"(len({source.name}) > 0 and {found})" if isinstance(source, ir.Local) else found

    def _every(self, op: ir.Every) -> str:
        local, source, where, has = op.local, op.source, op.where, op.has
        same = self._same_number(local, source, has) if where is None else None
        if same is not None and same[2]:
            return f"({same[0]} not in {same[1]})"
        fails = ir.Not(has, type=has.type)
        both = fails if where is None else ir.And(where, fails, type=has.type)
        written = self._written_out(local, source, both)
        if written is not None:
            return f"(not ({' or '.join(text for _, text in written)}))"
        return f"next((False {self._loop(local, source, both)}), True)"

    def _gathered(self, op: ir.Gathered) -> str:
        if not op.tests:
            return f"set({self.text(op.source)})"
        source = self.text(op.source)
        return f"{{{op.local} for {op.local} in {source} if {' and '.join(map(self.condition, op.tests))}}}"

    def _all(self, op: ir.All) -> str:
        if op.where is None:
            listed = self.text(op.source) if isinstance(op.source, FRESH) else f"list({self.text(op.source)})"
        else:
            listed = f"[{op.local} {self._loop(op.local, op.source, op.where)}]"
        if op.key is None:
            return listed
        sign = "-" if op.direction == "highest" else ""
        return f"sorted({listed}, key=lambda {op.local}: {sign}{self.text(op.key)})"

    def _best(self, op: ir.Best) -> str:
        listed = f"[{op.local} for {op.local} in {self.text(op.source)}{self._where(op.where)}]"
        return f"best({listed}, lambda {op.local}: {self.text(op.measure)}, {op.best == 'most'})"

    def _the(self, op: ir.The) -> str:
        if isinstance(best := op.of, ir.Best):
            local, where = best.local, best.where
            items = self.text(best.source) if where is None else f"[{local} {self._loop(local, best.source, where)}]"
            measured = f"lambda {local}: {self.text(best.measure)}"
            return f"the_best({items}, {measured}, {best.best == 'most'}, {self._none(op)})"
        return f"the_only({self.text(op.of)}, {self._none(op)})"

    def _first(self, op: ir.First) -> str:
        if op.where is None:
            return f"first_of({self.text(op.source)}, {self._none(op)})"
        written = self._written_out(op.local, op.source, op.where)
        if written is not None:
            return f"({''.join(f'{number} if {text} else ' for number, text in written)}{self._none(op)})"
        return f"next(({op.local} {self._loop(op.local, op.source, op.where)}), {self._none(op)})"

    def _end(self, op: ir.End) -> str:
        return f"{op.which}_of({self.text(op.of)}, {self._none(op)})"

    def _none(self, op: Op) -> int:
        return none_of(op.type)

    def _element(self, op: ir.Element) -> str:
        return f"{self.text(op.source)}[{self.index(op.position)}]"

    def _count(self, op: ir.Count) -> str:
        if isinstance(op.of, ir.Group) and (slots := self.slots_of(op.of)) is not None:
            return f"({op.of.size} - {slots}.count({NONE}))"
        return f"len({self.text(op.of)})"

    def _count_where(self, op: ir.CountWhere) -> str:
        same = self._same_number(op.local, op.source, op.where)
        if same is not None:
            counted = f"{same[1]}.count({same[0]})"
            return f"({len(constants_in(op.source))} - {counted})" if same[2] else counted
        return f"len([1 {self._loop(op.local, op.source, op.where)}])"

    def _sum_of(self, op: ir.SumOf) -> str:
        run = self._run(op.local, op.source, op.value) if op.where is None else None
        if run is not None:
            return f"sum({run})"
        return f"sum([{self.text(op.value)} {self._loop(op.local, op.source, op.where)}])"

    def _fingerprint(self, op: ir.Fingerprint) -> str:
        return f"fingerprint({op.prime}, {', '.join(map(self._part, op.parts))})"

    def _part(self, part: Op) -> str:
        run = self._run(part.local, part.source, part.value) if isinstance(part, ir.Listed) else None
        return self.text(part) if run is None else run

    def _extreme_of(self, op: ir.ExtremeOf) -> str:
        listed = self._run(op.local, op.source, op.value) if op.where is None else None
        if listed is None:
            listed = f"[{self.text(op.value)} for {op.local} in {self.text(op.source)}{self._where(op.where)}]"
        if op.otherwise is None:
            return f"{op.which}({listed})"
        return f"{op.which}({listed}, default={self.text(op.otherwise)})"

    def _extreme(self, op: ir.Extreme) -> str:
        texts = list(dict.fromkeys(self.text(item) for item in op.items))
        return texts[0] if len(texts) == 1 else f"{op.which}({', '.join(texts)})"

    def _range(self, op: ir.Range) -> str:
        if isinstance(op.low, ir.Const) and isinstance(op.high, ir.Const):
            return self.constant(constants_in(op))
        return f"range({self.text(op.low)}, {self.text(op.high)} + 1)"

    def _join(self, op: ir.Join) -> str:
        if len(op.items) == 1 and not op.items[0].is_set and op.items[0].none is None:
            return f"({self.text(op.items[0].of)},)"
        constants = [item.of.values for item in op.items if item.is_set and isinstance(item.of, ir.Sequence)]
        if len(constants) == len(op.items):
            return self.constant(tuple(dict.fromkeys(number for values in constants for number in values)))
        parts = []
        for item in op.items:
            if item.is_set:
                parts.append(self.text(item.of))
            elif item.none is None:
                parts.append(f"({self.text(item.of)},)")
            else:
                parts.append(f"unless_none({self.text(item.of)}, {item.none})")
        return f"joined({', '.join(parts)})"

    def _concatenate(self, op: ir.Concatenate) -> str:
        parts = [f"*{self.text(item.of)}" if item.is_set else self.text(item.of) for item in op.items]
        return f"({', '.join(parts)},)"

    def _up_to(self, op: ir.UpTo) -> str:
        return f"up_to({self.text(op.source)}, lambda {op.local}: {self.condition(op.stop)})"

    def _without(self, op: ir.Without) -> str:
        test = "not in" if op.is_set else "!="
        return f"[e_ for e_ in {self.text(op.source)} if e_ {test} {self.text(op.left_out)}]"

    def _all_seats(self, op: Op) -> tuple[int, ...] | None:
        """All seats in order, if that is what the set is and the table of its rotations is not too large."""
        seats = tuple(range(self.players))
        return seats if isinstance(op, ir.Sequence) and op.values == seats and self.players <= 64 else None

    def _turned_to(self, op: ir.TurnedTo) -> str:
        if (seats := self._all_seats(op.source)) is not None:
            return f"{self.constant(tuple(seats[i:] + seats[:i] for i in seats))}[{self.text(op.item)}]"
        return f"turned_to({self.text(op.source)}, {self.text(op.item)})"

    def _following(self, op: ir.Following) -> str:
        if (seats := self._all_seats(op.source)) is not None:
            return f"{self.constant(tuple(seats[i + 1 :] + seats[:i] for i in seats))}[{self.text(op.item)}]"
        return f"following({self.text(op.source)}, {self.text(op.item)})"

    def _memory(self, op: ir.Memory) -> str:
        return "-1" if op.how == "row" else "[]"

    def _current(self, op: ir.Snapshot | ir.Changed) -> str:
        is_fields = op.kind == "fields"
        return f"{self.f}[{op.base}:{op.base + op.size}]" if is_fields else f"place_counts(S, {op.base}, {op.size})"

    def _snapshot(self, op: ir.Snapshot) -> str:
        return f"tuple({self._current(op)})" if op.kind == "fields" else self._current(op)

    def _changed(self, op: ir.Changed) -> str:
        return f"changed_since({self.text(op.snapshot)}, {self._current(op)}, {op.change!r})"


def constants_in(source: Op) -> tuple[int, ...]:
    """The elements of a set that is always the same; empty if the set is not constant."""
    match source:
        case ir.Sequence():
            return source.values
        case ir.Range(low=ir.Const(value=low), high=ir.Const(value=high)):
            return tuple(range(low, high + 1))
        case _:
            return ()


def own_field(local: str, read: Op) -> int | None:
    """The distance from the number of x to the offset of its own field that is read."""
    first = first_of_run(local, read, 0)
    return first.base if first is not None and not first.terms else None


def first_of_run(local: str, read: Op, first: int) -> ir.Address | None:
    """The address that is read for the first x, if those for the following ones lie directly behind it."""
    match read:
        case ir.ReadField(address=ir.Address(optional=False) as address):
            pass
        case ir.ReadSlot(address=ir.Address(optional=False) as address):
            pass
        case _:
            return None
    own = [term for term in address.terms if isinstance(term.index, ir.Local) and term.index.name == local]
    others = tuple(term for term in address.terms if term not in own)
    if len(own) != 1 or own[0].stride != 1 or local in free_locals(others):
        return None
    return replace(address, base=address.base + first - own[0].low, terms=others)
