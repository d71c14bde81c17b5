"""What a player has learnt of others without seeing it, and how a world is tested against it.

A fact keeps the state as it was (a snapshot) and what came of it. Whether it would have come out the same in a world
is found by asking again: the snapshot with its pieces renamed as the world has them runs the very code that ran in
the game. So a condition is never written a second time, and whatever a decision turns on (filters, requirements,
affordability, trials of what follows) is in it. Which facts there are is in `questions` and `steps`.

The answer is kept by what the question looked at (`reading`), since most exchanges lead to a hand that was looked at
before, or touch something that the question never looks at. What lies there is told by a sum (`tallies`), and pieces
that the question cannot tell apart (`Meta.sorts`) count as the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from .meta import Meta
from .mixes import mask_of
from .reading import Watch, spoken_of, watched
from .tallies import Places, Tally

_EVERYWHERE = -1  # a mask of all places: native code does not notice where it looks


class Naming:
    """A renaming of the pieces and its inverse: at the position of piece x a world has `new[x]`."""

    __slots__ = ("new", "old")

    def __init__(self, new: list[int], old: list[int]) -> None:
        self.new, self.old = new, old

    def exchange(self, one: int, other: int) -> None:
        """What a world calls `one` is called `other`, and the other way round."""
        new, old = self.new, self.old
        x, y = old[one], old[other]
        new[x], new[y] = other, one
        old[one], old[other] = y, x


@dataclass
class Fact(ABC):
    """What all facts have: the snapshot, its epoch, the unseen pieces and numbers that it may turn on."""

    snapshot: Any
    epoch: int
    pieces: tuple[int, ...]
    places: Places = ()  # the same by place: (order does not matter, pieces)
    bound: int = 0  # how many of `places`, the last ones, are pieces that the question speaks of in any case
    numbers: tuple[tuple[int, int], ...] = ()  # (which unknown number of the story, its offset) it may turn on
    player: int = -1
    sorts: Sequence[int] = ()  # of each piece: what the question can tell of it at most (`Meta.sorts`)
    answers: dict[int, dict[Any, Any]] = field(default_factory=dict)  # by the mask of the places that were read
    partner: Fact | None = None  # the fact whose answer depends on another epoch's renaming as well
    watch: Watch | None = None
    failures: int = 0  # how often it did not hold: those that fail often are asked first
    shared: dict[Any, Any] = field(default_factory=dict)  # with all facts of this question, in any story
    before: Any = None  # the step (`steps`) that led here, if a rule at work holds a number that somebody does not know

    @abstractmethod
    def holds(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> bool:
        """True if it would have come out the same. `shifts` holds, for each unknown number of the story, how far the
        world's value is from the true one, and then the result of each step in the world."""

    def can_fail(self) -> bool:
        """Whether anything was learnt from it at all."""
        return True

    def chosen_in(self, epoch: int) -> Sequence[int] | None:
        """The pieces that were chosen, if the renaming of this epoch says which they are; None if that takes another
        epoch's."""
        return ()

    def chosen(self) -> tuple[int, ...]:
        """The pieces that were chosen, where that is kept."""
        return ()

    def read_in(self) -> tuple[int, ...]:
        """The epochs whose renamings it turns on."""
        return (self.epoch,)

    def draws(self) -> bool:
        """Whether a world draws numbers in the middle of it."""
        return False

    def with_answers(self, player: int, sorts: Sequence[int]) -> Self:
        """Answers are kept with the snapshot: the next world for this player asks much the same."""
        self.player, self.sorts = player, sorts
        self.answers = self.snapshot.answers.setdefault(player, {})
        return self

    def move_to(self, number: dict[int, int]) -> None:
        """Epochs have got other numbers."""
        self.epoch = number[self.epoch]

    @cached_property
    def tally(self) -> Tally:
        found: Tally | None = self.shared.get("tally")
        if found is None:
            found = self.shared["tally"] = Tally(self.places, self.sorts)
        return found

    @cached_property
    def mask(self) -> int:
        """The bit mask of its pieces."""
        return mask_of(self.pieces)

    @cached_property
    def looked_at(self) -> tuple[int, list[int]]:
        """The positions that it looks at one by one, and the sets of positions that it looks at as a whole."""
        hands = [mask_of(pieces) for is_loose, pieces in self.places if is_loose]
        strict = self.mask & ~sum(hands)  # a piece lies in one place
        strict |= mask_of(piece for is_loose, pieces in self.places if not is_loose for piece in pieces)
        return strict, hands

    def is_idle(self) -> bool:
        """True if the question looks at nothing that may differ in a world."""
        return not self.numbers and self.before is None and not self.may_look

    @cached_property
    def may_look(self) -> bool:
        """Whether the question may look at something that its sum tells of: into a place that it names (`Meta.looks`),
        at a slot, or at a piece that a local or a field names."""
        S, masks = self.snapshot, self.tally.masks
        if any(masks[len(self.places) - self.bound :]):
            return True
        telling = {S.at[x[0]] for mask, (_, x) in zip(masks, self.places, strict=True) if mask}
        looks = self.looks
        if not telling or looks is None:
            return bool(telling)
        if max(telling) >= S.meta.lists or not telling.isdisjoint(looks):
            return True
        return not telling.isdisjoint(spoken_of(S, telling))

    @property
    def looks(self) -> Sequence[int] | None:
        """The places that the question may look into; None for any."""
        return self.snapshot.meta.looks.get(self.snapshot.k[-1][0])  # type: ignore[no-any-return]

    def _key(self, total: int, shifts: Sequence[Any]) -> Any:
        """What was read, as the world has it: pieces, numbers, and what the rules at work hold."""
        if not self.numbers and self.before is None:
            return total
        # Offsets, since the next story may number its unknowns otherwise.
        found = [total, *[(offset, shifts[number]) for number, offset in self.numbers if shifts[number]]]
        if self.before is not None:
            found.append(shifts[self.before.position].frames)
        return tuple(found)

    def world(self, naming: Naming, shifts: Sequence[Any]) -> Any:
        """The snapshot as the world has it."""
        T = self.snapshot.fork()
        T.machine.renaming.apply(self.snapshot, T, naming.new, with_options=False)
        for number, offset in self.numbers:
            T.f[offset] += shifts[number]
        if self.before is not None:
            put_locals(T.meta, T.k, shifts[self.before.position].frames)
        return T


@dataclass
class Part(Fact):
    """The fact of its partner, listed in another epoch whose renaming it turns on: an exchange there asks it too."""

    def holds(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> bool:
        assert self.partner is not None
        return self.partner.holds(renamings, shifts)


@dataclass
class Judged(Fact):
    """A fact that an answer decides. Finding one may be dear, so those that are known are kept."""

    def holds(self, renamings: Sequence[Naming], shifts: Sequence[Any]) -> bool:
        if self.agrees(self.answer(renamings[self.epoch], shifts), renamings):
            return True
        self.failures += 1  # a count that another thread may miss: it says what to ask first, and nothing else
        return False

    def agrees(self, answer: Any, renamings: Sequence[Naming]) -> bool:
        """Whether an answer of the question is what the player was told."""
        return bool(answer)

    def answer(self, naming: Naming, shifts: Sequence[Any]) -> Any:
        """What the question gives in a world. Answers are kept for each set of places that was read."""
        total = self.tally.total(naming.new)
        found = self.known_answer(total, shifts)
        return self.ask(total, naming, shifts) if found is None else found

    @abstractmethod
    def known_answer(self, total: int, shifts: Sequence[Any]) -> Any:
        """The answer, if it was found before for the same sum and numbers; else None."""

    @abstractmethod
    def ask(self, total: int, naming: Naming, shifts: Sequence[Any]) -> Any:
        """Finds the answer in a world whose sum is `total`."""


@dataclass
class Question(Judged):
    """Asked of the snapshot as a world has it."""

    @abstractmethod
    def identity(self) -> tuple[Any, ...]:
        """What tells it from other facts of the same snapshot and player."""

    def known_answer(self, total: int, shifts: Sequence[Any]) -> Any:
        """The answer, if the question was asked before with the same in all that it read; else None."""
        for read, known in tuple(self.answers.items()):  # other threads may add to them
            found = known.get(self._key(total & read, shifts))
            if found is not None:
                return found
        return None

    def ask(self, total: int, naming: Naming, shifts: Sequence[Any]) -> Any:
        """Asks the question in a world whose sum is `total`, and keeps the answer."""
        found = self.asked_natively(naming, shifts)
        if found is None:
            return self._ask_here(total, naming, shifts)
        self.answers.setdefault(_EVERYWHERE, {})[self._key(total, shifts)] = found
        return found

    def _ask_here(self, total: int, naming: Naming, shifts: Sequence[Any]) -> Any:
        """Asks it of a state that notices what is read; the answer holds wherever the same lies in those places."""
        T = self.world(naming, shifts)
        at, masks = self.snapshot.at, self.tally.masks
        noticed = watched(T, self._watch(T.meta, at))
        found = self.asked_in(T, naming)
        spoken_of = len(self.places) - self.bound
        read = sum([masks[n] for n, (_, x) in enumerate(self.places) if n >= spoken_of or at[x[0]] in noticed])
        self.answers.setdefault(read, {})[self._key(total & read, shifts)] = found
        return found

    def asked_natively(self, naming: Naming, shifts: Sequence[Any]) -> Any:
        """The answer from the native engine; None if it cannot be had there."""
        return None

    @abstractmethod
    def asked_in(self, T: Any, naming: Naming) -> Any:
        """The answer of the question in a world; never None."""

    def _watch(self, meta: Meta, at: Sequence[int]) -> Watch:
        """What to watch: the same for all worlds, so it is worked out with the first."""
        if self.watch is None:
            self.watch = Watch(meta, self.player, {at[pieces[0]] for _, pieces in self.places})
        return self.watch


@dataclass
class TakenTogether(Judged):
    """Several pieces of an unseen hand that were taken one by one and have gone. A world took others in their stead,
    and must have been able to. No single pick says that, so all of them are one fact: `could_take` makes the picks
    again, on the snapshot before the first, by the very code that asked. Which pieces a world has taken is told by the
    renaming of a later epoch, in which they have gone."""

    taken: tuple[int, ...] = ()
    taken_in: int = 0  # the epoch by whose renaming these pieces are called
    verdicts: dict[Any, bool] = field(default_factory=dict)

    @abstractmethod
    def could_take(self, naming: Naming, shifts: Sequence[Any], taken: Sequence[int]) -> bool:
        """Whether the world could have taken just these pieces."""

    def gone(self) -> Part:
        return Part(self.snapshot, self.taken_in, self.taken, partner=self)

    def is_idle(self) -> bool:
        return False

    def chosen_in(self, epoch: int) -> Sequence[int] | None:
        return None

    def read_in(self) -> tuple[int, ...]:
        return (self.epoch, self.taken_in)

    def move_to(self, number: dict[int, int]) -> None:
        super().move_to(number)
        self.taken_in = number[self.taken_in]

    def known_answer(self, total: int, shifts: Sequence[Any]) -> Any:
        return None

    def ask(self, total: int, naming: Naming, shifts: Sequence[Any]) -> Any:
        """The question itself: what may be taken turns on another renaming too, so `agrees` makes the picks."""
        return naming, shifts

    def agrees(self, answer: Any, renamings: Sequence[Naming]) -> bool:
        naming, shifts = answer
        called = renamings[self.taken_in].new
        taken = tuple(sorted([called[x] for x in self.taken]))
        key = (tuple([naming.new[x] for x in self.pieces]), taken, self._key(0, shifts))
        found = self.verdicts.get(key)
        if found is None:
            found = self.verdicts[key] = self.could_take(naming, shifts, taken)
        return found


def put_locals(meta: Meta, frames: list[list[Any]], others: Sequence[Sequence[Any]]) -> None:
    """Writes into the frames of a world the unseen numbers that the rules at work hold there."""
    for frame, own in zip(frames, others, strict=True):
        for slot in meta.unseen_slots.get(frame[0], ()):
            frame[slot] = own[slot]


def named_in(meta: Meta, frames: Sequence[Sequence[Any]]) -> Iterator[int]:
    """The pieces that the rules at work name where somebody may not know which."""
    for frame in frames:
        unseen = meta.unseen_slots.get(frame[0], ())
        for slot in meta.naming_slots.get(frame[0], ()) if unseen else ():
            if slot in unseen:
                held = frame[slot]
                yield from (piece for piece in (held if isinstance(held, tuple | list) else (held,)) if piece >= 0)


def called_again(meta: Meta, frames: Sequence[Sequence[Any]], new: Sequence[int]) -> tuple[tuple[Any, ...], ...]:
    """The frames of a world, of which each piece is called otherwise."""
    return tuple([_called_again(meta, frame, new) for frame in frames])


def _called_again(meta: Meta, frame: Sequence[Any], new: Sequence[int]) -> tuple[Any, ...]:
    named = meta.naming_slots.get(frame[0], ())
    return tuple([_name_of(held, new) if slot in named else held for slot, held in enumerate(frame)])


def _name_of(held: Any, new: Sequence[int]) -> Any:
    if isinstance(held, tuple | list):
        return tuple([new[piece] for piece in held])
    return new[held] if held >= 0 else held
