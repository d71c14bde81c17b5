"""Checked expressions become operations on the state's layout: fields, places, tests, binders, questions to maps.

What is decided here: where a field or place lives, how none is tested, which elements a name ranges over. A backend
that gets these operations needs no further knowledge of the game. Sets and calls are in `lower_expressions`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ..check import program as core
from ..check.expression_forms import may_fault
from ..check.forms import UnknownForm
from ..check.value_types import NONE, Die, Maybe, Number, Piece, Player, SetOf, bare, none_of
from ..check.walk import conjuncts, speaks_of, walk
from ..diagnostics.source import NOWHERE
from ..files.records import handler
from ..syntax.bounds import calculated
from . import ir
from .ir import FLAG, INDEX, Op
from .layout import Spot, spot_of
from .substitute import is_simple
from .unit import Unit

_ON_MAP = {"joining": "edges_joining", "edge": "edge_joining"}  # a map's own name for a question, where it differs
_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


class AtomLowering:
    """Lowers expressions of one routine. `previous` is the routine that `previous` means in an instead hook."""

    def __init__(self, unit: Unit, previous: str | None = None, own_args: tuple[Op, ...] = ()) -> None:
        self.unit = unit
        self.previous = previous
        self.own_args = own_args
        self._inlining = 0

    # ------------------------------------------------------------------ entry

    def lower(self, expr: core.Expr) -> Op:
        method = getattr(self, handler(type(expr)), None)
        if method is None:
            raise UnknownForm(expr)
        return method(expr)  # type: ignore[no-any-return]

    def lower_all(self, exprs: tuple[core.Expr, ...]) -> tuple[Op, ...]:
        return tuple(self.lower(expr) for expr in exprs)

    def maybe(self, expr: core.Expr | None) -> Op | None:
        return None if expr is None else self.lower(expr)

    def set_of(self, expr: core.Expr) -> Op:
        """A set or a place as an operation that gives a sequence of numbers."""
        if isinstance(expr, core.PlaceRef):
            return self.contents(expr)
        if isinstance(expr, core.Box):
            ranges = tuple(self.unit.kind_ranges(expr.type.kinds))  # type: ignore[attr-defined]
            return ir.Boxed(ranges, type=expr.type, span=expr.span)
        lowered = self.lower(expr)
        if isinstance(bare(expr.type), SetOf) or isinstance(expr, core.DiceGroup):
            return lowered
        return ir.Join((join_item(expr, lowered),), type=SetOf(expr.type))

    # ------------------------------------------------------------------ addresses and places

    def address(self, spot: Spot, indexes: list[tuple[core.Expr, int]], shift: int = 0) -> ir.Address:
        """Indexes with the low end of their dimension, in the order of the spot's strides."""
        base = spot.base + shift
        terms: list[ir.Term] = []
        optional = any(isinstance(expr.type, Maybe) for expr, _ in indexes)
        for (expr, low), stride in zip(indexes, spot.strides, strict=False):
            lowered = self.lower(expr)
            if isinstance(expr.type, Maybe):
                terms.append(ir.Term(lowered, stride, low))
            elif isinstance(lowered, ir.Const):
                base += (lowered.value - low) * stride
            elif optional and low < 0:
                # `heat[n]` with n in -3..3: taken as it is, an index of -1 would be read as none.
                terms.append(ir.Term(self._shifted(lowered, low), stride, 0))
            else:
                # The base stays where the field or place begins: passes ask the layout what lies there.
                terms.append(ir.Term(lowered, stride, low))
        tested = [
            part.span for expr, _ in indexes for part in walk(expr) if isinstance(part, core.Expr) and may_fault(part)
        ]
        span = tested[0] if tested else NOWHERE
        return ir.Address(base, tuple(terms), optional, type=Maybe(INDEX) if optional else INDEX, span=span)

    def field_address(
        self, field: core.FieldDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]
    ) -> ir.Address:
        return self.address(self.unit.layout.fields[field], self._pairs(field, owner, indexes))

    def place_address(self, ref: core.PlaceRef) -> ir.Address:
        """The number of the place (of its first slot, for all slots of a group)."""
        pairs = self._pairs(ref.place, ref.owner, ref.indexes)
        if ref.slot is not None and ref.place.slot_dimension is not None:
            pairs.append((ref.slot, ref.place.slot_dimension.low))
        return self.address(self.unit.layout.places[ref.place], pairs)

    def slot_address(self, ref: core.PlaceRef) -> ir.Address:
        """The offset in the state array of a slot."""
        number = self.place_address(ref)
        return replace(number, base=number.base - self.unit.layout.lists, span=NOWHERE)

    def contents(self, ref: core.PlaceRef) -> Op:
        pieces, size = SetOf(Piece(ref.place.kinds)), group_size(ref)
        if size is not None:
            return ir.Group(self.slot_address(ref), size, type=pieces, span=ref.span)
        if ref.place.shape in ("slot", "slots"):
            return ir.SlotContents(self.slot_address(ref), type=pieces, span=ref.span)
        return ir.Contents(self.place_address(ref), type=pieces, span=ref.span)

    def _pairs(
        self, decl: core.FieldDecl | core.PlaceDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]
    ) -> list[tuple[core.Expr, int]]:
        """Owner and indexes, each with the low end of its dimension."""
        pairs: list[tuple[core.Expr, int]] = []
        if decl.owner_dimension is not None:
            assert owner is not None
            pairs.append((owner, decl.owner_dimension.low))
        return pairs + [(index, dimension.low) for index, dimension in zip(indexes, decl.dimensions, strict=True)]

    # ------------------------------------------------------------------ atoms

    def _const(self, expr: core.Const) -> Op:
        return ir.Const(expr.value, type=expr.type, span=expr.span)

    def _local_var(self, expr: core.LocalVar) -> Op:
        return ir.Local(self.unit.local_name(expr.local), type=expr.type, span=expr.span)

    def _field_read(self, expr: core.FieldRead) -> Op:
        address = self.field_address(expr.field, expr.owner, expr.indexes)
        return ir.ReadField(address, none_of(expr.field.type), type=expr.type, span=expr.span)

    def die_number(self, field: core.FieldDecl, owner: core.Expr | None, index: core.Expr | None) -> ir.Address:
        """The number of a die; without an index that of the only die, or of the first of several."""
        first = tuple(core.Const(dimension.type, NOWHERE, dimension.low) for dimension in field.dimensions)
        pairs = self._pairs(field, owner, first if index is None else (index,))
        address = self.address(self.unit.layout.fields[field], pairs, -self.unit.layout.dice)
        faces = bare(field.type)
        of = Die(faces.low, faces.high) if isinstance(faces, Number) else faces
        return replace(address, type=of, span=NOWHERE)

    def _die_ref(self, expr: core.DieRef) -> Op:
        return self.die_number(expr.field, expr.owner, expr.index)

    def _dice_group(self, expr: core.DiceGroup) -> Op:
        first = self.die_number(expr.field, expr.owner, None)
        size = expr.field.dimensions[0].size
        last = ir.Arithmetic("+", first, ir.Const(size - 1, type=INDEX), type=INDEX)
        return ir.Range(first, last, type=expr.type, span=expr.span)

    def _face(self, expr: core.Face) -> Op:
        return ir.Face(self.lower(expr.die), type=expr.type, span=expr.span)

    def _attribute_of(self, expr: core.AttributeOf) -> Op:
        name = self.unit.table(expr.table)
        of, pairs = self.lower(expr.of), zip(expr.indexes, expr.table.dimensions, strict=True)
        more = tuple(self._shifted(self.lower(index), dimension.low) for index, dimension in pairs)
        return ir.Lookup(name, of, more, type=expr.type, span=expr.span)

    def _shifted(self, op: Op, low: int) -> Op:
        """Index minus low. None (-1) must stay -1, so tables whose index is shifted have the entry for none at their
        end."""
        if low == 0:
            return op
        if isinstance(op, ir.Const):
            is_none = op.value == NONE and isinstance(op.type, Maybe)
            return ir.Const(NONE if is_none else op.value - low, type=op.type)
        shifted = ir.Arithmetic("-", op, ir.Const(low, type=INDEX), type=op.type)
        if isinstance(op.type, Maybe):
            none = ir.IsNone(op, none_of(op.type))
            return ir.Conditional(none, ir.Const(NONE, type=op.type), shifted, type=op.type)
        return shifted

    def _in_range(self, expr: core.InRange) -> Op:
        return ir.Fitting(self.lower(expr.of), expr.low, expr.high, expr.what, type=expr.type, span=expr.span)

    def _chart_cell(self, expr: core.ChartCell) -> Op:
        name = self.unit.table(expr.chart.columns[expr.column])
        pairs = [(arg, dimension.low) for arg, dimension in zip(expr.args, expr.chart.dimensions, strict=True)]
        row = replace(self.address(spot_of(0, expr.chart.dimensions), pairs), span=NOWHERE)
        return ir.Lookup(name, row, type=expr.type, span=expr.span)

    def _place_ref(self, expr: core.PlaceRef) -> Op:
        return self.contents(expr)

    def _slot_piece(self, expr: core.SlotPiece) -> Op:
        address = self.slot_address(expr.place)
        if not expr.is_tested:
            return ir.ReadSlot(address, type=expr.type, span=expr.span)
        read = ir.ReadSlot(address, type=Maybe(expr.type), span=expr.span)
        return ir.Filled(read, expr.place.place.name, type=expr.type, span=expr.span)

    def _end_of(self, expr: core.EndOf) -> Op:
        which: Literal["first", "last"] = "first" if expr.end in ("top", "first") else "last"
        return self.somebody(ir.End(self.set_of(expr.of), which, type=expr.type, span=expr.span))

    def somebody(self, found: Op) -> Op:
        """One of a set that is never empty. Of players it is, once all have dropped out: a fault, and no seat -1."""
        is_there = isinstance(found.type, Player) and not isinstance(found.type, Maybe)
        return ir.Somebody(found, type=found.type, span=found.span) if is_there and self.unit.seats_may_drop else found

    # ------------------------------------------------------------------ arithmetic and tests

    def _arithmetic(self, expr: core.Arithmetic) -> Op:
        left, right = self.lower(expr.left), self.lower(expr.right)
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            number = calculated(left.value, expr.op, right.value)
            if number is not None:  # a division by nothing stays what it is, and faults when it is reached
                return ir.Const(number, type=expr.type, span=expr.span)
        return ir.Arithmetic(_ARITHMETIC[expr.op], left, right, type=expr.type, span=expr.span)

    def _negative(self, expr: core.Negative) -> Op:
        of = self.lower(expr.of)
        if isinstance(of, ir.Const):
            return ir.Const(-of.value, type=expr.type, span=expr.span)
        return ir.Unary("negative", of, type=expr.type, span=expr.span)

    def _compare(self, expr: core.Compare) -> Op:
        left, right = self.lower(expr.left), self.lower(expr.right)
        nones = [none_of(side.type) if isinstance(side.type, Maybe) else None for side in (expr.left, expr.right)]
        return ir.Compare(expr.op, left, right, *nones, span=expr.span)

    def _logic(self, expr: core.Logic) -> Op:
        left, right = self.lower(expr.left), self.lower(expr.right)
        decided = expr.op == "or"
        if isinstance(left, ir.Const):
            return left if bool(left.value) == decided else right
        # The other way round (`x or yes`) the left side stays: it may be a fault, which has to show.
        if isinstance(right, ir.Const) and bool(right.value) != decided:
            return left
        return ir.Or(left, right, span=expr.span) if decided else ir.And(left, right, span=expr.span)

    def _not(self, expr: core.Not) -> Op:
        of = self.lower(expr.of)
        if isinstance(of, ir.Const):
            return ir.Const(int(not of.value), type=FLAG, span=expr.span)
        return ir.Not(of, span=expr.span)

    def _if_else(self, expr: core.IfElse) -> Op:
        condition = self.lower(expr.condition)
        if isinstance(condition, ir.Const):
            return self.lower(expr.then if condition.value else expr.otherwise)
        then, otherwise = self.lower(expr.then), self.lower(expr.otherwise)
        return ir.Conditional(condition, then, otherwise, type=expr.type, span=expr.span)

    def _otherwise(self, expr: core.Otherwise) -> Op:
        value = self.lower(expr.value)
        if not isinstance(expr.value.type, Maybe):
            return value
        fallback, none = self.lower(expr.fallback), none_of(expr.value.type)
        return ir.Otherwise(value, fallback, none, type=expr.type, span=expr.span)

    def _member(self, expr: core.Member) -> Op:
        item = self.lower(expr.item)
        optional = isinstance(expr.item.type, Maybe)
        source = expr.source
        if isinstance(source, core.Box):
            return ir.InBox(item, optional, span=expr.span)
        if isinstance(source, core.PlaceRef):
            number, size = self.place_address(source), group_size(source)
            if size is not None:
                return ir.InsideGroup(number, size, item, optional, span=expr.span)
            return ir.Inside(number, item, optional, span=expr.span)
        if isinstance(source, core.NumberRange):
            low = core.Compare(FLAG, expr.span, "<=", source.low, expr.item)
            high = core.Compare(FLAG, expr.span, "<=", expr.item, source.high)
            # The item is written twice, so it must cost nothing and give the same both times.
            if is_simple(expr.item):
                return self.lower(core.Logic(FLAG, expr.span, "and", low, high))
        return ir.Contains(self.set_of(source), item, optional, span=expr.span)

    def _is_kind(self, expr: core.IsKind) -> Op:
        of = self.lower(expr.of)
        known = self.unit.ranges_of(expr.of.type)
        # A value that is written out in place of its call has the narrower types of its arguments, so many a test of a
        # kind is decided here.
        if known is not None and not isinstance(expr.of.type, Maybe):
            inside = [any(low <= a and a + n <= low + size for low, size in expr.ranges) for a, n in known]
            apart = [all(a + n <= low or low + size <= a for low, size in expr.ranges) for a, n in known]
            if all(inside):
                return ir.Const(1, type=FLAG)
            if all(apart):
                return ir.Const(0, type=FLAG)
        return ir.InRanges(of, expr.ranges, span=expr.span)

    def _is_none(self, expr: core.IsNone) -> Op:
        if not isinstance(expr.of.type, Maybe):
            return ir.Const(0, type=FLAG)
        return ir.IsNone(self.lower(expr.of), none_of(expr.of.type), span=expr.span)

    def _is_empty(self, expr: core.IsEmpty) -> Op:
        of = expr.of
        if isinstance(of, core.PlaceRef) and of.place.shape in ("slot", "slots") and group_size(of) is None:
            piece = ir.ReadSlot(self.slot_address(of), type=Maybe(Piece(of.place.kinds)))
            return ir.IsNone(piece, NONE, span=expr.span)
        return ir.IsEmpty(self.set_of(of), span=expr.span)

    def _is_full(self, expr: core.IsFull) -> Op:
        of = expr.of
        single = 1 if of.place.shape in ("slot", "slots") else of.place.capacity
        capacity = group_size(of) or single
        return ir.IsFull(self.contents(of), capacity, span=expr.span)

    def _rule_running(self, expr: core.RuleRunning) -> Op:
        return ir.RuleRunning(expr.rule.name, span=expr.span)

    def _cell_running(self, expr: core.CellRunning) -> Op:
        return ir.CellRunning(self.lower(expr.cell), span=expr.span)

    def _is_automa(self, expr: core.IsAutoma) -> Op:
        seats = tuple(automa.seat for automa in self.unit.program.automas)
        automas = ir.Sequence(seats, type=SetOf(Player()))
        return ir.Contains(automas, self.lower(expr.player), False, span=expr.span)

    def _known_to(self, expr: core.KnownTo) -> Op:
        return ir.IsKnown(self.lower(expr.piece), self.lower(expr.player), span=expr.span)

    # ------------------------------------------------------------------ what a name ranges over

    def source(self, binder: core.Binder) -> tuple[str, Op, Op | None]:
        """Local, source and filter; a `by` turns the source into a sorted set."""
        local = self.unit.local_name(binder.local)
        source, condition = self._indexed(binder)
        where = self.maybe(condition)
        if isinstance(where, ir.Const) and where.value:
            where = None
        where = self.unit.printed_test(where, local, binder.local.type)
        source, where = self.unit.filtered(source, where, local)
        if binder.key is not None:
            key = self.lower(binder.key)
            of = SetOf(binder.local.type)
            return local, ir.All(local, source, where, binder.direction, key, type=of, span=binder.span), None
        return local, source, where

    def _indexed(self, binder: core.Binder) -> tuple[Op, core.Expr | None]:
        """The source, and what is left of the filter. If a constant set is filtered by printed attributes, the elements
        that fit are looked up in a table instead of being searched for."""
        source = binder.source
        # Three elements are sooner tested than looked up.
        if not isinstance(source, core.AllOf) or len(source.domain) < 4:
            return self.set_of(source), binder.where
        keys: list[tuple[core.AttributeTable, core.Expr]] = []
        left: core.Expr | None = None
        for test in conjuncts(binder.where):
            key = _attribute_test(test, binder.local)
            if key is not None:
                keys.append(key)
            else:
                left = test if left is None else core.Logic(FLAG, test.span, "and", left, test)
        if not keys:
            return self.set_of(source), binder.where
        name = self.unit.index(source.domain, tuple(table for table, _ in keys))
        values = tuple(self.lower(value) for _, value in keys)
        return ir.Indexed(name, values, type=source.type, span=source.span), left

    # ------------------------------------------------------------------ maps

    def _map_query(self, expr: core.MapQuery) -> Op:
        args = self.lower_all(expr.args)
        if expr.name in ("neighbours", "edges", "ends", "is_border", "toward"):
            return ir.MapTable(self.unit.map_table(expr.map, expr.name), args, type=expr.type, span=expr.span)
        what = _ON_MAP.get(expr.name, expr.name)
        return ir.MapQuery(self.unit.map_name(expr.map), what, args, type=expr.type, span=expr.span)

    def _stretch(self, binder: core.Binder | None) -> tuple[str | None, Op | None, Op | None]:
        return (None, None, None) if binder is None else self.source(binder)

    def _reach(self, expr: core.Reach) -> Op:
        along = self._stretch(expr.along)
        through = self._stretch(expr.through)
        name = self.unit.map_name(expr.map)
        start, every = self.lower(expr.start), _is_every_edge(expr.map, along[1])
        return ir.Reach(name, start, *along, *through, expr.stopping_at, every, type=expr.type, span=expr.span)

    def _cheapest(self, expr: core.Cheapest) -> Op:
        along = self.source(expr.along)
        name, start, goal = self.unit.map_name(expr.map), self.lower(expr.start), self.lower(expr.goal)
        every = _is_every_edge(expr.map, along[1])
        cost = self.lower(expr.cost)
        return ir.Cheapest(
            name, start, goal, *along, cost, expr.stopping_at, every, expr.is_path, type=expr.type, span=expr.span
        )

    def _groups_of(self, expr: core.GroupsOf) -> Op:
        local, source, where = self.source(expr.binder)
        name = self.unit.map_name(expr.map)
        return ir.Groups(name, expr.largest, local, source, where, type=expr.type, span=expr.span)

    def _longest_trail(self, expr: core.LongestTrail) -> Op:
        along, through = self.source(expr.binder), self._stretch(expr.through)
        value = ir.Const(1, type=INDEX) if expr.value is None else self.lower(expr.value)
        name = self.unit.map_name(expr.map)
        return ir.LongestTrail(name, *along, value, *through, type=expr.type, span=expr.span)

    def _longest_line(self, expr: core.LongestLine) -> Op:
        name, local = self.unit.map_name(expr.map), self.unit.local_name(expr.local)
        through, where = self.lower(expr.through), self.lower(expr.where)
        return ir.LongestLine(name, local, through, where, type=expr.type, span=expr.span)


def join_item(expr: core.Expr, lowered: Op) -> ir.JoinItem:
    """One element of a set; a slot or an optional element stands for none or one."""
    return ir.JoinItem(lowered, False, none_of(expr.type) if isinstance(expr.type, Maybe) else None)


def group_size(ref: core.PlaceRef) -> int | None:
    """How many slots are meant, if it is all slots of a group and not one of them."""
    return ref.place.slot_dimension.size if ref.place.slot_dimension is not None and ref.slot is None else None


def _is_every_edge(of: core.MapDecl, edges: Op | None) -> bool:
    """True if all edges of the map are gone over, and not only those that a test of an attribute has left."""
    return isinstance(edges, ir.Sequence) and set(of.edges) <= set(edges.values)


def _attribute_test(test: core.Expr, local: core.LocalDecl) -> tuple[core.AttributeTable, core.Expr] | None:
    """`x.attribute == E`, where E does not speak of x: the attribute and E."""
    if not isinstance(test, core.Compare) or test.op != "==":
        return None
    for side, other in ((test.left, test.right), (test.right, test.left)):
        if not isinstance(side, core.AttributeOf) or side.indexes or isinstance(bare(side.type), SetOf):
            continue
        if isinstance(side.of, core.LocalVar) and side.of.local is local and not speaks_of(other, local):
            return side.table, other
    return None
