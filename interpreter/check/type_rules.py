"""Relations between types: what fits where, what two types have in common, what is left when one is ruled out.

Any number type fits any other: whether a stored number is in range is a separate question (`never_fits`).
"""

from __future__ import annotations

from ..diagnostics.articles import with_article
from . import value_types as t
from .declared import Declared
from .numbers import hull, inside, meet


def maybe(value_type: t.VType, is_optional: bool = True) -> t.VType:
    """The type made optional, unless it already is, or is a set or place (these are empty instead of none)."""
    if not is_optional or isinstance(value_type, t.Maybe | t.SetOf | t.PlaceOf | t.NoneOnly):
        return value_type
    return t.Maybe(value_type)


def is_maybe(value_type: t.VType) -> bool:
    return isinstance(value_type, t.Maybe | t.NoneOnly)


def within(declared: Declared, inner: str, outer: str) -> bool:
    """True if all values of one enum are values of the other."""
    return inner == outer or _shared(declared, inner, outer) == set(declared.enums[inner].domain)


def _shared(declared: Declared, one: str, other: str) -> set[int]:
    """The values that two enums have in common."""
    first, second = declared.enums[one], declared.enums[other]
    # Equal numbers mean the same value only within a group of enums that contain one another.
    return set(first.domain) & set(second.domain) if first.group == second.group else set()


def fits(declared: Declared, value: t.VType, target: t.VType) -> bool:
    """True if a value of one type may stand where the other is expected. Considers none, but not intervals."""
    if isinstance(value, t.NoneOnly):
        return isinstance(target, t.Maybe)
    if isinstance(target, t.Maybe):
        return fits(declared, t.bare(value), target.of)
    if isinstance(value, t.Maybe):
        return False
    match value, target:
        case t.Number(), t.Number():
            return True
        case t.EnumOf(inner), t.EnumOf(outer):
            return within(declared, inner, outer)
        case t.Kinded(), t.Kinded() if value.sort == target.sort:
            return set(value.kinds) <= set(target.kinds)
        case t.SetOf(inner_type), t.SetOf(outer_type):
            return fits(declared, inner_type, outer_type)
        case t.EffectCell(given), t.EffectCell(wanted):
            return dict(given) == dict(wanted)
        case t.FormulaCell(), t.FormulaCell():
            return True
        # Two grids have the same eight directions, and a rule for both boards may hand one on to the other.
        case t.DirectionOf(one), t.DirectionOf(other):
            return one == other or declared.maps[one].directions == declared.maps[other].directions
        case _:
            return value == target


def never_fits(value: t.VType, target: t.VType) -> bool:
    """True if no number of one interval is in the other."""
    inner, outer = t.bare(value), t.bare(target)
    return isinstance(inner, t.Number) and isinstance(outer, t.Number) and meet(inner, outer) is None


def surely_fits(declared: Declared, value: t.VType, target: t.VType) -> bool:
    """True if every value of one type is a value of the other, intervals included."""
    inner, outer = t.innermost(value), t.innermost(target)
    in_range = not (isinstance(inner, t.Number) and isinstance(outer, t.Number)) or inside(inner, outer)
    return fits(declared, value, target) and in_range


def kinds_of(value_type: t.VType) -> tuple[str, ...]:
    return value_type.kinds if isinstance(value_type, t.Kinded) else ()


def join(declared: Declared, left: t.VType, right: t.VType) -> t.VType | None:
    """The smallest type that contains the values of both; None if the types cannot be mixed."""
    if isinstance(left, t.NoneOnly):
        return maybe(right)
    if isinstance(right, t.NoneOnly):
        return maybe(left)
    if isinstance(left, t.Maybe) or isinstance(right, t.Maybe):
        inner = join(declared, t.bare(left), t.bare(right))
        return None if inner is None else maybe(inner)
    match left, right:
        case t.Number(), t.Number():
            return hull(left, right)
        case t.Kinded(), t.Kinded() if left.sort == right.sort:
            return declared.union(left, left.kinds + right.kinds)
        case t.FormulaCell(), t.FormulaCell():
            return t.FormulaCell(min(left.low, right.low), max(left.high, right.high))
        case t.SetOf(one), t.SetOf(other):
            inner = join(declared, one, other)
            return None if inner is None else t.SetOf(inner)
        case _:
            if fits(declared, left, right):
                return right
            return left if fits(declared, right, left) else None


def overlap(declared: Declared, left: t.VType, right: t.VType) -> t.VType | None:
    """The intersection: the type of a value that belongs to both; None if there is no such value."""
    left, right = t.bare(left), t.bare(right)
    match left, right:
        case t.Number(), t.Number():
            return meet(left, right)
        case t.Kinded(), t.Kinded() if left.sort == right.sort:
            common = tuple(k for k in left.kinds if k in right.kinds)
            return type(left)(common) if common else None
        case t.EnumOf(one), t.EnumOf(other):
            return _enum_overlap(declared, one, other)
        case (t.Flag(), t.Flag()) | (t.Player(), t.Player()):
            return left
        case _:
            return left if fits(declared, left, right) or fits(declared, right, left) else None


def _enum_overlap(declared: Declared, one: str, other: str) -> t.VType | None:
    if within(declared, one, other):
        return t.EnumOf(one)
    if within(declared, other, one):
        return t.EnumOf(other)
    return t.EnumOf(one) if _shared(declared, one, other) else None


def without_kinds(value_type: t.VType, kinds: tuple[str, ...]) -> t.VType | None:
    """A union without some of its kinds; None if nothing is left."""
    inner = t.bare(value_type)
    if not isinstance(inner, t.Kinded):
        return value_type
    left = tuple(k for k in inner.kinds if k not in kinds)
    if not left:
        return None
    rest = type(inner)(left)
    return t.Maybe(rest) if isinstance(value_type, t.Maybe) else rest


def is_ordered(value_type: t.VType) -> bool:
    """True if `<`, `<=`, `>` and `>=` are defined for the type."""
    return isinstance(t.bare(value_type), t.Number | t.EnumOf)


def in_words(value_type: t.VType) -> str:
    """A type as part of a sentence: `a number 0..9`, `a player`, `a Kaiju`."""
    match value_type:
        case t.Maybe(of):
            return f"{in_words(of)} or none"
        case t.Flag():
            return "a flag (yes or no)"
        case t.Number():
            return f"a number {value_type}"
        case t.Player():
            return "a player"
        case t.SetOf(of):
            return f"a set of {_plural(of)}"
        case t.PlaceOf():
            return "the box" if value_type.shape == "box" else f"a {value_type}"
        case t.EffectCell():
            return "an effect"
        case t.FormulaCell():
            return f"a formula ({value_type})"
        case t.NoneOnly():
            return "none"
        case t.DirectionOf():
            return "a direction"
        case _:
            return with_article(str(value_type))


def _plural(value_type: t.VType) -> str:
    match value_type:
        case t.Player():
            return "players"
        case t.Number():
            return f"numbers {value_type}"
        case _:
            return str(value_type)
