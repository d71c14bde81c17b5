"""The fixed slots of a game's state: where each field, slot and place lives.

The flat array `f` begins with every slot of every slot place (a piece number, or -1), then dice, then fields.
Places that can hold more than one piece are lists in `p`. A place number covers both: numbers below `lists` are
lists, number `lists + i` is the slot `f[i]`. The box has no number of its own; a piece there is at -1.

`capacities` and `ranges` say how much room each needs, so that a backend can give the state a fixed size.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from operator import mul

from ..check.program import Dimension, FieldDecl, PlaceDecl, Program
from ..check.value_types import NONE, Die, Maybe, Piece, bare
from .ranges import Range, range_of


@dataclass(frozen=True)
class Spot:
    """First offset of a declaration and the stride of its owner and of each index."""

    base: int
    strides: tuple[int, ...]
    size: int

    def __contains__(self, number: int) -> bool:
        return self.base <= number < self.base + self.size


@dataclass(frozen=True)
class Layout:
    fields: dict[FieldDecl, Spot]
    places: dict[PlaceDecl, Spot]  # base is a place number, for slots too
    lists: int
    slots: int
    dice: int  # offset of the first die
    start: tuple[int, ...]  # the array before the game begins
    capacities: dict[PlaceDecl, int]  # of one list or slot: the most pieces that can ever lie there
    ranges: dict[FieldDecl | PlaceDecl, Range]  # of fields and slots: the numbers that one of them can hold

    def spot(self, decl: FieldDecl | PlaceDecl) -> Spot:
        return self.fields[decl] if isinstance(decl, FieldDecl) else self.places[decl]

    def field_at(self, offset: int) -> FieldDecl | None:
        return next((field for field, spot in self.fields.items() if offset in spot), None)

    def place_at(self, number: int) -> PlaceDecl | None:
        return next((place for place, spot in self.places.items() if number in spot), None)


def all_dimensions(decl: FieldDecl | PlaceDecl) -> tuple[Dimension, ...]:
    """Owner, indexes, and the slot index of `slots`, in this order."""
    owner = (decl.owner_dimension,) if decl.owner_dimension else ()
    slot = (decl.slot_dimension,) if isinstance(decl, PlaceDecl) and decl.slot_dimension else ()
    return owner + decl.dimensions + slot


def lay_out(program: Program) -> Layout:
    slot_places = [place for place in program.places if place.shape in ("slot", "slots")]
    list_places = [place for place in program.places if place.shape not in ("slot", "slots")]
    places: dict[PlaceDecl, Spot] = {}
    lists = 0
    for place in list_places:
        places[place] = spot_of(lists, all_dimensions(place))
        lists += places[place].size
    slots = 0
    for place in slot_places:
        places[place] = spot_of(lists + slots, all_dimensions(place))
        slots += places[place].size
    # Slots come first, so that the offset of a slot is the number of its place less `lists`, and nothing else.
    start = [NONE] * slots
    fields: dict[FieldDecl, Spot] = {}
    # All dice in a row: the number of a die is its offset among them, whichever field it belongs to.
    dice_first = [field for field in program.fields if field.is_dice]
    dice_first += [field for field in program.fields if not field.is_dice]
    for field in dice_first:
        fields[field] = spot_of(len(start), all_dimensions(field))
        start += [field.start] * fields[field].size
    capacities = {place: _capacity(program, place) for place in program.places}
    ranges: dict[FieldDecl | PlaceDecl, Range] = {field: _field_range(program, field) for field in fields}
    ranges |= {place: range_of(program, Maybe(Piece(place.kinds))) for place in slot_places}
    return Layout(fields, places, lists, slots, slots, tuple(start), capacities, ranges)


def _capacity(program: Program, place: PlaceDecl) -> int:
    """The declared capacity, or the number of all pieces of its kinds if that is smaller."""
    return min(place.capacity, sum(program.kinds[kind].count for kind in place.kinds))


def _field_range(program: Program, field: FieldDecl) -> Range:
    """The numbers of its type, and the one it starts with: a die that was never rolled shows 0."""
    of = bare(field.type)
    found = Range(of.low, of.high) if isinstance(of, Die) else range_of(program, field.type)
    if field.start == found.none:
        return found
    return found.joined(Range(field.start, field.start))


def spot_of(base: int, dimensions: tuple[Dimension, ...]) -> Spot:
    """The last index varies fastest."""
    *strides, total = accumulate((dimension.size for dimension in reversed(dimensions)), mul, initial=1)
    return Spot(base, tuple(reversed(strides)), total)
