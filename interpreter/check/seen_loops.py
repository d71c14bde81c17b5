"""What loops tell, as the visibility pass follows them. Everybody sees how often a loop runs, and in which order.

A body is followed twice, because the end of one pass is the beginning of the next:

    reveal top of deck
    for q in players
      if (top of deck).rank > 3      # R0512: in the second pass the top is not the card that was revealed
        q gains 1 coins
      move top of deck to discard

What a loop reveals of each thing it goes over is known of all of them afterwards (`for q in players` / `reveal
q.bid`), and so a later condition may turn on all bids. That is only so if no pass can be cut short, and if no pass
changes what another one has revealed.

    for p in players, u in p.army
      reveal u.order

What such a loop over pieces, spaces or an enum has shown is kept as the path `("of", base, conditions, path)`: of
everything in the base that meets the conditions, all know the path, in which the thing itself is `IT`. Two things are
worked out for it: which loops say so at all, and which say it of everything that has such a field (then `EVERY` stands
for the thing, and no matter by which way the rules come to one of them, the path is known).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from . import program as p
from .forms import Flow, flow
from .known import (
    ALL,
    EVERY,
    IT,
    OPEN,
    PUBLIC,
    Info,
    Known,
    Symbol,
    element,
    in_place_of,
    mentions,
    mentions_any,
)
from .seen_state import SeenState
from .value_types import Die, Piece, Player, bare
from .walk import statements, walk

Loop = p.For | p.Walk | p.Repeat | p.While | p.InTurn | p.Together


class SeenLoops(SeenState):
    def stand_behind(self, condition: p.Expr | None, at: Known) -> None:
        """From here on, what happens is due to this condition."""
        if condition is not None and (level := self.level(condition, at)):
            at.stand_behind(level, condition)

    def loop(self, s: Loop, at: Known) -> None:
        """Follows the body twice, so that what the first pass makes unknown is unknown in the second. Where it makes no
        difference to anything, once is enough: else a statement in ten loops would be looked at a thousand times."""
        for _ in range(2):
            before = self.noticed(at, at.locals)
            inner = at.copy()
            inner.written = frozenset()
            actor, decider = self.actor, self.decider
            self._begin_pass(s, inner)
            if inner.behind != at.behind:
                self.unseen_turns.add(s)
            self.block(s.body, inner)
            # Nobody looks ahead further than to the end of a pass.
            self.actor, self.decider = actor, decider
            shown = self._shown_of_all(s, inner)
            inner.meet(at)
            at.take(inner)
            self.rename_seats(at)
            at.revealed |= shown
            if isinstance(s, p.Together):
                self.end_together()
            if self.noticed(at, at.locals) == before:
                return

    def noticed(self, at: Known, names: Collection[p.LocalDecl]) -> object:
        # What the pass itself notes only grows, so its size tells whether anything has come.
        noted = (
            self.by_chance, self.pieces_together, self.pieces_by_chance, self.from_closed, self.holding_closed,
            self.laid_unseen, self.read_there, self.gives_chance, self.gives_closed, self.program.boxed_unseen,
            self.turned_on_secret,
        )  # fmt: skip
        own = tuple(at.locals.get(local) for local in names)
        sizes = tuple(len(one) for one in noted)
        return (at.known, at.revealed, at.behind, own, sizes, self.refused, self.looked_ahead_from)

    def _shown_of_all(self, s: p.Stmt, at: Known) -> frozenset[tuple[Symbol, Symbol]]:
        """What a loop has revealed of each thing it goes over: `for q in players` / `reveal q.bid`, of some of them
        `for q in players where …` or `for q in (p, foe)`, or `for c in p.hand where …` / `reveal c`. Not if a pass may
        be left out, or may change what another has revealed."""
        # After `for q in players` / `if q.out` / `stop` / `reveal q.bid`, nobody can say of how many players the bid
        # was shown.
        if not isinstance(s, p.For) or any(flow(inner) is not Flow.on for inner in statements(s.body)):
            return frozenset()
        each = ("local", id(s.binder.local))
        # What a pass writes of its own player (`q.bid = 0`) leaves the bids of the others as they were shown.
        changed = frozenset(identity for identity, owner in at.written if owner != each)
        paths = {(path, reader) for path, reader in at.revealed if not mentions_any(path, changed)}
        if (each, ALL) in paths:
            return frozenset([(("filter", *self.filter_path(s.binder, (), at)), ALL)])
        of_each = [(path, reader) for path, reader in paths if mentions(path, each) and reader != each]
        over, is_whole = s.binder.source, s.binder.where is None
        if is_whole and isinstance(over, p.Players) and over.which in ("players", "everybody"):
            of_every = [(in_place_of(path, each, EVERY), reader) for path, reader in of_each]
            return frozenset((of_every_player(self.program, path), reader) for path, reader in of_every)  # type: ignore[arg-type]
        if not isinstance(bare(s.binder.local.type), Player):
            return frozenset(self._shown_of_things(s.binder, each, of_each, at))
        if is_whole and isinstance(over, p.SetList):
            named = [one for one in over.items if isinstance(bare(one.type), Player)]
            seats = [self.symbol(one, at) for one in named if not mentions_any(self.symbol(one, at), at.changed)]
            return frozenset((in_place_of(path, each, seat), reader) for seat in seats for path, reader in of_each)  # type: ignore[misc]
        base, asked = self.filter_path(s.binder, (), at)
        if mentions_any((base, asked), at.changed):
            return frozenset()  # afterwards the condition holds for others
        own = at.symbols.get(s.binder.local, each)  # with the seats that it surely is not
        return frozenset((("of", base, asked, in_place_of(path, own, IT)), reader) for path, reader in of_each)

    def _shown_of_things(
        self, binder: p.Binder, each: Symbol, of_each: list[tuple[Symbol, Symbol]], at: Known
    ) -> Iterator[tuple[Symbol, Symbol]]:
        """The same for pieces, spaces and values of an enum: of all that there are, or of those in the same place."""
        whole = binder.source.domain if isinstance(binder.source, p.AllOf) and binder.where is None else ()
        base, asked = self.filter_path(binder, (), at)
        is_steady = says_what_it_rests_on(binder) and not mentions_any((base, asked), at.changed)
        for path, reader in of_each:
            of_all = of_everything(self.program, path, each, whole)
            if of_all is not None:
                yield of_all, reader
            elif is_steady and path[0] != "of" and at.locals[binder.local].is_open:
                yield ("of", base, asked, in_place_of(path, each, IT)), reader

    def is_shown_by_condition(self, s: p.If, at: Known, then: Known) -> bool:
        """`reveal all c in p.hand where C`, then `for c in p.hand` / `if C`: whether all know of each card if C holds.
        They know which card it is where it does, which is noted in `then`."""
        binder = self.asked_first.get(s)
        if binder is None or not isinstance(bare(binder.local.type), Piece):
            return False
        if not self._filters_shown(binder, (s.condition,), at):
            return False
        piece = p.LocalVar(binder.local.type, s.span, binder.local)
        inner = at.copy()
        inner.show(self.symbol(piece, inner), ALL)
        if self.level(s.condition, inner):
            return False
        then.show(self.symbol(piece, then), ALL)
        return True

    def _begin_pass(self, s: Loop, at: Known) -> None:
        match s:
            case p.For(binder=binder):
                if s.ordered_by is not None:
                    self.offered(binder, self.symbol(s.ordered_by, at), at)
                    self.not_at_once(binder, "gone through in an order of one's own")
                self._next_one(binder, at)
                if s.body and isinstance(first := s.body[0], p.If):
                    self.asked_first[first] = binder
            case p.Walk(local=local, place=place):
                at.bind(local, Info(self.level(place, at), OPEN, self.info(place, at).identity, place.place))
            case p.Repeat(times=times):
                self.openly(times, at)
                self.turns_on_closed(s, times, at)
            case p.While(condition=condition, at_most=at_most):
                self.turns_on_closed(s, condition, at)
                self.stand_behind(condition, at)
                self.stand_behind(at_most, at)
            case p.InTurn(local=local):
                self.openly(s.start, at)
                at.bind(local, PUBLIC)
                self.actor = at.symbols[local]
                for asked in (s.skipping, s.until):
                    self.openly(asked, at)
            case p.Together(local=local):
                self.openly(s.source, at)
                at.bind(local, PUBLIC)
                self.together = self.actor = at.symbols[local]
                self.decider = None
                self.text_for(s.text, self.actor, at)
                # Values that were looked at before do not count as read inside the block, and must be looked at again
                # there.
                self._values.clear()

    def _next_one(self, binder: p.Binder, at: Known) -> None:
        """Every piece gets its turn, so being the next one tells nothing, unless the order does; a number or a space is
        all that there is to know. The number of passes tells what decides it."""
        elements, inner = self.binder(binder, at)
        one = element(elements, binder.local.type)
        apart = self.apart(binder, at)
        which = OPEN if isinstance(bare(binder.local.type), Piece | Die) else self.source(binder, at).handle
        level = which | self.level(binder.key, inner)
        unshown = self.is_unshown_set(binder.source, at)
        at.bind(binder.local, Info(level, OPEN, one.identity, one.origin, unshown=unshown), apart=apart)
        at.revealed |= self.owners(binder.where, at) | self.shown_of_these(binder, (), at)
        if binder.where is not None and isinstance(bare(binder.local.type), Piece):
            self.gone_over[binder.where] = binder
        if elements.level:
            at.stand_behind(elements.level, binder.where or binder.source)


# What a condition may consist of: its symbol holds all fields and places that it rests on, so that it is forgotten when
# one of them changes. `at(u) == s` does not say which places it looks into.
_STEADY = (
    p.AttributeOf, p.FieldRead, p.PlaceRef, p.LocalVar, p.Const, p.InRange, p.Compare, p.Logic, p.Not, p.IsNone,
    p.IsEmpty, p.IsKind, p.Arithmetic,
)  # fmt: skip


def says_what_it_rests_on(binder: p.Binder) -> bool:
    """Whether what a loop goes over is void as soon as something changes that decides it."""
    if not isinstance(binder.source, p.PlaceRef | p.AllOf):
        return False
    asked = [] if binder.where is None else [part for part in walk(binder.where) if isinstance(part, p.Expr)]
    return all(isinstance(part, _STEADY) for part in asked)


def of_everything(program: p.Program, path: Symbol, each: Symbol, domain: tuple[int, ...]) -> Symbol | None:
    """What was shown of each thing in a loop over a whole type, with EVERY for it: `for l in Land` / `reveal
    p.order[l]`. None if others have such a field as well."""
    return in_place_of(path, each, EVERY) if _has_all(program, path, each, frozenset(domain)) else None  # type: ignore[return-value]


def of_every_player(program: p.Program, path: Symbol) -> Symbol:
    """A path in which a loop over all players has put EVERY for the player. `for p in players, u in Unit where u.owner
    == p` goes over all units."""
    if path[0] != "of":
        return path
    _, base, asked, inner = path
    owners = {id(table) for table in program.attributes if table.name == "owner" and table.type == Player()}
    asked = tuple(part for part in asked if not _belongs_to_one(part, owners))  # type: ignore[attr-defined]
    if not asked and base[0] == "AllOf":  # type: ignore[index]
        return of_everything(program, inner, IT, base[1]) or ("of", base, asked, inner)  # type: ignore[arg-type, index]
    return ("of", base, asked, inner)


def _belongs_to_one(condition: Symbol, owners: set[int]) -> bool:
    """Whether a condition says that the owner is one of all players, which every owner is."""
    match condition:
        case ("Compare", "==", ("AttributeOf", int() as table, of, ()), seat):
            return table in owners and of == IT and seat == EVERY
        case ("Compare", "==", seat, ("AttributeOf", int() as table, of, ())):
            return table in owners and of == IT and seat == EVERY
    return False


def _has_all(program: p.Program, path: object, each: Symbol, domain: frozenset[int]) -> bool:
    """Whether `each` stands in a path only where it is one of those numbers: as the owner of a field or place that no
    others have, or as an index."""
    match path:
        case ("field" | "dice" | "place", int() as identity, owner, *more):
            state: list[p.StateDecl] = [*program.fields, *program.places]
            decl = next(one for one in state if id(one) == identity)
            indexes = more[0] if more and isinstance(more[0], tuple) else ()
            stands = [(owner, decl.owner_dimension), *zip(indexes, decl.dimensions, strict=False)]
            return not mentions(tuple(more[1:]), each) and all(_is_any(part, each, of, domain) for part, of in stands)
        case ("piece", inner) | ("end", _, inner):
            return _has_all(program, inner, each, domain)
        case ("of", base, (), inner) if each != IT:
            return all(not mentions(part, each) or _has_all(program, part, each, domain) for part in (base, inner))
    return False


def _is_any(part: object, each: Symbol, of: p.Dimension | None, domain: frozenset[int]) -> bool:
    if part == each:
        return of is not None and domain.issuperset(range(of.low, of.low + of.size))
    return not mentions(part, each)
