"""Statements: what the body of a rule says line by line."""

from __future__ import annotations

from .base import Cited, Expr, Name, Node, Text
from .expressions import Binder, Cost, NamedArg, Order, ResourceAmount


class Statement(Cited):
    pass


Block = tuple[Statement, ...]


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
    """`together q in players where not q.out "Bid"`"""

    name: Name
    source: Expr
    where: Expr | None
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
