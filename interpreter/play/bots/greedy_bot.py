"""Takes the option after which its own score is best, looking one step ahead and no further.

It looks ahead fairly: on a state drawn at random that agrees with what its seat knows, so hidden cards and coming rolls
are guesses. A win counts more than any score, a loss less. Among equals it takes any, with a generator of its own. Of
long lists it looks at a sample, so that one decision never costs more than a few dozen copies.
"""

from __future__ import annotations

from typing import Any

from ...runtime.chance import Generator
from ...runtime.faults import Fault
from ..contract import Decision, Option

_MOST_TRIED = 12
_WIN = 1_000_000


class GreedyBot:
    kind = "greedy"

    def __init__(self, seed: int) -> None:
        self._generator = Generator(seed)

    def choose(self, state: Any, decision: Decision) -> Option:
        options = self._sample(list(decision.options))
        guess = state.determinize(decision.player, self._generator.below(1 << 30))
        values = [self._value_after(guess, option.index, decision.player) for option in options]
        best = [option for option, value in zip(options, values, strict=True) if value == max(values)]
        return best[self._generator.below(len(best))]

    def _sample(self, options: list[Option]) -> list[Option]:
        """At most so many of the options, any with equal chance, in their order."""
        left = list(options)
        while len(left) > _MOST_TRIED:
            left.pop(self._generator.below(len(left)))
        return left

    def _value_after(self, guess: Any, index: int, player: int) -> float:
        """What the player has after an option; an option that runs into a fault of the rules is worth nothing."""
        copy = guess.clone()
        try:
            copy.apply(index)
            if copy.over:
                return float(_WIN * copy.returns[player])
            return float(copy.scores[player])
        except Fault:
            return float("-inf")
