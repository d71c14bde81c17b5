"""Statistics against figures worked out elsewhere."""

from __future__ import annotations

import pytest

from interpreter.study.statistics import binomial_test, exact_interval, quantile, summarize, wilson_interval


def test_summary_of_known_numbers() -> None:
    summary = summarize([2, 4, 4, 4, 5, 5, 7, 9])
    assert summary is not None
    assert summary.mean == 5
    assert summary.sd == pytest.approx(2.13809, abs=1e-5)
    assert (summary.smallest, summary.lower_quartile, summary.median, summary.upper_quartile, summary.largest) == (
        2, 4, 4.5, 5.5, 9,
    )  # fmt: skip


def test_summary_of_one_and_of_none() -> None:
    one = summarize([3])
    assert one is not None and (one.mean, one.sd, one.median) == (3, 0, 3)
    assert summarize([]) is None


@pytest.mark.parametrize(("share", "value"), [(0, 1), (0.25, 2), (0.5, 3), (0.9, 4.6), (1, 5)])
def test_quantiles_are_interpolated(share: float, value: float) -> None:
    assert quantile([1, 2, 3, 4, 5], share) == pytest.approx(value)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (585, 1000, 0.5542, 0.6152), (0, 0, 0, 1)],
)
def test_wilson_interval(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("trials", [2, 7, 30])
def test_the_exact_interval_agrees_with_the_exact_test(trials: int) -> None:
    """What the sentence calls shown and what its interval leaves out are the same rates."""
    for halves in range(2 * trials + 1):
        low, high = exact_interval(halves / 2, trials)
        for rate in (0.1, 0.25, 1 / 3, 0.5, 0.9):
            assert (binomial_test(halves / 2, trials, rate) < 0.05) == (not low <= rate <= high)
