"""Sets and what is said of them, as operations: binders, quantifiers, counts and sums; and questions to maps."""

from __future__ import annotations

from ..check import program as core
from ..check.value_types import Maybe, SetOf, bare, none_of
from ..check.walk import walk
from . import ir
from .ir import FLAG, INDEX, Op
from .lower_atoms import AtomLowering

_ON_MAP = {"joining": "edges_joining", "edge": "edge_joining"}  # a map's own name for a question, where it differs


class SetLowering(AtomLowering):
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

    def _quantified(self, expr: core.Quantified) -> Op:
        local, source, where = self.source(expr.binder)
        has = self.lower(expr.has)
        if expr.which == "some":
            return ir.Some(local, source, where, has, span=expr.span)
        assert expr.which == "every", expr.which
        return ir.Every(local, source, where, has, span=expr.span)

    def _selected(self, expr: core.Selected) -> Op:
        local, source, where = self.source(expr.binder)
        of = SetOf(expr.binder.local.type)
        if expr.best is not None and expr.measure is not None:
            measure = self.lower(expr.measure)
            found: Op = ir.Best(local, source, where, expr.best, measure, type=of, span=expr.span)
        elif expr.which == "first":
            return ir.First(local, source, where, type=expr.type, span=expr.span)
        else:
            found = ir.All(local, source, where, type=of, span=expr.span)
        if expr.which == "all":
            return found
        if expr.which == "the":
            return ir.The(found, type=expr.type, span=expr.span)
        return ir.End(found, "first", type=expr.type, span=expr.span)

    def _count_of(self, expr: core.CountOf) -> Op:
        return ir.Count(self.set_of(expr.of), type=expr.type, span=expr.span)

    def _count_where(self, expr: core.CountWhere) -> Op:
        local, source, where = self.source(expr.binder)
        if where is None:
            return ir.Count(source, type=expr.type, span=expr.span)
        return ir.CountWhere(local, source, where, type=expr.type, span=expr.span)

    def _sum_of(self, expr: core.SumOf) -> Op:
        local, source, where = self.source(expr.binder)
        return ir.SumOf(local, source, where, self.lower(expr.value), type=expr.type, span=expr.span)

    def _list_of(self, expr: core.ListOf) -> Op:
        local, source, where = self.source(expr.binder)
        if where is not None:
            source = ir.All(local, source, where, type=source.type, span=expr.span)
        return ir.Listed(local, source, self.lower(expr.value), type=expr.type, span=expr.span)

    def _fingerprint(self, expr: core.Fingerprint) -> Op:
        return ir.Fingerprint(self.lower_all(expr.parts), expr.prime, type=expr.type, span=expr.span)

    def _extreme_of(self, expr: core.ExtremeOf) -> Op:
        local, source, where = self.source(expr.binder)
        otherwise = self.maybe(expr.otherwise)
        value = self.lower(expr.value)
        return ir.ExtremeOf(expr.which, local, source, where, value, otherwise, type=expr.type, span=expr.span)

    def _extreme(self, expr: core.Extreme) -> Op:
        return ir.Extreme(expr.which, self.lower_all(expr.items), type=expr.type, span=expr.span)

    def _number_range(self, expr: core.NumberRange) -> Op:
        return ir.Range(self.lower(expr.low), self.lower(expr.high), type=expr.type, span=expr.span)

    def _set_list(self, expr: core.SetList) -> Op:
        items: list[ir.JoinItem] = []
        for item in expr.items:
            if isinstance(item, core.PlaceRef | core.Box | core.DiceGroup) or isinstance(bare(item.type), SetOf):
                items.append(ir.JoinItem(self.set_of(item), True))
            else:
                none = none_of(item.type) if isinstance(item.type, Maybe) else None
                items.append(ir.JoinItem(self.lower(item), False, none))
        if expr.repeats:
            return ir.Concatenate(tuple(items), type=expr.type, span=expr.span)
        return ir.Join(tuple(items), type=expr.type, span=expr.span)

    def _without(self, expr: core.Without) -> Op:
        is_set = isinstance(bare(expr.left_out.type), SetOf) or isinstance(expr.left_out, core.PlaceRef)
        left_out = self.set_of(expr.left_out) if is_set else self.lower(expr.left_out)
        return ir.Without(self.set_of(expr.source), left_out, is_set, type=expr.type, span=expr.span)

    def _up_to(self, expr: core.UpTo) -> Op:
        local, stop = self.unit.local_name(expr.binder.local), expr.binder.where
        assert stop is not None
        return ir.UpTo(local, self.set_of(expr.binder.source), self.lower(stop), type=expr.type, span=expr.span)

    def _starting_with(self, expr: core.StartingWith) -> Op:
        return ir.TurnedTo(self.set_of(expr.source), self.lower(expr.first), type=expr.type, span=expr.span)

    def _following(self, expr: core.Following) -> Op:
        return ir.Following(self.set_of(expr.source), self.lower(expr.first), type=expr.type, span=expr.span)

    def _all_of(self, expr: core.AllOf) -> Op:
        return ir.Sequence(expr.domain, type=expr.type, span=expr.span)

    def _players(self, expr: core.Players) -> Op:
        if expr.which == "everybody":
            return ir.Sequence(tuple(range(self.unit.program.players)), type=expr.type, span=expr.span)
        if expr.which == "nobody":
            return ir.Sequence((), type=expr.type, span=expr.span)
        seats = self.unit.players()
        if expr.which == "rivals":
            assert expr.of is not None
            return ir.Without(seats, self.lower(expr.of), False, type=expr.type, span=expr.span)
        return seats

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


def _is_every_edge(of: core.MapDecl, edges: Op | None) -> bool:
    """True if all edges of the map are gone over, and not only those that a test of an attribute has left."""
    return isinstance(edges, ir.Sequence) and set(of.edges) <= set(edges.values)


def conjuncts(expr: core.Expr | None) -> list[core.Expr]:
    """The parts of a condition that must all hold."""
    if expr is None:
        return []
    if isinstance(expr, core.Logic) and expr.op == "and":
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [expr]


def _attribute_test(test: core.Expr, local: core.LocalDecl) -> tuple[core.AttributeTable, core.Expr] | None:
    """`x.attribute == E`, where E does not speak of x: the attribute and E."""
    if not isinstance(test, core.Compare) or test.op != "==":
        return None
    for side, other in ((test.left, test.right), (test.right, test.left)):
        if not isinstance(side, core.AttributeOf) or side.indexes or isinstance(bare(side.type), SetOf):
            continue
        if isinstance(side.of, core.LocalVar) and side.of.local is local:
            speaks = any(isinstance(node, core.LocalVar) and node.local is local for node in walk(other))
            if not speaks:
                return side.table, other
    return None
