"""Rules of the grammar whose statements need more than their children in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nodes as n
from ..words import VERBS
from .walk import TreeWalk, up_to

if TYPE_CHECKING:
    from lark import Token, Tree


class Statements(TreeWalk):
    def _cost(self, tree: Tree[Token]) -> n.Cost:
        amount, resource, pattern = self.items(tree)
        if isinstance(pattern, n.CopyKey):
            return n.Cost(self.span(tree), amount, resource, None, None, pattern)
        is_among = isinstance(pattern, n.Expr)
        return n.Cost(
            self.span(tree), amount, resource, "among" if is_among else pattern, pattern if is_among else None
        )

    def _resource(self, tree: Tree[Token]) -> n.Resource:
        name, *indexes = self.items(tree)
        return n.Resource(self.span(tree), name, tuple(indexes))

    def _moved_one(self, tree: Tree[Token]) -> n.Moved:
        (expression,) = self.items(tree)
        return n.Moved(self.span(tree), "one", None, expression, None)

    def _moved_all(self, tree: Tree[Token]) -> n.Moved:
        _, binder = self.items(tree)
        return n.Moved(self.span(tree), "all", None, None, binder)

    def _moved_some(self, tree: Tree[Token]) -> n.Moved:
        up_to, count, binder = self.items(tree)
        return n.Moved(self.span(tree), "up_to" if up_to else "exactly", count, None, binder)

    def _reveal(self, tree: Tree[Token]) -> n.Reveal:
        moved, to = self.items(tree)
        return self.make(n.Reveal, tree, what=moved.expression, binder=moved.binder, to=to)

    def _choose_set(self, tree: Tree[Token]) -> n.ChooseSet:
        player, (quantity, low, high), *rest = self.items(tree)
        names = ("binder", "alias", "such_that", "secretly", "text", "if_possible", "body")
        parts = dict(zip(names, rest, strict=True))
        return self.make(n.ChooseSet, tree, player=player, quantity=quantity, low=low, high=high, **parts)

    def _call_branch(self, tree: Tree[Token]) -> n.Node:
        branch = self.shaped(tree)
        if isinstance(branch, n.CallBranch) and isinstance(branch.call, n.NameRef) and branch.call.name in VERBS:
            help = "below `choose one` stand labels in quotes: put one above it, and indent it below that"
            self.found.error("R0109", f"`{branch.call.name}` stands here without a label", branch.span, help=help)
        return branch

    def _any_number(self, tree: Tree[Token]) -> tuple[str, None, None]:
        return "any", None, None

    def _at_most(self, tree: Tree[Token]) -> tuple[str, None, n.Expr]:
        _, high = self.items(tree)
        return "up_to", None, high

    def _between(self, tree: Tree[Token]) -> tuple[str, n.Expr, n.Expr | None]:
        low, high = self.items(tree)
        return ("exactly", low, low) if high is None else ("between", low, high)

    def _pick(self, tree: Tree[Token]) -> n.Pick:
        binder, how, if_possible, body = self.items(tree)
        parts = {"at_random": how == "at_random", "preferring": how if isinstance(how, tuple) else ()}
        return self.make(n.Pick, tree, binder=binder, **parts, if_possible=if_possible, body=body)

    def _preferring(self, tree: Tree[Token]) -> tuple[n.Expr | None, ...]:
        return tuple(None if item == "any" else item for item in self.items(tree))

    def _if(self, tree: Tree[Token]) -> n.If:
        *cases, otherwise = self.items(tree)
        return self.make(n.If, tree, cases=tuple(cases), otherwise=otherwise)

    def _order(self, tree: Tree[Token]) -> n.Order:
        direction, key, *then = self.items(tree)
        return n.Order(self.span(tree), direction, key, tuple(then))

    def _any_order(self, tree: Tree[Token]) -> n.AnyOrder:
        player, *branches = self.items(tree)
        return self.make(n.AnyOrder, tree, player=player, branches=tuple(branches))

    def _for_several(self, tree: Tree[Token]) -> n.For:
        """`for x in S, y in T`: one loop inside another, which one `stop` would leave is not said."""
        name, source, *rest = self.items(tree)
        return self._nested(tree, name, (source,), None, *rest)

    def _for_several_filtered(self, tree: Tree[Token]) -> n.For:
        return self._nested(tree, *self.items(tree))

    def _nested(self, tree: Tree[Token], name: n.Name, sources: Any, where: Any, binders: Any, body: Any) -> n.For:
        self._refuse_stop(body)
        for binder in reversed(binders):
            parts = {"where": binder.where, "order": binder.order, "ordered_by": None, "body": body}
            body = (self.make(n.For, tree, name=binder.name, sources=(binder.source,), **parts),)
        return self.make(n.For, tree, name=name, sources=sources, where=where, order=None, ordered_by=None, body=body)

    def _refuse_stop(self, body: tuple[n.Node, ...]) -> None:
        for statement in body:
            if isinstance(statement, n.Stop):
                what = "which of these loops does `stop` leave?"
                help = "write one `for` inside the other"
                self.found.error("R0126", what, statement.span, "this `for` has several names", help=help)
            parts = [statement, *getattr(statement, "cases", ()), *getattr(statement, "branches", ())]
            if isinstance(statement, n.If | n.Choose | n.ChooseOne | n.Pick):
                for part in parts:
                    for block in (getattr(part, "body", None), getattr(part, "otherwise", None)):
                        self._refuse_stop(block if isinstance(block, tuple) else ())

    def _for_stopping(self, tree: Tree[Token]) -> n.For:
        name, source, stop, where, order, ordered_by, body = self.items(tree)
        over = (up_to(name, source, stop),)
        return self.make(
            n.For, tree, name=name, sources=over, where=where, order=order, ordered_by=ordered_by, body=body
        )
