"""Who sees fields and places, as they are declared and as their pieces lie: nobody, an owner, all but an owner, all.

State that belongs to a piece is seen by the player whose piece it is. A piece that lies face down in an open place is
seen by nobody, and the rules do not say which of the pieces there that is.
"""

from __future__ import annotations

from collections.abc import Collection

from . import program as p
from .known import NOBODY, OPEN, Known, Level, others_level, seat_level, told_to
from .symbols import Symbols
from .value_types import Piece, bare
from .walk import walk_rule

ANYBODY = frozenset(["table", "player", "node", "edge", "piece"])


class Sight(Symbols):
    def __init__(self, program: p.Program) -> None:
        super().__init__()
        self.program = program
        self.covered = places_with_faces_down(program)

    def field_level(self, decl: p.FieldDecl, owner: p.Expr | None, at: Known) -> Level:
        return self.declared_level(decl.visibility, decl.owner, owner, at)

    def declared_level(self, visibility: str, owned_by: str, owner: p.Expr | None, at: Known) -> Level:
        """Who sees state that is declared so."""
        if visibility == "open":
            return OPEN
        if visibility == "secret" and owner is not None:
            symbol = self.symbol(owner, at)
            if owned_by == "player":
                return seat_level(symbol)
            return told_to(seat_level(("owner", symbol)), at.readers(("owner", symbol)))
        if visibility == "open_to_others" and owner is not None:
            return others_level(self.symbol(owner, at))
        return NOBODY

    def place_level(self, ref: p.PlaceRef, at: Known) -> Level:
        """What one must know to see everything that lies there."""
        decl = ref.place
        if decl in at.known:
            return OPEN
        readers = at.readers(self.symbol(ref, at))
        # What lies face down nobody sees, and the rules do not say which of the pieces that is.
        visibility = "hidden" if decl in self.covered else decl.visibility
        return told_to(self.declared_level(visibility, decl.owner, ref.owner, at), readers)

    def is_closed(self, place: p.PlaceDecl) -> bool:
        """Whether somebody may not see a piece that lies there."""
        return place.visibility != "open" or place in self.covered

    def may_be_hidden(self, kinds: Collection[str], at: Known, owners: frozenset[str] = ANYBODY) -> bool:
        """True if a piece of these kinds may lie where somebody does not see it."""
        places = (place for place in self.program.places if place.owner in owners)
        could_hold = (place for place in places if not set(kinds).isdisjoint(place.kinds))
        return any(self.is_closed(place) and place not in at.known for place in could_hold)


def places_with_faces_down(program: p.Program) -> frozenset[p.PlaceDecl]:
    """The open places in which a piece may lie face down: it was laid there so, or turned over where it may be."""
    found: set[p.PlaceDecl] = set()
    for rule in program.all_rules():
        for node in walk_rule(rule):
            if isinstance(node, p.Destination) and node.face == "down" and isinstance(node.place, p.PlaceRef):
                found.add(node.place.place)
            elif isinstance(node, p.Flip) and node.face == "down":
                turned = bare(node.piece.type)
                kinds = set(turned.kinds) if isinstance(turned, Piece) else set()
                found.update(place for place in program.places if kinds & set(place.kinds))
    return frozenset(place for place in found if place.visibility == "open")
