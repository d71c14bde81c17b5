"""What all walks of one player from one state have in common: what is known, who reads what, how far to go.

A `Course` is worked out once for a state (`dealing`). Walking changes nothing in it but the verdicts that it keeps, so
any number of threads may walk it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from .epochs import Epoch, Plan
from .facts import Fact, Judged, Naming
from .meta import Meta
from .steps import Step
from .story import Story

_STEPS = 40  # of a walk, and more for each thing unknown and each epoch
STEPS_PER_UNKNOWN = 8
_STEPS_PER_EPOCH = 2
# More where one piece was taken from among equal copies twice (shown, then moved): a leap renames all epochs alike.
_STEPS_OF_COPIES = 96

Reader = tuple[int, Sequence[int] | None, int]  # the number of a fact, and what pieces add to its sum here
Look = tuple[Naming, frozenset[int], frozenset[int], frozenset[int] | None]
_NO_SHARE: tuple[None, int] = (None, 0)


class Course:
    """What all walks of one player from one state have in common."""

    def __init__(self, S: Any, meta: Meta, player: int, story: Story, plan: Plan, groups: list[list[int]]) -> None:
        self.S, self.meta, self.mixes = S, meta, S.kn[player].numbers
        self.story, self.plan = story, plan
        self.groups = by_first_mix(groups, story.epochs)  # tied pieces that may be dealt anew among them
        self.kind, self.row = meta.piece_kind, meta.piece_row
        # A piece of another kind has no fields or places to take over what this one has and carries.
        self.keeps_kind = "piece" in {one.owner for one in meta.fields} | {one.owner for one in meta.places}
        # Of an epoch that begins with a choice: how many equal copies of what was chosen there are.
        self.copies: dict[int, int] = {}
        for number, epoch in enumerate(story.epochs):
            if story.is_weighed(epoch):
                rows = [self.row[piece] for piece in epoch.mixed]
                self.copies[number] = rows.count(rows[0])
        self.seen = [frozenset(epoch.seen) for epoch in story.epochs]
        self._keep_facts(story)
        self.tied = sorted(story.tied)
        self.core = sorted({piece for _, piece in plan.starts})
        self.drawn = [number for number, one in enumerate(story.unknowns) if one.step is None]
        self.unknown = len(self.core) + len(self.drawn)
        self.steps = _STEPS + STEPS_PER_UNKNOWN * self.unknown + _STEPS_PER_EPOCH * len(story.epochs)
        taken = [story.epochs[number].mixed[0] for number in self.copies]
        self.steps += _STEPS_OF_COPIES * (len(set(taken)) < len(taken))
        self.steps = self.steps if self.unknown else 0
        # Choices that nobody saw and that are no pieces: a world makes them again among what it offers itself.
        self.free = [
            step for step in story.steps if step.is_free and step.choice is not None and step.choice.index >= 0
        ]
        self.choices = frozenset(step.choice.index for step in self.free if step.choice is not None)

    @property
    def may_stray(self) -> bool:
        """Whether three numbers or more may have to change at once, and nothing has to be worked out again for it."""
        return len(self.drawn) > 2 and not self.story.steps

    def _keep_facts(self, story: Story) -> None:
        """The facts, each once, and who has to be asked when something changes."""
        asked = {id(fact): fact for epoch in story.epochs for fact in _asked(epoch.facts)}
        self.facts = list(asked.values())
        # Steps are worked out again in any case, and need no asking.
        self.judged = {number: fact for number, fact in enumerate(self.facts) if isinstance(fact, Judged)}
        self.number_of = {id(fact): number for number, fact in self.judged.items()}
        # Of facts that turn on their sums alone: whether they hold, by sum.
        self.verdicts: list[dict[int, bool] | None] = [{} if self._is_simple(fact) else None for fact in self.facts]
        # By number that a world draws or works out: the facts that may turn on it, with no change of their sums.
        self.readers = [
            {self.number_of[id(fact)]: 0 for fact in unknown.readers if id(fact) in self.number_of}
            for unknown in story.unknowns
        ]
        self.after: dict[int, list[int]] = {}  # by step: the facts that turn on what the rules hold after it
        for number, fact in enumerate(self.facts):
            if fact.before is not None and id(fact) in self.number_of:
                self.after.setdefault(id(fact.before), []).append(number)

    # What follows is only for walks in Python.

    @cached_property
    def mixed(self) -> list[frozenset[int]]:
        return [frozenset(epoch.mixed) for epoch in self.story.epochs]

    @cached_property
    def closed(self) -> list[frozenset[int] | None]:
        """By the number of the epoch before: the pieces of mixes that no piece has entered or left."""
        closed = [frozenset(epoch.mixed) if epoch.closed else None for epoch in self.story.epochs]
        return [*closed[1:], None]

    @cached_property
    def closing(self) -> list[tuple[int, frozenset[int]]]:
        return [(number, one) for number, one in enumerate(self.closed) if one is not None]

    @cached_property
    def read(self) -> list[dict[int, list[Reader]]]:
        return [self._readers(epoch.facts) for epoch in self.story.epochs]

    @cached_property
    def _inputs(self) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Of each step: the epochs whose renamings it turns on; the numbers, and the step before it if it goes on from
        that one."""
        found = {}
        for step in self.story.steps:
            numbers = [number for number, _ in step.numbers] + [one.index for one in step.sources() if one.index >= 0]
            numbers += [] if step.before is None else [step.before.position]
            found[step.position] = (step.read_in(), tuple(dict.fromkeys(numbers)))
        return found

    def may_differ(self, step: Step, before: list[Any], now: list[Any], renamed: range, chosen: frozenset[int]) -> bool:
        """Whether a step may come out another way than it did with the numbers `before`, where pieces have other names
        in these epochs, and these numbers are chosen anew."""
        if step.choice is not None and step.choice.index in chosen:
            return True
        epochs, numbers = self._inputs[step.position]
        for epoch in epochs:
            if epoch in renamed:
                return True
        for number in numbers:
            if before[number] is not now[number] and before[number] != now[number]:
                return True
        return False

    def ahead(self, namings: list[Naming], first: int) -> Iterator[Look]:
        """From an epoch on: its renaming, what it mixes, what the player sees in it, what is closed behind it."""
        return zip(namings[first:], self.mixed[first:], self.seen[first:], self.closed[first:], strict=True)

    def _is_simple(self, fact: Fact) -> bool:
        """True if a fact depends only on what lies in the places that it looks at. What was chosen counts too, unless
        the player knows which piece that was."""
        if fact.numbers or fact.before is not None or isinstance(fact, Step):
            return False
        chosen = fact.chosen_in(fact.epoch)
        if chosen is None:
            return False
        seen, rows = self.seen[fact.epoch], self.meta.row_pieces
        known = [piece in seen and len(rows[self.row[piece]]) == 1 for piece in chosen if piece in self.story.tied]
        return all(known)

    def _readers(self, facts: list[Fact]) -> dict[int, list[Reader]]:
        """The facts of an epoch by the positions that they may turn on: the number of the fact, and what a piece there
        adds to its sum."""
        found: dict[int, list[Reader]] = {}
        for fact in facts:
            asked = fact.partner or fact
            number = self.number_of.get(id(asked))
            if number is None:
                continue
            for position in fact.pieces:
                shares = fact.tally.shares.get(position, ()) if fact is asked else ()
                readers = found.setdefault(position, [])
                readers += [(number, table, shift) for table, shift in shares or (_NO_SHARE,)]
        return found


def _asked(facts: list[Fact]) -> list[Fact]:
    """The facts themselves; what was taken is asked by the question that was answered."""
    return [fact.partner or fact for fact in facts]


def by_first_mix(groups: list[list[int]], epochs: list[Epoch]) -> list[list[int]]:
    """The groups, each in parts that got out of sight at the same moment. Two piles that are shuffled by themselves and
    joined later are one mix now; but what was in the one when it was shuffled was never in the other."""
    parts: list[list[int]] = []
    for group in groups:
        left = group
        for epoch in epochs:
            parts += [[piece for piece in left if epoch.mask >> piece & 1]]
            left = [piece for piece in left if not epoch.mask >> piece & 1]
        parts += [left]
    return [part for part in parts if part]
