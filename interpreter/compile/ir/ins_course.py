"""Instructions that say where a game goes on: calls, loops, leaving, and how it ends."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from .nodes import Block, Ins, Op, Setting
from .ops_calls import Given

__all__ = [
    "WAYS", "Break", "Call", "CallFrame", "DropsOut", "EndGame", "For", "Goto", "Hit", "If", "LimitDepth", "Loop",
    "Only", "PassEnds", "Perform", "Require", "Return", "Spend", "Succeed", "Way", "While", "Wins",
]  # fmt: skip

Way = Literal["play", "playout", "trial"]
# Play keeps knowledge and log; playouts and trials (looking ahead) keep neither.
WAYS: tuple[Way, ...] = ("play", "playout", "trial")


# ---------------------------------------------------------------------------- calls, loops, leaving


class Call(Ins):
    """A plain routine is called."""

    local: str | None
    routine: str
    args: tuple[Op, ...]

    sets = "local"


class CallFrame(Ins):
    """A framed routine is called; its result is read by `Result` in the segment `resume`."""

    routine: str
    args: tuple[Op, ...]
    resume: int


class Perform(Ins):
    """A cell is performed; `refusal`: if that is impossible."""

    cell: Op
    player: Op
    given: tuple[Given, ...]
    resume: int | None
    refusal: int


class LimitDepth(Ins):
    """A fault if the rule runs inside itself more often than that."""

    rule: str
    depth: int


class Require(Ins):
    """Refused with that number unless the condition holds. What the refusal tells is worked out only if somebody asks
    for it: the holes of the text, or else the values themselves; and the `line` of a value that said no.
    """

    condition: Op
    refusal: int
    text: int | None
    values: tuple[Op, ...]
    line: Op | None = None


class If(Ins):
    """One of two blocks."""

    condition: Op
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


class For(Setting):
    """The block for each element."""

    source: Op
    body: Block = field(default_factory=list)


class While(Ins):
    """The block as long as the condition holds."""

    condition: Op
    at_most: Op | None
    body: Block = field(default_factory=list)


class Loop(Ins):
    """Runs the block `times` times, or until it is left."""

    times: Op | None
    body: Block = field(default_factory=list)


class Only(Ins):
    """The block is run only in these ways of running (`WAYS`). `ways.py` makes the IR of each way from it."""

    ways: tuple[Way, ...]
    body: Block = field(default_factory=list)


class Succeed(Ins):
    """The trial stops here and counts as success."""


class Spend(Ins):
    """Counts these units of work; `checked`: a fault if that is beyond the limit of steps. See `work.py`."""

    units: int
    checked: bool = True


class Hit(Ins):
    """Counts that this place of the rules was reached, for studies; see `ways.py`."""

    number: int


class Break(Ins):
    """Leaves the innermost plain loop."""


class Return(Ins):
    """Leaves the routine."""

    value: Op | None = None


class Goto(Ins):
    """Goes on in another segment; `backward`: by way of the machine, which counts the steps."""

    segment: int
    backward: bool = False


class PassEnds(Ins):
    """A pass of a phase's loop is over: a trial that began inside it stops here and counts as success."""

    loop: int


# ---------------------------------------------------------------------------- endings


class Wins(Ins):
    """The game is over and these have won."""

    players: Op
    text: int | None
    values: tuple[Op, ...]


class DropsOut(Ins):
    """A player is out of the game."""

    player: Op
    text: int | None
    values: tuple[Op, ...]


class EndGame(Ins):
    """The game is over; scores tell who has won."""

    text: int | None
    values: tuple[Op, ...]
