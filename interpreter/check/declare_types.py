"""Resolves written types, and says which numbers a type has and which names stand for one of them.

A written type is looked up among enums, kinds, node and edge kinds; a range may use constants. Errors are reported and
a usable type is returned anyway, so that the rest of the declaration is checked too. Kinds and node kinds are
registered before they are counted: a type can be resolved early, its numbers are known only later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from ..syntax.bounds import names_in, number_of
from . import value_types as t
from .declared import Declared
from .program import Dimension

A = TypeVar("A")

# ---------------------------------------------------------------------------- from text to type


def type_of(declared: Declared, node: nodes.TypeNode) -> t.VType:
    """The type that a type text means (reports what is wrong with it and gives a usable type anyway)."""
    match node:
        case nodes.FlagType():
            return t.Flag()
        case nodes.PlayerType():
            return t.Player()
        case nodes.Range():
            return range_of(declared, node)
        case nodes.Kinds():
            return _named_type(declared, node)
        case nodes.OptionalType():
            return _optional(declared, node)
        case nodes.SetType():
            return t.SetOf(type_of(declared, node.of))
        case nodes.EffectType():
            return t.EffectCell(tuple((p.name.text, param_type(declared, p)) for p in node.given))
        case nodes.ValueType():
            numbers = range_of(declared, node.range)
            return t.FormulaCell(numbers.low, numbers.high)
        case nodes.PlaceType():
            return t.PlaceOf(place_kinds(declared, node), node.shape)
        case nodes.DiceType():
            faces = type_of(declared, node.faces)
            if isinstance(faces, t.Number):
                return t.Die(faces.low, faces.high)
            what = "the faces of a die are numbers"
            declared.error("R0403", what, node.faces.span, "not a range", help="write `1..6`")
            return t.Die(1, 6)
        case _:
            raise AssertionError(f"a type text of an unknown form: {type(node).__name__}")


def sound_type_of(declared: Declared, node: nodes.TypeNode) -> tuple[t.VType, bool]:
    """The type, and whether it was written correctly: errors that only follow from a broken type are not reported."""
    before = len(declared.found)
    value_type = type_of(declared, node)
    return value_type, len(declared.found) == before and not _lacks_a_bound(declared, node)


def _lacks_a_bound(declared: Declared, node: nodes.TypeNode) -> bool:
    """True if a bound is a constant without a value, which has been reported at its declaration."""
    bounds = (node.low, node.high) if isinstance(node, nodes.Range) else ()
    named = {name for bound in bounds for name, _ in names_in(bound)}
    return bool(named) and bool(unusable_constants(declared) & named)


def param_type(declared: Declared, param: nodes.Param) -> t.VType:
    """A parameter without a type is a player."""
    return t.Player() if param.type is None else type_of(declared, param.type)


def range_of(declared: Declared, node: nodes.Range) -> t.Number:
    low, high = bound_of(declared, node.low), bound_of(declared, node.high)
    if low is None or high is None:
        # Every number fits, so nothing else is reported because of a bound that could not be read.
        return t.Number(t.SMALLEST, t.LARGEST)
    if low > high:
        what, help = f"the range {low}..{high} is empty", f"write {high}..{low}"
        declared.error("R0401", what, node.span, "begins above its end", help=help)
        return t.Number(high, low)
    return t.Number(low, high)


def bound_of(declared: Declared, bound: nodes.Bound) -> int | None:
    """The number that a bound stands for; None after a finding if there is none."""
    if isinstance(bound.value, int):
        return bound.value
    numbers = {name: _constant_number(declared, name, span) for name, span in names_in(bound)}
    known = {name: number for name, number in numbers.items() if number is not None}
    if len(known) < len(numbers):
        return None
    number = number_of(bound, known)
    if number is None:
        declared.error("R0411", "this bound divides by nothing", bound.span, "a divisor must be above 0")
    elif not t.SMALLEST <= number <= t.LARGEST:
        declared.error("R0426", f"{number} does not fit into 32 bits", bound.span, "too large")
        return None
    return number


def _constant_number(declared: Declared, name: str, span: Span) -> int | None:
    constant = declared.constants.get(name)
    declared.uses.add(span, "constant", name)
    if constant is not None and isinstance(constant.type, t.Number):
        return constant.value
    if constant is not None:
        declared.error("R0402", f"`{name}` is no number", span, f"this constant is of type {constant.type}")
    elif name not in unusable_constants(declared):
        what, help = f"there is no constant `{name}`", did_you_mean(name, declared.constants)
        declared.error("R0301", what, span, "a bound is made of numbers and constants", help=help)
    return None


def unusable_constants(declared: Declared) -> set[str]:
    """Constants that were declared but have no value, which has been reported at their declarations."""
    wanted = (placed.declaration for placed in declared.gathered.declarations)
    return {d.name.text for d in wanted if isinstance(d, nodes.Constant)} - set(declared.constants)


def _optional(declared: Declared, node: nodes.OptionalType) -> t.VType:
    of, is_sound = sound_type_of(declared, node.of)
    if not is_sound or isinstance(of, t.Maybe):
        return of
    if isinstance(of, t.SetOf | t.Flag):
        what = "a set" if isinstance(of, t.SetOf) else "a flag"
        help = "an empty set says it" if isinstance(of, t.SetOf) else "a flag is `no` where nothing is said"
        declared.error("R0404", f"{what} cannot be optional", node.span, "remove the `?`", help=help)
        return of
    return t.Maybe(of)


def _named_type(declared: Declared, node: nodes.Kinds) -> t.VType:
    """`Kaiju | Mecha`, `Colour`, `Street`, `Direction`."""
    types = [found for name in node.names if (found := _one_named(declared, name)) is not None]
    if not types:
        return t.Unknown()
    if len(types) == 1:
        return types[0]
    first = types[0]
    for name, other in zip(node.names, types, strict=False):
        if type(other) is not type(first) or not isinstance(other, t.Kinded):
            what = f"`{first}` and `{other}` cannot stand in one type"
            help = "a union is of kinds of pieces, of node kinds or of edge kinds"
            declared.error("R0405", what, name.span, "of another sort", help=help)
            return first
    assert isinstance(first, t.Kinded)
    return declared.union(first, {name.text for name in node.names})


# Types that are written with a small letter, or not at all.
_SMALL = {
    "Player": "write `player`",
    "Flag": "write `flag`",
    "Bool": "write `flag`",
    "Boolean": "write `flag`",
    "Number": "numbers have a range: write `0..9`",
    "Int": "numbers have a range: write `0..9`",
    "Integer": "numbers have a range: write `0..9`",
    "Effect": "write `effect`",
}


def _one_named(declared: Declared, name: nodes.Name) -> t.VType | None:
    text = name.text
    declared.uses.add(name.span, "word" if text == "Direction" else "type", text)
    found = t.EnumOf(text) if text in declared.enums else declared.kind_named(text)
    if found is not None:
        return found
    if text == "Direction":
        return _direction(declared, name)
    help = _SMALL.get(text) or did_you_mean(text, (*declared.type_names, "Direction"))
    declared.error("R0302", f"there is no type `{text}`", name.span, "not an enum, kind, node or edge kind", help=help)
    return None


def lacks_a_map(declared: Declared) -> bool:
    """True if a map of the game could not be built."""
    placed = declared.gathered.declarations
    return any(isinstance(p.declaration, nodes.Map) and p.declaration.name.text not in declared.maps for p in placed)


def _direction(declared: Declared, name: nodes.Name) -> t.VType | None:
    """`Direction` means the directions of the first map that is a surface, or else of the first map that has any."""
    having = [m for m in declared.maps.values() if m.directions]
    if not having and lacks_a_map(declared):
        return None  # the map that would have them could not be built, which has been reported
    if not having:
        what = "no map of this game has directions"
        declared.error("R0302", what, name.span, "needs a map", help="grids, hexes, rings and lines have directions")
        return None
    # A game with a board and a score track means the board when it says `Direction`.
    surfaces = [m for m in having if m.shape not in ("ring", "line")]
    return t.DirectionOf((surfaces or having)[0].name)


def place_kinds(declared: Declared, node: nodes.PlaceType) -> tuple[str, ...]:
    """The kinds of pieces a place is for, in the order in which they are declared."""
    wanted: set[str] = set()
    for name in node.kinds.names:
        if name.text in declared.kinds:
            wanted.add(name.text)
            declared.uses.add(name.span, "type", name.text)
            continue
        other = _one_named(declared, name)
        if other is not None:
            what = f"a {node.shape} holds pieces, and `{name.text}` is no kind of pieces"
            declared.error("R0406", what, name.span, near=declared.kinds)
    return tuple(kind for kind in declared.kinds if kind in wanted)


# ---------------------------------------------------------------------------- the numbers of a type


def dimension_of(declared: Declared, value_type: t.VType) -> Dimension | None:
    """The range of numbers of a type that may index an array, or None. Over several kinds the range may have gaps."""
    match value_type:
        case t.Flag():
            return Dimension(value_type, 0, 2)
        case t.Number(low, high):
            return Dimension(value_type, low, high - low + 1)
        case t.Player():
            return Dimension(value_type, 0, declared.players)
        case t.EnumOf(name):
            domain = declared.enums[name].domain
            return Dimension(value_type, min(domain, default=0), max(domain, default=-1) - min(domain, default=0) + 1)
        case t.Kinded():
            runs = _runs(declared, value_type)
            low = runs[0][0] if runs else 0
            return Dimension(value_type, low, max((first + count for first, count in runs), default=low) - low)
        case t.DirectionOf(name):
            return Dimension(value_type, 0, len(declared.maps[name].directions))
        case t.Die():
            return Dimension(value_type, 0, declared.dice)
        case t.EffectCell() | t.FormulaCell():
            return Dimension(value_type, 0, len(declared.cells))
        case t.ChartRow(name):
            return Dimension(value_type, 0, declared.charts[name].rows)
        case _:
            return None


def _runs(declared: Declared, value_type: t.Kinded) -> list[tuple[int, int]]:
    """First number and count of each kind of a union that has any."""
    table = declared.kinds_like(value_type)
    runs = [(table[kind].first, table[kind].count) for kind in value_type.kinds if kind in table]
    return sorted((first, count) for first, count in runs if count)


def domain_of(declared: Declared, value_type: t.VType) -> tuple[int, ...] | None:
    """Every number of a finite type in order, or None for numbers, sets, places."""
    return _answer(_domain, declared, value_type)


def _answer(work_out: Callable[[Declared, t.VType], A], declared: Declared, value_type: t.VType) -> A:
    """What `work_out` gives for a type. Once all tables are numbered, it is worked out only once."""
    if declared.answers is None:
        return work_out(declared, value_type)
    key = (work_out.__name__, value_type)
    if key not in declared.answers:
        declared.answers[key] = work_out(declared, value_type)
    return declared.answers[key]  # type: ignore[return-value]


def ranges_of(declared: Declared, of: t.VType) -> tuple[tuple[int, int], ...]:
    """The numbers of a type as ranges (low, size)."""
    runs: list[tuple[int, int]] = []
    for n in sorted(domain_of(declared, of) or ()):
        if runs and runs[-1][0] + runs[-1][1] == n:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((n, 1))
    return tuple(runs)


def _domain(declared: Declared, value_type: t.VType) -> tuple[int, ...] | None:
    match value_type:
        case t.EnumOf(name):
            return declared.enums[name].domain
        case t.Kinded():
            return tuple(n for first, count in _runs(declared, value_type) for n in range(first, first + count))
        case t.EffectCell() | t.FormulaCell():
            return _cell_domain(declared, value_type)
        case t.Number():
            return None
        case _:
            run = dimension_of(declared, value_type)
            return None if run is None else tuple(range(run.low, run.low + run.size))


def _cell_domain(declared: Declared, value_type: t.EffectCell | t.FormulaCell) -> tuple[int, ...]:
    """The numbers of all effect cells or of all formula cells. The first call of a formula cell is a value."""
    wants_value = isinstance(value_type, t.FormulaCell)
    return tuple(c.number for c in declared.cells if bool(c.calls and c.calls[0].rule.form == "value") == wants_value)


# ---------------------------------------------------------------------------- names that mean a value


def members_of(declared: Declared, value_type: t.VType) -> dict[str, int]:
    """The names that stand for a value where this type is expected; empty for types without such names."""
    return _answer(_members, declared, value_type)


def _members(declared: Declared, value_type: t.VType) -> dict[str, int]:
    match value_type:
        case t.Maybe(of):
            return members_of(declared, of)
        case t.EnumOf(name):
            enum = declared.enums[name]
            return dict(zip(enum.ids, enum.domain, strict=True))
        case t.Player():
            return dict(declared.seat_names)
        case t.Piece(kinds):
            wanted = set(kinds)
            return {r.id: r.pieces[0] for r in declared.rows if r.kind in wanted and len(r.pieces) == 1}
        case t.MapNode():
            return {declared.nodes[n].id: n for n in domain_of(declared, value_type) or ()}
        case t.MapEdge():
            return {declared.edges[n].id: n for n in domain_of(declared, value_type) or ()}
        case t.DirectionOf(name):
            return {word: number for number, word in enumerate(declared.maps[name].directions)}
        case _:
            return {}


def shown(declared: Declared, value_type: t.VType, value: object) -> str:
    """A value of a type as an author would write it."""
    if isinstance(value_type, t.SetOf) and isinstance(value, tuple):
        return "(" + ", ".join(shown(declared, value_type.of, item) for item in value) + ")"
    if isinstance(value_type, t.Flag):
        return "yes" if value else "no"
    return names_of(declared, value_type).get(value, str(value)) if isinstance(value, int) else str(value)


def names_of(declared: Declared, value_type: t.VType) -> dict[int, str]:
    """The names of the values of a type by number; if a number has several names, the first."""
    return {number: name for name, number in reversed(members_of(declared, value_type).items())}
