"""What a bot is: something that answers a decision from what the player who decides may know.

    bot = rw.bot("mcts:500")
    option = bot.choose(state, seed=1)

`choose` is a function of its two arguments and nothing else: a bot keeps nothing between two calls. What a bot keeps
during a match (a random stream, a search tree) belongs to its *seat*, which `seat` makes for one match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

from ..contract import Decision, Option, PlayError, State
from ..seeds import derived_seed


class BotSeat(Protocol):
    """A bot at its place in one match."""

    kind: str

    def choose(self, state: State, decision: Decision) -> Option: ...


class BotFailed(PlayError):
    """A bot did not answer as it must: it died, was late, or chose something that is not offered. The state is as it
    was before the bot was asked."""


class Bot(ABC):
    """Subclasses say how to choose; `kind` is the text that makes the bot again."""

    kind: str = ""

    @abstractmethod
    def choose(self, state: Any, seed: int = 0) -> Option:
        """An option of the pending decision, from what the player who decides may know."""

    def seat(self, seed: int) -> BotSeat:
        """This bot in one match; the seed decides all that it draws at random."""
        return NumberedSeat(self, seed)

    def __repr__(self) -> str:
        return f"<bot {self.kind}>"


class NumberedSeat:
    """A seat that keeps nothing but the number of its decisions: each has a seed of its own."""

    def __init__(self, bot: Bot, seed: int) -> None:
        self.kind = bot.kind
        self._bot = bot
        self._seed = seed
        self._asked = 0

    def choose(self, state: State, decision: Decision) -> Option:
        self._asked += 1
        return self._bot.choose(state, derived_seed(self._seed, self._asked - 1))


def pending(state: Any) -> Decision:
    """The decision that waits for an answer; a PlayError if the game is over."""
    decision: Decision | None = state.decision
    if decision is None:
        raise PlayError("the game is over: there is nothing to choose", "ask a bot only while `state.over` is false")
    return decision
