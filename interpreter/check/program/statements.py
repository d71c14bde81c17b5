"""The statements of the checked program: the acting player is explicit, and calls of effects stand by themselves."""

from __future__ import annotations

from dataclasses import field

from ...diagnostics.source import NOWHERE, Span
from .declarations import Block, Expr, FieldDecl, LocalDecl, Node, PlaceDecl, RuleDecl, Stmt, Template
from .expressions import Binder, CostDecl, FieldRead, PlaceRef


class Let(Stmt):
    local: LocalDecl
    value: Expr


class SetField(Stmt):
    """op: = += -=. `fits`: the checker has proved that the new value is in range."""

    field: FieldDecl
    owner: Expr | None
    indexes: tuple[Expr, ...]
    op: str
    value: Expr
    fits: bool


class SetFace(Stmt):
    die: Expr
    op: str
    value: Expr
    fits: bool


class CallRule(Stmt):
    """A phase, action or effect is run; its result goes to `result` if there is one."""

    rule: RuleDecl
    args: tuple[Expr, ...]
    if_possible: bool
    result: LocalDecl | None = None


class CallPrevious(Stmt):
    """`previous` or `previous(p, n + 1)` in an `instead of` an effect, phase or action."""

    args: tuple[Expr, ...] | None
    result: LocalDecl | None = None


class Perform(Stmt):
    cell: Expr
    given: tuple[tuple[str, Expr], ...]
    player: Expr
    if_possible: bool


class Require(Stmt):
    condition: Expr
    text: Template | None


class CounterAmount(Node):
    amount: Expr
    field: FieldDecl
    indexes: tuple[Expr, ...]
    fits: bool


class Gain(Stmt):
    player: Expr
    up_to: bool
    amounts: tuple[CounterAmount, ...]


class Lose(Stmt):
    player: Expr
    up_to: bool
    amounts: tuple[CounterAmount, ...]


class Pay(Stmt):
    player: Expr
    costs: tuple[CostDecl, ...]
    to: Expr | None


class Destination(Node):
    """position: None (as the place says) on_top on_bottom as_first as_last after; face: None up down"""

    place: Expr  # PlaceRef or Box
    position: str | None
    behind: Expr | None
    face: str | None


class MovePiece(Stmt):
    """`move x to P`; a piece that may be none is a refusal when it is."""

    piece: Expr
    to: Destination


class MoveSet(Stmt):
    """`move pair to heap`: a set of pieces, in order."""

    pieces: Expr
    to: Destination


class MoveSome(Stmt):
    """`move all x in S where C to P` (quantity all), `move 2 x in S …` (exactly), `move up to 2 …` (up_to)."""

    quantity: str
    count: Expr | None
    binder: Binder
    to: Destination


class MoveEach(Stmt):
    """`move all x in S to x.owner.reserve`: like MoveSome, but the destination depends on the piece that moves.

    It is evaluated for each piece as it moves; with `up_to` a piece whose destination is full stays where it is.
    """

    quantity: str
    count: Expr | None
    binder: Binder
    to: Destination


class Draw(Stmt):
    up_to: bool
    count: Expr
    source: PlaceRef
    to: Destination
    result: LocalDecl | None  # a piece if count is surely 1 (optional with up to), else a set


class Shuffle(Stmt):
    """`shuffle P`; `shuffle P into Q`: everything of P goes to Q, and Q is shuffled."""

    place: PlaceRef
    into: PlaceRef | None


class SwapPieces(Stmt):
    first: Expr
    second: Expr


class SwapPlaces(Stmt):
    first: PlaceRef
    second: PlaceRef


class PassOn(Stmt):
    """Every player's `place` goes to the neighbour; direction: left (to the next seat) right."""

    place: PlaceDecl
    direction: str


class Flip(Stmt):
    piece: Expr
    face: str


class Reveal(Stmt):
    """A piece, a set or place of pieces (`pieces`), a secret field (`field`), a die or a set of dice (`dice`).

    Shown to `to`, or to everybody.
    """

    pieces: Expr | None
    field: FieldRead | None
    to: Expr | None
    dice: Expr | None = None


class Roll(Stmt):
    """A die (DieRef or a local) or a group (DiceGroup)."""

    dice: Expr


class Choose(Stmt):
    """Binds all its locals in one decision. `body` is the block it lives in; None: the rest of the enclosing one."""

    player: Expr
    binders: tuple[Binder, ...]
    secretly: bool
    text: Template | None
    if_possible: bool
    body: Block | None


class ChooseSet(Stmt):
    """low None: 0; high None: as many as there are (`any`)."""

    player: Expr
    low: Expr | None
    high: Expr | None
    binder: Binder
    chosen: LocalDecl
    such_that: Expr | None
    secretly: bool
    text: Template | None
    if_possible: bool
    body: Block | None


class BranchDecl(Node):
    """A line of `choose one`: label, binders, condition, block. A line that calls an action is a branch whose block is
    that call, with the action's text as `label` (its holes filled from the arguments) and `is_call` set: it is offered
    only if the call can be carried through to its end."""

    label: Template
    binders: tuple[Binder, ...]
    condition: Expr | None
    body: Block
    otherwise: bool
    is_call: bool = False
    cites: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, repr=False)


class ChooseOne(Stmt):
    player: Expr
    text: Template | None
    branches: tuple[BranchDecl, ...]


class May(Stmt):
    """`may "label" for x in S if C` + block, or pass (+ `otherwise` block)."""

    player: Expr
    repeatedly: bool
    branch: BranchDecl
    otherwise: Block


class Pick(Stmt):
    """preferring: conditions in order, None among them is `any`; empty: the first."""

    binder: Binder
    at_random: bool
    preferring: tuple[Expr | None, ...]
    if_possible: bool
    body: Block | None


class Pause(Stmt):
    player: Expr
    text: Template


class If(Stmt):
    condition: Expr
    then: Block
    otherwise: Block


class For(Stmt):
    """Over what the source was when the loop began. `ordered_by`: that player says which comes next."""

    binder: Binder
    ordered_by: Expr | None
    body: Block


class Walk(Stmt):
    local: LocalDecl
    place: PlaceRef
    body: Block


class Repeat(Stmt):
    times: Expr | None
    body: Block


class While(Stmt):
    condition: Expr
    at_most: Expr | None
    body: Block


class InTurn(Stmt):
    """last_round: None finishing each_once_more"""

    local: LocalDecl
    start: Expr
    skipping: Expr | None
    until: Expr | None
    last_round: str | None
    body: Block


class Together(Stmt):
    local: LocalDecl
    source: Expr
    text: Template | None
    body: Block


class AnyOrder(Stmt):
    player: Expr
    branches: tuple[BranchDecl, ...]


class FirstPossible(Stmt):
    """CallRule and Perform statements only."""

    body: Block


class Stop(Stmt):
    """Leave the loop."""


class Done(Stmt):
    """Leave the rule."""


class ResultIs(Stmt):
    value: Expr


class Prevent(Stmt):
    """In a before hook: the hooked rule, its later before hooks and its after hooks do not happen."""


class Say(Stmt):
    text: Template
    to: Expr | None


class Wins(Stmt):
    """A player or a set of players. `unscored`: nobody counts points any more."""

    player: Expr
    text: Template | None
    unscored: bool = False


class Loses(Stmt):
    """A player or a set of players: all others who are still in win."""

    player: Expr
    text: Template | None
    unscored: bool = False


class DropsOut(Stmt):
    player: Expr
    text: Template | None


class EndGame(Stmt):
    text: Template | None
