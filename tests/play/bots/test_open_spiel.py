"""Connect four against OpenSpiel's tree search, with the same number of simulations, from both sides of the same seeds.

`pytest --long tests/play/bots/test_open_spiel.py` plays 200 games. OpenSpiel is an extra of its own (`strength`).
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import interpreter as rw
from interpreter.play.seeds import derived_seed

spiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: `pip install rulewright[strength]`")


def result_of(simulations: int, seed: int, seat: int) -> float:
    """One game; what came of it for our bot. OpenSpiel's own state goes along, and must come to the same end."""
    theirs = spiel.load_game("connect_four")
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    opponent = spiel.MCTSBot(
        theirs, evaluator, uct_c=2.0, max_simulations=simulations, max_memory_mb=0, solve=True, seed=seed, verbose=False
    )
    state, mirror, bot = rw.load("connect_four").new(seed, auto=False), theirs.new_initial_state(), _bot(simulations)
    while not state.over:
        if state.decision.player == seat:
            option = bot.choose(state, derived_seed(seed, len(state.history)))
        else:
            column = opponent.step(mirror)
            option = next(one for one in state.decision.options if one.values == (str(column + 1),))
        mirror.apply_action(int(option.values[0]) - 1)
        state.apply(option)
    returns = state.returns or []
    assert mirror.is_terminal() and mirror.returns() == returns
    return returns[seat]


def _bot(simulations: int) -> rw.Bot:
    return rw.bot(f"mcts:{simulations}")


def test_tree_search_is_no_worse_with_the_same_simulations(is_long: bool) -> None:
    pairs, simulations = (100, 100) if is_long else (3, 25)
    results = [result_of(simulations, seed, seat) for seed in range(pairs) for seat in (0, 1)]
    mean = sum(results) / len(results)
    error = math.sqrt(sum((one - mean) ** 2 for one in results) / len(results) / len(results))
    # Even or better within the 95 % interval; six games only show that the match can be played.
    assert mean + 1.96 * max(error, 0.05) >= 0 or not is_long
