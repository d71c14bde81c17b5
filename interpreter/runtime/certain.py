"""What is certain to happen if an option is taken: as far as the player who decides can tell beforehand.

The option is taken on a copy and the rules run on, as in a trial, until somebody is asked, chance falls, or the rules
look at something that this player does not see. So nothing hidden can have any part in what has happened up to there,
and the answer is the same in every world that the player thinks possible. No worlds have to be drawn for it.

What the player does not see is watched: closed places (`reading`), and the numbers of secret fields, of closed slots
and of what belongs to pieces in closed places. Looking at any of it raises `Unseen` at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .eyes import own_offsets
from .faults import Carried, Ended, Refused, Trouble
from .meta import Meta
from .trials import NO_LOOP
from .unseen import unseen_by

_BOX = -1


class Unseen(Exception):
    """The rules look at something that the player who looks ahead does not see."""


@dataclass(frozen=True)
class Outcome:
    """What an option surely changes: fields by offset, and where pieces go. `is_complete`: the rules ran up to the next
    decision, or to the end of the game; otherwise more follows that cannot be foreseen."""

    fields: dict[int, tuple[int, int]]  # offset: before, after
    moves: dict[int, tuple[int, int]]  # piece: place before, place after (-1: the box)
    is_complete: bool


class Watched(list[int]):
    """The pieces of a closed place: they may be counted, and nothing else."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) and index == slice(None):
            return type(self)(list.__iter__(self))
        raise Unseen

    def __iter__(self) -> Iterator[int]:
        raise Unseen

    __reversed__ = __contains__ = __eq__ = __add__ = index = count = pop = sort = __iter__  # type: ignore[assignment]
    __hash__ = None


class Uncounted(Watched):
    """The pieces of a closed place that may not even be counted."""

    __slots__ = ()

    def __len__(self) -> int:
        raise Unseen


class Numbers(list[int]):
    """The numbers of a state; `closed` are the offsets that the player does not see."""

    __slots__ = ("closed",)

    def __init__(self, numbers: Iterable[int], closed: frozenset[int]) -> None:
        super().__init__(numbers)
        self.closed = closed

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if index == slice(None):
                return Numbers(list.__iter__(self), self.closed)
            if any(offset in self.closed for offset in range(*index.indices(len(self)))):
                raise Unseen
        elif index in self.closed:
            raise Unseen
        return list.__getitem__(self, index)

    def __iter__(self) -> Iterator[int]:
        raise Unseen


class Whereabouts(list[int]):
    """Where each piece is. To ask it of a piece in a closed place, or of one in the box that may be mistaken for
    another, raises `Unseen`."""

    __slots__ = ("closed", "unsure")

    def __init__(self, at: Iterable[int], closed: frozenset[int], unsure: frozenset[int]) -> None:
        super().__init__(at)
        self.closed, self.unsure = closed, unsure

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if index == slice(None):
                return Whereabouts(list.__iter__(self), self.closed, self.unsure)
            raise Unseen
        place = list.__getitem__(self, index)
        if place in self.closed or (place == _BOX and index in self.unsure):
            raise Unseen
        return place

    def __iter__(self) -> Iterator[int]:
        raise Unseen

    count = __contains__ = __iter__  # type: ignore[assignment]


class Foresight:
    """Looks ahead from one position for the player who decides there. `state` has to be one of Python's own."""

    def __init__(self, state: Any) -> None:
        self.meta: Meta = state.meta
        self.machine, self.player = state.machine, state.who
        base = state.fork()
        self.f, self.at = list(base.f), list(base.at)
        self.is_blind = _is_spoken_of(base, self.meta, self.player)
        self.base = base if self.is_blind else _watched(base, self.meta, self.machine, self.player)
        self.trials = 0  # how many trials were made for all options together

    def outcome(self, raw: int) -> Outcome | None:
        """What an option surely does; None if nothing can be said."""
        if self.is_blind:
            return None
        T = self.base.trial_copy()
        T.looker, T.tb = self.player, NO_LOOP
        is_complete = False
        try:
            self.machine.take(T, raw)
            code, k = self.machine.trial_code, T.k
            for _ in range(self.machine.trial_steps):
                if code[k[-1][0]](T, k[-1]):
                    is_complete = True
                    break
        except Ended:
            is_complete = True
        except (Unseen, Carried):
            pass
        except (Trouble, Refused, RecursionError):
            return None
        return self._differences(T, is_complete)

    def _differences(self, T: Any, is_complete: bool) -> Outcome:
        fields = {
            offset: (before, after)
            for offset, (before, after) in enumerate(zip(self.f, list.__iter__(T.f), strict=True))
            if before != after and offset >= self.meta.slots
        }
        moves = {
            piece: (before, after)
            for piece, (before, after) in enumerate(zip(self.at, list.__iter__(T.at), strict=True))
            if before != after and piece < self.meta.pieces
        }
        return Outcome(fields, moves, is_complete)


def open_state(state: Any, player: int | None) -> Any | None:
    """A copy that raises `Unseen` when something is read that `player` does not see (None: that not everybody sees);
    None if pieces out of sight could be read without a look. For questions about a position, not for playing on."""
    copy = state.fork()
    return None if _is_spoken_of(copy, copy.meta, player) else _watched(copy, copy.meta, copy.machine, player)


def _watched(T: Any, meta: Meta, machine: Any, player: int | None) -> Any:
    """Makes a state raise `Unseen` when something is looked at that the player does not see."""
    closed = _closed_places(meta, player)
    pieces = {piece for piece, place in enumerate(T.at[: meta.pieces]) if place in closed}
    closed |= {place for place, carrier in enumerate(meta.carriers) if carrier in pieces}
    offsets = set(machine.unseen_by(player) if player is not None else unseen_by(meta, None))
    offsets.update(place - meta.lists for place in closed if place >= meta.lists)
    for piece in pieces:
        offsets.update(own_offsets(meta, piece))
    unsure = _unsure_in_box(meta)
    for place in closed:
        if place < meta.lists:
            of = meta.places[meta.place_of[place]]
            T.p[place] = (Uncounted if of.uncounted else Watched)(T.p[place])
    T.f = Numbers(T.f, frozenset(offsets))
    T.at = Whereabouts(T.at, closed, unsure)
    return T


def _unsure_in_box(meta: Meta) -> frozenset[int]:
    """Pieces of which nobody can tell whether they are in the box: others of their kind lie in closed places."""
    return frozenset(piece for piece in range(meta.pieces) if meta.piece_kind[piece] not in meta.open_kinds)


def _closed_places(meta: Meta, player: int | None) -> frozenset[int]:
    """The places that a player does not see into; without a player all that are not open."""
    if player is None:
        return frozenset(n for n, of in enumerate(meta.place_of) if meta.places[of].visibility != "open")
    return frozenset(place for place, seers in enumerate(meta.sees) if not seers >> player & 1)


def _is_spoken_of(T: Any, meta: Meta, player: int | None) -> bool:
    """True if a local of a running rule, or a field, names a piece that the player cannot see: what is printed on it
    could be read without a look at where it lies. Also true while pieces lie face down."""
    if T.fd:
        return True
    closed, unsure, at = _closed_places(meta, player), _unsure_in_box(meta), T.at

    def is_out_of_sight(x: Any) -> bool:
        # A piece in the box may be mistaken for one that lies in a closed place.
        return isinstance(x, int) and 0 <= x < len(at) - 1 and (at[x] in closed or (at[x] == _BOX and x in unsure))

    for frame in T.k:
        for slot in meta.naming_slots.get(frame[0], ()):
            value = frame[slot] if slot < len(frame) else -1
            if any(is_out_of_sight(x) for x in (value if isinstance(value, tuple | list) else (value,))):
                return True
    for field in meta.fields:
        if field.thing == "piece":
            size = 1
            for _, _, count in field.dimensions:
                size *= count
            if any(is_out_of_sight(x) for x in T.f[field.base : field.base + size]):
                return True
    return False
