"""Flat Monte Carlo and one look ahead on the native engine: `rw_looks.h`, with the same choices from the same seeds.

Each function gives None where there is no engine, or where something does not fit into native memory: then Python does
the same from the beginning.
"""

from __future__ import annotations

from typing import Any

from ...native.glances import can_be_dealt
from ..seeds import derived_seed
from .compiled_tree import CompiledRoot, engine_of

Look = tuple[float, ...]


class _EveryOption(CompiledRoot):
    """A root with a slot for each option, equal copies too."""

    def begin_at(self, state: Any) -> None:
        self.site, self.offered = state.site, len(state.opts)
        self.indexes = list(range(self.offered))


def flat_found(state: Any, seed: int, games: int, guided: bool = False) -> list[tuple[int, float]] | None:
    """For each option how often it was played, and what it was worth on average. `guided`: by games as a tree search
    plays them (`playing_out`), which the bench measures a search against."""
    engine = engine_of(state)
    if engine is None:
        return None
    try:
        root = _EveryOption(state, seed, engine, guided=guided)
        played = 0
        while played < games:
            until = root.provide(played)
            played = min(games, until or games)
            root.native.run_flat(played)
        found: list[tuple[int, float]] = root.native.slots(root.offered)
    except engine.unfit:
        return None
    return found


def glances_found(state: Any, seed: int, most_worlds: int, tried: list[int]) -> list[Look] | None:
    """For each option that is tried what it is worth on average, as `greedy_bot` adds it up; nothing for a fault of the
    rules. All in one call, for which more has to fit than for `looks_found`."""
    engine = engine_of(state)
    if engine is None or not engine.library.steady:
        return None
    worlds = None
    if state.together:
        return None
    if state.meta.has_secrets:
        prepared = getattr(state, "worlds", None)
        worlds = prepared(state.who) if prepared is not None else None
        if worlds is None or not can_be_dealt(engine, worlds):
            return None
    try:
        found: list[Look] = engine.glances().look(state, worlds, seed, most_worlds, tried)
    except engine.unfit:
        return None
    return found


def looks_found(state: Any, seed: int, most_worlds: int, tried: list[int]) -> list[list[Look]] | None:
    """For each option that is tried how the player stands after it, look by look, as `greedy_bot` does it; an empty
    look is a fault of the rules."""
    engine = engine_of(state)
    if engine is None:
        return None
    found: list[list[Look]] = [[] for _ in tried]
    try:
        root = _EveryOption(state, seed, engine)
        for number in range(most_worlds):
            world = root.worlds.separate(number)
            root.provide(0)
            if world is None:
                break
            if not root.is_like_root(world):
                continue
            looks = root.native.looks(number, tried, derived_seed(seed, number))
            for of_option, of_world in zip(found, looks, strict=True):
                of_option += of_world
    except engine.unfit:
        return None
    return found
