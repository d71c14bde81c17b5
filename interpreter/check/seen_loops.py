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
"""

from __future__ import annotations

from collections.abc import Collection

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
        return (
            at.known,
            at.revealed,
            at.behind,
            own,
            tuple(len(one) for one in noted),
            self.refused,
            self.looked_ahead_from,
        )

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
        if s.binder.where is None and (_is_everybody(s.binder.source) or _goes_over_the_index(s)):
            return frozenset((in_place_of(path, each, EVERY), reader) for path, reader in of_each)  # type: ignore[misc]
        if not isinstance(bare(s.binder.local.type), Player):
            return frozenset()
        if s.binder.where is None and isinstance(s.binder.source, p.SetList):
            named = [one for one in s.binder.source.items if isinstance(bare(one.type), Player)]
            seats = [self.symbol(one, at) for one in named if not mentions_any(self.symbol(one, at), at.changed)]
            return frozenset((in_place_of(path, each, seat), reader) for seat in seats for path, reader in of_each)  # type: ignore[misc]
        base, asked = self.filter_path(s.binder, (), at)
        if mentions_any((base, asked), at.changed):
            return frozenset()  # afterwards the condition holds for others
        own = at.symbols.get(s.binder.local, each)  # with the seats that it surely is not
        return frozenset((("of", base, asked, in_place_of(path, own, IT)), reader) for path, reader in of_each)

    def _begin_pass(self, s: Loop, at: Known) -> None:
        match s:
            case p.For(binder=binder):
                if s.ordered_by is not None:
                    self.offered(binder, self.symbol(s.ordered_by, at), at)
                    self.not_at_once(binder, "gone through in an order of one's own")
                self._next_one(binder, at)
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


def _is_everybody(source: p.Expr) -> bool:
    return isinstance(source, p.Players) and source.which in ("players", "everybody")


def _goes_over_the_index(s: p.For) -> bool:
    """`for l in Land` / `reveal p.order[l]`, where the field has an index `Land`: what is revealed of each is known of
    all. A loop over a part of an enum would leave some out."""
    if not isinstance(s.binder.source, p.AllOf):
        return False
    local, reads = s.binder.local, [part for part in walk(s.body) if isinstance(part, p.FieldRead)]
    indexed = [
        dimension
        for read in reads
        for dimension, index in zip(read.field.dimensions, read.indexes, strict=True)
        if isinstance(index, p.LocalVar) and index.local is local
    ]
    spoken_of = sum(isinstance(part, p.LocalVar) and part.local is local for part in walk(s.body))
    return len(indexed) == spoken_of and all(dimension.type == local.type for dimension in indexed)
