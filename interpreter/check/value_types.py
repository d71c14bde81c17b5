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

from typing import ClassVar

from ..files.records import Value

NONE = -1
NO_NUMBER = -(1 << 31)
SMALLEST, LARGEST = -(1 << 31) + 1, (1 << 31) - 1


class VType(Value):
    """A type of values. `words` is how it is written, with the names of its fields in braces."""

    words: ClassVar[str]

    def __str__(self) -> str:
        return self.words.format_map(vars(self))


class Flag(VType):
    words = "flag"


class Number(VType):
    """`a..b`; also the interval of an expression."""

    words = "{low}..{high}"
    low: int
    high: int


class EnumOf(VType):
    """Values of an enum. Enums that contain one another share one numbering (see program.EnumDecl)."""

    words = "{name}"
    name: str


class Player(VType):
    words = "player"


class Kinded(VType):
    """Things of a kind, or of a union of kinds; `sort` says what they are."""

    sort: ClassVar[str]
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(self.kinds)


class Piece(Kinded):
    sort = "piece"


class MapNode(Kinded):
    sort = "node"


class MapEdge(Kinded):
    sort = "edge"


class DirectionOf(VType):
    """A direction of a map (numbers 0 … n-1, clockwise)."""

    words = "Direction"
    map: str


class Die(VType):
    """A die; its number counts all dice of the game."""

    words = "die"
    low: int
    high: int


class EffectCell(VType):
    """An effect instance; `given` names what the performer supplies."""

    words = "effect"
    given: tuple[tuple[str, VType], ...] = ()


class FormulaCell(VType):
    """A formula in a cell, called with the player."""

    words = "value {low}..{high}"
    low: int
    high: int


class ChartRow(VType):
    """A row of a chart without parameters."""

    words = "row of {chart}"
    chart: str


class SetOf(VType):
    words = "set of {of}"
    of: VType


class Maybe(VType):
    """`T?`"""

    words = "{of}?"
    of: VType


class PlaceOf(VType):
    """A place (not a value: it can be read, filled and emptied, never stored)."""

    kinds: tuple[str, ...]
    shape: str  # pile row pool hand bag slot slots box

    def __str__(self) -> str:
        return f"{self.shape} of {' | '.join(self.kinds)}"


class NoneOnly(VType):
    """The type of the word `none` until an optional type `T?` is known for it."""

    words = "none"


class Unknown(VType):
    """The type of a name whose declaration has an error: statements that use it are dropped without a finding."""

    words = "something"


def bare(value_type: VType) -> VType:
    """The type without its question mark."""
    return value_type.of if isinstance(value_type, Maybe) else value_type


def has_no_natural_start(value_type: VType) -> bool:
    """Whether a field of this type has no value until it is given one: numbers begin at 0, flags at `no`."""
    return isinstance(value_type, EnumOf | Player | Kinded | DirectionOf)


def none_of(value_type: VType) -> int:
    """The number that stands for none in an optional of this type."""
    return NO_NUMBER if isinstance(bare(value_type), Number) else NONE


def element_of(value_type: VType) -> VType | None:
    """The type of the elements of a set or a place; None for anything else."""
    match value_type:
        case SetOf(of):
            return of
        case PlaceOf(kinds):
            return Piece(kinds)
        case _:
            return None


def innermost(value_type: VType) -> VType:
    """The type without its question mark, or the type of the elements if it is a set of them."""
    while isinstance(value_type, Maybe | SetOf):
        value_type = value_type.of
    return value_type
