"""Payments made from unseen pieces to where nobody sees them: what a world must have paid in their stead.

    pay 2 fare all equal        # back to a hidden heap

The others see that two cards go, and not which. In a world two others went, and they must be two that could be paid
there. As with sets (`picked_sets`) no single pick says that, so the whole payment is one fact: it is made again on the
snapshot before the first pick, by the very code that asked. Which pieces a world has paid is told by the renaming of
the epoch in which they have gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .facts import Naming, TakenTogether
from .faults import Carried, Ended, Refused, Trouble
from .hands import by_place, unseen_places
from .meta import Meta

_MOST_WAYS = 200  # picks that are tried for one world; a payment that takes more counts as possible


@dataclass
class PaidSet(TakenTogether):
    counted: tuple[int, ...] = ()  # units of counters that were paid beside them
    keys: tuple[int, ...] = ()  # what was picked so far
    left: Counter[int] = field(default_factory=Counter)  # the rows of it that have not gone yet
    readable: list[Any] = field(default_factory=list)  # numbers that it may turn on

    @staticmethod
    def of(meta: Meta, player: int, S: Any, epoch: int) -> PaidSet:
        pieces = unseen_places(meta, S, player, S.who)
        made = PaidSet(S, epoch, tuple(pieces), by_place(meta, S, pieces), taken_in=epoch)
        return made.with_answers(player, meta.piece_row)

    def picks(self, keys: tuple[int, ...]) -> None:
        """Takes up what is picked by now. Rows are paid with pieces, everything else with counters."""
        rows = len(self.snapshot.game.meta.row_ids)
        self.keys, self.left = keys, Counter([key for key in keys if key < rows])
        self.counted = tuple([key for key in keys if key >= rows])

    def is_due(self, piece: int) -> bool:
        """Whether a piece of its row has been picked and not gone yet."""
        return self.left[self.snapshot.game.meta.piece_row[piece]] > 0

    def goes(self, piece: int, epoch: int) -> None:
        """A piece has left unseen; from this epoch on it is called as that epoch does."""
        row = self.snapshot.game.meta.piece_row[piece]
        if self.left[row]:
            self.left[row] -= 1
            self.taken, self.taken_in = (*self.taken, piece), epoch

    def go_last(self, after: Any, epoch: int) -> None:
        """What was the last of its hand left no others to be mistaken for, and so nothing was noted."""
        S, rows = self.snapshot, self.snapshot.game.meta.piece_row
        for x in self.pieces:
            if self.left[rows[x]] and x not in self.taken and after.at[x] != S.at[x]:
                self.goes(x, epoch)

    def is_complete(self) -> bool:
        return bool(self.taken) and not +self.left

    # ------------------------------------------------------------------ the payment made again

    def could_take(self, naming: Naming, shifts: Sequence[Any], taken: Sequence[int]) -> bool:
        """Whether the world could have paid just these pieces, and out of the places that the true ones came from."""
        S, rows = self.snapshot, self.snapshot.game.meta.piece_row
        places = sorted([S.at[x] for x in self.taken])
        if sorted([S.at[naming.old[piece]] for piece in taken]) != places:
            return False
        wanted = Counter([rows[piece] for piece in taken]) + Counter(self.counted)
        waiting: list[tuple[Any, Counter[int]]] = [(self.world(naming, shifts), wanted)]
        for _ in range(_MOST_WAYS):
            if not waiting:
                return False
            T, left = waiting.pop()
            options = self._asked(T, left)
            if options is None:
                if not left:
                    return True
                continue
            for option in options:
                further = T.fork()
                further.pick, further.k[-1][0] = option, T.k[-1][0] + 1
                waiting.append((further, left - Counter([option])))
        return True

    def _asked(self, T: Any, left: Counter[int]) -> list[int] | None:
        """What may be picked next of what is left; None if the payment is complete. Forced picks are taken."""
        frame, code, asks = T.k[-1], T.machine.fast_code, self.snapshot.k[-1][0]
        T.steps = 0
        try:
            while not code[frame[0]](T, frame):
                if T.k[-1] is not frame or frame[0] not in (asks, asks + 1):
                    return []
                if frame[0] == asks + 1:
                    if T.pick < 0:
                        return None
                    if not left[T.pick]:
                        return []
                    left -= Counter([T.pick])
        except (Refused, Trouble, Ended, Carried):
            return []
        return [option for option in T.opts if left[option] > 0]
