"""Secrets stay secret: no rule may show, openly or by what happens, what a player must not know.

The pass follows the course of the game: `setup`, then `play`, with everything they call, and then each rule that is
entered from elsewhere (cells, free actions, hooks on changes). At each point it knows which places lie open to all in
fact (`levels.Known`): at the beginning all pieces are in the box and known; a shuffle or an unseen move ends that for
a place. What `play` can make unknown somewhere is unknown in all of it, so the course is followed until that settles,
and only then are findings told.

What is looked at:
- a decision rests only on what its player may know (R0511); unseen pieces without an order are not chosen (R0514);
- what happens openly does not turn on a secret (R0512), open fields do not take one (R0513), `say` tells none (R0515);
- players who choose `together` write only their own secrets and read nothing that another writes (R0516).

Rules of an automa may read everything. Pieces lying face down in an open place count as seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from . import program as p
from .forms import Flow, UnknownForm, flow, motion, written_fields
from .known import (
    ALL,
    EVERY,
    NOBODY,
    OPEN,
    PUBLIC,
    Info,
    Known,
    Level,
    Symbol,
    element,
    enter,
    in_place_of,
    may_know,
    mentions,
    mentions_any,
    seat_level,
    within,
)
from .levels import Args
from .seen_choices import SeenChoices
from .value_types import Flag, Number, Piece, PlaceOf, Player, SetOf, bare
from .walk import statements

Unseen = dict[tuple[str, p.PlaceDecl], frozenset[str]]  # (enters or leaves, place) -> kinds that move there unseen
# What following a rule gives: its result, what is known afterwards, whether it can be refused, who decided last.
Followed = tuple[Info, Known, Level, Symbol | None]


def check_visibility(program: p.Program, found: Diagnostics) -> None:
    unseen: Unseen = {}
    known = frozenset(program.places)
    while True:
        course = Course(program, Diagnostics(), unseen)
        after = course.follow(known)
        if after == known and course.moved_unseen == unseen:
            break
        known, unseen = after, course.moved_unseen
    Course(program, found, unseen).follow(known)


class Course(SeenChoices):
    """One way through the program; `unseen` is what an earlier way has learnt about moves."""

    def __init__(self, program: p.Program, found: Diagnostics, unseen: Unseen) -> None:
        super().__init__(program, found)
        self.unseen = unseen
        self.moved_unseen: Unseen = dict(unseen)
        self.spoiled: set[p.PlaceDecl] = set()
        self.always: frozenset[p.PlaceDecl] = frozenset()  # places that all know by heart throughout the game
        self.running: list[p.RuleDecl] = []
        self.followed: set[p.RuleDecl] = set()
        self.results: list[Info] = []
        self.prevented: list[tuple[Level, p.Expr | None]] = []  # what stands behind each `prevent` of the hook
        self.calls: dict[object, Followed] = {}
        self.conditions: dict[p.Stmt, p.Expr] = {}
        self.possible: dict[object, Level] = {}

    def follow(self, known: frozenset[p.PlaceDecl]) -> frozenset[p.PlaceDecl]:
        """Everything once. Gives the places that are known to all throughout `play`."""
        at = Known(frozenset(self.program.places))
        self.always = known
        if "setup" in self.program.rules:
            self.call(self.program.rules["setup"], [], at)
        known &= at.known
        self.spoiled.clear()
        entered = [call.rule for cell in self.program.cells for call in cell.calls]
        first = [rule for rule in self.program.rules.values() if rule.form in ("play", "free")]
        for rule in (*first, *dict.fromkeys(entered)):
            self.enter_alone(rule, known)
        for rule in self.program.rules.values():
            if rule not in self.followed and rule.form != "value":
                self.enter_alone(rule, known)
        for change in self.program.change_hooks:
            self._enter_change(change, known)
        for move in self.program.move_hooks:
            self.enter_alone(move.rule, known, self._moving_piece(move))
        for block in self.program.scores:
            for line in block.lines:
                self.told_to_all(line.label, "line of the score", Known(known))
        return known - self.spoiled

    def enter_alone(self, rule: p.RuleDecl, known: frozenset[p.PlaceDecl], first: Info = PUBLIC) -> None:
        """A rule that is entered from anywhere: what it is given counts as known."""
        args: Args = [(PUBLIC, ("local", id(param))) for param in rule.params]
        if args:
            args[0] = (first, args[0][1])
        at = Known(known)
        self.decider = None
        if rule.form == "hook":
            self.hook(rule, args, at)
        else:
            if rule.form == "free" and args:
                self.text_for(rule.text, args[0][1], enter(rule, args, at))
            self.call(rule, args, at)

    def _enter_change(self, change: p.ChangeHook, known: frozenset[p.PlaceDecl]) -> None:
        """`after p.bid rises`: that a secret field has changed is its owner's secret, and so is what that sets off."""
        rule, field = change.rule, change.field
        if field is None or field.visibility == "open":
            self.enter_alone(rule, known)
            return
        owner = p.LocalVar(rule.params[0].type, rule.span, rule.params[0]) if field.owner_dimension else None
        at = Known(known, because=p.FieldRead(field.type, rule.span, field, owner, ()))
        at.behind = self.field_level(field, owner, at)
        args: Args = [(PUBLIC, ("local", id(param))) for param in rule.params]
        args[-1] = (Info(at.behind), args[-1][1])
        self.decider = None
        self.hook(rule, args, at)

    def _moving_piece(self, hook: p.MoveHook) -> Info:
        """The piece of a hook on moves: as unseen as the least seen move that can set the hook off."""
        kinds = self.unseen.get((hook.motion, hook.place), frozenset())
        wanted = _kinds_asked_for(hook.rule, self.program)
        if not (kinds if wanted is None else kinds & wanted):
            return PUBLIC
        owner = hook.rule.params[1] if hook.place.owner_dimension is not None and len(hook.rule.params) > 1 else None
        if hook.place.visibility == "secret" and owner is not None:
            return Info(identity=seat_level(("local", id(owner))), origin=hook.place)
        return Info(identity=NOBODY if hook.place.visibility != "open" else OPEN, origin=hook.place)

    # ------------------------------------------------------------------------ rules

    def call(self, rule: p.RuleDecl, args: Args, at: Known) -> Info:
        """Follows a rule with its hooks; gives its result, and leaves in `at` what is known afterwards."""
        if rule in self.running:
            return PUBLIC
        reported = None if self.muted else (at.because, self.together, self.actor, self.decider)
        key = (rule, tuple(args), at.known, at.revealed, at.behind, reported)
        if key not in self.calls:
            self.calls[key] = self._followed(rule, args, at)
        result, after, refused, self.decider = self.calls[key]
        at.known, at.revealed = after.known, after.revealed
        at.written |= after.written
        at.forget(frozenset(identity for identity, _ in after.written), symbols_only=True)
        self.refused |= refused
        return result

    def _followed(self, rule: p.RuleDecl, args: Args, at: Known) -> Followed:
        self.followed.add(rule)
        self.running.append(rule)
        outer_refused, outer_decider, self.refused = self.refused, self.decider, OPEN
        at = at.copy()
        at.written = frozenset()
        if rule.form == "phase":
            # The title stands over every decision of the phase, whatever has been covered up again meanwhile.
            anytime = enter(rule, args, Known(self.always))
            self.told_to_all(rule.text, "title", anytime)
        for hook in rule.before:
            self._before(hook, args, at)
        ways = [self._way(body, args, at) for body in (*rule.instead, rule)]
        self.alternatives([way for way, _ in ways], at)
        for hook in rule.after:
            self.hook(hook, args, at)
        self.running.pop()
        result = ways[-1][1]
        for _, other in ways[:-1]:
            result = result.joined(other)
        refused, self.refused = self.refused, outer_refused
        # A phase is as far as anybody looks ahead.
        decider = outer_decider if rule.form == "phase" else self.decider
        return result, at, refused, decider

    def _before(self, hook: p.RuleDecl, args: Args, at: Known) -> None:
        """Whether the rule happens at all tells under which conditions the hook prevents it."""
        outer, self.prevented = self.prevented, []
        self.hook(hook, args, at)
        for level, because in self.prevented:
            at.behind, at.because = at.behind | level, because
        self.prevented = outer

    def can(self, rule: p.RuleDecl, args: Args, at: Known) -> Level:
        """What it tells whether a rule can be carried through.

        Worked out once for all who ask alike: arguments get the names of their positions, and the seats in the
        answer their own names back. Else a game with many effects in its tables is followed again for each of them.
        """
        names = [("argument", number) for number in range(len(args))]
        plain = [(info, name) for (info, _), name in zip(args, names, strict=True)]
        own = [symbol for _, symbol in args]
        key = (rule, tuple(_renamed(plain, own, names)), at.known, _renamed(at.revealed, own, names))
        if key not in self.possible:
            tried = Known(at.known, key[3])
            self.possible[key] = self._refusals(rule, list(key[1]), tried)
        told: Level = _renamed(self.possible[key], names, own)
        return told

    def _refusals(self, rule: p.RuleDecl, args: Args, at: Known) -> Level:
        """A rule is followed for its refusals, and for nothing else."""
        kept = (dict(self.moved_unseen), set(self.spoiled), set(self.followed), set(self.written), list(self.read))
        refused, decider, self.refused = self.refused, self.decider, OPEN
        self.muted += 1
        self.call(rule, args, at)
        self.muted -= 1
        told, self.refused, self.decider = self.refused, refused, decider
        self.moved_unseen, self.spoiled, self.followed, self.written, self.read = kept
        return told

    def hook(self, hook: p.RuleDecl, args: Args, at: Known) -> None:
        way, _ = self._way(hook, args, at)
        way.meet(at)
        at.take(way)

    def _way(self, rule: p.RuleDecl, args: Args, at: Known) -> tuple[Known, Info]:
        """One body, from its beginning to its end, with the result it gives."""
        outer_actor, outer_results = self.actor, self.results
        inner, self.results = enter(rule, args, at), []
        seats = [
            symbol for param, (_, symbol) in zip(rule.params, args, strict=False) if isinstance(param.type, Player)
        ]
        self.actor = seats[0] if seats else self.actor
        automa = self.is_for_automa(rule.when)
        self.muted += automa
        self._stand_behind(rule.when, inner)
        self.block(rule.body, inner)
        self.muted -= automa
        result = PUBLIC
        for number, found in enumerate(self.results):
            result = result.joined(found) if number else found
        self.actor, self.results = outer_actor, outer_results
        return inner, result

    def _stand_behind(self, condition: p.Expr | None, at: Known) -> None:
        """From here on, what happens is due to this condition."""
        if condition is not None and (level := self.level(condition, at)):
            at.behind, at.because = at.behind | level, condition

    def _if_possible(self, s: p.CallRule | p.Perform) -> p.Expr:
        """The condition that stands before `… if possible`; one for each statement, since calls are known by it."""
        if s not in self.conditions:
            if isinstance(s, p.CallRule):
                self.conditions[s] = p.CanCall(Flag(), s.span, s.rule, s.args)
            else:
                self.conditions[s] = p.CanPerform(Flag(), s.span, s.cell, s.player)
        return self.conditions[s]

    # ------------------------------------------------------------------------ statements

    def block(self, block: p.Block, at: Known) -> None:
        for statement in block:
            self.statement(statement, at)

    def statement(self, s: p.Stmt, at: Known) -> None:
        match s:
            case p.Let(local=local, value=value):
                at.bind(local, self.info(value, at), self.symbol(value, at))
            case p.SetField():
                self._set_field(s, at)
            case p.Gain() | p.Lose():
                self._count(s, at)
            case p.SetFace():
                self._set_face(s, at)
            case p.CallRule():
                self._call_rule(s, at)
            case p.CallPrevious():
                self._name(s.result, PUBLIC, at)
            case p.Require(condition=condition, text=text):
                self.may_refuse(condition, self.level(condition, at), at)
                self.text_for(text, self.decider or self.actor or ("nobody",), at)
            case p.ResultIs(value=value):
                self.results.append(self.info(value, at).behind(at.behind))
            case p.Say():
                self.told(s, at)
            case p.Reveal():
                self._reveal(s, at)
            case p.If():
                self._if(s, at)
            case p.Choose():
                self.choose(s, at)
            case p.ChooseSet():
                self.choose_set(s, at)
            case p.ChooseOne() | p.AnyOrder():
                self.choose_one(s, at)
            case p.May():
                self.may(s, at)
            case p.Pick():
                self.pick(s, at)
            case p.For() | p.Walk() | p.Repeat() | p.While() | p.InTurn() | p.Together():
                self._loop(s, at)
            case p.FirstPossible(body=body):
                self._first_possible(body, at)
            case p.Prevent():
                if at.behind and not self.muted:
                    self.prevented.append((at.behind, at.because))
            case p.Stop() | p.Done():
                return
            case _:
                self._open_statement(s, at)

    def _open_statement(self, s: p.Stmt, at: Known) -> None:
        """Something that all see happen."""
        self.happens(s, at)
        match s:
            case p.MovePiece(piece=moved) | p.MoveSet(pieces=moved):
                info = self.info(moved, at)
                if (info.level or info.handle) and not self._stays_unseen(info, s.to, at):
                    self.turns_on_secret(moved, s.span, at)
                self._move(moved, info, s.to, s.span, at)
            case p.MoveSome() | p.MoveEach():
                elements, inner = self.binder(s.binder, at)
                if elements.level:
                    self.turns_on_secret(s.binder.where or s.binder.source, s.span, inner)
                self.openly(s.count, at)
                own = inner if isinstance(s, p.MoveEach) else None
                self._move(s.binder.source, elements, s.to, s.span, at, own)
            case p.Draw():
                self._draw(s, at)
            case p.Shuffle(place=place, into=into):
                for ref in (place, into):
                    if ref is not None:
                        self._spoil(ref.place, at)
                        at.write(ref.place, self.symbol(ref.owner, at))
                        at.lose_track(ref.place, mixed=True)
                self.decider = None  # nobody looks ahead past chance
            case p.Roll(dice=dice):
                self._forget_dice(dice, at)
                self.decider = None
            case p.SwapPlaces() | p.SwapPieces() | p.PassOn():
                self._swap(s, at)
            case p.Pay():
                self._pay(s, at)
            case p.Wins(player=player) | p.Loses(player=player) | p.DropsOut(player=player):
                self.openly(player, at)
                self.told_to_all(s.text, "reason", at)
            case p.EndGame(text=text):
                self.told_to_all(text, "reason", at)
            case p.Pause(text=text, player=player):
                self.openly(player, at)
                self.text_for(text, self.symbol(player, at), at)
            case p.Perform(cell=cell):
                self.openly(cell, at)
                if s.if_possible:
                    self.openly(self._if_possible(s), at)
                for _, given in s.given:
                    self._given(given, at)
            case _ if motion(s) is None and not written_fields(s):
                return
            case _:
                raise UnknownForm(s)

    def _stays_unseen(self, info: Info, to: p.Destination, at: Known) -> bool:
        """Something goes from one closed place to another: all see that, and not which. Whoever chose it knows it, or
        the one who sees it there; nobody has to know it where nobody sees it."""
        if not isinstance(to.place, p.PlaceRef) or to.place.place.visibility not in ("secret", "hidden"):
            return False
        if info.origin is None or info.origin.visibility == "open" or info.origin.is_ordered:
            return False  # all see which one goes
        if info.by_choice or to.place.place.visibility == "hidden" or to.place.owner is None:
            return True
        return may_know(info.level, self.symbol(to.place.owner, at))

    def _given(self, given: p.Expr, at: Known) -> None:
        """What is handed to an effect in a cell: that effect is looked at as if it were known."""
        info = self.info(given, at)
        if info.all:
            self.turns_on_secret(given, given.span, at)

    def _call_rule(self, s: p.CallRule, at: Known) -> None:
        behind, because = at.behind, at.because
        if s.if_possible:
            self._stand_behind(self._if_possible(s), at)
        self._name(s.result, self.call(s.rule, self.args(s.args, at), at), at)
        at.behind, at.because = behind, because

    def _first_possible(self, body: p.Block, at: Known) -> None:
        """Which one it is tells of those before it that they could not be carried through."""
        paths, before = [], at.copy()
        for statement in body:
            assert isinstance(statement, p.CallRule | p.Perform)
            self._stand_behind(self._if_possible(statement), before)
            path = before.copy()
            self.statement(statement, path)
            paths.append(path)
        self.alternatives([*paths, at.copy()], at)

    def _name(self, local: p.LocalDecl | None, info: Info, at: Known) -> None:
        if local is not None:
            at.bind(local, info)

    def _if(self, s: p.If, at: Known) -> None:
        automa = self.is_for_automa(s.condition)
        then, other = at.copy(), at.copy()
        self._stand_behind(s.condition, then)
        self._stand_behind(s.condition, other)
        self.muted += automa
        self.block(s.then, then)
        self.muted -= automa
        self.block(s.otherwise, other)
        self.alternatives([then, other], at)
        if any(isinstance(last, p.ResultIs | p.Done | p.Stop) for last in (*s.then[-1:], *s.otherwise[-1:])):
            self._stand_behind(s.condition, at)

    def _loop(self, s: p.Stmt, at: Known) -> None:
        """Twice, so that what the first pass makes unknown is unknown in the second."""
        for _ in range(2):
            inner = at.copy()
            inner.written = frozenset()
            actor, decider = self.actor, self.decider
            body = self._begin_pass(s, inner)
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
                self._stand_behind(condition, at)
                self._stand_behind(at_most, at)
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

    # ------------------------------------------------------------------------ fields

    def _set_field(self, s: p.SetField, at: Known) -> None:
        self._change(s.field, s.owner, s.indexes, s.value, s, at)

    def _count(self, s: p.Gain | p.Lose, at: Known) -> None:
        """Counters. Losing more than there is is refused, and the refusal tells what there is."""
        for amount in s.amounts:
            if isinstance(s, p.Lose) and not s.up_to and not amount.fits:
                read = p.FieldRead(amount.field.type, s.span, amount.field, s.player, amount.indexes)
                self.may_refuse(read, self.level(read, at) | self.level(amount.amount, at), at)
            self._change(amount.field, s.player, amount.indexes, amount.amount, s, at)

    def _pay(self, s: p.Pay, at: Known) -> None:
        """Whether it can be paid is seen by whoever looks ahead; what is asked for, by all."""
        self.may_refuse(p.CanPay(Flag(), s.span, s.player, s.costs), self.means(s.player, s.costs, at), at)
        for cost in s.costs:
            self.openly(cost.amount, at)
            fields = [cost.field] if cost.field is not None else []
            fields += [one.field for one in cost.currency.sources if one.field] if cost.currency is not None else []
            for field in fields:
                self.writes(field, self.symbol(s.player, at), s.span)
                at.write(field, self.symbol(s.player, at))
                if s.to is not None:
                    at.write(field, self.symbol(s.to, at))
            for source in cost.currency.sources if cost.currency is not None else ():
                if isinstance(source.place, p.PlaceRef):
                    at.write(source.place.place, self.symbol(s.player, at))

    def _change(
        self,
        field: p.FieldDecl,
        owner: p.Expr | None,
        indexes: tuple[p.Expr, ...],
        value: p.Expr,
        s: p.Stmt,
        at: Known,
    ) -> None:
        self.writes(field, self.symbol(owner, at), s.span)
        allowed = self.field_level(field, owner, at)
        for way in (owner, *indexes):
            if way is not None and not within(self.info(way, at).all, allowed):
                self.turns_on_secret(way, s.span, at)
        self._stored(value, allowed, field.name, s, at)
        at.write(field, self.symbol(owner, at))

    def _stored(self, value: p.Expr, allowed: Level, name: str, s: p.Stmt, at: Known) -> None:
        """What a field or a die takes: only what all know who may see it there. A piece shows its face."""
        if not within(at.behind, allowed):
            self.turns_on_secret(at.because, s.span, at)
        if not within(self.info(value, at).all, allowed):
            self.report(
                "R0513",
                f"a secret is stored in `{name}`, which others can see",
                value.span,
                f"{'all players' if not allowed else 'others'} see `{name}`, and would learn this from it",
                value,
                f"make `{name}` secret, `reveal` the value before, or say `public(…)`",
                at,
            )

    # ------------------------------------------------------------------------ dice

    def _set_face(self, s: p.SetFace, at: Known) -> None:
        die = self.info(s.die, at)
        decl = _dice_of(s.die)
        allowed = die.identity if decl is None else self.field_level(decl, s.die.owner, at)  # type: ignore[attr-defined]
        if not within(die.level, allowed):
            self.turns_on_secret(s.die, s.span, at)
        self._stored(s.value, allowed, decl.name if decl is not None else "the die", s, at)
        self._forget_dice(s.die, at)

    def _forget_dice(self, dice: p.Expr, at: Known) -> None:
        """Dice show something else; of a die that only has a name here it may be any."""
        decl = _dice_of(dice)
        owner = self.symbol(dice.owner, at) if decl is not None else ("elsewhere",)  # type: ignore[attr-defined]
        for field in self.program.fields if decl is None else (decl,):
            if field.is_dice:
                if decl is not None:
                    self.writes(field, owner, dice.span)
                at.write(field, owner)

    # ------------------------------------------------------------------------ pieces

    def _move(
        self, pieces: p.Expr, info: Info, to: p.Destination, span: Span, at: Known, own: Known | None = None
    ) -> None:
        """`own`: what is known where the destination speaks of the piece."""
        place = to.place.place if isinstance(to.place, p.PlaceRef) else None
        kinds = _kinds_of(pieces)
        if info.origin is not None:
            self._leaves(info.origin, kinds, info, span, pieces, at)
        if isinstance(to.place, p.PlaceRef) and place is not None:
            # How many lie there tells something only if it may be full.
            for part in (to.place,) if place.limited else (to.place.owner, *to.place.indexes, to.place.slot):
                self.openly(part, at if own is None else own)
            self.writes(place, self.symbol(to.place.owner, at), span)
            at.write(place, self.symbol(to.place.owner, at))
            self._enters(place, kinds, info, at)
            if isinstance(pieces, p.LocalVar):
                at.bind(pieces.local, self._there(pieces, info, to.place, at))

    def _leaves(
        self, place: p.PlaceDecl, kinds: frozenset[str], info: Info, span: Span, pieces: p.Expr, at: Known
    ) -> None:
        owner: Symbol = ("elsewhere",)
        if isinstance(pieces, p.EndOf | p.PlaceRef | p.SlotPiece):
            ref = (
                pieces.of
                if isinstance(pieces, p.EndOf)
                else pieces.place
                if isinstance(pieces, p.SlotPiece)
                else pieces
            )
            owner = self.symbol(ref.owner, at) if isinstance(ref, p.PlaceRef) else owner
        elif self.together is not None:
            owner = self.together
        self.writes(place, owner, span)
        at.write(place, owner)
        if info.identity:
            self._note_unseen("leaves", place, kinds)
            if not place.is_ordered:
                self._spoil(place, at)

    def _enters(self, place: p.PlaceDecl, kinds: frozenset[str], info: Info, at: Known) -> None:
        if info.identity and place.visibility != "open":
            self._note_unseen("enters", place, kinds)
            self._spoil(place, at)

    def _note_unseen(self, motion: str, place: p.PlaceDecl, kinds: frozenset[str]) -> None:
        key = (motion, place)
        self.moved_unseen[key] = self.moved_unseen.get(key, frozenset()) | kinds

    def _there(self, pieces: p.Expr, info: Info, to: p.PlaceRef, at: Known) -> Info:
        """What is known of pieces once they lie in a place: all who knew them know them, and all who see them there."""
        identity = self.place_level(to, at) if info.identity else OPEN
        is_set = isinstance(pieces.type, SetOf)
        return Info(OPEN, identity if is_set and not to.place.is_ordered else OPEN, identity, to.place)

    def _spoil(self, place: p.PlaceDecl, at: Known) -> None:
        if place.visibility != "open":
            at.known -= {place}
            self.spoiled.add(place)

    def _draw(self, s: p.Draw, at: Known) -> None:
        self.openly(s.count, at)
        info = self._drawn(s, at)
        self._move(s.source, info, s.to, s.span, at)
        if s.result is not None and isinstance(s.to.place, p.PlaceRef):
            result = p.LocalVar(s.result.type, s.span, s.result)
            self._name(s.result, self._there(result, info, s.to.place, at), at)

    def _drawn(self, s: p.Draw, at: Known) -> Info:
        """What is known of the pieces before they move. The first may have been revealed."""
        place = s.source.place
        if place.shape == "bag":
            return Info(identity=NOBODY, origin=place)
        one = isinstance(s.count.type, Number) and s.count.type.high <= 1
        top = ("end", "top", self.symbol(s.source, at))
        seen = one and (ALL in at.readers(top) or place.visibility == "top_open")
        return Info(identity=OPEN if seen else self.place_level(s.source, at), origin=place)

    def _swap(self, s: p.SwapPlaces | p.SwapPieces | p.PassOn, at: Known) -> None:
        sides: list[p.Expr] = [] if isinstance(s, p.PassOn) else [s.first, s.second]
        places = [side for side in sides if isinstance(side, p.PlaceRef)]
        unknown = any(self.info(side, at).identity for side in sides)
        for decl in [ref.place for ref in places] + [s.place for s in (s,) if isinstance(s, p.PassOn)]:
            self.writes(decl, ("table",), s.span)
            at.write(decl, ("table",))
            at.lose_track(decl, mixed=False)
            if unknown or isinstance(s, p.PassOn):
                self._note_unseen("enters", decl, frozenset(decl.kinds))
                self._spoil(decl, at)

    def _reveal(self, s: p.Reveal, at: Known) -> None:
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


def _renamed(value: Any, names: Sequence[Symbol], others: Sequence[Symbol]) -> Any:
    """A level, a set of paths or a list of arguments in which these symbols have other names."""
    if isinstance(value, Info):
        return replace(
            value,
            level=_renamed(value.level, names, others),
            handle=_renamed(value.handle, names, others),
            identity=_renamed(value.identity, names, others),
        )
    if isinstance(value, list):
        return [tuple(_renamed(part, names, others) for part in pair) for pair in value]
    for name, other in zip(names, others, strict=True):
        value = in_place_of(value, name, other)
    return value


def _is_everybody(source: p.Expr) -> bool:
    return isinstance(source, p.Players) and source.which in ("players", "everybody")


def _dice_of(dice: p.Expr) -> p.FieldDecl | None:
    return dice.field if isinstance(dice, p.DieRef | p.DiceGroup) else None


def _kinds_of(pieces: p.Expr) -> frozenset[str]:
    """The kinds that a piece, a set or place of pieces may be of."""
    value_type = bare(pieces.type)
    if isinstance(value_type, SetOf):
        value_type = bare(value_type.of)
    return frozenset(value_type.kinds) if isinstance(value_type, Piece | PlaceOf) else frozenset()


def _kinds_asked_for(rule: p.RuleDecl, program: p.Program) -> frozenset[str] | None:
    """The kinds that a hook's condition lets through (`when m is Mecha`), or None if it does not say."""
    condition = rule.when
    while isinstance(condition, p.Logic) and condition.op == "and":
        condition = condition.left
    if isinstance(condition, p.IsKind) and isinstance(condition.of, p.LocalVar):
        numbers = {number for low, size in condition.ranges for number in range(low, low + size)}
        return frozenset(kind.name for kind in program.kinds.values() if kind.first in numbers)
    return None
