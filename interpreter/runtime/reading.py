"""Which closed places a question looks into.

Whether a decision would have been posed in a world is found by asking it again, which may take a thousandth of a
second. Most decisions never look at what the player does not know: where a pawn may go does not depend on the cards in
its owner's hand. So the question is asked on a state whose closed places notice when somebody looks into them. As long
as a world has the same in the places that were read, the answer is the same, whatever lies in the others; if none was
read, it is the same in all worlds, and the fact says nothing.

To count the pieces of a place is not to look into it: how many there are is the same in every world. To ask where a
piece is tells of the place in which it is, and if that is none of the watched ones nor open, of any of them.

A whole step of the game (`steps`) moves pieces that it does not ask anything of: the card that is drawn to refill the
market lies on top of the deck, and the others below it do not matter. So there it is noted which pieces are looked at
(`noticing_pieces`), each by the position at which it lay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

from .meta import Meta


class Noted(list[int]):
    """The pieces of a place that was read. Nothing more is noted of it: it is a list like any other."""

    __slots__ = ("is_unordered", "place", "read")

    place: int
    read: set[int]
    is_unordered: bool

    __hash__ = None


class Contents(Noted):
    """The pieces of a watched place. Copies are watched as well; the length tells nothing."""

    __slots__ = ()

    def __init__(self, pieces: Iterable[int], place: int, read: set[int]) -> None:
        super().__init__(pieces)
        self.place, self.read = place, read

    def _note(self) -> None:
        self.read.add(self.place)
        self.__class__ = Noted  # type: ignore[assignment]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) and index == slice(None):
            return Contents(list.__iter__(self), self.place, self.read)
        self._note()
        return list.__getitem__(self, index)

    def __iter__(self) -> Iterator[int]:
        self._note()
        return list.__iter__(self)

    def __reversed__(self) -> Iterator[int]:
        self._note()
        return list.__reversed__(self)

    def __contains__(self, piece: object) -> bool:
        self._note()
        return list.__contains__(self, piece)

    def __eq__(self, other: object) -> bool:
        self._note()
        return list.__eq__(self, other)

    __hash__ = None

    def __add__(self, other: Any) -> Any:
        self._note()
        return list.__add__(self, other)

    def copy(self) -> Any:
        return self[:]

    def index(self, *args: Any) -> int:
        self._note()
        return list.index(self, *args)

    def count(self, piece: int) -> int:
        self._note()
        return list.count(self, piece)

    def pop(self, *args: Any) -> int:
        self._note()
        return list.pop(self, *args)

    def sort(self, **how: Any) -> None:
        self._note()
        list.sort(self, **how)


class Whereabouts(list[int]):
    """Where each piece is. `places` are those that are watched, `open_places` those that everybody concerned sees."""

    __slots__ = ("open_places", "places", "read")

    def __init__(self, at: Iterable[int], places: frozenset[int], open_places: frozenset[int], read: set[int]) -> None:
        super().__init__(at)
        self.places, self.open_places, self.read = places, open_places, read

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if index == slice(None):
                return Whereabouts(list.__iter__(self), self.places, self.open_places, self.read)
            self.read |= self.places
            return list.__getitem__(self, index)
        place = list.__getitem__(self, index)
        if place in self.places:
            self.read.add(place)
        elif place not in self.open_places:
            self.read |= self.places
        return place

    def __iter__(self) -> Iterator[int]:
        self.read |= self.places
        return list.__iter__(self)

    def count(self, place: int) -> int:
        self.read |= self.places
        return list.count(self, place)

    def __contains__(self, place: object) -> bool:
        self.read |= self.places
        return list.__contains__(self, place)


class Faces(int):
    """Which pieces lie face down: a bit for each. To ask it of one piece tells of the place where it is."""

    at: Whereabouts

    @staticmethod
    def of(down: int, at: Whereabouts) -> Faces:
        made = Faces(down)
        made.at = at
        return made

    def __rshift__(self, piece: int) -> int:
        self.at[piece]
        return int.__rshift__(self, piece)

    def __and__(self, mask: int) -> Faces:
        if mask >= 0:  # a negative mask lays one piece face up and leaves the others
            self.at.read |= self.at.places
        return Faces.of(int.__and__(self, mask), self.at)

    def __or__(self, mask: int) -> Faces:
        return Faces.of(int.__or__(self, mask), self.at)


class Pieces(Contents):
    """The same, and which of the pieces are looked at: `read` holds pieces. To ask whether a piece is there looks at
    that piece alone. In a place without an order the first one is the first because of all the others."""

    __slots__ = ()

    def __init__(self, pieces: Iterable[int], place: int, read: set[int], is_unordered: bool) -> None:
        super().__init__(pieces, place, read)
        self.is_unordered = is_unordered

    def _all(self) -> None:
        self.read.update(list.__iter__(self))
        self.__class__ = AllNoted  # type: ignore[assignment]

    def _some(self, pieces: Iterable[int]) -> None:
        if self.is_unordered:
            self._all()
        else:
            self.read.update(pieces)

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        if isinstance(index, slice):
            if index == slice(None):
                return Pieces(found, self.place, self.read, self.is_unordered)
            self._some(found)
        else:
            self._some((found,))
        return found

    def __iter__(self) -> Iterator[int]:
        self._all()
        return list.__iter__(self)

    def __reversed__(self) -> Iterator[int]:
        self._all()
        return list.__reversed__(self)

    def __contains__(self, piece: object) -> bool:
        self.read.add(piece)  # type: ignore[arg-type]
        return list.__contains__(self, piece)

    def __eq__(self, other: object) -> bool:
        self._all()
        return list.__eq__(self, other)

    __hash__ = None

    def __add__(self, other: Any) -> Any:
        self._all()
        return list.__add__(self, other)

    def index(self, *args: Any) -> int:
        self._some(args[:1])
        return list.index(self, *args)

    def count(self, piece: int) -> int:
        self.read.add(piece)
        return list.count(self, piece)

    def pop(self, *args: Any) -> int:
        self._some((list.__getitem__(self, args[0] if args else -1),))
        return list.pop(self, *args)

    def sort(self, **how: Any) -> None:
        self._all()
        list.sort(self, **how)


class AllNoted(Noted):
    """Pieces that all have been looked at, until more of them come."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        if isinstance(index, slice) and index == slice(None):
            return self._watched(found)
        return found

    def copy(self) -> Any:
        return self[:]

    def __setitem__(self, index: Any, pieces: Any) -> None:
        self._watch()
        list.__setitem__(self, index, pieces)

    def __iadd__(self, pieces: Iterable[int]) -> Any:  # type: ignore[misc, override]
        self._watch()
        return list.__iadd__(self, pieces)

    def append(self, piece: int) -> None:
        self._watch()
        list.append(self, piece)

    def extend(self, pieces: Iterable[int]) -> None:
        self._watch()
        list.extend(self, pieces)

    def insert(self, index: Any, piece: int) -> None:
        self._watch()
        list.insert(self, index, piece)

    def _watch(self) -> None:
        self.__class__ = Pieces  # type: ignore[assignment]

    def _watched(self, pieces: Iterable[int]) -> Pieces:
        return Pieces(pieces, self.place, self.read, self.is_unordered)


class PieceWhereabouts(Whereabouts):
    """Where each piece is, noted by piece. `unseen`: all that may lie elsewhere in another world."""

    __slots__ = ("unseen",)

    def __init__(
        self,
        at: Iterable[int],
        places: frozenset[int],
        open_places: frozenset[int],
        read: set[int],
        unseen: frozenset[int],
    ) -> None:
        super().__init__(at, places, open_places, read)
        self.unseen = unseen

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        if not isinstance(index, slice):
            if found not in self.open_places:
                self.read.add(index)
            return found
        if index == slice(None):
            return PieceWhereabouts(found, self.places, self.open_places, self.read, self.unseen)
        self.read |= self.unseen
        return found

    def __iter__(self) -> Iterator[int]:
        self.read |= self.unseen
        return list.__iter__(self)

    def count(self, place: int) -> int:
        self.read |= self.unseen
        return list.count(self, place)

    def __contains__(self, place: object) -> bool:
        self.read |= self.unseen
        return list.__contains__(self, place)


class PieceFaces(Faces):
    """Which pieces lie face down, noted by piece."""

    at: PieceWhereabouts

    @staticmethod
    def of(down: int, at: Any) -> PieceFaces:
        made = PieceFaces(down)
        made.at = at
        return made

    def __and__(self, mask: int) -> PieceFaces:
        if mask >= 0:
            self.at.read |= self.at.unseen
        return PieceFaces.of(int.__and__(self, mask), self.at)

    def __or__(self, mask: int) -> PieceFaces:
        return PieceFaces.of(int.__or__(self, mask), self.at)


class Watch:
    """What is watched in all worlds of one question of one player: these places."""

    def __init__(self, meta: Meta, player: int, places: Iterable[int]) -> None:
        self.closed = frozenset(places)
        self.lists = [place for place in self.closed if place < meta.lists]
        self.slots = [place for place in self.closed if place >= meta.lists]
        self.seen = frozenset(place for place, seers in enumerate(meta.sees) if seers >> player & 1) - self.closed | {
            -2
        }


def watched(T: Any, watch: Watch) -> set[int]:
    """Makes the state notice which of these places are looked into; gives the set that will hold them."""
    read = set(watch.slots)  # a slot is a number of the array, which nobody watches
    at: list[int] = T.at
    read |= spoken_of(T, watch.closed)
    for place in watch.lists:
        T.p[place] = Contents(T.p[place], place, read)
    T.at = Whereabouts(at, watch.closed, watch.seen, read)
    T.fd = Faces.of(T.fd, T.at)
    return read


def noticing_pieces(T: Any, watch: Watch, unseen: frozenset[int]) -> set[int]:
    """Makes the state notice which pieces of these places are looked at; gives the set that will hold them."""
    meta, at = T.meta, T.at
    read = {T.f[place - meta.lists] for place in watch.slots}
    for place in spoken_of(T, watch.closed):
        read.update(T.p[place] if place < meta.lists else ())
    for place in watch.lists:
        T.p[place] = Pieces(T.p[place], place, read, bool(meta.unordered[place]))
    T.at = PieceWhereabouts(at, watch.closed, watch.seen, read, unseen)
    T.fd = PieceFaces.of(T.fd, T.at)
    return read


def spoken_of(T: Any, closed: Set[int]) -> set[int]:
    """Those of the closed places that can be told of without looking into them: a local or a field names one of their
    pieces, or the pieces have fields of their own or carry something."""
    at: list[int] = T.at
    meta, renaming, named = T.meta, T.machine.renaming, set[int]()
    owning = [(low, count) for _, low, count, _ in (*renaming.blocks, *renaming.carried)]
    if owning:
        for place in closed:
            pieces = T.p[place] if place < meta.lists else [T.f[place - meta.lists]]
            if any(low <= piece < low + count for piece in pieces for low, count in owning):
                named.add(place)
    for frame in T.k:
        for slot in renaming.slots.get(meta.segment_routine[frame[0]], ()):
            value = frame[slot]
            named.update(at[x] for x in (value if isinstance(value, tuple) else (value,)) if _is_piece(x, at))
    for first, last in renaming.names:
        named.update(at[x] for x in T.f[first:last] if _is_piece(x, at))
    return named & closed


def _is_piece(value: Any, at: list[int]) -> bool:
    return isinstance(value, int) and 0 <= value < len(at)
