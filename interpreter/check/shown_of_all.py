"""What loops over pieces, spaces and enums have shown of everything that they went over.

    for p in players, u in p.army
      reveal u.order

What such a loop has shown is kept as the path `("of", base, conditions, path)`: of everything in the base that meets
the conditions, all know the path, in which the thing itself is `IT`. Two things are worked out here: which loops say so
at all, and which say it of everything that has such a field (then `EVERY` stands for the thing, and no matter by which
way the rules come to one of them, the path is known).
"""

from __future__ import annotations

from . import program as p
from .known import EVERY, IT, Symbol, in_place_of, mentions
from .value_types import Player
from .walk import walk

# What a condition may consist of: its symbol holds all fields and places that it rests on, so that it is forgotten when
# one of them changes. `at(u) == s` does not say which places it looks into.
_STEADY = (
    p.AttributeOf,
    p.FieldRead,
    p.PlaceRef,
    p.LocalVar,
    p.Const,
    p.InRange,
    p.Compare,
    p.Logic,
    p.Not,
    p.IsNone,
    p.IsEmpty,
    p.IsKind,
    p.Arithmetic,
)


def says_what_it_rests_on(binder: p.Binder) -> bool:
    """Whether what a loop goes over is void as soon as something changes that decides it."""
    if not isinstance(binder.source, p.PlaceRef | p.AllOf):
        return False
    asked = [] if binder.where is None else [part for part in walk(binder.where) if isinstance(part, p.Expr)]
    return all(isinstance(part, _STEADY) for part in asked)


def of_everything(program: p.Program, path: Symbol, each: Symbol, domain: tuple[int, ...]) -> Symbol | None:
    """What was shown of each thing in a loop over a whole type, with EVERY for it: `for l in Land` / `reveal
    p.order[l]`. None if others have such a field as well."""
    return in_place_of(path, each, EVERY) if _has_all(program, path, each, frozenset(domain)) else None  # type: ignore[return-value]


def of_every_player(program: p.Program, path: Symbol) -> Symbol:
    """A path in which a loop over all players has put EVERY for the player. `for p in players, u in Unit where u.owner
    == p` goes over all units."""
    if path[0] != "of":
        return path
    _, base, asked, inner = path
    owners = {id(table) for table in program.attributes if table.name == "owner" and table.type == Player()}
    asked = tuple(part for part in asked if not _belongs_to_one(part, owners))  # type: ignore[attr-defined]
    if not asked and base[0] == "AllOf":  # type: ignore[index]
        return of_everything(program, inner, IT, base[1]) or ("of", base, asked, inner)  # type: ignore[arg-type, index]
    return ("of", base, asked, inner)


def _belongs_to_one(condition: Symbol, owners: set[int]) -> bool:
    """Whether a condition says that the owner is one of all players, which every owner is."""
    match condition:
        case ("Compare", "==", ("AttributeOf", int() as table, of, ()), seat):
            return table in owners and of == IT and seat == EVERY
        case ("Compare", "==", seat, ("AttributeOf", int() as table, of, ())):
            return table in owners and of == IT and seat == EVERY
    return False


def _has_all(program: p.Program, path: object, each: Symbol, domain: frozenset[int]) -> bool:
    """Whether `each` stands in a path only where it is one of those numbers: as the owner of a field or place that no
    others have, or as an index."""
    match path:
        case ("field" | "dice" | "place", int() as identity, owner, *more):
            state: list[p.StateDecl] = [*program.fields, *program.places]
            decl = next(one for one in state if id(one) == identity)
            indexes = more[0] if more and isinstance(more[0], tuple) else ()
            stands = [(owner, decl.owner_dimension), *zip(indexes, decl.dimensions, strict=False)]
            return not mentions(tuple(more[1:]), each) and all(_is_any(part, each, of, domain) for part, of in stands)
        case ("piece", inner) | ("end", _, inner):
            return _has_all(program, inner, each, domain)
        case ("of", base, (), inner) if each != IT:
            return all(not mentions(part, each) or _has_all(program, part, each, domain) for part in (base, inner))
    return False


def _is_any(part: object, each: Symbol, of: p.Dimension | None, domain: frozenset[int]) -> bool:
    if part == each:
        return of is not None and domain.issuperset(range(of.low, of.low + of.size))
    return not mentions(part, each)
