"""How large the sets and numbers of a routine's locals can become: what a backend without growing lists must know.

Python's lists and integers grow by themselves, so the Python backend asks for none of this. A backend in C gives every
set a fixed room and every number a fixed width, and both must be proved. `bounds_of` does that before any backend runs:
each operation has a rule (`_set`, `numbers_of`), and each local gets what all its assignments can give it. Loops are
followed until nothing grows. What is picked one by one has at most all the values of its type, a counter of a loop
stops at the loop's limit, and what still grows after a few rounds may be anything that its type allows.

An operation without a rule of its own is bounded by its type alone, so a new class is safe, if not tight. `MANY` and
`ranges.ANY` say that nothing is known: a backend must check there at run time. No ruleset of this project has such a
set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

from ..check.program import RuleDecl
from ..check.value_types import NONE, Number, PlaceOf, SetOf, VType, bare
from . import ir
from .ir import INDEX, Ins, Op, Routine
from .numbers import numbers_of
from .ranges import ANY, Range, distinct_of, range_of
from .unit import Unit

MANY = 1 << 20
# Operations that give elements of their source, none of them more often than it is there.
_SUBSETS = (
    ir.All, ir.Best, ir.Counted, ir.Distinct, ir.Without, ir.TurnedTo, ir.Following, ir.UpTo,
)  # fmt: skip
_ROUNDS = 4  # how often a routine is gone through before what still grows gets all that its type allows


@dataclass(frozen=True)
class Bound:
    """`numbers`: what the value, or each element of a set, can be. `size`: the most elements; None: no set.
    `thing` says in words what the numbers stand for, if they are more than numbers."""

    numbers: Range
    size: int | None = None
    thing: str = ""

    def joined(self, other: Bound) -> Bound:
        numbers = self.numbers.joined(other.numbers)
        if self.size is None and other.size is None:
            return Bound(numbers, None, self.thing)
        return Bound(numbers, max(self.size or 0, other.size or 0), self.thing)

    def __str__(self) -> str:
        numbers = "any number" if self.numbers == ANY else f"{self.thing} {self.numbers}".lstrip()
        if self.size is None:
            return numbers
        return f"at most {self.size} of {numbers}" if self.size < MANY else f"any number of {numbers}"


@dataclass(eq=False)
class Bounds:
    """`locals`: by routine and name. `results`: what routines with a result give."""

    unit: Unit
    locals: dict[str, dict[str, Bound]] = field(default_factory=dict)
    results: dict[str, Bound] = field(default_factory=dict)

    def of(self, routine: Routine) -> dict[str, Bound]:
        return self.locals.get(routine.name, {})

    @cached_property
    def rules(self) -> dict[str, list[RuleDecl]]:
        """Rules and hooks by name: each routine asks for its own."""
        found: dict[str, list[RuleDecl]] = {}
        for rule in self.unit.program.all_rules():
            found.setdefault(rule.name, []).append(rule)
        return found


def bounds_of(unit: Unit) -> Bounds:
    """The bounds of all locals, parameters and results. Results are first what their types allow, then found out."""
    found = Bounds(unit)
    for _ in range(2):  # a result that rests on another result is tight only once that one is known
        for routine in unit.routines.values():
            pass_over = _Pass(unit, routine, found)
            found.locals[routine.name] = pass_over.run()
            result = pass_over.result()
            if result is not None:
                found.results[routine.name] = result
    return found


class _Pass:
    """The bounds of one routine's locals."""

    def __init__(self, unit: Unit, routine: Routine, found: Bounds) -> None:
        self.unit, self.routine, self.found = unit, routine, found
        self.instructions = list(routine.instructions())
        self.types = _types(unit, routine, self.instructions, found)
        self.binding = [(ins, _bound_inside(ins)) for ins in self.instructions]
        self.counters = self._counter_limits()
        self.picked = self._picked_sets()
        self.known: dict[str, Bound] = {name: self.of_type(self.types.get(name)) for name in routine.params}

    def run(self) -> dict[str, Bound]:
        number = 0
        before: dict[str, Bound] = {}
        while self.known != before or number == 0:
            before, number = dict(self.known), number + 1
            for ins, inside in self.binding:
                for local, source in inside:
                    self._join(local, Bound(self.bound(source).numbers), number > _ROUNDS)
                if ins.local_set is not None:
                    self._join(ins.local_set, self._assigned(ins), number > _ROUNDS)
        for name in self.types:
            if name not in self.known:
                self.known[name] = self.of_type(self.types[name])
        return {name: replace(bound, thing=_thing(self.types.get(name))) for name, bound in self.known.items()}

    def _join(self, name: str, value: Bound, widen: bool) -> None:
        """Notes that the local may hold this too. With `widen`, a bound that still grows gets the widest there is, so
        that the search ends."""
        old = self.known.get(name)
        new = value if old is None else old.joined(value)
        most = self.of_type(self.types.get(name))
        if new.numbers == ANY:  # the value is not known; but what the local is said to hold is
            new = replace(new, numbers=most.numbers)
        # The test that ends the loop bounds a counter better than its type does, which allows any number.
        if name in self.counters:
            new = Bound(Range(min(0, value.numbers.low, new.numbers.low), self._high(self.counters[name])))
        elif name in self.picked:
            # By what is picked, not by how often the loop comes round: each pass appends one, and nothing here counts
            # passes.
            new = replace(new, size=self._picked_at_most(name, _most(most)))
        if widen and old is not None and new != old:
            size = new.size if new.size == old.size or name in self.picked else MANY
            new = Bound(_wide(old.numbers, new.numbers, most.numbers), size)
        self.known[name] = new

    def _counter_limits(self) -> dict[str, Op]:
        """Counters of loops that live in the frame. They start at a number and grow by one behind a test that leaves at
        `counter >= n`, so they never exceed n."""
        found: dict[str, Op] = {}
        for ins in self.instructions:
            match ins:
                case ir.If(condition=ir.Compare(sign=">=", left=ir.Local(name=name), right=limit)):
                    lets = [i.value for i in self.instructions if isinstance(i, ir.Let) and i.local == name]
                    if lets and all(_is_start_or_step(value, name) for value in lets):
                        found[name] = limit
        return found

    def _picked_sets(self) -> set[str]:
        """Sets that grow by one with each pick of a decision."""
        found = set()
        for ins in self.instructions:
            match ins:
                case ir.Let(value=ir.Append(source=ir.Local(name=name))) if name == ins.local:
                    found.add(name)
        return found

    def _picked_at_most(self, name: str, otherwise: int) -> int:
        """Each pick of a set differs from those before. What is picked in a payment may repeat, but there are at most
        as many picks as are to be paid."""
        for ins in self.instructions:
            if isinstance(ins, ir.PayOptions) and isinstance(ins.picks, ir.Local) and ins.picks.name == name:
                return sum(self._high(amount) for amount in ins.amounts)
            if isinstance(ins, ir.SetOptions) and ins.chosen == name and ins.high is not None:
                return min(otherwise, self._high(ins.high))
        return otherwise

    def _assigned(self, ins: Ins) -> Bound:
        match ins:
            case ir.Let():
                return self.bound(ins.value)
            case ir.For() | ir.PickRandom():
                return Bound(self.bound(ins.source).numbers)
            case ir.Take():
                return self._first(self.bound(ins.pieces), ins.count)
            case ir.Draw():
                return self._first(self._place(ins.place), ins.count)
            case ir.Deal():
                return self._first(self._place(ins.source), ins.count)
            case ir.Call():
                return self.found.results.get(ins.routine) or self.of_type(self.types.get(ins.local or ""))
            case ir.Move() | ir.SupposeMove():
                layout = self.unit.layout
                return Bound(Range(NONE, layout.lists + layout.slots - 1))
        return self.of_type(self.types.get(ins.local_set or ""))

    def _first(self, pieces: Bound, count: Op) -> Bound:
        return Bound(pieces.numbers, min(_most(pieces), self._high(count)))

    def result(self) -> Bound | None:
        given = [ins.value for ins in self.instructions if isinstance(ins, ir.Return) and ins.value is not None]
        bounds = [self.bound(value) for value in given]
        return reduce(Bound.joined, bounds) if bounds else None

    # ------------------------------------------------------------------ operations

    def of_type(self, value_type: VType | None) -> Bound:
        """All that a type allows. `INDEX` is what lowering gives to anything that is no value of the rules."""
        if value_type is None or value_type is INDEX:
            return Bound(ANY)
        if isinstance(value_type, SetOf) and value_type.of is INDEX:
            return Bound(ANY, MANY)
        numbers = range_of(self.unit.program, value_type)
        if isinstance(value_type, SetOf | PlaceOf):
            return Bound(numbers, min(MANY, distinct_of(self.unit.program, value_type)))
        return Bound(numbers)

    def bound(self, op: Op) -> Bound:
        if isinstance(op, ir.Local):
            return self.known.get(op.name) or self.of_type(op.type)
        if isinstance(op, ir.CallValue) and op.routine in self.found.results:
            return self.found.results[op.routine]
        if isinstance(op, ir.Conditional):
            return self.bound(op.then).joined(self.bound(op.otherwise))
        found = self._set(op)
        if found is not None:
            return Bound(found.numbers, min(_most(found), MANY))
        if isinstance(op.type, SetOf | PlaceOf):
            return self.of_type(op.type)
        return Bound(numbers_of(op, self.unit, lambda inner: self.bound(inner).numbers, self._size))

    def _size(self, op: Op) -> int:
        return _most(self.bound(op))

    def _high(self, op: Op) -> int:
        return max(0, self.bound(op).numbers.high)

    def _set(self, op: Op) -> Bound | None:
        """How many elements a set has at most, and what they can be; None if there is no rule for it, or it is no set.
        Each operand is asked once: asked for its size and again for its elements, a set inside a set inside a set would
        take twice as long with every level."""
        if isinstance(op, _SUBSETS):
            source = self.bound(op.source)
            return Bound(source.numbers, _most(source))
        match op:
            case ir.Sequence() if op.values:
                return Bound(Range(min(op.values), max(op.values)), len(op.values))
            case ir.Range():
                low, high = self.bound(op.low).numbers.low, self.bound(op.high).numbers.high
                return Bound(Range(low, high), max(0, high - low + 1))
            case ir.Append():
                source = self.bound(op.source)
                return Bound(source.numbers.joined(self.bound(op.item).numbers), _most(source) + 1)
            case ir.Listed():
                return Bound(self.bound(op.value).numbers, self._size(op.source))
            case ir.Changed():
                return Bound(Range(0, op.size - 1), op.size)
            case ir.Snapshot():
                counts = Range(0, len(self.unit.program.pieces))
                return Bound(counts if op.kind == "counts" else self._field(op.base), op.size)
            case ir.Rebased():
                return Bound(self.bound(op.snapshot).numbers, op.size)
            case ir.Paid():
                pieces = self._paid_from(op)
                return Bound(pieces.numbers, min(_most(pieces), self._high(op.amounts[op.cost])))
        size = self._size_alone(op)
        if size is None:
            return None
        return Bound(self.of_type(op.type).numbers if isinstance(op.type, SetOf | PlaceOf) else ANY, size)

    def _size_alone(self, op: Op) -> int | None:
        """The same for sets whose elements can be all that their type allows."""
        match op:
            case ir.Sequence():
                return len(op.values)
            case ir.Contents():
                return self._place(op.address).size
            case ir.Group():
                return op.size
            case ir.SlotContents():
                return 1
            case ir.Boxed():
                return sum(count for _, count in op.ranges)
            case ir.Indexed():
                return max(map(len, self.unit.indexes[op.index].values()), default=0)
            case ir.Lookup() if isinstance(op.type, SetOf):
                table = self.unit.tables.get(op.table)
                return _longest(table.values) if table is not None else None
            case ir.MapTable() if isinstance(op.type, SetOf):
                return self._map_table(op)
            case ir.SeatsIn():
                return self.unit.program.players
            case ir.Join():
                return min(self._joined(op.items), self._distinct(op.type))
            case ir.Concatenate():
                return self._joined(op.items)
            case ir.Tuple():
                return len(op.items)
            case ir.Sieved():
                return self._size(op.source)
            case ir.Public() if isinstance(op.type, SetOf):
                return self._size(op.of)
            case ir.Memory():
                return len(self.unit.program.pieces)
            case ir.Marked() | ir.SetTable():
                return op.most
        return None

    def _distinct(self, value_type: VType) -> int:
        return distinct_of(self.unit.program, value_type) if isinstance(value_type, SetOf) else MANY

    def _joined(self, items: tuple[ir.JoinItem, ...]) -> int:
        return sum(self._size(item.of) if item.is_set else 1 for item in items)

    def _place(self, address: Op) -> Bound:
        """What can lie in the place with that number."""
        layout, base = self.unit.layout, self._base(address)
        place = layout.place_at(base) if base is not None else None
        if place is not None:
            return Bound(self.of_type(PlaceOf(place.kinds, place.shape)).numbers, layout.capacities[place])
        pieces = len(self.unit.program.pieces)
        return Bound(Range(0, max(0, pieces - 1)), pieces)

    def _paid_from(self, op: ir.Paid) -> Bound:
        """What lies in the place that a payment takes pieces from."""
        contents = self.unit.payments.made[op.payment].costs[op.cost].sources[op.source].contents
        return self.bound(contents) if contents is not None else Bound(ANY, 0)

    def _field(self, base: int) -> Range:
        field = self.unit.layout.field_at(base)
        return ANY if field is None else self.unit.layout.ranges[field]

    def _base(self, address: Op) -> int | None:
        """Where the places lie among which an address picks one; None: not known."""
        match address:
            case ir.Const():
                return address.value
            case ir.Address():
                return address.base
            case ir.Local():
                lets = [ins.value for ins in self.instructions if isinstance(ins, ir.Let) and ins.local == address.name]
                return self._base(lets[0]) if len(lets) == 1 else None
        return None

    def _map_table(self, op: ir.MapTable) -> int | None:
        if op.table not in self.unit.map_tables:
            return None
        board, what = self.unit.map_tables[op.table]
        match what:
            case "neighbours":
                return max(map(len, board.neighbours.values()), default=0)
            case "edges":
                return max(map(len, board.edges_of.values()), default=0)
            case "ends":
                return 2
        return None


def _most(of: Bound) -> int:
    """The most elements; of what is no set, nothing is known."""
    return MANY if of.size is None else of.size


def _bound_inside(ins: Ins) -> list[tuple[str, Op]]:
    """Operations over a set bind a local of their own, to each element of it: their locals and sets."""
    pairs = [(getattr(op, "local", None), getattr(op, "source", None)) for op in ir.operations(ins)]
    return [(local, source) for local, source in pairs if isinstance(local, str) and isinstance(source, Op)]


def _types(unit: Unit, routine: Routine, instructions: list[Ins], bounds: Bounds) -> dict[str, VType]:
    """What each local is said to be: by its rule, by the frame, or by whoever reads it."""
    rules = bounds.rules.get(routine.rule, ())
    found = {unit.local_name(param): param.type for rule in rules for param in rule.params}
    players = [block.player for block in unit.program.scores]
    players += [unit.program.rank.player] if unit.program.rank is not None else []
    if routine.rule in ("score", "rank"):
        found |= {unit.local_name(player): player.type for player in players}
    found |= dict(zip(routine.slots, routine.slot_types, strict=False))
    for name, value_type in _mentioned(instructions):
        if name not in found or found[name] is INDEX:
            found[name] = value_type
    return found


def _mentioned(instructions: list[Ins]) -> Iterator[tuple[str, VType]]:
    for ins in instructions:
        for op in ir.operations(ins):
            if isinstance(op, ir.Local):
                yield op.name, op.type
        if isinstance(ins, ir.Let):
            yield ins.local, ins.value.type


def _is_start_or_step(value: Op, name: str) -> bool:
    match value:
        case ir.Const():
            return True
        case ir.Arithmetic(sign="+", left=ir.Local(name=counter), right=ir.Const(value=1)):
            return counter == name
    return False


def _thing(value_type: VType | None) -> str:
    """In words what the numbers of a type stand for; nothing where a number is just a number."""
    of = bare(value_type.of if isinstance(value_type, SetOf) else value_type) if value_type is not None else INDEX
    return "" if isinstance(of, Number) else str(of)


def _wide(old: Range, new: Range, most: Range) -> Range:
    """Widens a bound that still grows: to all that the type allows, or to any number on the side on which it grows."""
    low = old.low if new.low == old.low else most.low if most.low < new.low else ANY.low
    high = old.high if new.high == old.high else most.high if most.high > new.high else ANY.high
    return Range(low, high, new.none)


def _longest(values: tuple[object, ...]) -> int:
    """The longest set in a table; tables with indexes hold one table for each value of the first index."""
    longest = 0
    for value in values:
        if isinstance(value, tuple):
            nested = any(isinstance(item, tuple) for item in value)
            longest = max(longest, _longest(value) if nested else len(value))
    return longest


def bare_pass(unit: Unit, found: Bounds) -> _Pass:
    """What bounds operations by their types alone, in whatever routine they stand."""
    made = _Pass.__new__(_Pass)
    made.unit, made.found, made.known, made.instructions = unit, found, {}, []
    return made


def sizes_in(unit: Unit, routine: Routine, found: Bounds) -> Callable[[Op], Bound]:
    """What bounds the operations of a routine, for a backend that asks about single operations."""
    pass_over = _Pass(unit, routine, found)
    pass_over.run()
    return pass_over.bound
