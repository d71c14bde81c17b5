"""Sets over a small domain as bit masks: one bit for each node, edge or piece. `compile/masks` writes them, for C only.

A mask is no value of the rules. It stands inside `Marked`, which is a set again: its elements in the order of their
numbers, or in the opposite order.
"""

from __future__ import annotations

from .nodes import Condition, Op, Part

__all__ = [
    "HasLine", "KeptSum", "Marked", "MaskBoth", "MaskEither", "MaskIf", "MaskIndex", "MaskNot", "MaskRays", "MaskReach",
    "MaskTable", "MaskTerm", "MaskUnion", "SetTable", "Sieved",
]  # fmt: skip


class MaskTerm(Part):
    """One index of a table of masks: `size` values from `low` on."""

    index: Op
    low: int
    size: int


class MaskTable(Op):
    """A mask that never changes, by the values of these indexes."""

    table: str
    terms: tuple[MaskTerm, ...]


class MaskIndex(Op):
    """The elements whose field has a value of that class: an index that every store keeps up to date."""

    index: str
    value: Op


class MaskIf(Op):
    """All elements if the condition holds, else none."""

    condition: Op


class MaskBoth(Op):
    """What is in both masks."""

    left: Op
    right: Op


class MaskEither(Op):
    """What is in at least one of two masks."""

    left: Op
    right: Op


class MaskNot(Op):
    """What is not in the mask. It may have bits behind the last element: whoever reads it cuts them off."""

    of: Op


class MaskUnion(Op):
    """The elements of all these sets: `of` for each element of `source` with `where`; of a single set if there is no
    source."""

    local: str | None
    source: Op | None
    where: Op | None
    of: Op

    binds = ("local",)


class MaskReach(Op):
    """The nodes that can be reached from the start through nodes of a mask, without the start itself. `beside` has a
    mask for each node: its neighbours; `stops` are reached and not passed, the numbers of a mask that never changes."""

    beside: str
    start: Op
    through: Op
    stops: tuple[int, ...]


class MaskRays(Op):
    """The nodes from which a straight line first meets `stop` in a node of `good`, and not at its first step. `steps`
    has two numbers for each direction: by how far a mask is turned to go a step back, and the nodes that have a next
    one. No line is longer than `longest`."""

    steps: str
    directions: int
    longest: int
    stop: Op
    good: Op


class HasLine(Condition):
    """One of the rows of nodes through a node lies in the mask. `table` has `width` of them for no node and for each
    one, filled up with 0."""

    table: str
    width: int
    through: Op
    mask: Op


class Marked(Op):
    """The elements of a mask of so many words of 64 bits, `most` of them at most. `backward`: the last first, if that
    holds. `spent` is the set that was gone over before there was a mask, if its elements are counted as work."""

    mask: Op
    words: int
    most: int
    backward: Op | None = None
    spent: Op | None = None


class KeptSum(Op):
    """What so many fields add to a fingerprint: a sum that every store keeps up to date."""

    sum: str
    count: int


class SetTable(Op):
    """A set that never changes, in an order of its own, by the values of these indexes; `most` elements at most."""

    table: str
    terms: tuple[MaskTerm, ...]
    most: int


class Sieved(Op):
    """The elements of a set that are in the mask, in the order of the set; all of them if there is no mask."""

    source: Op
    mask: Op | None
    words: int
    spent: Op | None = None
