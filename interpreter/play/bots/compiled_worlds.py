"""Worlds of one decision that are made in native memory, and nowhere else.

A world of the player who decides is the table with some pieces called otherwise and some numbers changed. The table is
written into native memory once for a decision; of each world only the new names are handed over, and no state of
Python's is made for it. Where that cannot be (others have yet to choose, pieces carry others, the walk to a world is
Python's) Python lays the worlds out, and they are the same.
"""

from __future__ import annotations

from typing import Any

from ...runtime.chance import Quick
from ...runtime.determinise import renamed_option
from ...runtime.questions import pieces_bound
from ...runtime.worlds import generator_of
from .imagined import Worlds


class Dealt:
    """A world by what is drawn in it. It asks what the root does."""

    __slots__ = ("chance", "deal", "opts", "over", "site", "who")

    def __init__(self, deal: Any, chance: int, table: Any, opts: list[int]) -> None:
        self.deal, self.chance = deal, chance
        self.over, self.who, self.site, self.opts = False, table.who, table.site, opts


class CompiledWorlds(Worlds):
    """As `Worlds`, with `Dealt` ones where there may be such. `root`: the decision in native memory, if so."""

    def __init__(self, state: Any, player: int, seed: int, engine: Any) -> None:
        super().__init__(state, player, seed)
        self.root: Any = None
        prepared = getattr(state, "worlds", None)
        if self.is_open or prepared is None:
            return
        worlds = prepared(player)
        table = worlds.table
        if table.apart is not None or table.over or table.who != player or worlds.dealer.native is None:
            return
        self.root = engine.question(table.fork())
        if self.root is not None:
            self._table, self._dealer, self._walk = table, worlds.dealer, worlds.dealer.walk(Quick(0))
            site, offers_pieces = table.meta.sites[table.site], table.machine.renaming.offered[table.site]
            bound = [piece for one in table.opts for piece in pieces_bound(site, one)] if offers_pieces else []
            self._bound = sorted({piece for piece in bound if piece >= 0})

    def _another(self, number: int) -> Any:
        if self.root is None:
            return super()._another(number)
        seed = self.seed_of(number)
        deal, table = self._dealer.deal(Quick(seed), self._walk), self._table
        new, opts = deal.new, table.opts
        if any(new[piece] != piece for piece in self._bound):
            site = table.meta.sites[table.site]
            opts = [renamed_option(site, option, new) for option in opts]
        return Dealt(deal, generator_of(seed), table, opts)
