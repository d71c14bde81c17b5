"""Filters as masks: `s.owner == p and s.row > 3` said of all elements at once.

A condition on an element falls into parts joined by `and`. Each part is one of three:

- *static*: it speaks of the element, of what is printed and of the map only. It goes into a table, together with the
  set that is gone over if that is static too: of `t in neighbours(s) where t.row == s.row + ahead(p)` nothing is left
  for play but a table by s and p.
- *a mask*: fields with an index compared with something that is the same for all elements, put together with `and`,
  `or`, `not`; what straight lines from the element meet (`lines`); membership of a set (`t in reachable`), or of one of
  several (`some d in D has t in f(d)`), which is marked once where it would be gone over for each element.
- *the rest*, which is tested for each element that is left.

Nothing moves that could meet a fault or count work. Behind a part of the rest that may, all parts keep their places.

A mask has its elements in the order of their numbers. Where order matters and the set has another one (neighbours go
round clockwise), its elements stay in their order and the mask is asked for each (`Sieved`); where the set is straight
(a ray up or down the board), the mask is read from its low or its high end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from ...check.value_types import Flag, SetOf, bare
from .. import ir
from ..fold import NotStatic, Worked
from ..hoist import without_copies
from ..ir import Op, conjunction, conjuncts_of
from ..unit import Unit
from .guards import Guards
from .indexes import Domain, Index, Indexes, domain_of
from .static import (
    MOST_ASKED,
    MOST_BYTES,
    MOST_ROWS,
    BoundOf,
    Parameters,
    Statics,
    is_simple,
)

_FEW = 8  # values that are asked for one by one


@dataclass
class Tables:
    """Tables of masks and of sets that the game needs, by name; equal ones are kept once."""

    masks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    sets: dict[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    _names: dict[object, str] = field(default_factory=dict)

    def mask_table(self, rows: tuple[int, ...], words: int) -> str:
        name = self._names.setdefault((rows, words), f"M_{len(self.masks)}")
        self.masks[name], self.words[name] = rows, words
        return name

    def set_table(self, rows: tuple[tuple[int, ...], ...]) -> str:
        name = self._names.setdefault(("sets", rows), f"L_{len(self.sets)}")
        self.sets[name] = rows
        return name


@dataclass(frozen=True)
class Filtered:
    """A set with its filter: `source` has the parts that became masks or tables, `rest` is tested for each element."""

    source: Op
    rest: tuple[Op, ...]


@dataclass
class _Parts:
    static: list[Op] = field(default_factory=list)
    masks: list[Op] = field(default_factory=list)
    rest: list[Op] = field(default_factory=list)


@dataclass
class Filters:
    """Turns the filters of one routine into masks."""

    unit: Unit
    statics: Statics
    indexes: Indexes
    tables: Tables
    bound_of: BoundOf
    is_free: Callable[[Op], bool]
    values: Mapping[str, ir.Routine]  # what pure routines say
    guards: Guards

    def filtered(self, source: Op, local: str, tests: list[Op], ordered: bool) -> Filtered | None:
        """The set with these tests; None if nothing is gained. `ordered`: the order of its elements matters."""
        domain = domain_of(self.unit, source.type.of) if isinstance(source.type, SetOf) else None
        if domain is None:
            return None
        spent, source = (source, source.source) if isinstance(source, ir.Counted) else (None, source)
        source = without_copies(source)
        if isinstance(source, ir.Marked):
            return self._more_marked(source, local, tests, domain, spent)
        elements = self.bound_of(source).size or domain.size
        parts = self._parted(tests, local, domain, elements)
        # A test that may fault or count work must meet the elements in the order of the rules, or another element would
        # be the one at fault.
        ordered = ordered or not all(map(self.is_free, parts.rest))
        found = self._members(source, local, parts.static, domain)
        if found is None and spent is None and self.is_put_together(source, ordered):
            parts.masks += [mask for test in parts.static if (mask := self._table(test, local, domain))]
            union: Op = ir.MaskUnion(None, None, None, source, type=ir.INDEX)
            mask = reduce(both, parts.masks, union)
            most = min(domain.size, self.bound_of(source).size or domain.size)
            return Filtered(ir.Marked(mask, domain.words, most, type=source.type, span=source.span), tuple(parts.rest))
        if found is None:
            return None
        members, static = found
        parts.masks[:0] = [mask for test in parts.static[static:] if (mask := self._table(test, local, domain))]
        if not static and not parts.masks:
            return None
        return Filtered(self._source(members, parts.masks, domain, ordered, source, spent), tuple(parts.rest))

    def joined(self, op: ir.Join) -> Op | None:
        """Sets of the map put together without repetition: a set of the map too."""
        domain = domain_of(self.unit, op.type.of) if isinstance(op.type, SetOf) else None
        if domain is None or not any(item.is_set for item in op.items):
            return None
        found = self._members(op, "", [], domain)
        if found is None:
            return None
        members, _ = found
        return ir.SetTable(self.tables.set_table(members.rows), members.terms, members.most, type=op.type, span=op.span)

    def is_put_together(self, source: Op, ordered: bool) -> bool:
        """A set that is found by marking anyway: what can be reached, or several sets without repetition. The latter
        has an order that a mask has not."""
        match source:
            case ir.Marked() | ir.Reach():
                return self.is_free(source)
            case ir.Join() if not ordered and len(source.items) > 1:
                return any(item.is_set for item in source.items) and self.is_free(source)
        return False

    def reached(self, op: ir.Reach) -> Op | None:
        """What can be reached, as a mask that is flooded node by node; None if edges have a say."""
        domain = domain_of(self.unit, op.type.of) if isinstance(op.type, SetOf) else None
        if domain is None or domain.kind != "node" or not isinstance(op.node, str) or op.nodes is None:
            return None
        if op.edge is not None and not (op.every_edge and op.edge_where is None):
            return None
        tests = [op.node_where] if op.node_where is not None else []
        found = self.filtered(op.nodes, op.node, tests, ordered=False)
        if found is None and not tests and (members := self._members(op.nodes, op.node, [], domain)):
            through: Op = self._mask_table(
                tuple(sum(1 << e for e in row) for row in members[0].rows), members[0].terms, domain
            )
        elif found is None or found.rest or not isinstance(found.source, ir.Marked) or found.source.spent is not None:
            return None
        else:
            through = found.source.mask
        graph = self.statics.graphs[op.map]
        beside = tuple(sum(1 << other for other in set(graph.neighbours.get(n, ()))) for n in range(domain.size))
        stops = tuple(node for low, size in op.stops for node in range(low, low + size))
        table = self.tables.mask_table(beside, domain.words)
        mask = ir.MaskReach(table, op.start, through, stops, type=ir.INDEX)
        most = min(domain.size, self.bound_of(op).size or domain.size)
        return ir.Marked(mask, domain.words, most, type=op.type, span=op.span)

    def _more_marked(
        self, source: ir.Marked, local: str, tests: list[Op], domain: Domain, spent: Op | None
    ) -> Filtered | None:
        """A set that is a mask already gets more of it."""
        if source.spent is not None and spent is not None:
            return None
        parts = self._parted(tests, local, domain, domain.size)
        masks = [*parts.masks, *(mask for test in parts.static if (mask := self._table(test, local, domain)))]
        if not masks or spent is not None:
            return None
        mask = reduce(both, masks, source.mask)
        return Filtered(replace(source, mask=mask), tuple(parts.rest))

    def _parted(self, tests: list[Op], local: str, domain: Domain, elements: int) -> _Parts:
        parts = _Parts()
        movable = True
        for test in (part for each in tests for part in conjuncts_of(each)):
            # Behind a test that may fault nothing is moved to the front: `t.piece is not none and t.piece.rank > 3`
            # must not ask for the rank of no piece.
            if movable and self._is_static(test, local):
                parts.static.append(test)
            elif movable and (mask := self.mask(test, local, domain, elements)) is not None:
                parts.masks.append(mask)
            else:
                if movable:
                    self._add_needed(parts, test, local, domain, elements)
                parts.rest.append(test)
                movable = movable and self.is_free(test)
        return parts

    def _add_needed(self, parts: _Parts, test: Op, local: str, domain: Domain, elements: int) -> None:
        """What must hold for the test to hold narrows the set, if it is a mask; the test itself stays."""
        for needed in self.guards.needed(test):
            if local in ir.free_locals(needed) and (mask := self.mask(needed, local, domain, elements)) is not None:
                parts.masks.append(mask)

    # ------------------------------------------------------------------ what never changes

    def _is_static(self, test: Op, local: str) -> bool:
        if local not in ir.free_locals(test):
            return False
        return self._read([test], local) is not None

    def _read(self, ops: list[Op], local: str) -> tuple[Parameters, list[Worked]] | None:
        """The parameters of these operations together, and each as a function; None if there are too many combinations,
        or something reads the state."""
        # First by the locals themselves, of which there are few values. If something in it reads the state, the largest
        # parts that do not speak of the element are taken for parameters instead.
        for largest in (False, True):
            parameters = Parameters(self.bound_of, local, self.unit if largest else None)
            try:
                worked = [self.statics.worked(op, parameters) for op in ops]
            except NotStatic:
                continue
            if parameters.rows <= MOST_ROWS:
                return parameters, worked
        return None

    def _members(self, source: Op, local: str, tests: list[Op], domain: Domain) -> tuple[_Members, int] | None:
        """The elements of a static set for each combination of its parameters, with all of the tests if there is room
        for that: how many of them comes with it."""
        # All tests in one table, or none: each subset in between would be one more table that hardly anybody shares.
        for static in dict.fromkeys((len(tests), 0)):
            ops = [source, *tests[:static]]
            read = self._read(ops, local)
            if read is None or read[0].rows * domain.words * 8 > MOST_BYTES:
                continue
            if read[0].rows * (self.bound_of(source).size or domain.size) <= MOST_ASKED:
                return self._worked_out(ops, *read), static
        return None

    def _worked_out(self, ops: list[Op], parameters: Parameters, worked: list[Worked]) -> _Members:
        """The same set is asked for in every way of running a game, and often in several rules: a large map takes a
        second to go over, so what it came to is kept."""
        key = parameters.shape(ops)
        rows = self.statics.rows.get(key)
        if rows is None:
            set_of, *holds = worked
            rows = self.statics.rows[key] = tuple(
                [_elements(set_of, holds, values) for values in parameters.combinations()]
            )
        return _Members(rows, parameters.terms())

    def _table(self, test: Op, local: str, domain: Domain) -> Op | None:
        """A static test as a table of masks over the whole domain."""
        read = self._read([test], local)
        if read is None:
            return None
        parameters, [holds] = read
        if parameters.rows * domain.words * 8 > MOST_BYTES or parameters.rows * domain.size > MOST_ASKED:
            return None
        try:
            rows = tuple(
                sum(1 << element for element in range(domain.size) if holds((element, *values)))
                for values in parameters.combinations()
            )
        except IndexError:
            return None
        return self._mask_table(rows, parameters.terms(), domain)

    def _mask_table(self, rows: tuple[int, ...], terms: tuple[ir.MaskTerm, ...], domain: Domain) -> Op:
        return ir.MaskTable(self.tables.mask_table(rows, domain.words), terms, type=ir.INDEX)

    def _source(
        self, members: _Members, masks: list[Op], domain: Domain, ordered: bool, source: Op, spent: Op | None
    ) -> Op:
        """The set: as a mask if its order allows that, else in its order with the mask as a sieve."""
        backward: Op | None = None
        # Bits come out in the order of their numbers. Neighbours that go round clockwise do not, and playouts draw an
        # option by its position in the list.
        if ordered and not all(row == tuple(sorted(row)) for row in members.rows):
            if not all(row in (tuple(sorted(row)), tuple(sorted(row, reverse=True))) for row in members.rows):
                table = ir.SetTable(self.tables.set_table(members.rows), members.terms, members.most, type=source.type)
                mask = reduce(both, masks) if masks else None
                return ir.Sieved(table, mask, domain.words, spent, type=source.type, span=source.span)
            falls = tuple(int(len(row) > 1 and row[0] > row[1]) for row in members.rows)
            backward = ir.MaskTable(self.tables.mask_table(falls, 1), members.terms, type=ir.INDEX)
        own = self._mask_table(tuple(sum(1 << e for e in row) for row in members.rows), members.terms, domain)
        mask = reduce(both, masks, own)
        return ir.Marked(mask, domain.words, members.most, backward, spent, type=source.type, span=source.span)

    # ------------------------------------------------------------------ conditions as masks

    def mask(self, test: Op, local: str, domain: Domain, elements: int) -> Op | None:
        """The elements of the domain that satisfy a condition, or None if that is no mask."""

        def of(inner: Op) -> Op | None:
            return self.mask(inner, local, domain, elements)

        if local not in ir.free_locals(test):
            return ir.MaskIf(test, type=ir.INDEX) if self._is_cheap(test) else None
        if isinstance(test, ir.And | ir.Or):
            left = of(test.left)
            right = of(test.right) if left is not None else None
            if left is None or right is None:
                return None
            return both(left, right) if isinstance(test, ir.And) else ir.MaskEither(left, right, type=ir.INDEX)
        if isinstance(test, ir.Not):
            inner = of(test.of)
            return ir.MaskNot(inner, type=ir.INDEX) if inner is not None else None
        static = self._table(test, local, domain) if self._is_static(test, local) else None
        found = static or self._of_index(test, local, domain, elements) or self._of_sets(test, local)
        return found or self.of_lines(test, local, domain, elements)

    def of_lines(self, test: Op, local: str, domain: Domain, elements: int) -> Op | None:
        """A test of what straight lines from the element meet: see `lines`."""
        return None

    def _is_cheap(self, test: Op) -> bool:
        return is_simple(test, self.bound_of, self.unit)

    def _of_index(self, test: Op, local: str, domain: Domain, elements: int) -> Op | None:
        """A test of one field of the element."""

        def index_of(read: Op, only_none: bool = False) -> Index | None:
            found = self.indexes.of(read, local, domain, self.bound_of, only_none)
            if found is not None:
                self.indexes.note(found, elements)
            return found

        match test:
            case ir.Compare(sign="==" | "!="):
                sides = (test.left, test.right, test.none_right), (test.right, test.left, test.none_left)
                for read, value, none in sides:
                    if local not in ir.free_locals(value) and self._is_cheap(value) and (index := index_of(read)):
                        mask: Op = ir.MaskIndex(index.name, value, type=ir.INDEX)
                        if test.none_left is not None and test.none_right is not None:  # none equals nothing
                            assert none is not None
                            is_any = ir.Not(ir.IsNone(value, none))
                            mask = both(mask, ir.MaskIf(is_any, type=ir.INDEX))
                        return mask if test.sign == "==" else ir.MaskNot(mask, type=ir.INDEX)
            case ir.IsNone() if index := index_of(test.of, only_none=True):
                return None if index.none_class is None else self._has_values(index, [index.none_class])
            case ir.Contains(source=ir.Sequence(values=values)) if len(values) <= _FEW:
                if index := index_of(test.item):
                    return self._has_values(index, list(values))
            case ir.Contains(source=ir.Join(items=items)) if len(items) <= _FEW:
                values_ = [item.of.value for item in items if isinstance(item.of, ir.Const) and item.none is None]
                if len(values_) == len(items) and (index := index_of(test.item)):
                    return self._has_values(index, values_)
            case ir.InRanges():
                values_ = [low + i for low, size in test.ranges for i in range(min(size, _FEW + 1))]
                if len(values_) <= _FEW and (index := index_of(test.item)):
                    return self._has_values(index, values_)
            case ir.ReadField() | ir.Lookup() if isinstance(bare(test.type), Flag):
                if index := index_of(test):
                    return self._has_values(index, [1])
        return None

    def _has_values(self, index: Index, values: list[int]) -> Op:
        masks: list[Op] = [
            ir.MaskIndex(index.name, ir.Const(value, type=ir.INDEX), type=ir.INDEX) for value in dict.fromkeys(values)
        ]
        if not masks:
            return ir.MaskIf(ir.Const(0, type=ir.FLAG), type=ir.INDEX)
        return reduce(lambda a, b: ir.MaskEither(a, b, type=ir.INDEX), masks)

    def _of_sets(self, test: Op, local: str) -> Op | None:
        """The element is in a set, or in one of several."""
        match test:
            case ir.Contains(item=ir.Local(name=name)) if name == local and self._is_apart(test.source, local):
                return ir.MaskUnion(None, None, None, test.source, type=ir.INDEX)
            case ir.Some() if self._is_apart(test.source, local):
                return self._of_some(test, local)
        return None

    def _of_some(self, test: ir.Some, local: str) -> Op | None:
        parts = conjuncts_of(test.where) + conjuncts_of(test.has)
        own = [part for part in parts if local in ir.free_locals(part)]
        others = [part for part in parts if local not in ir.free_locals(part)]
        match own:
            case [ir.Contains(item=ir.Local(name=name), source=source)] if name == local:
                if self._is_apart(source, local) and all(map(self.is_free, others)):
                    where = conjunction(others)
                    return ir.MaskUnion(test.local, test.source, where, source, type=ir.INDEX)
        return None

    def _is_apart(self, op: Op, local: str) -> bool:
        """A set of elements that can be worked out once, before the element is known."""
        return local not in ir.free_locals(op) and self.is_free(op) and isinstance(op.type, SetOf)


@dataclass(frozen=True)
class _Members:
    rows: tuple[tuple[int, ...], ...]
    terms: tuple[ir.MaskTerm, ...]

    @property
    def most(self) -> int:
        return max(map(len, self.rows), default=0)


def both(left: Op, right: Op) -> Op:
    return ir.MaskBoth(left, right, type=ir.INDEX)


def _elements(set_of: Worked, holds: list[Worked], values: tuple[int, ...]) -> tuple[int, ...]:
    """The elements for one combination of parameters."""
    found = []
    try:
        for element in set_of((None, *values)):
            asked = (element, *values)
            for test in holds:  # in order: one may keep the next from a table that has no such entry
                if not test(asked):
                    break
            else:
                found.append(element)
    except IndexError:  # no table has an entry for such a combination, so it cannot come up
        return ()
    return tuple(found)
