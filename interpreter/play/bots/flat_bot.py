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
from .compiled_looks import flat_found
from .imagined import FAULTS, advance, chance_of
from .playing_out import PlayingOut
from .tree import AtRoot


class FlatBot(Bot):
    def __init__(self, games: int) -> None:
        self.kind = f"flat:{games}"
        self._games = games

    def choose(self, state: Any, seed: int = 0) -> Option:
        options = pending(state).options
        if len(options) == 1:
            return options[0]
        found = flat_found(state, seed, self._games) or _found(state, seed, self._games)
        means = [mean if played else -2.0 for played, mean in found]
        return options[means.index(max(means))]


def _found(state: Any, seed: int, games: int) -> list[tuple[int, float]]:
    """For each option how often it was played, and what it was worth on average."""
    root = AtRoot(state, seed)
    playing_out = PlayingOut(state)
    sums, played = [0.0] * root.offered, [0] * root.offered
    for number in range(games):
        slot = number % root.offered
        world = root.worlds.number(number).fork()
        if not root.is_like_root(world):
            continue
        own = derived_seed(seed, number)
        world.g = chance_of(own)
        try:
            advance(world, world.opts[slot])
            worth = playing_out.worth(world, own)
        except FAULTS:
            worth = [0.0] * state.meta.players
        sums[slot] += worth[state.who]
        played[slot] += 1
    return [(count, total / count if count else 0.0) for total, count in zip(sums, played, strict=True)]
