"""Takes any option with equal chance, from a portable generator of its own.

The generator is not the game's: what a bot thinks about must not change what the dice show.
"""

from __future__ import annotations

from ...runtime.chance import Generator
from ..contract import Decision, Option, State


class RandomBot:
    kind = "random"

    def __init__(self, seed: int) -> None:
        self._generator = Generator(seed)

    def choose(self, state: State, decision: Decision) -> Option:
        return decision.options[self._generator.below(len(decision.options))]
