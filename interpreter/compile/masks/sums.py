"""Sums that every store keeps up to date: what a history knows a position by, without going over the board.

A history remembers a position by its fingerprint, the remainder of a large number whose digits are the fields in a row
(`ir.Fingerprint`). A digit adds the same to the remainder wherever the others stand, so the fields together add a sum
of table entries, one for each field. A store changes one entry: the sum loses what the old value was worth and gets
what the new one is worth, and asking for the fingerprint costs the same on any board.

Invariant: a sum is always what going over its fields would give. Like an index it is kept by `rw_write`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .. import ir
from ..unit import Unit

NARROW = 5  # bits of a field for which a table of all its values is small
FEWEST = 8  # fields for which a sum is worth keeping
_DIGIT = 1 << 32


@dataclass(frozen=True)
class Sum:
    """`addresses` of its fields, in order; each can be `values` numbers from `lowest` on. `worth` has for each field
    what each of these adds."""

    name: str
    addresses: tuple[int, ...]
    lowest: int
    values: int
    worth: tuple[int, ...]


@dataclass
class Sums:
    unit: Unit
    made: dict[tuple[int, ...], Sum] = field(default_factory=dict)

    def of(self, part: ir.Op, prime: int) -> ir.Op:
        """A list of fields in a fingerprint as a sum that is kept; the same list if it is none of these."""
        match part:
            case ir.Listed(
                source=ir.Sequence(values=elements),
                value=ir.ReadField(address=ir.Address(terms=(ir.Term(index=ir.Local(name=name)) as term,)) as address),
            ) if name == part.local and len(elements) >= FEWEST and len(set(elements)) == len(elements):
                where = tuple(address.base + (element - term.low) * term.stride for element in elements)
                kept = self._sum(where, prime)
                return ir.KeptSum(kept.name, len(where), type=ir.INDEX) if kept is not None else part
        return part

    def _sum(self, addresses: tuple[int, ...], prime: int) -> Sum | None:
        layout, count = self.unit.layout, len(addresses)
        for decl, spot in layout.fields.items():
            if all(spot.base <= address < spot.base + spot.size for address in addresses):
                numbers = layout.ranges[decl]
                if numbers.bits > NARROW:
                    return None
                values = range(numbers.lowest, numbers.high + 1)
                worth = tuple(
                    value % _DIGIT * pow(_DIGIT, count - position, prime) % prime
                    for position in range(count)
                    for value in values
                )
                made = Sum(f"sum_{len(self.made)}", addresses, numbers.lowest, len(values), worth)
                return self.made.setdefault((prime, *addresses), made)
        return None
