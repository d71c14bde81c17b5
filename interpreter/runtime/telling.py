"""The events that matter to a player, told in order: as epochs, facts, unknown numbers and steps.

`story` has left out what says nothing about now. What is left is gone through once, oldest event first. An epoch
begins with each moment at which pieces get out of sight. A question or a told value is a fact of its epoch. A number
that is written unseen is an unknown, until it is written again or shown. Where a number was worked out from secrets,
the events from one decision to the next become a step (`steps`): what was told in the middle of it is judged by the
step itself, since numbers may have changed twice before the next snapshot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .blocks import BLOCK, PASSED, Block
from .epochs import Epoch
from .facts import Fact, Part
from .hands import unseen_in
from .knowledge import BOX
from .meta import Meta
from .paid_sets import PaidSet
from .picked_sets import PickedSet, Posed
from .questions import Asked, Fell, Told, binds_pieces, is_hidden_choice, only_pieces
from .steps import PARTS, Fall, Step, Unknown, has_unseen_locals, is_open_question, might_offer
from .trail import (
    ASKED,
    CHANCE,
    FELL,
    LOOKED,
    MIXED,
    PICKED,
    ROLLED,
    SEEN,
    SETTLED,
    SHOWN,
    TOLD,
    TOOK,
    WROTE,
    Event,
    is_opening,
    leaves_with,
    mixing,
    was_chosen,
)  # fmt: skip

# Events of stories only: a step begins (STEP, first snapshot, option taken, last snapshot); a decision ends it (END,);
# a decision tells nothing by itself (IDLE, snapshot, ()), but whatever was being picked before it is complete.
STEP, END, IDLE = 20, 21, 24
_WITH_SNAPSHOT = (ASKED, FELL, TOLD, IDLE)


@dataclass
class Telling:
    """The story so far, and what is still open in it."""

    S: Any
    meta: Meta
    player: int
    epochs: list[Epoch] = field(default_factory=lambda: [Epoch(())])
    unknowns: list[Unknown] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    written: dict[int, Unknown] = field(default_factory=dict)  # by offset: as it was written last
    step: Step | None = None  # the one that is running
    ended: Step | None = None  # the one that led to the last decision
    asked: Asked | None = None
    chosen: set[int] = field(default_factory=set)  # one of these was chosen last: its leaving tells nothing more
    # Pieces that were chosen, until they go or something else out of sight is picked: rules may keep their names.
    settled: set[int] = field(default_factory=set)
    going: int = -1  # one of these is shown or goes; if it is seen to, it is still the one that rules name
    spoken: tuple[int, int, int] = (-1, -1, 0)  # the last answer: site, player, how often that site was passed since
    is_pick: bool = False  # the last decision was for a piece of a set or payment
    lucky: dict[int, bool] = field(default_factory=dict)  # pieces picked by chance since: shown or moved yet
    beside: dict[int, int] = field(default_factory=dict)  # of each of them what lay there with it, as a bit mask
    picked: Event | None = None
    picking: tuple[PickedSet, tuple[int, ...]] | None = None  # a set that is being picked unseen, and what it has
    begun: Posed | None = None  # the set or payment that is being made
    paying: PaidSet | None = None  # a payment of which nobody has seen yet what was paid
    fallen: dict[int, tuple[Fall, int, int]] = field(default_factory=dict)  # pieces drawn by chance, until they move
    moved: list[Epoch] = field(default_factory=list)  # those of the running step that began with a piece going unseen
    posed_in: int = 0  # the epoch of the last decision
    is_cut: bool = False  # a rule at work holds something unseen that cannot be worked out again
    is_hushed: bool = False  # nobody knows at which of two silent questions somebody answered
    # Pieces that secret fields name: when they were written, how much was seen before, and what a world may draw there.
    marks: list[tuple[int, int, int, Unknown | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hidden, self._out_of_sight = self.S.machine.unseen_by(self.player), set[int]()
        last = self.S.ev[1] if self.S.ev else None
        self._pending = last[1] if last is not None and last[0] == ASKED else None

    @property
    def now(self) -> int:
        return len(self.epochs) - 1

    def tell(self, event: Event) -> None:
        if self.paying is not None and event[0] in _WITH_SNAPSHOT:
            self._has_paid(event[1], () if event[0] == TOLD else event[2])
        fact = _TELLS[event[0]](self, event)
        if fact is not None:
            self.epochs[-1].facts.append(fact)
            for unknown in self.written.values():
                unknown.facts.append(fact)

    # ------------------------------------------------------------------ decisions and told values

    def _ask(self, event: Event) -> Fact | None:
        snapshot, picked = event[1:3]
        fact: Fact | None
        fact = self.asked = Asked.of(self.meta, self.player, snapshot, picked, self.now)
        self.is_pick = self.meta.sites[snapshot.site].kind in ("set", "pay")
        if self.is_pick:
            opts = snapshot.opts
            fact = self._begin_picks(snapshot, picked, len(opts) > 1 or not snapshot.auto, opts[0] >= 0)
        if fact is not None:
            fact.before = self.before(snapshot)
        self._pick(snapshot, picked)
        return fact

    def _fall_to(self, event: Event) -> Fact | None:
        """A decision that nobody was asked for, since nothing was left to choose."""
        snapshot, picked, option = event[1:4]
        if self.picking is not None and snapshot.site == self.picking[0].snapshot.site and picked:
            self.picking[0].picks(picked, option)
        if self.meta.sites[snapshot.site].kind in ("set", "pay"):
            self.settled.clear()
            fact = self._begin_picks(snapshot, picked, False, option >= 0)
            if self.paying is not None:
                self.paying.picks((*picked, option))
            return fact
        if self.step is None:
            return Fell.of(self.meta, self.player, snapshot, picked, option, self.now)
        self._pass_over(snapshot, False)
        return None

    def _hear(self, event: Event) -> Fact | None:
        if self.step is not None:
            return None
        return Told.of(self.meta, self.player, event[1], event[2], event[3], event[4], self.now)

    def _rest(self, _: Event) -> None:
        self.is_pick = False
        self._has_picked()

    # ------------------------------------------------------------------ pieces

    def _mix(self, event: Event) -> None:
        pieces = event[2]
        mask, is_closed, is_cut = mixing(event)
        is_named = event[4] not in (None, LOOKED) and pieces[0] in self.settled
        self.going = pieces[0] if is_named else -1
        if event[4] is LOOKED:  # nothing has gone
            self.epochs.append(Epoch(pieces, is_cut, mask=mask))
            self.settled.difference_update(pieces)
            return
        if self.chosen.issuperset(pieces):
            pass
        elif is_named:
            # `choose c in p.hand` / `draw 1 from deck to p.hand` / `move c to heap`: the card that has come in since
            # the choice is not the one that goes, although the mixes join all of them here.
            self.epochs.append(Epoch(pieces[:1], cut=True))
        else:
            # Each copy that chance may pick is a way. What is shown and then goes was picked once.
            by_choice = self.lucky.get(pieces[0], was_chosen(self.meta, event) or self._is_paid(event))
            there = -1 if event[4] is None else self.beside.get(pieces[0], -1)
            if mask & ~there:
                # `pick d in q.hand at random` / `move c to q.hand` / `move d to p.hand`: nor is c what chance picked.
                pieces, is_cut, is_closed = tuple(x for x in pieces if there >> x & 1), True, False
                mask &= there
            self.epochs.append(Epoch(pieces, is_cut, is_closed, by_choice, mask=mask))
            if pieces[0] in self.lucky:
                self.lucky[pieces[0]] = True
            elif event[4] is not None:
                self.moved.append(self.epochs[-1])
        self.settled.difference_update(event[2])
        for piece in [x for x in event[2] if x in self.fallen and leaves_with(event, x, self.fallen[x][2])]:
            fall, position, _ = self.fallen.pop(piece)
            fall.epochs[position] = self.now
        if self.paying is not None and event[4] is not None:
            self.paying.goes(pieces[0], self.now)

    def _see(self, event: Event) -> None:
        piece = event[2]
        self.epochs[-1].seen.append(piece)
        if piece == self.going:  # `reveal c`, and c goes later
            self.settled.add(piece)
        if self.paying is not None and piece in self.paying.taken:
            self.paying = None

    def _settle(self, _: Event) -> None:
        self.settled.clear()
        self.beside.clear()

    def _is_paid(self, event: Event) -> bool:
        """Whether a piece goes because it was picked to be paid with: of equal copies, which are one pick, any."""
        return self.paying is not None and event[4] is not None and self.paying.is_due(event[2][0])

    def _take(self, event: Event) -> Fact | None:
        """Which of several unseen pieces was chosen is not seen: a world may have another one chosen, so the choice
        belongs to an epoch of its own."""
        option = event[1]
        if self.asked is not None:
            self.spoken = (self.asked.snapshot.site, self.asked.snapshot.who, 0)
        if self.picking is not None:
            self.picking[0].picks(self.picking[1], option)
        if self.paying is not None:
            self.paying.picks((*self.paying.keys, option))
        asked, self.asked, self.lucky, self.beside = self.asked, None, {}, {}
        if self.is_pick:
            self.settled.clear()
        if asked is None:
            self.chosen = set()
            return None
        alike, is_kept = asked.taken_by(self.meta, self.player, option, self.now)
        if len(alike) > 1:
            self.epochs.append(Epoch(tuple(alike), by_choice=True))
        self.chosen = set(alike)
        self.settled.difference_update(alike)
        if alike and not self.is_pick:
            self.settled.add(alike[0])
        return asked.choice() if is_kept and len(alike) > 1 else None

    def _begin_picks(self, snapshot: Any, picked: tuple[int, ...], is_posed: bool, picks_some: bool) -> Fact | None:
        """A pick of a set or payment: the first one begins the fact whether anything of it is asked, which any of them
        may settle."""
        if self.paying is not None:
            self.paying.picks(picked)
        if picked:
            if self.begun is not None and self.begun.snapshot.site == snapshot.site:
                self.begun.is_posed |= is_posed
            return None
        self.begun = Posed.of(self.meta, self.player, snapshot, self.now) if self.step is None else None
        if self.begun is not None:
            self.begun.is_posed, self.begun.picks_some = is_posed, picks_some
            if self.meta.sites[snapshot.site].kind == "pay":
                self.paying = PaidSet.of(self.meta, self.player, snapshot, self.now)
                self.paying.before, self.paying.readable = self.before(snapshot), list(self.written.values())
        return self.begun

    def _has_paid(self, after: Any, picked: tuple[int, ...] = ()) -> None:
        """If all that was picked has gone unseen, what went is what could be paid; unless more of it is picked here."""
        done = self.paying
        if done is None or (picked and after.site == done.snapshot.site):
            return
        self.paying = None
        done.go_last(after, self.now)
        if not done.is_complete():
            return
        self.epochs[done.epoch].facts.append(done)
        if done.taken_in != done.epoch:
            self.epochs[done.taken_in].facts.append(done.gone())
        for unknown in done.readable:
            unknown.facts.append(done)

    def _pick(self, snapshot: Any, picked: tuple[int, ...]) -> None:
        """Somebody is asked. If it is for the first piece of a set, a fact begins that the whole set has a part in; if
        it is for anything but a further one, the last set is complete."""
        if self.picking is not None and picked and snapshot.site == self.picking[0].snapshot.site:
            self.picking = (self.picking[0], picked)
            return
        self._has_picked()
        site = self.meta.sites[snapshot.site]
        if site.kind == "set" and binds_pieces(site) and not picked and snapshot.who != self.player:
            begun = PickedSet.of(self.meta, self.player, snapshot, self.now)
            if begun is not None:
                begun.before = self.before(snapshot)
                self.picking = (begun, ())
                self.epochs[-1].facts.append(begun)
                for unknown in self.written.values():
                    unknown.facts.append(begun)

    def _has_picked(self) -> None:
        """The pieces of a set have gone where they were meant to go: from now on they are called as this epoch does."""
        if self.picking is None:
            return
        done, self.picking = self.picking[0], None
        done.taken_in = self.now
        if done.taken_in != done.epoch:
            self.epochs[-1].facts.append(done.gone())

    # ------------------------------------------------------------------ numbers

    def _write(self, event: Event) -> None:
        offset, value, values = event[1:4]
        self._close(offset)
        if self.step is not None:
            # `p.cup[1].face = 1` / `roll p.cup`: at the end of the step there is what was written last, and not this.
            self.step.given = [one for one in self.step.given if one.offset != offset]
        names_piece = offset in self.hidden and self.hidden[offset].thing == "piece" and value >= 0
        if names_piece:
            self.marks.append((value, self.now, len(self.epochs[-1].seen), None))
        if values is None or len(values) < 2:
            return
        if event[0] == WROTE and event[5] == self.player:
            return  # who chose a number knows it, also in a field that nobody may look into
        field = self.hidden.get(offset)
        if field is None:
            return  # the player's own dice: a step needs their faces, and every world has them
        low, high = (field.low, field.high) if field.thing == "number" else (min(values), max(values))
        unknown = Unknown(offset, value, values, low, high, event[0] == WROTE and event[4])
        if event[0] == WROTE and self.step is not None:
            unknown.step, unknown.guessed = self.step, False
            self.step.given.append(unknown)
        self.written[offset] = unknown
        if names_piece:
            self.marks[-1] = (*self.marks[-1][:3], unknown)

    def _close(self, offset: int) -> None:
        """What follows is about another number."""
        unknown = self.written.pop(offset, None)
        if unknown is not None:
            unknown.is_now = False
            if unknown.facts or unknown.step is not None or self.step is not None:
                self.unknowns.append(unknown)

    def _show(self, event: Event) -> None:
        offset = event[2]
        unknown = self.written.get(offset)
        if unknown is None:
            return
        if unknown.step is not None and unknown.step is not self.step:
            unknown.is_shown = True  # what it was worked out from must fit
        elif unknown.step is None:
            self.written.pop(offset)

    # ------------------------------------------------------------------ steps

    def before(self, snapshot: Any) -> Step | None:
        """The step that says what the rules at work hold at this decision, if that may be unseen."""
        if not has_unseen_locals(self.meta, snapshot.k):
            return None
        self.is_cut |= self.ended is None
        return self.ended

    def _begin(self, event: Event) -> None:
        """The choice was told before, so its pieces are called as this epoch calls them; the question is older."""
        kind, snapshot, option, end = event
        pieces = unseen_in(self.meta, snapshot, self.player, None).pieces
        if kind == BLOCK:
            step: Step = Block(snapshot, self.posed_in, pieces, choices=option)
            step.choice, step.is_free = Unknown(-1, 0, (0, 1), 0, 0, is_now=False), True
        else:
            step = Step(snapshot, self.posed_in, pieces, option=option)
            step.choice = self._hidden_option(snapshot, option)
            step.is_free = step.choice is not None and not binds_pieces(self.meta.sites[snapshot.site])
        is_before_block = end is self.S or (end is not None and is_opening(end))
        step.taken_in, step.end, step.before_block = self.now, end, is_before_block
        step.end_numbers = self.S.f
        step.player, step.before = self.player, self.before(snapshot)
        # Somebody is silently asked right now: a world may be anywhere behind that.
        step.is_hushed = end is not None and end is self._pending and self._is_hushed(end)
        self.step = step
        self.steps.append(step)
        self.epochs[step.epoch].facts.append(step)
        for unknown in self.written.values():
            unknown.facts.append(step)

    def _hidden_option(self, snapshot: Any, option: Any) -> Unknown | None:
        """The option as something that a world draws, if the player did not see which it was."""
        if option is None or snapshot.who == self.player:
            return None
        site = self.meta.sites[snapshot.site]
        if not is_hidden_choice(site, snapshot) or only_pieces(self.meta, site, option):
            return None
        offered = might_offer(site, snapshot, self.player)
        return Unknown(-1, option, offered, 0, 0, is_now=False) if option in offered and len(offered) > 1 else None

    def _pass_over(self, snapshot: Any, was_asked: bool) -> None:
        """Somebody passed at a silent question, or was not asked. If the same player answered the same question
        otherwise before or after that, and nothing lies between, nobody knows at which of the two it was. Worlds are as
        the game there."""
        step, question = self.step, (snapshot.site, snapshot.who)
        if step is None or snapshot.who == self.player or not self.meta.sites[snapshot.site].silent:
            return
        is_end = step.end is not None and (step.end.site, step.end.who) == question
        step.passes += is_end and was_asked
        if question == self.spoken[:2]:
            self.spoken = (*question, self.spoken[2] + 1)
        # Where a question comes again until its player passes, the pass behind an answer belongs to it.
        may_pass_then = self.meta.sites[snapshot.site].repeats
        self.is_hushed |= is_end or (question == self.spoken[:2] and self.spoken[2] > may_pass_then)

    def _is_hushed(self, snapshot: Any) -> bool:
        """Whether the player does not notice that somebody is asked, and cannot tell."""
        is_silent = self.meta.sites[snapshot.site].silent and snapshot.who != self.player
        return bool(is_silent) and not is_open_question(snapshot, self.player)

    def _note_pick(self, event: Event) -> None:
        self.picked = event
        if not event[2]:
            self.lucky[event[1]], self.beside[event[1]] = False, event[3]
            self.settled.discard(event[1])  # it may have been chosen before, for another way that it has gone since

    def _fall(self, event: Event) -> None:
        if self.step is None:
            return
        what, outcome = event[1:3]
        fall = Fall(what, outcome, [self.now] * len(outcome))
        if what == "roll":
            first, *faces = outcome
            rolled = [self.written.get(first + number) for number in range(len(faces))]
            fall = Fall(what, tuple(faces), [], list(rolled))
        elif what == "pick" and self.picked is not None and self.picked[2]:
            _, true, values, varies = self.picked
            if varies:
                true, values = (2 * values.index(true) + 1) * PARTS // (2 * len(values)), range(PARTS)
            fall = Fall(what, (true,), [], [Unknown(-1, true, values, 0, 0, is_now=False)])
        elif what in ("draw", "pick"):
            for position, piece in enumerate(outcome):
                self.fallen[piece] = fall, position, self.beside.get(piece, -1)
        self.step.falls.append(fall)

    def _end(self, _: Event) -> None:
        """A decision: what a rule at work still holds came out of the step that ends here."""
        self.ended, self.step = self.step, None
        if self.ended is not None:
            self.ended.end_epoch = self.now
            # The rules said which piece goes (`move 1 c in p.hand by lowest c.rank to p.aside`): the step comes out the
            # same with any of its equal copies, and they are one way, not several, when it is shown and when it goes.
            # If several go, nothing says in which order they went, and each order is a way of its own.
            for epoch in self.moved if len({epoch.mixed[0] for epoch in self.moved}) == 1 else ():
                epoch.by_choice = True
            self.is_cut |= self._leaves_luck_open(self.ended)
        self.moved = []
        self.fallen.clear()
        self.posed_in = self.now

    def _leaves_luck_open(self, step: Step) -> bool:
        """`pick c in p.hand at random` / `p.luck = c.rank`: who sees the hand does not know which card it was."""
        if not step.given or step.end is None or step.end.kn is None:
            return False
        at, then, hidden = step.end.at, step.snapshot.at, step.end.kn[self.player].hidden
        return any(then[piece] in (BOX, at[piece]) and not hidden >> piece & 1 for piece in self.fallen)

    def _is_drawn(self, unknown: Unknown) -> bool:
        """Whether a number can be drawn by itself. The name of a piece cannot if the world may rename the pieces that
        were offered: then the renaming draws it."""
        if unknown.offset < 0 or self.hidden[unknown.offset].thing != "piece":
            return True
        return unknown.step is None and self._out_of_sight.isdisjoint(unknown.values)

    def has_lost_mark(self) -> bool:
        """Whether a field names a piece that was seen, or out of sight with others, since the field was written. The
        field goes with where that piece lies now; but it may have been another one of those that were offered."""
        for piece, written_in, seen, unknown in self.marks:
            later = self.epochs[written_in + 1 :]
            is_moved = piece in self.epochs[written_in].seen[seen:] or any(
                piece in epoch.mixed or piece in epoch.seen for epoch in later
            )
            if is_moved and (unknown is None or not self._is_drawn(unknown)):
                return True
        return False

    def finish(self) -> None:
        """Tells every epoch about the steps that depend on it."""
        self._has_picked()
        self._has_paid(self.S)
        if not self.steps and not self.unknowns and not self.written:
            return  # nothing to draw but pieces
        self._out_of_sight = {piece for epoch in self.epochs for piece in epoch.mixed}
        mixes = self.S.kn[self.player].numbers
        self._out_of_sight.update(piece for piece, mix in enumerate(mixes) if mix != piece)
        self._out_of_sight.update(mixes[piece] for piece in tuple(self._out_of_sight))
        for step in self.steps:
            mixed = {piece for epoch in self.epochs[step.epoch : step.end_epoch + 1] for piece in epoch.mixed}
            fallen = {piece for fall in step.falls if not fall.numbers for piece in fall.outcome}
            step.pieces = tuple(sorted({*step.pieces, *mixed, *fallen}))
            for epoch in step.read_in():
                if epoch != step.epoch:
                    self.epochs[epoch].facts.append(Part(step.snapshot, epoch, step.pieces, partner=step))
            for one in step.sources():
                if one.offset < 0:
                    one.readers.append(step)
                    self.unknowns.append(one)
        self.unknowns += self.written.values()
        self.unknowns = [unknown for unknown in self.unknowns if self._is_drawn(unknown)]
        for step in self.steps:
            step.given = [unknown for unknown in step.given if self._is_drawn(unknown)]


# How each event is told. What comes back is a fact of the epoch that is running; most events are none.
_TELLS: dict[int, Callable[[Telling, Event], Fact | None]] = {
    MIXED: Telling._mix,
    SEEN: Telling._see,
    ASKED: Telling._ask,
    TOOK: Telling._take,
    FELL: Telling._fall_to,
    TOLD: Telling._hear,
    ROLLED: Telling._write,
    WROTE: Telling._write,
    SHOWN: Telling._show,
    PICKED: Telling._note_pick,
    CHANCE: Telling._fall,
    SETTLED: Telling._settle,
    STEP: Telling._begin,
    END: Telling._end,
    BLOCK: Telling._begin,
    PASSED: lambda telling, event: telling._pass_over(event[1], True),
    IDLE: Telling._rest,
}
