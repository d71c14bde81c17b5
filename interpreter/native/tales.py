"""What players have lived through, in native memory: `rw_tale.h` and `rw_story.h` as Python sees them.

Which worlds a player may think possible follows from the trail of the game (`runtime/story.py`). A bot that looks at
every decision asks for that at every decision, and most of a trail is then as it was. So each player has a *tale*: the
events of the trail that this player noticed, handed over once, in native memory. At a decision the new ones are added,
and the story is told there: what of it matters now, as how many epochs, what a walk has to move. What comes out are the
very numbers that Python works out (`walking`), so the worlds are the same.

Of somebody else's decision native memory wants more only if it matters: what it looks at, whether that may be otherwise
in a world at all. It says so, and Python makes the fact (`runtime/questions.py`), once for all stories to come.

Stories with numbers that the player does not see, with steps that rules worked out from secrets, with sets and payments
picked from what the player does not see, and those of worlds are Python's, told as `runtime/story.py` tells them.
"""

from __future__ import annotations

from array import array
from copy import copy
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING, Any

from ..runtime.determinise import exchangeable
from ..runtime.facts import Question
from ..runtime.hands import NONE_UNSEEN, told_of, unseen_in
from ..runtime.homing import Home
from ..runtime.picked_sets import PickedSet
from ..runtime.questions import Asked, Fell, Told, is_hidden_question
from ..runtime.sieve import known_pieces
from ..runtime.trail import (
    ASKED,
    BEGUN,
    CHANCE,
    FELL,
    LOOKED,
    MIXED,
    PICKED,
    ROLLED,
    SEEN,
    SHOWN,
    TOLD,
    TOOK,
    WROTE,
    Chain,
    Event,
    mixing,
    was_chosen,
)
from .search import ROOM
from .unavailable import NativeUnavailable
from .walking import Held, NativeCourse, bring_home_if_astray, native_fact

if TYPE_CHECKING:
    from ..runtime.meta import Meta
    from .engine import Engine

_SEEN, _LUCKY, _MIXED, _ASKED, _FELL, _TOOK = range(6)  # as in rw_tale.h
_BY_MOVE, _BY_CHANCE, _BY_LOOK = range(3)  # there too: RwMixing
_FACT, _IDLE = range(2)  # what native memory wants of an event
_SAYS_NOTHING = frozenset((CHANCE, ROLLED, WROTE, SHOWN, BEGUN))  # of pieces; their numbers are seen by the player
_GO, _STOP = 0, 1
_MOST_FAILURES = 16  # trails that no tale can hold, until none is tried any more


ToldFact = tuple[Held, Question, int, int]  # in native memory, as Python has it, its epoch, that of what was taken


class TaleFunctions:
    """The functions of a library that a tale calls."""

    def __init__(self, engine: Engine) -> None:
        function = engine.function
        self.make = function("rwx_tale", "address", "address", "i32")
        self.free = function("rwx_tale_free", None, "address")
        self.add = function("rwx_tale_add", "i32", "address", "i32", "address", "i32", brief=True)
        self.fact = function("rwx_tale_fact", "i32", "address", "i32", "address", "i32", brief=True)
        self.idle = function("rwx_tale_idle", "i32", "address", "i32", "i32", brief=True)
        self.story = function("rwx_story", "i32", "address", "address", "i32", brief=True)
        self.wanted = function("rwx_story_wanted", "i32", "address", "address", "i32", brief=True)
        self.told = function("rwx_story_told", "i32", "address", "address", "i32", brief=True)
        self.facts = function("rwx_story_facts", "i32", "address", "address", "i32", brief=True)
        self.tied = function("rwx_story_tied", "i32", "address", "address", "i32", brief=True)


class _Untold(Exception):
    """Only Python can tell this story."""


class Tale:
    """What one player has noticed, for one thread. `nodes` are the links of the trail that are in it, `ends` how many
    events it had behind each of them."""

    def __init__(self, engine: Engine, player: int, failures: int = 0) -> None:
        self._engine, self.player, self.failures = engine, player, failures
        self._functions, self._meta = engine.tales, engine.meta
        rows = array("i", engine.rows_and_kinds)
        self._held = Held(self._functions.make(rows.buffer_info()[0], len(rows)), self._functions.free)
        self._pointer = engine.library.pointer(self._held.address)
        self._words = Struct(f"<{2 * max(1, (self._meta.pieces + 63) // 64)}i")
        self._forget()

    def _forget(self) -> None:
        self._nodes: list[Chain] = []
        self._ends: list[int] = []
        self._index: dict[int, int] = {}  # of a node by its id: how many nodes there are up to it
        self._events: list[Event] = []
        self._facts: dict[int, Question | None] = {}
        self._natives: dict[int, Held] = {}  # of facts that were part of a walk
        self._asked = False  # whether the last decision is an event

    # ------------------------------------------------------------------ the trail

    def follow(self, chain: Chain) -> None:
        """Makes the tale that of this trail: it goes on from the last link that it has in common with it."""
        new: list[Chain] = []
        while chain and id(chain) not in self._index:
            new.append(chain)
            chain = chain[0]
        self._go_back(self._index[id(chain)] if chain else 0)
        numbers: list[int] = []
        before = len(self._events)
        for node in reversed(new):
            numbers += self._told(node[1])
            self._nodes.append(node)
            self._ends.append(len(self._events))
            self._index[id(node)] = len(self._nodes)
        told = array("i", numbers)
        library = self._engine.library
        if self._functions.add(self._pointer, before, library.pointer(told.buffer_info()[0]), len(told)) < 0:
            raise _Untold

    def _go_back(self, length: int) -> None:
        if length == len(self._nodes):
            return
        for node in self._nodes[length:]:
            del self._index[id(node)]
        del self._nodes[length:], self._ends[length:]
        events = self._ends[-1] if self._ends else 0
        del self._events[events:]
        last = max((n for n, event in enumerate(self._events) if event[0] == ASKED), default=-1)
        self._facts = {number: fact for number, fact in self._facts.items() if number < events and number != last}
        self._natives = {number: one for number, one in self._natives.items() if number in self._facts}
        self._asked = self._last_decision_is_told()

    def _last_decision_is_told(self) -> bool:
        for number in range(len(self._nodes) - 1, -1, -1):
            if self._nodes[number][1][0] == ASKED:
                return self._ends[number] > (self._ends[number - 1] if number else 0)
        return False

    def _told(self, event: Event) -> list[int]:
        """An event in numbers, as rw_tale.h reads them; nothing for one that this player has no part in."""
        kind, player, meta = event[0], self.player, self._meta
        numbers: list[int] = []
        if kind == MIXED:
            if event[1] == player:
                _, is_closed, is_cut = mixing(event)
                pieces = event[2]
                how = _BY_LOOK if event[4] is LOOKED else _BY_CHANCE if event[4] is None else _BY_MOVE
                numbers = [_MIXED, is_closed, is_cut, was_chosen(meta, event), how, len(pieces), *pieces]
        elif kind == SEEN:
            if event[1] == player:
                numbers = [_SEEN, event[2]]
        elif kind == ASKED or kind == FELL:
            numbers = self._told_decision(kind, event)
        elif kind == TOOK:
            if self._asked:
                numbers = [_TOOK]
                asked = self._last_asked()
                self._facts.pop(asked, None)
                self._natives.pop(asked, None)
        elif kind == PICKED:
            if not event[2]:
                numbers = [_LUCKY, event[1], *self._bits(event[3] & (1 << meta.pieces) - 1)]
        elif kind == TOLD:
            read = told_of(meta, event[1], player, event[2], event[3])
            if read.mask:
                how = meta.told_unseen[event[2]] + 2 + 4 * read.is_spread(meta, event[1])
                numbers = [_FELL, how, *self._bits(read.mask)]
        elif kind not in _SAYS_NOTHING:
            raise _Untold
        if numbers:
            self._events.append(event)
        return numbers

    def _told_decision(self, kind: int, event: Event) -> list[int]:
        snapshot = event[1]
        is_own = snapshot.who == self.player
        read = NONE_UNSEEN if is_own else unseen_in(self._meta, snapshot, self.player, snapshot.who)
        if kind == ASKED:
            self._asked = bool(read.mask)
        if not read.mask:
            return []
        how = self._is_python_s(snapshot, event[2]) + 4 * read.is_spread(self._meta, snapshot)
        return [_ASKED if kind == ASKED else _FELL, how, *self._bits(read.mask)]

    def _is_python_s(self, snapshot: Any, picked: tuple[int, ...]) -> bool:
        """Which picks of a set or payment were forced nobody sees: all of them are one fact, which Python makes. If
        nobody even sees that it begins, there is one only where not any set would do."""
        site = self._meta.sites[snapshot.site]
        if site.kind not in ("set", "pay"):
            return False
        if not is_hidden_question(site, snapshot):
            return True
        return not picked and PickedSet.of(self._meta, self.player, snapshot, 0) is not None

    def _last_asked(self) -> int:
        number = len(self._events) - 1
        while self._events[number][0] != ASKED:
            number -= 1
        return number

    def _bits(self, mask: int) -> tuple[int, ...]:
        return self._words.unpack(mask.to_bytes(self._words.size, "little"))

    # ------------------------------------------------------------------ the story

    def story(self, S: Any) -> tuple[array[int], list[ToldFact], list[int]]:
        """The numbers of a walk from S, its facts, and the pieces of which more is known than the mixes say."""
        functions, room = self._functions, self._engine.context
        told = array("i", self._now(S))
        where = self._engine.library.pointer(told.buffer_info()[0])
        while (signal := functions.story(self._pointer, where, len(told))) == _STOP:
            count = functions.wanted(self._pointer, room.room_pointer, ROOM)
            wanted = room.numbers[: 2 * count].tolist() if count > 0 else []
            if not wanted:
                raise _Untold
            for number, what in dict.fromkeys(zip(wanted[::2], wanted[1::2], strict=True)):
                self._say(number, what)
        if signal != _GO:
            raise _Untold
        numbers = self._read(functions.told)
        listed = self._read(functions.facts).tolist()
        facts: list[ToldFact] = []
        for number, epoch, taken_in in zip(listed[::3], listed[1::3], listed[2::3], strict=True):
            facts.append((self._native(number), self._fact(number), epoch, taken_in))
        return numbers, facts, self._read(functions.tied).tolist()

    def _native(self, number: int) -> Held:
        """The fact of an event as a walk asks it."""
        found = self._natives.get(number) or native_fact(self._engine, self._fact(number))
        if found is None:
            raise _Untold
        self._natives[number] = found
        return found

    def _read(self, function: Any) -> array[int]:
        room = self._engine.context
        count = function(self._pointer, room.room_pointer, ROOM)
        if count < 0:
            raise _Untold
        return array("i", room.numbers[:count])

    def _now(self, S: Any) -> list[int]:
        meta, mixes = self._meta, S.kn[self.player]
        has_owners = self._has_owners
        found = [int(has_owners), int(not S.fd and not has_owners), *S.at[: meta.pieces]]
        found += self._bits(known_pieces(meta, mixes))
        found.append(len(mixes.several))
        for mix in mixes.several:
            found += self._bits(mix)
        groups = exchangeable(S, meta, self.player)
        found.append(len(groups))
        for group in groups:
            found.append(len(group))
            found += group
        return found

    @cached_property
    def _has_owners(self) -> bool:
        return "piece" in {one.owner for one in self._meta.fields} | {one.owner for one in self._meta.places}

    def _fact(self, number: int) -> Question:
        """The fact of an event. Of a decision that was answered it knows what was taken."""
        if number not in self._facts:
            self._facts[number] = self._made(number)
        found = self._facts[number]
        assert found is not None
        return found

    def _made(self, number: int) -> Question | None:
        event, meta, player = self._events[number], self._meta, self.player
        if event[0] == FELL:
            return Fell.of(meta, player, event[1], event[2], event[3], 0)
        if event[0] == TOLD:
            return Told.of(meta, player, event[1], event[2], event[3], event[4], 0)
        return Asked.of(meta, player, event[1], event[2], 0)

    def _say(self, number: int, what: int) -> None:
        if what == _IDLE:
            signal = self._functions.idle(self._pointer, number, int(self._fact(number).is_idle()))
        else:
            fact = self._facts[number] = self._made(number)
            told = array("i", self._described(number, fact))
            where = self._engine.library.pointer(told.buffer_info()[0])
            signal = self._functions.fact(self._pointer, number, where, len(told))
        if signal != _GO:
            raise _Untold

    def _described(self, number: int, fact: Question | None) -> list[int]:
        """A fact as rwx_tale_fact reads it."""
        if fact is None:
            return [0, 0, 0, 0, 0, 0, 0, *self._bits(0), 0]
        alike: list[int] = []
        is_kept = has_taken = visible = False
        if isinstance(fact, Asked):
            visible, option = fact.visible, self._option(number)
            if option is not None:
                alike, is_kept = fact.taken_by(self._meta, self.player, option, 0)
            has_taken = fact.taken is not None
        chosen = fact.chosen()
        strict, hands = fact.looked_at
        head = [1, isinstance(fact, Asked), visible, is_kept, has_taken, len(alike), *alike, len(chosen), *chosen]
        return [*head, *self._bits(strict), len(hands), *[n for hand in hands for n in self._bits(hand)]]

    def _option(self, number: int) -> int | None:
        """What was taken at a decision, or None if it is pending."""
        for event in self._events[number + 1 :]:
            if event[0] == TOOK:
                return event[1]  # type: ignore[no-any-return]
            if event[0] == ASKED:
                return None
        return None


class ToldCourse(NativeCourse):
    """What all walks of a dealer have in common, from a tale."""

    def __init__(
        self, engine: Engine, S: Any, player: int, told: array[int], facts: list[ToldFact], tied: list[int]
    ) -> None:
        self.engine, self._facts = engine, facts
        self.pieces, self.numbers = engine.meta.pieces, 0
        self.told, self.facts = told, [fact[0] for fact in facts]
        self._home = Home(S, engine.meta, S.kn[player].numbers, tied)
        self._begin()

    def fact(self, number: int) -> Question:
        """A copy: facts are shared by all stories, and each has epochs of its own."""
        _, fact, epoch, taken_in = self._facts[number]
        found = copy(fact)
        found.epoch = epoch
        if isinstance(found, Asked):
            found.taken_in = taken_in
        return found

    @property
    def home(self) -> tuple[list[int], list[int]]:
        return (self._home.mixes, self._home.tied) if self._home.tied else ([], [])

    def bring_home(self, new: list[int]) -> None:
        if self._home.tied:
            bring_home_if_astray(self._home, new)


def told_course(engine: Engine, S: Any, player: int) -> ToldCourse | None:
    """The course of a dealer by way of a tale; None if its story is Python's."""
    if S.ev is None or not engine.library.steady or not is_about_pieces(S, engine.meta, player):
        return None
    try:
        tales = engine.context.tales
        if player not in tales:
            tales[player] = Tale(engine, player)
        tale = tales[player]
        if tale is None:
            return None
        try:
            tale.follow(S.ev)
        except _Untold:
            # A trail with something that no tale can hold. It is read anew if there may be another one without.
            tales[player] = Tale(engine, player, tale.failures + 1) if tale.failures < _MOST_FAILURES else None
            return None
        return ToldCourse(engine, S, player, *tale.story(S))
    except (_Untold, NativeUnavailable):
        return None


def is_about_pieces(S: Any, meta: Meta, player: int) -> bool:
    """Whether all that a player may not know of such games is which piece lies where."""
    if meta.works_out or meta.unseen_slots or meta.uneven_blocks or meta.marks_unseen or meta.labels_tell:
        return False
    if any(place.uncounted for place in meta.places):
        return False
    return not S.machine.unseen_by(player)
