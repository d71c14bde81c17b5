"""Deep validation of the rulesets that come with the program: no finding in any, with all variants and pairs of them.

The small ones are played in every run, those without much that is hidden at full length. The others take minutes each
and are played with `--long`. PiKiT stands between: what takes so long there is drawing worlds, for the greedy seats and
for the search for leaks. So the everyday run plays fewer games of it and compares fewer decisions with other worlds;
`test_deep_knowledge` looks for leaks in all rulesets every day, and `--long` plays PiKiT at full length.
"""

from __future__ import annotations

import pytest

from interpreter.cli.combinations import combinations
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.render import render
from interpreter.ruleset.gather import gather
from interpreter.ruleset.listing import list_rulesets
from interpreter.study.deep import Deep, player_counts, validate_deeply
from interpreter.study.deep_play import ASKED_AGAIN

SMALL = {"nim", "tic_tac_toe", "connect_four", "breakthrough", "kalah", "kuhn_poker", "pikit"}
ALL = [summary.name for summary in list_rulesets(Diagnostics()) if not summary.is_core]
GAMES, LONG_GAMES = 40, 200
EVERYDAY = {"pikit": (8, 18)}  # games, and one decision in so many that is compared with another world


def _played(name: str, games: int, every: int) -> Deep:
    gathered = gather(name, None, Diagnostics())
    assert gathered is not None
    names = combinations(name, gathered.all_variants)
    deep = validate_deeply(name, names, games, every=every)
    assert [unit[:3] for unit in deep.units] == [
        (one, players, games) for one in names for players in player_counts(one)
    ]
    return deep


def test_the_small_ones_are_there() -> None:
    assert set(ALL) >= SMALL


@pytest.mark.deep
@pytest.mark.parametrize("name", ALL)
def test_an_untouched_ruleset_has_no_finding(name: str, is_long: bool) -> None:
    if name not in SMALL and not is_long:
        pytest.skip("takes minutes: --long")
    games, every = (LONG_GAMES, ASKED_AGAIN) if is_long else EVERYDAY.get(name, (GAMES, ASKED_AGAIN))
    deep = _played(name, games, every)
    assert "\n".join(map(render, deep.findings)) == ""
