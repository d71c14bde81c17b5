"""Rules of the grammar whose expressions and cells need more than their children in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
