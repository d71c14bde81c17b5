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

from .facts import Asked, Fact, Fell, Told, unseen_places
from .meta import Meta
from .trail import ASKED, FELL, MIXED, SEEN, START, TOLD, TOOK, Event, events

FREE, PINNED, FRESH = range(3)  # unknown; known to be itself; shuffled later, so what was before says nothing


@dataclass
class Epoch:
    """`mixed` are the true pieces whose positions may have been exchanged at its beginning."""

    mixed: tuple[int, ...]
    cut: bool
    seen: list[int] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)


@dataclass
class Unknown:
    """A number of the array that the player does not see, between two times that it was written.

    `first` and `last` are the facts (by number, last not included) for which it held that value.
    """

    offset: int
    values: Sequence[int]
    first: int
    last: int


@dataclass
class Story:
    epochs: list[Epoch]
    unknowns: list[Unknown]

    @property
    def facts(self) -> list[Fact]:
        return [fact for epoch in self.epochs for fact in epoch.facts]

    @property
    def is_plain(self) -> bool:
        """Whether the mixes of the player say all there is to say about the pieces."""
        return not any(epoch.cut or epoch.facts for epoch in self.epochs)


def story_of(S: Any, meta: Meta, player: int) -> Story:
    """What the player has seen and still matters, in order."""
    kept = _what_matters(events(S.ev), S, meta, player)
    story = Story([Epoch((), False)], [])
    asked: Asked | None = None
    for event in kept:
        match event[0]:
            case 0:  # MIXED
                story.epochs.append(Epoch(event[2], event[4]))
            case 1:  # SEEN
                story.epochs[-1].seen.append(event[2])
            case 2:  # ASKED
                asked = Asked.of(meta, player, event[1], event[2], len(story.epochs) - 1)
                if asked is not None:
                    story.epochs[-1].facts.append(asked)
            case 3:  # TOOK
                if asked is not None:
                    _took(story, meta, player, asked, event[1])
                asked = None
            case 4:  # FELL
                fell = Fell.of(meta, player, event[1], event[2], event[3], len(story.epochs) - 1)
                if fell is not None:
                    story.epochs[-1].facts.append(fell)
            case 5:  # TOLD
                story.epochs[-1].facts.append(
                    Told.of(meta, player, event[1], event[2], event[3], event[4], len(story.epochs) - 1)
                )
            case _:
                raise ValueError(f"an event of the trail that is no part of a story: {event[0]}")
    _see_what_is_known(story, S, meta, player)
    return story


def _see_what_is_known(story: Story, S: Any, meta: Meta, player: int) -> None:
    """What is known now is as good as seen now."""
    known = _known(meta, S.kn[player])
    moving = {piece for epoch in story.epochs for piece in epoch.mixed}
    story.epochs[-1].seen += sorted(piece for piece in moving if S.kn[player][piece] in known)


def _took(story: Story, meta: Meta, player: int, asked: Asked, option: Any) -> None:
    """Which of several unseen pieces was chosen is not seen: a world may have another one chosen, so the choice belongs
    to an epoch of its own."""
    alike = asked.alike(meta, player, option)
    if len(alike) > 1:
        story.epochs.append(Epoch(tuple(alike), False))
    if asked.takes(meta, player, option, len(story.epochs) - 1) and len(alike) > 1:
        story.epochs[-1].facts.append(asked.choice())


def _what_matters(trail: list[Event], S: Any, meta: Meta, player: int) -> list[Event]:
    """The events that say something about what the player does not know now, oldest first."""
    mixes = S.kn[player]
    known = _known(meta, mixes)
    status = [PINNED if mix in known else FREE for mix in mixes]
    kept: list[Event] = []
    took: Event | None = None
    for event in reversed(trail):
        kind = event[0]
        if kind == MIXED:
            if event[1] == player:
                _before_mix(event, status, kept)
        elif kind == SEEN:
            if event[1] == player and status[event[2]] == FREE:
                status[event[2]] = PINNED
                kept.append(event)
        elif kind == TOOK:
            took = event
        elif kind in (ASKED, FELL, TOLD):
            if any(status[piece] == FREE for piece in spoken_of(meta, player, event)):
                if took is not None and kind == ASKED:
                    kept.append(took)
                kept.append(event)
            took = None
        elif kind == START:
            _begin(event[1][player], player, status, kept)
    kept.reverse()
    return kept


def _begin(mixes: list[int], player: int, status: list[int], kept: list[Event]) -> None:
    """What was before is not known: the pieces of each mix may have been exchanged in any way."""
    members: dict[int, list[int]] = {}
    for piece, mix in enumerate(mixes):
        members.setdefault(mix, []).append(piece)
    for pieces in members.values():
        if len(pieces) > 1:
            _before_mix((MIXED, player, tuple(pieces), True, False), status, kept)


def _before_mix(event: Event, status: list[int], kept: list[Event]) -> None:
    _, _, pieces, closed, _ = event
    if all(status[piece] == FRESH for piece in pieces):
        return
    kept.append(event)
    for piece in pieces:
        status[piece] = FRESH if closed else FREE


def _known(meta: Meta, mixes: list[int]) -> set[int]:
    """The mixes whose pieces are all equal."""
    rows: dict[int, int] = {}
    several: set[int] = set()
    for piece, mix in enumerate(mixes):
        if rows.setdefault(mix, meta.piece_row[piece]) != meta.piece_row[piece]:
            several.add(mix)
    return {mix for mix in rows if mix not in several}


def spoken_of(meta: Meta, player: int, event: Event) -> list[int]:
    """The pieces that a decision or a told value may turn on and that the player does not see."""
    snapshot = event[1]
    if event[0] == TOLD:
        return unseen_places(meta, snapshot, player, None)
    if snapshot.who == player:
        return []
    return unseen_places(meta, snapshot, player, snapshot.who)
