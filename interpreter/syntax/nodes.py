"""The tree of a rules file: frozen dataclasses named after the grammar rules, each with its span.

`span` takes no part in comparison, so two texts that say the same have equal trees. Clause tags (`@K-041`) are kept
in `cites` of the declaration, statement, branch, field or line at whose end they stand. Optional parts are None,
repeated parts are tuples. Nothing here is resolved or typed: names are plain text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import dataclass_transform

from ..diagnostics.source import Span


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Frozen:
    """Makes every subclass a frozen dataclass, without a decorator on each of them."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Node(_Frozen):
    span: Span = field(compare=False, repr=False)


class Name(Node):
    """A name that is declared or bound, with its own span."""

    text: str


class Cite(Node):
    """`@K-041`; text is `K-041`."""

    text: str


class Cited(Node):
    """A node that may carry clause tags."""

    cites: tuple[Cite, ...] = field(kw_only=True, default=())


# ---------------------------------------------------------------------------- text with holes


class Text(Node):
    """`"Steal from {q} with {c}"`: a sequence of plain strings and Holes; `{{` has become a brace."""

    parts: tuple[str | Hole, ...]

    @property
    def raw(self) -> str:
        """The text as it reads, holes included."""
        return "".join(p if isinstance(p, str) else p.source for p in self.parts)

    @property
    def key(self) -> str:
        """The same with plain braces doubled as in the rules, so that holes can be told from them: translations are
        looked up by it."""
        return "".join(_braced(p) if isinstance(p, str) else p.source for p in self.parts)


def _braced(plain: str) -> str:
    return plain.replace("{", "{{").replace("}", "}}")


class Hole(Node):
    """`{c.area}` or `{c|definite}` inside a text. `source` is the text with its braces."""

    expression: Expr
    form: str | None
    source: str


# ---------------------------------------------------------------------------- types


class TypeNode(Node):
    pass


class Range(TypeNode):
    """`1..size`, `0..2 * size`"""

    low: Bound
    high: Bound


class Bound(Node):
    """`9`, `size`, `2 * size + 1`: a number, the name of a constant, or arithmetic with them."""

    value: int | str | Arithmetic | Negative


class Kinds(TypeNode):
    """`Kaiju | Mecha`: kinds, an enum, node or edge kinds, `Direction`."""

    names: tuple[Name, ...]


class PlayerType(TypeNode):
    pass


class FlagType(TypeNode):
    pass


class EffectType(TypeNode):
    """`effect` or `effect given (x: T)`."""

    given: tuple[Param, ...]


class ValueType(TypeNode):
    """`value 0..50`: a formula in a cell."""

    range: Range


class SetType(TypeNode):
    """`set of Colour`."""

    of: TypeNode


class OptionalType(TypeNode):
    """`player?`"""

    of: TypeNode


class PlaceType(TypeNode):
    """`pile of Kaiju | Mecha`, `slots(4) of Stone`, `slots by Suit of Stone`.

    shape: pile row pool hand bag slot slots; `size` for slots(n), `by` for slots by E.
    """

    shape: str
    kinds: Kinds
    size: Bound | None = None
    by: Name | None = None


class DiceType(TypeNode):
    """`2 dice of 1..6`"""

    count: Bound
    faces: TypeNode


# ---------------------------------------------------------------------------- declarations


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


class CopyKey(Node):
    name: Name
    type: TypeNode


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


class HistoryLine(Cited):
    """`c.owner for c in Cell`; without a binder a single value, a set or a place."""

    value: Expr
    binder: Binder | None


class Table(Declaration):
    fields: tuple[Field, ...]


class Each(Declaration):
    """`each player` (of is None) or `each Bird`."""

    of: Name | None
    fields: tuple[Field, ...]


class Field(Cited):
    """`decks[Street]: pile of Card top open capacity 6 this turn = 0`

    modifiers: any of open secret hidden top_open open_to_others uncounted capped back never_empty. `scope`: the rule
    behind `this`, or behind `during`, which makes it `lasting`.
    """

    name: Name
    indexes: tuple[TypeNode, ...]
    type: TypeNode
    modifiers: tuple[Name, ...]
    capacity: Bound | None
    scope: Name | None
    lasting: bool
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


class Param(Node):
    """`c: Kaiju = none`; without a type it is a player."""

    name: Name
    type: TypeNode | None
    default: Expr | None


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
    type: TypeNode | None
    depth: int | None


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


# ---------------------------------------------------------------------------- scenarios


class Scenario(Declaration):
    title: Text
    variants: tuple[Name, ...]
    players: int | None
    seed: int | None
    parts: tuple[ScenarioPart, ...]


class ScenarioPart(Node):
    pass


class Given(ScenarioPart):
    facts: tuple[Fact, ...]


class When(ScenarioPart):
    steps: tuple[Step, ...]


class Then(ScenarioPart):
    """`then`, or `then at this moment`: where the game waits, and nowhere further on"""

    at_this_moment: bool
    expectations: tuple[Expectation, ...]


class Fact(Cited):
    pass


class StandAt(Fact):
    """`at turn(seat1)`, `at setup, then play`"""

    where: tuple[Expr, ...]


class AfterSetup(Fact):
    pass


class SetFact(Fact):
    path: Expr
    value: Expr


class SetPlace(Fact):
    """`deck holds five, 2 * two on top`"""

    place: Expr
    pieces: Pieces


class ForFacts(Fact):
    """`for p in players where p != seat1`, and facts below it"""

    binders: tuple[Binder, ...]
    facts: tuple[Fact, ...]


class Pieces(Node):
    """`nothing` has no amounts."""

    amounts: tuple[Amount, ...]
    on_top: bool


class Amount(Node):
    """`2 * six`, `stack_red carrying 3 * coin`, `six at 3` (a slot), `all c in Card where …` (a Selection); numbers (of
    dice) stand as Number expressions."""

    count: int
    what: Expr
    carried: Amount | None = None
    slot: Expr | None = None


class Step(Cited):
    pass


class Choice(Step):
    """`seat1 chooses "label", parking`"""

    player: Expr
    picked: tuple[Text | Expr, ...]


class Hurry(Step):
    """`seat1 passes`, `seat1 plays on`; how: passes plays_on"""

    player: Expr
    how: str


class Chance(Step):
    """`chance roll dice: 1, 6`; event: roll shuffle draw pick"""

    event: str
    what: Expr | None
    pieces: Pieces


class Expectation(Cited):
    pass


class HoldsTrue(Expectation):
    condition: Expr


class PlaceHolds(Expectation):
    place: Expr
    pieces: Pieces


class OfferedTo(Expectation):
    player: Expr
    exactly: bool
    offered: tuple[Text | Expr, ...]


class RefusedTo(Expectation):
    """`seat1 may not choose "Raise" because @D-07`, or `because "the die is too low"`"""

    player: Expr
    offered: Text | Expr
    because: Cite | Text | None


class RefusedCall(Expectation):
    """`raise(seat1) is refused because @D-07`"""

    call: Expr
    because: Cite | Text | None


class Happened(Expectation):
    """`steal(seat1) happened, then refill`, `steal(seat1) did not happen`"""

    calls: tuple[Expr, ...]
    did: bool


class Reads(Expectation):
    """`seat1 reads "the deck is shuffled", then "…"`, `seat2 does not read "…"`"""

    player: Expr
    lines: tuple[Text, ...]
    does: bool


class Scores(Expectation):
    player: Expr
    points: int
    line: Text | None


class HasWon(Expectation):
    player: Expr
    reason: Text | None


class GameOver(Expectation):
    over: bool


class Sees(Expectation):
    player: Expr
    pieces: Pieces
    place: Expr


# ---------------------------------------------------------------------------- statements


class Statement(Cited):
    pass


class Let(Statement):
    name: Name
    value: Expr


class Assign(Statement):
    """`path = E`, `+=`, `-=`; op: = += -="""

    path: Expr
    op: str
    value: Expr


class Call(Statement):
    """`take(p, c)` or `refill_market`; also a branch of `choose one` that calls an action."""

    call: Expr
    if_possible: bool


class Perform(Statement):
    """`perform e with x = E for p if possible`"""

    effect: Expr
    given: tuple[NamedArg, ...]
    player: Expr
    if_possible: bool


class Requires(Statement):
    condition: Expr
    text: Text | None


class Gain(Statement):
    """`p gains up to 2 coins, 1 heat[clubs]`; `player` is None in the imperative (`gain 2 coins`)."""

    player: Expr | None
    up_to: bool
    amounts: tuple[ResourceAmount, ...]


class Lose(Statement):
    player: Expr | None
    up_to: bool
    amounts: tuple[ResourceAmount, ...]


class Pay(Statement):
    player: Expr | None
    costs: tuple[Cost, ...]
    to: Expr | None


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


class Position(Node):
    """how: on_top on_bottom as_first as_last after (then `behind` is the piece)"""

    how: str
    behind: Expr | None


class Move(Statement):
    """`move 2 c in deck where … to river as first face down`; face: None up down"""

    what: Moved
    to: Expr
    position: Position | None
    face: str | None


class Moved(Node):
    """One expression, or a binder with how many: quantity all, exactly, up_to, or one (`expression`)."""

    quantity: str
    count: Expr | None
    expression: Expr | None
    binder: Binder | None


class Draw(Statement):
    up_to: bool
    count: Expr
    source: Expr
    to: Expr
    position: Position | None
    face: str | None
    alias: Name | None


class Shuffle(Statement):
    place: Expr
    into: Expr | None


class Swap(Statement):
    first: Expr
    second: Expr


class PassOn(Statement):
    """`pass hand left`; direction: left right"""

    place: Name
    direction: str


class Flip(Statement):
    what: Expr
    face: str


class Reveal(Statement):
    """`reveal all c in p.hand to q`; either `what` or `binder`."""

    what: Expr | None
    binder: Binder | None
    to: Expr | None


class Roll(Statement):
    """`roll dice until dice[1].face != dice[2].face`: again and again until the condition holds."""

    dice: Expr
    until: Expr | None = None


class Choose(Statement):
    """`choose c in hand where …, n in 1..3 secretly "text" if possible` with an optional block."""

    player: Expr | None
    binders: tuple[Binder, ...]
    secretly: bool
    text: Text | None
    if_possible: bool
    body: tuple[Statement, ...] | None


class ChooseSet(Statement):
    """`choose 1..2 c in p.hand as pair such that C`; quantity: exactly up_to any between"""

    player: Expr | None
    quantity: str
    low: Expr | None
    high: Expr | None
    binder: Binder
    alias: Name
    such_that: Expr | None
    secretly: bool
    text: Text | None
    if_possible: bool
    body: tuple[Statement, ...] | None


class ChooseOne(Statement):
    player: Expr | None
    text: Text | None
    branches: tuple[BranchNode, ...]


class BranchNode(Cited):
    pass


class Branch(BranchNode):
    """`"Left {c}" for c in river if fame > 0` with a block; `otherwise` only if nothing else is offered."""

    label: Text
    binders: tuple[Binder, ...]
    condition: Expr | None
    body: tuple[Statement, ...]
    otherwise: bool


class CallBranch(BranchNode):
    """`buy_here(p)` as a line of `choose one`."""

    call: Expr


class May(Statement):
    player: Expr | None
    repeatedly: bool
    label: Text
    binders: tuple[Binder, ...]
    condition: Expr | None
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None


class Pick(Statement):
    """`pick c in river where … by lowest … at random | preferring a, b, any if possible`

    preferring: conditions in order; None among them is `any`.
    """

    binder: Binder
    at_random: bool
    preferring: tuple[Expr | None, ...]
    if_possible: bool
    body: tuple[Statement, ...] | None


class Pause(Statement):
    player: Expr | None
    text: Text


class If(Statement):
    """`if … else if … else`: the cases in order (condition, block), then the else block."""

    cases: tuple[IfCase, ...]
    otherwise: tuple[Statement, ...] | None


class IfCase(Cited):
    condition: Expr
    body: tuple[Statement, ...]


class For(Statement):
    """`for x in S, T where C by … ordered by p`"""

    name: Name
    sources: tuple[Expr, ...]
    where: Expr | None
    order: Order | None
    ordered_by: Expr | None
    body: tuple[Statement, ...]


class Walk(Statement):
    name: Name
    place: Expr
    body: tuple[Statement, ...]


class Repeat(Statement):
    """`repeat` (times None) or `repeat 3 times`"""

    times: Expr | None
    body: tuple[Statement, ...]


class While(Statement):
    condition: Expr
    at_most: Expr | None
    body: tuple[Statement, ...]


class InTurn(Statement):
    """`in turn p from E skipping C until C finishing the round`; last_round: None finishing each_once_more"""

    name: Name
    start: Expr
    skipping: Expr | None
    until: Expr | None
    last_round: str | None
    body: tuple[Statement, ...]


class Together(Statement):
    name: Name
    source: Expr
    text: Text | None
    body: tuple[Statement, ...]


class AnyOrder(Statement):
    player: Expr | None
    branches: tuple[Branch, ...]


class FirstPossible(Statement):
    body: tuple[Statement, ...]


class Stop(Statement):
    pass


class Done(Statement):
    pass


class Result(Statement):
    value: Expr


class Prevent(Statement):
    pass


class Remember(Statement):
    """`remember board`: the present position is added to a history."""

    history: Name


class Forget(Statement):
    """`forget board`: the history begins anew."""

    history: Name


class Say(Statement):
    text: Text
    to: Expr | None


class Wins(Statement):
    player: Expr
    text: Text | None
    unscored: bool = False


class Loses(Statement):
    player: Expr
    text: Text
    unscored: bool = False


class DropsOut(Statement):
    player: Expr
    text: Text | None


class EndGame(Statement):
    text: Text | None


# ---------------------------------------------------------------------------- expressions


class Expr(Node):
    pass


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
