"""Rules of the grammar whose parts of scenarios need more than their children in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.source import Span
from .. import nodes as n
from .walk import TreeWalk

if TYPE_CHECKING:
    from lark import Token, Tree


class Scenarios(TreeWalk):
    def _scenario(self, tree: Tree[Token]) -> n.Scenario:
        title, head, *parts = self.items(tree)
        return self.make(n.Scenario, tree, title=title, parts=tuple(parts), **head)

    def _scenario_head(self, tree: Tree[Token]) -> dict[str, Any]:
        """`with`, `for` and `seed`, which may stand in any order."""
        head: dict[str, Any] = {"variants": (), "players": None, "seed": None}
        said: set[str] = set()
        for field, value, span in self.items(tree):
            if field in said:
                word = {"variants": "with", "players": "for", "seed": "seed"}[field]
                self.found.error("R0113", f"`{word}` is said twice of this scenario", span, help="keep one of them")
            said.add(field)
            head[field] = value
        return head

    def _with_variants(self, tree: Tree[Token]) -> tuple[str, Any, Span]:
        return "variants", *self.items(tree), self.span(tree)

    def _for_seats(self, tree: Tree[Token]) -> tuple[str, Any, Span]:
        return "players", *self.items(tree), self.span(tree)

    def _with_seed(self, tree: Tree[Token]) -> tuple[str, Any, Span]:
        return "seed", *self.items(tree), self.span(tree)

    def _one_seat(self, tree: Tree[Token]) -> int:
        return 1

    def _pieces(self, tree: Tree[Token]) -> n.Pieces:
        *amounts, on_top = list(self.items(tree)) or [None]
        return n.Pieces(self.span(tree), tuple(amounts), bool(on_top))

    def _then(self, tree: Tree[Token]) -> n.Then:
        at_this_moment, *expectations = self.items(tree)
        return n.Then(self.span(tree), bool(at_this_moment), tuple(expectations))

    def _amount_of(self, tree: Tree[Token]) -> n.Amount:
        items = list(self.items(tree))
        if len(items) == 1:
            return n.Amount(self.span(tree), 1, n.Number(self.span(tree), items[0]))
        count, what, carried, slot = items
        return n.Amount(self.span(tree), 1 if count is None else count, what, carried, slot)

    def _all_of(self, tree: Tree[Token]) -> n.Amount:
        which, binder = self.items(tree)
        return n.Amount(self.span(tree), 1, n.Selection(self.span(tree), which, binder, None, None))

    def _pieces_by_name(self, tree: Tree[Token]) -> n.Pieces:
        return n.Pieces(self.span(tree), tuple(self.items(tree)), False)

    def _seen_amount(self, tree: Tree[Token]) -> n.Amount:
        count, what = self.items(tree)
        return n.Amount(self.span(tree), 1 if count is None else count, what)

    def _happened(self, tree: Tree[Token]) -> n.Happened:
        return self.make(n.Happened, tree, calls=tuple(self.items(tree)), did=True)

    def _not_happened(self, tree: Tree[Token]) -> n.Happened:
        return self.make(n.Happened, tree, calls=tuple(self.items(tree)), did=False)

    def _reads(self, tree: Tree[Token]) -> n.Reads:
        player, *lines = self.items(tree)
        return self.make(n.Reads, tree, player=player, lines=tuple(lines), does=True)

    def _not_reads(self, tree: Tree[Token]) -> n.Reads:
        player, *lines = self.items(tree)
        return self.make(n.Reads, tree, player=player, lines=tuple(lines), does=False)

    def _carried(self, tree: Tree[Token]) -> n.Amount:
        count, what = self.items(tree)
        return n.Amount(self.span(tree), 1 if count is None else count, what)

    def _minus_int(self, tree: Tree[Token]) -> int:
        (number,) = self.items(tree)
        return -number  # type: ignore[no-any-return]
