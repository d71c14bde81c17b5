"""What instructions are gathered in: routines with their segments, the sites where somebody decides, and payments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import prod
from operator import is_
from typing import Literal

from ...check.value_types import VType
from ...diagnostics.source import NOWHERE, Span
from .nodes import Block, Ins, Op, Part, instructions, operations

__all__ = [
    "PayCost", "PayCounter", "PaySource", "Payment", "Role", "Routine", "Segment", "Site", "SiteBranch", "SiteKind",
]  # fmt: skip


SiteKind = Literal["choose", "set", "one", "may", "pause", "order", "pay"]
Role = Literal["", "asks", "answered", "deals", "chance", "together"]


@dataclass(eq=False)
class Segment:
    """A run of instructions up to a cut. `number` is unique in the game; `note` is for readers.

    `role` says why it must be entered by number. asks: it works out options and stops at an `Ask`, changing nothing, so
    that it can be run again. answered: it takes up the answer. deals: what comes before it is the same in every game.
    chance: the first chance falls there. together: a block begins that nobody sees into.
    """

    number: int
    body: list[Ins] = field(default_factory=list)
    note: str = ""
    role: Role = ""
    loop: int = 0  # the innermost loop of a phase around it, known by the segment after it
    may_refuse: bool = True  # something from here to the end of the rule can be refused, for all that is known


@dataclass(eq=False)
class Routine:
    """kind: pure (a value), plain (no decision), framed. `slots` are the locals that live in the frame, in order;
    parameters come first. `rule` is the rule that people know it by, `form` what kind of rule that is."""

    name: str
    kind: Literal["pure", "plain", "framed"]
    params: tuple[str, ...]
    slots: tuple[str, ...] = ()
    slot_types: tuple[VType, ...] = ()
    body: list[Ins] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    rule: str = ""
    form: str = ""
    span: Span = NOWHERE

    @property
    def blocks(self) -> list[Block]:
        """Its body, and those of its segments: one or the other is empty."""
        return [self.body, *(segment.body for segment in self.segments)]

    def instructions(self) -> Iterator[Ins]:
        """Every instruction in it, those in inner blocks too."""
        return (ins for block in self.blocks for ins in instructions(block))

    def operations(self) -> Iterator[Op]:
        """Every operation in it, outside first."""
        return (op for ins in self.instructions() for op in operations(ins))

    def with_blocks(self, change: Callable[[Block], Block]) -> Routine:
        """The routine with its blocks changed; itself if `change` gives all of them back as they are, and the same
        segments where it does."""
        body = change(self.body)
        changed = [(one, change(one.body)) for one in self.segments]
        segments = [one if own is one.body else replace(one, body=own) for one, own in changed]
        same = body is self.body and all(map(is_, segments, self.segments))
        return self if same else replace(self, body=body, segments=segments)


@dataclass(eq=False)
class Site:
    """A place in the rules where somebody decides.

    `branches` are what may be chosen there, in the order of the rules; `values_only`: there is one branch with one
    binder, and an option is the value itself. `trial` says, in words for authors, why options must be tried before
    they are offered; empty if none has to be. `trial_branches`: the branches whose options may have to be.
    """

    number: int
    kind: SiteKind
    rule: str
    in_phase: bool  # it stands in a phase itself: free actions are offered beside its options
    prompt: int | None
    branches: list[SiteBranch] = field(default_factory=list)
    values_only: bool = False
    may_pass: bool = False
    trial: str = ""
    trial_branches: tuple[int, ...] = ()
    secret: bool = False  # the others see that something was chosen, and not what (`secretly`)
    silent: bool = False  # the others do not even notice whether its player is asked
    repeats: bool = False  # asked again until its player passes
    fallback: bool = False  # something else comes if nothing can be offered
    sampled: bool = False  # a random game draws an option and tries that one, not all of them: `Analysis.drawn_by`
    callers: bool = False  # what can be refused after it stands in rules that called this one
    steady: bool = False  # whatever happens before it, there is something to choose, and that goes through
    always: int = -1  # the branch of which that is known
    resume: int = 0
    chosen: str = ""  # set or payment: the local with what is picked so far
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE

    def first(self, branch: int) -> int:
        """The number of the first option of a branch. How options are numbered: `SiteMeta`."""
        return sum(before.count for before in self.branches[:branch])


@dataclass(eq=False)
class SiteBranch:
    """`values`: the locals that an option binds; `domains`: for each (thing, low, size), how it is coded and named;
    `digits`: for each (lowest, how many), how it is numbered."""

    label: int | None
    values: tuple[str, ...]
    domains: tuple[tuple[str, int, int], ...]
    cites: tuple[str, ...] = ()
    digits: tuple[tuple[int, int], ...] = ()
    otherwise: bool = False  # offered only if nothing else is
    reasons: tuple[int, ...] = ()  # what can be asked about options that it does not offer: see `ReasonUnit`

    @property
    def count(self) -> int:
        """How many options there could be."""
        return prod(count for _, count in self.digits)


# ---------------------------------------------------------------------------- payments


class PayCounter(Part):
    """The counter that a source takes from: how far it is to the next seat's, its bounds, its name."""

    stride: int
    low: int
    high: int
    capped: bool
    name: str


class PaySource(Part):
    """One source of a currency: a counter, or the pieces in a place.

    `key` is what a pick of the counter is called; a piece is picked by its row. The address of a counter is None where
    the cost itself names it: then it is handed in with the call. `by` is the table by which pieces are told apart,
    `as_any`: they count as whatever is wanted, `when`: the source counts only then. `wild`: the value of `by` that
    stands for none, if a piece may have none; such a piece counts as whatever is wanted. Operations speak of the payer
    as the local `player__0`.
    """

    key: int
    address: Op | None
    contents: Op | None
    by: str | None
    as_any: bool
    when: Op | None
    counter: PayCounter | None
    wild: int | None = None


class PayCost(Part):
    """One cost of a payment. `pattern`: all equal, all different or none; `values`: how many values tell its things
    apart at all."""

    pattern: str | None
    sources: tuple[PaySource, ...]
    values: int


class Payment(Part):
    """What may be paid with, cost after cost; how much is wanted is handed in with the call."""

    number: int
    costs: tuple[PayCost, ...]
