"""Looks at all that lies in an unordered place: a hand that is passed on, or revealed as a whole.

Which of the cards was there first is not seen. That matters only if something turned on a part of them before: if the
question was about the hand as it was when it was seen, in whatever order the cards lay there, the look tells nothing
that the cards themselves do not tell. (If they lay apart then, `left.rank > right.rank` tells which is which.) So what
reads a trail backwards keeps a look in mind until it comes to something that tells its pieces apart. Without that,
every hand that is shown would make all that was told of it matter again.

One look that worlds get wrong is found here too: `was_shown_in_bag`.
"""

from __future__ import annotations

from typing import Any

from .knowledge import BOX, is_unordered
from .meta import Meta
from .mixes import pieces_of
from .trail import ASKED, LOOKED, MIXED, mixing

MOST_LOOKS = 16  # that are kept in mind at a time; as in rw_tale.h


class Looks:
    """What each look saw, as a bit mask, and the number of the event. What ends a look gives the mask of its pieces:
    from there on backwards they may have been others."""

    def __init__(self, meta: Meta) -> None:
        self._meta = meta
        self._kept: list[tuple[int, int]] = []

    def keeps(self, mask: int, number: int) -> bool:
        """Whether there is room for one more."""
        if len(self._kept) == MOST_LOOKS:
            return False
        self._kept.append((mask, number))
        return True

    def told_apart(self, mask: int, is_any: bool = False) -> int:
        """Something turned on these pieces: on a part of those of a look. `is_any`: on all of them will do, too: they
        lay in several places, or got out of sight."""
        return self._end([look for look in self._kept if look[0] & mask and (is_any or look[0] & ~mask)])

    def run_from(self, snapshot: Any, was_asked: bool) -> int:
        """A step may turn on each of the pieces that came in since the decision that it begins with."""
        return self._end([look for look in self._kept if not (was_asked and self._lay_there(look[0], snapshot))])

    def left(self) -> list[int]:
        """The numbers of those looks that say nothing."""
        return [number for _, number in self._kept]

    def _lay_there(self, mask: int, snapshot: Any) -> bool:
        places = {snapshot.at[piece] for piece in pieces_of(mask)}
        return len(places) == 1 and BOX not in places and is_unordered(self._meta, places.pop())

    def _end(self, ended: list[tuple[int, int]]) -> int:
        found = 0
        for look in ended:
            found |= look[0]
            self._kept.remove(look)
        return found


def was_shown_in_bag(S: Any, meta: Meta, player: int) -> bool:
    """Whether a piece went into a bag unseen and was revealed there before anybody was asked, while something is
    unknown that it was out of sight with before. All can tell that it is the one that went; but in a bag every piece
    may be any of them, so a world may have it that the one revealed lay there before."""
    if not meta.bags:
        return False
    chain, fresh, shown = S.ev, 0, (-1, 0)  # shown: the piece, and all that lay in the bag
    hidden = S.kn[player].hidden
    while chain:
        chain, event = chain
        if event[0] == ASKED:
            shown = (-1, 0)
        elif event[0] == MIXED and event[1] == player:
            mask, is_closed, _ = mixing(event)
            if event[4] is not None and event[4] is not LOOKED:
                shown = (event[2][0], mask)
            elif event[4] is None and mask == shown[1] and not is_closed:
                beside = event[3].mix_of(1 << shown[0]) & ~(1 << shown[0])
                if beside & hidden & ~fresh:
                    return True
            fresh = fresh | mask if is_closed else fresh & ~mask
    return False
