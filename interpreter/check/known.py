"""What is known at one point of a rule, and of one value there; and symbols, the names that values have there.

Terms used throughout the pass on secrets (`visibility`):

secret    the seats that may know something: nobody (`HIDDEN`), the owner of a hand, the owner and one player to whom it
          was revealed. Seats are named by symbols.
level     a set of secrets. Whoever may know all of them may know the value; the empty level is open to all. The level
          of `p.bid > q.bid` has two secrets: p alone may not know the answer, and neither may q.
symbol    an expression without its spelling: `p.hand` is the same in every rule that is called with the same p. Equal
          symbols stand for equal values, as long as nothing that they read is written. So a symbol holds the identities
          of all fields and places that it rests on, and writing one of them makes it void (`Known.forget`).
path      the symbol of something that was revealed.
filter    the symbol of `all c in p.hand where c.rank == 6`. The piece asked about has no name in it (`IT`), because two
          rules may call it differently.

`Info` is what must be known to know a value. `Known` is what is known at a point on the way through the rules: places
whose contents everybody knows, paths that were revealed, and what has been written. Without the last, a loop that
reveals something in one pass and changes it in the next would count as having revealed all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

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
LOST: Symbol = ("a seat without a name",)  # as the reader of a secret: the field that named the seat names another now


def seat_level(seat: Symbol) -> Level:
    """What only this seat may know."""
    return frozenset([frozenset([seat])])


def others_level(seat: Symbol) -> Level:
    """What everybody except this seat may know."""
    return frozenset([frozenset([("all but", seat)])])


def may_know(level: Level, seat: Symbol) -> bool:
    return all(is_reader(seat, secret) for secret in level)


def is_reader(seat: Symbol, secret: Secret) -> bool:
    return seat in secret or any(one[0] == "all but" and are_apart(seat, one[1]) for one in secret)


def are_apart(one: Symbol, other: object) -> bool:
    """Whether two seats are surely different: by number, or because one was found among the others of the other one."""
    if one[0] == "const" == other[0]:  # type: ignore[index]
        return one != other
    return _leaves_out(one, other) or _leaves_out(other, one)


def _leaves_out(seat: object, other: object) -> bool:
    match seat:
        case ("rival", of):
            return of == other
        case ("found", _, tuple() as apart):
            return other in apart
        case _:
            return False


def is_fixed_seat(seat: Symbol) -> bool:
    """Whether the symbol means the same seat as long as its name lives; a field may change hands."""
    return seat[0] in ("local", "found", "const", "former")


def within(level: Level, allowed: Level) -> bool:
    """Whether everybody who may know `allowed` may know `level` as well."""
    if not allowed:
        return not level
    # Whoever may know `allowed` is a reader of every secret in it, and must be a reader of every secret in the level
    # too. Two symbols that merely might stand for the same seat count as different seats.
    readers = frozenset.intersection(*allowed)
    return all(is_reader(reader, secret) for secret in level for reader in readers)


def told_to(level: Level, readers: frozenset[Symbol]) -> Level:
    """The level of what has been shown to these seats, or to everybody."""
    # Readers are added to each secret apart. After `reveal p.bid to q`, `p.bid > r.bid` is known to q only if r's bid
    # is.
    return OPEN if ALL in readers else frozenset(secret | readers for secret in level)


@dataclass(frozen=True)
class Info:
    """What one must know to know a value. Everybody knows how many cards `p.hand` has, only p what they are."""

    # Which value it is; of a piece, which one is meant (the top of a deck is always *that* card); of a set, how many.
    level: Level = OPEN
    handle: Level = OPEN  # to point at one element of a set: nobody points into somebody else's hand
    identity: Level = OPEN  # what is printed on a piece, or on the pieces of a set; what dice show
    origin: p.PlaceDecl | None = None  # the place in which a piece is known to lie
    by_choice: bool = False  # its player has chosen it, and so may move it before all eyes
    # All know where it lies in the order of that place: nothing has come there or gone since it was found. Then two
    # cards can be told apart though nobody sees their faces: `choose b in row where b != a`.
    spot: bool = False
    some: Level | None = None  # whether there is one at all, if that takes less than knowing which
    # A piece that somebody chose openly out of a closed place, and that has stayed in closed places; or the one that a
    # hook on a closed place is about. Rules may use it, and nobody need have seen it: worlds work out what comes of it.
    unshown: bool = False

    @property
    def presence(self) -> Level:
        """What one must know to know whether it is none."""
        return self.level if self.some is None else self.some

    @property
    def all(self) -> Level:
        return self.level | self.handle | self.identity

    @property
    def is_open(self) -> bool:
        """True if everybody may know all of it."""
        return not (self.level or self.handle or self.identity)

    def joined(self, other: Info) -> Info:
        return Info(
            self.level | other.level,
            self.handle | other.handle,
            self.identity | other.identity,
            # `by_choice` and `spot` are dropped: `c if flag else top of deck` was chosen by nobody, and lies in one of
            # two spots.
            self.origin if self.origin is other.origin else None,
            unshown=self.unshown or other.unshown,
        )

    def behind(self, level: Level) -> Info:
        """The same value, chosen by something of that level."""
        if not level:
            return self
        some = None if self.some is None else self.some | level
        # `identity` stays: to read what is printed one must know which piece it is, and that takes `level` already.
        return replace(self, level=self.level | level, handle=self.handle | level, some=some)

    def shown_to(self, readers: frozenset[Symbol]) -> Info:
        if not readers:
            return self
        return self.changed(lambda level: told_to(level, readers))

    @property
    def levels(self) -> tuple[Level, ...]:
        return (self.level, self.handle, self.identity, self.some or OPEN)

    def changed(self, change: Callable[[Level], Level]) -> Info:
        """The same with each of its levels changed."""
        return replace(
            self,
            level=change(self.level),
            handle=change(self.handle),
            identity=change(self.identity),
            some=None if self.some is None else change(self.some),
        )


PUBLIC = Info()


def all_joined(infos: Sequence[Info]) -> Info:
    """What one must know to know a value that is one of these; open if there is none."""
    return reduce(Info.joined, infos) if infos else PUBLIC


def element(whole: Info, value_type: VType) -> Info:
    """One element of a set: pointing at it takes its `handle`."""
    if not isinstance(bare(value_type), Piece | Die):
        return Info(whole.handle)
    return Info(whole.handle, OPEN, whole.identity, whole.origin, spot=whole.spot)


@dataclass
class Known:
    """What is known at one point of a rule."""

    known: frozenset[p.PlaceDecl] = frozenset()  # everybody knows all that lies there
    revealed: frozenset[tuple[Symbol, Symbol]] = frozenset()  # (path, reader or ALL)
    written: frozenset[tuple[int, Symbol]] = frozenset()  # (field or place, whose), since a loop or rule began
    locals: dict[p.LocalDecl, Info] = field(default_factory=dict)
    symbols: dict[p.LocalDecl, Symbol] = field(default_factory=dict)
    behind: Level = OPEN  # the secrets that decided whether this point is reached
    because: p.Expr | None = None  # the condition that did
    # The seats that a field named before it was written (`turn(whose)`, and in it `whose = next(p)`), with their names
    # since. Otherwise p could look into the hand of whoever is next.
    former: dict[Symbol, Symbol] = field(default_factory=dict)

    def copy(self) -> Known:
        return Known(
            self.known, self.revealed, self.written, dict(self.locals), dict(self.symbols), self.behind, self.because
        )

    @property
    def changed(self) -> frozenset[int]:
        """The identities of the fields and places that have been written."""
        return frozenset(identity for identity, _ in self.written)

    def stand_behind(self, level: Level, because: p.Expr | None) -> None:
        """From here on, what happens is due to something of this level."""
        self.behind, self.because = self.behind | level, because

    def take(self, other: Known) -> None:
        """Goes on from where another path has come to, which began here."""
        self.known, self.revealed, self.written = other.known, other.revealed, other.written
        self.lose_spots(other.changed)
        self._rename_own(other.former)

    def join(self, other: Known) -> None:
        """After two paths have come together, only what is known on both is known."""
        self.known &= other.known
        self.revealed &= other.revealed
        self.written |= other.written

    def lose_spots(self, identities: frozenset[int]) -> None:
        """Something has come into these places, or gone: which position a name stands for may not be known to all."""
        for local, info in self.locals.items():
            if info.spot and id(info.origin) in identities:
                self.locals[local] = replace(info, spot=False)

    def meet(self, other: Known) -> None:
        """The same for the names as well, where the other path is the way up to the beginning of this one."""
        begun = other.copy()
        begun.rename_seats(self.former)
        self.join(begun)
        for local, info in begun.locals.items():
            self.locals[local] = self.locals[local].joined(info) if local in self.locals else info

    def bound(self, local: p.LocalDecl, info: Info, apart: tuple[Symbol, ...] = ()) -> Known:
        inner = self.copy()
        inner.bind(local, info, apart=apart)
        return inner

    def bind(
        self, local: p.LocalDecl, info: Info, symbol: Symbol | None = None, apart: tuple[Symbol, ...] = ()
    ) -> None:
        """A name gets a value: what was revealed of an earlier value of the same name says nothing about it.

        `apart`: seats that a seat of this name surely is not.
        """
        own: Symbol = ("local", id(local))
        self.locals[local], self.symbols[local] = info, symbol or (("found", own, apart) if apart else own)
        # In a loop the same name stands for another card in each pass: after `for c in p.hand` / `reveal c`, the second
        # card would otherwise count as revealed with the first.
        if symbol is None and self.revealed:
            self.revealed = frozenset(pair for pair in self.revealed if not mentions(pair[0], own))

    def show(self, path: Symbol, reader: Symbol) -> None:
        """Something is revealed: under its path, and for every name that stands for it."""
        self.revealed |= {(path, reader)}
        for local, symbol in self.symbols.items():
            if symbol == path and local in self.locals:
                self.locals[local] = self.locals[local].shown_to(frozenset([reader]))

    def readers(self, path: Symbol) -> frozenset[Symbol]:
        """To whom something has been revealed: itself, or everything in it one by one."""
        if not self.revealed:
            return frozenset()
        # `reveal p.hand` and `reveal all c in p.hand` are the same, and the second is a filter without a condition.
        whole = ("filter", path, ())
        return frozenset(reader for shown, reader in self.revealed if matches(shown, path) or matches(shown, whole))

    def write(self, decl: p.StateDecl, owner: Symbol) -> None:
        """A field or place changes: paths into it no longer lead to what was revealed."""
        self.written |= {(id(decl), owner)}
        self.forget(frozenset([id(decl)]))

    def write_openly(self, field: p.FieldDecl, owner: Symbol) -> None:
        """All see what is written, so whoever knew the field before knows it now: in `for q in players` / `if q.plan ==
        attack` / … / `q.plan = none`, the plans of those who come later are still known."""
        kept = frozenset(pair for pair in self.revealed if _is_field(pair[0], id(field)))
        self.write(field, owner)
        self.revealed |= kept

    def pass_openly(self, place: p.PlaceDecl, owner: Symbol) -> None:
        """Something that all know leaves a place before all eyes. What was revealed of everything there (`reveal
        p.hand`) is still known of the rest; what was revealed of its top is not, since another piece is the top now. So
        it is where something that all know comes to a place: what was revealed of everything there is known of it."""
        self.written |= {(id(place), owner)}
        # Without this, a hand that was laid open would count as closed as soon as one card is played from it.
        kept = frozenset(pair for pair in self.revealed if _is_about_all_in(pair[0], id(place)))
        self.forget(frozenset([id(place)]))
        self.revealed |= kept

    def forget(self, identities: frozenset[int], *, symbols_only: bool = False) -> None:
        """These fields and places have changed: what was revealed of them, and names that stood for a path into them,
        say nothing any more. Behind `let c = top of deck` / `move c to discard`, the top of the deck is not c."""
        # A call leaves in `after` what is still revealed at its end; only the names of the caller have to be voided
        # then.
        self.lose_spots(identities)
        former: dict[Symbol, Symbol] = {}
        for local, symbol in self.symbols.items():
            if mentions_any(symbol, identities):
                # A name for a seat goes on meaning that seat, whoever `leader` is now, and so does every other name
                # that stood for the same one.
                if isinstance(bare(local.type), Player):
                    former.setdefault(symbol, ("former", id(local)))
                else:
                    self.symbols[local] = ("local", id(local))
        for seat in self._seats_in_secrets():
            if mentions_any(seat, identities):
                former.setdefault(seat, LOST)
        if symbols_only:
            self._rename_own(former)
        else:
            self.rename_seats(former)
            self.revealed = frozenset(pair for pair in self.revealed if not mentions_any(pair[0], identities))

    def _seats_in_secrets(self) -> set[Symbol]:
        levels = [level for info in self.locals.values() for level in info.levels if level]
        secrets = [secret for level in (*levels, self.behind) for secret in level]
        return {seat for secret in secrets for seat in secret} | {reader for _, reader in self.revealed}

    def rename_seats(self, former: dict[Symbol, Symbol]) -> None:
        """Seats have other names from here on."""
        if former:
            # What was revealed of a seat that had this name in another pass, or in a call around this one.
            reused = [name for name in former.values() if name not in self.former.values()]
            kept = [pair for pair in self.revealed if not any(mentions(pair, name) for name in reused)]
            self.revealed = frozenset(in_new_names(pair, former) for pair in kept)
            self._rename_own(former)

    def _rename_own(self, former: dict[Symbol, Symbol]) -> None:
        """The same for the names and values here; what was revealed is told in the new names already."""
        if not former:
            return
        for local, symbol in self.symbols.items():
            self.symbols[local] = former.get(symbol, symbol)
        for local, info in self.locals.items():
            self.locals[local] = info.changed(lambda level: in_new_names(level, former))
        self.behind = in_new_names(self.behind, former)
        for seat, name in former.items():
            self.former.setdefault(seat, name)  # what was so called when this way began

    def drop_former(self) -> None:
        """A rule is through: its own names for seats say nothing to whoever called it."""
        if self.former:
            names = [name for name in self.former.values() if name[0] == "former"]
            self.revealed = frozenset(pair for pair in self.revealed if not any(mentions(pair, name) for name in names))

    def lose_track(self, place: p.PlaceDecl, *, mixed: bool) -> None:
        """Pieces leave a place unseen, or are mixed there: names no longer say where in it a piece lies. Behind
        `let c = top of deck` / `shuffle deck`, nobody knows which card c is (`mixed`)."""
        for local, info in self.locals.items():
            if info.origin is place and info.identity:
                # A card that was pointed at and then shuffled in is known to nobody. If cards merely left unseen, c is
                # still *that* card, but no longer known to lie there, so comparing it with one that does would tell its
                # face.
                level = info.level | NOBODY if mixed else info.level
                self.locals[local] = replace(info, level=level, origin=None)


def matches(shown: object, path: object) -> bool:
    """Whether a revealed path, in which EVERY stands for any seat, is that path."""
    if shown == EVERY or shown == path:
        return True
    if not (isinstance(shown, tuple) and isinstance(path, tuple) and len(shown) == len(path)):
        return False
    return all(matches(one, other) for one, other in zip(shown, path, strict=True))


def _is_about_all_in(path: Symbol, identity: int) -> bool:
    """Whether a revealed path stands for everything in that place, or for all of it that a filter lets through."""
    match path:
        case ("piece", tuple() as whole):
            conditions: object = ()
        case ("filter", tuple() as whole, conditions):
            pass
        case _:
            whole, conditions = path, ()
    if whole[:2] != ("place", identity):
        return False
    return not mentions_any((whole[2:], conditions), frozenset([identity]))


def _is_field(path: Symbol, identity: int) -> bool:
    """Whether a revealed path is that field, of one owner, of all, or of those with a condition, and does not hang on
    what the field holds: what was told of all whose plan is to attack says nothing when a plan has changed."""
    if path[0] == "of":
        return not mentions_any(path[1:3], frozenset([identity])) and _is_field(path[3], identity)  # type: ignore[arg-type]
    return path[:2] == ("field", identity) and not mentions_any(path[2:], frozenset([identity]))


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


def in_new_names(path: Any, former: dict[Symbol, Symbol]) -> Any:
    """A path, a level or a pair of a path and its reader, in which seats have other names."""
    if isinstance(path, tuple):
        new = former.get(path)
        return tuple(in_new_names(inner, former) for inner in path) if new is None else new
    return frozenset(in_new_names(inner, former) for inner in path) if isinstance(path, frozenset) else path


def renamed(value: Any, names: Sequence[Symbol], others: Sequence[Symbol]) -> Any:
    """A level, a set of paths or a list of arguments in which these symbols have other names."""
    if isinstance(value, Info):
        return value.changed(lambda level: renamed(level, names, others))
    if isinstance(value, list):
        return [tuple(renamed(part, names, others) for part in pair) for pair in value]
    for name, other in zip(names, others, strict=True):
        value = in_place_of(value, name, other)
    return value


def enter(rule: p.RuleDecl, args: list[tuple[Info, Symbol]], at: Known) -> Known:
    """What is known at the beginning of a rule called from `at`."""
    inner = Known(at.known, at.revealed, at.written, behind=at.behind, because=at.because)
    for param, (info, symbol) in zip(rule.params, args, strict=False):
        inner.locals[param] = info
        inner.symbols[param] = symbol
    return inner
