"""Every ruleset there is, found by listing, with each of its player counts and variants: what many tests go over."""

from __future__ import annotations

from functools import cache

import interpreter as rw
from interpreter.cli.combinations import combinations
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.gather import gather
from interpreter.ruleset.listing import list_rulesets


@cache
def every_game() -> tuple[tuple[str, int], ...]:
    """(name, players): each ruleset alone, with each variant and each pair that gets along, for each player count."""
    found: list[tuple[str, int]] = []
    for summary in list_rulesets(Diagnostics()):
        alone = None if summary.is_core else gather(summary.name, None, Diagnostics())
        for name in combinations(summary.name, alone.all_variants) if alone is not None else ():
            whole = gather(name, None, Diagnostics())
            assert whole is not None, name
            found += [(name, players) for players in range(whole.fewest, whole.most + 1)]
    return tuple(found)


@cache
def loaded(name: str, players: int) -> rw.Game:
    return rw.load(name, players)


def game_id(game: tuple[str, int]) -> str:
    return f"{game[0]}-{game[1]}"
