"""What a position is worth to each player: a random game from it, to the end or to a cutoff.

The *worth* of an outcome is a number from -1 to 1 for each player. Its main part is the result by rank (+1 first, -1
last, ties share). Where the rules count points, a fifth of it is the margin over the best other player, divided by the
largest margin met so far in this search: among wins the higher one, among losses the lower one. With one player the
points are all there is, unless the rules say that the player has won or lost; they are scaled to the range met so far.

**Cutoff.** With `cut` a random game is stopped after so many segments of rules, and the margin at that moment stands
for the rest: worth = slope * margin, within -1 and 1. The slope is learnt while searching, by least squares: the
first 32 games, and one in 8 after that, are played to their end, and tell what a margin at the cutoff came to.

    slope = sum(margin * result) / sum(margin * margin)      over all players of those games, 0 if no margin was met

**Where games run.** If the game has a native engine, positions are handed to it and played out there: the same games
from the same seeds, several times as fast. Otherwise Python plays them, and tells the game how long that took, so that
an engine is made where it is worth it. Games that are cut off run in Python.

The order of all sums is that of the simulations, so another engine that adds in the same order gets the same doubles.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

from ...runtime.chance import seeded
from ..seeds import derived_seed
from .imagined import FAULTS
from .standing import keys_of, margins_of, result_of

_MARGIN_SHARE = 0.25  # weight of the margin beside a result of weight 1
_TO_THE_END = 32  # games that teach the slope before any is cut off
_ONE_IN = 8  # after that, one game in so many still does
_CHOICES = 0x5DEECE66D  # as in `Game.finish`
_TELL_AFTER = 0.1  # seconds of playouts in Python, after which the game is told of them


class Evaluation(Protocol):
    """A learnt value of unfinished positions: see `policy_bot`."""

    def worth(self, state: Any) -> list[float]:
        """For each player what the position is worth, from -1 to 1."""

    def require_fit(self, state: Any) -> None:
        """Raises PlayError if it was learnt for other rules."""


class PlayingOut:
    """Random games of one search. `cut`: segments of rules until the cutoff, or None; `value`: replaces the random
    game altogether."""

    def __init__(self, state: Any, cut: int | None = None, value: Evaluation | None = None) -> None:
        meta = state.meta
        self._players = range(meta.players)
        self._has_points = meta.has_rank or meta.score_blocks > 0
        self._cut = cut if self._has_points else None
        self._value = value
        self._largest = 0  # margin met so far
        self._lowest = self._highest = 0  # points met so far, with one player
        self._any = False
        self._games = 0
        self._products = self._squares = 0.0
        self._game = state.game
        self._ask_engine = getattr(state.game, "engine_for_playouts", None)
        self._has_engine = self._ask_engine is not None and self._ask_engine(0.0) is not None
        self._spent = 0.0

    def worth(self, state: Any, seed: int) -> list[float]:
        """What this position is worth, by a random game. The state is used up. A fault of the rules met in a world is
        worth nothing to anybody: it may never happen in the real game."""
        try:
            if state.over:
                return self.final_worth(state)
            if self._value is not None:
                return self._value.worth(state)
            return self._played(state, seed)
        except FAULTS:
            return [0.0 for _ in self._players]

    def final_worth(self, state: Any) -> list[float]:
        result = result_of(state)
        if not self._has_points:
            return result
        margins = margins_of(keys_of(state))
        if len(result) == 1:
            return [self._alone(result[0], margins[0])]
        for margin in margins:
            if margin > self._largest or -margin > self._largest:
                self._largest = abs(margin)
        if not self._largest:
            return [own / (1.0 + _MARGIN_SHARE) for own in result]
        scale = _MARGIN_SHARE / self._largest
        return [(own + scale * margin) / (1.0 + _MARGIN_SHARE) for own, margin in zip(result, margins, strict=True)]

    def _alone(self, result: float, points: int) -> float:
        if not self._any:
            self._lowest = self._highest = points
            self._any = True
        self._lowest, self._highest = min(self._lowest, points), max(self._highest, points)
        width = self._highest - self._lowest
        scaled = 2.0 * (points - self._lowest) / width - 1.0 if width else 0.0
        return scaled if result == 0.0 else (result + _MARGIN_SHARE * scaled) / (1.0 + _MARGIN_SHARE)

    def _played(self, state: Any, seed: int) -> list[float]:
        state.tracked = False
        if self._cut is None:
            return self.final_worth(self._finished(state, seed))
        playout = state.machine.playout
        playout(state, seeded(seed ^ _CHOICES), self._cut)
        self._games += 1
        if state.over:
            return self.final_worth(state)
        margins = margins_of(keys_of(state))
        if self._games > _TO_THE_END and self._games % _ONE_IN:
            slope = self._products / self._squares if self._squares else 0.0
            return [max(-1.0, min(1.0, slope * margin)) for margin in margins]
        playout(state, seeded(derived_seed(seed, 0) ^ _CHOICES))
        worth = self.final_worth(state)
        for margin, own in zip(margins, worth, strict=True):
            self._products += margin * own
            self._squares += margin * margin
        return worth

    def _finished(self, state: Any, seed: int) -> Any:
        """The position played to its end, natively if it can be."""
        if self._has_engine:
            return self._game.finish(self._game.entered(state), seed)
        began = time.perf_counter()
        state.machine.playout(state, seeded(seed ^ _CHOICES))
        self._spent += time.perf_counter() - began
        if self._ask_engine is not None and self._spent > _TELL_AFTER:
            self._has_engine = self._ask_engine(self._spent) is not None
            self._spent = 0.0
        return state
