"""Into which places a question may look.

    choose c in row where c.cost <= p.coins      # looks at the row, and never into the hand of p

Whoever asks a past question again in other worlds (`runtime/facts.py`) wants to know whether it can have told anything
about a hand at all. It cannot if it never looks into that hand. This is worked out here from the IR of the question,
without running it: it counts as a look if a place is named somewhere in the question, whether or not a condition comes
before it. So it errs on the safe side, and native code gets the same answer without running anything.

What finds pieces in another way (where is this piece, who holds it), and whatever looks ahead, may look anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from . import ir
from .ir import Block, Op
from .sorts import BY_ORDER, INSTRUCTIONS, OPERATIONS, asking_segments, is_piece
from .unit import Unit

Looks = tuple[int, ...]  # numbers of places

_INSTRUCTIONS = (*INSTRUCTIONS, ir.Goto)
_SLOTS = (ir.Group, ir.SlotContents, ir.ReadSlot)  # whoever asks counts closed slots as looked into
_COUNTS = (ir.Count, ir.IsEmpty, ir.IsFull)  # how many lie there is the same in every world
_HANDED_ON = (ir.Join, ir.Concatenate, ir.Without, ir.All, ir.Distinct, ir.Counted, ir.Public)
_WHEREABOUTS = (ir.Boxed, ir.Inside, ir.InsideGroup, ir.InBox, ir.WhereIs)  # they find pieces wherever these are
_OF_PIECES = (ir.Contents, *_SLOTS, *_WHEREABOUTS)
_ELSEWHERE = (*(kind for kind in OPERATIONS if kind not in _OF_PIECES), *BY_ORDER, ir.SureHere)  # neither


class _Anywhere(Exception):
    """The question may look into any place."""


@dataclass
class _Looker:
    unit: Unit
    places: set[int] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)  # routines gone through
    placed: set[str] = field(default_factory=set)  # locals that hold pieces of places that are named

    def block(self, body: Block) -> None:
        for ins in body:
            # A question of the past is asked again with the code of playouts, in Python and in C.
            if isinstance(ins, ir.Only) and "playout" not in ins.ways:
                continue
            if not isinstance(ins, _INSTRUCTIONS):
                raise _Anywhere
            held = ins.source if isinstance(ins, ir.For) else ins.value if isinstance(ins, ir.Let) else None
            if isinstance(ins, ir.For | ir.Let) and held is not None and self._is_placed(held):
                self.placed.add(ins.local)
            if isinstance(ins, ir.Once) and ins.how != "row" and ins.local not in self.placed:
                raise _Anywhere  # which copies are equal goes by where they lie
            for op in ir.operands(ins):
                self.operation(op)
            for inner in ir.blocks_of(ins):
                self.block(inner)

    def operation(self, op: Op) -> None:
        # `if count(q.hand) > 3` learns nothing that is hidden: in every world of p, q has as many cards.
        if isinstance(op, _COUNTS) and isinstance(op.of, ir.Contents):
            self.operation(op.of.address)
            return
        if isinstance(op, ir.Contents):
            self._look(op.address)
        elif not isinstance(op, (*_ELSEWHERE, *_SLOTS)):
            raise _Anywhere
        elif isinstance(op, ir.CallValue) and op.routine not in self.seen:
            self.seen.add(op.routine)
            self.block(self.unit.routines[op.routine].body)
        for inner in ir.operands(op):
            self.operation(inner)

    def _is_placed(self, op: Op) -> bool:
        if isinstance(op, ir.Local):
            return op.name in self.placed
        if isinstance(op, _HANDED_ON):
            return all(self._is_placed(one) for one in ir.operands(op) if is_piece(one))
        return isinstance(op, (ir.Contents, *_SLOTS))

    def _look(self, address: Op) -> None:
        """All places of the declaration that the address begins in: which of them it comes to does not matter."""
        if isinstance(address, ir.Address):
            for spot in self.unit.layout.places.values():
                if spot.base <= address.base < spot.base + spot.size:
                    self.places.update(range(spot.base, spot.base + spot.size))
                    return
        raise _Anywhere


def looks_of_questions(unit: Unit) -> dict[int, Looks]:
    """The places that each asking segment may look into. A segment without an entry may look anywhere."""
    found = {segment.number: _looks(unit, segment.body) for segment in asking_segments(unit)}
    return {number: looks for number, looks in found.items() if looks is not None}


def looks_of_told(unit: Unit) -> dict[int, Looks]:
    """The same for values that are told to all, by their numbers. One that is asked with a set of pieces, which may lie
    anywhere, has no entry."""
    asked = [told for told in unit.told if not any(thing.startswith("set:") for thing in told.things)]
    found = {told.number: _looks(unit, [ir.Return(told.value)]) for told in asked}
    return {number: looks for number, looks in found.items() if looks is not None}


def _looks(unit: Unit, body: Block) -> Looks | None:
    looker = _Looker(unit)
    try:
        looker.block(body)
    except _Anywhere:
        return None
    return tuple(sorted(looker.places))
