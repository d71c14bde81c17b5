"""The trail of a game as one player lived through it: what worlds for that player must agree with.

A world gives every position another piece than the true one. Between two moments at which the player loses sight of
pieces (a shuffle, a card leaving a closed hand) positions keep their pieces, so one renaming of the pieces holds for
such an *epoch*. At its beginning the pieces that got out of sight may be exchanged, and nothing else may.

    epoch 0 | the deck is shuffled | epoch 1: I saw my hand | bob lays one of three cards unseen | epoch 2: it is shown

What was seen, asked, taken and told belongs to an epoch, and must hold with the renaming of that epoch. The last
epoch is now.

Most of a long trail says nothing about now: cards that have been seen since, or been shuffled with all that they might
be. `sieve` reads the trail backwards and leaves that out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from operator import is_
from typing import Any

from .epochs import Epoch, Plan, merged, plan_of, renumber, without_idle_facts
from .facts import Fact, Naming
from .meta import Meta
from .mixes import Mixes, mask_of, pieces_of
from .questions import Told
from .sieve import known_pieces, may_read, what_matters
from .steps import Step, Unknown
from .telling import Telling
from .trail import (
    Event,
    events,
    is_between_decisions,
)  # fmt: skip


@dataclass
class Story:
    epochs: list[Epoch]
    unknowns: list[Unknown]
    tied: set[int] = field(default_factory=set)  # pieces of which something is known beyond the mixes
    weighed: set[int] = field(default_factory=set)  # those of them that have equal copies in their group
    copied: int = 0  # those of them that have an equal copy among the tied themselves, as a bit mask
    steps: list[Step] = field(default_factory=list)  # what may come out otherwise in a world, in order
    last: Step | None = None  # the one that led to now, if a rule at work holds something unseen
    is_cut: bool = False  # something cannot be worked out again
    is_hushed = has_lost_mark = False  # somebody answered silently, perhaps elsewhere; a field names another piece
    is_uneven: bool = False  # others may have taken other ways inside `together`
    is_uncounted: bool = False  # others may have moved more or fewer pieces, which nobody could count
    truth: list[Any] = field(default_factory=list)  # zero for each unknown number, and what came of each step

    def is_weighed(self, epoch: Epoch) -> bool:
        """Whether a renaming counts less, the more equal copies there are of what was chosen."""
        return epoch.by_choice and epoch.mixed[0] in self.weighed

    @cached_property
    def plan(self) -> Plan:
        """What a walk moves; asked for when the story is told."""
        return plan_of(self.epochs, self.is_weighed, self.copied)

    @property
    def facts(self) -> list[Fact]:
        return [fact for epoch in self.epochs for fact in epoch.facts]

    @property
    def is_plain(self) -> bool:
        """Whether the mixes of the player and the values of each number say all there is to say."""
        return not self.tied and not self.steps and not any(epoch.facts for epoch in self.epochs)


def story_of(S: Any, meta: Meta, player: int) -> Story:
    """What the player has seen and still matters, in order. Often it is the story of the player's last decision, which
    is then used again: a story that is told never changes."""
    sieve = what_matters(events(S.ev), S, meta, player)
    told, several = sieve.finished(), S.kn[player].several
    kept = S.machine.stories.get(player)
    if kept is not None and kept[1] == several and len(kept[0]) == len(told) and all(map(is_, kept[0], told)):
        before: Story = kept[2]
        return before
    story = _told(told, S, meta, player)
    story.is_uneven, story.is_uncounted = sieve.is_uneven, sieve.is_uncounted
    # Only a story of pieces is used again. Numbers are told by how far they are from the true ones of this very state.
    if not (story.unknowns or story.steps or meta.unseen_slots or meta.uneven_blocks or is_between_decisions(S)):
        S.machine.stories[player] = (told, several, story)
    return story


def _told(told: list[Event], S: Any, meta: Meta, player: int) -> Story:
    telling = Telling(S, meta, player)
    for event in told:
        telling.tell(event)
    telling.finish()
    story = Story(telling.epochs, telling.unknowns, steps=telling.steps)
    story.last = telling.before(S)
    story.is_cut, story.is_hushed, story.has_lost_mark = telling.is_cut, telling.is_hushed, telling.has_lost_mark()
    _see_what_is_known(story, S, meta, player)
    names = list(range(meta.pieces))
    naming = Naming(names, names)
    _leave_out_failing_steps(story, naming)
    for unknown in story.unknowns:
        unknown.fit(S.f[unknown.offset])
    story.unknowns = [unknown for unknown in story.unknowns if unknown.step is not None or len(unknown.values) > 1]
    _name_numbers(story, S)
    story.truth = _truth(story, naming)
    without_idle_facts(story.epochs)
    kept = {id(fact) for epoch in story.epochs for fact in epoch.facts}
    story.steps = [step for step in story.steps if id(step) in kept]
    for unknown in story.unknowns:
        if unknown.step is not None and id(unknown.step) not in kept:
            unknown.values = (unknown.true,)  # worked out from what the player knows: it comes out so in every world
    groups = _tied_groups(story, S.kn[player])
    story.tied = {piece for group in groups for piece in pieces_of(group)}
    story.epochs = _without(story.epochs, sum(groups))
    story.weighed = {piece for group in groups if _has_copies(meta, group) for piece in pieces_of(group)}
    story.copied = mask_of([piece for piece in story.weighed if meta.equal_copies[piece] & sum(groups) & ~(1 << piece)])
    story.epochs = merged(story.epochs, story.is_weighed)
    return story


def _name_numbers(story: Story, S: Any) -> None:
    """Tells each fact the numbers that it may turn on: those that whoever decided could read then."""
    for number, unknown in enumerate(story.unknowns):
        unknown.index = number
        for fact in unknown.facts:
            decider = None if isinstance(fact, Told | Step) else fact.snapshot.who
            if may_read(S.machine, fact.snapshot, decider, unknown.offset):
                fact.numbers = (*fact.numbers, (number, unknown.offset))
                unknown.readers.append(fact)


def _leave_out_failing_steps(story: Story, naming: Naming) -> None:
    """Leaves out each step that does not give the result of the game even if it is run on the true state: it passed a
    `together` in which nobody was asked. What such a step wrote is drawn by itself."""
    for step in story.steps:
        step.journal = None
    came = _truth(story, naming, first=0)
    failing = {id(step) for step, result in zip(story.steps, came, strict=True) if not result.agrees}
    if not failing:
        return
    story.is_cut = True
    story.steps = [step for step in story.steps if id(step) not in failing]
    for unknown in story.unknowns:
        if unknown.step is not None and id(unknown.step) in failing:
            unknown.step, unknown.guessed = None, True
        unknown.facts = [fact for fact in unknown.facts if id(fact) not in failing]
        unknown.readers = [fact for fact in unknown.readers if id(fact) not in failing]
    for epoch in story.epochs:
        epoch.facts = [fact for fact in epoch.facts if id(fact.partner or fact) not in failing]
    for fact in (*story.facts, *story.steps):
        if fact.before is not None and id(fact.before) in failing:
            fact.before = None
    if story.last is not None and id(story.last) in failing:
        story.last = None


def _truth(story: Story, naming: Naming, first: int | None = None) -> list[Any]:
    """Zero for each unknown number, then what comes of each step in the game itself."""
    numbers = len(story.unknowns) if first is None else first
    shifts: list[Any] = [0] * numbers
    namings = [naming] * len(story.epochs)
    for position, step in enumerate(story.steps, start=numbers):
        step.position = position
        step.runs.clear()
        result = step.result(namings, shifts)
        shifts.append(result)
    return shifts


def _tied_groups(story: Story, mixes: Mixes) -> list[int]:
    """The pieces of which something is known beyond the mixes, as bit masks: they are read by a fact or part of a cut
    mix. With them go those that were ever out of sight together with them."""
    told = 0
    for epoch in story.epochs:
        for fact in epoch.facts:
            told |= fact.mask
        if epoch.cut:
            told |= epoch.mask
    if not told:
        return []
    # A card that was once shuffled with a card that a fact speaks of may be that card, and so on through every mix that
    # the two were ever in.
    groups = list(mixes.several)
    for epoch in story.epochs:
        if not epoch.mask:
            continue
        whole, apart = epoch.mask, []
        for group in groups:
            if group & whole:
                whole |= group
            else:
                apart.append(group)
        groups = [*apart, whole]
    single = told & ~sum(groups)
    return [group for group in groups if group & told] + [1 << piece for piece in pieces_of(single)]


def _has_copies(meta: Meta, group: int) -> bool:
    """Whether there are equal copies in a group: which of them was chosen is no choice of its own."""
    rows = [meta.piece_row[piece] for piece in pieces_of(group)]
    return len(set(rows)) < len(rows)


def _without(epochs: list[Epoch], tied: int) -> list[Epoch]:
    """The epochs that begin with pieces that are tied; what the others hold goes to the one before."""
    kept = [epochs[0]]
    number: dict[int, int] = {0: 0}
    for old, epoch in enumerate(epochs[1:], start=1):
        if tied >> epoch.mixed[0] & 1:
            kept.append(epoch)
        else:
            kept[-1].seen += epoch.seen
            kept[-1].facts += epoch.facts
        number[old] = len(kept) - 1
    for epoch in kept:
        epoch.seen = [piece for piece in epoch.seen if tied >> piece & 1]
    renumber(kept, number)
    return kept


def _see_what_is_known(story: Story, S: Any, meta: Meta, player: int) -> None:
    """What is known now is as good as seen now."""
    moving = 0
    for epoch in story.epochs:
        moving |= epoch.mask
    story.epochs[-1].seen += pieces_of(moving & known_pieces(meta, S.kn[player]))
