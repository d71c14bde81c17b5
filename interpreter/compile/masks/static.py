"""What never changes during a game, worked out when it is compiled: conditions and sets of maps, tables and constants.

`t.row > s.row` asks the same of two squares in every position, so it becomes a table of masks: for each s, the squares
t that satisfy it. An operation is turned into a Python expression over its parameters, which is evaluated for every
combination of their values; `NotStatic` says that it reads the state or that there are too many combinations.

Parameters are the locals that the operation reads. Where these have too many values together, or something in it reads
the state, the largest parts that do not speak of the element itself are parameters: `t.row == limit` has one parameter,
whatever is in the field `limit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ...check.value_types import SetOf
from .. import ir
from ..bounds import Bound
from ..fold import compared
from ..ir import Op
from ..ranges import Range

MOST_ROWS = 1 << 13  # combinations of parameters
MOST_BYTES = 1 << 17  # of a table
MOST_ASKED = 1 << 20  # evaluations
_MOST_VALUES = 1 << 10  # of one parameter

BoundOf = Callable[[Op], Bound]


class NotStatic(Exception):
    """It cannot be worked out beforehand."""


@dataclass
class Parameters:
    """The parameters of an operation by their names in its Python expression, in the order in which they are met.
    `element` is the local that the mask is over, which is none of them."""

    bound_of: BoundOf
    element: str
    largest: bool  # parts that do not speak of the element are parameters, not the locals in them
    found: dict[str, tuple[Op, Range]] = field(default_factory=dict)

    def name(self, op: Op) -> str:
        if isinstance(op, ir.Local):
            name = f"x_{op.name}"
        else:
            name = next((known for known, (one, _) in self.found.items() if one is op), f"y_{len(self.found)}")
        if name not in self.found:
            numbers = self.bound_of(op).numbers
            if numbers.high - numbers.lowest >= _MOST_VALUES or self.bound_of(op).size is not None:
                raise NotStatic
            self.found[name] = (op, numbers)
        return name

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

    def combinations(self) -> Iterator[tuple[int, ...]]:
        yield from product(*(range(numbers.lowest, numbers.high + 1) for _, numbers in self.found.values()))


class Statics:
    """Evaluates static operations of a game; `tables` and `graphs` as the C emitter has them."""

    def __init__(self, tables: Mapping[str, Any], graphs: Mapping[str, Any]) -> None:
        self.tables, self.graphs = tables, graphs
        self.sets: Mapping[str, tuple[tuple[int, ...], ...]] = {}  # tables of sets that were made so far
        self.names: dict[str, Any] = {"compared": compared}

    def compiled(self, text: str, parameters: Parameters, of_element: bool = True) -> Callable[..., Any]:
        """An operation, given by its text, as a function of the element and of the parameters in their order."""
        args = [*([f"x_{parameters.element}"] if of_element else []), *parameters.found]
        made: Callable[..., Any] = eval(f"lambda {', '.join(args)}: {text}", self.names)  # text of our own making
        return made

    # ------------------------------------------------------------------ operations as text

    def text(self, op: Op, parameters: Parameters) -> str:
        """The operation as a Python expression; what it needs to know is added to the parameters."""
        if isinstance(op, ir.Local) and op.name == parameters.element:
            return f"x_{op.name}"
        if isinstance(op, ir.Const):
            return f"({op.value})"
        if isinstance(op, ir.Local) or (parameters.largest and self._is_apart(op, parameters)):
            return parameters.name(op)

        def of(inner: Op) -> str:
            return self.text(inner, parameters)

        match op:
            case ir.Lookup():
                return self._entry(op.table, (op.index, *op.more), of)
            case ir.MapTable():
                return self._entry(op.table, op.indexes, of)
            case ir.MapQuery():
                return self._query(op, of)
            case ir.Sequence():
                return repr(op.values)
            case ir.Arithmetic() if op.sign in ("+", "-", "*"):
                return f"({of(op.left)} {op.sign} {of(op.right)})"
            case ir.Arithmetic(right=ir.Const(value=value)) if value > 0:
                return f"({of(op.left)} {op.sign} {value!r})"
            case ir.Unary():
                inner = of(op.of)
                signs = f"(({inner} > 0) - ({inner} < 0))"
                return {"negative": f"(-{inner})", "absolute": f"abs({inner})", "sign": signs}[op.what]
            case ir.Compare(none_left=None, none_right=None):
                return f"({of(op.left)} {op.sign} {of(op.right)})"
            case ir.Compare():
                return f"compared({op.sign!r}, {op.none_left}, {op.none_right}, {of(op.left)}, {of(op.right)})"
            case ir.And():
                return f"({of(op.left)} and {of(op.right)})"
            case ir.Or():
                return f"({of(op.left)} or {of(op.right)})"
            case ir.Not():
                return f"(not {of(op.of)})"
            case ir.Conditional():
                return f"({of(op.then)} if {of(op.condition)} else {of(op.otherwise)})"
            case ir.InRanges():
                item = of(op.item)
                return f"({' or '.join(f'{low} <= {item} < {low + size}' for low, size in op.ranges) or 'False'})"
            case ir.IsNone():
                return f"({of(op.of)} == {op.none})"
            case ir.HasBit():
                return f"({of(op.mask)} >> {op.number} & 1)"
            case ir.Contains():
                return f"({of(op.item)} in {of(op.source)})"
            case ir.IsEmpty():
                return f"(not {of(op.of)})"
            case ir.Count():
                return f"len({of(op.of)})"
            case ir.All(where=None, key=None):
                return of(op.source)
            case ir.SetTable():
                return self._known_sets(op, of)
            case ir.Join() if not any(item.none is not None for item in op.items):
                items = "".join(f"{'*' if item.is_set else ''}{of(item.of)}, " for item in op.items)
                return f"tuple(dict.fromkeys(({items})))"
        raise NotStatic

    def _is_apart(self, op: Op, parameters: Parameters) -> bool:
        """Something worked out without the element, cheaply and without a fault: a parameter by itself."""
        return parameters.element not in ir.free_locals(op) and is_simple(op, parameters.bound_of)

    def _entry(self, table: str, indexes: tuple[Op, ...], of: Callable[[Op], str]) -> str:
        if table not in self.tables:
            raise NotStatic
        self.names[f"t_{table}"] = self.tables[table]
        return f"t_{table}" + "".join(f"[{of(index)}]" for index in indexes)

    def _known_sets(self, op: ir.SetTable, of: Callable[[Op], str]) -> str:
        """A set that has become a table already."""
        self.names[op.table] = self.sets[op.table]
        row = ""
        for term in op.terms:
            own = f"{of(term.index)} - {term.low}"
            row = f"({row}) * {term.size} + {own}" if row else own
        return f"{op.table}[{row or 0}]"

    def _query(self, op: ir.MapQuery, of: Callable[[Op], str]) -> str:
        if op.what not in ("distance", "ring", "spiral", "between", "line"):
            raise NotStatic
        self.names[f"m_{op.map}_{op.what}"] = self._asked(op.map, op.what)
        return f"m_{op.map}_{op.what}({', '.join(of(arg) for arg in op.args)})"

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


_SIMPLE = (
    ir.Const, ir.Local, ir.ReadField, ir.ReadSlot, ir.Face, ir.Lookup, ir.MapTable, ir.Unary, ir.Compare, ir.And, ir.Or,
    ir.Not, ir.Conditional, ir.IsNone, ir.InRanges, ir.HasBit,
)  # fmt: skip


def is_simple(op: Op, bound_of: BoundOf) -> bool:
    """A few machine instructions, without a fault, wherever it stands: a condition before it may be there to keep it
    from reading a field of nobody, so an address must be one whatever its indexes are."""
    match op:
        case ir.Address():
            inside = op.optional or all(bound_of(term.index).numbers.none is None for term in op.terms)
            return inside and all(is_simple(term.index, bound_of) for term in op.terms)
        case ir.Arithmetic():
            known = op.sign in ("+", "-", "*")
        case ir.MapQuery():
            known = op.what == "distance"
        case _:
            known = isinstance(op, _SIMPLE)
    if not known or isinstance(op.type, SetOf) or (isinstance(op, ir.Local) and bound_of(op).size is not None):
        return False
    return all(is_simple(inner, bound_of) for inner in ir.operands(op))
