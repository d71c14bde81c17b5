"""Scenarios: the situation that is given, what is done in it, and what must hold then."""

from __future__ import annotations

from .base import Cite, Cited, Expr, Name, Node, Text
from .declarations import Declaration
from .expressions import Binder


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
