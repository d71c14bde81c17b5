"""Learns what positions are worth, by self-play: `rulewright train`.

1. Random games are played; some positions of each are written down as features (`play/bots/features`), one line for
   each player, with the result that the game came to for that player.
2. Weights are fitted by least squares with a penalty on large weights (ridge regression), on features brought to mean 0
   and spread 1. A feature that never changes gets the weight 0.
3. More games are played in which each seat takes, nine times in ten, the option after which its value is largest. Their
   positions are added, and the weights are fitted again; and so on for each generation.

The value learns from positions in which both sides play as well as it does itself, which is why later generations are
better than the first. One part in ten of the games is kept apart: how well their results are foretold is reported.

Self-play looks ahead on the true state, which is faster than worlds. The value it looks at reads only what the player
may see, and what the bots do later is searched on worlds, so nothing hidden gets into what is learnt but as noise.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..play.bots.features import Features
from ..play.bots.imagined import FAULTS, advance
from ..play.bots.policy_bot import Policy
from ..play.bots.standing import result_of
from ..play.contract import PlayError
from ..runtime.chance import Generator

_LINES_PER_GAME = 8  # positions written down of each game
_MOST_TRIED = 10  # options looked at in self-play
_BY_VALUE = 9  # of ten choices in self-play
_PENALTY = 0.02  # of the number of lines
_KEPT_APART = 10  # one game in so many
_MOST_DECISIONS = 5000

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Trained:
    """A policy, and how well it foretells the results of games that it has not learnt from."""

    policy: Policy
    games: int
    lines: int
    seconds: float
    explained: float  # share of the variance of the results; 0 is a guess, 1 is all


@dataclass
class _Lines:
    features: list[list[float]]
    results: list[float]
    games: list[int]


def train(
    game: Any, games: int = 300, generations: int = 3, seed: int = 0, progress: Progress | None = None
) -> Trained:
    """Learns a value for this game. Needs numpy."""
    if importlib.util.find_spec("numpy") is None:
        raise PlayError("training needs numpy", "install it with `pip install rulewright[learn]`")
    started = time.perf_counter()
    features = Features(game.meta)
    held = _Lines([], [], [])
    policy: Policy | None = None
    for generation in range(generations):
        for number in range(games):
            index = generation * games + number
            _play_one(game, features, policy, seed + index, index, held)
            if progress is not None:
                progress(1)
        policy, explained = _fitted(game, held)
    assert policy is not None
    return Trained(policy, games * generations, len(held.results), time.perf_counter() - started, explained)


def _play_one(game: Any, features: Features, policy: Policy | None, seed: int, index: int, held: _Lines) -> None:
    """One game; some of its positions are written down. A game that runs into a fault of the rules is left out."""
    generator = Generator(seed ^ 0x5DEECE66D)
    state = game.untracked(seed)
    seen: list[tuple[int, list[float]]] = []
    positions = 0
    try:
        for _ in range(_MOST_DECISIONS):
            if state.over:
                break
            option = _choice(state, policy, generator)
            advance(state, option)
            if state.over:
                break
            positions += 1
            # Reservoir sampling: each position of the game is kept with the same chance, however long the game is.
            place = positions - 1 if positions <= _LINES_PER_GAME else generator.below(positions)
            if place < _LINES_PER_GAME:
                player = generator.below(game.players)
                line = (player, features.of(state, player))
                seen[place : place + 1] = [line]
    except FAULTS:
        return
    if state.over:
        results = result_of(state)
        for player, numbers in seen:
            held.features.append(numbers)
            held.results.append(results[player])
            held.games.append(index)


def _choice(state: Any, policy: Policy | None, generator: Generator) -> int:
    options: list[int] = state.opts
    if policy is None or len(options) == 1 or generator.below(10) >= _BY_VALUE:
        return options[generator.below(len(options))]
    tried = list(options)
    while len(tried) > _MOST_TRIED:
        tried.pop(generator.below(len(tried)))
    return max(tried, key=lambda option: _value_after(state, option, policy))


def _value_after(state: Any, option: int, policy: Policy) -> float:
    player = state.who
    copy = state.fork()
    try:
        advance(copy, option)
    except FAULTS:
        return -2.0
    return result_of(copy)[player] if copy.over else policy.value(copy, player)


def _fitted(game: Any, held: _Lines) -> tuple[Policy, float]:
    """Ridge regression; the weights are given for the features as they are."""
    import numpy

    apart = numpy.array([number % _KEPT_APART == _KEPT_APART - 1 for number in held.games])
    lines = numpy.array(held.features, dtype=numpy.float64)
    results = numpy.array(held.results, dtype=numpy.float64)
    if len(results) == 0 or apart.all():
        raise PlayError("no game came to its end, so nothing can be learnt", "does `rulewright simulate` play it?")
    learnt, wanted = lines[~apart], results[~apart]
    mean, spread = learnt.mean(axis=0), learnt.std(axis=0)
    varies = spread > 1e-9
    scaled = (learnt[:, varies] - mean[varies]) / spread[varies]
    square = scaled.T @ scaled + _PENALTY * len(wanted) * numpy.eye(int(varies.sum()))
    found = numpy.linalg.solve(square, scaled.T @ (wanted - wanted.mean()))
    weights = numpy.zeros(lines.shape[1])
    weights[varies] = found / spread[varies]
    bias = float(wanted.mean() - weights @ mean)
    policy = Policy(game.name, game.players, game.fingerprint, [round(float(w), 9) for w in weights], round(bias, 9))
    return policy, _explained(numpy.clip(lines[apart] @ weights + bias, -1, 1), results[apart])


def _explained(told: Any, results: Any) -> float:
    """The share of the variance of the results that was foretold."""
    if len(results) < 2 or float(results.var()) == 0.0:
        return 0.0
    return 1.0 - float(((results - told) ** 2).mean()) / float(results.var())
