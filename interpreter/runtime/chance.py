"""The portable random generator: PCG32, stored in the state, the same numbers on every machine and backend.

The only random events are `shuffle`, `roll`, drawing from a bag and `pick … at random`. A scenario may script any of
them: `state.script` holds (event, where, values) in order, and the next event of that sort takes its values from
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from operator import index
from typing import Any

from .faults import Trouble, WrongUse

MASK = (1 << 64) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407


def seeded(seed: int) -> int:
    """The generator's state for a seed."""
    state = INCREMENT  # one step from 0
    state = (state + (seed & MASK)) & MASK
    return (state * MULTIPLIER + INCREMENT) & MASK


def whole_seed(seed: object) -> int:
    """A seed as whoever calls may give it: a whole number of any kind."""
    try:
        return index(seed)  # type: ignore[arg-type]
    except TypeError:
        raise WrongUse(f"a seed is a whole number, not {type(seed).__name__}") from None


def draw_below(state: int, count: int) -> tuple[int, int]:
    """A number below `count`, each equally likely, and the generator's next state."""
    # 2^32 is seldom a multiple of `count`: a plain remainder would favour small numbers. Numbers below the threshold
    # are drawn again, which leaves a multiple of `count` equally likely numbers.
    threshold = ((1 << 32) - count) % count
    while True:
        shifted = (((state >> 18) ^ state) >> 27) & 0xFFFFFFFF
        turn = state >> 59
        state = (state * MULTIPLIER + INCREMENT) & MASK
        number = ((shifted >> turn) | (shifted << (-turn & 31))) & 0xFFFFFFFF
        if number >= threshold:
            return number % count, state


class Generator:
    """The same generator outside a game state, for bots and for drawing worlds."""

    def __init__(self, seed: int) -> None:
        self.state = seeded(seed)

    def below(self, count: int) -> int:
        number, self.state = draw_below(self.state, count)
        return number


class Quick:
    """The same generator without its last polish, for the thousands of small numbers that drawing worlds takes.

    The upper half of each state, scaled down. A number below n is too likely by less than n in 2^32: nothing that a
    study could see, and half the time of a `Generator`.
    """

    def __init__(self, seed: int) -> None:
        self.state = seeded(seed)

    def below(self, count: int) -> int:
        self.state = state = (self.state * MULTIPLIER + INCREMENT) & MASK
        return (state >> 32) * count >> 32


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


def must_fit(event: str, fits: bool, why: str = "") -> None:
    """Raises a fault if a scripted event is impossible: otherwise a scenario would test something else than it says."""
    if not fits:
        advice = "script what can happen there, and no more of it"
        raise Trouble("R0908", f"a scripted `{event}` does not fit", f"{why}; {advice}" if why else advice)


def script_of(
    meta: Any, events: Iterable[tuple[str, str | None, Sequence[int | str]]]
) -> list[tuple[str, int | None, list[Any]]]:
    """Scripted events given by name, translated to numbers: `("shuffle", "deck", ["king", "jack"])`.

    The place belongs to the table, or to a player: `("draw", "seat1.bag", …)`. None stands for the next such event
    anywhere. Faces of dice are numbers, pieces are row ids; a pick without a place takes one of the pieces of a row.
    What a script does not mention (the rest of a pile) is left to the generator.
    """
    rows = {row: number for number, row in enumerate(meta.row_ids)}
    bases = dict(_named(meta))
    found = []
    for event, where, values in events:
        if where is not None and where not in bases:
            raise KeyError(f"no place or dice of the table or of a player are called `{where}`")
        unknown = [value for value in values if isinstance(value, str) and value not in rows]
        if unknown:
            raise KeyError(f"no piece is called `{unknown[0]}`")
        numbers: list[Any] = [rows[value] if isinstance(value, str) else value for value in values]
        if event == "pick" and where is None:
            numbers = [_pieces_of(meta, rows[v]) if isinstance(v, str) else frozenset((v,)) for v in values]
        found.append((event, None if where is None else bases[where], numbers))
    return found


def _named(meta: Any) -> Iterator[tuple[str, int]]:
    """The places and dice of the table by name, and those of players behind the name of their seat."""
    known = [(place, 0) for place in meta.places]
    known += [(field, meta.dice) for field in meta.fields if field.is_dice]
    for one, before in known:
        if one.owner == "table":
            yield one.name, one.base - before
        elif one.owner == "player":
            stride = prod(size for _, _, size in one.dimensions[1:])
            for seat, name in enumerate(meta.seat_names):
                for called in dict.fromkeys((name, f"seat{seat + 1}")):
                    yield f"{called}.{one.name}", one.base + seat * stride - before


def _pieces_of(meta: Any, row: int) -> frozenset[int]:
    return frozenset(piece for piece, of in enumerate(meta.piece_row) if of == row)
