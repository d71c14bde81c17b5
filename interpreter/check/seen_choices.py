"""Decisions, as the visibility pass follows them: what they rest on, and what they show once made.

A choice made openly shows what was chosen; `secretly` keeps it with the player. A decision of a player may stand
behind that player's own secret only if it is a `may`: with nothing but *pass* nobody notices.
"""

from __future__ import annotations

from dataclasses import replace

from . import program as p
from .leaks import Leaks
from .levels import OPEN, Info, Known, Symbol, element, seat_level


class SeenChoices(Leaks):
    def block(self, block: p.Block, at: Known) -> None:
        """Follows a block: given by the pass."""
        raise AssertionError

    def inner(self, block: p.Block | None, inner: Known, at: Known) -> None:
        """A block of its own, or the rest of the enclosing one: then its names live on in `at`."""
        if block is not None:
            self.block(block, inner)
        at.known, at.revealed = inner.known, inner.revealed
        if block is None:
            at.locals.update(inner.locals)
            at.symbols.update(inner.symbols)

    def alternatives(self, paths: list[Known], at: Known) -> None:
        """Several paths come together again."""
        for number, path in enumerate(paths):
            if number == 0:
                at.known, at.revealed = path.known, path.revealed
            else:
                at.known &= path.known
                at.revealed &= path.revealed

    def bind_choice(self, binders: tuple[p.Binder, ...], player: Symbol, at: Known, *, secretly: bool) -> Known:
        """Checks what a decision offers, and gives what is known once it is made."""
        offered, made = at.copy(), at.copy()
        for binder in binders:
            elements, offered = self.offered(binder, player, offered)
            made.locals[binder.local] = self._chosen(elements, binder, player, secretly)
            made.symbols[binder.local] = ("local", id(binder.local))
            made.revealed -= {("local", id(binder.local))}
        made.behind, made.because = self._after_deciding(at, player)
        return made

    def offered(self, binder: p.Binder, player: Symbol, at: Known) -> tuple[Info, Known]:
        """The set of a binder, from which the player chooses."""
        source = self.info(binder.source, at)
        if not self.may_know(source.handle, player) and source.origin is not None:
            self._unseen(binder)
            return source, at.bound(binder.local, element(source, binder.local.type))
        self.known_to_chooser(binder.source, source.level | source.handle, player)
        elements, inner = self.binder(binder, at)
        self.known_to_chooser(binder.where, self.level(binder.where, inner), player)
        self.known_to_chooser(binder.key, self.level(binder.key, inner), player)
        return elements, inner

    def _unseen(self, binder: p.Binder) -> None:
        self.report(
            "R0514",
            "pieces that nobody there can see cannot be chosen",
            binder.source.span,
            "they lie in no order, so there is nothing to point at",
            binder.source,
            "`pick … at random` lets chance take one",
        )

    def _chosen(self, elements: Info, binder: p.Binder, player: Symbol, secretly: bool) -> Info:
        own = seat_level(player)
        if secretly:
            return replace(element(elements, binder.local.type), level=own, identity=elements.identity | own)
        identity = OPEN if elements.identity <= own else elements.identity
        return Info(OPEN, OPEN, identity, elements.origin)

    def _after_deciding(self, at: Known, player: Symbol) -> tuple[frozenset[Symbol], p.Expr | None]:
        """The player's own secrets stand behind the choice no longer: it was made before all."""
        return (OPEN, None) if at.behind <= seat_level(player) else (at.behind, at.because)

    # ------------------------------------------------------------------------ the forms

    def choose(self, s: p.Choose, at: Known) -> None:
        self.happens(s, at)
        player = self.symbol(s.player, at)
        self.text_for(s.text, player, at)
        made = self.bind_choice(s.binders, player, at, secretly=s.secretly)
        self.inner(s.body, made, at)

    def choose_set(self, s: p.ChooseSet, at: Known) -> None:
        self.happens(s, at)
        player = self.symbol(s.player, at)
        self.text_for(s.text, player, at)
        for bound in (s.low, s.high):
            self.known_to_chooser(bound, self.level(bound, at), player)
        elements, _ = self.offered(s.binder, player, at)
        own = seat_level(player)
        trying = at.bound(s.chosen, Info(own, own, elements.identity, elements.origin))
        self.known_to_chooser(s.such_that, self.level(s.such_that, trying), player)
        one = self._chosen(elements, s.binder, player, s.secretly)
        made = at.bound(s.chosen, Info(one.level, one.level, one.identity, one.origin))
        made.behind, made.because = self._after_deciding(at, player)
        self.inner(s.body, made, at)

    def choose_one(self, s: p.ChooseOne | p.AnyOrder, at: Known) -> None:
        self.happens(s, at)
        player = self.symbol(s.player, at)
        if isinstance(s, p.ChooseOne):
            self.text_for(s.text, player, at)
        self.alternatives([self.branch(branch, player, at) for branch in s.branches], at)

    def may(self, s: p.May, at: Known) -> None:
        player = self.symbol(s.player, at)
        if not self.may_know(at.behind, player):
            self.happens(s, at)
        taken, passed = self.branch(s.branch, player, at), at.copy()
        if s.repeatedly:
            taken.meet(at)
            taken = self.branch(s.branch, player, taken)
        self.block(s.otherwise, passed)
        self.alternatives([taken, passed], at)

    def branch(self, branch: p.BranchDecl, player: Symbol, at: Known) -> Known:
        offered = at.copy()
        for binder in branch.binders:
            offered.locals[binder.local] = self.binder(binder, offered)[1].locals[binder.local]
        made = self.bind_choice(branch.binders, player, at, secretly=False)
        self.known_to_chooser(branch.condition, self.level(branch.condition, offered), player)
        self.text_for(branch.label, player, offered)
        self.block(branch.body, made)
        return made

    def pick(self, s: p.Pick, at: Known) -> None:
        """The game takes one; whoever looks on sees which."""
        self.happens(s, at)
        source = self.info(s.binder.source, at)
        elements, inner = self.binder(s.binder, at)
        if self.level(s.binder.where, inner) or source.level:
            self.turns_on_secret(s.binder.where or s.binder.source, s.span)
        elif source.handle and not s.at_random:
            self._unseen(s.binder)
        for condition in (*s.preferring, s.binder.key):
            self.openly(condition, inner)
        made = at.bound(s.binder.local, Info(OPEN, OPEN, elements.identity, elements.origin))
        made.revealed -= {("local", id(s.binder.local))}
        self.inner(s.body, made, at)
