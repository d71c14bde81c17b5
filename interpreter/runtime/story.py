"""The trail of a game as one player lived through it: what worlds for that player must agree with.

A world gives every position another piece than the true one. Between two moments at which the player loses sight of
pieces (a shuffle, a card leaving a closed hand) positions keep their pieces, so one renaming of the pieces holds for
such an *epoch*. At its beginning the pieces that got out of sight may be exchanged, and nothing else may.

    epoch 0 | the deck is shuffled | epoch 1: I saw my hand | bob lays one of three cards unseen | epoch 2: it is shown

What was seen, asked, taken and told belongs to an epoch, and must hold with the renaming of that epoch. The last
epoch is now.

Most of a long trail says nothing about now: cards that have been seen since, or been shuffled with all that they might
be. `story_of` reads the trail backwards and leaves that out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from operator import is_
from typing import Any

from .blocks import BLOCK, PASSED, UNEVEN, decisions_before, with_blocks
from .epochs import Epoch, Plan, merged, plan_of, renumber, without_idle_facts
from .facts import Fact, Naming
from .hands import turned_on
from .looks import Looks
from .meta import PASS, Meta
from .mixes import Mixes, mask_of, pieces_of
from .questions import Told, binds_pieces, is_known_idle
from .steps import MOST_STEPS, Step, Unknown, has_unseen_locals
from .telling import END, IDLE, STEP, Telling
from .trail import (
    ASKED,
    BEGUN,
    CHANCE,
    FELL,
    LOOKED,
    MIXED,
    PICKED,
    ROLLED,
    SEEN,
    SETTLED,
    SHOWN,
    START,
    TOLD,
    TOOK,
    WROTE,
    Event,
    events,
    is_between_decisions,
    mixing,
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
    sieve = _what_matters(events(S.ev), S, meta, player)
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


def may_read(machine: Any, snapshot: Any, decider: int | None, offset: int) -> bool:
    """Whether a decision of this player may turn on that number: by its declaration, or since it was shown."""
    if decider is None or offset not in machine.unseen_by(decider):
        return True
    return bool(snapshot.shown.get(offset, 0) >> decider & 1)


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


@dataclass
class _Sieve:
    """Reads a trail backwards and keeps what says something about what the player does not know now.

    `needs`: a number that still matters was worked out since the decision that comes next on the way back. Then the
    step from that decision on is kept whole, with every random event in it, and whatever it may have read matters
    too: all pieces out of sight then, and all numbers.
    """

    S: Any
    meta: Meta
    player: int

    def __post_init__(self) -> None:
        S, meta, player = self.S, self.meta, self.player
        # Of pieces, as bit masks. Known to be itself; shuffled later, so what was before says nothing; all others are
        # unknown.
        self.all = (1 << meta.pieces) - 1
        self.pinned, self.fresh = known_pieces(meta, S.kn[player]), 0
        self.hidden = S.machine.unseen_by(player)
        self.uncounted = any(place.uncounted for place in meta.places)
        self.live = set(self.hidden)  # numbers whose present value was written at this point or later
        self.shown: set[int] = set()  # numbers that the player has been shown since
        self.kept: list[Event] = []
        self.doubtful: dict[int, list[int]] = {}  # of fresh pieces: positions in `kept` of what was seen of them
        self.idle: set[int] = set()
        self.looks = Looks(meta)
        self.of_step: list[int] = []  # positions of what only a step has a use for
        self.took: Event | None = None
        self.is_uneven = self.is_uncounted = False
        self.begun: Any = None  # the snapshot of the decision before what is read
        self.needs, self.steps, self.end = False, 0, None
        if is_between_decisions(S):
            self.needs, self.end = has_unseen_locals(meta, S.k), S
            self.kept += [(END,)] if meta.works_out else []

    def read(self, event: Event) -> None:
        """What all notice; what the player sees and loses sight of is for `see` and `mix`."""
        kind, player = event[0], self.player
        if kind in (ASKED, FELL, TOLD) and self.looks.left():
            self.pinned &= ~self.looks.told_apart(self._read_by(event), kind == ASKED and self.needs)
        if kind == TOOK:
            self.took = event
        elif kind in (ASKED, BEGUN, BLOCK):
            self._decide(event)
        elif kind in (FELL, TOLD):
            if self._speaks_of(event):
                self.kept.append(event)
                self._look_back(event)
                self.needs |= self._is_unseen_local(event)
        elif kind in (ROLLED, WROTE):
            self._write(event)
        elif kind == SHOWN:
            if event[2] in self.hidden and event[1] >> player & 1:
                if event[2] in self.live or self.meta.works_out:
                    self.kept.append(event)
                self.live.discard(event[2])
                self.shown.add(event[2])
        elif kind == PICKED:
            if not event[2]:
                self.kept.append(event)
            elif self.meta.works_out:
                self._keep_for_step(event)
        elif kind in (CHANCE, PASSED):
            self._keep_for_step(event)
        elif kind == SETTLED:
            self.pinned &= ~self.looks.told_apart(mask_of(event[1]))
            if mask_of(event[1]) & ~(self.pinned | self.fresh):
                self.need()
            self.kept.append(event)
        elif kind == UNEVEN:
            # A number that was not written there may be one that another way writes. That pieces come and go all see,
            # unless nobody may count them.
            is_free = bool(self.all & ~(self.pinned | self.fresh))
            self.is_uneven |= (is_free and self.uncounted) or bool(self.live)
        elif kind == START:
            mixes = event[1][player]
            for pieces in mixes.members.values():  # they may have been exchanged in any way
                self.mix((MIXED, player, pieces, mixes, None, []), False)

    def names_pieces(self, pieces: Sequence[int]) -> bool:
        """Whether a rule at work had named pieces at the decision before, and perhaps one of these: which of them goes
        or is shown is then settled, and not any that lies there will do."""
        if not self.meta.unseen_slots or self.begun is None or not mask_of(pieces) & ~self.fresh:
            return False
        return has_unseen_locals(self.meta, self.begun.k)

    def need(self) -> None:
        if not self.needs and self.steps < MOST_STEPS:
            self.needs = True
            self._look_closer()

    def finished(self) -> list[Event]:
        """The events that are left, oldest first."""
        self.idle.update(self.looks.left())
        self.idle.update(self.of_step)  # a step that does not begin with a decision cannot be run
        self.idle.update(position for positions in self.doubtful.values() for position in positions)
        return [event for position, event in reversed(list(enumerate(self.kept))) if position not in self.idle]

    def see(self, event: Event) -> None:
        piece = event[2]
        if self.fresh >> piece & 1:
            self.doubtful.setdefault(piece, []).append(len(self.kept))
        else:
            self.pinned |= 1 << piece
        self.kept.append(event)

    def mix(self, event: Event, in_step: bool) -> None:
        """What of a fresh piece was seen matters after all, if it was out of sight with others before that. In a step
        every order of the pieces matters."""
        mask, is_closed, _ = mixing(event)
        if not mask & ~self.fresh:
            return
        self.kept.append(event)
        if event[4] is LOOKED and not mask & self.fresh and self.looks.keeps(mask, len(self.kept) - 1):
            return
        self.pinned &= ~self.looks.told_apart(mask, True)
        if self.doubtful and mask & self.fresh:
            for piece in pieces_of(mask & self.fresh):
                self.doubtful.pop(piece, None)
        self.pinned &= ~mask
        # Everything that could lie there was mixed, so what is known of an earlier moment says nothing about now.
        # Inside a step it does: the rules may have read the cards before they were shuffled.
        if is_closed and not in_step:
            self.fresh |= mask
        else:
            self.fresh &= ~mask

    def _keep_for_step(self, event: Event) -> None:
        self.of_step.append(len(self.kept))
        self.kept.append(event)

    def _write(self, event: Event) -> None:
        offset = event[1]
        matters = offset in self.live or offset in self.shown
        if event[0] == WROTE and event[4] and matters and self.steps < MOST_STEPS:
            if self.live or self.all & ~(self.pinned | self.fresh):
                self.needs = True
                self._look_closer()
        if offset in self.live or (offset in self.shown and self.meta.works_out):
            self.kept.append(event)
        elif event[0] == ROLLED and self.meta.works_out:
            self._keep_for_step(event)
        self.live.discard(offset)
        self.shown.discard(offset)

    def _look_closer(self) -> None:
        """What became of pieces later is not all that is known of them: a number tells what they were."""
        self.fresh = 0
        self.doubtful.clear()

    def _decide(self, event: Event) -> None:
        """A decision: the step that began here is kept, or what was kept only for it is left out."""
        snapshot = event[1]
        self.is_uncounted |= self.uncounted and event[0] == ASKED and self._leaves_number_open(snapshot)
        if self.needs and self.steps < MOST_STEPS:
            self.steps += 1
            self._look_closer()
            self.pinned &= ~self.looks.run_from(snapshot, event[0] == ASKED)
            self.live |= set(self.hidden)
            if event[0] == BLOCK:
                self.kept.append((*event, self.end))
            else:
                self.kept.append((STEP, snapshot, None if self.took is None else self.took[1], self.end))
            needs = has_unseen_locals(self.meta, snapshot.k)
        else:
            self.idle.update(self.of_step)
            needs = self.end is None and not self.S.over and has_unseen_locals(self.meta, snapshot.k)
        if event[0] == ASKED and self._speaks_of(event):
            if self.took is not None:
                self.kept.append(self.took)
                # Which of the pieces there was chosen is not seen, and it may be one that the player knows: in which of
                # their positions that one was before is settled by what was seen before.
                self.pinned &= ~turned_on(self.meta, event, self.player, snapshot.who).mask
            is_unseen = has_unseen_locals(self.meta, snapshot.k)
            is_pick = self.meta.sites[snapshot.site].kind in ("set", "pay")  # one fact, from the first pick on
            option = None if self.hidden or is_unseen or is_pick or self.took is None else self.took[1]
            if option is None or not is_known_idle(snapshot, self.player, option):
                self.kept.append(event)
                self._look_back(event)
            else:
                self.kept.append(snapshot.answers.setdefault("idle", (IDLE, snapshot, ())))
            needs |= is_unseen
        if self.meta.works_out:
            self.kept.append((END,))
        self.took, self.end, self.needs, self.of_step = None, snapshot, needs, []

    def _leaves_number_open(self, snapshot: Any) -> bool:
        """Whether somebody else chose secretly, out of pieces that are unknown now, a set of any size. A world has as
        many pieces in each place as the game."""
        site = self.meta.sites[snapshot.site]
        is_set = site.kind == "set" and site.secret and binds_pieces(site) and snapshot.who != self.player
        return is_set and PASS in snapshot.opts and bool(self.all & ~(self.pinned | self.fresh))

    def _look_back(self, event: Event) -> None:
        """What is kept may turn on numbers that were written again later. A die that was rolled once more showed
        something when the claim was made, and what it may have shown matters: the other dice are held against it. So
        does what lay where a told value looked, though it was shuffled since."""
        if event[0] == TOLD:
            self.fresh &= ~turned_on(self.meta, event, self.player, None).mask
        if len(self.live) < len(self.hidden):
            decider = None if event[0] == TOLD else event[1].who
            gone = self.hidden.keys() - self.live - self.shown
            self.live.update(x for x in gone if may_read(self.S.machine, event[1], decider, x))

    def _is_unseen_local(self, event: Event) -> bool:
        """Whether it turns on a number that a rule at work holds, and so cannot be asked again by itself."""
        return self.meta.told_unseen[event[2]] if event[0] == TOLD else has_unseen_locals(self.meta, event[1].k)

    def _speaks_of(self, event: Event) -> bool:
        """Whether a decision or a told value may turn on something that the player does not know now."""
        snapshot = event[1]
        decider = None if event[0] == TOLD else snapshot.who
        if decider == self.player:
            return False
        if self.live and any(may_read(self.S.machine, snapshot, decider, offset) for offset in self.live):
            return True
        return bool(self._read_by(event) & ~(self.pinned | self.fresh))

    def _read_by(self, event: Event) -> int:
        """The unseen pieces that a decision of somebody else may turn on, or a told value."""
        decider = None if event[0] == TOLD else event[1].who
        return 0 if decider == self.player else turned_on(self.meta, event, self.player, decider).mask


def _what_matters(trail: list[Event], S: Any, meta: Meta, player: int) -> _Sieve:
    """The events that say something about what the player does not know now."""
    sieve = _Sieve(S, meta, player)
    read, mix = sieve.read, sieve.mix
    told = with_blocks(trail, meta, player)
    begun = reversed(decisions_before(told)) if meta.unseen_slots else repeat(None)
    for event, sieve.begun in zip(reversed(told), begun, strict=False):
        kind = event[0]
        if kind > SEEN:
            read(event)
        elif event[1] == player:  # what others see and lose sight of is most of a trail
            if kind == MIXED:
                if event[4] is not None and sieve.names_pieces(event[2]):
                    sieve.need()
                mix(event, sieve.needs)
            elif not sieve.pinned >> event[2] & 1:
                if sieve.names_pieces((event[2],)):
                    sieve.need()
                sieve.see(event)
    return sieve


def known_pieces(meta: Meta, mixes: Mixes) -> int:
    """The pieces that a player knows: those in no mix, or in one whose pieces are all equal. As a bit mask."""
    found = (1 << meta.pieces) - 1 & ~mixes.hidden
    for mix in mixes.several:
        if not mix & ~meta.equal_copies[(mix & -mix).bit_length() - 1]:
            found |= mix
    return found
