"""Loops, as the visibility pass follows them: how often they run, in which order, and what they have shown."""

from __future__ import annotations

from . import program as p
from .forms import Flow, flow
from .known import ALL, EVERY, OPEN, PUBLIC, Info, Known, Symbol, element, in_place_of, mentions, mentions_any
from .seen_state import SeenState
from .walk import statements


class SeenLoops(SeenState):
    def stand_behind(self, condition: p.Expr | None, at: Known) -> None:
        """From here on, what happens is due to this condition."""
        if condition is not None and (level := self.level(condition, at)):
            at.behind, at.because = at.behind | level, condition

    def loop(self, s: p.Stmt, at: Known) -> None:
        """Twice, so that what the first pass makes unknown is unknown in the second."""
        for _ in range(2):
            inner = at.copy()
            inner.written = frozenset()
            actor, decider = self.actor, self.decider
            body = self._begin_pass(s, inner)
            if inner.behind != at.behind:
                self.unseen_turns.add(s)
            self.block(body, inner)
            # Nobody looks ahead further than to the end of a pass.
            self.actor, self.decider = actor, decider
            shown = self._shown_of_all(s, inner)
            inner.meet(at)
            at.take(inner)
            at.revealed |= shown
            if isinstance(s, p.Together):
                self.end_together()

    def _shown_of_all(self, s: p.Stmt, at: Known) -> frozenset[tuple[Symbol, Symbol]]:
        """What a loop has revealed of each thing it goes over: `for q in players` / `reveal q.bid`, or `for c in
        p.hand where …` / `reveal c`. Not if a pass may be left out, or may change what another has revealed."""
        if not isinstance(s, p.For) or any(flow(inner) is not Flow.on for inner in statements(s.body)):
            return frozenset()
        each = ("local", id(s.binder.local))
        changed = frozenset(identity for identity, owner in at.written if owner != each)
        paths = {(path, reader) for path, reader in at.revealed if not mentions_any(path, changed)}
        if any((each, reader) in paths for reader in (ALL,)):
            return frozenset([(("filter", *self.filter_path(s.binder, (), at)), ALL)])
        if s.binder.where is not None or not _is_everybody(s.binder.source):
            return frozenset()
        return frozenset(
            (in_place_of(path, each, EVERY), reader)  # type: ignore[misc]
            for path, reader in paths
            if mentions(path, each) and reader != each
        )

    def _begin_pass(self, s: p.Stmt, at: Known) -> p.Block:
        match s:
            case p.For(binder=binder):
                if s.ordered_by is not None:
                    self.offered(binder, self.symbol(s.ordered_by, at), at)
                self._next_one(binder, at)
                return s.body
            case p.Walk(local=local, place=place):
                at.bind(local, Info(self.level(place, at), OPEN, self.info(place, at).identity, place.place))
                return s.body
            case p.Repeat(times=times):
                self.openly(times, at)
                return s.body
            case p.While(condition=condition, at_most=at_most):
                self.stand_behind(condition, at)
                self.stand_behind(at_most, at)
                return s.body
            case p.InTurn(local=local):
                self.openly(s.start, at)
                at.bind(local, PUBLIC)
                self.actor = at.symbols[local]
                for asked in (s.skipping, s.until):
                    self.openly(asked, at)
                return s.body
            case p.Together(local=local):
                self.openly(s.source, at)
                at.bind(local, PUBLIC)
                self.together = self.actor = at.symbols[local]
                self.decider = None
                self.text_for(s.text, self.actor, at)
                self._values.clear()
                return s.body
            case _:
                raise AssertionError(s)

    def _next_one(self, binder: p.Binder, at: Known) -> None:
        """All of them are gone over, so being the next one tells nothing, unless the order does. How many passes
        there are tells what decides it."""
        elements, inner = self.binder(binder, at)
        one = element(elements, binder.local.type)
        at.bind(binder.local, Info(self.level(binder.key, inner), OPEN, one.identity, one.origin))
        if elements.level:
            at.behind, at.because = at.behind | elements.level, binder.where or binder.source


def _is_everybody(source: p.Expr) -> bool:
    return isinstance(source, p.Players) and source.which in ("players", "everybody")
