"""Expressions; costs, which `pay` and `can pay` share; and the cells of tables that are written like calls."""

from __future__ import annotations

from .base import Cited, CopyKey, Expr, Kinds, Name, Node


class Binder(Node):
    """`c in p.hand where C by highest E`"""

    name: Name
    source: Expr
    where: Expr | None
    order: Order | None


class Order(Node):
    """`by highest a, then lowest b`; direction: highest lowest"""

    direction: str
    key: Expr
    then: tuple[Order, ...] = ()


class NameRef(Expr):
    name: str


class TypeRef(Expr):
    name: str


class Number(Expr):
    value: int


class NoneLiteral(Expr):
    pass


class FlagLiteral(Expr):
    value: bool


class Several(Expr):
    """`(a, b, S)`"""

    items: tuple[Expr, ...]


class Attribute(Expr):
    of: Expr
    name: Name


class Index(Expr):
    of: Expr
    indexes: tuple[Expr, ...]


class CallOf(Expr):
    """`f(x, n = 2)`"""

    of: Expr
    args: tuple[Expr | NamedArg, ...]


class NamedArg(Node):
    name: Name
    value: Expr


class EndOf(Expr):
    """`top of deck`; end: top bottom first last"""

    end: str
    of: Expr


class Count(Expr):
    """`count(S)` or `count(x in S where C)`"""

    of: Expr | None
    binder: Binder | None


class SumOf(Expr):
    value: Expr
    binder: Binder


class ExtremeOf(Expr):
    """`max(E for x in S else 0)`; which: max min"""

    which: str
    value: Expr
    binder: Binder
    otherwise: Expr | None


class Fingerprint(Expr):
    """A number that stands for a position. It is never written: the rules of a history are made with it."""

    lines: tuple[HistoryLine, ...]
    prime: int


class HistoryLine(Cited):
    """`c.owner for c in Cell`, or with more names; without a binder a single value, a set or a place."""

    value: Expr
    binders: tuple[Binder, ...]


class Extreme(Expr):
    """`max(a, b)`"""

    which: str
    items: tuple[Expr, ...]


class LongestTrail(Expr):
    """`longest_trail(t.length for t in Track where C through n in Town where D)`; without a value edges are counted"""

    value: Expr | None
    binder: Binder
    through: Binder | None


class Groups(Expr):
    """`groups(n in S where C)`, `largest_group(…)`; `loop.groups(…)` asks one map"""

    map: Expr | None
    largest: bool
    binder: Binder


class LongestLine(Expr):
    """`longest_line(d through c where C)`; `loop.longest_line(…)` asks one map"""

    map: Expr | None
    name: Name
    through: Expr
    where: Expr


class Negative(Expr):
    of: Expr


class Arithmetic(Expr):
    """op: + - * div mod"""

    op: str
    left: Expr
    right: Expr


class Compare(Expr):
    """op: == != < <= > >="""

    op: str
    left: Expr
    right: Expr


class Membership(Expr):
    item: Expr
    negated: bool
    source: Expr


class IsTest(Expr):
    """`x is not empty`; predicate: empty full none running automa, `kinds`, or `known_to`"""

    of: Expr
    negated: bool
    predicate: str
    kinds: Kinds | None = None
    known_to: Expr | None = None


class CanPay(Expr):
    player: Expr
    cost: Cost


class CanCall(Expr):
    call: Expr


class CanPerform(Expr):
    effect: Expr
    player: Expr


class Not(Expr):
    of: Expr


class And(Expr):
    left: Expr
    right: Expr


class Or(Expr):
    left: Expr
    right: Expr


class Quantifier(Expr):
    """`some x in S where A has C`; which: some no every"""

    which: str
    name: Name
    source: Expr
    where: Expr | None
    has: Expr


class IfElse(Expr):
    """`a if c else b`; without else only in score lines"""

    then: Expr
    condition: Expr
    otherwise: Expr | None


class Otherwise(Expr):
    """`x otherwise y`"""

    value: Expr
    fallback: Expr


class FromTo(Expr):
    """`a..b` as a set"""

    low: Expr
    high: Expr


class StoppingAt(Expr):
    """`S stopping at C` behind `x in`: the elements of S up to the first for which C holds, that one included."""

    source: Expr
    name: Name
    stop: Expr


class StartingWith(Expr):
    """`players from p`"""

    source: Expr
    first: Expr


class Following(Expr):
    """`players after p`"""

    source: Expr
    first: Expr


class Without(Expr):
    source: Expr
    left_out: Expr


class Selection(Expr):
    """`all x in S where C by highest E`, `the x in S with most E`; which: all the first; best: None most least"""

    which: str
    binder: Binder
    best: str | None
    measure: Expr | None


class Reach(Expr):
    """`reach from a along s in Street where C through n in Hex where D stopping at Area`"""

    start: Expr
    along: Binder | None
    through: Binder | None
    stopping_at: Name | None


class Cheapest(Expr):
    """`cheapest from a to b along s in Street where C costing E stopping at Area`; `cheapest path from …`"""

    start: Expr
    goal: Expr
    along: Binder
    cost: Expr
    stopping_at: Name | None
    is_path: bool = False


# ---------------------------------------------------------------------------- costs


class ResourceAmount(Node):
    amount: Expr
    resource: Resource


class Resource(Node):
    """`influence[e.colour]`"""

    name: Name
    indexes: tuple[Expr, ...]


class Cost(Node):
    """`3 fruit all different`; pattern: None all_different all_equal among

    `c.cost[k] gems for each k: Colour` is one cost for each value of a type.
    """

    amount: Expr
    resource: Resource
    pattern: str | None
    among: Expr | None
    each: CopyKey | None = None


# ---------------------------------------------------------------------------- cells


class Cell(Node):
    """The text of an effect or value cell: calls that are performed in order, as one effect."""

    calls: tuple[CellCall, ...]


class CellCall(Node):
    name: Name
    args: tuple[CellArg, ...]


class CellArg(Node):
    """`extra = 2`, `Colour.red`, `-1`, `yes`, `none`; value is an expression of literals or names."""

    name: Name | None
    value: Expr
