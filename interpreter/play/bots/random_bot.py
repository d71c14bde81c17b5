"""Takes any option with equal chance, from a portable generator of its own.

The generator is not the game's: what a bot thinks about must not change what the dice show.
"""

from __future__ import annotations

from typing import Any

from ...runtime.chance import Generator
from ..contract import Decision, Option, State
from .bot import Bot, BotSeat, pending


class RandomBot(Bot):
    kind = "random"

    def choose(self, state: Any, seed: int = 0) -> Option:
        options = pending(state).options
        return options[Generator(seed).below(len(options))]

    def seat(self, seed: int) -> BotSeat:
        return RandomSeat(seed)


class RandomSeat:
    """One stream for the whole match."""

    kind = "random"

    def __init__(self, seed: int) -> None:
        self._generator = Generator(seed)

    def choose(self, state: State, decision: Decision) -> Option:
        return decision.options[self._generator.below(len(decision.options))]
