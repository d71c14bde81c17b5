"""Decisions, as the visibility pass follows them: what they rest on, and what they show once made.

A choice made openly shows what was chosen; `secretly` keeps it with the player. Whether a decision is asked at all may
rest on its player's own secret only if it is a `may`: a player who can only pass is not asked, and nobody notices.

    if some c in p.hand has c.rank == 1
      p may "Show an ace"             # right: others cannot tell a player who passes from one who has no ace
      choose n in 1..3                # R0512: all see that p is asked

Inside `together` nobody sees who is asked, so there every decision may rest on a secret of its player. What follows it
does so too: a card that goes away is counted when all are through.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..diagnostics.diagnostic import Diagnostics
from . import program as p
from .boxed import is_all_of_box, kinds_asked_for, says_where
from .known import ALL, NOBODY, OPEN, Info, Known, Level, Symbol, element, is_reader, may_know, seat_level
from .leaks import MAY_ASK, Leaks
from .loops import is_some
from .value_types import Number, Piece, bare
from .walk import conjuncts

_UNNOTICED = (
    "ask where nobody notices: inside `together`, or with a `may` that has the condition behind its label; "
    "or tell it first, `public(…)`"
)
_ANY_CASE = (
    "what leads here is offered only if somebody else finds something to choose; leave something in any case: "
    "`… if possible`, or a filter `C or no x in S has C`"
)


def let_choose(binder: p.Binder) -> str:
    """The help where the game would take pieces out of a closed place by what is printed on them."""
    if is_all_of_box(binder):
        return "let all that is left go to a hidden place, and shuffle that right behind"
    name, source = binder.local.name, binder.source.span.text
    return f"let the one who sees them choose: `choose {name} in {source} where …`; or `reveal` them before"


class SeenChoices(Leaks):
    """`decider`: who made the last decision, as far as that player's look ahead goes; `actor`: whom the rule is about.
    `refused`: what one learns from whether the rule that is followed can be carried through. `looked_ahead_from`: what
    the decider has chosen on the way; `turned_on_secret`: what was chosen from something that not everybody knows."""

    def __init__(self, program: p.Program, found: Diagnostics) -> None:
        super().__init__(program, found)
        self.actor: Symbol | None = None
        self.decider: Symbol | None = None
        self.refused: Level = OPEN
        self.unseen_choices: set[p.LocalDecl] = set()
        self.looked_ahead_from: frozenset[p.LocalDecl] = frozenset()
        self.turned_on_secret: set[p.LocalDecl] = set()
        self.by_chance: set[p.LocalDecl] = set()
        self.pieces_together: set[p.LocalDecl] = set()  # names of pieces chosen inside `together`

    def block(self, block: p.Block, at: Known) -> None:
        """Follows a block: given by the pass."""
        raise AssertionError

    def noticed(self, at: Known, names: Collection[p.LocalDecl]) -> object:
        """All that decides what is found from here on: if it is the same before and behind something that may come
        again, nothing else would be found the second time. Given by the pass."""
        raise AssertionError

    def inner(self, block: p.Block | None, inner: Known, at: Known) -> None:
        """A block of its own, or the rest of the enclosing one: then its names live on in `at`."""
        if block is not None:
            self.block(block, inner)
        at.take(inner)
        if block is None:
            at.locals.update(inner.locals)
            at.symbols.update(inner.symbols)

    def rename_seats(self, at: Known) -> None:
        """Who acts and who decided last keep their names as all seats do, when the field that named them is written."""
        if self.actor is not None:
            self.actor = at.former.get(self.actor, self.actor)
        if self.decider is not None:
            self.decider = at.former.get(self.decider, self.decider)

    def alternatives(self, paths: list[Known], at: Known) -> None:
        """Several paths join: afterwards only what is known on all of them is known, under the names that seats have
        on one of them."""
        former = {seat: name for path in reversed(paths) for seat, name in path.former.items()}
        for path in paths:
            path.rename_seats({seat: name for seat, name in former.items() if seat not in path.former})
        for path in paths[:1]:
            at.take(path)
        for path in paths[1:]:
            at.join(path)
            at.lose_spots(path.changed)

    def bind_choice(self, binders: tuple[p.Binder, ...], player: Symbol, at: Known, *, secretly: bool) -> Known:
        """Checks what a decision offers, and gives what is known once it is made."""
        offered, made = at.copy(), at.copy()
        for binder in binders:
            before = offered
            elements, offered = self.offered(binder, player, before)
            if self._offers_by_secret(binder, before, offered):
                self.turned_on_secret.add(binder.local)
            self._chosen_together(binder)
            made.bind(binder.local, self._chosen(elements, binder, player, secretly), apart=self.apart(binder, made))
            made.revealed |= self.owners(binder.where, made)
        made.behind, made.because = self._after_deciding(at, player)
        # A player's further choices look ahead together: what a later line refuses tells of the first choice too.
        own = self.looked_ahead_from if self.decider == player else frozenset()
        self.looked_ahead_from = own | {binder.local for binder in binders}
        return made

    def _chosen_together(self, binder: p.Binder) -> None:
        """Nobody sees what others choose inside `together`, now or later. The body may use it freely, since it does
        nothing openly; to worlds it is as a number that chance has picked."""
        if self.together is not None:
            is_piece = isinstance(bare(binder.local.type), Piece)
            (self.pieces_together if is_piece else self.by_chance).add(binder.local)

    def _offers_by_secret(self, binder: p.Binder, before: Known, inner: Known) -> bool:
        """Whether not everybody knows what was offered. Of a piece it does not matter: a world asks where it lay."""
        if isinstance(bare(binder.local.type), Piece):
            return False
        source = self.source(binder, before)
        return bool(source.all | self.level(binder.where, inner) | self.level(binder.key, inner))

    def offered(self, binder: p.Binder, player: Symbol, at: Known) -> tuple[Info, Known]:
        """The set of a binder, from which the player chooses."""
        at = self.before_eyes(at)
        source = self.source(binder, at)
        if not may_know(source.handle, player) and source.origin is not None:
            self._unseen(binder)
            return source, at.bound(binder.local, element(source, binder.local.type))
        self.known_to_chooser(binder.source, source.level | source.handle, player, at)
        elements, inner = self.binder(binder, at)
        if isinstance(bare(binder.local.type), Piece) and not may_know(elements.identity, player):
            self._points_at(binder)
        self.known_to_chooser(binder.where, self.level(binder.where, inner), player, inner)
        self.known_to_chooser(binder.key, self.level(binder.key, inner), player, inner)
        return elements, inner

    def _points_at(self, binder: p.Binder) -> None:
        """Pieces are chosen by where they lie in an order, by somebody who does not see what they are."""
        if isinstance(binder.source, p.PlaceRef):
            self.unseen_choices.add(binder.local)
            return
        what = "pieces that their player does not see are chosen from something other than a place"
        label = "there is no place in which the player could point at one"
        help = "choose from the place itself: `choose c in PLACE where …`"
        self.report("R0514", what, binder.source.span, label, binder.source, help)

    def says_where(self, binders: tuple[p.Binder, ...], condition: p.Expr | None, at: Known) -> None:
        """Reports pieces that are offered by what they are alone, `choose c in Card`, though they may lie where nobody
        sees them. A piece in an option is the one that lies somewhere: its name is shown to those who know where, and
        a world that exchanges it with another exchanges the options too."""
        asked = [part for where in (*(one.where for one in binders), condition) for part in conjuncts(where)]
        for binder in binders:
            if not isinstance(bare(binder.local.type), Piece) or not isinstance(binder.source, p.AllOf):
                continue
            kinds = kinds_asked_for(self.program, binder)
            if self.may_be_hidden(kinds, at) and not any(says_where(part, binder.local) for part in asked):
                kind, name = binder.source.span.text, binder.local.name
                what = f"pieces that may lie unseen cannot be chosen from all of `{kind}`"
                help = (
                    f"say where they lie, `where {name} in …`; or choose what is printed on them, a number or an enum "
                    f"value, and ask `some {name} in … has …`"
                )
                self.report("R0514", what, binder.source.span, "their names would not be shown", binder.source, help)

    def not_at_once(self, binder: p.Binder, what: str) -> None:
        """Reports several pieces that would be pointed at together: taking the first might move the others."""
        if binder.local in self.unseen_choices:
            what = f"several pieces that their player does not see cannot be {what}"
            help = "`repeat n times` / `choose c in …`, each dealt with before the next is chosen"
            self.report("R0514", what, binder.source.span, "they are pointed at one by one", binder.source, help)

    def _unseen(self, binder: p.Binder) -> None:
        what = "pieces that nobody there can see cannot be chosen"
        label = "they lie in no order, so there is nothing to point at"
        self.report("R0514", what, binder.source.span, label, binder.source, "`pick … at random` lets chance take one")

    def _chosen(self, elements: Info, binder: p.Binder, player: Symbol, secretly: bool) -> Info:
        own = seat_level(player)
        if secretly:
            one = element(elements, binder.local.type)
            return replace(one, level=own, identity=elements.identity | own, by_choice=True)
        identity = OPEN if may_know(elements.identity, player) else elements.identity
        return Info(OPEN, OPEN, identity, elements.origin, by_choice=True, spot=elements.spot)

    def _willingly(self, at: Known, player: Symbol) -> tuple[Level, p.Expr | None]:
        """Who takes what may be passed tells of the own secrets behind it by doing so."""
        return (OPEN, None) if may_know(at.behind, player) else (at.behind, at.because)

    def _after_deciding(self, at: Known, player: Symbol) -> tuple[Level, p.Expr | None]:
        """The player's own secrets stand behind the choice no longer: it was made before all. Inside `together` it was
        not."""
        return self._willingly(at, player) if self.together is None else (at.behind, at.because)

    # ------------------------------------------------------------------------ refusals

    def may_refuse(self, cause: p.Expr | p.Binder | None, level: Level, at: Known, help: str = MAY_ASK) -> None:
        """Here the rules may refuse. Whoever decides sees by the options on offer whether they would: the player of the
        last decision, or else the one whom the rule is about."""
        self.refuses(level | at.behind)
        looks_ahead = self.decider or self.actor or ("nobody",)
        self.known_to_chooser(cause, level, looks_ahead, at, help)

    def refuses(self, level: Level) -> None:
        """The rules may refuse here, for a reason of this level. Whatever would be refused is not offered in the first
        place."""
        self.refused |= level
        if level:
            self.turned_on_secret |= self.looked_ahead_from

    def must_offer(self, binders: tuple[p.Binder, ...], player: Symbol, at: Known, *, mandatory: bool) -> None:
        """A decision without an option is a refusal. Its own player may know; a player who looks ahead to somebody
        else's decision would learn it."""
        inner = at
        for number, binder in enumerate(binders if mandatory else ()):
            before = inner
            elements, inner = self.binder(binder, before)
            # Whether there is one at all: of a set with something for every case no more than its number tells that.
            is_certain = self._leaves_some(binders[: number + 1], at) or self._was_found(binder, before)
            told = self.source(binder, before).level if is_certain else elements.level
            # `n in 0..q.money`: there is a number to choose whatever the secret is.
            if binder.where is None and isinstance(binder.source, p.NumberRange) and is_some(binder.source):
                told = OPEN
            others = frozenset(secret for secret in told if not is_reader(player, secret))
            self.refuses(others | at.behind)
            if self.decider is not None and self.decider != player:
                self.known_to_chooser(binder.where or binder.source, told, self.decider, inner, help=_ANY_CASE)

    def note_found(self, condition: p.Expr, holds: bool, at: Known) -> None:
        """Behind `if public(some c in S has C)` everybody knows that S has such a piece, until S changes.

        Of a place that all know to be empty all has been seen: so `if p.plan is not empty` / `reveal p.plan` reveals it
        in either case."""
        for part in conjuncts(condition) if holds else [condition]:
            is_said = holds
            while isinstance(part, p.Not) or (isinstance(part, p.Builtin) and part.name == "public"):
                is_said ^= isinstance(part, p.Not)
                part = part.of if isinstance(part, p.Not) else part.args[0]
            if is_said and isinstance(part, p.Quantified) and part.which == "some":
                base, asked = self.filter_path(part.binder, (part.has,), at)
                at.revealed |= {(("some", base, asked), ALL)}
            if is_said and isinstance(part, p.IsEmpty | p.IsNone) and not self.level(part, at):
                place = part.of.place if isinstance(part.of, p.SlotPiece) else part.of
                if isinstance(place, p.PlaceRef):
                    at.show(self.symbol(place, at), ALL)

    def _was_found(self, binder: p.Binder, at: Known) -> bool:
        """Whether everybody knows that the binder finds something."""
        if not any(path[0] == "some" for path, _ in at.revealed):
            return False
        base, asked = self.filter_path(binder, (), at)
        found = [path[1:] for path, _ in at.revealed if path[0] == "some"]
        return any(where == base and isinstance(has, tuple) and set(asked) <= set(has) for where, has in found)

    def is_one_found(self, s: p.MoveSome | p.MoveEach, at: Known) -> bool:
        """`if public(some c in q.hand has C)` / `move 1 c in q.hand where C to discard`: one goes, and all were told
        that there is one. How many more there are would be told by two."""
        is_one = isinstance(s.count, p.Expr) and isinstance(s.count.type, Number) and s.count.type.high <= 1
        return is_one and not self.source(s.binder, at).level and self._was_found(s.binder, at)

    def _leaves_some(self, binders: tuple[p.Binder, ...], at: Known) -> bool:
        """Whether the filter leaves something of every set that is not empty, because it lets all through if none fits:
        `c.suit == led or no d in p.hand has d.suit == led`, in either order, and so with several names. Then nobody
        learns beforehand which."""
        where = binders[-1].where
        if not isinstance(where, p.Logic) or where.op != "or":
            return False
        for fits, otherwise in ((where.left, where.right), (where.right, where.left)):
            asked: list[p.Binder] = []
            some = otherwise.of if isinstance(otherwise, p.Not) else None
            while isinstance(some, p.Quantified) and some.which == "some" and some.binder.where is None:
                asked.append(some.binder)
                some = some.has
                if len(asked) <= len(binders) and self._are_the_same(binders[-len(asked) :], fits, asked, some, at):
                    return True
        return False

    def _are_the_same(
        self, binders: tuple[p.Binder, ...], fits: p.Expr, others: list[p.Binder], has: p.Expr, at: Known
    ) -> bool:
        """Whether two rows of names go over the same sets and ask the same of what they name."""
        one, other = at.copy(), at.copy()
        for number, (binder, again) in enumerate(zip(binders, others, strict=True)):
            if self.symbol(binder.source, one) != self.symbol(again.source, other):
                return False
            if binder.where is not None and binder is not binders[-1]:
                return False
            one.symbols[binder.local] = other.symbols[again.local] = ("it", number)
        return self.symbol(fits, one) == self.symbol(has, other)

    # ------------------------------------------------------------------------ the forms

    def is_asked(self, s: p.Stmt, player: Symbol, at: Known) -> None:
        """All see that somebody is asked, but for what players choose together."""
        if not may_know(at.behind, player):
            self.happens(s, at)
        elif at.behind and self.together is None:
            self.turns_on_secret(at.because, s.span, at, _UNNOTICED)

    def choose(self, s: p.Choose, at: Known) -> None:
        player = self.symbol(s.player, at)
        self.is_asked(s, player, at)
        self.text_for(s.text, player, at)
        self.says_where(s.binders, None, at)
        self.must_offer(s.binders, player, at, mandatory=not s.if_possible)
        made = self.bind_choice(s.binders, player, at, secretly=s.secretly)
        self.decider = player
        self.inner(s.body, made, at)

    def choose_set(self, s: p.ChooseSet, at: Known) -> None:
        player = self.symbol(s.player, at)
        self.is_asked(s, player, at)
        self.text_for(s.text, player, at)
        for bound in (s.low, s.high):
            self.known_to_chooser(bound, self.level(bound, self.before_eyes(at)), player, at)
        self.says_where((s.binder,), None, at)
        elements, _ = self.offered(s.binder, player, at)
        self.not_at_once(s.binder, "chosen at once")
        self.must_offer((s.binder,), player, at, mandatory=not s.if_possible and s.low is not None)
        own = seat_level(player)
        trying = at.bound(s.chosen, Info(own, own, elements.identity, elements.origin))
        self.known_to_chooser(s.such_that, self.level(s.such_that, self.before_eyes(trying)), player, trying)
        one = self._chosen(elements, s.binder, player, s.secretly)
        made = at.bound(s.chosen, replace(one, handle=one.level))
        if s.secretly and self._is_fixed(s, at):
            made.locals[s.chosen] = replace(made.locals[s.chosen], level=OPEN)
        made.behind, made.because = self._after_deciding(at, player)
        self.decider = player
        self.inner(s.body, made, at)

    def _is_fixed(self, s: p.ChooseSet, at: Known) -> bool:
        """`choose 2 c in p.hand secretly`: all know how many."""
        return s.low is not None and s.high is not None and self.symbol(s.low, at) == self.symbol(s.high, at)

    def choose_one(self, s: p.ChooseOne | p.AnyOrder, at: Known) -> None:
        player = self.symbol(s.player, at)
        self.is_asked(s, player, at)
        if isinstance(s, p.ChooseOne):
            self.text_for(s.text, player, at)
        self.alternatives([self.branch(branch, player, at) for branch in s.branches], at)

    def may(self, s: p.May, at: Known) -> None:
        player = self.symbol(s.player, at)
        if not may_know(at.behind, player):
            self.happens(s, at)
        willing, passed = at.copy(), at.copy()
        willing.behind, willing.because = self._willingly(at, player)
        before = self.noticed(willing, at.locals)
        taken = self.branch(s.branch, player, willing)
        if s.repeatedly:
            taken.meet(at)
            if self.noticed(taken, at.locals) != before:
                taken = self.branch(s.branch, player, taken)
        self.block(s.otherwise, passed)
        self.alternatives([taken, passed], at)

    def branch(self, branch: p.BranchDecl, player: Symbol, at: Known) -> Known:
        offered = at.copy()
        self.says_where(branch.binders, branch.condition, at)
        for binder in branch.binders:
            inner = self.binder(binder, offered)[1]
            offered.locals[binder.local] = inner.locals[binder.local]
            offered.symbols[binder.local] = inner.symbols[binder.local]
            offered.revealed |= self.owners(binder.where, offered)
        made = self.bind_choice(branch.binders, player, at, secretly=False)
        seen = self.before_eyes(offered)
        self.known_to_chooser(branch.condition, self.level(branch.condition, seen), player, seen)
        if self.level(branch.condition, offered):
            self.turned_on_secret |= {binder.local for binder in branch.binders}
        pointed = {one.local: one.source.span.text for one in branch.binders if one.local in self.unseen_choices}
        self.text_for(branch.label, player, offered, pointed)
        if self.together is None:
            self.read_when_chosen(branch.label, made)
        self.decider = player
        self.block(branch.body, made)
        self.decider = player
        return made

    def pick(self, s: p.Pick, at: Known) -> None:
        """The game takes one; whoever looks on sees which. Not if chance takes it out of a closed place: all may know
        what lies there, and nobody sees which of these pieces it is."""
        self.happens(s, at)
        source = self.source(s.binder, at)
        elements, inner = self.binder(s.binder, at)
        blindly = s.at_random and is_all_of_box(s.binder)
        was_found = self._was_found(s.binder, at)
        if (self.level(s.binder.where, inner) and not blindly and not was_found) or source.level:
            self.turns_on_secret(s.binder.where or s.binder.source, s.span, inner, let_choose(s.binder))
        elif source.handle and not s.at_random and s.binder.key is None and not was_found:
            self._unseen(s.binder)
        else:
            # Out of an unordered closed place the rules take the piece that they name (`by highest c.rank`, or one that
            # all were told of), as `move 1 c in S by highest c.rank` does: nobody sees which it is, so the key may be a
            # secret. In a row all would see where the best one lies.
            is_unseen_there = bool(source.handle) and isinstance(bare(s.binder.local.type), Piece)
            for condition in (*s.preferring, *(() if is_unseen_there else (s.binder.key,))):
                self.openly(condition, inner)
        is_unseen = s.at_random and elements.origin is not None and self.is_closed(elements.origin)
        identity = elements.identity | NOBODY if is_unseen else elements.identity
        made = at.bound(s.binder.local, Info(OPEN, OPEN, identity, elements.origin), self.apart(s.binder, at))
        made.revealed |= self.owners(s.binder.where, made)
        self.inner(s.body, made, at)
