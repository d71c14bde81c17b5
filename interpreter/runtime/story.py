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
from typing import Any

from .epochs import Epoch, merged, renumber, without_idle_facts
from .facts import Asked, Fact, Fell, Naming, Told, unseen_places
from .meta import Meta
from .trail import ASKED, FELL, MIXED, PICKED, ROLLED, SEEN, SHOWN, START, TOLD, TOOK, WROTE, Event, events

FREE, PINNED, FRESH = range(3)  # unknown; known to be itself; shuffled later, so what was before says nothing


@dataclass
class Unknown:
    """A number of the array that the player does not see, since it was last written.

    What is added to it later is added in a world as well: a world's number is always as far from the true one as it
    was when it was written. `facts` are those since then.
    """

    offset: int
    true: int
    values: Sequence[int]
    low: int
    high: int
    guessed: bool = False  # it was worked out from something unseen, which the walk does not do again
    facts: list[Fact] = field(default_factory=list)
    readers: list[Fact] = field(default_factory=list)  # those that may turn on it

    def fit(self, now: int) -> None:
        """Leaves only the values with which the number stays in its range, with all that was added since."""
        held = [now, *(fact.snapshot.f[self.offset] for fact in self.facts)]
        least, most = self.low - min(held), self.high - max(held)
        self.values = [value for value in self.values if value == self.true or least <= value - self.true <= most]


@dataclass
class Story:
    epochs: list[Epoch]
    unknowns: list[Unknown]
    tied: set[int] = field(default_factory=set)  # pieces of which something is known beyond the mixes
    weighed: set[int] = field(default_factory=set)  # those of them that have equal copies in their group

    def is_weighed(self, epoch: Epoch) -> bool:
        """Whether a renaming counts less, the more equal copies there are of what was chosen."""
        return epoch.by_choice and epoch.mixed[0] in self.weighed

    @property
    def facts(self) -> list[Fact]:
        return [fact for epoch in self.epochs for fact in epoch.facts]

    @property
    def is_plain(self) -> bool:
        """Whether the mixes of the player and the values of each number say all there is to say."""
        return not self.tied and not any(epoch.facts for epoch in self.epochs)


def story_of(S: Any, meta: Meta, player: int) -> Story:
    """What the player has seen and still matters, in order."""
    story = _told(_what_matters(events(S.ev), S, meta, player), S, meta, player)
    _see_what_is_known(story, S, meta, player)
    for unknown in story.unknowns:
        unknown.fit(S.f[unknown.offset])
    story.unknowns = [unknown for unknown in story.unknowns if len(unknown.values) > 1]
    _name_numbers(story, S)
    names = list(range(meta.pieces))
    without_idle_facts(story.epochs, Naming(names, names), [0] * len(story.unknowns))
    groups = _groups(story, S.kn[player])
    story.tied = _tied(story, groups)
    story.epochs = _without(story.epochs, story.tied)
    story.weighed = _weighed(story, meta, groups)
    story.epochs = merged(story.epochs, story.is_weighed)
    return story


def _told(kept: list[Event], S: Any, meta: Meta, player: int) -> Story:
    """The events as epochs, with an epoch for each moment at which something got out of sight."""
    story = Story([Epoch(())], [])
    hidden = S.machine.unseen_by(player)
    open_numbers: dict[int, Unknown] = {}
    asked: Asked | None = None
    chosen: set[int] = set()  # pieces of which one was chosen last: that it leaves tells nothing more
    lucky: set[int] = set()  # pieces picked by chance since
    for event in kept:
        now = len(story.epochs) - 1
        fact: Fact | None = None
        match event[0]:
            case 0:  # MIXED
                if event[2][0] not in chosen or not chosen.issuperset(event[2]):
                    by_choice = event[5] and event[2][0] not in lucky
                    story.epochs.append(Epoch(event[2], event[4], event[3], by_choice))
            case 1:  # SEEN
                story.epochs[-1].seen.append(event[2])
            case 2:  # ASKED
                fact = asked = Asked.of(meta, player, event[1], event[2], now)
            case 3:  # TOOK
                fact, chosen = _took(story, meta, player, asked, event[1]) if asked is not None else (None, set())
                asked, lucky = None, set()
            case 4:  # FELL
                fact = Fell.of(meta, player, event[1], event[2], event[3], now)
            case 5:  # TOLD
                fact = Told.of(meta, player, event[1], event[2], event[3], event[4], now)
            case 6 | 7:  # ROLLED, WROTE
                offset, value, values = event[1:4]
                open_numbers.pop(offset, None)
                if values is not None and len(values) > 1:
                    field = hidden[offset]
                    low, high = (field.low, field.high) if field.thing == "number" else (min(values), max(values))
                    open_numbers[offset] = Unknown(offset, value, values, low, high, event[0] == WROTE and event[4])
            case 10:  # PICKED
                lucky.add(event[1])
            case 8:  # SHOWN
                open_numbers.pop(event[2], None)
            case _:
                raise ValueError(f"an event of the trail that is no part of a story: {event[0]}")
        if fact is not None:
            story.epochs[-1].facts.append(fact)
            for unknown in open_numbers.values():
                unknown.facts.append(fact)
    story.unknowns = list(open_numbers.values())
    return story


def _name_numbers(story: Story, S: Any) -> None:
    """Tells each fact the numbers that it may turn on: those that whoever decided could read then."""
    for number, unknown in enumerate(story.unknowns):
        for fact in unknown.facts:
            decider = None if isinstance(fact, Told) else fact.snapshot.who
            if may_read(S.machine, fact.snapshot, decider, unknown.offset):
                fact.numbers = (*fact.numbers, (number, unknown.offset))
                unknown.readers.append(fact)


def may_read(machine: Any, snapshot: Any, decider: int | None, offset: int) -> bool:
    """Whether a decision of this player may turn on that number: by its declaration, or since it was shown."""
    if decider is None or offset not in machine.unseen_by(decider):
        return True
    return bool(snapshot.shown.get(offset, 0) >> decider & 1)


def _groups(story: Story, mixes: list[int]) -> list[int]:
    """For each piece the first one of its group: pieces that were ever out of sight together."""
    group = list(range(len(mixes)))

    def leader(piece: int) -> int:
        while group[piece] != piece:
            group[piece] = piece = group[group[piece]]
        return piece

    for piece, mix in enumerate(mixes):
        if piece != mix:
            group[leader(piece)] = leader(mix)  # the number of a mix is one of its pieces
    for epoch in story.epochs:
        if epoch.mixed:
            first = leader(epoch.mixed[0])
            for piece in epoch.mixed:
                if group[piece] != first:
                    group[leader(piece)] = first
    return [leader(piece) for piece in range(len(mixes))]


def _tied(story: Story, groups: list[int]) -> set[int]:
    """The pieces of which something is known beyond the mixes: they are read by a fact or part of a cut mix, or were
    out of sight together with such pieces."""
    told = {groups[piece] for fact in story.facts for piece in fact.pieces}
    told |= {groups[epoch.mixed[0]] for epoch in story.epochs if epoch.cut}
    return {piece for piece, group in enumerate(groups) if group in told}


def _weighed(story: Story, meta: Meta, groups: list[int]) -> set[int]:
    """The groups in which there are equal copies: which of them was chosen is no choice of its own."""
    copies: dict[int, list[int]] = {}
    for piece in story.tied:
        copies.setdefault(groups[piece], []).append(meta.piece_row[piece])
    several = {group for group, rows in copies.items() if len(set(rows)) < len(rows)}
    return {piece for piece in story.tied if groups[piece] in several}


def _without(epochs: list[Epoch], tied: set[int]) -> list[Epoch]:
    """The epochs that begin with pieces that are tied; what the others hold goes to the one before."""
    kept = [epochs[0]]
    number: dict[int, int] = {0: 0}
    for old, epoch in enumerate(epochs[1:], start=1):
        if epoch.mixed[0] in tied:
            kept.append(epoch)
        else:
            kept[-1].seen += epoch.seen
            kept[-1].facts += epoch.facts
        number[old] = len(kept) - 1
    for epoch in kept:
        epoch.seen = [piece for piece in epoch.seen if piece in tied]
    renumber(kept, number)
    return kept


def _see_what_is_known(story: Story, S: Any, meta: Meta, player: int) -> None:
    """What is known now is as good as seen now."""
    known = _known(meta, S.kn[player])
    moving = {piece for epoch in story.epochs for piece in epoch.mixed}
    story.epochs[-1].seen += sorted(piece for piece in moving if S.kn[player][piece] in known)


def _took(story: Story, meta: Meta, player: int, asked: Asked, option: Any) -> tuple[Fact | None, set[int]]:
    """Which of several unseen pieces was chosen is not seen: a world may have another one chosen, so the choice belongs
    to an epoch of its own. Gives its fact, and the pieces that cannot be told from the chosen one."""
    alike = asked.alike(meta, player, option)
    if len(alike) > 1:
        story.epochs.append(Epoch(tuple(alike), by_choice=True))
    is_kept = asked.takes(meta, player, option, len(story.epochs) - 1)
    return asked.choice() if is_kept and len(alike) > 1 else None, set(alike)


def _what_matters(trail: list[Event], S: Any, meta: Meta, player: int) -> list[Event]:
    """The events that say something about what the player does not know now, oldest first."""
    mixes = S.kn[player]
    known = _known(meta, mixes)
    status = [PINNED if mix in known else FREE for mix in mixes]
    live = set(S.machine.unseen_by(player))  # numbers whose present value was written at this point or later
    kept: list[Event] = []
    doubtful: dict[int, list[int]] = {}  # of fresh pieces: positions in `kept` of what was seen of them
    took: Event | None = None
    for event in reversed(trail):
        kind = event[0]
        if kind == MIXED:
            if event[1] == player:
                _before_mix(event, status, kept, doubtful)
        elif kind == SEEN:
            if event[1] == player and status[event[2]] != PINNED:
                if status[event[2]] == FRESH:
                    doubtful.setdefault(event[2], []).append(len(kept))
                else:
                    status[event[2]] = PINNED
                kept.append(event)
        elif kind == TOOK:
            took = event
        elif kind in (ASKED, FELL, TOLD):
            if _speaks_of(S, meta, player, event, status, live):
                if took is not None and kind == ASKED:
                    kept.append(took)
                kept.append(event)
            took = None
        elif kind in (ROLLED, WROTE):
            if event[1] in live:
                kept.append(event)
                live.discard(event[1])
        elif kind == SHOWN:
            if event[2] in live and event[1] >> player & 1:
                kept.append(event)
                live.discard(event[2])
        elif kind == PICKED:
            if not event[2]:
                kept.append(event)
        elif kind == START:
            _begin(event[1][player], player, status, kept, doubtful)
    idle = {position for positions in doubtful.values() for position in positions}
    return [event for position, event in reversed(list(enumerate(kept))) if position not in idle]


def _begin(mixes: list[int], player: int, status: list[int], kept: list[Event], doubtful: dict[int, list[int]]) -> None:
    """What was before is not known: the pieces of each mix may have been exchanged in any way."""
    members: dict[int, list[int]] = {}
    for piece, mix in enumerate(mixes):
        members.setdefault(mix, []).append(piece)
    for pieces in members.values():
        if len(pieces) > 1:
            _before_mix((MIXED, player, tuple(pieces), True, False, False), status, kept, doubtful)


def _before_mix(event: Event, status: list[int], kept: list[Event], doubtful: dict[int, list[int]]) -> None:
    """What of a fresh piece was seen matters after all, if it was out of sight with others before that."""
    pieces, closed = event[2:4]
    if all(status[piece] == FRESH for piece in pieces):
        return
    kept.append(event)
    for piece in pieces:
        if status[piece] == FRESH:
            doubtful.pop(piece, None)
        status[piece] = FRESH if closed else FREE


def _known(meta: Meta, mixes: list[int]) -> set[int]:
    """The mixes whose pieces are all equal."""
    rows: dict[int, int] = {}
    several: set[int] = set()
    for piece, mix in enumerate(mixes):
        if rows.setdefault(mix, meta.piece_row[piece]) != meta.piece_row[piece]:
            several.add(mix)
    return {mix for mix in rows if mix not in several}


def _speaks_of(S: Any, meta: Meta, player: int, event: Event, status: list[int], live: set[int]) -> bool:
    """Whether a decision or a told value may turn on something that the player does not know now."""
    snapshot = event[1]
    decider = None if event[0] == TOLD else snapshot.who
    if decider == player:
        return False
    if any(may_read(S.machine, snapshot, decider, offset) for offset in live):
        return True
    return any(status[piece] == FREE for piece in unseen_places(meta, snapshot, player, decider))
