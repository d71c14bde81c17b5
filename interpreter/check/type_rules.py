"""Relations between types: what fits where, what two types have in common, what is left when one is ruled out.

Any number type fits any other: whether a stored number is in range is a separate question (`never_fits`).
"""

from __future__ import annotations

from .declared import Declared
from .numbers import hull, meet
from .value_types import (
    DirectionOf,
    EffectCell,
    EnumOf,
    Flag,
    FormulaCell,
    MapEdge,
    MapNode,
    Maybe,
    NoneOnly,
    Number,
    Piece,
    PlaceOf,
    Player,
    SetOf,
    VType,
    bare,
)

Kinded = Piece | MapNode | MapEdge


def maybe(value_type: VType, is_optional: bool = True) -> VType:
    """The type made optional, unless it already is, or is a set or place (these are empty instead of none)."""
    if not is_optional or isinstance(value_type, Maybe | SetOf | PlaceOf | NoneOnly):
        return value_type
    return Maybe(value_type)


def is_maybe(value_type: VType) -> bool:
    return isinstance(value_type, Maybe | NoneOnly)


def within(declared: Declared, inner: str, outer: str) -> bool:
    """True if all values of one enum are values of the other."""
    if inner == outer:
        return True
    if inner not in declared.enums or outer not in declared.enums:
        return False
    return set(declared.enums[inner].domain) <= set(declared.enums[outer].domain)


def fits(declared: Declared, value: VType, target: VType) -> bool:
    """True if a value of one type may stand where the other is expected. Considers none, but not intervals."""
    if isinstance(value, NoneOnly):
        return isinstance(target, Maybe)
    if isinstance(target, Maybe):
        return fits(declared, bare(value), target.of)
    if isinstance(value, Maybe):
        return False
    match value, target:
        case Number(), Number():
            return True
        case EnumOf(inner), EnumOf(outer):
            return within(declared, inner, outer)
        case (Piece(), Piece()) | (MapNode(), MapNode()) | (MapEdge(), MapEdge()):
            return set(kinds_of(value)) <= set(kinds_of(target))
        case SetOf(inner_type), SetOf(outer_type):
            return fits(declared, inner_type, outer_type)
        case EffectCell(given), EffectCell(wanted):
            return dict(given) == dict(wanted)
        case FormulaCell(), FormulaCell():
            return True
        case DirectionOf(one), DirectionOf(other):
            return one == other or declared.maps[one].directions == declared.maps[other].directions
        case _:
            return value == target


def never_fits(value: VType, target: VType) -> bool:
    """True if no number of one interval is in the other."""
    inner, outer = bare(value), bare(target)
    return isinstance(inner, Number) and isinstance(outer, Number) and meet(inner, outer) is None


def surely_fits(declared: Declared, value: VType, target: VType) -> bool:
    """True if every value of one type is a value of the other, intervals included."""
    if not fits(declared, value, target):
        return False
    inner, outer = bare(value), bare(target)
    if isinstance(inner, Number) and isinstance(outer, Number):
        return outer.low <= inner.low and inner.high <= outer.high
    return True


def kinds_of(value_type: VType) -> tuple[str, ...]:
    return value_type.kinds if isinstance(value_type, Kinded) else ()


def join(declared: Declared, left: VType, right: VType) -> VType | None:
    """The smallest type that contains the values of both; None if the types cannot be mixed."""
    if isinstance(left, NoneOnly):
        return maybe(right)
    if isinstance(right, NoneOnly):
        return maybe(left)
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        inner = join(declared, bare(left), bare(right))
        return None if inner is None else maybe(inner)
    match left, right:
        case Number(), Number():
            return hull(left, right)
        case Piece(), Piece():
            return Piece(tuple(k for k in declared.kinds if k in left.kinds or k in right.kinds))
        case MapNode(), MapNode():
            return MapNode(tuple(k for k in declared.node_kinds if k in left.kinds or k in right.kinds))
        case MapEdge(), MapEdge():
            return MapEdge(tuple(k for k in declared.edge_kinds if k in left.kinds or k in right.kinds))
        case FormulaCell(), FormulaCell():
            return FormulaCell(min(left.low, right.low), max(left.high, right.high))
        case SetOf(one), SetOf(other):
            inner = join(declared, one, other)
            return None if inner is None else SetOf(inner)
        case _:
            if fits(declared, left, right):
                return right
            return left if fits(declared, right, left) else None


def overlap(declared: Declared, left: VType, right: VType) -> VType | None:
    """The intersection: the type of a value that belongs to both; None if there is no such value."""
    left, right = bare(left), bare(right)
    match left, right:
        case Number(), Number():
            return meet(left, right)
        case (Piece(), Piece()) | (MapNode(), MapNode()) | (MapEdge(), MapEdge()):
            common = tuple(k for k in kinds_of(left) if k in kinds_of(right))
            return type(left)(common) if common else None  # type: ignore[call-arg]
        case EnumOf(one), EnumOf(other):
            return _enum_overlap(declared, one, other)
        case (Flag(), Flag()) | (Player(), Player()):
            return left
        case _:
            return left if fits(declared, left, right) or fits(declared, right, left) else None


def _enum_overlap(declared: Declared, one: str, other: str) -> VType | None:
    if within(declared, one, other):
        return EnumOf(one)
    if within(declared, other, one):
        return EnumOf(other)
    shared = set(declared.enums[one].domain) & set(declared.enums[other].domain)
    return EnumOf(one) if shared else None


def without_kinds(value_type: VType, kinds: tuple[str, ...]) -> VType | None:
    """A union without some of its kinds; None if nothing is left."""
    inner = bare(value_type)
    if not isinstance(inner, Kinded):
        return value_type
    left = tuple(k for k in inner.kinds if k not in kinds)
    if not left:
        return None
    rest = type(inner)(left)
    return Maybe(rest) if isinstance(value_type, Maybe) else rest


def is_ordered(value_type: VType) -> bool:
    """True if `<`, `<=`, `>` and `>=` are defined for the type."""
    return isinstance(bare(value_type), Number | EnumOf)


def in_words(value_type: VType) -> str:
    """A type as part of a sentence: `a number 0..9`, `a player`, `a Kaiju`."""
    match value_type:
        case Maybe(of):
            return f"{in_words(of)} or none"
        case Flag():
            return "a flag (yes or no)"
        case Number():
            return f"a number {value_type}"
        case Player():
            return "a player"
        case SetOf(of):
            return f"a set of {_plural(of)}"
        case PlaceOf():
            return "the box" if value_type.shape == "box" else f"a {value_type}"
        case EffectCell():
            return "an effect"
        case FormulaCell():
            return f"a formula ({value_type})"
        case NoneOnly():
            return "none"
        case DirectionOf():
            return "a direction"
        case _:
            text = str(value_type)
            return f"{'an' if text[:1] in 'AEIOUaeiou' else 'a'} {text}"


def _plural(value_type: VType) -> str:
    match value_type:
        case Player():
            return "players"
        case Number():
            return f"numbers {value_type}"
        case _:
            return str(value_type)
