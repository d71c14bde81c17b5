"""Tree search: `mcts:N` simulates N games before each choice, `mcts:200ms` as many as fit into that time.

How the search works is said in `tree`, to the last tie; how worlds are drawn in `imagined`; what a game that was
simulated is worth in `playing_out`. `mcts:500+cut:200` stops random games after 200 segments of rules, and
`mcts:500+policy:FILE` has a learnt value in place of random games.

From the same seed `mcts:N` makes the same choice every time. `mcts:200ms` need not: how many games fit into the time
depends on the machine. It looks at the clock about every fiftieth of a second, and after the first simulation, so it is
late by no more than the drawing of one world and one game.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ..contract import Decision, Option
from ..seeds import derived_seed
from .bot import Bot, BotSeat, pending
from .compiled_tree import CompiledSearch, compiled_search
from .kept_tree import go_on
from .playing_out import Evaluation, PlayingOut
from .tree import Search

_LOOK = 0.02  # seconds between two looks at the clock


@dataclass(frozen=True)
class Budget:
    """How much may be simulated before a choice: a number of games, or seconds."""

    games: int | None = None
    seconds: float | None = None

    def spend(self, search: Search | CompiledSearch, already: int = 0) -> None:
        """Simulates; `already` simulations are in the tree, and count."""
        if self.games is not None:
            search.simulate(max(self.games - already, (self.games + 3) // 4))
            return
        assert self.seconds is not None
        until = time.monotonic() + self.seconds
        some = 1
        while not search.is_decided:
            began = time.monotonic()
            search.simulate(some)
            now = time.monotonic()
            if now >= until:
                return
            some = _some(some, now - began, until - now)


def _some(before: int, took: float, left: float) -> int:
    """How many simulations to make before the next look at the clock: as many as take _LOOK seconds, or what is left if
    that is less; never more than twice those before."""
    each = max(took / before, 1e-7)
    return max(1, min(before * 2, int(min(_LOOK, left) / each)))


class MctsBot(Bot):
    def __init__(self, kind: str, budget: Budget, cut: int | None = None, value: Evaluation | None = None) -> None:
        self.kind = kind
        self.budget = budget
        self._cut = cut
        self._value = value

    def choose(self, state: Any, seed: int = 0) -> Option:
        options = pending(state).options
        if len(options) == 1:
            return options[0]
        search = self.search(state, seed)
        self.budget.spend(search)
        return options[search.chosen()]

    def search(self, state: Any, seed: int) -> Search | CompiledSearch:
        """A search at this decision that has not simulated anything yet; on the native engine where there is one."""
        if self._value is not None:
            self._value.require_fit(state)
        compiled = compiled_search(state, seed, self._cut, self._value)
        if compiled is not None:
            return compiled
        return Search(state, seed, PlayingOut(state, self._cut, self._value, guided=True))

    def seat(self, seed: int) -> BotSeat:
        return MctsSeat(self, seed)


class MctsSeat:
    """Keeps the tree over the decisions of a turn, as long as what happens was foreseen in it."""

    def __init__(self, bot: MctsBot, seed: int) -> None:
        self.kind = bot.kind
        self._bot = bot
        self._seed = seed
        self._asked = 0
        self._search: Search | CompiledSearch | None = None

    def choose(self, state: Any, decision: Decision) -> Option:
        self._asked += 1
        if len(decision.options) == 1:
            self._search = None
            return decision.options[0]
        seed = derived_seed(self._seed, self._asked - 1)
        search = self._search
        if search is not None and _goes_on(search, state, seed):
            self._bot.budget.spend(search, search.visits)
        else:
            search = self._bot.search(state, seed)
            self._bot.budget.spend(search)
        self._search = search
        return decision.options[search.chosen()]


def _goes_on(search: Search | CompiledSearch, state: Any, seed: int) -> bool:
    return go_on(search, state, seed) if isinstance(search, Search) else search.go_on(state, seed)
