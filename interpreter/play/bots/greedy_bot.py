"""Looks one decision ahead, and no further: takes the option after which it stands best, by the game's own ranking.

`greedy` looks at 4 worlds drawn from what its seat knows, `greedy:N` at N of them. In each world every option is
taken up on a copy. If chance falls before the next decision, three more copies fall otherwise, so the result of a roll
is an average. What an option is worth is compared part by part, each an average over all copies:

1. the result, where the game is over after it;
2. the margin over the best other player, by the first criterion of the ranking (see `standing`);
3. the further criteria of the ranking, in their order.

Among equals it takes any. Of more than 12 options it looks at 12, drawn at random, so that one decision never costs
more than some dozens of copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.chance import Generator
from ..contract import Option
from ..seeds import derived_seed
from .bot import Bot, pending
from .imagined import FAULTS, Worlds, advance, chance_of
from .standing import keys_of, margins_of, result_of

WORLDS = 4
_MOST_TRIED = 12
_FALLS = 4  # how often chance is let fall, if it does
_FAULTY = -1e18  # an option that runs into a fault of the rules

Worth = tuple[float, ...]
Judge = Callable[[Any, int], Worth]  # from a state and a player


class GreedyBot(Bot):
    def __init__(self, worlds: int = WORLDS) -> None:
        self.kind = "greedy" if worlds == WORLDS else f"greedy:{worlds}"
        self._worlds = worlds

    def choose(self, state: Any, seed: int = 0) -> Option:
        return looked_ahead(state, seed, self._worlds, _worth)


def looked_ahead(state: Any, seed: int, most_worlds: int, worth_of: Judge) -> Option:
    """The option after which the position is worth most to the player who decides."""
    decision = pending(state)
    options = list(decision.options)
    if len(options) == 1:
        return options[0]
    generator = Generator(seed)
    tried = _sample(list(range(len(options))), generator)
    worlds = Worlds(state, decision.player, seed)
    looked_at: list[list[Worth]] = [[] for _ in tried]
    for number in range(most_worlds):
        world = worlds.number(number * number)  # a world of its own for each, where there are several
        if number and len(worlds.drawn) == 1:
            break
        if world.over or world.who != decision.player or len(world.opts) != len(options):
            continue  # a world that may not agree with the game (`State.approximate`)
        for found, index in zip(looked_at, tried, strict=True):
            found += _looks(world, world.opts[index], decision.player, derived_seed(seed, number), worth_of)
    worths = [_mean(found) for found in looked_at]
    most = max(worths)
    best = [index for index, worth in zip(tried, worths, strict=True) if worth == most]
    return options[best[generator.below(len(best))]]


def _sample(indexes: list[int], generator: Generator) -> list[int]:
    """At most so many of the options, any with equal chance, in their order."""
    while len(indexes) > _MOST_TRIED:
        indexes.pop(generator.below(len(indexes)))
    return indexes


def _looks(world: Any, option: int, player: int, seed: int, worth_of: Judge) -> list[Worth]:
    """What the option leads to in this world: once, or several times if chance falls."""
    found: list[Worth] = []
    for fall in range(_FALLS):
        copy = world.fork()
        before = copy.g = chance_of(derived_seed(seed, fall))
        try:
            advance(copy, option)
        except FAULTS:
            return [(_FAULTY,)]
        found.append(worth_of(copy, player))
        if copy.g == before:
            break
    return found


def _worth(state: Any, player: int) -> Worth:
    keys = keys_of(state)
    result = result_of(state)[player] if state.over else 0.0
    return (result, float(margins_of(keys)[player]), *map(float, keys[player][1:]))


def _mean(found: list[Worth]) -> Worth:
    """The average of each part; an option that no world offers is worth nothing."""
    if not found or any(one[0] == _FAULTY for one in found):
        return (_FAULTY,)
    return tuple(sum(part) / len(found) for part in zip(*found, strict=True))
