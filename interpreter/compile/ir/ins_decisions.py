"""Instructions that gather options, try them, and ask somebody."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from .nodes import Block, Ins, Op, Part
from .ops_sets import ToldBy

__all__ = [
    "Answer", "Ask", "BeginOptions", "BeginUnsure", "Filter", "ForgetOptions", "FreeActions", "IfAnswer",
    "NoteUnasked", "OfferAll", "Once", "Option", "OptionTest", "PassOption", "PayOptions", "SetOptions", "Settle",
    "TryListed", "TryUnsure", "Unasked", "UnsureOption",
]  # fmt: skip

Unasked = Literal["pass", "skip", "only"]


class BeginOptions(Ins):
    """An empty list of options."""


class OfferAll(Ins):
    """The options are these values, and nothing else so far: each stands for itself."""

    source: Op


class Option(Ins):
    """Adds the option of that branch with the values of these locals; its number is laid out by the site."""

    site: int
    branch: int
    names: tuple[str, ...]


class BeginUnsure(Ins):
    """An empty list of options that must be tried."""


class UnsureOption(Ins):
    """Adds an option that must be tried: nothing says beforehand whether it can be carried through."""

    site: int
    branch: int
    names: tuple[str, ...]


class IfAnswer(Ins):
    """One block if the answer is yes, another if it is unsure, none if it is no."""

    answer: Op
    yes: Block = field(default_factory=list)
    unsure: Block = field(default_factory=list)


class TryListed(Ins):
    """On trial, in front of a further option: the one before it is tried, and the trial succeeds if that goes through.
    So options are tried as they are met; the last one is left to the trial itself. Only if the question is one of the
    player who looks ahead.
    """

    player: Op


class Once(Ins):
    """Goes on to the next element if this piece is equal to one before it."""

    local: str
    memory: str
    how: ToldBy
    twins: tuple[str, ...]


class PassOption(Ins):
    """Passing is offered too."""


class SetOptions(Ins):
    """The options for the next pick of a set."""

    site: int
    candidates: Op
    picked: Op
    low: Op | None
    high: Op | None
    chosen: str
    such_that: Op | None
    how: ToldBy | None
    units: int = 16  # of work that one look at a set takes


class PayOptions(Ins):
    """What may be paid next."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]
    picks: Op
    refusal: int


class Settle(Ins):
    """The counters that were picked are paid."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]
    picks: Op
    to: Op | None


class TryUnsure(Ins):
    """Leaves out what is not carried through. `listed`: some options are unsure; `callers`: what callers have still to
    do may be refused.
    """

    site: int
    player: Op
    listed: bool
    callers: bool


class OptionTest(Part):
    """What answers for the options of a branch: a routine (none: always yes). `so_far`: for a set, what is picked;
    `grows`: its price grows with every pick.
    """

    branch: int
    routine: str
    args: tuple[Op, ...]
    so_far: Op | None = None
    grows: bool = False


class Filter(Ins):
    """Only options that can be carried through, as the tests say, or by trial."""

    site: int
    player: Op
    tests: tuple[OptionTest, ...]


class ForgetOptions(Ins):
    """No option is left. That nothing else can be done (`NothingElse`) stays said until the question is answered:
    a trial in which `otherwise` is refused too would otherwise say it again, and again."""


class FreeActions(Ins):
    """Adds to the options the free actions that may be taken beside them. `asked_first`: one routine per free action;
    if each of them says no, none can be taken. Empty if there is an action of which nothing is known beforehand.
    """

    site: int
    player: Op
    asked_first: tuple[str, ...]


class Answer(Ins):
    """An answer is given without asking anybody. pass: passing, or the set is complete; skip: nothing could be chosen
    and nothing need be; only: the only option.
    """

    how: Unasked


class NoteUnasked(Ins):
    """Notes for worlds that an answer was given without asking (`how` as in `Answer`): others may draw conclusions."""

    site: int
    player: Op
    picked: Op | None
    how: Unasked


class Ask(Ins):
    """Stops here: the player is asked to choose among the options. `resume` is the segment that takes up the answer.

    Its number is that of the asking segment plus one. A frame keeps the number of the asking segment while somebody
    decides, so that the question can be asked again; whoever answers adds one.
    """

    site: int
    player: Op
    resume: int
    picked: Op | None  # what a set or a payment has so far
