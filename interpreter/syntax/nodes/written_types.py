"""Types as they are written, and the parameters that carry them."""

from __future__ import annotations

from .base import Expr, Kinds, Name, Node, TypeNode
from .expressions import Arithmetic, Negative


class Range(TypeNode):
    """`1..size`, `0..2 * size`"""

    low: Bound
    high: Bound


class Bound(Node):
    """`9`, `size`, `2 * size + 1`: a number, the name of a constant, or arithmetic with them."""

    value: int | str | Arithmetic | Negative


class PlayerType(TypeNode):
    pass


class FlagType(TypeNode):
    pass


class EffectType(TypeNode):
    """`effect` or `effect given (x: T)`."""

    given: tuple[Param, ...]


class ValueType(TypeNode):
    """`value 0..50`: a formula in a cell."""

    range: Range


class SetType(TypeNode):
    """`set of Colour`."""

    of: TypeNode


class OptionalType(TypeNode):
    """`player?`"""

    of: TypeNode


class PlaceType(TypeNode):
    """`pile of Kaiju | Mecha`, `slots(4) of Stone`, `slots by Suit of Stone`.

    shape: pile row pool hand bag slot slots; `size` for slots(n), `by` for slots by E.
    """

    shape: str
    kinds: Kinds
    size: Bound | None = None
    by: Name | None = None


class DiceType(TypeNode):
    """`2 dice of 1..6`"""

    count: Bound
    faces: TypeNode


class Param(Node):
    """`c: Kaiju = none`; without a type it is a player."""

    name: Name
    type: TypeNode | None
    default: Expr | None
