"""Games on maps from files, in lock step with the slow evaluator: streets with several edge maps, hexes from tiles."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import interpreter as rw
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame

MAPS = Path(__file__).resolve().parent.parent / "cases" / "maps"


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("streets", 2),
        ("streets+small_town", 2),
        ("streets+fair", 2),
        ("fens", 2),
        ("island", 2),
        ("island", 3),
        ("island+round", 2),
        ("island+tide", 2),
        ("island+tide", 3),
        ("shapes", 2),
    ],
)
def test_games_on_maps_in_lock_step(name: str, players: int) -> None:
    game = rw.load(str(MAPS / name), players=players)
    for seed in range(4):
        chooser = Random(seed)
        state = game.new(seed, auto=False)
        assert lock_step(state, SlowGame(game.program, auto=False), seed, chooser.randrange) is None
