"""Flat Monte Carlo: `flat:N` plays N random games, the first option first, then the second, round and round.

No tree: every game is random after the first choice. Simulation i has the world, the chance and the seed that it would
have in a tree search (`tree`, `imagined`), and takes up option i mod k of the k that are offered. It chooses what was
worth most on average, the lowest of several.
"""

from __future__ import annotations

from typing import Any

from ..contract import Option
from ..seeds import derived_seed
from .bot import Bot, pending
from .imagined import FAULTS, Worlds, advance, chance_of
from .playing_out import PlayingOut


class FlatBot(Bot):
    def __init__(self, games: int) -> None:
        self.kind = f"flat:{games}"
        self._games = games

    def choose(self, state: Any, seed: int = 0) -> Option:
        options = pending(state).options
        count = len(options)
        worlds = Worlds(state, state.who, seed)
        playing_out = PlayingOut(state)
        sums, games = [0.0] * count, [0] * count
        for number in range(self._games if count > 1 else 0):
            slot = number % count
            world = worlds.number(number).fork()
            if world.over or world.who != state.who or len(world.opts) != count:
                continue  # a world that may not agree with the game (`State.approximate`)
            own = derived_seed(seed, number)
            world.g = chance_of(own)
            try:
                advance(world, world.opts[slot])
                worth = playing_out.worth(world, own)
            except FAULTS:
                worth = [0.0] * state.meta.players
            sums[slot] += worth[state.who]
            games[slot] += 1
        means = [total / played if played else -2.0 for total, played in zip(sums, games, strict=True)]
        return options[means.index(max(means))]
