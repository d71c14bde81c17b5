"""Which numbers a value of a type can be: what a backend with fixed widths needs for every field and local.

None has a number of its own in each type (`value_types.none_of`): -1 where the values are indexes, the smallest number
of 32 bits where they are numbers. It is part of the range, so one width fits whatever may be there.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ..check import program as core
from ..check import value_types as t


@dataclass(frozen=True)
class Range:
    """low..high, and the number that stands for none if there may be none."""

    low: int
    high: int
    none: int | None = None

    @property
    def lowest(self) -> int:
        """The smallest number that is ever there, none included."""
        return self.low if self.none is None else min(self.low, self.none)

    @property
    def signed(self) -> bool:
        return self.lowest < 0

    @property
    def bits(self) -> int:
        """The fewest bits that hold every number, in two's complement if it is signed."""
        needed = max(self.high, -self.lowest - 1, 0).bit_length()
        return needed + 1 if self.signed else max(1, needed)

    @property
    def count(self) -> int:
        return max(0, self.high - self.low + 1)

    def joined(self, other: Range) -> Range:
        none = self.none if self.none is not None else other.none
        return Range(min(self.low, other.low), max(self.high, other.high), none)

    def __str__(self) -> str:
        none = "" if self.none is None else f" or none ({self.none})"
        return f"{self.low}..{self.high}{none}"


ANY = Range(t.SMALLEST, t.LARGEST)  # nothing is known: whoever works it out must check for overflow


def range_of(program: core.Program, value_type: t.VType) -> Range:
    """The numbers of a type; of a set, those of its elements."""
    if isinstance(value_type, t.SetOf):
        return range_of(program, value_type.of)
    low, high = _run(program, t.bare(value_type))
    return Range(low, high, t.none_of(value_type) if isinstance(value_type, t.Maybe) else None)


def _run(program: core.Program, of: t.VType) -> tuple[int, int]:
    match of:
        case t.Flag():
            return 0, 1
        case t.Number():
            return of.low, of.high
        case t.Player():
            return 0, program.players - 1
        case t.EnumOf():
            domain = program.enums[of.name].domain
            return min(domain), max(domain)
        case t.Piece() | t.PlaceOf():
            return _around([program.kinds[kind] for kind in of.kinds], len(program.pieces))
        case t.MapNode():
            return _around([program.node_kinds[kind] for kind in of.kinds], len(program.nodes))
        case t.MapEdge():
            return _around([program.edge_kinds[kind] for kind in of.kinds], len(program.edges))
        case t.DirectionOf():
            return 0, len(program.maps[of.map].directions) - 1
        case t.Die():
            return 0, sum(_size(field) for field in program.fields if field.is_dice) - 1
        case t.EffectCell() | t.FormulaCell():
            return 0, len(program.cells) - 1
        case t.ChartRow():
            return 0, program.charts[of.chart].rows - 1
    return ANY.low, ANY.high


def _around(kinds: list[core.KindDecl] | list[core.NodeKindDecl], there_are: int) -> tuple[int, int]:
    """Kinds need not be neighbours: from the first number to the last."""
    if not kinds:
        return 0, there_are - 1
    return min(kind.first for kind in kinds), max(kind.first + kind.count - 1 for kind in kinds)


def _size(field: core.FieldDecl) -> int:
    owners = 1 if field.owner_dimension is None else field.owner_dimension.size
    return owners * prod(dimension.size for dimension in field.dimensions)


def distinct_of(program: core.Program, value_type: t.VType) -> int:
    """How many different values of a type there are: no set without repetitions is larger."""
    of = t.bare(value_type.of if isinstance(value_type, t.SetOf) else value_type)
    match of:
        case t.EnumOf():
            return len(program.enums[of.name].domain)
        case t.Piece() | t.PlaceOf() if of.kinds:
            return sum(program.kinds[kind].count for kind in of.kinds)
        case t.MapNode() if of.kinds:
            return sum(program.node_kinds[kind].count for kind in of.kinds)
        case t.MapEdge() if of.kinds:
            return sum(program.edge_kinds[kind].count for kind in of.kinds)
    return range_of(program, of).count
