"""More simulations do not make a search weaker: `mcts:400` against `mcts:50`, each deal from both seats.

`pytest --long` plays enough games for an interval that leaves no doubt; without it a few games show that the match can
be played, and that it is not lost.
"""

from __future__ import annotations

from functools import partial

import pytest

import interpreter as rw
from interpreter.native.game import NativeGame
from interpreter.study.ratings import share_interval, summed
from interpreter.study.tournament import hold

MANY, FEW = "mcts:400", "mcts:50"


@pytest.mark.parametrize(
    ("name", "rounds"), [("connect_four", 20), ("kalah", 20), ("oware", 12), ("breakthrough", 8), ("pikit", 30)]
)
def test_more_simulations_are_not_weaker(name: str, rounds: int, is_long: bool) -> None:
    if not is_long and name != "connect_four":
        pytest.skip("a match of minutes: --long")
    game = rw.load(name, 2, backend="native")
    if not isinstance(game, NativeGame) or game.engine is None:
        pytest.skip("without an engine this takes too long")
    found = hold(partial(rw.load, name, 2, backend="native"), (MANY, FEW), rounds if is_long else 4, seed=1)
    wins = summed(found.rounds)
    assert wins[0][1] >= wins[1][0]
    if is_long:
        low, _ = share_interval(found.rounds, 0, 1, 1)
        assert low > 0.5, wins
