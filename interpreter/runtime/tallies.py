"""What a question may look at, as one number that is cheap to keep up to date.

The answer of a question depends on the pieces in a few closed places. A walk exchanges two pieces and wants to know
whether the answer is known for what lies there then, dozens of times in each step. So what lies there is told by a sum,
with some bits for each thing that makes a difference:

- of a place in which order does not matter: for each sort how many pieces of it lie there;
- of any other position: the sort of the piece that lies there.

An exchange takes away what the one piece adds and puts in what the other does. The bits of places that turned out not
to be looked at are cut off by a mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

Places = tuple[tuple[bool, tuple[int, ...]], ...]  # (order does not matter, positions)
Share = tuple[Sequence[int], int]  # what each piece adds at a position, and by how many bits it is moved up


class Tally:
    """How the sum of one question is made. `masks` are the bits of each place, `shares` what a position adds: more than
    one thing, if the question speaks of it in two ways."""

    __slots__ = ("masks", "shares")

    def __init__(self, places: Places, sorts: Sequence[int]) -> None:
        self.masks: list[int] = []
        self.shares: dict[int, tuple[Share, ...]] = {}
        for is_loose, positions, width, first, bits in laid_out(places, sorts):
            table = _counts(tuple(sorts), width) if is_loose else sorts
            for number, position in enumerate(positions):
                share = (table, first if is_loose else first + number * width)
                self.shares[position] = (*self.shares.get(position, ()), share)
            self.masks.append((1 << bits) - 1 << first)

    def total(self, new: Sequence[int]) -> int:
        """The sum where piece `new[x]` lies at position x."""
        found = 0
        for position, shares in self.shares.items():
            piece = new[position]
            for table, shift in shares:
                found += table[piece] << shift
        return found


def laid_out(places: Places, sorts: Sequence[int]) -> Iterator[tuple[bool, tuple[int, ...], int, int, int]]:
    """Of each place: whether it is loose, its positions, the bits for one count or one sort, where its bits begin and
    how many they are."""
    each = max(sorts, default=0) + 1
    first = 0
    for is_loose, positions in places:
        width = len(positions).bit_length() if is_loose else (each - 1).bit_length()
        bits = width * (each if is_loose else len(positions))
        yield is_loose, positions, width, first, bits
        first += bits


@lru_cache(maxsize=512)
def _counts(sorts: tuple[int, ...], width: int) -> tuple[int, ...]:
    """For each piece a one in the bits of its sort; 0 for none, which lies nowhere."""
    return tuple([1 << width * sort if sort >= 0 else 0 for sort in sorts])
