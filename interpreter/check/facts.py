"""What is known at a point of a rule: types narrowed by conditions, and when that knowledge ends.

A fact says that some path (`c`, `p.at`, `p.tower[a][legs]`, `toll(p, a, q)`) has a narrower type than declared: it is
not none, it is of one kind of a union, its number lies within tighter bounds. Paths are compared by their key, nested
tuples of the form and its fields. A fact about a local holds to the end of its block, because locals never change. A
fact about state ends when something that the path reads is written; at a decision also if that may change meanwhile:

    if p.target is not none
      gain (p.target).worth vp        # known to be there
      p.target = next(p).target
      gain (p.target).worth vp        # may be none again
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from . import program as p
from .expression_forms import ANYTHING, Thing, Whereabouts, asked_rule, evaluated_elsewhere, expression_form, looks_at
from .value_types import VType
from .walk import field_names, walk

Key = tuple[object, ...]
PLACES = "places"  # read by expressions that ask where a piece is
# Calls read ANYTHING: the checker does not follow what a called value looks at.
_NO_PATH = "no path"  # in the making of a key: a part that has none


@dataclass(frozen=True)
class Fact:
    type: VType
    reads: frozenset[object]


@dataclass(frozen=True)
class Steady:
    """At a decision: everything may change but these fields and places (`steady.py`)."""

    fields: frozenset[object]


Written = frozenset[object] | Steady | None
KnownFacts = dict[Key, Fact]


@dataclass
class Way:
    """The way through a block. `leaves` is set once it is known that its end cannot be reached."""

    leaves: bool = False


class Facts:
    """The facts that hold in the current block, and what has been written since the enclosing blocks began."""

    def __init__(self) -> None:
        self.known: KnownFacts = {}
        self.ended: KnownFacts = {}  # what was known until a decision, and has not been written since
        self._written: list[Written] = []

    def about(self, key: Key | None) -> VType | None:
        fact = self.known.get(key) if key is not None else None
        return fact.type if fact else None

    def learn(self, key: Key, value_type: VType, reads: frozenset[object]) -> None:
        self.known[key] = Fact(value_type, reads)
        self.ended.pop(key, None)

    def forget(self, written: Written) -> None:
        """Something is written: `None` stands for everything (a call)."""
        self._written.append(written)
        before = self.known
        self._drop(written)
        # What a free action may have changed is set aside: if it is asked about again, the finding can say that the
        # decision in between is the reason.
        if isinstance(written, Steady):
            self.ended |= {key: fact for key, fact in before.items() if key not in self.known}
        else:
            self.ended = self.kept(self.ended, written)

    def _drop(self, written: Written) -> None:
        self.known = self.kept(self.known, written)

    def kept(self, known: KnownFacts, written: Written) -> KnownFacts:
        """What still holds of this once something is written."""
        return {key: fact for key, fact in known.items() if not _touched(fact.reads, written)}

    @contextmanager
    def block(self, begin: KnownFacts | None = None) -> Iterator[Way]:
        """Facts learnt inside end with the block. Facts forgotten inside stay forgotten: in `if C` with
        `p.target = none` in its block, what was known of `p.target` before may be wrong afterwards. The exception is a
        block that always leaves the rule or loop (`Way.leaves`): it never leads to what follows.

        `begin`: what is known where the block begins, if that is not what is known here. An `else` begins where its
        `if` does: what the first block wrote has not happened in it."""
        before, mark, way = self.known, len(self._written), Way()
        self.known = dict(before if begin is None else begin)
        try:
            yield way
        finally:
            self.known = dict(before)
            # `if p.target is none` / `done`: what was written on that way has not been written for those who come past
            # it.
            if way.leaves:
                del self._written[mark:]
            for written in self._written[mark:]:
                self.known = self.kept(self.known, written)


def _touched(reads: frozenset[object], written: Written) -> bool:
    if written is None:
        return bool(reads)
    if isinstance(written, Steady):
        return not reads <= written.fields
    return bool(written) and (ANYTHING in reads or bool(reads & written))


# ---------------------------------------------------------------------------- keys of paths


# The forms that are paths: what one of them stands for is told by its fields.
_PATHS = (
    p.FieldRead, p.AttributeOf, p.ChartCell, p.PlaceRef, p.SlotPiece, p.EndOf, p.CountOf, p.DieRef, p.Face, p.ValueCall,
    p.FormulaCall, p.Builtin, p.MapQuery, p.Players, p.Box,
)  # fmt: skip


def key_of(expr: p.Expr) -> Key | None:
    """The key of a path, or None for an expression that cannot have a fact."""
    match expr:
        case p.LocalVar():
            return ("local", expr.local.number)
        case p.Const():
            return ("number", expr.value)
        case p.InRange(of=of):
            return key_of(of)
        case p.Previous(args=None):
            return ("previous",)
        # `ranked[2]`, as `set_expressions.nth` elaborates it. The local inside is a new one each time: not in the key.
        case p.Selected(which="first", binder=p.Binder(source=over, where=p.Compare(left=left, right=place))) if (
            isinstance(left, p.Builtin) and left.name == "position" and left.args[1] is over
        ):
            keys = [_part(over), _part(place)]
            return None if _NO_PATH in keys else ("nth", *keys)
        case _ if isinstance(expr, _PATHS):
            held = [getattr(expr, name) for name in field_names(expr)]
            keys = [_part(value) for value in held]
            return None if _NO_PATH in keys else (type(expr).__name__, *keys)
    expression_form(expr)  # raises for a form that has no row in the table
    return None


def _part(held: object) -> object:
    """What a field adds to a key: the key of an expression, a word, or the identity of a declaration."""
    match held:
        case p.Expr():
            return key_of(held) or _NO_PATH
        case tuple():
            keys = tuple(_part(one) for one in held)
            return _NO_PATH if _NO_PATH in keys else keys
        case str() | None:
            return held
    return id(held)


def reads_of(expr: p.Expr) -> frozenset[object]:
    """What an expression reads of the state: declarations by identity, or one of the two words above."""
    found: set[object] = set()
    for part in walk(expr):
        if isinstance(part, p.Expr):
            found.update(_identity(thing) for thing in looks_at(part))
            if asked_rule(part) is not None or evaluated_elsewhere(part):
                found.add(ANYTHING)
    return frozenset(found)


def _identity(thing: Thing) -> object:
    if isinstance(thing, Whereabouts):
        return PLACES
    return ANYTHING if isinstance(thing, str) else id(thing)
