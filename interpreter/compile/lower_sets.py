"""Sets and what is said of them, as operations: binders, quantifiers, counts and sums; and questions to maps."""

from __future__ import annotations

from typing import Any

from ..check import program as core
from ..check.value_types import Maybe, SetOf, bare, none_of
from ..check.walk import walk
from .ir import Op
from .lower_atoms import FLAG, AtomLowering


class SetLowering(AtomLowering):
    def source(self, binder: core.Binder) -> tuple[str, Op, Op | None]:
        """Local, source and filter; a `by` turns the source into a sorted set."""
        local = self.unit.local_name(binder.local)
        source, condition = self._indexed(binder)
        where = self.maybe(condition)
        if where is not None and where.op == "const" and where.args[0]:
            where = None
        where = self.unit.printed_test(where, local, binder.local.type)
        source, where = self.unit.filtered(source, where, local)
        if binder.key is not None:
            key = self.lower(binder.key)
            ordered = Op("all", (local, source, where, binder.direction, key), SetOf(binder.local.type), binder.span)
            return local, ordered, None
        return local, source, where

    def _indexed(self, binder: core.Binder) -> tuple[Op, core.Expr | None]:
        """The source, and what is left of the filter. Where a constant set is filtered by printed attributes, the
        elements that fit are looked up instead of searched for."""
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
        return Op("indexed", (name, *(self.lower(value) for _, value in keys)), source.type, source.span), left

    def _quantified(self, expr: core.Quantified) -> Op:
        local, source, where = self.source(expr.binder)
        return Op(expr.which, (local, source, where, self.lower(expr.has)), FLAG, expr.span)

    def _selected(self, expr: core.Selected) -> Op:
        local, source, where = self.source(expr.binder)
        if expr.best is not None and expr.measure is not None:
            found = Op(
                "best",
                (local, source, where, expr.best, self.lower(expr.measure)),
                SetOf(expr.binder.local.type),
                expr.span,
            )
        elif expr.which == "first":
            return Op("first", (local, source, where), expr.type, expr.span)
        else:
            found = Op("all", (local, source, where, None, None), SetOf(expr.binder.local.type), expr.span)
        if expr.which == "all":
            return found
        return Op(
            "the" if expr.which == "the" else "end",
            (found,) if expr.which == "the" else (found, "first"),
            expr.type,
            expr.span,
        )

    def _count_of(self, expr: core.CountOf) -> Op:
        return Op("count", (self.set_of(expr.of),), expr.type, expr.span)

    def _count_where(self, expr: core.CountWhere) -> Op:
        local, source, where = self.source(expr.binder)
        if where is None:
            return Op("count", (source,), expr.type, expr.span)
        return Op("count_where", (local, source, where), expr.type, expr.span)

    def _sum_of(self, expr: core.SumOf) -> Op:
        local, source, where = self.source(expr.binder)
        return Op("sum", (local, source, where, self.lower(expr.value)), expr.type, expr.span)

    def _extreme_of(self, expr: core.ExtremeOf) -> Op:
        local, source, where = self.source(expr.binder)
        otherwise = self.maybe(expr.otherwise)
        return Op(
            "extreme_of", (expr.which, local, source, where, self.lower(expr.value), otherwise), expr.type, expr.span
        )

    def _extreme(self, expr: core.Extreme) -> Op:
        return Op("extreme", (expr.which, self.lower_all(expr.items)), expr.type, expr.span)

    def _number_range(self, expr: core.NumberRange) -> Op:
        return Op("range", (self.lower(expr.low), self.lower(expr.high)), expr.type, expr.span)

    def _set_list(self, expr: core.SetList) -> Op:
        items: list[Any] = []
        for item in expr.items:
            if isinstance(item, core.PlaceRef | core.Box | core.DiceGroup) or isinstance(bare(item.type), SetOf):
                items.append((self.set_of(item), True, None))
            else:
                none = none_of(item.type) if isinstance(item.type, Maybe) else None
                items.append((self.lower(item), False, none))
        return Op("concatenate" if expr.repeats else "join", tuple(items), expr.type, expr.span)

    def _without(self, expr: core.Without) -> Op:
        is_set = isinstance(bare(expr.left_out.type), SetOf) or isinstance(expr.left_out, core.PlaceRef)
        left_out = self.set_of(expr.left_out) if is_set else self.lower(expr.left_out)
        return Op("without", (self.set_of(expr.source), left_out, is_set), expr.type, expr.span)

    def _starting_with(self, expr: core.StartingWith) -> Op:
        return Op("from", (self.set_of(expr.source), self.lower(expr.first)), expr.type, expr.span)

    def _following(self, expr: core.Following) -> Op:
        return Op("after", (self.set_of(expr.source), self.lower(expr.first)), expr.type, expr.span)

    def _all_of(self, expr: core.AllOf) -> Op:
        return Op("sequence", expr.domain, expr.type, expr.span)

    def _players(self, expr: core.Players) -> Op:
        if expr.which == "everybody":
            return Op("sequence", tuple(range(self.unit.program.players)), expr.type, expr.span)
        if expr.which == "nobody":
            return Op("sequence", (), expr.type, expr.span)
        seats = self.unit.players()
        if expr.which == "rivals":
            assert expr.of is not None
            return Op("without", (seats, self.lower(expr.of), False), expr.type, expr.span)
        return seats

    # ------------------------------------------------------------------ maps

    def _map_query(self, expr: core.MapQuery) -> Op:
        args = self.lower_all(expr.args)
        match expr.name:
            case "neighbours" | "edges" | "ends" | "is_border" | "toward":
                return Op("map_table", (self.unit.map_table(expr.map, expr.name), *args), expr.type, expr.span)
        return Op(expr.name, (self.unit.map_name(expr.map), *args), expr.type, expr.span)

    def _stretch(self, binder: core.Binder | None) -> tuple[str | None, Op | None, Op | None]:
        return (None, None, None) if binder is None else self.source(binder)

    def _reach(self, expr: core.Reach) -> Op:
        along = self._stretch(expr.along)
        through = self._stretch(expr.through)
        name = self.unit.map_name(expr.map)
        args = (name, self.lower(expr.start), *along, *through, expr.stopping_at, _is_every_edge(expr.map, along[1]))
        return Op("reach", args, expr.type, expr.span)

    def _cheapest(self, expr: core.Cheapest) -> Op:
        along = self._stretch(expr.along)
        args = (self.unit.map_name(expr.map), self.lower(expr.start), self.lower(expr.goal), *along)
        every = _is_every_edge(expr.map, along[1])
        cost = self.lower(expr.cost)
        return Op("cheapest", (*args, cost, expr.stopping_at, every, expr.is_path), expr.type, expr.span)

    def _groups_of(self, expr: core.GroupsOf) -> Op:
        local, source, where = self.source(expr.binder)
        return Op("groups", (self.unit.map_name(expr.map), expr.largest, local, source, where), expr.type, expr.span)

    def _longest_line(self, expr: core.LongestLine) -> Op:
        args = (
            self.unit.map_name(expr.map),
            self.unit.local_name(expr.local),
            self.lower(expr.through),
            self.lower(expr.where),
        )
        return Op("longest_line", args, expr.type, expr.span)


def _is_every_edge(of: core.MapDecl, edges: Op | None) -> bool:
    """Of the edges that are gone over: a test of an attribute may have left only some of them."""
    return edges is not None and edges.op == "sequence" and set(of.edges) <= set(edges.args)


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
