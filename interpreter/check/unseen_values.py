"""Values that the rules may use openly, although nobody has seen them: what chance picked, and what a closed card says.

    choose c in p.hand                       pick n in 1..4 at random
    move c to heap                           weather = n
    p.noted = max(d.rank for d in heap)

All saw somebody choose the card, or that chance picked something, and so nothing is reported. But others do not know
what came of it, so worlds must work it out anew: here it is noted which names hold such a value, and which statements
turn on one.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from . import program as p
from .known import Info, Known
from .open_uses import TURNING, asked_by, is_open, note_told, spoken_of, told_holes
from .seen_choices import SeenChoices
from .value_types import Piece, bare
from .walk import walk


class UnseenValues(SeenChoices):
    """`by_chance` (see `SeenChoices`) are locals that hold a number picked at random or chosen inside `together`."""

    def __init__(self, program: p.Program, found: Diagnostics) -> None:
        super().__init__(program, found)
        self.pieces_by_chance: set[p.LocalDecl] = set()  # names of pieces picked at random
        # Numbers that rules read off a card which was chosen openly and stays closed, and what turns on such a card.
        self.from_closed: set[p.LocalDecl] = set()
        self.turned_on_closed: set[p.Stmt] = set()
        self.holding_closed: set[p.PlaceDecl] = set()  # places where such a card may lie, or is missing
        self.read_there: dict[p.LocalDecl, p.PlaceRef] = {}  # names for what the rules found in one of them
        self.used_there: dict[p.Stmt, p.PlaceRef] = {}  # what turns openly on that
        self.varying_picks: set[p.LocalDecl] = set()  # other things picked so, out of a set that not everybody knows
        self.gives_chance: set[p.RuleDecl] = set()  # rules whose result is such a number
        self.gives_closed: set[p.RuleDecl] = set()  # rules whose result was read off a card that stays closed

    def is_from_closed(self, value: p.Expr, at: Known) -> bool:
        """`choose c in p.hand` / `p.noted = c.rank`: the rules may use the card openly, and nobody has seen it."""
        names = [part.local for part in walk(value) if isinstance(part, p.LocalVar) and part is not value]
        is_named = any(self._is_unshown(at.locals[local]) for local in names if local in at.locals)
        return is_named or bool(self.closed_places_in(value, at))

    def closed_places_in(self, value: p.Expr, at: Known) -> list[p.PlaceRef]:
        """`choose c in p.hand` / `move c to heap` / `p.noted = max(d.rank for d in heap)`: the rules may use what lies
        there, and nobody has seen it."""
        places = at.known & self.holding_closed
        found = [part for part in walk(value) if isinstance(part, p.PlaceRef) and part.place in places]
        if found:
            at = at.copy()
            at.known -= places
        return found if found and self.info(value, at).all else []

    def _is_unshown(self, info: Info) -> bool:
        return info.unshown or (info.by_choice and info.origin is not None and self.is_closed(info.origin))

    def is_unshown_set(self, source: p.Expr, at: Known) -> bool:
        """`choose 2 c in p.hand as laid` / `for c in laid`."""
        return any(
            isinstance(part, p.LocalVar) and self._is_unshown(at.locals.get(part.local, Info()))
            for part in walk(source)
        )

    def name_number(self, local: p.LocalDecl, value: p.Expr, at: Known) -> None:
        """A name for what chance or an unseen card has given: nobody need have seen it under its new name either."""
        if self.is_from_chance(value):
            self.by_chance.add(local)
        elif self.is_from_closed(value, at) and not isinstance(bare(local.type), Piece):
            self.by_chance.add(local)
            self.from_closed.add(local)

    def _is_lucky(self, way: p.Expr) -> bool:
        return isinstance(way, p.LocalVar) and way.local in self.pieces_by_chance

    def picked_by_chance(self, s: p.Pick, at: Known) -> None:
        """`pick x in S where C at random`."""
        binder = s.binder
        if not s.at_random:
            return
        if isinstance(bare(binder.local.type), Piece):
            self.pieces_by_chance.add(binder.local)
            return
        self.by_chance.add(binder.local)
        _, inner = self.binder(binder, at)
        set_of = [part for part in (binder.source, binder.where) if part is not None]
        if any(self.info(part, inner).all or self.is_from_chance(part) for part in set_of):
            self.varying_picks.add(binder.local)
            self.turned_on_secret.add(binder.local)

    def is_from_chance(self, value: p.Expr) -> bool:
        unseen = self.by_chance | self.pieces_together
        return any(isinstance(part, p.LocalVar) and part.local in unseen for part in walk(value))

    def turns_on_closed(self, s: p.Stmt, asked: p.Expr | None, at: Known) -> None:
        """Notes a statement whose way others cannot see: a card that stays closed decides it."""
        if asked is not None and self.is_from_closed(asked, at):
            self.turned_on_closed.add(s)

    def uses_closed(self, s: p.Stmt, at: Known) -> None:
        """`let best = max(c.rank for c in heap)` / `if best > 2`: all see what the rules do, and nobody has seen the
        cards, although everybody saw somebody choose them."""
        if isinstance(s, p.Let):
            there = self._closed_place(s.value, at)
            if there is not None:
                self.read_there[s.local] = there
        elif isinstance(s, TURNING) and is_open(s):
            for part in asked_by(s):
                there = self._read_there(part, at)
                if there is not None:
                    self.used_there[s] = there
        elif isinstance(s, p.Say):
            for part in told_holes(s):
                if self._read_there(part, at) is not None:
                    note_told(self.program, s, part)

    def _read_there(self, part: p.Expr, at: Known) -> p.PlaceRef | None:
        """Such a place of which the expression speaks, or a name for what was read there."""
        names = (self.read_there[local] for local in spoken_of(part) if local in self.read_there)
        return next(names, None) or self._closed_place(part, at)

    def _closed_place(self, value: p.Expr, at: Known) -> p.PlaceRef | None:
        """Such a place, if it has a name outside the expression: not that of each player in turn."""
        found = self.closed_places_in(value, at)
        return next((one for one in found if all(local in at.locals for local in spoken_of(one))), None)
