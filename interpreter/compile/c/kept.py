"""How numbers are kept in a native state: fields at a width that holds them, pieces and places as small as they go.

A state is copied all the time, and many of them stand in memory together, so its size is speed. What the state's array
holds is known field by field (`layout.ranges`). Those fields that fit into eight bits (or into sixteen, where that
saves more) lie in one array, `small`; the others in a second one, `wide`. Both are arrays of one type, so that a field
with an index is still one load. An address means the same as in Python; where it leads is decided here, mostly while
the C is written.

Bytes have no room for none (-1) beside numbers up to 254 unless they are shifted: what is kept is then one more than
what is meant. Pieces in lists and the numbers of places are kept in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...check.program import PlaceDecl
from ..layout import Layout
from ..ranges import Range

WORTH = 32  # bytes that a second array must save: half of what a processor fetches at a time


@dataclass(frozen=True)
class Width:
    """A type of C, how much more than a number is kept in it, and the numbers that fit."""

    name: str
    shift: int
    low: int
    high: int

    def holds(self, numbers: Range) -> bool:
        return self.low <= numbers.lowest and numbers.high <= self.high

    @property
    def bytes(self) -> int:
        return int(self.name.strip("uint_")) // 8


BYTE = Width("int8_t", 0, -(1 << 7), (1 << 7) - 1)
SHIFTED = Width("uint8_t", 1, -1, (1 << 8) - 2)
HALF = Width("int16_t", 0, -(1 << 15), (1 << 15) - 1)
WHOLE = Width("int32_t", 0, -(1 << 31), (1 << 31) - 1)
WIDTHS = (BYTE, SHIFTED, HALF, WHOLE)
PLACE = Width("uint8_t", 2, -2, (1 << 8) - 3)  # a place, -1 for the box, -2 for no piece at all


@dataclass(frozen=True)
class Kept:
    """`wide_of`: by address, where a number lies in `wide`, or -1 if it lies in `small`."""

    small: Width
    wide: Width
    wide_of: tuple[int, ...]

    @property
    def wides(self) -> int:
        return sum(at >= 0 for at in self.wide_of)

    def offset(self, numbers: Range) -> int | None:
        """What is to be added to an address between these for its place in `wide`; None if it is in `small`. Raises
        LookupError if that differs from one to the other: then only `rw_number` can tell."""
        addresses = range(max(0, numbers.low), min(numbers.high, len(self.wide_of) - 1) + 1)
        found = {None if self.wide_of[at] < 0 else self.wide_of[at] - at for at in addresses}
        if len(found) > 1:
            raise LookupError
        return next(iter(found), None)


def keep_numbers(layout: Layout) -> Kept:
    """The two widths that make the state smallest. Slots and dice are kept in one way each, all of them."""
    ranges = _by_address(layout)
    fitting = [width for width in WIDTHS if all(map(width.holds, ranges))] or [WHOLE]
    best, least = Kept(fitting[0], fitting[0], (-1,) * len(ranges)), fitting[0].bytes * len(ranges) - WORTH
    for small in WIDTHS[:-1]:
        apart = [numbers for numbers in ranges if not small.holds(numbers)]
        wide = next((width for width in (HALF, WHOLE) if all(map(width.holds, apart))), WHOLE)
        size = small.bytes * len(ranges) + wide.bytes * len(apart)
        if apart and size <= least:
            best, least = Kept(small, wide, _numbered(ranges, small)), size - 1
    return best


def _by_address(layout: Layout) -> list[Range]:
    """The numbers that may be at each address. Slots and dice are one group each: the runtime goes over all of them."""
    slots = Range(0, 0)
    dice = Range(0, 0)
    for decl, numbers in layout.ranges.items():
        if isinstance(decl, PlaceDecl):
            slots = slots.joined(numbers)
        elif decl.is_dice:
            dice = dice.joined(numbers)
    found = [slots] * layout.slots
    for decl, spot in sorted(layout.fields.items(), key=lambda of: of[1].base):
        found += [dice if decl.is_dice else layout.ranges[decl]] * spot.size
    return found


def _numbered(ranges: list[Range], small: Width) -> tuple[int, ...]:
    found, used = [], 0
    for numbers in ranges:
        found.append(-1 if small.holds(numbers) else used)
        used += not small.holds(numbers)
    return tuple(found)


def link_width(pieces: int) -> Width:
    """The width for the number of a piece, for none, and for how many pieces are in a list."""
    return next(width for width in WIDTHS if width.holds(Range(-1, pieces)))


def place_width(places: int) -> Width:
    """Pieces are at most 20,000, but a large board with several slots on each space has more places than that."""
    return next(width for width in (BYTE, PLACE, HALF, WHOLE) if width.holds(Range(-2, places)))
