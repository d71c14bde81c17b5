"""Long studies play in C: row by row they are the studies that Python makes."""

from __future__ import annotations

import pytest

from interpreter.compile.load import load_compiled
from interpreter.native.unavailable import NativeUnavailable
from interpreter.study.watch import CountingGame, Watch, counting_game, with_counters


@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", 2), ("kuhn_poker", 2), ("pikit", 3)])
def test_rows_are_the_same(name: str, players: int) -> None:
    compiled = load_compiled(name, players, counted="begins")
    native = CountingGame(with_counters(compiled), name, states_native=False)
    try:
        native.require_engine()
    except NativeUnavailable as problem:
        pytest.skip(str(problem))
    ours, theirs = (Watch(game, ("random",) * players) for game in (native, counting_game(compiled, name)))
    ours._timed, ours._spent = 8, 1.0  # as if games took long enough in Python
    for seed in range(40):
        assert ours.row(seed, closely=False) == theirs.row(seed, closely=False)
    assert ours.row(3, closely=True) == theirs.row(3, closely=True)
