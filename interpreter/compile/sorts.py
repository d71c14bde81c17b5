"""Which pieces a question cannot tell apart.

    choose c in p.hand where c.suit == led or no d in p.hand has d.suit == led

Two cards of one suit are the same to this question: it reads the suit of a card and nothing else. Exchange them
everywhere, and it offers the same, with the one card in place of the other. Worlds ask past questions of thousands of
hands (`runtime/facts.py`), and an answer that is known for one hand is known for each that has as many cards of every
*sort*. There are 635,013,559,600 hands of thirteen cards, and 560 ways to divide thirteen cards among four suits.

A sort is worked out from the IR of the question. It holds everything that the question may find out about a single
piece: entries of tables, membership of sets that never change, being a piece that the rules name. Everything else in
the question must be blind to which piece is which. The operations that are blind are listed here; with any other in it
a question has no sorts, and every row is one of its own. Missing from the list is above all what goes by the order of
pieces in a hand (the first of them, a set picked in ascending order), since that is the order of their numbers, and
whatever looks ahead.

Equal copies stay together and apart from all others: of several in one place only the first is offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..check import value_types as t
from . import ir
from .ir import Block, Op
from .layout import Layout
from .unit import Unit

Sorts = tuple[int, ...]  # of each piece, and one entry more for none

_UNORDERED = ("pool", "hand", "bag")
# What a question may consist of, for this and for `looks`. A new operation is listed once, with these or not at all.
INSTRUCTIONS = (
    ir.BeginOptions, ir.OfferAll, ir.Option, ir.Once, ir.PassOption, ir.If, ir.For, ir.Let, ir.Ask, ir.Answer,
    ir.NoteUnasked, ir.Only, ir.Spend, ir.Return, ir.ForgetOptions,
)  # fmt: skip
OPERATIONS = (
    ir.Const, ir.Local, ir.Sequence, ir.Address, ir.ReadField, ir.ReadSlot, ir.Face, ir.Contents, ir.Group,
    ir.SlotContents, ir.Boxed, ir.Lookup, ir.Indexed, ir.Arithmetic, ir.Unary, ir.Compare, ir.And, ir.Or, ir.Not,
    ir.Conditional, ir.Otherwise, ir.Contains, ir.Inside, ir.InsideGroup, ir.InBox, ir.InRanges, ir.IsNone, ir.IsEmpty,
    ir.IsFull, ir.HasBit, ir.InRange, ir.Fitting, ir.Filled, ir.Somebody, ir.RuleRunning, ir.OnTrial, ir.Some, ir.Every,
    ir.Listed, ir.All, ir.Best, ir.Counted, ir.Distinct, ir.Count, ir.CountWhere, ir.SumOf,
    ir.ExtremeOf, ir.Extreme, ir.Range, ir.Join, ir.Concatenate, ir.Without, ir.Tuple, ir.The, ir.SeatsIn, ir.NextSeat,
    ir.StillIn, ir.Unskipped, ir.CallValue, ir.WhereIs, ir.HasOption, ir.OneOption, ir.OnlyPass, ir.NothingElse,
    ir.Public, ir.Memory, ir.MapTable, ir.MapQuery,
)  # fmt: skip
BY_ORDER = (ir.First, ir.End, ir.Element, ir.Position, ir.TurnedTo, ir.Following)  # of sets without pieces
_COUNTS = (ir.Arithmetic, ir.Unary, ir.Range, ir.InRange, ir.Extreme, ir.MapTable, ir.MapQuery)  # never of pieces


class _Discerning(Exception):
    """The question may distinguish any piece from any other."""


@dataclass
class _Looks:
    """What a question may find out about a single piece."""

    unit: Unit
    tables: set[str] = field(default_factory=set)
    indexes: set[str] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    sets: set[tuple[int, ...]] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)  # routines gone through

    def block(self, body: Block) -> None:
        for ins in body:
            self._instruction(ins)

    def _instruction(self, ins: ir.Ins) -> None:
        # What only a trial does is no part of the question that was posed.
        if isinstance(ins, ir.Only) and "play" not in ins.ways:
            return
        if not isinstance(ins, INSTRUCTIONS):
            raise _Discerning
        if isinstance(ins, ir.For) and _goes_by_order(ins):
            raise _Discerning
        for op in ir.operands(ins):
            self.operation(op)
        for block in ir.blocks_of(ins):
            self.block(block)

    def operation(self, op: Op) -> None:
        inner = list(ir.operands(op))
        self._must_be_blind(op, inner)
        match op:
            case ir.Const(value=value) if is_piece(op) and value >= 0:
                self.named.add(value)
            case ir.Sequence(values=values) if is_piece(op):
                self.sets.add(tuple(sorted(values)))
            case ir.InRanges(ranges=ranges) | ir.Boxed(ranges=ranges):
                self.sets.update(tuple(range(first, first + count)) for first, count in ranges)
            case ir.Lookup(table=table, index=index) if is_piece(index):
                self.tables.add(table)
            case ir.Indexed(index=name) if is_piece(op):
                self.indexes.add(name)
            case ir.CallValue(routine=name) if name not in self.seen:
                self.seen.add(name)
                self.block(self.unit.routines[name].body)
            case _:
                pass
        for one in inner:
            self.operation(one)

    def _must_be_blind(self, op: Op, inner: list[Op]) -> None:
        """Raises if the operation may give something else when pieces of one sort are exchanged."""
        has_pieces = any(map(is_piece, inner))
        if isinstance(op, BY_ORDER):
            if has_pieces and not self._lies_in_order(op):
                raise _Discerning
            return
        if not isinstance(op, OPERATIONS) or (has_pieces and isinstance(op, _COUNTS)):
            raise _Discerning
        match op:
            case ir.Compare(sign=sign, left=left, right=right) if has_pieces:
                if sign not in ("==", "!="):
                    raise _Discerning
                self.named.update(one.value for one in (left, right) if isinstance(one, ir.Const) and one.value >= 0)
            case ir.Lookup(more=more):
                if is_piece(op) or any(map(is_piece, more)):
                    raise _Discerning  # what is printed there is a piece
            case _:
                pass

    def _lies_in_order(self, op: Op) -> bool:
        """The first or last piece of a pile or row: that is a position, whatever lies there."""
        if not isinstance(op, ir.End) or not isinstance(op.of, ir.Contents | ir.Group):
            return False
        if isinstance(op.of, ir.Group):
            return True
        address = op.of.address
        return isinstance(address, ir.Address) and _is_ordered(self.unit.layout, address.base)

    def sorts(self) -> Sorts | None:
        """The sorts of the pieces; None if each row is a sort of its own."""
        unit = self.unit
        values = [unit.tables[name].values if name in unit.tables else unit.printed[name] for name in self.tables]
        sets = [frozenset(one) for one in self.sets]
        sets += [frozenset(elements) for name in self.indexes for elements in unit.indexes[name].values()]
        numbers: dict[object, int] = {}
        found = []
        for piece, of in enumerate(unit.program.pieces):
            # A piece that the rules name is like no other. Equal copies are one option, so how many of them lie in a
            # place changes what is offered there, and they cannot stand for a single card.
            is_alone = piece in self.named or len(unit.program.rows[of.row].pieces) > 1
            told = (of.kind, *(table[piece] for table in values), *(piece in one for one in sets))
            found.append(numbers.setdefault((of.row,) if is_alone else told, len(numbers)))
        # If no two rows share a sort, the table says nothing that the rows do not say.
        return (*found, -1) if len(numbers) < len(unit.program.rows) else None


def sorts_of_questions(unit: Unit) -> dict[int, Sorts]:
    """The sorts of the pieces for each asking segment. A segment without an entry can tell all rows apart."""
    found = {}
    for segment in asking_segments(unit):
        asked = [ins.site for ins in ir.instructions(segment.body) if isinstance(ins, ir.Ask)]
        if all(_binds_one(unit.sites[site]) for site in asked):
            sorts = _sorts(unit, segment.body)
            if sorts is not None:
                found[segment.number] = sorts
    return found


def sorts_of_told(unit: Unit) -> dict[int, Sorts]:
    """The same for values that are told to all, by their numbers."""
    # A told piece is that piece, and no other of its sort.
    blind = [told for told in unit.told if not is_piece(told.value)]
    found = {told.number: _sorts(unit, [ir.Return(told.value)]) for told in blind}
    return {number: sorts for number, sorts in found.items() if sorts is not None}


def sorts_of_value(unit: Unit, value: ir.Routine) -> Sorts | None:
    """For each piece, the most that a value can find out about it of a set that it is handed, in whatever order; None
    if it may turn on more than that."""
    looks = _Looks(unit)
    try:
        looks.block(value.body)
    except _Discerning:
        return None
    rows = unit.program.rows
    pieces = unit.program.pieces
    if any(len(rows[pieces[piece].row].pieces) > 1 for piece in looks.named):
        return None
    if any(not one.issuperset(rows[pieces[piece].row].pieces) for one in map(frozenset, looks.sets) for piece in one):
        return None  # one of several equal copies is told from the others
    return looks.sorts() or tuple([piece.row for piece in pieces])


def _sorts(unit: Unit, body: Block) -> Sorts | None:
    looks = _Looks(unit)
    try:
        looks.block(body)
    except _Discerning:
        return None
    return looks.sorts()


def asking_segments(unit: Unit) -> Iterator[ir.Segment]:
    for routine in unit.routines.values():
        yield from (segment for segment in routine.segments if segment.role == "asks")


def _binds_one(site: ir.Site) -> bool:
    """True if no option binds two pieces: of two pieces of one sort, nobody could say whether they are the same one."""
    things = [[thing for thing, _, _ in branch.domains if "piece" in thing] for branch in site.branches]
    return all(len(pieces) < 2 for pieces in things)


def _goes_by_order(loop: ir.For) -> bool:
    """Whether one pass may find what another has left: it ends with the first that comes, or adds something up."""
    inside = [*ir.instructions(loop.body)]
    made = [ins.local for ins in inside if isinstance(ins, ir.Let)]
    return len(set(made)) < len(made) or any(isinstance(ins, ir.Return) for ins in inside)


def is_piece(op: Op) -> bool:
    of = t.bare(op.type)
    while isinstance(of, t.SetOf):
        of = t.bare(of.of)
    return isinstance(of, t.Piece)


def _is_ordered(layout: Layout, base: int) -> bool:
    """Whether the place that an address begins with keeps its pieces in an order that rules give them."""
    place = layout.place_at(base)
    return place is not None and place.shape not in _UNORDERED
