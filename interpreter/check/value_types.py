"""The types of values, as the checker and everything after it sees them.

Every value is a small whole number at run time (sets are tuples of such numbers), so a type says which
numbers there are and what they stand for:

- a flag is 0 or 1 (`False`/`True`), a number is itself;
- players are 0 … players-1; enum values, pieces, nodes, edges, directions, dice, effect cells, formula cells and
  chart rows are numbered once for the whole game, each kind of them a run of neighbouring numbers;
- none is -1 for everything that is an index (`NONE`), and `NO_NUMBER` for an optional number.

The numbers that a type has are known once the tables of the game have been numbered; `domain_of` and `dimension_of`
(declare_types.py) give them.
"""

from __future__ import annotations

from ..files.records import Value

NONE = -1
NO_NUMBER = -(1 << 31)
SMALLEST, LARGEST = -(1 << 31) + 1, (1 << 31) - 1


class VType(Value):
    """A type of values."""


class Flag(VType):
    def __str__(self) -> str:
        return "flag"


class Number(VType):
    """`a..b`; also the interval of an expression."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


class EnumOf(VType):
    """Values of an enum. Enums that contain one another share one numbering (see program.EnumDecl)."""

    name: str

    def __str__(self) -> str:
        return self.name


class Player(VType):
    def __str__(self) -> str:
        return "player"


class Piece(VType):
    """Pieces of a kind or a union of kinds."""

    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(self.kinds)


class MapNode(VType):
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(self.kinds)


class MapEdge(VType):
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(self.kinds)


class DirectionOf(VType):
    """A direction of a map (numbers 0 … n-1, clockwise)."""

    map: str

    def __str__(self) -> str:
        return "Direction"


class Die(VType):
    """A die; its number counts all dice of the game."""

    low: int
    high: int

    def __str__(self) -> str:
        return "die"


class EffectCell(VType):
    """An effect instance; `given` names what the performer supplies."""

    given: tuple[tuple[str, VType], ...] = ()

    def __str__(self) -> str:
        return "effect"


class FormulaCell(VType):
    """A formula in a cell, called with the player."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"value {self.low}..{self.high}"


class ChartRow(VType):
    """A row of a chart without parameters."""

    chart: str

    def __str__(self) -> str:
        return f"row of {self.chart}"


class SetOf(VType):
    of: VType

    def __str__(self) -> str:
        return f"set of {self.of}"


class Maybe(VType):
    """`T?`"""

    of: VType

    def __str__(self) -> str:
        return f"{self.of}?"


class PlaceOf(VType):
    """A place (not a value: it can be read, filled and emptied, never stored)."""

    kinds: tuple[str, ...]
    shape: str  # pile row pool hand bag slot slots box

    def __str__(self) -> str:
        return f"{self.shape} of {' | '.join(self.kinds)}"


class NoneOnly(VType):
    """The type of the word `none` until an optional type `T?` is known for it."""

    def __str__(self) -> str:
        return "none"


def bare(value_type: VType) -> VType:
    """The type without its question mark."""
    return value_type.of if isinstance(value_type, Maybe) else value_type


def has_no_natural_start(value_type: VType) -> bool:
    """Whether a field of this type has no value until it is given one: numbers begin at 0, flags at `no`."""
    return isinstance(value_type, EnumOf | Player | Piece | MapNode | MapEdge | DirectionOf)


def none_of(value_type: VType) -> int:
    """The number that stands for none in an optional of this type."""
    return NO_NUMBER if isinstance(bare(value_type), Number) else NONE


class Unknown(VType):
    """The type of a name whose declaration has an error: statements that use it are dropped without a finding."""

    def __str__(self) -> str:
        return "something"
