"""Constant expressions, evaluated before the game: constants, copies, start values, defaults, chart values.

They consist of literals, other constants, members of the expected type, seats, `count(players)` and ordinary
arithmetic. Anything else needs a running game and is reported. A value is passed around as its number together with
its type; `None` means that a finding was added and the caller has to do without the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from ..syntax.bounds import calculated
from . import value_types as t
from .declare_types import domain_of, lacks_a_map, members_of, unusable_constants
from .declared import Declared


@dataclass(frozen=True)
class Constant:
    """A value known before the game: a number, or a tuple of numbers for a set."""

    value: int | tuple[int, ...]
    type: t.VType

    @property
    def number(self) -> int:
        assert isinstance(self.value, int)
        return self.value


Lookup = Callable[[str], Constant | None]


def evaluate(
    declared: Declared, expr: nodes.Expr, expected: t.VType | None = None, constant: Lookup | None = None
) -> Constant | None:
    """The value of a constant expression; None after a finding.

    `constant` looks up constants by name while they are still being evaluated.
    """
    return _Evaluation(declared, constant or declared_constant(declared)).value(expr, expected)


def evaluate_as(declared: Declared, expr: nodes.Expr, expected: t.VType, what: str) -> int | tuple[int, ...] | None:
    """The same, and the value must fit the expected type. `what` names the thing whose value it is."""
    known = evaluate(declared, expr, expected)
    return None if known is None else fit(declared, known, expected, expr.span, what)


def declared_constant(declared: Declared) -> Lookup:
    def find(name: str) -> Constant | None:
        constant = declared.constants.get(name)
        return None if constant is None else Constant(constant.value, constant.type)

    return find


def fit(declared: Declared, known: Constant, expected: t.VType, span: Span, what: str) -> int | tuple[int, ...] | None:
    """The number of a known value, converted to the expected type; None after a finding if it does not fit."""
    wanted = t.bare(expected)
    if isinstance(known.type, t.NoneOnly):
        if isinstance(expected, t.Maybe):
            return t.none_of(expected)
        help = f"write the type as `{expected}?` if none is meant"
        declared.error("R0407", f"{what} cannot be none", span, f"expected: {expected}", help=help)
        return None
    if isinstance(wanted, t.SetOf):
        return _fit_set(declared, known, wanted, span, what)
    if isinstance(wanted, t.Number) and isinstance(known.type, t.Number):
        if wanted.low <= known.number <= wanted.high:
            return known.value
        headline = f"value {known.value} is outside {wanted}"
        declared.error("R0408", headline, span, f"{what} is {wanted}", help="widen the range, or correct the value")
        return None
    # A value of one enum fits another that contains it: contained enums share their numbers.
    if type(wanted) is type(known.type):
        domain = domain_of(declared, wanted)
        if domain is None or known.number in domain:
            return known.value
    is_untyped = isinstance(wanted, t.Player) and isinstance(known.type, t.Number)
    cure = "a parameter without a type is a player: write `n: 0..9 = 3`" if is_untyped else None
    what = f"{what} is of type {expected}, not {_a(known.type)}"
    declared.error("R0409", what, span, f"expected: {expected}", help=cure)
    return None


def _fit_set(declared: Declared, known: Constant, wanted: t.SetOf, span: Span, what: str) -> tuple[int, ...] | None:
    of = known.type.of if isinstance(known.type, t.SetOf) else known.type
    values = known.value if isinstance(known.value, tuple) else (known.value,)
    fitted = [fit(declared, Constant(value, of), wanted.of, span, what) for value in values]
    return tuple(value for value in fitted if isinstance(value, int)) if None not in fitted else None


def _a(value_type: t.VType) -> str:
    match value_type:
        case t.Number():
            return "a number"
        case t.Flag():
            return "a flag"
        case t.Player():
            return "a player"
        case t.EnumOf(name):
            return f"a value of {name}"
        case _:
            return str(value_type)


class _Evaluation:
    """Evaluates one expression. Whenever no value is returned, a finding has been added."""

    def __init__(self, declared: Declared, constant: Lookup) -> None:
        self.declared = declared
        self.constant = constant

    def value(self, expr: nodes.Expr, expected: t.VType | None) -> Constant | None:
        match expr:
            case nodes.Number(value=value):
                return number(value)
            case nodes.FlagLiteral(value=yes):
                return Constant(int(yes), t.Flag())
            case nodes.NoneLiteral():
                return Constant(-1, t.NoneOnly())
            case nodes.NameRef(name=name):
                return self.name(expr, name, expected)
            case nodes.Attribute(of=nodes.TypeRef(name=enum), name=name):
                return self.member(expr, enum, name, expected)
            case nodes.Negative(of=of):
                known = self.number(of)
                return None if known is None else number(-known)
            case nodes.Arithmetic():
                return self.arithmetic(expr)
            case nodes.Extreme(which=which, items=items):
                return self.extreme(which, items)
            case nodes.Count(of=nodes.NameRef(name="players", span=span)):
                self.declared.uses.add(span, "word", "players")
                return number(self.declared.players)
            case nodes.Several(items=(only,)) if not isinstance(expected, t.SetOf):
                return self.value(only, expected)
            case nodes.Several(items=items):
                return self.several(items, expected)
            case nodes.IfElse() | nodes.Compare() | nodes.And() | nodes.Or() | nodes.Not():
                return self.logic(expr, expected)
            case _:
                what = "this value must be known before the game"
                help = "use numbers, constants, `count(players)` and arithmetic"
                self.declared.error("R0410", what, expr.span, "needs a running game", help=help)
                return None

    def name(self, expr: nodes.Expr, name: str, expected: t.VType | None) -> Constant | None:
        if expected is not None:
            wanted = t.bare(expected)
            wanted = wanted.of if isinstance(wanted, t.SetOf) else wanted
            members = members_of(self.declared, wanted)
            if name in members:
                self.declared.uses.add_member(expr.span, wanted, name)
                return Constant(members[name], wanted)
        known = self.constant(name)
        if known is not None:
            self.declared.uses.add(expr.span, "constant", name)
            return known
        if name in self.declared.seat_names:
            self.declared.uses.add(expr.span, "seat", name)
            return Constant(self.declared.seat_names[name], t.Player())
        if name not in unusable_constants(self.declared) and not self.has_no_rows(expected):
            self.unknown(expr, name, expected)
        return None

    def has_no_rows(self, expected: t.VType | None) -> bool:
        """True for an enum whose table could not be read and for nodes of a map that could not be built; both have
        been reported."""
        wanted = t.bare(expected) if expected is not None else None
        if isinstance(wanted, t.MapNode | t.MapEdge):
            return not members_of(self.declared, wanted) and lacks_a_map(self.declared)
        return isinstance(wanted, t.EnumOf) and not self.declared.enums[wanted.name].ids

    def unknown(self, expr: nodes.Expr, name: str, expected: t.VType | None) -> None:
        members = members_of(self.declared, t.bare(expected)) if expected is not None else {}
        help = did_you_mean(name, [*members, *self.declared.constants])
        if members and expected is not None:
            label = f"expected: {t.bare(expected)}"
            what = f"`{name}` is no value of {t.bare(expected)}"
            self.declared.error("R0303", what, expr.span, label, help=help or f"one of {listed(members)}")
        else:
            what = f"there is no constant `{name}`"
            self.declared.error("R0301", what, expr.span, "not known before the game", help=help)

    def member(self, expr: nodes.Attribute, enum: str, name: nodes.Name, expected: t.VType | None) -> Constant | None:
        """`Colour.ruby`, and where a node or piece is expected `Stall.stall_1_1` as well as `stall_1_1`."""
        self.declared.uses.add(expr.of.span, "type", enum)
        decl = self.declared.enums.get(enum)
        wanted = None if expected is None else t.bare(expected)
        if decl is None and wanted is not None and enum in str(wanted).split(" | "):
            return self.name(expr, name.text, wanted)
        if decl is None:
            near = did_you_mean(enum, self.declared.enums)
            self.declared.error("R0302", f"there is no enum `{enum}`", expr.span, help=near)
            return None
        if name.text not in decl.ids:
            what = f"`{name.text}` is no value of {enum}"
            help = did_you_mean(name.text, decl.ids) or f"one of {listed(decl.ids)}"
            self.declared.error("R0303", what, name.span, f"{enum} has no such value", help=help)
            return None
        self.declared.uses.add(name.span, "member", enum, name.text)
        return Constant(decl.domain[decl.ids.index(name.text)], t.EnumOf(enum))

    def number(self, expr: nodes.Expr) -> int | None:
        known = self.value(expr, None)
        if known is None:
            return None
        if not isinstance(known.type, t.Number):
            self.declared.error("R0409", "arithmetic is with numbers", expr.span, f"this is {_a(known.type)}")
            return None
        return known.number

    def arithmetic(self, expr: nodes.Arithmetic) -> Constant | None:
        left, right = self.number(expr.left), self.number(expr.right)
        if left is None or right is None:
            return None
        result = calculated(left, expr.op, right)
        if result is None:
            self.declared.error("R0411", f"division by {right}", expr.right.span, "must be above 0")
            return None
        if not t.SMALLEST <= result <= t.LARGEST:
            self.declared.error("R0426", f"{result} does not fit into 32 bits", expr.span, "too large")
            return None
        return number(result)

    def extreme(self, which: str, items: nodes.Exprs) -> Constant | None:
        values = [value for item in items if (value := self.number(item)) is not None]
        if len(values) < len(items):
            return None
        return number(max(values) if which == "max" else min(values))

    def several(self, items: nodes.Exprs, expected: t.VType | None) -> Constant | None:
        of = expected.of if isinstance(expected, t.SetOf) else None
        values = [self.value(item, of) for item in items]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or not known:
            return None
        return Constant(tuple(dict.fromkeys(value.number for value in known)), t.SetOf(of or known[0].type))

    def flag(self, expr: nodes.Expr) -> bool | None:
        known = self.value(expr, t.Flag())
        if known is None:
            return None
        if not isinstance(known.type, t.Flag):
            self.declared.error("R0409", "a condition is a flag", expr.span, f"this is {_a(known.type)}")
            return None
        return bool(known.value)

    def logic(self, expr: nodes.Expr, expected: t.VType | None) -> Constant | None:
        match expr:
            case nodes.IfElse(then=then, condition=condition, otherwise=otherwise) if otherwise is not None:
                holds = self.flag(condition)
                return None if holds is None else self.value(then if holds else otherwise, expected)
            case nodes.Not(of=of):
                holds = self.flag(of)
                return None if holds is None else Constant(int(not holds), t.Flag())
            case nodes.And(left=left, right=right) | nodes.Or(left=left, right=right):
                # Both sides, whatever the first one says: a mistake in the second is to be reported too.
                first, second = self.flag(left), self.flag(right)
                if first is None or second is None:
                    return None
                both = first and second if isinstance(expr, nodes.And) else first or second
                return Constant(int(both), t.Flag())
            case nodes.Compare():
                return self.compare(expr)
            case _:
                self.declared.error("R0410", "this value must be known before the game", expr.span, "`else` is missing")
                return None

    def compare(self, expr: nodes.Compare) -> Constant | None:
        left = self.value(expr.left, None)
        right = None if left is None else self.value(expr.right, left.type)
        if left is None or right is None:
            return None
        a, b = left.number, right.number
        holds = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[expr.op]
        return Constant(int(holds), t.Flag())


def number(value: int) -> Constant:
    return Constant(value, t.Number(value, value))


def listed(names: Iterable[str]) -> str:
    """`red`, `blue` and 3 more."""
    words = [f"`{name}`" for name in names]
    if len(words) > 6:
        return ", ".join(words[:5]) + f" and {len(words) - 5} more"
    return ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + "".join(words[-1:])
