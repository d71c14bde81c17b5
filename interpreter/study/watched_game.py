"""A game that counts how often each part of its rules is executed.

The game is compiled again, with a counting instruction for every place in its rules (`compile/ways.py`). Only real
play is counted: playouts and trials run in modules of their own, which do not count. Options are counted when they are
taken, including single ones that the game takes automatically. Counting costs about a third of the speed, but only in
studies that use it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..compile.load import Compiled, compile_program, load_compiled
from ..compile.meta import FREE as FREE_ACTION
from ..compile.meta import PASS, SiteMeta
from ..runtime.game import Game
from ..runtime.state import State

if TYPE_CHECKING:
    from ..check.program import Program

FREE = -2  # free action n is branch FREE - n

Choice = tuple[int, int]  # site, branch


@dataclass
class Counts:
    """What was executed: a counter for each entry of `Compiled.hits`, options offered and taken by site and branch."""

    hits: list[int]
    offered: Counter[Choice] = field(default_factory=Counter)
    taken: Counter[Choice] = field(default_factory=Counter)


class WatchedGame(Game):
    """A game that runs its whole setup every time (a normal game shares the result), so that every game counts it.
    It keeps knowledge at once: rules that are run again when somebody looks would be counted twice."""

    defers = False

    def _set_out(self, seed: int, auto: bool, tracked: bool) -> State:
        self._firsts.clear()
        return super()._set_out(seed, auto, tracked)


def load_watched(name: str, players: int | None) -> tuple[Game, Counts]:
    """The game of that name, with its counts."""
    return watched(load_compiled(name, players, counted="places"), name)


def watched_program(program: Program) -> tuple[Game, Counts]:
    """A game from a checked program, with its counts."""
    return watched(compile_program(program, counted="places"))


def watched(compiled: Compiled, asked: str | None = None) -> tuple[Game, Counts]:
    """A game that was compiled to count."""
    counts = Counts([0] * len(compiled.hits))
    game = WatchedGame(replace(compiled, tables={**compiled.tables, "HITS": counts.hits}), asked)
    _count_choices(game, counts)
    return game, counts


# ---------------------------------------------------------------------------- choices


def _count_choices(game: Game, counts: Counts) -> None:
    """Records every choice of a real game, and what else was offered."""
    machine, sites = game.machine, game.meta.sites
    take = machine.take

    def counting_take(S: Any, option: Any) -> None:
        if S.tracked:
            site = sites[S.site]
            for branch in {branch_of(raw, site) for raw in S.opts}:
                counts.offered[S.site, branch] += 1
            counts.taken[S.site, branch_of(option, site)] += 1
        take(S, option)

    machine.take = counting_take  # type: ignore[method-assign]


def branch_of(raw: int, site: SiteMeta) -> int:
    """Which branch of its site an option belongs to."""
    if raw <= FREE_ACTION:
        return FREE + raw - FREE_ACTION
    return site.branch_of(raw) if raw >= 0 else PASS
