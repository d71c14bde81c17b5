"""The pieces that a question may look at and a player does not see, place by place.

In a hand it matters what is in it, not in which order. Such a place is *loose*: exchange two pieces in there, and no
question notices. But it is not loose if something tells its pieces apart that goes with the position: a field of the
piece, something that it carries, a rule at work that names one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .meta import Meta
from .mixes import mask_of
from .reading import spoken_of
from .renaming import Block
from .tallies import Places
from .trail import TOLD


def unseen_places(meta: Meta, S: Any, player: int, decider: int | None) -> list[int]:
    """The pieces in play that the player does not see where they lie, but the decider does (None: any of them).

    Behind `reveal p.hand to q` a decision of q may rest on that hand: what the decider knows counts as seen. In a game
    that shows nothing to one player alone nobody decides by more than what lies before the eyes."""
    mine = 1 << player
    theirs = -1 if decider is None else 1 << decider
    unknown = -1 if decider is None or S.kn is None or not meta.shows_to_one else S.kn[decider].hidden
    sees, down, top_open = meta.sees, S.fd, meta.top_open
    found = []
    for piece, place in enumerate(S.at[: meta.pieces]):
        if place < 0 or (sees[place] & mine and not down >> piece & 1):
            continue
        if decider is None or sees[place] & theirs or not unknown >> piece & 1:
            if place in top_open and S.p[place][0] == piece:
                continue
            found.append(piece)
    return found


class Unseen:
    """What `unseen_places` finds in a snapshot, as a tuple and as a bit mask, and the same by place."""

    __slots__ = ("_is_spread", "_places", "mask", "pieces")

    def __init__(self, pieces: list[int]) -> None:
        self.pieces, self.mask = tuple(pieces), mask_of(pieces)
        self._places: Places | None = None
        self._is_spread: bool | None = None

    def is_spread(self, meta: Meta, S: Any) -> bool:
        """Whether they lie in several places, or in some order."""
        if self._is_spread is None:
            places = {S.at[piece] for piece in self.pieces}
            self._is_spread = len(places) > 1 or not all(_is_unordered(meta, place) for place in places)
        return self._is_spread

    def places(self, meta: Meta, S: Any) -> Places:
        if self._places is None:
            self._places = by_place(meta, S, self.pieces)
        return self._places


NONE_UNSEEN = Unseen([])


def unseen_in(meta: Meta, snapshot: Any, player: int, decider: int | None) -> Unseen:
    """`unseen_places` of a snapshot, which never changes: every story that comes asks for the same."""
    kept, key = snapshot.answers, ("unseen", player, decider)
    found: Unseen | None = kept.get(key)
    if found is None:
        found = kept[key] = Unseen(unseen_places(meta, snapshot, player, decider))
    return found


def turned_on(meta: Meta, event: Any, player: int, decider: int | None) -> Unseen:
    """The unseen pieces that a decision may turn on, or a value that was told."""
    if event[0] == TOLD:
        return told_of(meta, event[1], player, event[2], event[3])
    return unseen_in(meta, event[1], player, decider)


def told_of(meta: Meta, snapshot: Any, player: int, number: int, arguments: Sequence[Any]) -> Unseen:
    """The unseen pieces that a value which was told to all may turn on. `public(p.role == spy)` tells nothing of hands;
    and that it was told is soon forgotten, if roles are shuffled again and hands are not."""
    unseen, looks = unseen_in(meta, snapshot, player, None), meta.told_looks.get(number)
    # What a rule at work holds may come of any pieces; so may a value that is told of such a local.
    if looks is None or meta.told_unseen[number] or not unseen.pieces:
        return unseen
    kept, key = snapshot.answers, ("told", player, number, tuple(arguments))
    found: Unseen | None = kept.get(key)
    if found is None:
        at, closed = snapshot.at, {snapshot.at[piece] for piece in unseen.pieces}
        read = closed & {*looks, *spoken_of(snapshot, closed), *(place for place in closed if place >= meta.lists)}
        bound = {x for x, thing in zip(arguments, meta.told[number], strict=True) if thing == "piece"}
        found = kept[key] = Unseen([piece for piece in unseen.pieces if at[piece] in read or piece in bound])
    return found


def by_place(meta: Meta, S: Any, pieces: Sequence[int]) -> Places:
    """Pieces with nothing of their own are told apart in unordered places only by what they are, unless a field or a
    rule at work names one of them: `(q.mark).rank` is not the same for each order of two cards in a hand."""
    named = _named(meta, S)
    places: dict[int, list[int]] = {}
    for piece in pieces:
        places.setdefault(S.at[piece], []).append(piece)
    return tuple(
        (_is_unordered(meta, place) and named.isdisjoint(x) and _are_alike(S, x), tuple(x))
        for place, x in places.items()
    )


def _is_unordered(meta: Meta, place: int) -> bool:
    return place < meta.lists and meta.unordered[place]


def _are_alike(S: Any, pieces: Sequence[int]) -> bool:
    """Whether nothing tells these pieces apart but what is printed on them: their fields are alike, they carry nothing,
    and lie the same way up."""
    renaming, f = S.machine.renaming, S.f
    if not renaming.is_simple:
        return False  # fields that pieces are an index of, beside another owner
    if S.fd and len({S.fd >> piece & 1 for piece in pieces}) > 1:
        return False
    for base, low, count, each in renaming.blocks:
        own = [base + (piece - low) * each if low <= piece < low + count else -1 for piece in pieces]
        if len({tuple(f[first : first + each]) if first >= 0 else None for first in own}) > 1:
            return False
    return all(_carries_nothing(S, block, pieces) for block in renaming.carried)


def _carries_nothing(S: Any, block: Block, pieces: Sequence[int]) -> bool:
    base, low, count, each = block
    lists = S.meta.lists
    own = [base + (piece - low) * each + step for piece in pieces if low <= piece < low + count for step in range(each)]
    return all(not S.p[place] if place < lists else S.f[place - lists] < 0 for place in own)


def _named(meta: Meta, S: Any) -> set[int]:
    """The pieces that fields and the rules at work name."""
    named: set[int] = set()
    for first, last in S.machine.renaming.names:
        named.update(S.f[first:last])
    for frame in S.k:
        for slot in S.machine.renaming.slots.get(meta.segment_routine[frame[0]], ()):
            if slot < len(frame):
                value = frame[slot]
                named.update(value if isinstance(value, tuple | list) else (value,))
    return named
