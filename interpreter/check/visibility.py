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

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from . import program as p
from .forms import Flow, UnknownForm, flow
from .levels import EVERY, HIDDEN, OPEN, PUBLIC, Info, Known, Level, Symbol, element, enter, seat_level
from .seen_choices import SeenChoices
from .value_types import Number, Piece, PlaceOf, Player, SetOf, bare
from .walk import statements

Unseen = dict[tuple[str, p.PlaceDecl], frozenset[str]]  # (enters or leaves, place) -> kinds that move there unseen
Args = list[tuple[Info, Symbol]]


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
        self.actor: Symbol | None = None
        self.running: list[p.RuleDecl] = []
        self.followed: set[p.RuleDecl] = set()
        self.results: list[Info] = []
        self.prevented: list[tuple[Level, p.Expr | None]] = []  # what stands behind each `prevent` of the hook
        self.calls: dict[object, tuple[Info, frozenset[p.PlaceDecl], frozenset[Symbol]]] = {}

    def follow(self, known: frozenset[p.PlaceDecl]) -> frozenset[p.PlaceDecl]:
        """Everything once. Gives the places that are known to all throughout `play`."""
        at = Known(frozenset(self.program.places))
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
            self.enter_alone(change.rule, known)
        for move in self.program.move_hooks:
            self.enter_alone(move.rule, known, self._moving_piece(move))
        return known - self.spoiled

    def enter_alone(self, rule: p.RuleDecl, known: frozenset[p.PlaceDecl], first: Info = PUBLIC) -> None:
        """A rule that is entered from anywhere: what it is given counts as known."""
        args: Args = [(PUBLIC, ("local", id(param))) for param in rule.params]
        if args:
            args[0] = (first, args[0][1])
        at = Known(known)
        if rule.form == "hook":
            self.hook(rule, args, at)
        else:
            self.call(rule, args, at)

    def _moving_piece(self, hook: p.MoveHook) -> Info:
        """The piece of a hook on moves: as unseen as the least seen move that can set the hook off."""
        kinds = self.unseen.get((hook.motion, hook.place), frozenset())
        wanted = _kinds_asked_for(hook.rule, self.program)
        if not (kinds if wanted is None else kinds & wanted):
            return PUBLIC
        owner = hook.rule.params[1] if hook.place.owner_dimension is not None and len(hook.rule.params) > 1 else None
        if hook.place.visibility == "secret" and owner is not None:
            return Info(identity=seat_level(("local", id(owner))))
        return Info(identity=frozenset([HIDDEN]) if hook.place.visibility != "open" else OPEN)

    # ------------------------------------------------------------------------ rules

    def call(self, rule: p.RuleDecl, args: Args, at: Known) -> Info:
        """Follows a rule with its hooks; gives its result, and leaves in `at` what is known afterwards."""
        if rule in self.running:
            return PUBLIC
        key = (
            rule,
            tuple(args),
            at.known,
            at.revealed,
            at.behind,
            at.because,
            self.muted > 0,
            self.together,
            self.actor,
        )
        if key not in self.calls:
            self.followed.add(rule)
            self.running.append(rule)
            happens = at.behind, at.because
            for hook in rule.before:
                self._before(hook, args, at)
            ways = [self._way(body, args, at) for body in (*rule.instead, rule)]
            self.alternatives([way for way, _ in ways], at)
            for hook in rule.after:
                self.hook(hook, args, at)
            at.behind, at.because = happens  # whatever comes after the call comes in any case
            self.running.pop()
            result = ways[-1][1]
            for _, other in ways[:-1]:
                result = result.joined(other)
            self.calls[key] = (result, at.known, at.revealed)
        result, at.known, at.revealed = self.calls[key]
        return result

    def _before(self, hook: p.RuleDecl, args: Args, at: Known) -> None:
        """Whether the rule happens at all tells under which conditions the hook prevents it."""
        outer, self.prevented = self.prevented, []
        self.hook(hook, args, at)
        for level, because in self.prevented:
            at.behind, at.because = at.behind | level, because
        self.prevented = outer

    def hook(self, hook: p.RuleDecl, args: Args, at: Known) -> None:
        way, _ = self._way(hook, args, at)
        way.meet(at)
        at.known, at.revealed = way.known, way.revealed

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

    # ------------------------------------------------------------------------ statements

    def block(self, block: p.Block, at: Known) -> None:
        for statement in block:
            self.statement(statement, at)

    def statement(self, s: p.Stmt, at: Known) -> None:
        match s:
            case p.Let(local=local, value=value):
                at.locals[local], at.symbols[local] = self.info(value, at), self.symbol(value, at)
            case p.SetField():
                self._set_field(s, at)
            case p.Gain() | p.Lose():
                for amount in s.amounts:
                    self._change(amount.field, s.player, amount.amount, s, at)
            case p.CallRule():
                args = [(self.info(arg, at), self.symbol(arg, at)) for arg in s.args]
                self._name(s.result, self.call(s.rule, args, at), at)
            case p.CallPrevious():
                self._name(s.result, PUBLIC, at)
            case p.Require(condition=condition):
                self._require(condition, at)
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
                paths = [at.copy() for _ in body]
                for statement, path in zip(body, paths, strict=True):
                    self.statement(statement, path)
                self.alternatives([*paths, at.copy()], at)
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
            case p.MovePiece(piece=piece):
                if not self._stays_unseen(piece, s.to, at):
                    self.openly(piece, at)
                self._move(piece, self.info(piece, at), s.to, s.span, at)
            case p.MoveSet(pieces=pieces):
                whole = self.info(pieces, at)
                if whole.level or whole.handle:
                    self.turns_on_secret(pieces, s.span)
                self._move(pieces, whole, s.to, s.span, at)
            case p.MoveSome() | p.MoveEach():
                elements, inner = self.binder(s.binder, at)
                if elements.level:
                    self.turns_on_secret(s.binder.where or s.binder.source, s.span)
                self.openly(s.count, at)
                own = inner if isinstance(s, p.MoveEach) else None
                self._move(s.binder.source, elements, s.to, s.span, at, own)
            case p.Draw():
                self._draw(s, at)
            case p.Shuffle(place=place, into=into):
                for ref in (place, into):
                    if ref is not None:
                        self._spoil(ref.place, at)
                        at.forget_place(ref.place)
            case p.SwapPlaces() | p.SwapPieces() | p.PassOn():
                self._swap(s, at)
            case p.SetFace(value=value):
                self.openly(value, at)
            case p.Pay(costs=costs):
                for cost in costs:
                    self.openly(cost.amount, at)
            case p.Wins(player=player) | p.Loses(player=player) | p.DropsOut(player=player):
                self.openly(player, at)
            case p.Perform(cell=cell):
                self.openly(cell, at)
            case p.Roll() | p.Flip() | p.Pause() | p.EndGame():
                return
            case _:
                raise UnknownForm(s)

    def _stays_unseen(self, piece: p.Expr, to: p.Destination, at: Known) -> bool:
        """A piece known to one player goes to a secret place of that player: all see that, and not which."""
        if not isinstance(to.place, p.PlaceRef) or to.place.place.visibility != "secret" or to.place.owner is None:
            return False
        return self.may_know(self.level(piece, at), self.symbol(to.place.owner, at))

    def _name(self, local: p.LocalDecl | None, info: Info, at: Known) -> None:
        if local is not None:
            at.locals[local] = info

    def _require(self, condition: p.Expr, at: Known) -> None:
        """A refusal is seen by whoever looks ahead: the one who acts."""
        level = self.level(condition, at)
        if level and (self.actor is None or not self.may_know(level, self.actor)):
            self.known_to_chooser(condition, level, self.actor or ("nobody",))

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
            actor = self.actor
            body = self._begin_pass(s, inner)
            self.block(body, inner)
            self.actor = actor
            shown = self._shown_of_all(s, inner)
            inner.meet(at)
            at.known, at.revealed = inner.known, inner.revealed | shown
            if isinstance(s, p.Together):
                self.end_together()

    def _shown_of_all(self, s: p.Stmt, at: Known) -> frozenset[Symbol]:
        """Fields that a loop over all players has revealed of each: `for q in players` / `reveal q.bid`."""
        if not (isinstance(s, p.For) and isinstance(s.binder.source, p.Players) and s.binder.where is None):
            return frozenset()
        leaves = any(flow(inner) is not Flow.on for inner in statements(s.body))
        if leaves or s.binder.source.which not in ("players", "everybody"):
            return frozenset()
        each = ("local", id(s.binder.local))
        paths = [path for path in at.revealed if path[0] == "field" and path[2] == each]
        return frozenset(("field", path[1], EVERY, *path[3:]) for path in paths)

    def _begin_pass(self, s: p.Stmt, at: Known) -> p.Block:
        match s:
            case p.For(binder=binder):
                if s.ordered_by is not None:
                    self.offered(binder, self.symbol(s.ordered_by, at), at)
                elements, _ = self.binder(binder, at)
                # All of them are gone over: being the next one tells nothing.
                one = element(elements, binder.local.type)
                chosen_by = self.level(binder.where, self.binder(binder, at)[1])
                at.locals[binder.local] = Info(OPEN, OPEN, one.identity, one.origin)
                at.symbols[binder.local] = ("local", id(binder.local))
                at.revealed -= {("local", id(binder.local))}
                if chosen_by:
                    at.behind, at.because = at.behind | chosen_by, binder.where
                return s.body
            case p.Walk(local=local, place=place):
                at.locals[local] = Info(OPEN, OPEN, self.info(place, at).identity, place.place)
                return s.body
            case p.Repeat(times=times):
                self.openly(times, at)
                return s.body
            case p.While(condition=condition):
                self._stand_behind(condition, at)
                return s.body
            case p.InTurn(local=local):
                for asked in (s.start, s.skipping, s.until):
                    self.openly(asked, at)
                self.actor = at.symbols[local] = ("local", id(local))
                return s.body
            case p.Together(local=local):
                self.together = self.actor = at.symbols[local] = ("local", id(local))
                self._values.clear()
                return s.body
            case _:
                raise AssertionError(s)

    # ------------------------------------------------------------------------ fields

    def _set_field(self, s: p.SetField, at: Known) -> None:
        at.forget_field(s.field)
        self._change(s.field, s.owner, s.value, s, at)

    def _change(self, field: p.FieldDecl, owner: p.Expr | None, value: p.Expr, s: p.Stmt, at: Known) -> None:
        self.writes(field, self.symbol(owner, at), s.span)
        allowed = self.field_level(field, owner, at)
        self.openly(owner, at)
        if not at.behind <= allowed and HIDDEN not in allowed:
            self.turns_on_secret(at.because, s.span)
        if not self.level(value, at) <= allowed and HIDDEN not in allowed:
            self.report(
                "R0513",
                f"a secret is stored in `{field.name}`, which others can see",
                value.span,
                "not known to all who see the field",
                value,
                f"make `{field.name}` secret, reveal the value before, or say `public(…)`",
            )

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
            at.forget_place(place)
            self._enters(place, kinds, info, at)
            if isinstance(pieces, p.LocalVar):
                at.locals[pieces.local] = Info(identity=self._identity_there(info, to.place, at))

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
        at.forget_place(place)
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

    def _identity_there(self, info: Info, to: p.PlaceRef, at: Known) -> Level:
        """Who knows a piece once it lies in a place: all who knew it, and all who see it there."""
        there = self.place_level(to, at)
        return info.identity if not info.identity else there

    def _spoil(self, place: p.PlaceDecl, at: Known) -> None:
        if place.visibility != "open":
            at.known -= {place}
            self.spoiled.add(place)

    def _draw(self, s: p.Draw, at: Known) -> None:
        self.openly(s.count, at)
        info = self._drawn(s, at)
        self._move(s.source, info, s.to, s.span, at)
        if s.result is not None and isinstance(s.to.place, p.PlaceRef):
            self._name(s.result, Info(identity=self._identity_there(info, s.to.place, at)), at)

    def _drawn(self, s: p.Draw, at: Known) -> Info:
        """What is known of the pieces before they move. The first may have been revealed."""
        place = s.source.place
        if place.shape == "bag":
            return Info(identity=frozenset([HIDDEN]), origin=place)
        one = isinstance(s.count.type, Number) and s.count.type.high <= 1
        top = ("end", "top", self.symbol(s.source, at))
        seen = one and (top in at.revealed or place.visibility == "top_open")
        return Info(identity=OPEN if seen else self.place_level(s.source, at), origin=place)

    def _swap(self, s: p.SwapPlaces | p.SwapPieces | p.PassOn, at: Known) -> None:
        sides: list[p.Expr] = [] if isinstance(s, p.PassOn) else [s.first, s.second]
        places = [side for side in sides if isinstance(side, p.PlaceRef)]
        unknown = any(self.info(side, at).identity for side in sides)
        for decl in [ref.place for ref in places] + [s.place for s in (s,) if isinstance(s, p.PassOn)]:
            self.writes(decl, ("table",), s.span)
            at.forget_place(decl)
            if unknown or isinstance(s, p.PassOn):
                self._note_unseen("enters", decl, frozenset(decl.kinds))
                self._spoil(decl, at)

    def _reveal(self, s: p.Reveal, at: Known) -> None:
        seen = s.pieces if s.pieces is not None else s.field
        if seen is None:
            return
        self.openly(s.to, at)
        if s.to is None:
            self.happens(s, at)
            at.revealed |= {self.symbol(seen, at)}
        elif isinstance(s.to.type, Player) and isinstance(seen, p.LocalVar):
            at.locals[seen.local] = Info(identity=seat_level(self.symbol(s.to, at)))


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
