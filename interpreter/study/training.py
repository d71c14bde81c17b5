"""Learns what positions are worth, and which options are chosen, by self-play: `rulewright train`.

1. Random games are played; some positions of each are written down as features (`play/bots/features`), one line for
   each player, with the result that the game came to for that player.
2. A value is fitted to these lines (`fitting`): a weighted sum of the features and a small network of them. Whichever
   foretells the results of other games better is kept.
3. More games are played in which each seat takes, nine times in ten, the option after which its value is largest. Their
   positions are added, and the value is fitted again; and so on for each generation.
4. The choices that were made by value are a second lesson: what sort of options players take who look at the value
   (`play/bots/option_weights`). A search tries those first.

The value learns from positions in which both sides play as well as it does itself, which is why later generations are
better than the first. One part in ten of the games is kept apart: how well their results are foretold is reported.

Self-play looks ahead on the true state, which is faster than worlds. The value it looks at reads only what the player
may see, and what the bots do later is searched on worlds, so nothing hidden gets into what is learnt but as noise.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..play.bots.features import Features
from ..play.bots.imagined import FAULTS, advance
from ..play.bots.learnt_value import LearntValue
from ..play.bots.option_weights import OptionFeatures
from ..play.bots.policy_bot import Policy
from ..play.bots.standing import is_alone, margins_at, result_of
from ..play.contract import PlayError
from ..runtime.chance import Generator

_LINES_PER_GAME = 8  # positions written down of each game
_MOST_TRIED = 10  # options looked at in self-play
_BY_VALUE = 9  # of ten choices in self-play
_MOST_CHOICES = 20_000  # that are learnt from
_MOST_DECISIONS = 5000

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Trained:
    """A policy, and how well it foretells the results of games that it has not learnt from."""

    policy: Policy
    games: int
    lines: int
    choices: int
    seconds: float
    explained: float  # share of the variance of the results; 0 is a guess, 1 is all
    generations: int  # those that were complete: fewer than asked for if somebody interrupted


@dataclass
class Lessons:
    """What self-play has written down. A line: features, result, number of the game. A choice: for each option that was
    looked at its features, the option that was taken first."""

    features: list[list[float]] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)  # in place of results, where nobody wins or loses
    choices: list[list[list[int]]] = field(default_factory=list)


@dataclass(frozen=True)
class _Rating:
    """A value by which self-play chooses."""

    features: Features
    value: LearntValue
    points: tuple[int, int]

    def final(self, state: Any, player: int) -> float:
        result = result_of(state)[player]
        low, high = self.points
        if result != 0.0 or low >= high:
            return result
        return 2.0 * (margins_at(state)[player] - low) / (high - low) - 1.0

    def of(self, state: Any, player: int) -> float:
        return self.value.of(self.features.of(state, player))


def train(
    game: Any, games: int = 300, generations: int = 3, seed: int = 0, progress: Progress | None = None,
    hidden: int = 16,
) -> Trained:  # fmt: skip
    """Learns a policy for this game; `hidden` units of a network, 0 for a weighted sum. Needs numpy. Ctrl-C keeps what
    the generations that are complete have taught, if there is one."""
    if importlib.util.find_spec("numpy") is None:
        raise PlayError("training needs numpy", "install it with `pip install rulewright[learn]`")
    from .fitting import fit_options, fit_value

    started = time.perf_counter()
    features, of_options = Features(game.meta), OptionFeatures(game.meta)
    held = Lessons()
    learnt: _Learnt | None = None
    complete = 0
    try:
        while complete < generations:
            rating = _Rating(features, learnt.value, learnt.points) if learnt is not None else None
            for index in range(complete * games, (complete + 1) * games):
                _play_one(game, features, of_options, rating, seed + index, index, held)
                if progress is not None:
                    progress(1)
            points = _by_points(held)
            learnt = _Learnt(*fit_value(held, hidden, seed), points, len(held.results), len(held.choices))
            complete += 1
    except KeyboardInterrupt:
        if learnt is None:
            raise
    assert learnt is not None
    choices = held.choices[: learnt.choices]
    weights = fit_options(choices, of_options.count) if choices else []
    policy = Policy(game.name, game.players, game.fingerprint, learnt.value, weights, learnt.points)
    spent = time.perf_counter() - started
    return Trained(policy, games * complete, learnt.lines, learnt.choices, spent, learnt.explained, complete)


@dataclass(frozen=True)
class _Learnt:
    """What the generations so far have taught, and from how many lines and choices."""

    value: LearntValue
    explained: float
    points: tuple[int, int]
    lines: int
    choices: int


def _by_points(held: Lessons) -> tuple[int, int]:
    """In a game for one that only counts points, they are what is learnt: the fewest met are worth -1, the most 1.
    Returns these two; (0, 0) for other games."""
    if not held.points or len(held.points) < len(held.results):
        return 0, 0
    low, high = min(held.points), max(held.points)
    if low < high:
        held.results[:] = [2.0 * (points - low) / (high - low) - 1.0 for points in held.points]
    return low, high


def _play_one(
    game: Any, features: Features, of_options: OptionFeatures, rating: _Rating | None, seed: int, index: int,
    held: Lessons,
) -> None:  # fmt: skip
    """One game; some of its positions are written down. A game that runs into a fault of the rules is left out."""
    generator = Generator(seed ^ 0x5DEECE66D)
    state = game.untracked(seed)
    seen: list[tuple[int, list[float]]] = []
    positions = 0
    try:
        for _ in range(_MOST_DECISIONS):
            if state.over:
                break
            option = _choice(state, of_options, rating, generator, held)
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
        if is_alone(state.meta) and results[0] == 0.0:
            held.points += margins_at(state)[:1] * len(seen)
        for player, numbers in seen:
            held.features.append(numbers)
            held.results.append(results[player])
            held.games.append(index)


def _choice(state: Any, of_options: OptionFeatures, rating: _Rating | None, generator: Generator, held: Lessons) -> int:
    options: list[int] = state.opts
    if rating is None or len(options) == 1 or generator.below(10) >= _BY_VALUE:
        return options[generator.below(len(options))]
    tried = list(options)
    while len(tried) > _MOST_TRIED:
        tried.pop(generator.below(len(tried)))
    values = [_value_after(state, option, rating) for option in tried]
    most = max(values)
    best = tried[values.index(most)]
    if len(held.choices) < _MOST_CHOICES and min(values) < most:  # where all are worth the same, nothing is learnt
        others = [option for option, value in zip(tried, values, strict=True) if value < most]
        held.choices.append([of_options.of(state.site, state.who, option) for option in (best, *others)])
    return best


def _value_after(state: Any, option: int, rating: _Rating) -> float:
    player = state.who
    copy = state.fork()
    try:
        advance(copy, option)
    except FAULTS:
        return -2.0
    return rating.final(copy, player) if copy.over else rating.of(copy, player)
