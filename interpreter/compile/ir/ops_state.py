"""Operations that read the state: fields, slots, lists, and constant tables."""

from __future__ import annotations

from .nodes import Op, Part

__all__ = [
    "Address", "Boxed", "Contents", "Face", "Group", "Indexed", "Lookup", "ReadField", "ReadSlot", "Sequence",
    "SlotContents", "Term",
]  # fmt: skip


class Sequence(Op):
    """A constant set."""

    values: tuple[int, ...]


class Term(Part):
    """One index of an address."""

    index: Op
    stride: int
    low: int


class Address(Op):
    """base + sum of (index - low) * stride; -1 if `optional` and one index is none."""

    base: int
    terms: tuple[Term, ...]
    optional: bool


class ReadField(Op):
    """The number in the state array at that address; `none` if the address is -1."""

    address: Op
    none: int


class ReadSlot(Op):
    """The piece in the slot at that address, -1 if there is none."""

    address: Op


class Face(Op):
    """What a die shows."""

    die: Op


class Contents(Op):
    """The pieces of a list place, in its order. It is live: whoever keeps it must copy it."""

    address: Op


class Group(Op):
    """The pieces in `size` slots from that address on."""

    address: Op
    size: int


class SlotContents(Op):
    """The piece of one slot as a set of none or one."""

    address: Op


class Boxed(Op):
    """The pieces of these ranges (first, count) that are in the box."""

    ranges: tuple[tuple[int, int], ...]


class Lookup(Op):
    """A constant table; index -1 gives none at every level."""

    table: str
    index: Op
    more: tuple[Op, ...] = ()


class Indexed(Op):
    """The elements of a constant set whose printed attributes have these values."""

    index: str
    values: tuple[Op, ...]
