"""Who may know an expression: its level, worked out from the places and fields it reads.

A level is a set of secrets: `HIDDEN` (nobody may know it) or a seat, named by the expression that gives it (`p`,
`rival(p)`). An empty level is open; a player may know what has no secret but that player's own.

Of a piece two things can be secret apart: which piece it is (`level`; the top of a deck is always *that* card), and
what is printed on it (`identity`). Of a set there is its number (`level`; a count is open), pointing at one of its
elements (`handle`), and what is printed on them. So `top of deck` may be moved and not read, a hand may be counted
and not filtered, and nobody points into somebody else's hand.

What has been shown is remembered along the way: places whose whole content everybody knows (`known`: filled openly
and not shuffled since), paths that were revealed, and locals whose piece has been seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import program as p
from .expression_forms import expression_form
from .value_types import Piece, PlaceOf, SetOf, bare
from .walk import Node, parts

Symbol = tuple[object, ...]
Level = frozenset[Symbol]
HIDDEN: Symbol = ("hidden",)
EVERY: Symbol = ("every",)  # stands for each player, where something was revealed of all of them
OPEN: Level = frozenset()


def seat_level(symbol: Symbol) -> Level:
    return frozenset([("seat", symbol)])


@dataclass(frozen=True)
class Info:
    """What is known of a value, as the module header says. `origin`: the place a piece was found in."""

    level: Level = OPEN
    handle: Level = OPEN
    identity: Level = OPEN
    origin: p.PlaceDecl | None = None

    @property
    def all(self) -> Level:
        return self.level | self.handle | self.identity

    def joined(self, other: Info) -> Info:
        return Info(
            self.level | other.level,
            self.handle | other.handle,
            self.identity | other.identity,
            self.origin if self.origin is other.origin else None,
        )

    def behind(self, level: Level) -> Info:
        """The same value, chosen by something of that level."""
        return replace(self, level=self.level | level)


PUBLIC = Info()


@dataclass
class Known:
    """What is known at one point of a rule."""

    known: frozenset[p.PlaceDecl] = frozenset()
    revealed: frozenset[Symbol] = frozenset()
    locals: dict[p.LocalDecl, Info] = field(default_factory=dict)
    symbols: dict[p.LocalDecl, Symbol] = field(default_factory=dict)
    behind: Level = OPEN  # the secrets that decided whether this point is reached
    because: p.Expr | None = None  # the condition that did

    def copy(self) -> Known:
        return replace(self, locals=dict(self.locals), symbols=dict(self.symbols))

    def meet(self, other: Known) -> None:
        """After two paths have come together, only what both know is known."""
        self.known &= other.known
        self.revealed &= other.revealed
        for local, info in other.locals.items():
            self.locals[local] = self.locals[local].joined(info) if local in self.locals else info

    def bound(self, local: p.LocalDecl, info: Info) -> Known:
        inner = self.copy()
        inner.locals[local] = info
        return inner

    def forget_place(self, place: p.PlaceDecl) -> None:
        """Something moved there: paths into it no longer point at what was revealed."""
        self.revealed = frozenset(path for path in self.revealed if not _mentions(path, id(place)))

    def forget_field(self, field: p.FieldDecl) -> None:
        self.revealed = frozenset(path for path in self.revealed if not _mentions(path, id(field)))


def _mentions(path: object, identity: int) -> bool:
    if isinstance(path, tuple):
        return any(_mentions(part, identity) for part in path)
    return path == identity


class Levels:
    """Levels of expressions. The memory of calls makes one value in one situation be looked at once."""

    def __init__(self) -> None:
        self._values: dict[object, Info] = {}
        self._calling: list[p.RuleDecl] = []

    # ------------------------------------------------------------------------ names for places and players

    def symbol(self, expr: p.Expr | None, at: Known) -> Symbol:
        """A name for the value of an expression: equal names, equal values."""
        match expr:
            case None:
                return ("table",)
            case p.LocalVar(local=local):
                return at.symbols.get(local, ("local", id(local)))
            case p.Const(value=value):
                return ("const", value)
            case p.InRange(of=of):
                return self.symbol(of, at)
            case p.FieldRead():
                indexes = tuple(self.symbol(index, at) for index in expr.indexes)
                return ("field", id(expr.field), self.symbol(expr.owner, at), indexes)
            case p.PlaceRef():
                indexes = tuple(self.symbol(index, at) for index in expr.indexes)
                slot = self.symbol(expr.slot, at) if expr.slot is not None else ()
                return ("place", id(expr.place), self.symbol(expr.owner, at), indexes, slot)
            case p.SlotPiece():
                return ("piece", self.symbol(expr.place, at))
            case p.EndOf():
                first = "top" if expr.end in ("top", "first") else "bottom"
                return ("end", first, self.symbol(expr.of, at))
            case p.Builtin():
                return (expr.name, *(self.symbol(arg, at) for arg in expr.args))
            case p.AttributeOf(table=table, of=of):
                return ("attribute", id(table), self.symbol(of, at))
            case _:
                return ("expression", id(expr))

    # ------------------------------------------------------------------------ expressions

    def level(self, expr: p.Expr | None, at: Known) -> Level:
        """What one must know to know the value (for pieces: to know which one; for sets: how many)."""
        return OPEN if expr is None else self.info(expr, at).level

    def info(self, expr: p.Expr, at: Known) -> Info:
        match expr:
            case p.Const() | p.AllOf() | p.Box() | p.RuleRunning() | p.IsAutoma():
                return PUBLIC
            case p.LocalVar(local=local):
                info = at.locals.get(local, PUBLIC)
                return replace(info, identity=OPEN) if self.symbol(expr, at) in at.revealed else info
            case p.FieldRead():
                return self._field(expr, at)
            case p.PlaceRef():
                return self._place(expr, at)
            case p.SlotPiece(place=place):
                whole = self._place(place, at)
                shown = self.symbol(expr, at) in at.revealed
                return Info(whole.level, OPEN, OPEN if shown else whole.identity, place.place)
            case p.EndOf():
                return self._end(expr, at)
            case p.AttributeOf():
                of = self.info(expr.of, at)
                level = of.level if expr.table.is_back else of.level | of.identity
                return Info(level.union(*(self.level(index, at) for index in expr.indexes)))
            case p.Member(item=item, source=source):
                return self._member(item, source, at)
            case p.IsKind(of=of):
                info = self.info(of, at)
                return Info(info.level | info.identity)
            case p.CountOf(of=of) | p.IsEmpty(of=of) | p.IsFull(of=of) | p.IsNone(of=of):
                return Info(self.info(of, at).level)
            case p.KnownTo(piece=piece, player=player):
                return Info(self.level(piece, at) | seat_level(self.symbol(player, at)))
            case p.IfElse():
                then, other = self.info(expr.then, at), self.info(expr.otherwise, at)
                return then.joined(other).behind(self.level(expr.condition, at))
            case p.Otherwise():
                return self.info(expr.value, at).joined(self.info(expr.fallback, at))
            case p.Selected() | p.Quantified() | p.CountWhere() | p.SumOf() | p.ExtremeOf():
                return self._over_set(expr, at)
            case p.SetList():
                return self._joined(expr.items, at)
            case p.Without(source=source, left_out=left_out):
                return self.info(source, at).behind(self.info(left_out, at).level)
            case p.StartingWith(source=source, first=first) | p.Following(source=source, first=first):
                inner, turn = self.info(source, at), self.level(first, at)
                return replace(inner, level=inner.level | turn, handle=inner.handle | turn)
            case p.ValueCall():
                return self._value(expr.rule, [(self.info(a, at), self.symbol(a, at)) for a in expr.args], at)
            case p.Builtin(name="public"):
                return PUBLIC
            case _:
                expression_form(expr)  # a form that nobody has described is not waved through
                return Info(self._parts(expr, at))

    def _parts(self, node: Node, at: Known) -> Level:
        """The levels of everything inside, for forms that have no rule of their own."""
        found: Level = OPEN
        for part in parts(node):
            match part:
                case p.Binder():
                    elements, at = self.binder(part, at)
                    found |= elements.level | elements.handle
                case p.Expr():
                    found |= self.info(part, at).level
                case _:
                    found |= self._parts(part, at)
        return found

    def _field(self, expr: p.FieldRead, at: Known) -> Info:
        level = self.level(expr.owner, at).union(*(self.level(index, at) for index in expr.indexes))
        shown = ("field", id(expr.field), EVERY, tuple(self.symbol(index, at) for index in expr.indexes))
        if self.symbol(expr, at) not in at.revealed and shown not in at.revealed:
            level |= self.field_level(expr.field, expr.owner, at)
        return Info(level)

    def field_level(self, decl: p.FieldDecl, owner: p.Expr | None, at: Known) -> Level:
        return self._declared(decl.visibility, decl.owner, owner, at)

    def _declared(self, visibility: str, owned_by: str, owner: p.Expr | None, at: Known) -> Level:
        if visibility == "open":
            return OPEN
        if visibility == "secret" and owner is not None:
            symbol = self.symbol(owner, at)
            return seat_level(symbol if owned_by == "player" else ("owner", symbol))
        return frozenset([HIDDEN])

    def place_level(self, ref: p.PlaceRef, at: Known) -> Level:
        """What one must know to see everything that lies there."""
        decl = ref.place
        if decl in at.known or self.symbol(ref, at) in at.revealed:
            return OPEN
        return self._declared(decl.visibility, decl.owner, ref.owner, at)

    def _place(self, ref: p.PlaceRef, at: Known) -> Info:
        seen = self.place_level(ref, at)
        way = self.level(ref.owner, at).union(*(self.level(index, at) for index in ref.indexes))
        way |= self.level(ref.slot, at)
        number = way | seen if ref.place.uncounted else way
        return Info(number, OPEN if ref.place.is_ordered else seen, seen, ref.place)

    def _end(self, expr: p.EndOf, at: Known) -> Info:
        if not isinstance(expr.of, p.PlaceRef):
            return element(self.info(expr.of, at), expr.type)
        whole = self._place(expr.of, at)
        shows = expr.of.place.visibility == "top_open" and expr.end in ("top", "first")
        shown = shows or self.symbol(expr, at) in at.revealed
        return Info(whole.level, OPEN, OPEN if shown else whole.identity, expr.of.place)

    def _member(self, item: p.Expr, source: p.Expr, at: Known) -> Info:
        of = self.info(source, at)
        mine = self.info(item, at)
        if isinstance(source, p.PlaceRef):
            return Info(mine.level | self.level(source.owner, at) | of.identity)
        return Info(mine.level | of.level | of.handle)

    def _joined(self, items: tuple[p.Expr, ...], at: Known) -> Info:
        joined = PUBLIC
        for number, item in enumerate(items):
            info = self.info(item, at)
            if not isinstance(item.type, SetOf | PlaceOf):
                info = Info(info.level, info.level, info.identity, info.origin)
            joined = joined.joined(info) if number else info
        return joined

    # ------------------------------------------------------------------------ sets

    def binder(self, binder: p.Binder, at: Known) -> tuple[Info, Known]:
        """The set that a binder goes over, and what is known where its name is bound."""
        source = self.info(binder.source, at)
        inner = at.bound(binder.local, element(source, binder.local.type))
        chosen = self.level(binder.where, inner)
        elements = Info(source.level | chosen, source.handle | chosen, source.identity, source.origin)
        return elements, inner

    def _over_set(self, expr: p.Selected | p.Quantified | p.CountWhere | p.SumOf | p.ExtremeOf, at: Known) -> Info:
        elements, inner = self.binder(expr.binder, at)
        match expr:
            case p.Quantified(has=has):
                return Info(elements.level | self.level(has, inner))
            case p.CountWhere():
                return Info(elements.level)
            case p.SumOf(value=value):
                return Info(elements.level | self.level(value, inner))
            case p.ExtremeOf(value=value, otherwise=otherwise):
                return Info(elements.level | self.level(value, inner) | self.level(otherwise, at))
            case p.Selected(measure=measure, which=which):
                chosen = self.level(measure, inner) | self.level(expr.binder.key, inner)
                whole = replace(elements, level=elements.level | chosen, handle=elements.handle | chosen)
                return whole if which == "all" else element(whole, expr.type).behind(whole.level)

    # ------------------------------------------------------------------------ values

    def _value(self, rule: p.RuleDecl, args: list[tuple[Info, Symbol]], at: Known) -> Info:
        key = (rule, tuple(args), at.known, at.revealed)
        if key not in self._values and rule not in self._calling:
            self._calling.append(rule)
            bodies = [self._body(hook, args, at) for hook in (*rule.instead, rule)]
            self._calling.pop()
            whole = bodies[0]
            for body in bodies[1:]:
                whole = whole.joined(body)
            self._values[key] = whole
        return self._values.get(key, PUBLIC)

    def _body(self, rule: p.RuleDecl, args: list[tuple[Info, Symbol]], at: Known) -> Info:
        inner = enter(rule, args, at)
        asked = self.level(rule.when, inner)
        if rule.expression is not None:
            return self.info(rule.expression, inner).behind(asked)
        return self._results(rule.body, inner, asked)

    def _results(self, block: p.Block, at: Known, behind: Level) -> Info:
        joined = Info(behind)
        for statement in block:
            match statement:
                case p.Let(local=local, value=value):
                    at = at.bound(local, self.info(value, at))
                    at.symbols[local] = self.symbol(value, at)
                case p.If(condition=condition):
                    behind = behind | self.level(condition, at)
                    joined = joined.joined(self._results(statement.then, at, behind))
                    joined = joined.joined(self._results(statement.otherwise, at, behind))
                case p.ResultIs(value=value):
                    joined = joined.joined(self.info(value, at).behind(behind))
                case _:
                    continue
        return joined


def enter(rule: p.RuleDecl, args: list[tuple[Info, Symbol]], at: Known) -> Known:
    """What is known at the beginning of a rule called from `at`."""
    inner = Known(at.known, at.revealed, behind=at.behind, because=at.because)
    for param, (info, symbol) in zip(rule.params, args, strict=False):
        inner.locals[param] = info
        inner.symbols[param] = symbol
    return inner


def element(whole: Info, value_type: object) -> Info:
    """One element of a set: pointing at it takes its `handle`."""
    is_piece = isinstance(bare(value_type), Piece)  # type: ignore[arg-type]
    return Info(whole.handle, OPEN, whole.identity if is_piece else OPEN, whole.origin if is_piece else None)
