"""Declarations: everything that begins at the margin of a rules file, but for scenarios."""

from __future__ import annotations

from dataclasses import field

from ...diagnostics.source import Span
from .base import Cited, CopyKey, Expr, Name, Node, Text, TypeNode
from .expressions import HistoryLine
from .statements import BranchNode, Statement
from .written_types import Bound, Param


class Declaration(Cited):
    pass


class File(Node):
    """The declarations that could be read; `damage` lists what could not."""

    declarations: tuple[Declaration, ...]
    damage: tuple[Damage, ...] = ()


class Damage(Node):
    """A stretch of a rules file that could not be read; what is wrong with it has been reported.

    `names` are the words in it that may have been declared there: that they are unknown elsewhere is not reported.
    `inside` is the span of the rule, hook or scenario that was kept without the stretch, and `until` the end of its
    last line: the lines in between may depend on what is missing. `inside` is None if nothing was kept, or if the
    lines do not depend on one another, as with the fields of a table.
    """

    names: frozenset[str]
    inside: Span | None = field(default=None, compare=False)
    until: int = field(default=0, compare=False)


class Game(Declaration):
    """`game trade "Trade" for 2..4 players as a, b`; for `core …` `is_core` is true."""

    name: Name
    title: Text
    fewest: int
    most: int
    seats: tuple[Name, ...]
    is_core: bool = False


class PartOf(Declaration):
    name: Name


class Use(Declaration):
    name: Name


class Variant(Declaration):
    """`variant small of trade "…" for 2 players` with its declarations."""

    name: Name
    of: Name
    title: Text | None
    fewest: int | None
    most: int | None
    declarations: tuple[Declaration, ...]


class Excludes(Declaration):
    names: tuple[Name, ...]


class Needs(Declaration):
    names: tuple[Name, ...]


class Overrides(Declaration):
    names: tuple[Name, ...]


class SetConstant(Declaration):
    """`set size = 6`"""

    name: Name
    value: Expr


class Replace(Declaration):
    """`replace effect …`: any declaration that can be replaced."""

    declaration: Declaration


class Extend(Declaration):
    """`extend kind …`, `extend enum …`"""

    declaration: Declaration


class Remove(Declaration):
    name: Name


class RemoveFields(Declaration):
    """`remove passed, taken from each player`; owner: table, player, or a kind"""

    names: tuple[Name, ...]
    owner: Name


class Constant(Declaration):
    """`constant limit: 0..9 = 3`"""

    name: Name
    type: TypeNode | None
    value: Expr | None


class Enum(Declaration):
    """`enum F = E | c` (members are names or type names) or `enum F from f.yaml` with fields."""

    name: Name
    members: tuple[Name, ...]
    file: Name | None
    fields: tuple[Field, ...]


class Kind(Declaration):
    """`kind Card from cards.yaml "playing card"` with attributes and copies."""

    name: Name
    file: Name | None
    text: Text | None
    copies: Copies | None
    fields: tuple[Field, ...]


class Copies(Cited):
    """`copies 7 for each colour: Colour, owner: player`"""

    count: Expr
    keys: tuple[CopyKey, ...]


class Chart(Declaration):
    """`chart multiplier(round: 1..4): 2..4 = 4, 3, 2, 2` or `chart c(n: 1..4) from c.yaml` with columns."""

    name: Name
    params: tuple[Param, ...]
    type: TypeNode | None
    values: tuple[Expr, ...]
    file: Name | None
    fields: tuple[Field, ...]


class Currency(Declaration):
    """`currency fruit for p` with its sources in the order in which they are offered."""

    name: Name
    player: Name
    sources: tuple[CurrencySource, ...]


class CurrencySource(Cited):
    """`p.fruits by colour back to pink_bag when …`; with `as any` its units may stand in for any other unit."""

    what: Expr
    by: Name | None
    as_any: bool
    back_to: Expr | None
    when: Expr | None


class History(Declaration):
    """`history board of 200`, and below it what makes up a position."""

    name: Name
    size: Bound
    lines: tuple[HistoryLine, ...]


class Table(Declaration):
    fields: tuple[Field, ...]


class Each(Declaration):
    """`each player` (of is None) or `each Bird`."""

    of: Name | None
    fields: tuple[Field, ...]


class Field(Cited):
    """`decks[Street]: pile of Card top open capacity 6 this turn = 0`

    modifiers: any of open secret hidden top_open open_to_others uncounted capped back never_empty. `scopes`: the rules
    behind `this` and `during`; `lasting`: those behind `during`.
    """

    name: Name
    indexes: tuple[TypeNode, ...]
    type: TypeNode
    modifiers: tuple[Name, ...]
    capacity: Bound | None
    scopes: tuple[Name, ...]
    lasting: tuple[Name, ...]
    start: Expr | None


class Map(Declaration):
    """`map board is grid 8 by 8` / `map yukon from yukon.yaml` with node and edge kinds."""

    name: Name
    file: Name | None
    shape: Shape | None
    nodes: tuple[MapKind, ...]
    edges: tuple[MapKind, ...]


class Shape(Node):
    """form: grid ring line hexagon rhombus triangle hexes complete corners. It has `bounds`, `names`, a `file`, or is
    made `of` another map."""

    form: str
    bounds: tuple[Bound, ...] = ()
    names: tuple[Name, ...] = ()
    file: Name | None = None
    diagonals: bool = False
    letters: bool = False  # nodes are called a1, b1 …
    of: Name | None = None


class MapKind(Cited):
    """`node Square` or `edge Street` with its attributes."""

    name: Name
    fields: tuple[Field, ...]


class Automa(Declaration):
    """`seat 2 is automa daniel taking first options`"""

    seat: int
    name: Name
    first_options: bool


class Setup(Declaration):
    body: tuple[Statement, ...]


class Play(Declaration):
    body: tuple[Statement, ...]


class Rule(Declaration):
    """A phase, action, effect or value. `body` is None if a core leaves the rule open."""

    name: Name
    params: tuple[Param, ...]
    text: Text | None
    body: tuple[Statement, ...] | None


class Phase(Rule):
    pass


class Action(Rule):
    pass


class FreeAction(Rule):
    """`free action publish(p) "…" during turn(p) also inside actions`"""

    during: Name
    during_args: tuple[Name, ...]
    inside_actions: bool


class Effect(Rule):
    """`effect r(p): T depth 9 "…"`; a depth is a number or a constant, as a bound is."""

    type: TypeNode | None
    depth: Bound | None


class Value(Rule):
    """`value r(p): T = expression`, or with a body; `expression` or `body` is None."""

    type: TypeNode | None
    expression: Expr | None


class Hook(Declaration):
    """`before|after|instead of TARGET when C as name`; timing: before after instead."""

    timing: str
    target: HookTarget
    when: Expr | None
    alias: Name | None
    body: tuple[Statement, ...]


class HookTarget(Node):
    pass


class OnRule(HookTarget):
    """`take_cards(p)` or `refill_market`"""

    path: HookPath


class OnChange(HookTarget):
    """`p.vp rises`; change: rises falls changes grows shrinks becomes_empty"""

    path: HookPath
    change: str


class OnMove(HookTarget):
    """`c enters p.hand`, `c leaves river`; motion: enters leaves"""

    piece: HookPath
    motion: str
    path: HookPath


class HookPath(Node):
    """`p.heat[s]`, `take_cards(p)`: a name and what follows it; `called` is None if there are no parentheses."""

    name: Name
    attributes: tuple[Name, ...]
    indexes: tuple[Name, ...]
    called: tuple[Name, ...] | None


class AlsoIn(Declaration):
    """`also in turn(p) when C` with branches."""

    path: HookPath
    when: Expr | None
    branches: tuple[BranchNode, ...]


class Score(Declaration):
    player: Name
    when: Expr | None
    lines: tuple[ScoreLine, ...]


class ScoreLine(Cited):
    label: Text
    value: Expr


class Rank(Declaration):
    player: Name
    criteria: tuple[Criterion, ...]


class Payoff(Declaration):
    """`payoff p = p.chips - 10`: what a finished game is worth to a player."""

    player: Name
    value: Expr


class Criterion(Node):
    """`highest score`; direction: highest lowest most fewest shared (then value is None)."""

    direction: str
    value: Expr | None
