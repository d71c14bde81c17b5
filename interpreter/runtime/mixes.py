"""The mixes of one player: which pieces that player cannot tell apart.

A mix is a bit mask of pieces (bit x for piece x), and only mixes of several are kept: most pieces are known, and of the
others there are few mixes, each with many pieces. So a piece is taken out, and mixes are joined, with a few operations
on numbers, however many pieces a game has. The mixes of a player are a value that never changes: copies of a state, and
the snapshots of its trail, share them.

Outside this module a mix is identified by its smallest piece. `mixes[piece]` is that number, `members` the pieces of
each mix of several: equal knowledge is equal data, in saves too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


class Mixes:
    """`hidden` are the pieces that are in a mix with others, `several` those mixes, in any order."""

    __slots__ = ("_members", "_numbers", "hidden", "several", "size")  # the first two: what readers have asked for

    def __init__(self, size: int, hidden: int = 0, several: tuple[int, ...] = ()) -> None:
        self.size, self.hidden, self.several = size, hidden, several

    @staticmethod
    def of(numbers: Sequence[int]) -> Mixes:
        """The mixes from a list that has the number of its mix for each piece."""
        found: dict[int, int] = {}
        for piece, mix in enumerate(numbers):
            found[mix] = found.get(mix, 0) | 1 << piece
        several = tuple([mask for mask in found.values() if mask & (mask - 1)])
        return Mixes(len(numbers), sum(several), several)

    # ------------------------------------------------------------------ what follows

    def mix_of(self, bit: int) -> int:
        """The mix that a piece, told by its bit, belongs to."""
        if self.hidden & bit:
            for mix in self.several:
                if mix & bit:
                    return mix
        return bit

    def without(self, bit: int) -> Mixes:
        """The same with one of the hidden pieces known."""
        hidden, several = self.hidden ^ bit, []
        for mix in self.several:
            if mix & bit:
                mix ^= bit
                if not mix & (mix - 1):  # the last one that is left is known, too
                    hidden ^= mix
                    continue
            several.append(mix)
        return Mixes(self.size, hidden, tuple(several))

    def joined(self, pieces: int) -> Mixes:
        """The same with the mixes of all these pieces made one."""
        whole, apart, touched = pieces, [], 0
        for mix in self.several:
            if mix & pieces:
                whole |= mix
                touched += 1
            else:
                apart.append(mix)
        if whole == pieces and not pieces & (pieces - 1):
            return self  # a single piece that is known
        if touched == 1 and not pieces & ~self.hidden:
            return self  # one mix already
        apart.append(whole)
        return Mixes(self.size, self.hidden | whole, tuple(apart))

    # ------------------------------------------------------------------ for readers

    @property
    def numbers(self) -> list[int]:
        """The number of its mix for each piece."""
        try:
            return self._numbers
        except AttributeError:  # nobody has asked before
            found = list(range(self.size))
        for number, pieces in self.members.items():
            for piece in pieces:
                found[piece] = number
        self._numbers: list[int] = found
        return found

    @property
    def members(self) -> dict[int, tuple[int, ...]]:
        """The pieces of each mix of several, in order, by the number of the mix."""
        try:
            return self._members
        except AttributeError:
            found = sorted([tuple(pieces_of(mix)) for mix in self.several])
        self._members: dict[int, tuple[int, ...]] = {pieces[0]: pieces for pieces in found}
        return self._members

    def __getitem__(self, piece: int) -> int:
        return self.numbers[piece]

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return self.size

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mixes):
            return self.size == other.size and set(self.several) == set(other.several)
        return self.numbers == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Mixes({list(self.members.values())} of {self.size})"


def mask_of(pieces: Iterable[int]) -> int:
    found = 0
    for piece in pieces:
        found |= 1 << piece
    return found


def pieces_of(mask: int) -> list[int]:
    """The pieces of a mask, in order."""
    found: list[int] = []
    for number, byte in enumerate(mask.to_bytes(mask.bit_length() + 7 >> 3, "little")):
        if byte:
            first = 8 * number
            found += [first + bit for bit in _BITS[byte]]
    return found


_BITS = [[bit for bit in range(8) if byte >> bit & 1] for byte in range(256)]
