"""Kuhn poker: the tool that measures how far a bot can be exploited is right where the answer is known."""

from __future__ import annotations

import pytest

from tools.kuhn_exploitability import exploitability, positions, strategy_of, value


def test_the_known_equilibrium_has_the_known_value_and_cannot_be_exploited() -> None:
    """One of the equilibria: the first player never bets at once, and calls with the queen one time in three."""
    bets = {
        (0, "card_jack", ()): 0.0, (0, "card_queen", ()): 0.0, (0, "card_king", ()): 0.0,
        (0, "card_jack", (1, 0)): 0.0, (0, "card_queen", (1, 0)): 1 / 3, (0, "card_king", (1, 0)): 1.0,
        (1, "card_jack", (0,)): 0.0, (1, "card_queen", (0,)): 1 / 3, (1, "card_king", (0,)): 1.0,
        (1, "card_jack", (1,)): 1 / 3, (1, "card_queen", (1,)): 0.0, (1, "card_king", (1,)): 1.0,
    }  # fmt: skip
    assert set(bets) == set(positions())
    assert value((bets, bets)) == pytest.approx(-1 / 18)
    assert exploitability(bets) == pytest.approx(0, abs=1e-9)


def test_tree_search_makes_no_gross_mistake() -> None:
    """It bluffs too seldom or too often, but it never folds a king nor calls with a jack."""
    strategy = strategy_of("mcts:100", 4)
    assert strategy[1, "card_king", (0,)] == 1.0 and strategy[0, "card_king", (1, 0)] == 1.0
    assert strategy[1, "card_jack", (0,)] == 0.0 and strategy[0, "card_jack", (1, 0)] == 0.0
