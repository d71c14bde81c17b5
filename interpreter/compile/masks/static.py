"""What never changes during a game, worked out when it is compiled: conditions and sets of maps, tables and constants.

`t.row > s.row` asks the same of two squares in every position, so it becomes a table of masks: for each s, the squares
t that satisfy it. An operation becomes a function of the element and of its parameters (`Worked`), which is asked for
every combination of their values; `NotStatic` says that it reads the state or that there are too many combinations.

Parameters are the locals that the operation reads. Where these have too many values together, or something in it reads
the state, the largest parts that do not speak of the element itself are parameters: `t.row == limit` has one parameter,
whatever is in the field `limit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from operator import itemgetter
from typing import Any

from ...check.value_types import Number, SetOf, bare, none_of
from .. import ir
from ..bounds import Bound
from ..fold import NotStatic, Worked, single, worked
from ..ir import Op
from ..ranges import Range
from ..unit import Unit

MOST_ROWS = 1 << 13  # combinations of parameters
MOST_BYTES = 1 << 17  # of a table
MOST_ASKED = 1 << 20  # evaluations
_MOST_VALUES = 1 << 10  # of one parameter

BoundOf = Callable[[Op], Bound]


@dataclass
class Parameters:
    """The parameters of an operation by their names, in the order in which they are met. `element` is the local that
    the mask is over, which is none of them."""

    bound_of: BoundOf
    element: str
    unit: Unit | None  # if given, parts that do not speak of the element are parameters, and not the locals in them
    found: dict[str, tuple[Op, Range]] = field(default_factory=dict)

    def position(self, op: Op) -> int:
        """Where its value stands among those that a `Worked` is asked with; the element is at 0."""
        if isinstance(op, ir.Local):
            name = f"x_{op.name}"
        else:
            name = next((known for known, (one, _) in self.found.items() if one is op), f"y_{len(self.found)}")
        if name not in self.found:
            numbers = self.bound_of(op).numbers
            if numbers.high - numbers.lowest >= _MOST_VALUES or self.bound_of(op).size is not None:
                raise NotStatic
            self.found[name] = (op, numbers)
        return 1 + list(self.found).index(name)

    @property
    def rows(self) -> int:
        rows = 1
        for _, numbers in self.found.values():
            rows *= numbers.high - numbers.lowest + 1
        return rows

    def terms(self) -> tuple[ir.MaskTerm, ...]:
        return tuple(
            ir.MaskTerm(op, numbers.lowest, numbers.high - numbers.lowest + 1) for op, numbers in self.found.values()
        )

    def shape(self, ops: Sequence[Op]) -> tuple[Any, ...]:
        """Equal for operations that come to the same with the same combinations of values. Where all parameters are
        locals, these are known by where their values stand: the same set is often asked for with other names."""
        if self.unit is not None:
            ranges = [(name, numbers.lowest, numbers.high) for name, (_, numbers) in self.found.items()]
            return self.element, *ranges, *(shape_of(op, {}) for op in ops)
        places = {name.removeprefix("x_"): place for place, name in enumerate(self.found, 1)} | {self.element: 0}
        bare = [(numbers.lowest, numbers.high) for _, numbers in self.found.values()]
        return *bare, *(shape_of(op, places) for op in ops)

    def combinations(self) -> Iterator[tuple[int, ...]]:
        yield from product(*(range(numbers.lowest, numbers.high + 1) for _, numbers in self.found.values()))


_QUERIES = ("distance", "ring", "spiral", "between", "line")


class Statics:
    """Evaluates static operations of a game; `tables` and `graphs` as the C emitter has them."""

    def __init__(self, tables: Mapping[str, Any], graphs: Mapping[str, Any]) -> None:
        self.tables, self.graphs = tables, graphs
        self.sets: Mapping[str, tuple[tuple[int, ...], ...]] = {}  # tables of sets that were made so far
        self.rows: dict[Any, tuple[tuple[int, ...], ...]] = {}  # sets that were worked out so far, by what from

    def worked(self, op: Op, parameters: Parameters) -> Worked:
        """The operation as a function; what it needs to know is added to the parameters."""
        if isinstance(op, ir.Local) and op.name == parameters.element:
            return itemgetter(0)
        if isinstance(op, ir.Local) or self._is_apart(op, parameters):
            return itemgetter(parameters.position(op))

        def of(inner: Op) -> Worked:
            return self.worked(inner, parameters)

        match op:
            case ir.MapQuery():
                return self._query(op, [of(arg) for arg in op.args] if op.what in _QUERIES else [])
            case ir.Sequence(values=values):
                return lambda v: values
            case ir.Count():
                return single(len, of(op.of))
            case ir.All(where=None, key=None):
                return of(op.source)
            case ir.SetTable():
                return self._known_sets(op, [of(term.index) for term in op.terms])
            case ir.Join() if not any(item.none is not None for item in op.items):
                items = [(one.is_set, of(one.of)) for one in op.items]
                return lambda v: tuple(
                    dict.fromkeys(e for is_set, found in items for e in (found(v) if is_set else (found(v),)))
                )
            case ir.Address(optional=True):
                raise NotStatic
        return worked(op, of, self.tables)

    def _is_apart(self, op: Op, parameters: Parameters) -> bool:
        """Something worked out without the element, cheaply and without a fault: a parameter by itself."""
        if isinstance(op, ir.Const) or parameters.unit is None or parameters.element in ir.free_locals(op):
            return False
        return is_simple(op, parameters.bound_of, parameters.unit)

    def _known_sets(self, op: ir.SetTable, indexes: list[Worked]) -> Worked:
        """A set that has become a table already."""
        rows, terms = self.sets[op.table], list(zip(op.terms, indexes, strict=True))

        def row(v: Sequence[Any]) -> tuple[int, ...]:
            number = 0
            for term, index in terms:
                number = number * term.size + index(v) - term.low
            return rows[number]

        return row

    def _query(self, op: ir.MapQuery, args: list[Worked]) -> Worked:
        if op.what not in _QUERIES:
            raise NotStatic
        asked = self._asked(op.map, op.what)
        return lambda v: asked(*[arg(v) for arg in args])

    def _asked(self, name: str, what: str) -> Callable[..., Any]:
        """The map's own answer, or that for none where a node or a direction is none."""
        graph = self.graphs[name]
        ways = max(map(len, graph.toward.values()), default=0)

        def line(node: int, direction: int, steps: int) -> tuple[int, ...]:
            if node < 0 or not 0 <= direction < len(graph.toward.get(node, ())) <= ways or steps <= 0:
                return ()
            return tuple(graph.line(node, direction, steps))

        def set_of(node: int, *more: int) -> tuple[int, ...]:
            return tuple(getattr(graph, what)(node, *more)) if node >= 0 and all(one >= 0 for one in more) else ()

        distance: Callable[..., Any] = graph.distance
        return {"line": line, "distance": distance}.get(what, set_of)


def shape_of(value: Any, places: Mapping[str, int]) -> Any:
    """An operation without its type and its place in the rules; locals that have places are known by these."""
    if isinstance(value, ir.Local):
        return ir.Local, places.get(value.name, value.name)
    if isinstance(value, ir.Op | ir.Part):
        return (type(value), *[shape_of(part, places) for part in ir.values_of(value)])
    return tuple([shape_of(part, places) for part in value]) if isinstance(value, tuple) else value


_SIMPLE = (
    ir.Const, ir.Local, ir.ReadField, ir.ReadSlot, ir.Face, ir.Unary, ir.Compare, ir.And, ir.Or, ir.Not,
    ir.Conditional, ir.IsNone, ir.InRanges, ir.HasBit, ir.WhereIs,
)  # fmt: skip


def is_simple(op: Op, bound_of: BoundOf, unit: Unit) -> bool:
    """A few machine instructions, without a fault, wherever it stands: a condition before it may be there to keep it
    from reading a field of nobody, so an address must be one whatever its indexes are."""
    match op:
        case ir.Address():
            inside = op.optional or all(bound_of(term.index).numbers.none is None for term in op.terms)
            there = op.optional or not any(_is_no_index(term.index, bound_of, unit) for term in op.terms)
            return inside and there and all(is_simple(term.index, bound_of, unit) for term in op.terms)
        case ir.Lookup() | ir.MapTable():
            indexes = (op.index, *op.more) if isinstance(op, ir.Lookup) else op.indexes
            known = not any(_is_no_index(index, bound_of, unit) for index in indexes)
        case ir.Arithmetic():
            known = op.sign in ("+", "-", "*")
        case ir.MapQuery():
            known = op.what == "distance"
        case ir.Count(of=ir.Marked() as marked) | ir.IsEmpty(of=ir.Marked() as marked):
            return marked.spent is None and _is_simple_mask(marked.mask, bound_of, unit)
        case _:
            known = isinstance(op, _SIMPLE)
    if not known or isinstance(op.type, SetOf) or (isinstance(op, ir.Local) and bound_of(op).size is not None):
        return False
    return all(is_simple(inner, bound_of, unit) for inner in ir.operands(op))


def _is_no_index(index: Op, bound_of: BoundOf, unit: Unit) -> bool:
    """An index that lies far outside if it is none. Where no piece, node or player is the index, that is -1, for which
    tables have an entry."""
    return isinstance(bare(index.type), Number) and may_be_none(index, bound_of, unit)


def may_be_none(op: Op, bound_of: BoundOf, unit: Unit) -> bool:
    """True if it may be none where nothing has been asked yet.

        c.man is not none and distance(c, t) <= c.man.moves

    Behind the question the moves are a number 1..3, and so says their bound. A mask is made of all parts of a condition
    before any of them is asked, also on spaces without a man.
    """
    if bound_of(op).numbers.none is not None:
        return True
    match op:
        case ir.Const() | ir.Local() | ir.Condition():
            return False
        case ir.ReadField(address=address):
            field = unit.layout.field_at(bound_of(address).numbers.low)
            optional = isinstance(address, ir.Address) and address.optional
            return optional or field is None or unit.layout.ranges[field].none is not None
        case ir.Lookup():
            table = unit.tables.get(op.table)
            gap = table is None or _has(table.values, none_of(op.type))
            return gap or any(may_be_none(index, bound_of, unit) for index in (op.index, *op.more))
    return any(may_be_none(inner, bound_of, unit) for inner in ir.operands(op))


def _has(values: Any, none: int) -> bool:
    return any(_has(value, none) for value in values) if isinstance(values, tuple | list) else values == none


def _is_simple_mask(mask: Op, bound_of: BoundOf, unit: Unit) -> bool:
    """Some words that are put together, such as `the men of p`, of which somebody asks how many there are."""
    if isinstance(mask, ir.MaskTable | ir.MaskIndex | ir.MaskIf):
        return all(is_simple(inner, bound_of, unit) for inner in ir.operands(mask))
    known = isinstance(mask, ir.MaskBoth | ir.MaskEither | ir.MaskNot)
    return known and all(_is_simple_mask(inner, bound_of, unit) for inner in ir.operands(mask))
