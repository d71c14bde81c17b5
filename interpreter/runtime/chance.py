"""The portable generator: PCG32, kept in the state, the same numbers on every machine and backend.

Chance is `shuffle`, `roll`, drawing from a bag and `pick … at random`, nothing else. A scenario may script any of them:
`state.script` holds (event, where, values) in order, and the next event of that sort takes its values from there.
"""

from __future__ import annotations

from typing import Any

MASK = (1 << 64) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407


def seeded(seed: int) -> int:
    """The generator's state for a seed."""
    state = INCREMENT  # one step from 0
    state = (state + (seed & MASK)) & MASK
    return (state * MULTIPLIER + INCREMENT) & MASK


def draw_below(state: int, count: int) -> tuple[int, int]:
    """A number below `count`, each equally likely, and the generator's next state."""
    threshold = ((1 << 32) - count) % count
    while True:
        shifted = (((state >> 18) ^ state) >> 27) & 0xFFFFFFFF
        turn = state >> 59
        state = (state * MULTIPLIER + INCREMENT) & MASK
        number = ((shifted >> turn) | (shifted << (-turn & 31))) & 0xFFFFFFFF
        if number >= threshold:
            return number % count, state


class Generator:
    """The same generator on its own, for bots and determinisation."""

    def __init__(self, seed: int) -> None:
        self.state = seeded(seed)

    def below(self, count: int) -> int:
        number, self.state = draw_below(self.state, count)
        return number


def below(S: Any, count: int) -> int:
    """Like `draw_below`, from the state of a game."""
    number, S.g = draw_below(S.g, count)
    return number


def scripted(S: Any, event: str, where: int | None) -> list[int] | None:
    """The scripted values of the next such event, or None."""
    for position, (kind, place, values) in enumerate(S.script):
        if kind == event and (place is None or where is None or place == where):
            del S.script[position]
            return list(values)
    return None
