"""Counterfactual regret: learns how often to take each option at each thing that a player can know, for small games.

Tree search takes the best answer to what it imagines. Where hands are hidden that can be exploited: whoever always bets
with the same cards tells what they are. Good play *mixes*, and regrets find in which shares (Zinkevich and others 2007;
here with external sampling, Lanctot and others 2009):

1. A game is begun with a seed of its own, and gone through for one player. That player tries every option of every
   decision; all others take one, drawn with the shares they have so far. Chance falls as the seed has it.
2. At each decision of the player, an option's *regret* grows by what it came to, less what the shares came to on
   average. The shares are the regrets above zero, divided by their sum; all equal if there are none.
3. The answer is the average of the shares over all games. With two players, where one loses what the other wins,
   nobody can exploit it in the long run.

A decision is known by `information`: all that its player has seen. So the shares of a decision rest on nothing else.

Most games of hidden cards let chance fall before the first decision only. Then the same deal leads to the same tree,
which is kept. As soon as chance is seen to fall later, nothing is kept.

What can be known must be learnt wholly, so this is for games with some ten thousand decisions in all. Others are
refused before they cost more than some seconds.
"""

from __future__ import annotations

from typing import Any

from ...runtime.chance import Generator
from ..contract import PlayError
from ..seeds import derived_seed
from .standing import margins_at, result_of

MOST_KNOWN = 20_000  # different things to know at a decision; Leduc poker has 936
MOST_IN_A_GAME = 2_000  # decisions met while going through one game
_FINE = 1 << 30  # shares are drawn in steps as small as one in so many


class Decision:
    """All that is learnt about one thing a player can know."""

    __slots__ = ("regrets", "sums")

    def __init__(self, options: int) -> None:
        self.regrets = [0.0] * options
        self.sums = [0.0] * options  # of the shares of all games

    def shares(self) -> list[float]:
        """How often each option is taken in the next game."""
        return _normalised([regret if regret > 0.0 else 0.0 for regret in self.regrets])

    def average(self) -> list[float]:
        """How often each option is to be taken after all games."""
        return _normalised(self.sums)


def _normalised(parts: list[float]) -> list[float]:
    total = sum(parts)
    return [part / total for part in parts] if total > 0.0 else [1.0 / len(parts)] * len(parts)


class Position:
    """A state in the tree of one deal. `below` is filled while going through it."""

    __slots__ = ("below", "decision", "player", "result", "state")

    def __init__(self, state: Any, decision: Decision | None) -> None:
        self.state = state
        self.decision = decision
        self.player = state.who
        self.result = won_by(state) if state.over else None
        self.below: list[Position | None] = [None] * (len(decision.regrets) if decision is not None else 0)


def won_by(state: Any) -> list[float]:
    """What a finished game is worth to each player: the payoff that the rules declare; else, where they count points,
    the points ahead of the best other player, since such a game is played many times; else the result by rank."""
    meta = state.meta
    if meta.payoff is None and (meta.has_rank or meta.score_blocks):
        return [float(margin) for margin in margins_at(state)]
    return result_of(state)


class Regrets:
    """What is learnt about one game."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.known: dict[str, Decision] = {}
        self._deals: dict[Any, Position] | None = {}  # None if chance falls later too
        self._generator = Generator(0)
        self._games = self._met = 0

    def learn(self, games: int) -> None:
        """Goes through so many games for each player."""
        for number in range(self._games, self._games + games):
            seed = derived_seed(1, number)
            self._generator = Generator(seed ^ 0x5DEECE66D)
            for player in range(self._game.players):
                self._met = 0
                self._through(self._dealt(seed), player)
        self._games += games

    def _dealt(self, seed: int) -> Position:
        state = self._game.new(seed)
        if self._deals is None:
            return self._position(state)
        frames = str([state.frame_data(frame) for frame in state.k])
        key = (tuple(state.f), tuple(map(tuple, state.p)), state.fd, state.site, state.who, tuple(state.opts), frames)
        found = self._deals.get(key)
        if found is None:
            found = self._deals[key] = self._position(state)
        return found

    def _position(self, state: Any) -> Position:
        if state.over:
            return Position(state, None)
        self._met += 1
        key = state.information(state.who)
        decision = self.known.get(key)
        if decision is None:
            decision = self.known[key] = Decision(len(state.opts))
        if self._met > MOST_IN_A_GAME or len(self.known) > MOST_KNOWN:
            raise PlayError(
                f"`{state.meta.name}` is too large for `cfr`: more can be known in it than could be learnt",
                "take tree search, for example `mcts:500`; `cfr` is for games such as Kuhn poker",
            )
        return Position(state, decision)

    def _after(self, position: Position, option: int) -> Position:
        below = position.below[option]
        if below is None:
            state = position.state.clone().apply(option)
            below = self._position(state)
            if state.g != position.state.g:
                self._deals = None
            if self._deals is not None:
                position.below[option] = below
        return below

    def _through(self, position: Position, player: int) -> float:
        """What the position came to for the player."""
        decision = position.decision
        if decision is None:
            assert position.result is not None
            return position.result[player]
        shares = decision.shares()
        if position.player != player:
            for option, share in enumerate(shares):
                decision.sums[option] += share
            return self._through(self._after(position, self._drawn(shares)), player)
        worths = [self._through(self._after(position, option), player) for option in range(len(shares))]
        mean = sum([share * worth for share, worth in zip(shares, worths, strict=True)])
        for option, worth in enumerate(worths):
            decision.regrets[option] += worth - mean
        return mean

    def _drawn(self, shares: list[float]) -> int:
        return drawn(shares, self._generator)


def drawn(shares: list[float], generator: Generator) -> int:
    """An option with the chance of its share."""
    left = generator.below(_FINE) / _FINE
    for option, share in enumerate(shares):
        left -= share
        if left < 0.0:
            return option
    return max(range(len(shares)), key=shares.__getitem__)
