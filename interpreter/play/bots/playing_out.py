"""What a position is worth to each player: a game from it that is played quickly, to the end or to a cutoff.

The *worth* of an outcome is a number from -1 to 1 for each player. Half of it is the result by rank (+1 first, -1 last,
ties share). Where the rules count points, the other half is the margin m over the best other player, as m / sqrt(m^2 +
s^2): s^2 is the mean square of all margins met so far in this search, this one included. So a usual margin counts much,
and the tenth point on top of a landslide nothing, in a game of 5 points and in one of 500. Where the rules count none,
how near a win is stands for points (`standing`), or what players have (`stock`), if that is known. Otherwise the result
is all there is, and so is a payoff that the rules declare. With one player the points are all there is, unless the
rules say that the player has won or lost; they are scaled to the range met so far. Players who win or lose together are
taken for one. Where all that can be counted is how far off a loss is, a win comes to those who hold out: then the
points of a lost game are the choices from the root to its end, scaled to the lost games met so far. (In games that are
not guided, those down to the end of the tree.)

**Guided games.** Whoever chooses at random throws points away, so a random game says little about what points are worth
in the hands of somebody who plays to win. In a search of a game that counts points, each choice is therefore the best
of a few: options are drawn, each of those that differ is taken up on a copy, with the same chance to come, and the one
after which the player stands best stays: by the result if the game is over there, then by the margin; of equals the one
drawn first. A few, because that keeps every option possible; a game in which everybody takes the best of all would
show one way to play, the greedy one. So many are drawn: two; in a game with secrets half as many as there are options,
rounded down, two at least and six at most. More of them make a simulation tell more and cost more: worth it where the
worlds are the dear part of a search, and not where the same time buys twice the simulations. Inside a `together` one
option is drawn: the last to be asked would else go by what the others have chosen, which nobody can. Games without
points are random, and so are those of `flat`.

The longer such a game goes on, the more chance drowns what was chosen in the tree. So where the margin at half time
tells what the margin at the end will be (`half_time`), games are stopped there. Their worth is then the margin alone,
as m / sqrt(m^2 + s^2) with s^2 the mean square of the margins at such moments. Games for one player and those with a
payoff are always played to their end, and so are those of players who win or lose together.

    seed t of the simulation: generator seeded(t ^ 0x5DEECE66D); an option is number (generator's upper 32 bits *
    options) >> 32 after a step of it; one after the other

**Cutoff.** With `cut` a game is stopped after so many segments of rules and is random, not guided; the margin at that
moment stands for the rest: worth = slope * margin, within -1 and 1. The slope is learnt while searching, by least
squares: the first 32 games, and one in 8 after that, are played to their end, and tell what a margin at the cutoff came
to.

    slope = sum(margin * result) / sum(margin * margin)      over all players of those games, 0 if no margin was met

**Where games run.** This module plays in Python, and tells the game how long that took, so that an engine is made where
it is worth it; `rw_worth.h` is the same on the engine. Random games of a search in Python run on the engine if there is
one.

The order of all sums is that of the simulations, so another engine that adds in the same order gets the same doubles.
"""

from __future__ import annotations

import time
from array import array
from math import sqrt
from typing import Any, Protocol

from ...runtime.chance import INCREMENT, MASK, MULTIPLIER, seeded
from ...runtime.faults import Trouble
from ..seeds import derived_seed
from .half_time import HalfTime
from .imagined import FAULTS, advance, chance_of
from .standing import is_alone, margins_at, result_of, stands_after
from .stock import MEASURED, MOST, STREAM, Stock

_RESULT_SHARE = 0.5  # of the worth, where the rules count points; the margin has the rest
_ALONE_SHARE = 0.25  # weight of the points of one player beside a result of weight 1
_DRAWN, _MOST_DRAWN = 2, 6  # options of which a guided game takes the best; the second where something is hidden
_TO_THE_END = 32  # games that teach the slope before any is cut off
_ONE_IN = 8  # after that, one game in so many still does
_CHOICES = 0x5DEECE66D  # as in `Game.finish`
_TELL_AFTER = 0.1  # seconds of playouts in Python, after which the game is told of them


class Evaluation(Protocol):
    """A learnt value of unfinished positions, and what options are likely to be good: see `policy_bot`."""

    @property
    def points(self) -> tuple[int, int]:
        """In a game for one that counts points: which of them are worth -1 and 1. Else (0, 0)."""

    def priors(self, state: Any, options: list[int]) -> list[float] | None:
        """How likely each of these options is to be good, all together 1; None if that was not learnt."""

    def worth(self, state: Any) -> list[float]:
        """For each player what the position is worth, from -1 to 1."""

    def require_fit(self, state: Any) -> None:
        """Raises PlayError if it was learnt for other rules."""

    def for_engine(self, state: Any) -> tuple[array[int], array[float]]:
        """The same as numbers for the native engine."""


class _Usual:
    """How large margins usually are: the mean of their squares, over all met so far."""

    def __init__(self) -> None:
        self._squares = 0.0
        self._count = 0

    def squashed(self, margins: list[int]) -> list[float]:
        """Margins between -1 and 1, by what is usual, these included."""
        for margin in margins:
            self._squares += float(margin * margin)
            self._count += 1
        usual = self._squares / self._count
        return [margin / sqrt(margin * margin + usual) if margin else 0.0 for margin in margins]


class _Met:
    """The range of the numbers met so far."""

    def __init__(self, lowest: int = 0, highest: int = 0) -> None:
        self._lowest, self._highest = lowest, highest
        self._any = lowest < highest

    def scaled(self, number: int) -> float:
        """A number between -1 and 1, by those met so far, this one included."""
        if not self._any:
            self._lowest = self._highest = number
            self._any = True
        self._lowest, self._highest = min(self._lowest, number), max(self._highest, number)
        width = self._highest - self._lowest
        return 2.0 * (number - self._lowest) / width - 1.0 if width else 0.0


class PlayingOut:
    """The games of one search. `cut`: segments of rules until the cutoff, or None; `value`: replaces the game
    altogether; `guided`: where the rules count points, each choice is the best of a few."""

    def __init__(
        self, state: Any, cut: int | None = None, value: Evaluation | None = None, guided: bool = False
    ) -> None:
        meta = state.meta
        self._players = range(meta.players)
        self.is_counted = is_counted = meta.has_rank or meta.score_blocks > 0
        self.counts_points = is_counted and meta.payoff is None
        self._has_points = is_counted or meta.has_progress
        self.has_margin = self._has_points and meta.payoff is None
        self._is_alone = is_alone(meta)
        self._cut = cut if self._has_points else None
        self._guided = guided and self._has_points and self._cut is None
        self.stock = Stock(meta.players) if meta.progress_is_stock else None
        self._most_drawn = _MOST_DRAWN if meta.has_secrets else _DRAWN
        self._most_choices = meta.limits["decisions"]
        self._value = value
        self._at_end, self._at_half = _Usual(), _Usual()
        self._half_time = HalfTime(meta.players, may_stop=self.has_margin and not self._is_alone)
        # Points met so far, with one player; a learnt value has its own range, with which they must be comparable.
        self._points = _Met(*((0, 0) if value is None else value.points))
        self._lengths = _Met() if meta.progress_is_danger else None  # of lost games
        self.made = 0  # choices on the way to the position, and of a guided game from it
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
                began = time.perf_counter()
                worth = self._value.worth(state)
                self._tell(time.perf_counter() - began)
                return worth
            return self._played(state, seed)
        except FAULTS:
            return [0.0 for _ in self._players]

    def priors(self, state: Any, options: list[int]) -> list[float] | None:
        """How likely each option of the pending decision is to be good, if that was learnt."""
        return self._value.priors(state, options) if self._value is not None else None

    @property
    def weighs_margins(self) -> bool:
        """Whether margins are part of the worth. What players have counts in searches that tried whether it should."""
        return self.has_margin and (self.stock is None or (self._guided and not self.stock.misleads))

    def try_stock(self, world: Any, seed: int) -> None:
        """Before the first simulation, where margins are what players have: random games from the root tell whether
        having more speaks for winning. `seed`: that of the search."""
        stock = self.stock
        if stock is None or stock.is_tried:
            return
        for number in range(MEASURED if self._guided and self._value is None else 0):
            own = derived_seed(seed, STREAM + number)
            game = world.fork()
            game.g = chance_of(own)
            game.tracked = False
            try:
                game = self._finished(game, own)
                result = result_of(game)
                stock.played(margins_at(game), result)
            except FAULTS:
                continue
        stock.decide()

    def final_worth(self, state: Any) -> list[float]:
        result = result_of(state)
        if not self.weighs_margins:
            return result
        margins = margins_at(state)
        if self._is_alone:
            return [self._alone(result[0], margins[0])] * len(result)
        squashed = self._at_end.squashed(margins)
        return [_RESULT_SHARE * own + (1.0 - _RESULT_SHARE) * part for own, part in zip(result, squashed, strict=True)]

    def _alone(self, result: float, points: int) -> float:
        is_lost = self._lengths is not None and result < 0.0
        scaled = self._lengths.scaled(self.made) if self._lengths and is_lost else self._points.scaled(points)
        return scaled if result == 0.0 else (result + _ALONE_SHARE * scaled) / (1.0 + _ALONE_SHARE)

    def _played(self, state: Any, seed: int) -> list[float]:
        state.tracked = False
        if self._guided and not (self.stock is not None and self.stock.misleads):
            state = self._guided_on(state, seed)
            if state.over:
                return self.final_worth(state)
            return self._at_half.squashed(margins_at(state))
        if self._cut is None:
            return self.final_worth(self._finished(state, seed))
        playout = state.machine.playout
        playout(state, seeded(seed ^ _CHOICES), self._cut)
        self._games += 1
        if state.over:
            return self.final_worth(state)
        margins = margins_at(state)
        if self._games > _TO_THE_END and self._games % _ONE_IN:
            slope = self._products / self._squares if self._squares else 0.0
            return [max(-1.0, min(1.0, slope * margin)) for margin in margins]
        playout(state, seeded(derived_seed(seed, 0) ^ _CHOICES))
        worth = self.final_worth(state)
        for margin, own in zip(margins, worth, strict=True):
            self._products += margin * own
            self._squares += margin * margin
        return worth

    def _guided_on(self, state: Any, seed: int) -> Any:
        """The position played on, each choice the best of a few: to the end, or to half time."""
        began = time.perf_counter()
        half_time = self._half_time
        choice = seeded(seed ^ _CHOICES)
        noting_after = half_time.noting_after
        stops_after = half_time.stops_after if self.stock is None else MOST
        noted: list[int] | None = None
        made = 0
        while not state.over and made < (stops_after or self._most_choices):
            options, count = state.opts, len(state.opts)
            drawn: list[int] = []
            for _ in range(1 if state.together else max(_DRAWN, min(self._most_drawn, count // 2))):
                choice = (choice * MULTIPLIER + INCREMENT) & MASK
                drawn.append(options[(choice >> 32) * count >> 32])
            state = _best_of(state, list(dict.fromkeys(drawn)))
            made += 1
            if made == noting_after and not state.over:
                noted = margins_at(state)
        self._tell(time.perf_counter() - began)
        self.made += made
        if not state.over and not stops_after:
            raise Trouble("R0906", "a game goes on and on")
        if self.stock is None and half_time.is_measuring:
            half_time.played(made, noted, margins_at(state))
        return state

    def _finished(self, state: Any, seed: int) -> Any:
        """The position played to its end, natively if it can be."""
        if self._has_engine:
            return self._game.finish(self._game.entered(state), seed)
        began = time.perf_counter()
        state.machine.playout(state, seeded(seed ^ _CHOICES))
        self._tell(time.perf_counter() - began)
        return state

    def _tell(self, spent: float) -> None:
        """Tells the game how long its games take in Python."""
        self._spent += spent
        if self._ask_engine is not None and self._spent > _TELL_AFTER:
            self._has_engine = self._ask_engine(self._spent) is not None
            self._spent = 0.0


def _best_of(state: Any, options: list[int]) -> Any:
    """The position after one of these options: the one after which the player who chooses stands best."""
    player = state.who
    copies = [state.fork() for _ in options[1:]]
    advance(state, options[0])
    if not copies:
        return state
    best, most = state, stands_after(state, player)
    for copy, option in zip(copies, options[1:], strict=True):
        advance(copy, option)
        stands = stands_after(copy, player)
        if stands > most:
            best, most = copy, stands
    return best
