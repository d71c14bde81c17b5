"""The statistics that reports use, as pure functions over numbers.

Written out rather than imported: the program needs four of them, and the tests check them against known figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NORMAL_95 = 1.959963984540054  # two-sided 95 % of the normal distribution


@dataclass(frozen=True)
class Summary:
    """How numbers are spread. `sd` is that of a sample; quartiles are interpolated."""

    count: int
    mean: float
    sd: float
    smallest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    largest: float


def summarize(numbers: Sequence[float]) -> Summary | None:
    """The summary of some numbers, or None of no numbers."""
    if not numbers:
        return None
    ordered = sorted(numbers)
    mean = math.fsum(ordered) / len(ordered)
    return Summary(
        count=len(ordered),
        mean=mean,
        sd=standard_deviation(ordered, mean),
        smallest=ordered[0],
        lower_quartile=quantile(ordered, 0.25),
        median=quantile(ordered, 0.5),
        upper_quartile=quantile(ordered, 0.75),
        largest=ordered[-1],
    )


def standard_deviation(numbers: Sequence[float], mean: float) -> float:
    """Of a sample; 0 for fewer than two numbers."""
    if len(numbers) < 2:
        return 0.0
    return math.sqrt(math.fsum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of the ordered numbers lies, interpolated between neighbours."""
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def wilson_interval(successes: int, trials: int, z: float = NORMAL_95) -> tuple[float, float]:
    """The interval in which a rate lies with 95 % confidence, given so many successes in so many trials.

    Wilson's interval stays inside 0..1 and is sound for few trials and rates near the ends.
    """
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    shrink = 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / shrink
    spread = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / shrink
    low = 0.0 if successes == 0 else max(0.0, centre - spread)
    high = 1.0 if successes == trials else min(1.0, centre + spread)
    return low, high
