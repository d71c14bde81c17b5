"""Rules of the grammar whose expressions and cells need more than their children in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .. import nodes as n
from ..words import check_own_name, check_value
from .walk import TreeWalk, TypedName, up_to

if TYPE_CHECKING:
    from lark import Token, Tree


class Expressions(TreeWalk):
    def _name(self, tree: Tree[Token]) -> n.NameRef:
        check_value(str(tree.children[0]), self.span(tree), self.found)
        return n.NameRef(self.span(tree), str(tree.children[0]))

    def _type_name(self, tree: Tree[Token]) -> n.TypeRef:
        check_value(str(tree.children[0]), self.span(tree), self.found)
        return n.TypeRef(self.span(tree), str(tree.children[0]))

    def _extreme(self, tree: Tree[Token]) -> n.Extreme:
        which, *items = self.items(tree)
        return n.Extreme(self.span(tree), which, tuple(items))

    def _is_test(self, tree: Tree[Token]) -> n.IsTest:
        of, negated, predicate = self.items(tree)
        if isinstance(predicate, n.Kinds):
            return n.IsTest(self.span(tree), of, bool(negated), "kinds", kinds=predicate)
        if isinstance(predicate, n.Expr):
            return n.IsTest(self.span(tree), of, bool(negated), "known_to", known_to=predicate)
        return n.IsTest(self.span(tree), of, bool(negated), predicate)

    def _reach(self, tree: Tree[Token]) -> n.Reach:
        start, *rest = (child for child in tree.children if child is not None)
        parts = {getattr(child, "data", "stopping_at"): self.value(child) for child in rest}
        along, through = parts.get("along"), parts.get("through")
        return n.Reach(self.span(tree), self.value(start), along, through, parts.get("stopping_at"))

    def _typed_name(self, tree: Tree[Token]) -> TypedName:
        return TypedName(self.span(tree), *self.items(tree))

    def _stopping_binder(self, tree: Tree[Token]) -> n.Binder:
        name, source, stop, where, order = self.items(tree)
        return self.make(n.Binder, tree, name=name, source=up_to(name, source, stop), where=where, order=order)

    def _stopping_quantifier(self, tree: Tree[Token]) -> n.Quantifier:
        which, name, source, stop, where, has = self.items(tree)
        over = up_to(name, source, stop)
        return self.make(n.Quantifier, tree, which=which, name=name, source=over, where=where, has=has)

    def _several_quantifier(self, tree: Tree[Token]) -> n.Quantifier:
        """`no x in S, y in T has C`: no x has some y with C. The others are nested as they are."""
        which, name, source, where, binders, has = self.items(tree)
        inner = "some" if which == "no" else which
        for one in reversed(binders):
            parts = {"name": one.name, "source": one.source, "where": one.where, "has": has}
            has = self.make(n.Quantifier, tree, which=inner, **parts)
        return self.make(n.Quantifier, tree, which=which, name=name, source=source, where=where, has=has)

    def _sum_of_several(self, tree: Tree[Token]) -> n.SumOf:
        """`sum(E for x in S, y in T)`: the sum over x of the sums over y."""
        value, first, binders = self.items(tree)
        for one in (*reversed(binders), first):
            value = self.make(n.SumOf, tree, value=value, binder=one)
        return cast(n.SumOf, value)

    def _count_several(self, tree: Tree[Token]) -> n.SumOf:
        first, binders = self.items(tree)
        value: n.Expr = self.make(n.Count, tree, of=None, binder=binders[-1])
        for one in (*reversed(binders[:-1]), first):
            value = self.make(n.SumOf, tree, value=value, binder=one)
        return cast(n.SumOf, value)

    def _extreme_of_several(self, tree: Tree[Token]) -> n.ExtremeOf:
        """`max(E for x in S, y in T else 0)`: the greatest over those x that have some y, of the greatest over their y.
        An x without any must not count with what stands behind `else`, which may be more than all the others."""
        which, value, first, binders, otherwise = self.items(tree)
        for at in reversed(range(len(binders))):
            value = self.make(n.ExtremeOf, tree, which=which, value=value, binder=binders[at], otherwise=otherwise)
        if otherwise is not None:
            has: n.Expr = n.FlagLiteral(self.span(tree), True)
            for one in reversed(binders):
                parts = {"name": one.name, "source": one.source, "where": one.where}
                has = self.make(n.Quantifier, tree, which="some", **parts, has=has)
            where = has if first.where is None else self.make(n.And, tree, left=first.where, right=has)
            first = n.Binder(first.span, first.name, first.source, where, first.order)
        return self.make(n.ExtremeOf, tree, which=which, value=value, binder=first, otherwise=otherwise)

    def _along(self, tree: Tree[Token]) -> n.Binder:
        name, passed, *where = self.items(tree)
        check_own_name(name, self.found)
        return n.Binder(self.span(tree), name, passed, where[0] if where else None, None)

    _through = _along

    def _cell_arg(self, tree: Tree[Token]) -> n.CellArg:
        name, value = self.items(tree)
        if isinstance(value, int):
            value = n.Number(self.span(tree), value)
        return n.CellArg(self.span(tree), name, value)

    def _cell_member(self, tree: Tree[Token]) -> n.Attribute:
        of, name = self.items(tree)
        return n.Attribute(self.span(tree), n.TypeRef(of.span, of.text), name)
