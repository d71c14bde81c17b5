"""Ratings from games between pairs: Bradley and Terry's model, fitted by maximum likelihood, on the scale of Elo.

Bot i beats bot j with the chance s_i / (s_i + s_j); a draw is half a win of each. The strengths s are found by Hunter's
iteration (2004), which climbs to the one maximum there is. A bot that has won every game would have no finite rating,
so each pair that has met gets one drawn game on top of those played; with the number of games this fades.

Elo = 400 * log10(s), with the mean of all bots at 0: a difference of 200 is a win in three games of four.

Intervals come from the bootstrap over *rounds*: a round is one seed with all its line-ups and rotations, which belong
together, since the same cards fall in all of them. The rounds are drawn again, as many as there are, with
replacement, 400 times; 95 % of the ratings found lie within the interval. Few rounds that all came out alike would
make that interval too narrow, so it is never narrower than the one that the mere number of games allows (by Fisher's
information for ratings, by Wilson's formula for shares).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..runtime.chance import Generator
from .statistics import NORMAL_95, quantile, wilson_interval

Wins = list[list[float]]  # wins[i][j]: games that i has won against j, draws as half a win
_RESAMPLES = 400
_STEPS = 500
_CLOSE = 1e-9


def strengths(wins: Wins) -> list[float]:
    """The most likely strengths; their geometric mean is 1."""
    count = len(wins)
    games = [[wins[i][j] + wins[j][i] for j in range(count)] for i in range(count)]
    extra = [[0.5 if games[i][j] else 0.0 for j in range(count)] for i in range(count)]
    won = [sum(wins[i]) + sum(extra[i]) for i in range(count)]
    found = [1.0] * count
    for _ in range(_STEPS):
        before = found
        found = [_next(i, before, games, extra, won[i]) for i in range(count)]
        mean = math.exp(math.fsum(math.log(s) for s in found) / count)
        found = [s / mean for s in found]
        if max(abs(new - old) for new, old in zip(found, before, strict=True)) < _CLOSE:
            break
    return found


def _next(i: int, now: list[float], games: Wins, extra: Wins, won: float) -> float:
    met = [(games[i][j] + 2 * extra[i][j]) / (now[i] + now[j]) for j in range(len(now)) if j != i and games[i][j]]
    return won / math.fsum(met) if met else now[i]


def elo(wins: Wins) -> list[float]:
    """The ratings, with mean 0."""
    return [400 * math.log10(s) for s in strengths(wins)]


def elo_intervals(rounds: Sequence[Wins], seed: int = 0) -> list[tuple[float, float]]:
    """For each bot the 95 % interval of its rating, by the bootstrap over rounds."""
    if not rounds:
        return []
    generator = Generator(seed)
    count = len(rounds[0])
    found: list[list[float]] = [[] for _ in range(count)]
    for _ in range(_RESAMPLES):
        drawn = summed([rounds[generator.below(len(rounds))] for _ in rounds])
        for ratings, rating in zip(found, elo(drawn), strict=True):
            ratings.append(rating)
    drawn_again = [(quantile(sorted(ratings), 0.025), quantile(sorted(ratings), 0.975)) for ratings in found]
    counted = _by_information(summed(rounds))
    return [(min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(drawn_again, counted, strict=True)]


def _by_information(wins: Wins) -> list[tuple[float, float]]:
    """The interval of each rating by the Fisher information of its own games, the others' ratings taken as known."""
    strong = strengths(wins)
    found = []
    for i, own in enumerate(strong):
        told = math.fsum(
            (wins[i][j] + wins[j][i] + 1) * own * other / (own + other) ** 2
            for j, other in enumerate(strong)
            if j != i and wins[i][j] + wins[j][i]
        )
        rating, error = 400 * math.log10(own), 400 / math.log(10) / math.sqrt(told) if told else math.inf
        found.append((rating - NORMAL_95 * min(error, 1000.0), rating + NORMAL_95 * min(error, 1000.0)))
    return found


def summed(rounds: Sequence[Wins]) -> Wins:
    count = len(rounds[0])
    return [[math.fsum(one[i][j] for one in rounds) for j in range(count)] for i in range(count)]


def share_interval(rounds: Sequence[Wins], i: int, j: int, seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the share of its games that i takes from j, by the same bootstrap."""
    generator = Generator(seed)
    shares = []
    for _ in range(_RESAMPLES):
        drawn = [rounds[generator.below(len(rounds))] for _ in rounds]
        won, lost = math.fsum(one[i][j] for one in drawn), math.fsum(one[j][i] for one in drawn)
        # One drawn game on top, as for ratings: three wins in three games do not mean that the fourth is certain.
        shares.append((won + 0.5) / (won + lost + 1))
    shares.sort()
    won, lost = math.fsum(one[i][j] for one in rounds), math.fsum(one[j][i] for one in rounds)
    low, high = wilson_interval(round(won), round(won + lost))
    return min(low, quantile(shares, 0.025)), max(high, quantile(shares, 0.975))
