"""`cfr:N` learns to mix its choices from N games with itself, then draws from what it has learnt.

It is for small games of hidden cards, where tree search can be exploited: `regrets` says how, and how small. It learns
a game once, when it is first asked; the same N gives the same shares, so its choice depends on the state and the seed
alone. At what it has never met it takes any option: that is a position to which good play does not lead.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from ...runtime.chance import Generator
from ..contract import Option
from .bot import Bot, pending
from .regrets import Regrets, drawn

_LEARNT: WeakKeyDictionary[Any, dict[int, Regrets]] = WeakKeyDictionary()  # by machine, then by number of games


class CfrBot(Bot):
    def __init__(self, kind: str, games: int) -> None:
        self.kind = kind
        self._games = games

    def choose(self, state: Any, seed: int = 0) -> Option:
        options = pending(state).options
        if len(options) == 1:
            return options[0]
        return options[drawn(self.shares(state), Generator(seed))]

    def shares(self, state: Any) -> list[float]:
        """How often each option of the pending decision is taken, from what its player knows."""
        count = len(pending(state).options)
        known = self._regrets(state).known.get(state.information(state.who))
        return known.average() if known is not None and len(known.sums) == count else [1.0 / count] * count

    def _regrets(self, state: Any) -> Regrets:
        by_games = _LEARNT.setdefault(state.machine, {})
        if self._games not in by_games:
            regrets = Regrets(state.game)
            regrets.learn(self._games)
            by_games[self._games] = regrets
        return by_games[self._games]
