"""Every ruleset there is, found by listing, with each of its player counts and variants: what many tests go over."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import interpreter as rw
from interpreter.cli.combinations import combinations
from interpreter.compile.load import own_version
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.files.cache import cached, keep
from interpreter.ruleset.fingerprint import fingerprint_of
from interpreter.ruleset.gather import gather
from interpreter.ruleset.gathered import VariantInfo
from interpreter.ruleset.listing import Summary, list_rulesets

# The everyday run takes each ruleset with the fewest players, alone and with each variant, and these with the most
# players too. `--long` takes every number of players and every pair of variants.
WITH_MOST = {
    "breakthrough", "bricolage_heads", "connect_four", "flatiron", "kalah", "kikai", "kiwi_chow_down", "kuhn_poker",
    "nim", "pikit", "tic_tac_toe",
}  # fmt: skip


@cache
def _rulesets() -> list[tuple[Summary, Sequence[VariantInfo]]]:
    """Every ruleset that is a game, with its variants."""
    games = [summary for summary in list_rulesets(Diagnostics()) if not summary.is_core]
    found = [(summary, gather(summary.name, None, Diagnostics())) for summary in games]
    return [(summary, alone.all_variants) for summary, alone in found if alone is not None]


_handed: dict[bool, tuple[tuple[str, int], ...]] = {}


def hand_over(pairs: bool, games: list[list[Any]]) -> None:
    """What `every_game` gave another process. Listing the variants reads every ruleset, which takes seconds: in a run
    with several workers one process does it for all of them, and it is kept until a ruleset changes."""
    _handed[pairs] = tuple((name, players) for name, players in games)


def every_game(pairs: bool) -> tuple[tuple[str, int], ...]:
    """(name, players): each ruleset alone and with each variant, for each player count; with each pair if asked for.

    Without pairs most rulesets are there with the fewest players only: see `WITH_MOST`."""
    if pairs not in _handed:
        key = _key(pairs)
        kept = cached("tests", key)
        if kept is None:
            kept = json.dumps(_every_game(pairs)).encode()
            keep(kept, "tests", key)
        hand_over(pairs, json.loads(kept))
    return _handed[pairs]


def _key(pairs: bool) -> str:
    """Another one whenever a ruleset, what reads rulesets, or this file has changed."""
    names = [summary.name for summary in list_rulesets(Diagnostics())]
    prints = [(name, fingerprint_of(name, None, with_all_variants=True)) for name in names]
    return hashlib.sha256(repr((pairs, Path(__file__).read_text("utf-8"), prints, own_version())).encode()).hexdigest()


def _every_game(pairs: bool) -> tuple[tuple[str, int], ...]:
    found: list[tuple[str, int]] = []
    for summary, variants in _rulesets():
        for name in combinations(summary.name, variants):
            if not pairs and name.count("+") > 1 and name not in _with_needs(summary.name, variants):
                continue
            chosen = [variant for variant in variants if variant.name in name.split("+")[1:]]
            fewest = max([summary.fewest, *(variant.fewest for variant in chosen)])
            most = min([summary.most, *(variant.most for variant in chosen)])
            counts = range(fewest, most + 1)
            if not pairs:
                counts = sorted({fewest, most}) if name in WITH_MOST else [fewest]
            found += [(name, players) for players in counts]
    return tuple(found)


def _with_needs(name: str, variants: Sequence[VariantInfo]) -> set[str]:
    """What each variant alone comes to, with the variants it needs."""
    chosen = [[other for other in variants if other is one or other.name in one.needs] for one in variants]
    return {found for some in chosen for found in combinations(name, some)}


@cache
def loaded(name: str, players: int) -> rw.Game:
    return rw.load(name, players)


def game_id(game: tuple[str, int]) -> str:
    return f"{game[0]}-{game[1]}"
