"""What statements change, as the visibility pass follows them: fields, counters, dice, pieces, and what is revealed.

A field or die takes only what all know who may see it there:

    p.bid = (top of deck).rank        # R0513: p sees `bid`, and would learn the top card from it

A piece that goes from place to place is seen by whoever sees one of the two. If both are closed, all see that a piece
moves, and not which. Where the rules may refuse (`lose 3 coins`), whoever looks ahead to that line learns by the
options on offer whether they would. Loops are in `seen_loops`.
"""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from . import program as p
from .forms import kinds_in
from .known import ALL, NOBODY, OPEN, Info, Known, Level, Symbol, may_know, seat_level, within
from .leaks import SAY_WHOSE
from .unseen_values import UnseenValues
from .value_types import Flag, Number, Piece, Player, SetOf, bare

_UP_TO = "`lose up to` is never refused, and so tells nothing; or `reveal` what is held before"

_BY_PLACE = (
    "a field of a piece tells which piece it is; keep the mark where the piece lies, in a field with the same index "
    "as a row of slots (`rack: slots(5) of …`, `told[1..5]: flag`), or `reveal` the piece before"
)

Unseen = dict[tuple[str, p.PlaceDecl], frozenset[str]]  # (enters or leaves, place) -> kinds that move there unseen


class SeenState(UnseenValues):
    """`moved_unseen` and `spoiled` gather what this way through the program makes unknown; `unseen_writes`,
    `unseen_turns`, `worked_out` and `unseen_locals` what worlds must draw anew (`Program`)."""

    def __init__(self, program: p.Program, found: Diagnostics, unseen: Unseen) -> None:
        super().__init__(program, found)
        self.moved_unseen: Unseen = dict(unseen)
        self.spoiled: set[p.PlaceDecl] = set()
        self.unseen_writes: set[p.Stmt] = set()
        self.unseen_turns: set[p.Stmt] = set()
        self.worked_out: set[p.Stmt] = set()
        self.written_as_chosen: list[tuple[p.Stmt, p.LocalDecl]] = []
        self.unseen_locals: set[p.LocalDecl] = set()
        # What goes to the box from a closed place: known to all since it was chosen openly, or in some call unseen.
        self.boxed_openly: set[p.Expr] = set()
        self.unseen_spots: dict[p.Node, p.LocalDecl | int | None] = {}
        self.boxed_unseen: set[p.Expr] = set()
        # What is moved from where all know that it lies in an order, and what in some call is not.
        self.from_spots: set[p.Expr] = set()
        self.from_no_spot: set[p.Expr] = set()

    def name(self, local: p.LocalDecl | None, info: Info, at: Known) -> None:
        if local is not None:
            at.bind(local, info)

    # ------------------------------------------------------------------------ fields

    def count(self, s: p.Gain | p.Lose, at: Known) -> None:
        """Counters. Losing more than there is is refused, and the refusal tells what there is."""
        for amount in s.amounts:
            if isinstance(s, p.Lose) and not s.up_to and not amount.fits:
                read = p.FieldRead(amount.field.type, s.span, amount.field, s.player, amount.indexes)
                self.may_refuse(read, self.level(read, at) | self.level(amount.amount, at), at, _UP_TO)
            self.change(amount.field, s.player, amount.indexes, amount.amount, s, at)

    def pay(self, s: p.Pay, at: Known) -> None:
        """Whether it can be paid is seen by whoever looks ahead; what is asked for, by all."""
        self.may_refuse(p.CanPay(Flag(), s.span, s.player, s.costs), self.means(s.player, s.costs, at), at)
        for cost in s.costs:
            self.openly(cost.amount, at)
            fields = [cost.field] if cost.field is not None else []
            fields += [one.field for one in cost.currency.sources if one.field] if cost.currency is not None else []
            for field in fields:
                self.writes(field, self.symbol(s.player, at), s.span, at)
                at.write(field, self.symbol(s.player, at))
                if s.to is not None:
                    at.write(field, self.symbol(s.to, at))
            for source in cost.currency.sources if cost.currency is not None else ():
                if isinstance(source.place, p.PlaceRef):
                    at.write(source.place.place, self.symbol(s.player, at))
                    self.holding_closed.add(source.place.place)
                    if isinstance(source.back_to, p.PlaceRef):
                        self.holding_closed.add(source.back_to.place)
                    if isinstance(source.back_to, p.Box) and self.is_closed(source.place.place):
                        self.program.boxed_unseen.update(source.place.place.kinds)

    def change(
        self, field: p.FieldDecl, owner: p.Expr | None, indexes: p.Exprs, value: p.Expr, s: p.Stmt, at: Known
    ) -> None:
        """A field takes a value, or is counted up or down by it."""
        may_write = self.writes(field, self.symbol(owner, at), s.span, at)
        allowed = self._seen_by(field, owner, at)
        for way in (owner, *indexes):
            if way is not None and not within(self.info(way, at).all, allowed):
                is_unseen_piece = way is owner and field.owner == "piece" and isinstance(bare(way.type), Piece)
                self.turns_on_secret(way, s.span, at, *([_BY_PLACE] if is_unseen_piece else []))
        # Whether a position was there before is answered to all, whoever may see the field itself.
        if field.is_history:
            self._kept(value, field.name.rpartition("_")[0], at)
            return
        if may_write:
            self._stored(value, allowed, field.name, field.visibility, s, at)
        if field.visibility != "open":
            self._for_worlds(owner, indexes, value, s, at)
            if _may_be_cut_short(field, s):
                self.unseen_writes.add(s)
                self.worked_out.add(s)
        is_seen = self.together is None and not at.behind and not self.info(value, at).all
        if is_seen and not any(self.info(way, at).all for way in (owner, *indexes) if way is not None):
            at.write_openly(field, self.symbol(owner, at))
        else:
            at.write(field, self.symbol(owner, at))
        self.rename_seats(at)

    def _seen_by(self, field: p.FieldDecl, owner: p.Expr | None, at: Known) -> Level:
        """Who sees what is stored there. Of a piece whose owner the rules have just named (`b.owner == p`), p alone."""
        named = at.readers(("owner", self.symbol(owner, at)))
        is_secret_of_piece = field.visibility == "secret" and field.owner == "piece"
        return frozenset([named]) if is_secret_of_piece and named else self.field_level(field, owner, at)

    def _for_worlds(self, owner: p.Expr | None, indexes: p.Exprs, value: p.Expr, s: p.Stmt, at: Known) -> None:
        """Whether worlds may keep what is written here: not if it, or that it is written here, is somebody's secret."""
        if at.behind or self.info(value, at).all or self.is_from_chance(value) or self.is_from_closed(value, at):
            self.unseen_writes.add(s)
            # A number that goes into the field as it was chosen can be drawn from what was offered. Anything else has
            # to be worked out by running the rules again.
            if at.behind or not isinstance(value, p.LocalVar) or value.local in self.from_closed:
                self.worked_out.add(s)
            else:
                self.written_as_chosen.append((s, value.local))
        ways = [way for way in (owner, *indexes) if way is not None]
        # `pick q in players at random` / `q.is_spy = yes`: nobody has seen which of the fields was written.
        if any(self.info(way, at).all or self.is_from_chance(way) or self._is_lucky(way) for way in ways):
            self.unseen_writes.add(s)
            self.worked_out.add(s)
            self.unseen_turns.add(s)

    def _stored(self, value: p.Expr, allowed: Level, name: str, visibility: str, s: p.Stmt, at: Known) -> None:
        """What a field or a die takes: only what all know who may see it there. A piece shows its face."""
        if not within(at.behind, allowed):
            self.turns_on_secret(at.because, s.span, at, to_owner=visibility == "secret")
        if not within(self.info(value, at).all, allowed):
            is_secret = visibility == "secret"
            what = f"a secret is stored in `{name}`, which {'its owner' if is_secret else 'others'} can see"
            who = "its owner sees" if is_secret else "others see" if allowed else "all players see"
            label = f"{who} `{name}`, and would learn this from it"
            help = f"make `{name}` secret, `reveal` the value before, or say `public(…)`"
            if is_secret:
                help = (
                    f"make `{name}` hidden, or `reveal` to its owner what this rests on; a number that was chosen "
                    "`secretly` goes into a secret field of its player first"
                )
                if any(seat[0] == "owner" for secret in allowed for seat in secret):
                    help = SAY_WHOSE
            self.report("R0513", what, value.span, label, value, help, at)

    def _kept(self, value: p.Expr, name: str, at: Known) -> None:
        """What a history keeps: whether a position was there before is told to all."""
        if not within(self.info(value, at).all, OPEN):
            help = "let only what all can see make up the position"
            what = f"a secret is part of the history `{name}`"
            label = "all may learn whether the position was there before"
            self.report("R0513", what, value.span, label, value, help, at)

    # ------------------------------------------------------------------------ dice

    def set_face(self, s: p.SetFace, at: Known) -> None:
        die = self.info(s.die, at)
        decl = _dice_of(s.die)
        allowed = die.identity if decl is None else self.field_level(decl, s.die.owner, at)  # type: ignore[attr-defined]
        if not within(die.level, allowed):
            self.turns_on_secret(s.die, s.span, at)
        name, visibility = ("the die", "open") if decl is None else (decl.name, decl.visibility)
        self._stored(s.value, allowed, name, visibility, s, at)
        if decl is None or decl.visibility != "open":
            self._for_worlds(None, (s.die,), s.value, s, at)
            self.worked_out.update(self.unseen_writes & {s})
        self.forget_dice(s.die, at)

    def set_back(self, fields: tuple[p.FieldDecl, ...], at: Known) -> None:
        """Fields that name a seat name the first one again (`whose: player this round = seat1`). What they hold then
        is known to all, but the seats that they named have other names from here on."""
        for field in fields:
            if isinstance(bare(field.type), Player):
                at.write_openly(field, ("table",))
        self.rename_seats(at)

    def forget_dice(self, dice: p.Expr, at: Known) -> None:
        """Dice show something else; of a die that only has a name here it may be any."""
        decl = _dice_of(dice)
        owner = self.symbol(dice.owner, at) if decl is not None else ("elsewhere",)  # type: ignore[attr-defined]
        for field in self.program.fields if decl is None else (decl,):
            if field.is_dice:
                if decl is not None:
                    self.writes(field, owner, dice.span, at)
                at.write(field, owner)

    # ------------------------------------------------------------------------ pieces

    def stays_unseen(self, info: Info, to: p.Destination, at: Known) -> bool:
        """Something goes from one closed place to another: all see that, and not which. Whoever chose it knows it, or
        the one who sees it there; nobody has to know it where nobody sees it."""
        if not isinstance(to.place, p.PlaceRef):
            return False
        is_down = to.face == "down" and to.place.place.visibility == "open"
        if not is_down and to.place.place.visibility not in ("secret", "hidden"):
            return False
        if info.origin is None or info.origin.visibility == "open" or info.origin.is_ordered:
            return False  # all see which one goes
        if info.by_choice or is_down or to.place.place.visibility == "hidden" or to.place.owner is None:
            return True
        return may_know(info.level, self.symbol(to.place.owner, at))

    def move(
        self, pieces: p.Expr, info: Info, to: p.Destination, span: Span, at: Known, own: Known | None = None
    ) -> None:
        """`own`: what is known where the destination speaks of the piece."""
        place = to.place.place if isinstance(to.place, p.PlaceRef) else None
        kinds = frozenset(kinds_in(pieces.type))
        info = self._unless_by_chance(pieces, info, to, at)
        self._note_spot(pieces, info)
        if self._is_unshown(info):
            closed = [one for one in (info.origin, place) if one is not None and self.is_closed(one)]
            self.holding_closed.update(closed)
            if place is not None and not _is_laid_openly(place, to):
                self.laid_unseen.update(closed)
        if info.origin is not None:
            self._leaves(info.origin, info, span, pieces, to, at)
        if info.identity and (info.origin is None or isinstance(to.place, p.Box)):
            self.program.boxed_unseen.update(kinds)
        if isinstance(to.place, p.Box) and info.origin is not None and self.is_closed(info.origin):
            # A choice made openly shows what was chosen, and what lies in the box all know.
            (self.boxed_openly if info.by_choice and not info.identity else self.boxed_unseen).add(pieces)
        if isinstance(to.place, p.PlaceRef) and place is not None:
            # How many lie there tells something only if it may be full.
            for part in (to.place,) if place.limited else (to.place.owner, *to.place.indexes, to.place.slot):
                self.openly(part, at if own is None else own)
            self._goes_behind(to, to.place, at if own is None else own)
            owner = self.symbol(to.place.owner, at)
            self.writes(place, owner, span, at)
            is_known = self._is_seen_there(to) or (self._all_know(pieces, info) and to.face != "down")
            (at.pass_openly if is_known else at.write)(place, owner)
            if info.identity and (place.visibility != "open" or to.face == "down"):
                self._note_unseen("enters", place, kinds)
                self.spoil(place, at)
            if isinstance(pieces, p.LocalVar):
                at.bind(pieces.local, self._there(pieces, info, to.place, at, to.face))

    def _goes_behind(self, to: p.Destination, there: p.PlaceRef, at: Known) -> None:
        """`move c to deck after deck[n]`: who sees the order of the place sees behind which piece it goes. Where nobody
        does, a position that was chosen `secretly` stays with the one who chose it, and one that chance picked with
        nobody."""
        if to.behind is None:
            return
        level = self.level(to.behind, at)
        if there.place.visibility != "hidden":
            self.openly(to.behind, at)
        elif level or self.is_from_chance(to.behind):
            knower = self._knower(level, to.behind.span, at)
            # A rule that is called by several: if they do not agree who knows it, nobody does.
            if self.unseen_spots.setdefault(to, knower) != knower:
                self.unseen_spots[to] = None

    def _knower(self, level: Level, span: Span, at: Known) -> p.LocalDecl | int | None:
        """Somebody who may know this, as a name or the number of a seat; none of what chance has picked."""
        if not level:
            return None
        seats = [local for local in at.locals if isinstance(bare(local.type), Player)]
        named = (local for local in seats if may_know(level, self.symbol(p.LocalVar(local.type, span, local), at)))
        numbers = (one[1] for secret in level for one in secret if one[0] == "const" and may_know(level, one))
        return next(named, None) or next(numbers, None)  # type: ignore[return-value]

    def _note_spot(self, pieces: p.Expr, info: Info) -> None:
        """A name for pieces of a row or a pile, of which all know where they lie: somebody has pointed at them, or the
        rules go over the row. While players choose together nobody sees what goes."""
        if isinstance(pieces, p.LocalVar):
            is_seen = info.spot and not info.level and not info.handle and self.together is None
            by_chance = pieces.local in self.pieces_by_chance
            (self.from_spots if is_seen and not by_chance else self.from_no_spot).add(pieces)

    def _leaves(self, place: p.PlaceDecl, info: Info, span: Span, pieces: p.Expr, to: p.Destination, at: Known) -> None:
        ref: p.Expr | None = pieces if isinstance(pieces, p.PlaceRef) else None  # where the pieces are said to lie
        match pieces:
            case p.EndOf(of=of) | p.SlotPiece(place=of):
                ref = of
        owner: Symbol = ("elsewhere",)
        if isinstance(ref, p.PlaceRef):
            owner = self.symbol(ref.owner, at)
        elif ref is None and self.together is not None:
            owner = self.together
        self.writes(place, owner, span, at)
        # All see what goes and where to, so the rest of the place is known as well as before.
        is_seen = place.shape == "slot" or self._is_seen_there(to) or self._all_know(pieces, info)
        if not info.all and is_seen:
            at.pass_openly(place, owner)
        else:
            at.write(place, owner)
        if info.identity:
            self._note_unseen("leaves", place, frozenset(kinds_in(pieces.type)))
            # Out of an order all see from which spot it went. Out of a hand, any card may be missing now.
            if not place.is_ordered:
                self.spoil(place, at)

    def _all_know(self, pieces: p.Expr, info: Info) -> bool:
        """Whether all know which piece it is that moves here, wherever it goes: one that was revealed goes from hand to
        hand before all eyes. One that somebody openly chose out of a closed hand need not have been seen."""
        is_known = not info.all and not info.by_choice and not info.unshown
        return is_known and isinstance(pieces, p.LocalVar | p.Selected | p.PlaceRef) and self.together is None

    def _unless_by_chance(self, pieces: p.Expr, info: Info, to: p.Destination, at: Known) -> Info:
        """A piece that chance took out of what everybody knows (`pick c in Card at random`), and that goes to where not
        everybody sees it, is known to nobody there. On top of a pile that is open at its top, everybody sees it."""
        if info.identity or not isinstance(pieces, p.LocalVar) or pieces.local not in self.pieces_by_chance:
            return info
        place = to.place.place if isinstance(to.place, p.PlaceRef) else None
        on_top = place is not None and place.visibility == "top_open" and to.position != "on_bottom"
        if self._is_seen_there(to) or on_top or ALL in at.readers(self.symbol(pieces, at)):
            return info
        return replace(info, identity=NOBODY)

    def _is_seen_there(self, to: p.Destination) -> bool:
        """Whether all see a piece where it goes: in an open place also where others lie face down."""
        is_open = isinstance(to.place, p.PlaceRef) and to.place.place.visibility == "open"
        return is_open and to.face != "down" and self.together is None

    def _note_unseen(self, motion: str, place: p.PlaceDecl, kinds: frozenset[str]) -> None:
        key = (motion, place)
        self.moved_unseen[key] = self.moved_unseen.get(key, frozenset()) | kinds

    def _there(self, pieces: p.Expr, info: Info, to: p.PlaceRef, at: Known, face: str | None) -> Info:
        """What is known of pieces once they lie in a place: all who knew them still know them, and so do all who see
        them there. Face down nobody sees them."""
        identity = info.identity
        if info.identity and face != "down":
            identity = OPEN if to.place.visibility == "open" else self.place_level(to, at)
        is_set = isinstance(pieces.type, SetOf)
        unshown = self._is_unshown(info) and self.is_closed(to.place)
        handle = identity if is_set and not to.place.is_ordered else OPEN
        return Info(OPEN, handle, identity, to.place, unshown=unshown)

    def spoil(self, place: p.PlaceDecl, at: Known) -> None:
        if self.is_closed(place):
            at.known -= {place}
            self.spoiled.add(place)

    def draw(self, s: p.Draw, at: Known) -> None:
        self.openly(s.count, at)
        self.openly_there(s.source, at)
        info = self._drawn(s, at)
        self.move(s.source, info, s.to, s.span, at)
        if s.result is not None and isinstance(s.to.place, p.PlaceRef):
            result = p.LocalVar(s.result.type, s.span, s.result)
            self.name(s.result, self._there(result, info, s.to.place, at, s.to.face), at)

    def _drawn(self, s: p.Draw, at: Known) -> Info:
        """What is known of the pieces before they move. The first may have been revealed."""
        place = s.source.place
        if place.shape == "bag":
            return Info(identity=NOBODY, origin=place)
        # Only the top card may have been seen. Of two cards drawn at once, the second has not.
        one = isinstance(s.count.type, Number) and s.count.type.high <= 1
        top = ("end", "top", self.symbol(s.source, at))
        seen = one and (ALL in at.readers(top) or place.visibility == "top_open")
        return Info(identity=OPEN if seen else self.place_level(s.source, at), origin=place)

    def swap(self, s: p.SwapPlaces | p.SwapPieces | p.PassOn, at: Known) -> None:
        """All see what changes places; which piece is which is known no better than before."""
        sides: list[p.Expr] = [] if isinstance(s, p.PassOn) else [s.first, s.second]
        unknown = any(self.info(side, at).identity for side in sides)
        touched = [s.place] if isinstance(s, p.PassOn) else []
        for side in sides:
            if isinstance(side, p.PlaceRef):
                self.openly_there(side, at)
                touched.append(side.place)
            else:
                self.openly(side, at)
                touched += self._may_lie_in(side, at)
        for decl in touched:
            self.writes(decl, ("table",), s.span, at)
            at.write(decl, ("table",))
            at.lose_track(decl, mixed=False)
            if unknown or isinstance(s, p.PassOn):
                self._note_unseen("enters", decl, frozenset(decl.kinds))
                self.spoil(decl, at)

    def openly_there(self, ref: p.PlaceRef, at: Known) -> None:
        """All see which place it is."""
        for part in (ref.owner, *ref.indexes, ref.slot):
            self.openly(part, at)

    def _may_lie_in(self, piece: p.Expr, at: Known) -> list[p.PlaceDecl]:
        origin = self.info(piece, at).origin
        if origin is not None:
            return [origin]
        return [place for place in self.program.places if set(place.kinds) & set(kinds_in(piece.type))]

    # ------------------------------------------------------------------------ what is revealed

    def reveal(self, s: p.Reveal, at: Known) -> None:
        """Shows something to all, or to one player. Revealing part of a set tells of every piece in it whether it
        belongs to that part, but nothing else."""
        seen = s.pieces or s.field or s.dice
        if seen is None:
            return
        self.openly(s.to, at)
        reader = ALL if s.to is None else self.symbol(s.to, at)
        if not within(at.behind, OPEN if s.to is None else seat_level(reader)):
            self.turns_on_secret(at.because, s.span, at)
        self._what_else_is_told(seen, reader, s.span, at)
        at.show(self.symbol(seen, at), reader)
        if isinstance(seen, p.Selected) and seen.which == "all" and seen.best is None:
            at.show(("filter", *self.filter_path(seen.binder, (), at)), reader)
        self.decider = None  # nobody looks ahead past what is revealed

    def flip(self, s: p.Flip, at: Known) -> None:
        """All see which piece is turned over; face up, they see what it is."""
        self.openly(s.piece, at)
        if s.face == "up":
            at.show(self.symbol(s.piece, at), ALL)
            self.decider = None  # nobody looks ahead past what is turned up

    def _what_else_is_told(self, seen: p.Expr, reader: Symbol, span: Span, at: Known) -> None:
        """`reveal all c in p.hand where c.rank > (top of deck).rank` tells something of the deck."""
        info = self.info(seen, at)
        if isinstance(seen, p.FieldRead | p.DieRef):
            indexes = seen.indexes if isinstance(seen, p.FieldRead) else (seen.index,)
            told = self.way_to(seen.owner, indexes, at)
        else:
            told = (info.level | info.handle) - info.identity
        if told and not (reader != ALL and may_know(told, reader)):
            self.turns_on_secret(seen, span, at)


def _dice_of(dice: p.Expr) -> p.FieldDecl | None:
    return dice.field if isinstance(dice, p.DieRef | p.DiceGroup) else None


def _is_laid_openly(place: p.PlaceDecl, to: p.Destination) -> bool:
    """Whether all see the piece that comes there as it comes."""
    if place.visibility == "top_open":
        return to.position != "on_bottom" and to.behind is None
    return place.visibility == "open" and to.face != "down"


def _may_be_cut_short(field: p.FieldDecl, s: p.Stmt) -> bool:
    """Whether the amount of the change depends on what the field holds: `capped`, or `up to`. If not everybody sees the
    field, the others cannot tell what is in it afterwards, even if they know what was added or taken away."""
    match s:
        case p.SetField():
            return field.capped and s.op != "=" and not s.fits
        case p.Gain() | p.Lose():
            return (field.capped or s.up_to) and not all(one.fits for one in s.amounts if one.field is field)
        case _:
            return False
