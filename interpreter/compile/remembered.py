"""Values that are worth remembering: dear ones that turn on nothing but what they are asked with.

    value wins_with(h: set of Tile): flag = some a in 1..20, b in 1..20 where b >= a has is_made_of(h, a, b)

Whether a hand wins takes some thousand operations, and whoever draws worlds asks it of the same hands again and again,
at each discard of the past. Such a value reads no state, so what came of it once is what comes of it always. The
Python backend keeps it, with the units of work that it took (`runtime/remembered.py`). In C it costs so little that
nothing is kept.

Of a set of pieces mostly their *sorts* count (`sorts.py`): five tiles win whichever of the four equal copies they are.
Then all hands with as many pieces of each sort share an answer. Not where the order in a hand decides how much work is
counted, since a fault must come at the same step as ever.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..check import value_types as t
from . import ir
from .ir import Op, Routine
from .meta import ELEMENTS, NUMBER
from .pure import called_by, with_callers
from .sorts import Sorts, is_piece, sorts_of_value
from .unit import Unit

# What a value may consist of that reads no state: neither fields nor places, nor what is running, nor who is still in.
_INSTRUCTIONS = (ir.If, ir.For, ir.Let, ir.Return)
_OPERATIONS = (
    ir.Const, ir.Local, ir.Sequence, ir.Lookup, ir.Indexed, ir.Arithmetic, ir.Unary, ir.Compare, ir.And, ir.Or, ir.Not,
    ir.Conditional, ir.Otherwise, ir.Contains, ir.InRanges, ir.IsNone, ir.IsEmpty, ir.InRange, ir.Fitting, ir.Some,
    ir.Every, ir.Listed, ir.All, ir.UpTo, ir.Best, ir.First, ir.Counted, ir.Distinct, ir.The, ir.End, ir.Element,
    ir.Position, ir.Count, ir.CountWhere, ir.SumOf, ir.ExtremeOf, ir.Extreme, ir.Range, ir.Join, ir.Concatenate,
    ir.Without, ir.Following, ir.TurnedTo, ir.Tuple, ir.CallValue, ir.MapTable,
)  # fmt: skip
_LOOPS = (
    ir.Some, ir.Every, ir.Listed, ir.All, ir.UpTo, ir.Best, ir.First, ir.CountWhere, ir.SumOf, ir.ExtremeOf,
)  # fmt: skip
_DEAR = 2  # loops in one another: below that, looking it up takes about as long as working it out

Keys = tuple[str | Sorts, ...]


def remembered_values(unit: Unit) -> dict[str, Keys]:
    """By the name of its routine: how the arguments of each value are told that is worth remembering."""
    return _Remembering(unit).found()


class _Remembering:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.values = {name: routine for name, routine in unit.routines.items() if routine.kind == "pure"}
        self.stateless = self._without_state()
        self.depths: dict[str, int] = {}
        self.counting = {name for name, routine in self.values.items() if any(map(_is_counted, routine.operations()))}
        self.counting = with_callers(self.counting, self.values.values())

    def found(self) -> dict[str, Keys]:
        """Dear values that something asks which does read the state, and what they ask over and over with the same."""
        asking = [routine for name, routine in self.unit.routines.items() if name not in self.stateless]
        outer = {name for routine in asking for name in called_by(routine)}
        found = {name: self._keys(name) for name in self.stateless if name in outer and self._depth(name) >= _DEAR}
        for name in sorted(self._asked_by(found)):
            for inner in sorted(_repeated(self.values[name])):
                if inner not in found and self._depth(inner):
                    found[inner] = tuple([how if how == NUMBER else ELEMENTS for how in self._keys(inner)])
        return found

    def _without_state(self) -> dict[str, Routine]:
        """The values that turn on their arguments alone."""
        reading = {
            name for name, routine in self.values.items() if not all(map(_reads_nothing, routine.instructions()))
        }
        reading = with_callers(reading, self.values.values())
        return {name: routine for name, routine in self.values.items() if name not in reading}

    def _asked_by(self, names: Iterable[str]) -> set[str]:
        """These values, and all that they ask."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += called_by(self.values[name])
        return found

    def _depth(self, name: str) -> int:
        """How many loops stand in one another, those of the values that it asks among them."""
        if name not in self.depths:
            self.depths[name] = 0  # a value that uses itself is an error
            self.depths[name] = self._of_block(self.values[name].body)
        return self.depths[name]

    def _of_block(self, body: ir.Block) -> int:
        return max(map(self._of_instruction, body), default=0)

    def _of_instruction(self, ins: ir.Ins) -> int:
        inner = max(map(self._of_block, ir.blocks_of(ins)), default=0) + isinstance(ins, ir.For)
        return max([inner, *map(self._of_operation, ir.operands(ins))])

    def _of_operation(self, op: Op) -> int:
        inner = max(map(self._of_operation, ir.operands(op)), default=0) + isinstance(op, _LOOPS)
        return inner + self._depth(op.routine) if isinstance(op, ir.CallValue) else inner

    # ------------------------------------------------------------------ how arguments are told

    def _keys(self, name: str) -> Keys:
        routine = self.values[name]
        types = {op.name: op for op in routine.operations() if isinstance(op, ir.Local)}
        sets = {name for name in routine.params if name in types and isinstance(t.bare(types[name].type), t.SetOf)}
        pieces = [name for name in routine.params if name in types and is_piece(types[name])]
        sorts = None
        if len(pieces) == 1 and pieces[0] in sets and all(map(self._counts_alike, self._asked_by([name]))):
            sorts = sorts_of_value(self.unit, routine)
        told: list[str | Sorts] = [ELEMENTS if name in sets else NUMBER for name in routine.params]
        if sorts is not None:
            told[routine.params.index(pieces[0])] = sorts
        return tuple(told)

    def _counts_alike(self, name: str) -> bool:
        """Whether the work that is counted is the same in whatever order pieces stand: none is counted in loops over
        them, of which the first pass that succeeds may be the last."""
        for op in self.values[name].operations():
            if isinstance(op, _LOOPS) and is_piece(op.source):
                inner = [one for part in ir.operands(op) if part is not op.source for one in ir.operations(part)]
                if any(_is_counted(one) or getattr(one, "routine", "") in self.counting for one in inner):
                    return False
        return not any(isinstance(ins, ir.For) for ins in self.values[name].instructions())


def _reads_nothing(ins: ir.Ins) -> bool:
    return isinstance(ins, _INSTRUCTIONS) and all(isinstance(op, _OPERATIONS) for op in ir.operations(ins))


def _is_counted(op: Op) -> bool:
    return isinstance(op, ir.Counted)


def _repeated(routine: Routine) -> set[str]:
    """The values that it asks without a word of something that changes meanwhile: a parameter, or a loop around."""
    found: set[str] = set()
    waiting: list[tuple[Op, frozenset[str]]] = []
    for ins in routine.instructions():
        around = frozenset(routine.params)  # loops of statements are left out: then a little less is remembered
        waiting += [(op, around) for op in ir.operands(ins)]
    while waiting:
        op, around = waiting.pop()
        if isinstance(op, ir.CallValue) and around - set(ir.free_locals(op)):
            found.add(op.routine)
        around = around.union(getattr(op, name) for name in op.binds)
        waiting += [(one, around) for one in ir.operands(op)]
    return found
