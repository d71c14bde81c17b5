"""What is known at one point of a rule, and of one value there.

A *secret* is the set of seats that may know something: nobody (`HIDDEN`), the owner of a hand, the owner and one player
to whom it was revealed. Seats are named by symbols, the paths of the expressions that give them (`p`, `rival(p)`):
equal symbols stand for equal values. A *level* is a set of secrets that all have to be known; the empty level is open.

`Info` is what is known of a value, `Known` what is known at a point on the way through the rules: places that all know
by heart, paths that were revealed, and what has been written on the way. The last is what lets a loop tell that
something it revealed in one pass has not been changed in another.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import program as p
from .value_types import Die, Piece, Player, VType, bare

Symbol = tuple[object, ...]
Secret = frozenset[Symbol]  # the seats that may know it
Level = frozenset[Secret]
HIDDEN: Secret = frozenset()
OPEN: Level = frozenset()
NOBODY: Level = frozenset([HIDDEN])

EVERY: Symbol = ("every",)  # in a revealed path: each player, because a loop has revealed it of all of them
ALL: Symbol = ("all",)  # as the reader of a revealed path: everybody
IT: Symbol = ("it",)  # in a revealed filter: the piece that the filter asks about


def seat_level(seat: Symbol) -> Level:
    """What only this seat may know."""
    return frozenset([frozenset([seat])])


def may_know(level: Level, seat: Symbol) -> bool:
    return all(seat in secret for secret in level)


def within(level: Level, allowed: Level) -> bool:
    """Whether everybody who may know `allowed` may know `level` as well."""
    if not allowed:
        return not level
    readers = frozenset.intersection(*allowed)
    return all(readers <= secret for secret in level)


def told_to(level: Level, readers: frozenset[Symbol]) -> Level:
    """The level of what has been shown to these seats, or to everybody."""
    return OPEN if ALL in readers else frozenset(secret | readers for secret in level)


@dataclass(frozen=True)
class Info:
    """What one must know to know a value.

    `level`: which value it is; of a piece, which one is meant (the top of a deck is always *that* card); of a set, how
    many it has. `handle`: pointing at one element of a set. `identity`: what is printed on a piece, or on the pieces
    of a set; what dice show. `origin`: the place in which a piece is known to lie. `by_choice`: a set or piece that
    its player has chosen, so that moving it is something the player does before all.
    """

    level: Level = OPEN
    handle: Level = OPEN
    identity: Level = OPEN
    origin: p.PlaceDecl | None = None
    by_choice: bool = False

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
        return replace(self, level=self.level | level, handle=self.handle | level)

    def shown_to(self, readers: frozenset[Symbol]) -> Info:
        if not readers:
            return self
        return replace(
            self,
            level=told_to(self.level, readers),
            handle=told_to(self.handle, readers),
            identity=told_to(self.identity, readers),
        )


PUBLIC = Info()


def element(whole: Info, value_type: VType) -> Info:
    """One element of a set: pointing at it takes its `handle`."""
    if not isinstance(bare(value_type), Piece | Die):
        return Info(whole.handle)
    return Info(whole.handle, OPEN, whole.identity, whole.origin)


@dataclass
class Known:
    """What is known at one point of a rule."""

    known: frozenset[p.PlaceDecl] = frozenset()  # everybody knows all that lies there
    revealed: frozenset[tuple[Symbol, Symbol]] = frozenset()  # (path, reader or ALL)
    written: frozenset[tuple[int, Symbol]] = (
        frozenset()
    )  # (identity of a field or place, whose), since a loop or rule began
    locals: dict[p.LocalDecl, Info] = field(default_factory=dict)
    symbols: dict[p.LocalDecl, Symbol] = field(default_factory=dict)
    behind: Level = OPEN  # the secrets that decided whether this point is reached
    because: p.Expr | None = None  # the condition that did

    def copy(self) -> Known:
        return replace(self, locals=dict(self.locals), symbols=dict(self.symbols))

    def take(self, other: Known) -> None:
        """Goes on from where another path has come to."""
        self.known, self.revealed, self.written = other.known, other.revealed, other.written

    def meet(self, other: Known) -> None:
        """After two paths have come together, only what both know is known."""
        self.known &= other.known
        self.revealed &= other.revealed
        self.written |= other.written
        for local, info in other.locals.items():
            self.locals[local] = self.locals[local].joined(info) if local in self.locals else info

    def bound(self, local: p.LocalDecl, info: Info) -> Known:
        inner = self.copy()
        inner.bind(local, info)
        return inner

    def bind(self, local: p.LocalDecl, info: Info, symbol: Symbol | None = None) -> None:
        """A name gets a value: what was revealed of an earlier value of the same name says nothing about it."""
        own = ("local", id(local))
        self.locals[local], self.symbols[local] = info, symbol or own
        if symbol is None:
            self.revealed = frozenset(pair for pair in self.revealed if not mentions(pair[0], own))

    def show(self, path: Symbol, reader: Symbol) -> None:
        """Something is revealed: under its path, and for every name that stands for it."""
        self.revealed |= {(path, reader)}
        for local, symbol in self.symbols.items():
            if symbol == path and local in self.locals:
                self.locals[local] = self.locals[local].shown_to(frozenset([reader]))

    def readers(self, path: Symbol) -> frozenset[Symbol]:
        """To whom something has been revealed: itself, or everything in it one by one."""
        whole = ("filter", path, ())
        return frozenset(reader for shown, reader in self.revealed if matches(shown, path) or matches(shown, whole))

    def write(self, decl: p.FieldDecl | p.PlaceDecl, owner: Symbol) -> None:
        """A field or place changes: paths into it no longer lead to what was revealed."""
        self.written |= {(id(decl), owner)}
        self.forget(frozenset([id(decl)]))

    def forget(self, identities: frozenset[int], *, symbols_only: bool = False) -> None:
        if not symbols_only:
            self.revealed = frozenset(pair for pair in self.revealed if not mentions_any(pair[0], identities))
        for local, symbol in self.symbols.items():
            # Seats keep their names: who `leader` was when `q` was bound does not matter to what q may know.
            if not isinstance(bare(local.type), Player) and mentions_any(symbol, identities):
                self.symbols[local] = ("local", id(local))

    def lose_track(self, place: p.PlaceDecl, *, mixed: bool) -> None:
        """Pieces leave a place unseen, or are mixed there: names no longer say where in it a piece lies."""
        for local, info in self.locals.items():
            if info.origin is place and info.identity:
                level = info.level | NOBODY if mixed else info.level
                self.locals[local] = replace(info, level=level, origin=None)


def matches(shown: object, path: object) -> bool:
    """Whether a revealed path, in which EVERY stands for any seat, is that path."""
    if shown == EVERY or shown == path:
        return True
    if not (isinstance(shown, tuple) and isinstance(path, tuple) and len(shown) == len(path)):
        return False
    return all(matches(one, other) for one, other in zip(shown, path, strict=True))


def mentions(path: object, part: object) -> bool:
    if path == part:
        return True
    return isinstance(path, tuple | frozenset) and any(mentions(inner, part) for inner in path)


def mentions_any(path: object, identities: frozenset[int]) -> bool:
    if isinstance(path, tuple | frozenset):
        return any(mentions_any(inner, identities) for inner in path)
    return path in identities


def in_place_of(path: object, part: Symbol, other: Symbol) -> object:
    """The path with one part exchanged for another."""
    if path == part:
        return other
    if isinstance(path, tuple):
        return tuple(in_place_of(inner, part, other) for inner in path)
    if isinstance(path, frozenset):
        return frozenset(in_place_of(inner, part, other) for inner in path)
    return path


def enter(rule: p.RuleDecl, args: list[tuple[Info, Symbol]], at: Known) -> Known:
    """What is known at the beginning of a rule called from `at`."""
    inner = Known(at.known, at.revealed, at.written, behind=at.behind, because=at.because)
    for param, (info, symbol) in zip(rule.params, args, strict=False):
        inner.locals[param] = info
        inner.symbols[param] = symbol
    return inner
