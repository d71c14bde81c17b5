"""Payments of several costs are decided by counting: the same answers as a search over all ways of paying."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.runtime import payments

STATE = SimpleNamespace(steps=0, limit=10**9)  # whose steps are counted


def random_costs(rng: random.Random) -> tuple[Any, ...]:
    """Costs over one or two stores of units, each for any units, for some values, or with a pattern."""
    stores = [
        tuple(
            (10 * store + key, rng.randrange(1, 4), rng.randrange(4), rng.random() < 0.25, 0, ())
            for key in rng.sample(range(6), rng.randrange(1, 6))
        )
        for store in range(2)
    ]
    costs = []
    for _ in range(rng.randrange(2, 5)):
        pattern = rng.choice((None, "among", "among", "among", "all_equal") if rng.random() < 0.2 else (None, "among"))
        among = sorted(rng.sample(range(4), rng.randrange(1, 3))) if pattern == "among" else []
        costs.append((rng.randrange(3), pattern, among, stores[rng.random() < 0.2], 4))
    return tuple(costs)


def test_counting_answers_as_a_search_does(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, tuple[int, ...], bool]] = []
    told = 0
    for seed in range(250):
        costs, picks = random_costs(random.Random(seed)), ()
        while True:
            told += payments._is_counted(STATE, costs, picks) is not None
            asked.append((costs, picks, payments.payable(STATE, costs, picks)))
            total = sum(cost[0] for cost in costs)
            if len(picks) >= total or not asked[-1][2]:
                break
            keys = payments._next_keys(costs, picks)
            asked += [(costs, (*picks, key), payments.payable(STATE, costs, (*picks, key))) for key in keys]
            keys = [key for key in keys if payments.payable(STATE, costs, (*picks, key))]
            picks = (*picks, random.Random(seed + len(picks)).choice(keys))
    monkeypatch.setattr(payments, "_is_counted", lambda S, costs, picks: None)
    assert told > 200 and len({answer for _, _, answer in asked}) == 2
    for costs, picks, answer in asked:
        assert payments.payable(STATE, costs, picks) == answer, (costs, picks)


def test_hundreds_of_units_with_patterns_are_searched_without_nesting() -> None:
    red, blue = (0, 400, 0, False, 0, ()), (1, 400, 1, False, 0, ())
    half = (300, "all_equal", [], (red, blue), 2)
    assert payments.payable(STATE, (half, half), ())
    one_store = (300, "all_equal", [], (red,), 2)
    assert not payments.payable(STATE, (one_store, one_store), ())
