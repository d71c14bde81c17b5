"""What of a trail says something about now: read backwards, event by event.

A deck that is shuffled takes with it all that was known of its cards; a card that lies open tells all that it was ever
asked about. So whoever reads the trail from now towards the beginning can leave out most of it: what speaks of pieces
and numbers alone that are known now, or were mixed since with all that they might be. `story` makes epochs of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from .blocks import BLOCK, PASSED, UNEVEN, decisions_before, with_blocks
from .hands import NONE_UNSEEN, Unseen, turned_on
from .looks import Looks
from .meta import PASS, Meta
from .mixes import Mixes, mask_of, pieces_of
from .questions import binds_pieces, is_known_idle
from .steps import MOST_STEPS, has_unseen_locals
from .telling import END, IDLE, STEP
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
    is_between_decisions,
    mixing,
)  # fmt: skip


@dataclass
class Sieve:
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
            read = self._read_by(event)
            is_any = (kind == ASKED and self.needs) or read.is_spread(self.meta, event[1])
            self.pinned &= ~self.looks.told_apart(read.mask, is_any)
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
        return bool(self._read_by(event).mask & ~(self.pinned | self.fresh))

    def _read_by(self, event: Event) -> Unseen:
        """The unseen pieces that a decision of somebody else may turn on, or a told value."""
        decider = None if event[0] == TOLD else event[1].who
        return NONE_UNSEEN if decider == self.player else turned_on(self.meta, event, self.player, decider)


def what_matters(trail: list[Event], S: Any, meta: Meta, player: int) -> Sieve:
    """The events that say something about what the player does not know now."""
    sieve = Sieve(S, meta, player)
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


def may_read(machine: Any, snapshot: Any, decider: int | None, offset: int) -> bool:
    """Whether a decision of this player may turn on that number: by its declaration, or since it was shown."""
    if decider is None or offset not in machine.unseen_by(decider):
        return True
    return bool(snapshot.shown.get(offset, 0) >> decider & 1)
