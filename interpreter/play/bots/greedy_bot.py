"""Looks one decision ahead, and no further: takes the option after which it stands best, by the game's own ranking.

`greedy` looks at 4 worlds drawn from what its seat knows, `greedy:N` at N of them. In each world every option is
taken up on a copy. If chance falls before the next decision, three more copies fall otherwise, so the result of a roll
is an average. Inside a `together` it looks to the end of the block, with the choices of all others at random, four
times in each world, and these are the same for every option (`at_once`). What an option is worth is compared part by
part, each an average over all copies:

1. the result, where the game is over after it;
2. the margin over the best other player, by the first criterion of the ranking (see `standing`);
3. the further criteria of the ranking, in their order.

Among equals it takes any. Of more than 12 options it looks at 12, drawn at random, so that one decision never costs
more than some dozens of copies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from time import perf_counter
from typing import Any

from ...runtime.chance import Generator
from ..contract import Option
from ..seeds import derived_seed
from .at_once import come_to
from .bot import Bot, pending
from .compiled_looks import glances_found, looks_found
from .compiled_tree import tell_spent
from .imagined import FAULTS, Worlds, advance, chance_of
from .standing import keys_of, margins_of, result_of
from .tree import AtRoot

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
        return looked_ahead(state, seed, self._worlds, None)


def looked_ahead(state: Any, seed: int, most_worlds: int, judge: Judge | None) -> Option:
    """The option after which the position is worth most to the player who decides: by a judge, or by how that player
    stands, which the native engine can tell too."""
    decision = pending(state)
    options = list(decision.options)
    if len(options) == 1:
        return options[0]
    generator = Generator(seed)
    tried = _sample(list(range(len(options))), generator)
    worths = _worths(state, seed, most_worlds, tried) if judge is None else None
    if worths is None:
        began = perf_counter()
        worths = [_mean(found) for found in _looked_at(state, seed, most_worlds, tried, judge or _worth)]
        if judge is None:
            tell_spent(state, perf_counter() - began)
    most = max(worths)
    best = [index for index, worth in zip(tried, worths, strict=True) if worth == most]
    return options[best[generator.below(len(best))]]


def _worths(state: Any, seed: int, most_worlds: int, tried: list[int]) -> list[Worth] | None:
    """What each option that is tried is worth, from the native engine; None if there is none."""
    found = glances_found(state, seed, most_worlds, tried)
    if found is not None:
        return [worth or (_FAULTY,) for worth in found]
    looked_at = looks_found(state, seed, most_worlds, tried)
    return None if looked_at is None else [_mean(found) for found in looked_at]


def best_here(state: Any, seed: int) -> int:
    """The index of the option after which the player who decides stands best in this very position, whoever may know
    what is in it. No bot at a table plays so: it is for those who look for what rules can lead to."""
    generator = Generator(seed)
    tried = _sample(list(range(len(state.opts))), generator)
    worths = [_mean(_looks(state, state.opts[index], state.who, seed, _worth)) for index in tried]
    most = max(worths)
    best = [index for index, worth in zip(tried, worths, strict=True) if worth == most]
    return best[generator.below(len(best))]


def _looked_at(state: Any, seed: int, most_worlds: int, tried: list[int], worth_of: Judge) -> list[list[Worth]]:
    """For each option that is tried what it is worth, look by look."""
    found: list[list[Worth]] = [[] for _ in tried]
    root = AtRoot(state, seed)
    for number in range(most_worlds):
        world = root.worlds.separate(number)
        if world is None:
            break
        if not root.is_like_root(world):
            continue
        own = derived_seed(seed, number)
        if world.together:
            _look_in_block(root.worlds, number, [world.opts[index] for index in tried], own, worth_of, found)
            continue
        for of_option, index in zip(found, tried, strict=True):
            of_option += _looks(world, world.opts[index], root.player, own, worth_of)
    return found


def _look_in_block(
    worlds: Worlds, number: int, options: list[int], seed: int, worth_of: Judge, found: list[list[Worth]]
) -> None:
    """What each of these options leads to behind the block, in this world: to be added to what was found of it."""
    for fall in range(_FALLS):
        come = come_to(worlds, number, derived_seed(seed, fall))
        if come is None:
            continue
        for of_option, option in zip(found, options, strict=True):
            copy, at_once = come[0].fork(), come[1].fork()
            at_once.goes_on(copy)  # the player is asked there
            try:
                advance(copy, option)
                at_once.leave(copy)
                of_option.append(worth_of(copy, worlds.player))
            except FAULTS:
                of_option.append(())


def _sample(indexes: list[int], generator: Generator) -> list[int]:
    """At most so many of the options, any with equal chance, in their order."""
    while len(indexes) > _MOST_TRIED:
        indexes.pop(generator.below(len(indexes)))
    return indexes


def _looks(world: Any, option: int, player: int, seed: int, worth_of: Judge) -> list[Worth]:
    """What the option leads to in this world: once, or several times if chance falls; nothing for a fault."""
    found: list[Worth] = []
    for fall in range(_FALLS):
        copy = world.fork()
        before = copy.g = chance_of(derived_seed(seed, fall))
        try:
            advance(copy, option)
            found.append(worth_of(copy, player))
        except FAULTS:
            return [()]
        if copy.g == before:
            break
    return found


def _worth(state: Any, player: int) -> Worth:
    keys = keys_of(state)
    result = result_of(state)[player] if state.over else 0.0
    return (result, float(margins_of(keys, state.meta.is_team)[player]), *map(float, keys[player][1:]))


def _mean(found: list[Worth]) -> Worth:
    """The average of each part; an option that no world offers is worth nothing. Numbers are added one after the other,
    as `rw_glances.h` does it: newer Pythons have a `sum` that rounds otherwise."""
    if not found or not all(found):
        return (_FAULTY,)
    return tuple(reduce(add, part) / len(found) for part in zip(*found, strict=True))
