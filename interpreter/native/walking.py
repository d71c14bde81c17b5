"""The walk to a world in native memory: `rw_walk.h` as Python sees it.

What a walk has to keep is worked out by Python (`runtime/course.py`) and written into native memory once for each
decision. The steps are taken there, with the same draws as `runtime/walk.py`, so worlds are the same. A question that
only Python can ask comes back; whether a fact holds is kept with the snapshot of the decision (`native_fact`) for all
walks that come, since the next decision asks much the same.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import log2, prod
from typing import TYPE_CHECKING, Any

from ..runtime.chance import Quick
from ..runtime.facts import Fact, Judged, Naming, Question
from ..runtime.homing import Home, bring_home
from ..runtime.names import element_of
from ..runtime.questions import NATIVE, Asked, Fell, Told
from ..runtime.tallies import laid_out
from .asking import NativeQuestion, question_of
from .search import ROOM
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from ..runtime.course import Course
    from ..runtime.dealing import Dealer
    from .engine import Engine

_MOST_WORDS, _MOST_NUMBERS, _MOST_CHOSEN = 64, 32, 16  # as in rw_facts.h
_MOST_BITS = 62.0  # of a product of numbers of equal copies
_OTHER, _ASKED, _FELL = range(3)
_MOST_DIGITS = 16
_HEAD = 3  # numbers in front of the pieces of a world


class WalkFunctions:
    """The functions of a library that a walk calls."""

    def __init__(self, engine: Engine) -> None:
        function = engine.function
        self.fact = function("rwx_fact", "address", "address", "i32", "address", "address")
        self.free_fact = function("rwx_fact_free", None, "address")
        self.walk = function("rwx_walk", "address", "address", "i32", "address")
        self.free_walk = function("rwx_walk_free", None, "address")
        self.go = function("rwx_walk_go", "i32", "address", "address", "address", brief=True)
        self.verdict = function("rwx_walk_verdict", "i32", "address", "i32", brief=True)
        self.names = function("rwx_walk_names", "i32", "address", "i32", "address", "i32", brief=True)
        self.numbers = function("rwx_walk_numbers", "i32", "address", "address", "i32", brief=True)


class Held:
    """Something in native memory that goes with this object."""

    __slots__ = ("_free", "_stands_on", "address")

    def __init__(self, address: int, free: Callable[[int], None], stands_on: Any = None) -> None:
        if not address:
            raise NativeUnavailable("a walk does not fit into native memory")
        self.address, self._free, self._stands_on = address, free, stands_on

    def __del__(self) -> None:
        if not sys.is_finalizing():
            with suppress(AttributeError):
                self._free(self.address)


class NativeWalk:
    """Worlds one after the other, as `runtime.walk.Walk` finds them. It begins with the truth."""

    def __init__(self, course: NativeCourse) -> None:
        self._course, engine = course, course.engine
        self._engine, self._functions = engine, engine.walking
        told, facts = course.told, course.facts
        pointers = array("Q", [fact.address for fact in facts] or [0])
        address = self._functions.walk(told.buffer_info()[0], len(told), pointers.buffer_info()[0])
        self._held = Held(address, self._functions.free_walk)
        self.pointer = engine.library.pointer(address)

    def deal(self, generator: Quick) -> tuple[list[int], list[int], bool]:
        """The next world: the piece at each position, how far each number is from the true one, and whether the walk
        was too short."""
        course, context = self._course, self._engine.context
        room, go = context.numbers, self._functions.go
        state = generator.state
        room[0], room[1] = _signed(state & 0xFFFFFFFF), _signed(state >> 32)
        while True:
            room[2] = ROOM
            signal = go(context.pointer, self.pointer, context.room_pointer)
            if signal == 0:
                break
            half, other = room[0], room[1]
            self.judge(signal - 1)
            room[0], room[1] = half, other
        low, high, is_too_short, *found = room[: _HEAD + course.pieces + course.numbers].tolist()
        generator.state = low & 0xFFFFFFFF | (high & 0xFFFFFFFF) << 32
        new = found[: course.pieces]
        course.bring_home(new)
        return new, found[course.pieces :], bool(is_too_short)

    def judge(self, number: int) -> None:
        """Says whether a fact holds in the middle of a step."""
        if number < 0:
            raise NativeUnavailable("a walk cannot go on")
        fact, namings = self._course.fact(number), _Namings(self)
        agrees = fact.agrees(fact.answer(namings[fact.epoch], self._numbers(fact)), namings)
        if self._functions.verdict(self.pointer, int(agrees)) != 0:
            raise NativeUnavailable("there is no memory for a walk")

    def _numbers(self, fact: Fact) -> Sequence[int]:
        if not fact.numbers:
            return ()
        context = self._engine.context
        self._functions.numbers(self.pointer, context.room_pointer, ROOM)
        found: list[int] = context.numbers[: self._course.numbers].tolist()
        return found

    @property
    def epochs(self) -> int:
        return self._course.epochs

    def naming(self, epoch: int) -> Naming:
        context, pieces = self._engine.context, self._course.pieces
        self._functions.names(self.pointer, epoch, context.room_pointer, ROOM)
        held = context.numbers[: 2 * pieces].tolist()
        return Naming(held[:pieces], held[pieces:])


class _Namings(Sequence[Naming]):
    """The renamings of a walk, each read when it is wanted."""

    def __init__(self, walk: NativeWalk) -> None:
        self._walk = walk
        self._found: dict[int, Naming] = {}

    def __getitem__(self, epoch: Any) -> Any:
        if epoch not in self._found:
            self._found[epoch] = self._walk.naming(epoch)
        return self._found[epoch]

    def __len__(self) -> int:
        return self._walk.epochs


class NativeCourse:
    """What all walks of a dealer have in common, as `rw_course.h` reads it. Raises NativeUnavailable if that is not for
    native memory."""

    def __init__(self, engine: Engine, dealer: Dealer) -> None:
        self.engine, self._course = engine, dealer.course
        self.pieces, self.numbers = engine.meta.pieces, len(dealer.story.unknowns)
        if _HEAD + self.pieces + self.numbers > ROOM or 2 * self.pieces > ROOM:
            raise NativeUnavailable("there are too many pieces")
        self.facts: list[Held] = []
        try:
            self.told = array("i", self._told(dealer))
        except (OverflowError, TypeError) as problem:
            raise NativeUnavailable(str(problem)) from problem
        self._begin()

    def _begin(self) -> None:
        self._begun: list[NativeWalk] = [NativeWalk(self)]  # the first, which shows that all of it is understood

    @property
    def epochs(self) -> int:
        return 0 if self._course is None else len(self._course.story.epochs)

    def fact(self, number: int) -> Judged:
        """A fact of the story, with the epochs that it has there."""
        assert self._course is not None
        return self._course.judged[number]

    @property
    def home(self) -> tuple[list[int], list[int]]:
        """What `homing` reads: the mix of each piece, and the pieces that a walk moves; nothing if it moves none."""
        course = self._course
        return ([], []) if course is None else (course.mixes, course.tied)

    def bring_home(self, new: list[int]) -> None:
        """As `homing`, of the pieces that a walk has found."""
        if self._course is not None:
            bring_home_if_astray(self._course, new)

    def walk(self) -> NativeWalk:
        """A walk that begins with the truth."""
        try:
            return self._begun.pop()
        except IndexError:
            return NativeWalk(self)

    def _told(self, dealer: Dealer) -> list[int]:
        course, unknowns = dealer.course, dealer.story.unknowns
        epochs = [] if course is None else dealer.story.epochs
        starts = [] if course is None else course.plan.starts
        facts = [] if course is None else course.facts
        keeps_kind = course is not None and course.keeps_kind
        found = [int(course is not None), int(keeps_kind), len(epochs), len(facts), len(unknowns), len(starts)]
        found += [0, 0] if course is None else [course.unknown, course.steps]
        found += self.engine.rows_and_kinds
        found += [n for start in starts for n in start]
        if course is not None:
            self._tell_epochs(course, found)
            self._tell_facts(course, found)
        for number, unknown in enumerate(unknowns):
            found += [int(unknown.step is None), len(unknown.values), *[one - unknown.true for one in unknown.values]]
            _put(found, [] if course is None else list(course.readers[number]))
        _put(found, [] if course is None else course.core)
        _put_many(found, [] if course is None else course.groups)
        _put_many(found, [] if course is None else course.plan.free)
        _put_many(found, dealer.plain)
        return found

    def _tell_epochs(self, course: Course, found: list[int]) -> None:
        epochs, number_of = course.story.epochs, course.number_of
        bits = 0.0
        for number, epoch in enumerate(epochs):
            is_weighed = course.story.is_weighed(epoch)
            bits += log2(len(epoch.mixed)) if is_weighed else 0.0
            _put(found, epoch.mixed)
            _put(found, course.plan.partners[number])
            _put(found, list(dict.fromkeys(epoch.seen)))
            is_closed = number + 1 < len(epochs) and epochs[number + 1].closed
            found += [int(is_closed), int(is_weighed)]
            readers = [(number_of[id(one.partner or one)], one) for one in epoch.facts]
            readers = [(n, one) for n, one in readers if one.pieces]
            _put(found, [n for n, _ in readers])
            _put_many(found, [() if one.partner is None else one.pieces for _, one in readers])
        if bits > _MOST_BITS:
            raise NativeUnavailable("there are too many equal copies")

    def _tell_facts(self, course: Course, found: list[int]) -> None:
        for fact, verdicts in zip(course.facts, course.verdicts, strict=True):
            assert isinstance(fact, Question)  # `native_course` let no other through
            native = native_fact(self.engine, fact)
            if native is None:
                raise NativeUnavailable("a fact does not fit into native memory")
            self.facts.append(native)
            found += [fact.epoch, getattr(fact, "taken_in", -1), int(verdicts is not None)]
            found += [number for number, _ in fact.numbers]


def native_course(engine: Engine, dealer: Dealer) -> NativeCourse | None:
    """The course of a dealer; None if its walks are Python's: those in which the rules worked something out from
    secrets, and what does not fit into native memory."""
    if not engine.library.steady or dealer.story.steps or dealer.story.last is not None:
        return None
    facts = () if dealer.course is None else dealer.course.facts
    # Of sets that somebody picked, which one is allowed turns on more than what a sum tells.
    if any(fact.before is not None or type(fact) not in (Asked, Fell, Told) for fact in facts):
        return None
    try:
        return NativeCourse(engine, dealer)
    except NativeUnavailable:
        return None


def native_fact(engine: Engine, fact: Question) -> Held | None:
    """A fact with all that was ever said of it; kept with its snapshot."""
    kept = fact.snapshot.answers
    key = ("walk", fact.player, fact.identity(), tuple([offset for _, offset in fact.numbers]))
    found = kept.get(key)
    if found is None:
        functions = engine.walking
        told = _fact_told(fact, engine.meta.pieces)
        try:
            question = asked_natively_of(fact, engine)
            where = question.where if question else (0, 0)
            address = functions.fact(told.buffer_info()[0], len(told), *where) if told is not None else 0
            found = Held(address, functions.free_fact, question)
        except NativeUnavailable:
            found = False
        kept[key] = found
    return found or None


def _fact_told(fact: Fact, pieces: int) -> array[int] | None:
    shares: list[tuple[int, int, int, int]] = []
    loose = [-1] * pieces
    bits_in_all = 0
    for is_loose, positions, width, first, bits in laid_out(fact.places, fact.sorts):
        for number, position in enumerate(positions):
            shares.append((position, int(is_loose), first if is_loose else first + number * width, width))
            if is_loose:
                loose[position] = fact.snapshot.at[position]
        bits_in_all = first + bits
    words, chosen = bits_in_all // 64 + 1, fact.chosen()
    if words > _MOST_WORDS or len(fact.numbers) > _MOST_NUMBERS or len(chosen) > _MOST_CHOSEN:
        return None
    shares.sort()
    head = [words, len(fact.numbers), len(chosen), len(shares), len(fact.pieces)]
    rest = [*fact.sorts[:pieces], *loose, *chosen, *fact.pieces, *[n for share in shares for n in share]]
    try:
        return array("i", [*head, *rest, *_past(fact, pieces)])
    except OverflowError:
        return None


def asked_natively_of(fact: Fact, engine: Engine) -> NativeQuestion | None:
    """The decision of a fact in native memory, kept as `questions.natively` keeps it."""
    kept = fact.snapshot.answers
    if not isinstance(fact, Asked | Fell):
        return None
    question: NativeQuestion | bool | None = kept.get(NATIVE)
    if question is None:
        question = kept[NATIVE] = question_of(engine, fact.snapshot) or False
    return question or None  # type: ignore[return-value]


def _past(fact: Fact, pieces: int) -> list[int]:
    """What `RwPast` of rw_facts.h holds: what the player noticed of a decision, and of the option that was taken."""
    S = fact.snapshot
    kind, visible, many, taken, option, pick = _OTHER, False, False, False, 0, -1
    branch: list[int] = [0, 0, 0]
    if isinstance(fact, Fell):
        kind, pick = _FELL, fact.pick
    elif isinstance(fact, Asked):
        kind, visible, many, taken = _ASKED, fact.visible, fact.many, fact.taken_in >= 0
        option = fact.option if isinstance(fact.option, int) else 0
        if fact.taken is not None:
            branch = _branch_of(fact)
            kind = kind if branch[2] <= _MOST_DIGITS else _OTHER
        elif taken and not isinstance(fact.option, int):
            kind = _OTHER
    if kind == _OTHER:
        branch = [0, 0, 0]
    head = [kind, max(S.site, 0), S.who, int(visible), int(many), int(taken), option, int(pick >= 0), *branch]
    return [*head, *[offset for _, offset in fact.numbers], *_spots(fact, pieces)]


def _branch_of(fact: Asked) -> list[int]:
    """Of an option with pieces: the first number of its branch, how many there are, and of each value (lowest, how
    many, whether it is a piece, what was taken)."""
    assert fact.taken is not None
    number, values, _ = fact.taken
    site = fact.snapshot.game.meta.sites[fact.snapshot.site]
    digits = site.digits[number]
    things = [element_of(thing) in ("piece", "row") for thing, _, _ in site.branches[number][1]]
    first = 0 if site.values_only else site.firsts[number]
    of_each = [(low, count, int(is_piece), v) for (low, count), is_piece, v in zip(digits, things, values, strict=True)]
    return [first, prod(count for _, count in digits), len(digits), *[n for one in of_each for n in one]]


def _spots(fact: Fact, pieces: int) -> list[int]:
    """By position a number that is the same for positions which nothing tells apart: those of an unordered place."""
    S, meta = fact.snapshot, fact.snapshot.game.meta
    found = []
    for piece, place in enumerate(S.at[:pieces]):
        is_ordered = 0 <= place < meta.lists and not meta.unordered[place]
        found.append(2 * piece + 1 if is_ordered else 2 * (place + 1))
    return found


def bring_home_if_astray(course: Course | Home, new: list[int]) -> None:
    mixes = course.mixes
    if all(mixes[new[piece]] == mixes[piece] for piece in course.tied):
        return
    old = new[:]
    for piece, name in enumerate(new):
        old[name] = piece
    bring_home(course, Naming(new, old))


def _put(found: list[int], numbers: Sequence[int]) -> None:
    found.append(len(numbers))
    found += numbers


def _put_many(found: list[int], groups: Sequence[Sequence[int]]) -> None:
    found.append(len(groups))
    for group in groups:
        _put(found, group)


def _signed(half: int) -> int:
    return half - (1 << 32) if half >= 1 << 31 else half
