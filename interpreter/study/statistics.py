"""The statistics used in reports, as pure functions over numbers.

They are implemented here rather than imported from a library: the program needs only a handful of them, and the tests
check them against known figures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

NORMAL_95 = 1.959963984540054  # two-sided 95 % of the normal distribution


@dataclass(frozen=True)
class Summary:
    """The distribution of some numbers. `sd` is the sample standard deviation; quartiles are interpolated."""

    count: int
    mean: float
    sd: float
    smallest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    largest: float


def summarize(numbers: Sequence[float]) -> Summary | None:
    """The summary of some numbers, or None if there are none."""
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


def summarize_counts(counts: Mapping[int, int]) -> Summary | None:
    """The summary of whole numbers, given how often each occurs. The sums are exact, so neither the order of the
    numbers nor the way in which they were put together changes a digit."""
    total = sum(counts.values())
    if not total:
        return None
    moments = Moments(total, sum(n * times for n, times in counts.items()), sum(n * n * t for n, t in counts.items()))
    ordered = sorted(counts)
    return Summary(
        total, moments.mean, moments.sd, ordered[0], _quantile_of(counts, ordered, total, 0.25),
        _quantile_of(counts, ordered, total, 0.5), _quantile_of(counts, ordered, total, 0.75), ordered[-1],
    )  # fmt: skip


def _quantile_of(counts: Mapping[int, int], ordered: Sequence[int], total: int, share: float) -> float:
    """`quantile` of the numbers written out one by one."""
    position = share * (total - 1)
    below = math.floor(position)
    ends: list[int] = []
    for wanted in (below, min(below + 1, total - 1)):
        passed = 0
        for number in ordered:
            passed += counts[number]
            if passed > wanted:
                ends.append(number)
                break
    return ends[0] + (ends[1] - ends[0]) * (position - below)


@dataclass(frozen=True)
class Moments:
    """How many numbers, their sum and the sum of their squares: enough for mean, spread and interval."""

    count: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def sd(self) -> float:
        """The sample standard deviation."""
        if self.count < 2:
            return 0.0
        # whole numbers are subtracted exactly, so nothing is lost where the mean is large beside the spread
        above = self.squares * self.count - self.total * self.total
        return math.sqrt(max(0.0, above / self.count / (self.count - 1)))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.count) if self.count else math.inf

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The confidence interval of the mean (Student's t)."""
        if self.count < 2:
            return -math.inf, math.inf
        reach = t_quantile(1 - (1 - confidence) / 2, self.count - 1) * self.error
        return self.mean - reach, self.mean + reach

    def chance_of(self, value: float) -> float:
        """The p-value of "the true mean is `value`" (two-sided t-test)."""
        if self.count < 2:
            return 1.0
        if self.sd == 0:  # nothing to judge the spread by: how likely is it that all fall on the same side by chance?
            return 1.0 if self.mean == value else min(1.0, 2 * 0.5**self.count)
        return t_tails((self.mean - value) / self.error, self.count - 1)


def moments_of(numbers: Sequence[float]) -> Moments:
    return Moments(len(numbers), math.fsum(numbers), math.fsum(number * number for number in numbers))


def counted_moments(counts: Mapping[int, int]) -> Moments:
    return Moments(
        sum(counts.values()), sum(n * times for n, times in counts.items()), sum(n * n * t for n, t in counts.items())
    )


def standard_deviation(numbers: Sequence[float], mean: float) -> float:
    """The sample standard deviation (divided by n - 1); 0 for fewer than two numbers."""
    if len(numbers) < 2:
        return 0.0
    return math.sqrt(math.fsum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of the ordered numbers lies, interpolated between neighbours."""
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def wilson_interval(successes: float, trials: int, z: float = NORMAL_95) -> tuple[float, float]:
    """The 95 % confidence interval of a rate, given the number of successes (halves for shared ones) and of trials.

    Wilson's interval stays inside 0..1 and works for few trials and rates near the ends. The textbook interval
    (rate ± z · error) does not: after 3 wins in 3 games it would claim exactly 100 %.
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


def normal_quantile(share: float) -> float:
    """The number below which that share of the normal distribution lies."""
    return NormalDist().inv_cdf(share)


def chi_square_tail(square: float, freedom: int) -> float:
    """How likely a sum of squares of so many free normal numbers is at least so large (Wilson and Hilferty's cube root,
    which is right to a tenth of itself down to one in a million)."""
    if square <= 0:
        return 1.0
    part = 2 / (9 * freedom)
    return 0.5 * math.erfc(((square / freedom) ** (1 / 3) - 1 + part) / math.sqrt(2 * part))


def t_tails(t: float, freedom: float) -> float:
    """The chance that Student's t is as far from 0 as this, on either side."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@lru_cache(maxsize=1 << 12)  # a study asks for each number of games once for every figure that it prints
def t_quantile(share: float, freedom: float) -> float:
    """The number below which that share (above a half) of Student's t distribution lies, by bisection."""
    low, high = 0.0, 1e3
    wanted = 2 * (1 - share)
    if freedom > 1e4:  # the normal distribution to more digits than anybody reads
        return normal_quantile(share)
    for _ in range(60):
        middle = (low + high) / 2
        if t_tails(middle, freedom) > wanted:
            low = middle
        else:
            high = middle
    return high


# ---------------------------------------------------------------------------- how many games?

POWER = 0.8  # of "can show": a real difference of that size is found four times in five


def smallest_shown(sd: float, games: int, looks: int = 1, level: float = 0.05) -> float:
    """The smallest true value that the mean of so many games would show to be other than zero, four times in five;
    `looks` is the number of figures looked at, for which each test is stricter (Bonferroni)."""
    return _reach(looks, level) * sd / math.sqrt(games) if games else math.inf


def games_for(value: float, sd: float, looks: int = 1, level: float = 0.05) -> int | None:
    """How many games would show this value to be other than zero, four times in five; None for a value of zero. Where
    all games gave the same, so many that all would not fall on one side by chance (`Moments.chance_of`)."""
    if value == 0:
        return None
    if sd == 0:
        return math.floor(math.log2(2 * looks / level)) + 1
    return max(2, math.ceil((_reach(looks, level) * sd / value) ** 2))


def _reach(looks: int, level: float) -> float:
    return normal_quantile(1 - level / looks / 2) + normal_quantile(POWER)


# ---------------------------------------------------------------------------- are two things different?


def binomial_test(successes: float, trials: int, rate: float) -> float:
    """The p-value of "the true rate is `rate`": twice the smaller tail of the binomial distribution. Exact, so it
    claims nothing after two games; halves (shared wins) are rounded towards the expected number."""
    if trials == 0 or not 0 < rate < 1:
        return 1.0
    count = math.ceil(successes) if successes < trials * rate else math.floor(successes)
    at_least = 1.0 if count == 0 else incomplete_beta(count, trials - count + 1, rate)
    at_most = 1.0 if count == trials else 1 - incomplete_beta(count + 1, trials - count, rate)
    return min(1.0, 2 * min(at_least, at_most))


def exact_interval(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a rate that `binomial_test` agrees with (Clopper and Pearson): a rate outside of it has a
    p-value below 5 %. Halves are rounded so that it becomes wider."""
    if trials == 0:
        return 0.0, 1.0
    few, many = math.floor(successes), math.ceil(successes)
    low = 0.0 if few == 0 else _rate_of(lambda rate: incomplete_beta(few, trials - few + 1, rate), 0.025)
    high = 1.0 if many == trials else _rate_of(lambda rate: incomplete_beta(many + 1, trials - many, rate), 0.975)
    return low, high


def _rate_of(rising: Callable[[float], float], wanted: float) -> float:
    """Where a function that rises from 0 to 1 comes to a value, by halving."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return (low + high) / 2


def proportions_test(successes: float, trials: float, others: float, other_trials: float) -> float:
    """The p-value of the difference between two rates (two-sided, pooled normal test)."""
    if trials == 0 or other_trials == 0:
        return 1.0
    pooled = (successes + others) / (trials + other_trials)
    error = math.sqrt(pooled * (1 - pooled) * (1 / trials + 1 / other_trials))
    if error == 0:
        return 1.0
    return math.erfc(abs(successes / trials - others / other_trials) / error / math.sqrt(2))


def welch_test(numbers: Sequence[float], others: Sequence[float]) -> float:
    """The p-value of the difference between two means (Welch's two-sided t-test, which allows unequal variances)."""
    if len(numbers) < 2 or len(others) < 2:
        return 1.0
    means = [math.fsum(n) / len(n) for n in (numbers, others)]
    errors = [standard_deviation(n, m) ** 2 / len(n) for n, m in zip((numbers, others), means, strict=True)]
    if sum(errors) == 0:
        return 1.0 if means[0] == means[1] else 0.0
    t = (means[0] - means[1]) / math.sqrt(sum(errors))
    # Welch-Satterthwaite degrees of freedom; the incomplete beta function is the tail of Student's t distribution.
    freedom = sum(errors) ** 2 / sum(e * e / (len(n) - 1) for e, n in zip(errors, (numbers, others), strict=True) if e)
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def holm(chances: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected by Holm's method, so that the chance of any false alarm among all of
    them stays at the chosen level."""
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    corrected = [0.0] * len(chances)
    highest = 0.0
    # The smallest p-value counts n times, the next n - 1 times …; a corrected value is never below an earlier one.
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, chances[i] * (len(chances) - rank)))
        corrected[i] = highest
    return corrected


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only below the mean; use the symmetry
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 400):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + factor * d, tiny)
            c = _away(1 + factor / c, tiny)
            fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * fraction


def _away(number: float, tiny: float) -> float:
    """The number, or `tiny` if it is too close to zero to divide by."""
    return number if abs(number) > tiny else tiny
