"""Bounds on the number of elements of a set or place, as far as they are known before the game."""

from __future__ import annotations

from collections.abc import Mapping

from . import program as p
from .declare_types import domain_of
from .declared import Declared
from .dispatch import interval_of
from .facts import key_of
from .loops import is_some
from .narrowing import NOT_EMPTY
from .scope import Body
from .value_types import Number, PlaceOf, SetOf, bare, element_of
from .walk import walk

MANY = 1 << 20


def most(declared: Declared, source: p.Expr) -> int:
    """An upper bound on the number of elements."""
    match source:
        case p.PlaceRef():
            return place_size(source)
        case p.Box():
            return len(declared.pieces)
        case p.AllOf():
            return len(source.domain)
        case p.Players():
            return {"nobody": 0, "rivals": declared.players - 1}.get(source.which, declared.players)
        case p.SetList():
            return sum(most(declared, i) if element_of(i.type) is not None else 1 for i in source.items)
        case p.StartingWith() | p.Following() | p.Without():
            return most(declared, source.source)
        case p.Selected(which="all") | p.UpTo():
            return most(declared, source.binder.source)
        case p.DiceGroup():
            return source.field.dimensions[-1].size
        case p.NumberRange():
            return max(0, interval_of(source.high).high - interval_of(source.low).low + 1)
    of = source.type.of if isinstance(source.type, SetOf) else source.type
    if isinstance(of, PlaceOf):
        return sum(declared.kinds[kind].count for kind in of.kinds)
    if isinstance(of, Number):
        return min(MANY, of.high - of.low + 1)
    domain = domain_of(declared, bare(of))
    return MANY if domain is None else len(domain)


def place_size(ref: p.PlaceRef) -> int:
    place = ref.place
    if place.shape == "slots" and ref.slot is None and place.slot_dimension is not None:
        return place.slot_dimension.size
    return place.capacity


def is_never_empty(body: Body, source: p.Expr) -> bool:
    """True if there is always at least one element."""
    if is_some(source):
        return True
    match source:
        case p.DiceGroup():
            return True
        case p.SetList():
            return any(_is_there(item) or is_never_empty(body, item) for item in source.items)
        case p.StartingWith():
            return is_never_empty(body, source.source)
        case p.LocalVar():
            return body.facts.about(key_of(p.EndOf(source.type, source.span, "first", source))) is not None
        case p.PlaceRef():
            key = key_of(source)
            return body.facts.about(key) == NOT_EMPTY
        case p.Selected(which="all", binder=p.Binder(where=None, source=source)):
            return is_never_empty(body, source)  # sorted, or the best of them: as many as tie, one at least
        case p.UpTo():
            return is_never_empty(body, source.binder.source)
        case p.MapQuery(name="ends", args=(of,)):
            return of.type == bare(of.type)
        case p.MapQuery(name="neighbours", args=(of,)):
            return _each_has_some(body, of, source.map.neighbours)
        case p.AttributeOf(of=of, indexes=()):
            return _each_has_some(body, of, dict(enumerate(source.table.values)))
        case _:
            return False


def is_surely_filled(body: Body, source: p.Expr) -> bool:
    """The same where all seats may have dropped out. To ask for the first of `players` is a fault then (R0916); to
    count them is none."""
    if body.declared.seats_may_drop and any(isinstance(part, p.Players) for part in walk(source)):
        return False
    return is_never_empty(body, source)


def _each_has_some(body: Body, of: p.Expr, found: Mapping[int, object]) -> bool:
    """True if whatever this may be is there and has something: each node a neighbour, each space its corners."""
    domain = domain_of(body.declared, of.type) if of.type == bare(of.type) else None
    return bool(domain) and all(found.get(one) for one in domain or ())


def _is_there(item: p.Expr) -> bool:
    """True if an item of a list is a single value that cannot be none."""
    return element_of(item.type) is None and item.type == bare(item.type)
