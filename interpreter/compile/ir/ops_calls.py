"""Calls of rules, cells and payments; what was answered; what has changed since."""

from __future__ import annotations

from typing import Literal

from .nodes import Condition, Op, Part

__all__ = [
    "Answered", "CallValue", "CanCall", "CanPay", "CanPerform", "Changed", "ChosenSet", "Formula", "Given",
    "HasOption", "IsBranch", "IsComplete", "Kept", "NothingElse", "OneOption", "OnlyPass", "OptionValue", "Paid",
    "Picked", "Public", "Rebased", "Result", "Score", "ScoreLine", "Snapshot", "SureHere", "SureOf", "WhereIs",
]  # fmt: skip

Kept = Literal["fields", "counts"]  # numbers in fields, or how many pieces lie in each place


# ---------------------------------------------------------------------------- calls and answers


class CallValue(Op):
    """What a pure routine gives."""

    routine: str
    args: tuple[Op, ...] = ()


class Formula(Op):
    """The value of a formula cell, 0 for none."""

    cell: Op
    player: Op


class CanCall(Condition):
    """The call can be carried through: the routine `known` may tell, else it is tried."""

    routine: str
    args: tuple[Op, ...]
    player: Op | None
    known: str | None


class Given(Part):
    """A value that is handed to the calls of a cell by name."""

    name: str
    value: Op


class CanPerform(Condition):
    """The cell can be performed."""

    cell: Op
    player: Op
    given: tuple[Given, ...] = ()


class CanPay(Condition):
    """The payment can be made."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]


class Paid(Op):
    """The pieces that go from that source for that cost."""

    payment: int
    player: Op
    amounts: tuple[Op, ...]
    among: tuple[Op, ...]
    picks: Op
    cost: int
    source: int


class WhereIs(Op):
    """at, holder or under: where a piece lies, who has it, what carries it."""

    what: str
    piece: Op


class Public(Op):
    """The same, known to all from here on. `told` is the number of the function that can be asked for it again, with
    these arguments."""

    of: Op
    told: int
    args: tuple[Op, ...]


class Score(Op):
    """The points of a player as they stand."""

    player: Op


class ScoreLine(Op):
    """A line of a score."""

    text: int
    args: tuple[Op, ...]
    points: Op


class Result(Op):
    """What the last framed call gave."""


class Picked(Op):
    """The value at that position of the option that was chosen, which is one of that branch."""

    site: int
    branch: int
    position: int


class Answered(Condition):
    """pass: passing was chosen, or that it is enough; skip: a set was skipped, nothing could be chosen."""

    what: Literal["pass", "skip"]


class HasOption(Condition):
    """Something has been offered."""


class OneOption(Condition):
    """A single option has been offered."""


class OnlyPass(Condition):
    """Nothing but passing has been offered."""


class IsComplete(Condition):
    """In place of options for the next pick: the set or payment has all it may have."""


class NothingElse(Condition):
    """A trial has found that no option of this question can be carried through, and asks what would come instead:
    `otherwise`, or going on without the choice. Said in place of an answer, to the question itself.
    """


SureOf = Literal["untried", "tested", "passing"]


class SureHere(Condition):
    """A trial that has come to this question counts as success as soon as there is such an option: one of a branch that
    is never tried (`untried`), one that its test approves (`tested`), or passing. That is so if the site looks as far
    ahead as the trial does. Somebody else's question goes through if anything is offered that needs no trial.
    """

    site: int
    player: Op
    of: SureOf


class IsBranch(Condition):
    """An option of that branch was chosen."""

    site: int
    branch: int


class OptionValue(Op):
    """In a test of an option of that branch: its value at that position."""

    site: int
    branch: int
    position: int


class ChosenSet(Op):
    """In a test of an option: the set with that option picked too."""


# ---------------------------------------------------------------------------- comparing with before


class Snapshot(Op):
    """The numbers in fields, or how many pieces lie in each place (counts)."""

    kind: Kept
    base: int
    size: int


class Changed(Op):
    """The positions that have changed in that way since."""

    kind: Kept
    base: int
    size: int
    snapshot: Op
    change: str


class Rebased(Op):
    """The snapshot, moved on by what has changed since `before`."""

    snapshot: Op
    before: Op
    base: int
    size: int
