"""Who may know an expression: its level, worked out from the places, fields and dice it reads.

Two things about a piece can be secret independently: which one is meant, and what is printed on it. Of a set there is
its number, pointing at one of its elements, and what is printed on them (`known.Info`). So `top of deck` may be moved
and not read, a hand may be counted and not filtered, and nobody points into somebody else's hand.

**Comparing pieces can tell what is printed.** `rival(p).card == Card.king` asks for the printing: the king is known by
its face. `c == top of deck` with c found in the same deck does not: both are known by where they lie, and where pieces
lie is no secret. So two pieces compare openly if both faces are open, or if both are known by their place (`origin`);
one of each tells the face of the other (`same_piece`). Two cards of one row are told apart by where they lie, whether
they are turned up or not (`spot`): `choose b in cloth where b != a`. Membership, `without`, lists without repetition,
and `position` compare in the same way. Asking where a piece is (`at`, `holder`, `under`, `x in p.hand`) is the same
question turned round: of a piece known by its face it tells where that face lies (`_whereabouts`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..diagnostics.source import Span
from . import program as p
from .boxed import emptied_unseen, kinds_asked_for
from .expression_forms import expression_form
from .forms import kinds_in
from .known import (
    NOBODY,
    OPEN,
    PUBLIC,
    Info,
    Known,
    Level,
    Symbol,
    all_joined,
    element,
    enter,
    matches,
    seat_level,
    told_to,
)
from .secret_refusals import attempt_tells, secret_reads
from .symbols import ANYBODY, Symbols
from .value_types import Piece, PlaceOf, Player, SetOf, bare
from .walk import Node, conjuncts, parts, walk_rule

Args = list[tuple[Info, Symbol]]

# Whose places a question about the whereabouts of a piece looks at. What a piece carries is where that piece is.
_ASKED_FOR = {"at": {"node", "piece"}, "holder": {"player", "piece"}, "under": {"piece"}}

_FAR_IN = 4  # calls of values inside one another, from where on names that are long are given up
_LONG = 4  # names in a name: `a.link.link` has three


class Levels(Symbols):
    """Levels of expressions. Calls are remembered, so that a value is looked at once in each situation.

    `tells`: whether `public(E)` tells everybody what E gives. It does where rules run, and not where somebody asks.
    """

    def __init__(self, program: p.Program, *, tells: bool = True) -> None:
        super().__init__(program)
        self.tells = tells
        self.conditions: dict[p.Stmt, p.Expr] = {}  # what stands before `… if possible`, by statement
        self.emptied_unseen = emptied_unseen(program)
        self._values: dict[object, Info] = {}
        self._calling: list[p.RuleDecl] = []

    # ------------------------------------------------------------------------ expressions

    def level(self, expr: p.Expr | None, at: Known) -> Level:
        """What one must know to know the value (for pieces: to know which one; for sets: how many)."""
        return OPEN if expr is None else self.info(expr, at).level

    def info(self, expr: p.Expr, at: Known) -> Info:
        match expr:
            case p.LocalVar(local=local):  # every other expression: first, and without a look at what was revealed
                info = at.locals.get(local, PUBLIC)
                return info if info.is_open else info.shown_to(at.readers(self.symbol(expr, at)))
            case p.Const() | p.AllOf() | p.RuleRunning() | p.IsAutoma():
                return PUBLIC
            case p.Box():
                return self._box(kinds_in(expr.type), at)
            case p.InRange(of=of):
                return self.info(of, at)
            case p.FieldRead():
                return self._field(expr, at)
            case p.DieRef() | p.DiceGroup():
                return self._dice(expr, at)
            case p.PlaceRef():
                return self._place(expr, at)
            case p.SlotPiece(place=of) | p.EndOf(of=of):
                return self._end(expr, of, at)
            case p.Face(die=of) | p.IsKind(of=of):
                info = self.info(of, at)
                return Info(info.level | info.identity)
            case p.AttributeOf():
                thing = self.info(expr.of, at)
                level = thing.level if expr.table.is_back else thing.level | thing.identity
                return self._a_value(expr, level.union(*(self.level(index, at) for index in expr.indexes)))
            case p.Compare(left=left, right=right):
                one, other = self.info(left, at), self.info(right, at)
                return Info(one.level | other.level | self.same_piece(one, other))
            case p.Member(item=item, source=source):
                return Info(self._member(item, source, at))
            case p.CountOf(of=of) | p.IsEmpty(of=of) | p.IsFull(of=of):
                return Info(self.info(of, at).level)
            case p.IsNone(of=of):
                # `top of deck is none` tells that the deck is empty, which all see; it does not tell what the card is.
                return Info(self.info(of, at).presence)
            case p.KnownTo(piece=piece, player=player):
                return Info(self.level(piece, at) | seat_level(self.symbol(player, at)))
            case p.Logic(op="and", left=left, right=right):
                # The right side is asked only where the left one holds: in `b.owner == p and b.strength > 3` p may know
                # the strength.
                return Info(self.level(left, at) | self.level(right, self.behind(left, at)))
            case p.IfElse():
                then, other = self.info(expr.then, self.behind(expr.condition, at)), self.info(expr.otherwise, at)
                return then.joined(other).behind(self.level(expr.condition, at))
            case p.Otherwise():
                return self.info(expr.value, at).joined(self.info(expr.fallback, at))
            case p.Selected() | p.Quantified() | p.CountWhere() | p.SumOf() | p.ListOf() | p.ExtremeOf():
                return self._over_set(expr, at)
            case p.SetList(items=items):
                return self._listed(items, expr.repeats, at)
            case p.Without(source=of, left_out=apart):
                return self._set_without(of, apart, at)
            case p.StartingWith(source=of, first=first) | p.Following(source=of, first=first):
                return self._set_without(of, first, at)
            case p.ValueCall() | p.FormulaCall() | p.CanCall() | p.CanPerform() | p.CanPay():
                return self._called(expr, at)
            case p.Builtin():
                return self._builtin(expr, at)
            case _:
                expression_form(expr)  # a form that nobody has described is not waved through
                return self._a_value(expr, self._parts(expr, at))

    def behind(self, condition: p.Expr, at: Known) -> Known:
        """What is known where the condition holds."""
        said = self.owners(condition, at)
        return replace(at, revealed=at.revealed | said) if said else at

    def _a_value(self, expr: p.Expr, level: Level) -> Info:
        """A value of this level. If a set is secret as a whole, so are its elements."""
        return Info(level, level) if isinstance(expr.type, SetOf) else Info(level)

    def _parts(self, node: Node, at: Known) -> Level:
        """The levels of everything inside, for forms that have no rule of their own."""
        found: Level = OPEN
        for part in parts(node):
            match part:
                case p.Binder():
                    elements, at = self.binder(part, at)
                    found |= elements.level | elements.handle
                case p.Expr():
                    found |= self.info(part, at).all
                case _:
                    found |= self._parts(part, at)
        return found

    # ------------------------------------------------------------------------ fields, dice, places

    def way_to(self, owner: p.Expr | None, indexes: p.Exprs, at: Known) -> Level:
        """What one must know to know which field or place is meant. State that belongs to a piece belongs to its face:
        `(top of deck).marks` tells which card is on top."""
        whose = PUBLIC if owner is None else self.info(owner, at)
        return self._way_of(whose, indexes, at)

    def _way_of(self, whose: Info, indexes: p.Exprs, at: Known) -> Level:
        """The same, with what is known of the owner: asked twice for each `.link` of `c.link.link.link`, it would take
        twice as long with each of them."""
        return (whose.level | whose.identity).union(*(self.info(index, at).all for index in indexes))

    def reads(self, decl: p.StateDecl, owner: p.Expr | None, span: Span, at: Known) -> None:
        """A field, dice or a place is read here: noted by a pass that wants to know."""

    def _field(self, expr: p.FieldRead, at: Known) -> Info:
        self.reads(expr.field, expr.owner, expr.span, at)
        whose = PUBLIC if expr.owner is None else self.info(expr.owner, at)
        self._note_mark(expr, whose)
        declared = self.field_level(expr.field, expr.owner, at)
        shown = told_to(declared, at.readers(self.symbol(expr, at)) | self._readers_of_one(expr, at))
        return Info(self._way_of(whose, expr.indexes, at) | shown)

    def _readers_of_one(self, expr: p.FieldRead, at: Known) -> frozenset[Symbol]:
        """`layout[2].from`, behind a loop over the layout that has revealed it of each."""
        if not isinstance(expr.owner, p.Selected) or expr.owner.which == "all":
            return frozenset()
        path = self.symbol(expr, at)
        of_one = self._shown_of(self.symbol(expr.owner, at), expr.owner.binder, (), at)
        return frozenset(reader for shown, reader in of_one if matches(shown, path))

    def _note_mark(self, expr: p.FieldRead, whose: Info) -> None:
        """`some c in q.hand has c.marked`: what lies openly on a card that is not seen."""
        if expr.owner is not None and expr.field.owner == "piece" and expr.field.visibility == "open":
            if whose.origin is None or self.is_closed(whose.origin):
                self.program.read_unseen.add(expr.field)

    def _dice(self, expr: p.DieRef | p.DiceGroup, at: Known) -> Info:
        """Which die is meant is open, what it shows is as its field says."""
        self.reads(expr.field, expr.owner, expr.span, at)
        indexes = (expr.index,) if isinstance(expr, p.DieRef) else ()
        group = ("dice", id(expr.field), self.symbol(expr.owner, at))
        readers = at.readers(self.symbol(expr, at)) | at.readers(group)
        shows = told_to(self.field_level(expr.field, expr.owner, at), readers)
        return Info(self.way_to(expr.owner, indexes, at), OPEN, shows)

    def _place(self, ref: p.PlaceRef, at: Known) -> Info:
        self.reads(ref.place, ref.owner, ref.span, at)
        seen = self.place_level(ref, at)
        way = self.way_to(ref.owner, ref.indexes, at) | self.level(ref.slot, at)
        # All may count what lies there. Pointing at one takes seeing them, unless they lie in an order.
        number = way | seen if ref.place.uncounted else way
        is_ordered = ref.place.is_ordered
        return Info(number, way if is_ordered else way | seen, seen, ref.place, spot=is_ordered)

    def _box(self, kinds: Collection[str], at: Known) -> Info:
        """All begin in the box, in plain view. So everybody knows what is there, of the kinds that nobody has put
        there or taken out unseen: `move top of deck to box`, `pick c in Card at random` / `move c to envelope`."""
        unseen = self.program.boxed_unseen.intersection(kinds)
        return Info(OPEN, NOBODY, NOBODY) if unseen and self.may_be_hidden(unseen, at) else PUBLIC

    def _end(self, expr: p.SlotPiece | p.EndOf, of: p.Expr, at: Known) -> Info:
        """The piece in a slot, or at the end of a place or a list."""
        if not isinstance(of, p.PlaceRef):
            return element(self.info(of, at), expr.type)
        whole = self._place(of, at)
        shows = isinstance(expr, p.EndOf) and of.place.visibility == "top_open" and expr.end in ("top", "first")
        shown = OPEN if shows else told_to(whole.identity, at.readers(self.symbol(expr, at)))
        return Info(whole.level, OPEN, shown, of.place, spot=True)

    # ------------------------------------------------------------------------ which piece, and where

    def same_piece(self, one: Info, other: Info) -> Level:
        """What one learns from whether two pieces (or members of two sets of pieces) are the same."""
        # Both faces closed, both known by where they lie: `top of deck == bottom of deck` tells how many cards there
        # are.
        if one.identity and other.identity and one.origin is not None and other.origin is not None:
            return OPEN
        if one.spot and other.spot and one.origin is other.origin:
            return OPEN
        return one.identity | other.identity

    def _member(self, item: p.Expr, source: p.Expr, at: Known) -> Level:
        mine, of = self.info(item, at), self.info(source, at)
        if isinstance(source, p.Box):
            in_doubt = self._box(kinds_in(item.type), at).identity
            where = self._whereabouts(item, mine, at, ANYBODY) if in_doubt or mine.identity else OPEN
            return mine.level | where
        if isinstance(source, p.PlaceRef):
            way = self.way_to(source.owner, source.indexes, at) | self.level(source.slot, at)
            # A closed card that was found in a place lies there, which all know. `Card.king in q.hand` asks for a face
            # instead.
            by_place = (mine.identity and mine.origin is not None) or (mine.spot and mine.origin is source.place)
            return mine.level | way | (OPEN if by_place else of.identity)
        return mine.level | of.level | of.handle | self.same_piece(mine, of)

    def _whereabouts(self, piece: p.Expr, info: Info, at: Known, owners: Collection[str]) -> Level:
        """What one must know to know where a piece is. If it was found in a place it is there; a piece known by its
        face may lie in any place for its kind. `owners`: whose places count. A monster that is on no space of the board
        may be in the sack or in a hand, and `at` is none for all of these: who sees the board knows that."""
        value_type = bare(piece.type)
        if info.origin is not None or not isinstance(value_type, Piece):
            return OPEN
        return info.identity | (NOBODY if self.may_be_hidden(value_type.kinds, at, owners) else OPEN)

    def _builtin(self, expr: p.Builtin, at: Known) -> Info:
        match expr.name:
            case "public" if self.tells:
                return PUBLIC
            case "public":
                return self.info(expr.args[0], at)
            case "at" | "holder" | "under":
                (piece,) = expr.args
                info = self.info(piece, at)
                where = Info(info.level | self._whereabouts(piece, info, at, _ASKED_FOR[expr.name]))
                return replace(where, identity=info.identity) if expr.name == "under" else where
            case "position":
                return Info(self._member(expr.args[0], expr.args[1], at))
            case _:
                return self._a_value(expr, OPEN.union(*(self.info(arg, at).all for arg in expr.args)))

    # ------------------------------------------------------------------------ sets

    def _set_without(self, source: p.Expr, apart: p.Expr, at: Known) -> Info:
        """A set in which something is looked for: where it begins, or what is left out of it."""
        whole, part = self.info(source, at), self.info(apart, at)
        return whole.behind(part.level | self.same_piece(whole, part))

    def _listed(self, items: p.Exprs, repeats: bool, at: Known) -> Info:
        """Without repetition: so the number tells which are the same."""
        joined = PUBLIC
        for number, item in enumerate(items):
            info = self.info(item, at)
            if not isinstance(item.type, SetOf | PlaceOf):
                info = Info(info.level, info.level, info.identity, info.origin)
            if number == 0:
                joined = info
            else:
                told = OPEN if repeats else self.same_piece(joined, info)
                joined = joined.joined(info).behind(told)
        return joined

    def source(self, binder: p.Binder, at: Known) -> Info:
        """The set as it is before any condition. `c: Card in box` asks about the cards in the box alone."""
        in_box = isinstance(binder.source, p.Box)
        return self._box(kinds_asked_for(self.program, binder), at) if in_box else self.info(binder.source, at)

    def binder(self, binder: p.Binder, at: Known, extra: p.Exprs = ()) -> tuple[Info, Known]:
        """The set that a binder goes over, and what is known where its name is bound.

        `extra` are conditions on the elements beside its `where`. Those that a `reveal all` has answered for
        everything in the set are known, and so is what is printed on the elements that satisfy them.
        """
        source = self.source(binder, at)
        apart = self.apart(binder, at)
        inner = at.bound(binder.local, element(source, binder.local.type), apart)
        conditions = [part for whole in (binder.where, *extra) for part in conjuncts(whole)]
        for whole in (binder.where, *extra):
            inner.revealed |= self.owners(whole, inner)
        inner.revealed |= self.shown_of_these(binder, extra, inner)
        asked = OPEN.union(*(self.level(part, inner) for part in conditions))
        # After `reveal all c in p.hand where c.rank == 6`, asking for the sixes again tells nothing more; asking for
        # the red ones among them asks only for the colour, and the cards shown have one.
        for readers, answered in self._filters_shown(binder, extra, at):
            inner.bind(binder.local, inner.locals[binder.local].shown_to(readers), apart=apart)
            inner.revealed |= self.owners(binder.where, inner)
            unanswered = (part for part in conditions if self._it(part, binder, at) not in answered)
            asked = OPEN.union(*(self.level(part, inner) for part in unanswered))
            source = replace(source, handle=told_to(source.handle, readers), identity=told_to(source.identity, readers))
        elements = Info(source.level | asked, source.handle | asked, source.identity, source.origin, spot=source.spot)
        return elements, inner

    def _over_set(
        self, expr: p.Selected | p.Quantified | p.CountWhere | p.SumOf | p.ListOf | p.ExtremeOf, at: Known
    ) -> Info:
        match expr:
            case p.Quantified(which=which, has=has, binder=binder):
                # `some c in S where A has B` is one filter with two conditions. `every … where A has B` is not: it asks
                # for B only where A holds, and where A fails it tells nothing of B.
                if which == "some" or binder.where is None:
                    return Info(self.binder(binder, at, (has,))[0].level)
                elements, inner = self.binder(binder, at)
                return Info(elements.level | self.level(has, inner))
            case p.CountWhere(binder=binder):
                return Info(self.binder(binder, at)[0].level)
        elements, inner = self.binder(expr.binder, at)
        match expr:
            case p.SumOf(value=value) | p.ListOf(value=value):
                return Info(elements.level | self.level(value, inner))
            case p.ExtremeOf(value=value, otherwise=otherwise):
                return Info(elements.level | self.level(value, inner) | self.level(otherwise, at))
            case p.Selected(measure=measure, which=which):
                chosen = self.level(measure, inner) | self.level(expr.binder.key, inner)
                whole = elements.behind(chosen)
                if which != "all":
                    one = element(whole, expr.type).behind(whole.level)
                    # Whether there is a first one is asked of the set alone, in whatever order it is gone over.
                    whole = replace(one, some=elements.level) if which == "first" else one
                return whole.shown_to(at.readers(self.symbol(expr, at)))

    # ------------------------------------------------------------------------ values, and what can be done

    def _called(self, expr: p.ValueCall | p.FormulaCall | p.CanCall | p.CanPerform | p.CanPay, at: Known) -> Info:
        match expr:
            case p.ValueCall(rule=rule, args=args):
                return self.value(rule, self.args(args, at), at)
            case p.FormulaCall(cell=cell, player=player):
                whole = self._a_value(expr, self.info(cell, at).all)
                for rule in self.rules_in_cells(cell):
                    whole = whole.joined(self.value(rule, self._for_cell(rule, player, at), at))
                return whole
            case p.CanCall(rule=rule, args=args):
                own = self._own_choices(expr, args[0] if args else None, at)
                return Info(self.can(rule, self.args(args, at), at) | own)
            case p.CanPerform(cell=cell, player=player):
                level = self.info(cell, at).all
                for rule in self.rules_in_cells(cell):
                    level |= self.can(rule, self._for_cell(rule, player, at), at)
                return Info(level | self._own_choices(expr, player, at))
            case p.CanPay(player=player, costs=costs):
                return Info(self.means(player, costs, at))

    def _own_choices(self, expr: p.CanCall | p.CanPerform, player: p.Expr | None, at: Known) -> Level:
        """Whether somebody has something to choose there may be that player's secret. What stands before `… if
        possible` is told by the rules themselves, as it is by a `choose … if possible`."""
        is_told = any(expr is one for one in self.conditions.values())
        if is_told or player is None or not isinstance(bare(player.type), Player):
            return OPEN
        return seat_level(self.symbol(player, at)) if attempt_tells(expr, self.program) else OPEN

    def args(self, args: p.Exprs, at: Known) -> Args:
        return [(self.info(arg, at), self.symbol(arg, at)) for arg in args]

    def _for_cell(self, rule: p.RuleDecl, player: p.Expr, at: Known) -> Args:
        """The arguments of a rule in a cell: the player, and what is printed in the cell."""
        printed: Args = [(PUBLIC, ("local", id(param))) for param in rule.params[1:]]
        return [(self.info(player, at), self.symbol(player, at)), *printed][: len(rule.params)]

    def rules_in_cells(self, cell: p.Expr) -> list[p.RuleDecl]:
        """What the cell may call: any cell of its column."""
        numbers = set(_flat(cell.table.values)) if isinstance(cell, p.AttributeOf) else range(len(self.program.cells))
        cells = [one for one in self.program.cells if one.number in numbers]
        return list(dict.fromkeys(call.rule for one in cells for call in one.calls))

    def can(self, rule: p.RuleDecl, args: Args, at: Known) -> Level:
        """What one learns from whether a rule can be carried through. Nothing is followed here, so every secret counts
        that the rule, or anything it calls, looks at."""
        told = OPEN.union(*(info.all for info, _ in args))
        return told | (NOBODY if secret_reads(list(walk_rule(rule))) else OPEN)

    def means(self, player: p.Expr, costs: tuple[p.CostDecl, ...], at: Known) -> Level:
        """What one must know to know whether somebody can pay."""
        level = self.info(player, at).all
        for cost in costs:
            level |= self.level(cost.amount, at) | (OPEN if cost.among is None else self.info(cost.among, at).all)
            if cost.field is not None:
                level |= self.way_to(None, cost.indexes, at) | self.held(cost.field, player, cost.indexes, at)
            elif cost.currency is not None:
                level |= self._in_currency(player, cost, cost.currency, at)
        return level

    def _in_currency(self, player: p.Expr, cost: p.CostDecl, currency: p.CurrencyDecl, at: Known) -> Level:
        """How many pieces somebody has is open; what is printed on them counts only where a pattern asks for it."""
        inner = at.copy()
        inner.bind(currency.player, self.info(player, at), self.symbol(player, at))
        level: Level = OPEN
        for source in currency.sources:
            level |= self.level(source.when, inner)
            if source.field is not None:
                level |= self.held(source.field, player, (), at)
            if source.place is not None:
                place = self.info(source.place, inner)
                any_will_do = source.as_any or (cost.pattern is None and cost.among is None)
                level |= place.level if any_will_do else place.level | place.identity
        return level

    def held(self, field: p.FieldDecl, owner: p.Expr, indexes: p.Exprs, at: Known) -> Level:
        """Who may know how much of a counter somebody has."""
        read = p.FieldRead(field.type, owner.span, field, owner, indexes)
        return self._field(read, at).level

    def value(self, rule: p.RuleDecl, args: Args, at: Known) -> Info:
        args = args if len(self._calling) < _FAR_IN else _shortened(rule, args)
        key = (rule, tuple(args), at.known, at.revealed)
        if key not in self._values and rule not in self._calling:
            self._calling.append(rule)
            self._values[key] = all_joined([self._body(hook, args, at) for hook in (*rule.instead, rule)])
            self._calling.pop()
        return self._values.get(key, PUBLIC)

    def _body(self, rule: p.RuleDecl, args: Args, at: Known) -> Info:
        inner = enter(rule, args, at)
        asked = self.level(rule.when, inner)
        if rule.expression is not None:
            return self.info(rule.expression, inner).behind(asked)
        return all_joined(self._results(rule.body, inner, asked))

    def _results(self, block: p.Block, at: Known, behind: Level) -> list[Info]:
        """What one must know to know the result, for each `result` line that may give it."""
        found: list[Info] = []
        for statement in block:
            match statement:
                case p.Let(local=local, value=value):
                    at = at.copy()
                    at.bind(local, self.info(value, at), self.symbol(value, at))
                    self.name_found(local, value, at)
                case p.If(condition=condition):
                    # From here on, for the lines behind the `if` too: a later `result` is reached only because this one
                    # was not.
                    behind = behind | self.level(condition, at)
                    for branch, where in ((statement.then, self.behind(condition, at)), (statement.otherwise, at)):
                        found += self._results(branch, where, behind)
                case p.ResultIs(value=value):
                    found.append(self.info(value, at).behind(behind))
        return found


def _shortened(rule: p.RuleDecl, args: Args) -> Args:
    """The arguments of a value, those with long names by the names of its parameters alone. These say as little as of
    anything: what is secret stays so, and what was revealed of it counts as secret.

        value f9(a: Cell): flag = f8(a) or f8((a.link otherwise a))

    and so on down to `f0` would be looked at for each of five hundred names that `a` has there."""
    named = zip(args, rule.params, strict=False)
    return [(info, ("local", id(param)) if _names_in(name, _LONG) > _LONG else name) for (info, name), param in named]


def _names_in(name: Symbol, most: int) -> int:
    """How many names a name is made of; it is not counted any further than one above `most`."""
    found = 1
    for part in name:
        if isinstance(part, tuple) and part and found <= most:
            found += _names_in(part, most - found)
    return found


def _flat(values: object) -> list[object]:
    return [inner for value in values for inner in _flat(value)] if isinstance(values, tuple) else [values]
