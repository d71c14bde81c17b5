"""What lies where in a world, and what the unseen numbers are: prepared once, drawn any number of times.

A `Dealer` is made for one player at one state. It reads the trail (`story`), leaves out what says nothing, and sorts
the pieces: those that the player knows, those that may be dealt outright within their mix (`determinise`), and those of
which more is known than the mixes say, which take a walk (`walk`). A `Deal` is then cheap.

A dealer is never changed by dealing, so any number of threads may share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .chance import Quick
from .course import Course
from .determinise import Generator, exchangeable, over_pieces
from .epochs import Plan
from .eyes import elements
from .facts import called_again, put_locals
from .in_mind import is_kept_in_mind, was_chosen_under_watch
from .looks import was_shown_in_bag
from .marks import may_be_elsewhere
from .meta import Meta
from .renaming import dealt
from .story import Story, story_of
from .trail import ASKED, DISORDERED, events
from .walk import TOO_SHORT, Walk
from .written_over import is_written_over

WORKED_OUT = "a number was worked out from what the player may not know too long ago; it is drawn by itself"
MARKS = "a piece that may lie unseen has a closed field of its own, which is as in the game"
LABELS = (
    "a label, or a line said to one player, told something of a piece that stayed closed; it may be another one here"
)
UNCOUNTED = "others may have chosen more or fewer pieces, which nobody could count; there are as many as in the game"
HUSHED = "somebody may have been silently asked, or not, where a number was worked out; it is as in the game"
WRITTEN_OVER = "a number that the player sees was written over behind a silent question; it was as in the game before"
SPOTS = "a piece may have gone elsewhere in its pile where a number was worked out; there it lies as in the game"
LOST_MARK = "a secret field names a piece that was seen or out of sight since; it goes with where that piece lies"
LOST_NAME = "a field names a piece that the player has lost sight of; it goes with where that piece lies"
IN_MIND = "a rule keeps in mind which piece somebody chose unseen, perhaps a known one; it is as in the game"
WATCHED = "somebody had one choice behind a reveal; equal cards may be told apart by which of them was watched"
MARKED_APART = "of pieces that lie unseen some have an open field that others have not; it may be on another one here"
SHOWN_IN_BAG = "a piece went into a bag and was shown there at once; another one that lay there may be it here"
DISORDER = "a piece went unseen into a pile of whose order something was known; that order is left out"
UNEVEN_WAYS = "others may have taken other ways while all chose together; pieces moved or chance fell there"


@dataclass(frozen=True)
class Deal:
    """`new[x]` is the piece that a world has where the game has x; `shifts` are (offset, what is added there); `frames`
    are the rules at work, if they hold something unseen."""

    new: list[int]
    shifts: tuple[tuple[int, int], ...]
    approximate: tuple[str, ...]
    frames: tuple[tuple[Any, ...], ...] | None = None

    def lay_out(self, S: Any, drawn: Any) -> None:
        """Writes into `drawn`, a copy of S, what the world has instead."""
        S.machine.renaming.apply(S, drawn, self.new)
        for offset, shift in self.shifts:
            drawn.f[offset] += shift
        if self.frames is not None:
            put_locals(S.meta, drawn.k, self.frames)


class Dealer:
    """Draws what a player does not know at a state. An engine may have told the story already (`native/tales.py`); then
    it is told here only for whoever asks."""

    def __init__(self, S: Any, meta: Meta, player: int) -> None:
        self.meta, self._S, self._player = meta, S, player
        self._game = getattr(S, "game", None)
        tell = getattr(self._game, "told_course", None)
        self._told = None if tell is None else tell(S, player)

    @cached_property
    def story(self) -> Story:
        return story_of(self._S, self.meta, self._player)

    @cached_property
    def _groups(self) -> list[list[int]]:
        return exchangeable(self._S, self.meta, self._player)

    @cached_property
    def plain(self) -> list[list[int]]:
        """The pieces that may be dealt outright, group by group."""
        S, meta, tied = self._S, self.meta, self.story.tied
        return [group for group in self._groups if group[0] not in tied and not _is_one_bag(S, meta, group)]

    @cached_property
    def course(self) -> Course | None:
        """What all walks have in common; None if nothing takes one."""
        S, meta, story = self._S, self.meta, self.story
        if story.is_plain:
            return None
        plan = Plan(story.plan.partners, story.plan.starts, story.plan.free)
        tied = [group for group in self._groups if group[0] in story.tied]
        course = Course(S, meta, self._player, story, plan, tied)
        free = [part for group in plan.free for part in self._kinds(group, course.keeps_kind)]
        plan.free = [group for group in free if len(group) > 1 and not _is_one_bag(S, meta, group)]
        return course

    @cached_property
    def approximate(self) -> tuple[str, ...]:
        marked = _are_marked_apart(self._S, self.meta, self._player)
        told = (MARKED_APART,) * (marked or may_be_elsewhere(self._S, self.meta, self._player))
        told += (LOST_NAME,) * _has_lost_name(self._S, self.meta, self._player)
        told += (IN_MIND,) * (bool(self.meta.naming_slots) and is_kept_in_mind(self._S, self.meta, self._player))
        told += (WATCHED,) * was_chosen_under_watch(self._S, self.meta, self._player)
        told += (SHOWN_IN_BAG,) * was_shown_in_bag(self._S, self.meta, self._player)
        if self._told is not None:
            return told  # a story of pieces alone leaves nothing else out
        story = self.story
        guesses = story.is_cut or any(unknown.guessed for unknown in story.unknowns)
        told += (WORKED_OUT,) * guesses + (UNEVEN_WAYS,) * story.is_uneven + (UNCOUNTED,) * story.is_uncounted
        told += (LOST_MARK,) * story.has_lost_mark
        told += (HUSHED,) * (story.is_hushed or any(step.is_hushed for step in story.steps))
        told += (WRITTEN_OVER,) * is_written_over(self._S, self._player, story.steps)
        told += (SPOTS,) * (self.meta.spots_unseen and bool(story.steps))
        told += (DISORDER,) * (self.meta.spots_unseen and (DISORDERED, self._player) in events(self._S.ev))
        return told + (MARKS,) * self.meta.marks_unseen + (LABELS,) * self.meta.labels_tell

    def _kinds(self, group: list[int], apart: bool) -> list[list[int]]:
        """The pieces of a group, kind by kind if only equal kinds may change places."""
        if not apart:
            return [group]
        kinds: dict[str, list[int]] = {}
        for piece in group:
            kinds.setdefault(self.meta.piece_kind[piece], []).append(piece)
        return list(kinds.values())

    @cached_property
    def native(self) -> Any:
        """The same dealer in native memory, which draws the same worlds (`native/walking.py`); None without an
        engine."""
        if self._told is not None:
            return self._told
        course_in_c = getattr(self._game, "course", None)
        return None if course_in_c is None else course_in_c(self)

    def walk(self, generator: Generator) -> Any:
        """A walk that starts from the true state, for callers that deal several times; None if no walk is needed."""
        if self.native is not None:
            return self.native.walk()
        return Walk(self.course, generator) if self.course is not None else None

    def deal(self, generator: Generator, walk: Any = None, nearby: bool = False) -> Deal:
        """Draws anew all that the player cannot know. A walk that was begun is continued; with `nearby` it ends early,
        which only the walk in Python does."""
        if not nearby and self.native is not None and isinstance(generator, Quick):
            return self._dealt_natively(generator, walk or self.native.walk())
        approximate = self.approximate
        unknowns = self.story.unknowns
        if self.course is None:
            new = list(range(self.meta.pieces))
            values = [unknown.values[generator.below(len(unknown.values))] for unknown in unknowns]
            shifts: list[Any] = [value - unknown.true for value, unknown in zip(values, unknowns, strict=True)]
        else:
            walk = walk or Walk(self.course, generator)
            walk.generator = generator
            walk.go(nearby)
            new, shifts = walk.names_now(), walk.shifts
            if walk.is_too_short:
                approximate = (TOO_SHORT, *approximate)
        for group in self.plain:
            dealt(group, new, generator)
        old = None if self.course is None else walk.namings[-1].old
        return self._deal(new, shifts, approximate, old)

    def _dealt_natively(self, generator: Generator, walk: Any) -> Deal:
        new, shifts, is_too_short = walk.deal(generator)
        approximate = (TOO_SHORT, *self.approximate) if is_too_short else self.approximate
        return Deal(new, (), approximate) if self._told is not None else self._deal(new, shifts, approximate)

    def _deal(
        self, new: list[int], shifts: list[Any], approximate: tuple[str, ...], old: Sequence[int] | None = None
    ) -> Deal:
        """`old`: which position has each name at the end of the walk, where the last step called pieces so."""
        unknowns = self.story.unknowns
        moved = [(one.offset, shift) for one, shift in zip(unknowns, shifts, strict=False) if shift and one.is_now]
        last = self.story.last
        frames = shifts[last.position].frames if last is not None and old is not None else None
        if frames is not None and old is not None:
            # Since then pieces were dealt, and equal ones were brought home.
            frames = called_again(self.meta, frames, [new[piece] for piece in old])
        return Deal(new, tuple(moved), approximate, frames)


def _are_marked_apart(S: Any, meta: Meta, player: int) -> bool:
    """Whether pieces that the player cannot tell apart by where they lie differ in what lies openly on them. All could
    follow such a mark through a shuffle, and a world has it where it is, on another piece perhaps."""
    marks = [field for field in meta.fields if over_pieces(field) and field.is_mark]
    if not marks or S.kn is None:
        return False
    for pieces in S.kn[player].members.values():
        if len({meta.piece_row[piece] for piece in pieces}) > 1:
            for field in marks:
                first, (_, low, count) = field.base, field.dimensions[0]
                each = elements(field.dimensions[1:])
                starts = [first + (piece - low) * each for piece in pieces if low <= piece < low + count]
                if len({tuple(S.f[start : start + each]) for start in starts}) > 1:
                    return True
    return False


def _has_lost_name(S: Any, meta: Meta, player: int) -> bool:
    """Whether a field that the player sees names a piece that the player knew since the field was written, and knows no
    more. `p.mark = c`, then c is shuffled in: p still knows that it is the king, and a world may have another card
    there. A card face down that somebody has pointed at is another matter: nobody ever knew it."""
    fields = [field for field in meta.fields if field.thing == "piece"]
    if not fields or S.kn is None:
        return False
    mixes, unseen = S.kn[player], S.machine.unseen_by(player)
    for field in fields:
        for offset in range(field.base, field.base + elements(field.dimensions)):
            piece = S.f[offset]
            if piece < 0 or offset in unseen or not mixes.hidden >> piece & 1:
                continue
            mix = mixes.mix_of(1 << piece)
            if mix & ~meta.equal_copies[piece] and _was_known(S.ev, offset, piece, player):
                return True
    return False


def _was_known(chain: Any, offset: int, piece: int, player: int) -> bool:
    """Whether the player knew the piece at one of the decisions since the one before it was written there."""
    while chain:
        chain, event = chain
        if event[0] == ASKED and event[1].kn is not None:
            if not event[1].kn[player].hidden >> piece & 1:
                return True
            if event[1].f[offset] != piece:
                return False
    return False


def _is_one_bag(S: Any, meta: Meta, group: list[int]) -> bool:
    """Whether these pieces lie in one unordered place, where it does not matter which is which, or all in the box."""
    place = S.at[group[0]]
    if any(S.at[piece] != place for piece in group):
        return False
    if place >= meta.lists or (place >= 0 and not meta.unordered[place]) or S.fd:
        return False
    owners = {one.owner for one in meta.fields} | {one.owner for one in meta.places}
    return "piece" not in owners
