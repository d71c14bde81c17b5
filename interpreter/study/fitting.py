"""Fits the weights of a policy to what self-play has written down, with numpy.

**A weighted sum**: least squares with a penalty on large weights (ridge regression), on features brought to mean 0 and
spread 1. A feature that never changes gets the weight 0.

**A network** of one hidden layer, each unit the positive part of a weighted sum: gradient descent with Adam (Kingma and
Ba 2015) in batches, with a penalty on large weights. It is stopped where the results of games that it does not learn
from are foretold best.

One game in ten is kept apart to tell how well a value foretells; another one in ten decides when a network stops, and
whether the network or the sum is kept.

**Options**: the weights under which the choices that were made are most likely (a conditional logit), with a penalty,
so that what was seen seldom keeps a weight near 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..play.bots.learnt_value import LearntValue
from ..play.contract import PlayError

if TYPE_CHECKING:
    from .training import Lessons

_PENALTY = 0.02  # of the number of lines
_DECAY = 1e-3  # of a network's weights
_KEPT_APART = 10  # one game in so many
_ROUNDS = 60  # of a network over all lines
_PATIENCE = 8  # rounds without a better one
_BATCH = 128
_STEP = 3e-3
_OPTION_ROUNDS = 150
_OPTION_STEP = 0.1
_OPTION_PENALTY = 3.0
_MOST_WEIGHT = 50.0  # of a feature of options, and one part in so many


@dataclass
class _Scaled:
    """Lines with features of mean 0 and spread 1, and how they came to it."""

    lines: Any
    results: Any
    mean: Any
    spread: Any
    varies: Any

    def of(self, lines: Any) -> Any:
        return (lines[:, self.varies] - self.mean[self.varies]) / self.spread[self.varies]


def fit_value(held: Lessons, hidden: int, seed: int) -> tuple[LearntValue, float]:
    """The value that foretells best, and the share of the variance of results that it foretells in other games."""
    import numpy

    if not held.results or all(number % _KEPT_APART == _KEPT_APART - 1 for number in held.games):
        raise PlayError("no game came to its end, so nothing can be learnt", "does `rulewright simulate` play it?")
    lines, results = numpy.array(held.features), numpy.array(held.results)
    part = numpy.array(held.games) % _KEPT_APART
    apart, judging = part == _KEPT_APART - 1, part == _KEPT_APART - 2
    learnt = ~apart & ~judging if (~apart & ~judging).any() else ~apart
    scaled = _scaled(lines[learnt], results[learnt])
    value, told = _sum_of(scaled)
    if hidden and judging.any() and scaled.varies.any():
        network, by_network = _network_of(scaled, hidden, seed, lines[judging], results[judging])
        if _error(by_network(lines[judging]), results[judging]) < _error(told(lines[judging]), results[judging]):
            value, told = network, by_network
    return value, _explained(told(lines[apart]), results[apart]) if apart.any() else 0.0


def _scaled(lines: Any, results: Any) -> _Scaled:
    mean, spread = lines.mean(axis=0), lines.std(axis=0)
    held = _Scaled(lines, results, mean, spread, spread > 1e-9)
    held.lines = held.of(lines)
    return held


def _sum_of(scaled: _Scaled) -> tuple[LearntValue, Any]:
    import numpy

    wanted, varies = scaled.results, scaled.varies
    square = scaled.lines.T @ scaled.lines + _PENALTY * len(wanted) * numpy.eye(int(varies.sum()))
    found = numpy.linalg.solve(square, scaled.lines.T @ (wanted - wanted.mean()))
    weights = numpy.zeros((len(varies), 1))
    weights[varies, 0] = found / scaled.spread[varies]
    bias = wanted.mean() - scaled.mean @ weights
    return LearntValue(_rows(weights), _row(bias), []), lambda lines: numpy.clip(lines @ weights[:, 0] + bias[0], -1, 1)


# ---------------------------------------------------------------------------- a network


def _network_of(scaled: _Scaled, hidden: int, seed: int, judging: Any, judged: Any) -> tuple[LearntValue, Any]:
    """The network of the round after which the lines of `judging` are foretold best."""
    import numpy

    random = numpy.random.default_rng(seed & (1 << 63) - 1)
    inputs = scaled.lines.shape[1]
    parts = [
        random.normal(0.0, (1.0 / inputs) ** 0.5, (inputs, hidden)), numpy.zeros(hidden),
        random.normal(0.0, (1.0 / hidden) ** 0.5, hidden), numpy.array([scaled.results.mean()]),
    ]  # fmt: skip
    moments = [(numpy.zeros_like(one), numpy.zeros_like(one)) for one in parts]
    unseen, best, least, waited, step = scaled.of(judging), [one.copy() for one in parts], float("inf"), 0, 0
    for _ in range(_ROUNDS):
        order = random.permutation(len(scaled.results))
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            step += 1
            _descend(parts, moments, _gradients(parts, scaled.lines[some], scaled.results[some]), step)
        error = _error(_told(parts, unseen), judged)
        waited += 1
        if error < least:
            best, least, waited = [one.copy() for one in parts], error, 0
        if waited > _PATIENCE:
            break
    return _unscaled(best, scaled), lambda lines: numpy.clip(_told(best, scaled.of(lines)), -1, 1)


def _told(parts: list[Any], lines: Any) -> Any:
    import numpy

    first, bias, output, last = parts
    return numpy.maximum(lines @ first + bias, 0.0) @ output + last[0]


def _gradients(parts: list[Any], lines: Any, results: Any) -> list[Any]:
    import numpy

    first, bias, output, last = parts
    units = numpy.maximum(lines @ first + bias, 0.0)
    wrong = (units @ output + last[0] - results) * (2.0 / len(results))
    back = numpy.outer(wrong, output) * (units > 0.0)
    by_first, by_output = lines.T @ back + _DECAY * first, units.T @ wrong + _DECAY * output
    return [by_first, back.sum(axis=0), by_output, numpy.array([wrong.sum()])]


def _descend(parts: list[Any], moments: list[tuple[Any, Any]], gradients: list[Any], step: int) -> None:
    """One step of Adam, in place."""
    for part, (mean, square), gradient in zip(parts, moments, gradients, strict=True):
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient * gradient - square)
        part -= _STEP * (mean / (1 - 0.9**step)) / ((square / (1 - 0.999**step)) ** 0.5 + 1e-8)


def _unscaled(parts: list[Any], scaled: _Scaled) -> LearntValue:
    """The network for features as they are."""
    import numpy

    first, bias, output, last = parts
    weights = numpy.zeros((len(scaled.varies), len(output)))
    weights[scaled.varies] = first / scaled.spread[scaled.varies][:, None]
    return LearntValue(_rows(weights), [*_row(bias - scaled.mean @ weights), *_row(last)], _row(output))


# ---------------------------------------------------------------------------- options


def fit_options(choices: list[list[list[int]]], count: int) -> list[float]:
    """A weight for each of `count` features of options. Of each choice the first option was taken."""
    import numpy

    options = [of for choice in choices for of in choice]
    which = numpy.repeat(numpy.arange(len(options)), [len(of) for of in options])
    feature = numpy.array([number for of in options for number in of], dtype=numpy.int64)
    choice = numpy.repeat(numpy.arange(len(choices)), [len(one) for one in choices])
    taken = numpy.zeros(len(options))
    taken[numpy.cumsum([0, *(len(one) for one in choices[:-1])])] = 1.0
    logs = numpy.zeros(count)
    moment = [(numpy.zeros(count), numpy.zeros(count))]
    for step in range(1, _OPTION_ROUNDS + 1):
        products = numpy.exp(numpy.bincount(which, logs[feature], len(options)))
        likely = products / numpy.bincount(choice, products, len(choices))[choice]
        gradient = numpy.bincount(feature, (likely - taken)[which], count) + _OPTION_PENALTY * logs
        mean, square = moment[0]
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient * gradient - square)
        logs -= _OPTION_STEP * (mean / (1 - 0.9**step)) / ((square / (1 - 0.999**step)) ** 0.5 + 1e-8)
    return _row(numpy.clip(numpy.exp(logs), 1.0 / _MOST_WEIGHT, _MOST_WEIGHT))


# ---------------------------------------------------------------------------- how well


def _error(told: Any, results: Any) -> float:
    return float(((results - told) ** 2).mean())


def _explained(told: Any, results: Any) -> float:
    """The share of the variance of the results that was foretold."""
    if len(results) < 2 or float(results.var()) == 0.0:
        return 0.0
    return 1.0 - _error(told, results) / float(results.var())


def _rows(numbers: Any) -> list[list[float]]:
    return [_row(row) for row in numbers]


def _row(numbers: Any) -> list[float]:
    return [round(float(number), 9) for number in numbers]
