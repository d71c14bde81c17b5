"""Secrets stay secret: no rule may show, openly or by what happens, what a player must not know.

The pass follows the course of the game: `setup`, then `play`, with everything they call, and then each rule that is
entered from elsewhere (cells, free actions, hooks on changes). At each point it knows which places lie open to all in
fact (`known.Known`): at the beginning all pieces are in the box and known; a shuffle or an unseen move ends that for
a place. What `play` can make unknown somewhere is unknown in all of it, so the course is followed until that settles,
and only then are findings told.

What is looked at, each with the shortest rule that would give something away:

    choose n in 1..(top of deck).rank      # R0511: the options on offer tell p the top card
    choose c in rival(p).hand              # R0514: p would point at a card without seeing which
    if (top of deck).rank > 3              # R0512: everybody sees whether p gains a coin
      p gains 1 coins
    tally = (top of deck).rank             # R0513: `tally` is open
    say "It was {top of deck}"             # R0515
    together p in players                  # R0516: the table is nobody's secret, so whoever comes later sees it
      tally += 1

A player's own secret may decide what that player is offered, but not what everybody sees happen; so the same
condition may be right in a `choose` and wrong in an `if`.

The parts of the pass stand on one another: `known` (what is known of a value and at a point), `symbols` (when two
expressions are the same, and who sees fields and places), `levels` (who may know an expression), `leaks` (findings),
`seen_choices` (decisions and refusals), `unseen_values` (what chance picked and closed cards say), `seen_state` (what
statements change), `seen_loops`, and this module, which follows rules and their hooks.

Rules of an automa may read everything.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from . import program as p
from .boxed import kinds_of_hook
from .for_worlds import note_for_worlds
from .forms import UnknownForm, motion, written_fields
from .known import OPEN, PUBLIC, Info, Known, Level, Symbol, all_joined, enter, in_new_names, renamed
from .levels import Args
from .seen_choices import let_choose
from .seen_loops import SeenLoops
from .seen_state import Unseen
from .value_types import Flag, Player, bare

_DEEPEST = 3  # calls of a rule inside itself that are followed
_OFTEN_ENOUGH = 4  # times, until nothing new is found of a rule that calls itself

# What following a rule gives: its result, what is known afterwards, whether it can be refused, who decided last.
Followed = tuple[Info, Known, Level, Symbol | None]


def check_visibility(program: p.Program, found: Diagnostics) -> None:
    unseen: Unseen = {}
    known = frozenset(program.places)
    by_chance: set[p.LocalDecl] = set()
    closed: tuple[set[p.PlaceDecl], set[p.PlaceDecl]] = (set(), set())
    boxed = 0
    # Followed again until nothing more becomes unknown: what the last turn of `play` shuffles was known to all in the
    # first, and a parameter may be given a picked number by a later call than the one that its rule was first followed
    # for. The findings of a round that has learnt something are thrown away: they depend on the turn looked at.
    while True:
        told = Diagnostics()
        course = Course(program, told, unseen)
        course.by_chance |= by_chance
        course.holding_closed |= closed[0]
        course.laid_unseen |= closed[1]
        after = course.follow(known)
        now_closed = (course.holding_closed, course.laid_unseen)
        learnt = (after, course.moved_unseen, course.by_chance, now_closed, len(program.boxed_unseen))
        if learnt == (known, unseen, by_chance, closed, boxed):
            break
        known, unseen, by_chance, closed, boxed = learnt
    found.take(told)
    note_for_worlds(program, course)


class Course(SeenLoops):
    """One way through the program; `unseen` is what an earlier way has learnt about moves."""

    def __init__(self, program: p.Program, found: Diagnostics, unseen: Unseen) -> None:
        super().__init__(program, found, unseen)
        self.unseen = unseen
        self.always: frozenset[p.PlaceDecl] = frozenset()  # places whose contents everybody knows throughout the game
        self.running: list[p.RuleDecl] = []
        self.being_followed: set[object] = set()
        self.met_again: set[p.RuleDecl] = set()
        self.found_of: dict[p.RuleDecl, tuple[Info, frozenset[tuple[int, Symbol]]]] = {}
        self.followed: set[p.RuleDecl] = set()
        self.results: list[Info] = []
        self.prevented: list[tuple[Level, p.Expr | None]] = []  # what stands behind each `prevent` of the hook
        self.calls: dict[object, Followed] = {}
        self.possible: dict[object, Level] = {}

    def follow(self, known: frozenset[p.PlaceDecl]) -> frozenset[p.PlaceDecl]:
        """Everything once. Gives the places that are known to all throughout `play`."""
        at = Known(frozenset(self.program.places))
        self.always = known
        if "setup" in self.program.rules:
            self.call(self.program.rules["setup"], [], at)
        # What setup leaves known, and what no turn so far has made unknown.
        known &= at.known
        self.spoiled.clear()
        entered = [call.rule for cell in self.program.cells for call in cell.calls]
        # What these come to is followed from each call, with what is known there. Whatever is left is entered on its
        # own, with what is known all through `play`.
        first = [rule for rule in self.program.rules.values() if rule.form in ("play", "free")]
        for rule in (*first, *dict.fromkeys(entered)):
            self.enter_alone(rule, Known(known))
        for rule in self.program.rules.values():
            if rule not in self.followed and rule.form != "value":
                self.enter_alone(rule, Known(known))
        for change in self.program.change_hooks:
            self._enter_change(change, known)
        for move in self.program.move_hooks:
            self.enter_alone(move.rule, Known(known), self._moving_piece(move))
        for block in self.program.scores:
            for line in block.lines:
                self.told_to_all(line.label, "line of the score", Known(known))
        return known - self.spoiled

    def enter_alone(self, rule: p.RuleDecl, at: Known, first: Info = PUBLIC, last: Info | None = None) -> None:
        """A rule that is entered from anywhere: what it is given counts as known, but for the `first` or `last`."""
        args: Args = [(PUBLIC, ("local", id(param))) for param in rule.params]
        if args:
            args[0] = (first, args[0][1])
            args[-1] = (last or args[-1][0], args[-1][1])
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
            self.enter_alone(rule, Known(known))
            return
        owner = p.LocalVar(rule.params[0].type, rule.span, rule.params[0]) if field.owner_dimension else None
        at = Known(known, because=p.FieldRead(field.type, rule.span, field, owner, ()))
        at.behind = self.field_level(field, owner, at)
        self.enter_alone(rule, at, last=Info(at.behind))

    def _moving_piece(self, hook: p.MoveHook) -> Info:
        """The piece of a hook on moves: as unseen as the least seen move that can set the hook off."""
        kinds = self.unseen.get((hook.motion, hook.place), frozenset())
        wanted = kinds_of_hook(hook.rule, self.program)
        if not (kinds if wanted is None else kinds & wanted):
            return Info(unshown=self.is_closed(hook.place))
        owner = hook.rule.params[1] if hook.place.owner_dimension is not None and len(hook.rule.params) > 1 else None
        ref = None if owner is None else p.LocalVar(owner.type, hook.rule.span, owner)
        seen = self.declared_level(hook.place.visibility, "player", ref, Known())
        return Info(identity=seen, origin=hook.place)

    # ------------------------------------------------------------------------ rules

    def call(self, rule: p.RuleDecl, args: Args, at: Known) -> Info:
        """Follows a rule with its hooks; gives its result, and leaves in `at` what is known afterwards."""
        # Part of the key, since findings differ by it: the same rule may leak in one call and not in another. Where
        # nothing is reported, fewer keys mean fewer rules to follow.
        reported = None if self.muted else (at.because, self.together, self.actor, self.decider)
        key = (rule, tuple(args), at.known, at.revealed, at.behind, reported)
        if self._is_followed_already(rule, key):
            return self._met_again(rule, at)
        if key not in self.calls:
            self.calls[key] = self._followed_to_the_end(rule, args, at, key)
        result, after, refused, self.decider = self.calls[key]
        at.known, at.revealed = after.known, after.revealed
        at.written |= after.written
        at.forget(after.changed, symbols_only=True)
        self.rename_seats(at)
        self.refuses(in_new_names(refused, at.former))
        return result.changed(lambda level: in_new_names(level, at.former)) if at.former else result

    # A rule may call itself (`depth n`), with a secret where there was none the first time:
    #
    #     effect tell(p, n: 0..3, x: 0..9) depth 4
    #       say "{x}"
    #       if n > 0
    #         tell(p, n - 1, p.bid)
    #
    # So it is followed again inside itself, as long as something differs from the calls around it and the calls are
    # not nested too deep (a path such as `next(next(p))` grows with every call). Where it is not followed any
    # further, it gives and changes what it was found to give and change; and it is followed until no more is found.

    def _is_followed_already(self, rule: p.RuleDecl, key: object) -> bool:
        around = self.running.count(rule)
        return around > 0 and (not self._has_depth(rule) or key in self.being_followed or around >= _DEEPEST)

    def _has_depth(self, rule: p.RuleDecl) -> bool:
        """Whether one of the rules through which this one calls itself declares how deep it goes. All others do so by
        `perform`, which carries out an effect once and not inside itself."""
        since = len(self.running) - 1 - self.running[::-1].index(rule)
        return any(one.depth is not None for one in self.running[since:])

    def _met_again(self, rule: p.RuleDecl, at: Known) -> Info:
        if not self._has_depth(rule):
            return PUBLIC
        self.met_again.add(rule)
        result, written = self.found_of.get(rule, (PUBLIC, frozenset()))
        at.written |= written
        at.forget(frozenset(identity for identity, _ in written))
        return result

    def _followed_to_the_end(self, rule: p.RuleDecl, args: Args, at: Known, key: object) -> Followed:
        self.being_followed.add(key)
        for _ in range(_OFTEN_ENOUGH):
            self.met_again.discard(rule)
            followed = self._followed(rule, args, at)
            if rule not in self.met_again:
                break
            result, written = self.found_of.get(rule, (PUBLIC, frozenset()))
            found = (result.joined(followed[0]), written | followed[1].written)
            if found == (result, written):
                break
            self.found_of[rule] = found
            self.calls.clear()  # what was worked out with less than this
        self.being_followed.discard(key)
        return followed

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
        self.set_back(rule.resets, at)
        for hook in rule.before:
            self._before(hook, args, at)
        # Conditions in play decide which of them stands in: known afterwards is what is known on every way.
        ways = [self._way(body, args, at) for body in (*rule.instead, rule)]
        self.alternatives([way for way, _ in ways], at)
        for hook in rule.after:
            self.hook(hook, args, at)
        self.set_back(rule.lasting, at)
        self.running.pop()
        result = all_joined([result for _, result in reversed(ways)])
        refused, self.refused = self.refused, outer_refused
        # A phase is as far as anybody looks ahead.
        decider = outer_decider if rule.form == "phase" else self.decider
        if rule.form == "phase":
            self.looked_ahead_from = frozenset()
        return result, at, refused, decider

    def _before(self, hook: p.RuleDecl, args: Args, at: Known) -> None:
        """Whether the rule happens at all reveals the conditions under which the hook prevents it."""
        outer, self.prevented = self.prevented, []
        self.hook(hook, args, at)
        for level, because in self.prevented:
            at.stand_behind(level, because)
        self.prevented = outer

    def can(self, rule: p.RuleDecl, args: Args, at: Known) -> Level:
        """What somebody learns from knowing whether a rule can be carried through.

        Worked out once for all callers that ask the same: arguments are named by their positions, and in the answer the
        seats get their own names back. Otherwise a game with many effects in its tables would be followed again for
        each of them.
        """
        names = [("argument", number) for number in range(len(args))]
        plain = [(info, name) for (info, _), name in zip(args, names, strict=True)]
        own = [symbol for _, symbol in args]
        key = (rule, tuple(renamed(plain, own, names)), at.known, renamed(at.revealed, own, names))
        if key not in self.possible:
            tried = Known(at.known, key[3])
            self.possible[key] = self._refusals(rule, list(key[1]), tried)
        told: Level = renamed(self.possible[key], names, own)
        return told

    def _refusals(self, rule: p.RuleDecl, args: Args, at: Known) -> Level:
        """Follows a rule only to find out what its refusals tell."""
        # Asking whether something can be done does not do it: what it would move or write must not count as moved.
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
        given = zip(rule.params, args, strict=False)
        seats = (symbol for param, (_, symbol) in given if isinstance(param.type, Player))
        self.actor = next(seats, self.actor)
        automa = self.is_for_automa(rule.when)
        self.muted += automa
        self.stand_behind(rule.when, inner)
        self.block(rule.body, inner)
        self.muted -= automa
        result = all_joined(self.results)
        self.actor, self.results = outer_actor, outer_results
        inner.drop_former()
        return inner, result

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
            self.unseen_locals.update(local for local, info in at.locals.items() if info.all)

    def statement(self, s: p.Stmt, at: Known) -> None:
        self.uses_closed(s, at)
        match s:
            case p.Let(local=local, value=value):
                self.name_number(local, value, at)
                at.bind(local, self.info(value, at), self.symbol(value, at))
                self.name_found(local, value, at)
            case p.SetField():
                self.change(s.field, s.owner, s.indexes, s.value, s, at)
            case p.Gain() | p.Lose():
                self.count(s, at)
            case p.SetFace():
                self.set_face(s, at)
            case p.CallRule():
                self._call_rule(s, at)
            case p.CallPrevious():
                self.name(s.result, PUBLIC, at)
            case p.Require(condition=condition, text=text):
                self.may_refuse(condition, self.level(condition, at), at)
                self.text_for(text, self.decider or self.actor or ("nobody",), at)
            case p.ResultIs(value=value):
                self.results.append(self.info(value, at).behind(at.behind))
                if self.is_from_chance(value):
                    self.gives_chance.update(self.running[-1:])
                elif self.is_from_closed(value, at):
                    self.gives_closed.update(self.running[-1:])
            case p.Say():
                self.told(s, at)
            case p.Reveal():
                self.reveal(s, at)
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
                self.picked_by_chance(s, at)
                self.pick(s, at)
            case p.For() | p.Walk() | p.Repeat() | p.While() | p.InTurn() | p.Together():
                self.loop(s, at)
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
        """A statement that everybody sees happen."""
        self.happens(s, at)
        match s:
            case p.MovePiece(piece=moved) | p.MoveSet(pieces=moved):
                info = self.info(moved, at)
                if (info.level or info.handle) and not self.stays_unseen(info, s.to, at):
                    self.turns_on_secret(moved, s.span, at)
                self.move(moved, info, s.to, s.span, at)
            case p.MoveSome() | p.MoveEach():
                elements, inner = self.binder(s.binder, at)
                # All count how many pieces go. `move all c in Card where c in box to deck` tells nothing by it if
                # nobody sees the deck and it is shuffled right behind.
                if elements.level and s not in self.emptied_unseen and not self.is_one_found(s, at):
                    self.turns_on_secret(s.binder.where or s.binder.source, s.span, inner, let_choose(s.binder))
                self.openly(s.count, at)
                own = inner if isinstance(s, p.MoveEach) else None
                self.move(s.binder.source, elements, s.to, s.span, at, own)
            case p.Draw():
                self.draw(s, at)
            case p.Shuffle(place=place, into=into):
                for ref in (place, into):
                    if ref is not None:
                        self.openly_there(ref, at)
                        self.spoil(ref.place, at)
                        at.write(ref.place, self.symbol(ref.owner, at))
                        at.lose_track(ref.place, mixed=True)
                self.decider = None  # nobody looks ahead past chance
            case p.Flip():
                self.flip(s, at)
            case p.Roll(dice=dice):
                self.openly(dice, at)
                self.forget_dice(dice, at)
                self.decider = None
            case p.SwapPlaces() | p.SwapPieces() | p.PassOn():
                self.swap(s, at)
            case p.Pay():
                self.pay(s, at)
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
                for _, given in s.given:  # the effect in the cell is looked at as if what it is given were known
                    if self.info(given, at).all:
                        self.turns_on_secret(given, given.span, at)
            case _ if motion(s) is None and not written_fields(s):
                return
            case _:
                raise UnknownForm(s)

    def _call_rule(self, s: p.CallRule, at: Known) -> None:
        behind, because = at.behind, at.because
        if s.if_possible:
            self.stand_behind(self._if_possible(s), at)
        for param, arg in zip(s.rule.params, s.args, strict=False):
            if not isinstance(bare(param.type), Player):
                self.name_number(param, arg, at)
        self.called_from.append((s.rule, s.span))
        self.name(s.result, self.call(s.rule, self.args(s.args, at), at), at)
        self.called_from.pop()
        if s.result is not None and s.rule in self.gives_chance:
            self.by_chance.add(s.result)
        if s.result is not None and s.rule in self.gives_closed:
            self.by_chance.add(s.result)
            self.from_closed.add(s.result)
        at.behind, at.because = behind, because

    def _first_possible(self, body: p.Block, at: Known) -> None:
        """Which one it is tells of those before it that they could not be carried through."""
        paths, before = [], at.copy()
        for statement in body:
            assert isinstance(statement, p.CallRule | p.Perform)
            self.stand_behind(self._if_possible(statement), before)
            path = before.copy()
            self.statement(statement, path)
            paths.append(path)
        self.alternatives([*paths, at.copy()], at)

    def _if(self, s: p.If, at: Known) -> None:
        automa = self.is_for_automa(s.condition)
        then, other = at.copy(), at.copy()
        if not (is_known := self.is_shown_by_condition(s, at, then)):
            if self.level(s.condition, at):
                self.unseen_turns.add(s)
            self.turns_on_closed(s, s.condition, at)
            self.stand_behind(s.condition, then)
            self.stand_behind(s.condition, other)
        self.note_found(s.condition, True, then)
        then.revealed |= self.owners(s.condition, then)
        self.note_found(s.condition, False, other)
        before = self.decider
        self.muted += automa
        self.block(s.then, then)
        self.muted -= automa
        decided, self.decider = self.decider, before  # whoever decided in one branch has not decided in the other
        self.block(s.otherwise, other)
        if self.decider == before:
            self.decider = decided
        self.alternatives([then, other], at)
        # `if (top of deck).rank > 3` / `done`: whatever is written below happens only if it did not hold.
        lasts = (*s.then[-1:], *s.otherwise[-1:])
        if not is_known and any(isinstance(last, p.ResultIs | p.Done | p.Stop) for last in lasts):
            self.stand_behind(s.condition, at)
