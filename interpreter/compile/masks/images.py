"""What a loop over numbers looks at, as masks: the fields that a piece would cover.

    value fits(p, t: Patch, s: Cell, way: Turn): flag
      result no i in 1..5 where i <= t.size has is_blocked(p, spot(t, s, way, i))

Here `spot` asks nothing of the state: it gives a cell for each i, or none beyond the rim. So all the cells of a patch
at a place are a mask by t, s and way, worked out when the game is compiled, and the question is one about these cells:
does `is_blocked` hold for one of them, or is one of them beyond the rim?

Nothing may be asked about i but which element it gives. What is asked of none must be known beforehand: `c is none` is
yes, `c.owner == p` is no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...check.value_types import NONE, Flag, Number, SetOf, bare
from .. import ir
from ..fold import NotStatic, Worked
from ..ir import Op, conjunction, conjuncts_of, free_locals
from ..written_out import expression_of, is_long, with_arguments
from .filters import Filters
from .indexes import Domain, domain_of
from .static import Parameters, Statics, shape_of

MOST_ROWS = 1 << 17
MOST_BYTES = 1 << 20  # of different rows; equal ones are kept once
MOST_ASKED = 1 << 19
DEEPEST = 3  # values that ask for values


class _Statics(Statics):
    def worked(self, op: Op, parameters: Parameters) -> Worked:
        match op:
            case ir.First(where=None):
                source = self.worked(op.source, parameters)
                return lambda v: next(iter(source(v)), NONE)
            case ir.Range():
                low, high = self.worked(op.low, parameters), self.worked(op.high, parameters)
                return lambda v: range(low(v), high(v) + 1)
            case ir.Indexed():
                table: dict[Any, tuple[int, ...]] = self.tables[op.index]
                values = [self.worked(value, parameters) for value in op.values]
                if len(values) == 1:
                    return lambda v: table.get(values[0](v), ())
                return lambda v: table.get(tuple([value(v) for value in values]), ())
        return super().worked(op, parameters)


class Images:
    """Turns the loops of one routine into questions about the elements that they look at."""

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self.statics = _Statics(filters.statics.tables, filters.statics.graphs)
        self.statics.sets = filters.statics.sets

    def some(self, op: ir.Some, is_list: bool = False) -> Op | None:
        """`some i in S where A has C`, with an element of the map in place of i; None if that is not the same. A list
        is sooner gone over than a mask of several words, where the elements are asked one by one."""
        element = op.source.type.of if isinstance(op.source.type, SetOf) else None
        if element is None or domain_of(self.filters.unit, element) is not None or not self.filters.is_free(op):
            return None
        fixed, asked = self._parted(op)
        found = {shape_of(one, {}): one for part in asked for one in self._elements(part, op.local)}
        if len(found) != 1 or any(op.local in free_locals(self._with(part, op.local, None)) for part in asked):
            return None
        [given] = found.values()
        domain = domain_of(self.filters.unit, given.type)
        rows = self._rows(op, fixed, given) if domain is not None else None
        if domain is None or rows is None:
            return None
        return self._asked(op, asked, given, domain, *rows, is_list)

    def _parted(self, op: ir.Some) -> tuple[list[Op], list[Op]]:
        """The conditions that never change, and the others with the values in them written out."""
        tests = [*(conjuncts_of(op.where) if op.where is not None else []), *conjuncts_of(op.has)]
        fixed = [test for test in tests if self._is_static(test, op.local)]
        return fixed, [self._written_out(test, op.local, DEEPEST) for test in tests if test not in fixed]

    def _is_static(self, op: Op, local: str) -> bool:
        try:
            self.statics.worked(op, Parameters(self.filters.bound_of, local, None))
        except NotStatic:
            return False
        return True

    def _written_out(self, op: Op, local: str, depth: int) -> Op:
        """The values that are asked about the number."""
        if isinstance(op, ir.CallValue) and depth and local in free_locals(op):
            value = self.filters.values.get(op.routine)
            whole = expression_of(value.body) if value is not None else None
            if value is not None and whole is not None and not is_long(whole):
                given = dict(zip(value.params, op.args, strict=True))
                return self._written_out(with_arguments(whole, given, self.filters.guards.fresh), local, depth - 1)
        return ir.rebuilt(op, lambda part: self._written_out(part, local, depth))

    # ------------------------------------------------------------------ which elements

    def _elements(self, op: Op, local: str) -> Iterator[Op]:
        """The largest parts that give an element of the map by the number and by nothing that changes."""
        if local not in free_locals(op):
            return
        if self._is_element(op, local):
            yield op
            return
        for part in ir.operands(op):
            yield from self._elements(part, local)

    def _is_element(self, op: Op, local: str) -> bool:
        return domain_of(self.filters.unit, op.type) is not None and self._is_static(op, local)

    def _with(self, op: Op, local: str, name: str | None) -> Op:
        """The condition with a local in place of these parts; without a name, with none."""
        if local not in free_locals(op):
            return op
        if self._is_element(op, local):
            kind = bare(op.type)
            return ir.Local(name, type=kind) if name is not None else ir.Const(NONE, type=op.type)
        return ir.rebuilt(op, lambda part: self._with(part, local, name))

    def _rows(
        self, op: ir.Some, fixed: list[Op], given: Op
    ) -> tuple[tuple[ir.MaskTerm, ...], tuple[tuple[int, ...], ...]] | None:
        """The elements for each combination of the parameters, none among them."""
        for largest in (False, True):
            parameters = Parameters(self.filters.bound_of, op.local, self.filters.unit if largest else None)
            try:
                source, *worked, element = [self.statics.worked(one, parameters) for one in (op.source, *fixed, given)]
            except NotStatic:
                continue
            numbers = self.filters.bound_of(op.source).size or MOST_ASKED
            if parameters.rows > MOST_ROWS or parameters.rows * numbers > MOST_ASKED:
                continue
            key, rows = ("image", *parameters.shape([op.source, *fixed, given])), self.filters.statics.rows
            if key not in rows:
                rows[key] = tuple(_row(source, worked, element, values) for values in parameters.combinations())
            return parameters.terms(), rows[key]
        return None

    # ------------------------------------------------------------------ what is asked of them

    def _asked(
        self, op: ir.Some, asked: list[Op], given: Op, domain: Domain, terms: tuple[ir.MaskTerm, ...],
        rows: tuple[tuple[int, ...], ...], is_list: bool,
    ) -> Op | None:  # fmt: skip
        masks = tuple(sum(1 << element for element in set(row) if element >= 0) for row in rows)
        if len(set(masks)) * domain.words * 8 > MOST_BYTES:
            return None
        name = self.filters.guards.fresh(op.local)
        most = max(len({element for element in row if element >= 0}) for row in rows)
        has = conjunction([_of_element(self._with(part, op.local, name), name) for part in asked])
        assert has is not None
        elements: Op = self._marked(masks, terms, domain.words, most, given)
        if is_list:
            lists = tuple(tuple(sorted({element for element in row if element >= 0})) for row in rows)
            table = self.filters.tables.set_table(lists)
            elements = ir.SetTable(table, terms, most, type=SetOf(bare(given.type)), span=given.span)
        found: Op = ir.Some(name, elements, None, has, span=op.span)
        beyond = tuple(int(any(element < 0 for element in row)) for row in rows)
        if any(beyond):
            of_none = _and(_known(self._with(part, op.local, None)) for part in asked)
            if of_none is None:
                return None
            if of_none:
                rim = ir.Not(ir.IsEmpty(self._marked(beyond, terms, 1, 1, given), span=op.span), span=op.span)
                found = ir.Or(rim, found, type=ir.FLAG, span=op.span)
        return found

    def _marked(
        self, rows: tuple[int, ...], terms: tuple[ir.MaskTerm, ...], words: int, most: int, given: Op
    ) -> ir.Marked:
        mask = ir.MaskTable(self.filters.tables.mask_table(rows, words), terms, type=ir.INDEX)
        return ir.Marked(mask, words, most, type=SetOf(bare(given.type)), span=given.span)


def _and(answers: Iterable[bool | None]) -> bool | None:
    """Three-valued: no if one of them is no, else None if one is not known."""
    every = list(answers)
    return False if False in every else None if None in every else True


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _of_element(op: Op, name: str) -> Op:
    """The condition where there is an element: it is not none, so what is asked before all else drops out. `A if C else
    B` is said as `C and A or not C and B`, where C does not speak of the element: so it can be a mask."""
    op = ir.rebuilt(op, lambda part: _of_element(part, name))
    match op:
        case ir.IsNone(of=ir.Local(name=own)) if own == name:
            return ir.Const(0, type=ir.FLAG, span=op.span)
        case ir.Not(of=ir.Const(value=value)):
            return ir.Const(1 - value, type=ir.FLAG, span=op.span)
        case ir.And(left=ir.Const(value=value)):
            return op.right if value else op.left
        case ir.Or(left=ir.Const(value=value)):
            return op.left if value else op.right
        case ir.Conditional(condition=ir.Const(value=value)):
            return op.then if value else op.otherwise
        case ir.Conditional() if name not in free_locals(op.condition) and isinstance(bare(op.type), Flag):
            then = ir.And(op.condition, op.then, type=ir.FLAG, span=op.span)
            otherwise = ir.And(ir.Not(op.condition, span=op.span), op.otherwise, type=ir.FLAG, span=op.span)
            return ir.Or(then, otherwise, type=ir.FLAG, span=op.span)
    return op


def _row(source: Worked, tests: list[Worked], element: Worked, values: tuple[int, ...]) -> tuple[int, ...]:
    try:
        numbers = [(number, *values) for number in source((None, *values))]
        return tuple([element(asked) for asked in numbers if all(test(asked) for test in tests)])
    except IndexError:  # no table has an entry for such a combination, so it cannot come up
        return ()


def _known(op: Op) -> bool | None:
    """What a condition comes to if that is known without the state; of none much is."""
    match op:
        case ir.Const():
            return bool(op.value)
        case ir.And():
            return _and((_known(op.left), _known(op.right)))
        case ir.Or():
            return _not(_and((_not(_known(op.left)), _not(_known(op.right)))))
        case ir.Not():
            return _not(_known(op.of))
        case ir.Conditional():
            condition = _known(op.condition)
            return None if condition is None else _known(op.then if condition else op.otherwise)
        case ir.IsNone() if _is_none(op.of):
            return True
        case ir.Compare() if (op.none_left is not None and _is_none(op.left)) or (
            op.none_right is not None and _is_none(op.right)
        ):
            return op.sign == "!="
    return None


def _is_none(op: Op) -> bool:
    match op:
        case ir.Const():
            return op.value == NONE and not isinstance(bare(op.type), Number)
        case ir.ReadField(address=ir.Address(optional=True) as address):
            return any(_is_none(term.index) for term in address.terms)
        case ir.ReadSlot(address=ir.Address(optional=True) as address):
            return any(_is_none(term.index) for term in address.terms)
    return False
