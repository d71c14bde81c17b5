"""What every store keeps up to date: indexes, and sums.

An index has for each value of a field the mask of the nodes (edges, pieces) whose field has it.

An index is named by what it indexes: addresses in a row, one for each element of a domain, and the *class* of the
number that lies there. Mostly that is the number itself. For `s.pawn.owner` the number is a pawn and the class its
owner, read from the table of what is printed; where only `is empty` is asked of a slot, the classes are empty and
filled.

Invariant: at every point where a rule can look, bit e of mask k is set exactly if the number at the address of element
e has class k. All that writes into the state's array goes through `rw_write` (rw_masks.h), which moves one bit; a state
that comes from outside is indexed anew; a copy of a state copies its masks. A build with RW_CHECKED compares the masks
with the fields after each segment.

An index is kept only if it pays: what its readers save, against what its writers spend (`choose`). Nothing is known of
how often a rule runs, so the measure is the text of the rules: one reader that goes over 64 nodes saves more than a
dozen stores cost.

A history remembers a position by its fingerprint, the remainder of a large number whose digits are the fields in a row
(`ir.Fingerprint`). A digit adds the same to the remainder wherever the others stand, so the fields together add a *sum*
of table entries, one for each field. A store changes one entry: the sum loses what the old value was worth and gets
what the new one is worth, and asking for the fingerprint costs the same on any board. A sum is always what going over
its fields would give.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...check.program import FieldDecl, PlaceDecl
from ...check.value_types import MapEdge, MapNode, Piece, VType, bare
from .. import ir
from ..ir import Op, Routine
from ..layout import all_dimensions
from ..ranges import ANY
from ..unit import Unit
from .static import BoundOf

Declared = FieldDecl | PlaceDecl

MOST_CLASSES = 16
MOST_VALUES = 1 << 9  # numbers that a field can hold
MOST_ELEMENTS = 512
_READ = 2  # instructions that testing one element takes, a mask, a store that moves a bit
_MASK = 6
_WRITE = 16
NARROW = 5  # bits of a field for which a sum's table of all its values is small
FEWEST = 8  # fields for which a sum is worth keeping
_DIGIT = 1 << 32


@dataclass(frozen=True)
class Domain:
    """`kind`: node, edge or piece; `size`: how many there are."""

    kind: str
    size: int

    @property
    def words(self) -> int:
        return (self.size + 63) // 64


def domain_of(unit: Unit, element: VType) -> Domain | None:
    """What the bits of a mask of such elements stand for; None if there is no such mask."""
    match bare(element):
        case MapNode():
            found = Domain("node", len(unit.program.nodes))
        case MapEdge():
            found = Domain("edge", len(unit.program.edges))
        case Piece():
            found = Domain("piece", len(unit.program.pieces))
        case _:
            return None
    return found if 0 < found.size <= MOST_ELEMENTS else None


@dataclass(frozen=True)
class Index:
    """Element e lies at base + e * stride, for e from `first` on, `count` of them. `classes[v - lowest]` is the class
    of the number v; classes are counted from 0, the first stands for the value `class_low`."""

    name: str
    domain: Domain
    base: int
    stride: int
    first: int
    count: int
    lowest: int
    classes: tuple[int, ...]
    class_low: int
    none_class: int | None  # the value whose class is that of none and of nothing else

    @property
    def masks(self) -> int:
        return max(self.classes) + 1

    def address(self, element: int) -> int:
        return self.base + element * self.stride


@dataclass
class Indexes:
    """The indexes of a game, and what is known of their readers."""

    unit: Unit
    tables: dict[str, Any]
    made: dict[str, Index] = field(default_factory=dict)
    known: dict[str, Index] = field(default_factory=dict)  # also those that do not pay
    saved: dict[str, int] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    counts: bool = True  # the routine is gone through as play has it, and not in its form for trials

    def note(self, index: Index, elements: int) -> None:
        """Somebody reads it in place of going over so many elements."""
        if self.counts:
            self.saved[index.name] = self.saved.get(index.name, 0) + max(0, elements * _READ - _MASK)

    def of(self, read: Op, local: str, domain: Domain, bound_of: BoundOf, only_none: bool = False) -> Index | None:
        """The index that knows this value of every element; None if there can be none, or it does not pay.
        `only_none`: all that is asked is whether the value is none."""
        table = None
        if isinstance(read, ir.Lookup) and not read.more and isinstance(read.index, ir.ReadSlot | ir.ReadField):
            table, read = read.table, read.index
        if not isinstance(read, ir.ReadSlot | ir.ReadField) or not isinstance(read.address, ir.Address):
            return None
        where = _steps(read.address, local, bound_of)
        if where is None:
            return None
        index = self._index(where, table, domain)
        if index is None and only_none and table is None:
            index = self._by_none(where, domain)
        return None if index is None or index.name in self.refused else self.made.setdefault(index.name, index)

    def _by_none(self, where: _Where, domain: Domain) -> Index | None:
        """For whoever asks only whether there is anything: one by what is printed on it, if that has a class of its own
        for nothing; else one of two classes."""
        for index in self.known.values():
            same = (index.base, index.stride, index.domain) == (where.base, where.stride, domain)
            inside = index.first <= where.low and where.high < index.first + index.count
            if same and inside and index.none_class is not None and index.name not in self.refused:
                return index
        return self._index(where, "", domain)

    def _index(self, where: _Where, table: str | None, domain: Domain) -> Index | None:
        """An index by the number that lies there, by its entry in a table, or (table "") by whether it is none."""
        found = self._declared(where, domain)
        if found is None:
            return None
        decl, first, count = found
        numbers = self.unit.layout.ranges[decl]
        lowest, many = numbers.lowest, numbers.high - numbers.lowest + 1
        # There is a mask for each class, and every copy of a state copies all of them.
        if many > MOST_VALUES:
            return None
        values = range(lowest, numbers.high + 1)
        if table == "":
            keys = [int(value == numbers.none) for value in values]
        elif table is not None:
            if table not in self.tables or any(isinstance(self.tables[table][v], tuple) for v in values):
                return None
            keys = [int(self.tables[table][v]) for v in values]
        else:
            keys = list(values)
        class_low = min(keys)
        if max(keys) - class_low >= MOST_CLASSES:
            return None
        name = f"{decl.name}_{first}_{where.base}_{where.stride}" + ("" if table is None else f"_by_{table or 'none'}")
        of_none = keys[numbers.none - lowest] if numbers.none is not None else None
        # By colour, an empty slot may share its class with pieces that have no colour. Then the index cannot say
        # whether a slot is empty.
        is_own = of_none is not None and keys.count(of_none) == 1
        index = Index(
            name.replace("-", "m"), domain, where.base, where.stride, first, count, lowest,
            tuple(key - class_low for key in keys), class_low, of_none if is_own else None,
        )  # fmt: skip
        return self.known.setdefault(index.name, index)

    def _spot(self, decl: Declared) -> tuple[int, int, tuple[int, ...]]:
        """Where its numbers begin in the state's array, how many there are, how far apart those of each index are."""
        layout = self.unit.layout
        if isinstance(decl, FieldDecl):
            spot = layout.fields[decl]
            return spot.base, spot.size, spot.strides
        spot = layout.places[decl]
        return spot.base - layout.lists, spot.size, spot.strides

    def _declared(self, where: _Where, domain: Domain) -> tuple[Declared, int, int] | None:
        """The field or slot whose numbers lie there, the first element, and how many there are. Fields of two kinds of
        pieces that follow one another may have the same base: the elements that are read tell which is meant."""
        for decl in self.unit.layout.ranges:
            start, size, strides = self._spot(decl)
            for dimension, step in zip(all_dimensions(decl), strides, strict=True):
                if step != where.stride or domain_of(self.unit, dimension.type) != domain:
                    continue
                offset = where.base + dimension.low * step - start
                if not 0 <= offset < size or offset // step % dimension.size != 0:
                    continue
                if dimension.low <= where.low and where.high < dimension.low + dimension.size:
                    return decl, dimension.low, dimension.size
        return None

    # ------------------------------------------------------------------ which are kept

    def choose(self, routines: list[Routine]) -> bool:
        """Refuses the indexes that do not pay; true if any was refused."""
        before = set(self.refused)
        for index in self.made.values():
            # Counted by the text of the rules, since how often a rule runs is not known here.
            if self.saved.get(index.name, 0) <= _WRITE * self._writers(index, routines):
                self.refused.add(index.name)
        # Without the refused ones other conditions become masks, or none, so the readers are counted again from
        # scratch.
        self.made.clear()
        self.saved.clear()
        return self.refused != before

    def _writers(self, index: Index, routines: list[Routine]) -> int:
        """How many instructions of the rules may write there, by what they say."""
        where = _Where(index.base, index.stride, index.first, index.first + index.count - 1)
        found = self._declared(where, index.domain)
        assert found is not None
        is_slot, name = isinstance(found[0], PlaceDecl), found[0].name
        every = [ins for routine in routines for ins in routine.instructions()]
        if is_slot:
            return sum(isinstance(ins, ir.Move | ir.Lay | ir.SwapPieces) for ins in every)
        return sum(isinstance(ins, ir.Store) and ins.name == name for ins in every)


@dataclass(frozen=True)
class _Where:
    """Element e lies at base + e * stride, for those from `low` to `high` that are read."""

    base: int
    stride: int
    low: int
    high: int


def _steps(address: ir.Address, local: str, bound_of: BoundOf) -> _Where | None:
    """Where elements lie, if the element is the only index that is not a constant."""
    base, stride = address.base, 0
    numbers = ANY
    for term in address.terms:
        match term.index:
            case ir.Local(name=name) as index if name == local and not stride:
                numbers = bound_of(index).numbers
                if numbers.none is not None:
                    return None
                stride = term.stride
                base -= term.low * term.stride
            case ir.Const(value=value):
                base += (value - term.low) * term.stride
            case _:
                return None
    return _Where(base, stride, numbers.low, numbers.high) if stride else None


# ---------------------------------------------------------------------------- sums


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
