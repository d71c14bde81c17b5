"""Card and dice games of the gallery choice for choice beside direct programs (`cards_by_hand.py`,
`rails_by_hand.py`)."""

from __future__ import annotations

import random
from typing import Any

import pytest

import interpreter as rw
from tests.gallery.cards_by_hand import EstateSale, Hearts, LiarsDice, MarketGarden, SpringBouquet
from tests.gallery.rails_by_hand import BranchLines

GAMES: list[tuple[str, int, Any, int]] = [
    ("hearts", 4, Hearts, 1),
    ("spring_bouquet", 2, SpringBouquet, 3),
    ("spring_bouquet", 4, SpringBouquet, 3),
    ("market_garden", 2, MarketGarden, 2),
    ("market_garden", 3, MarketGarden, 1),
    ("liars_dice", 3, LiarsDice, 4),
    ("estate_sale+rising", 3, EstateSale, 6),
    ("branch_lines", 2, BranchLines, 3),
    ("branch_lines", 3, BranchLines, 3),
]


@pytest.mark.parametrize(("name", "players", "by_hand", "games"), GAMES, ids=[f"{g[0]}-{g[1]}" for g in GAMES])
def test_lock_step(name: str, players: int, by_hand: Any, games: int, is_long: bool) -> None:
    game = rw.load(name, players, backend="python")
    for seed in range(games * (30 if is_long else 1)):
        rng, state, model = random.Random(seed), game.new(seed=seed, auto=False), by_hand(players)
        view = state.view(None)
        while not state.over:
            player, labels = state.decision.player, [str(option) for option in state.decision.options]
            expected = model.offers(view, player)
            where = f"seed {seed}, after {len(state.history)} choices"
            assert expected is None or set(labels) == expected, where
            index = rng.choice(
                range(len(labels)) if rng.random() < 0.9 else range(max(0, len(labels) - 2), len(labels))
            )
            state.apply(index)
            after = state.view(None)
            model.happened(view, player, labels[index], after)
            view = after
        best = model.result()
        if name.startswith("hearts"):
            best = [-points for points in best]
            assert [-points for points in state.scores] == best
        elif not name.startswith("liars"):
            assert list(state.scores) == best
        if not name.startswith(("market", "branch")):  # there a tie is broken otherwise
            assert state.winners == [who for who in range(players) if best[who] == max(best)]
