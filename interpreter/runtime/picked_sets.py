"""Sets that somebody picked from unseen pieces: what a world must have picked in their stead.

    choose 2 c in p.hand where c.rank > 1 as aside such that sum(c.rank for c in aside) >= 5 secretly "Which two?"
    move aside to p.stash

The others see that two cards go, and not which. In a world two others went, and they must be two that the question
offers there, with a sum of five or more. No single pick says that, so the whole set is one fact: the picks are made
again, on the snapshot before the first of them, by the very code that asked. Which pieces a world has picked is known
from the renaming of a later epoch, in which they have been moved to where they were meant to go.

Of `choose 3 c in p.hand` any three will do, and no fact is made (`Meta.free_sets`).

Others notice a set or a payment once, when its player is asked for the first time. Picks that leave no choice answer
themselves, before that or after, and nobody sees how many there are: whoever holds two reds must pay with a red first,
and then with the other or a wild card; who holds a red and a blue is asked which. So one fact says whether anything was
asked at all (`Posed`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .facts import Naming, Question, TakenTogether
from .faults import Carried, Ended, Refused, Trouble
from .hands import by_place, unseen_in, unseen_places
from .meta import PASS, STEP, Meta
from .questions import _placed, is_hidden_question, pieces_bound, sorts_of_question
from .steps import FORCED, Astray, AtBlock

Placed = tuple[int, int, int]  # row, place, index


@dataclass
class PickedSet(TakenTogether):
    @staticmethod
    def of(meta: Meta, player: int, S: Any, epoch: int) -> PickedSet | None:
        """The set that is begun here; None if any set of so many pieces would do."""
        if S.k[-1][0] in meta.free_sets or len(set(sorts_of_question(meta, S)[: meta.pieces])) < 2:
            return None
        pieces = unseen_places(meta, S, player, S.who)
        made = PickedSet(S, epoch, tuple(pieces), by_place(meta, S, pieces), taken_in=epoch)
        return made.with_answers(player, meta.piece_row)

    def picks(self, picked: Sequence[int], option: int) -> None:
        """A pick was made: with it the set is so large."""
        site = self.snapshot.game.meta.sites[self.snapshot.site]
        self.taken = (*picked, *(pieces_bound(site, option) if option >= 0 else ()))

    def can_fail(self) -> bool:
        return not set(self.pieces).isdisjoint(self.taken)

    # ------------------------------------------------------------------ the picks made again

    def could_take(self, naming: Naming, shifts: Sequence[Any], taken: Sequence[int]) -> bool:
        """Whether the world could have picked just these pieces."""
        T = self.world(naming, shifts)
        T.tracked, T.script, T.lg, T.apart, T.steps = False, [], [], None, 0
        wanted = self._placed(taken, naming)
        picked: tuple[int, ...] = ()
        while True:
            try:
                is_asked = self._runs(T)
            except (Astray, AtBlock, Ended):
                is_asked = False  # something else follows, so the set is complete
            except (Refused, Trouble, Carried, RecursionError):
                return False
            forced = [
                (*one[2], one[3]) for one in T.lg if one[0] == FORCED and one[1] == self.snapshot.site and one[3] >= 0
            ]
            if not (is_asked and self._is_same_set(T, picked)):
                return self._placed(self._all_picked(picked, forced), naming) == wanted
            left = wanted - self._placed(T.picked, naming)
            if len(T.picked) + left.total() != len(taken):
                return False
            if not left:
                return PASS in T.opts
            option = self._next(T, left, naming)
            if option is None:
                return False
            picked = (*T.picked, *pieces_bound(T.meta.sites[T.site], option))
            T.lg.clear()
            T.machine.take(T, option)

    def _all_picked(self, picked: tuple[int, ...], forced: Sequence[tuple[int, ...]]) -> Sequence[int]:
        """The set with what answered itself behind the last pick."""
        if not forced:
            return picked
        *before, last = forced[-1]
        return (*before, *pieces_bound(self.snapshot.game.meta.sites[self.snapshot.site], last))

    def _runs(self, T: Any) -> bool:
        """Runs on to the next decision; False if it never comes to one."""
        code = T.machine.again["CODE"]
        while not code[T.k[-1][0]](T, T.k[-1]):
            T.steps += STEP
            if T.steps > T.limit:
                return False
        return True

    def _is_same_set(self, T: Any, picked: Sequence[int]) -> bool:
        S = self.snapshot
        return (T.site, T.who, len(T.k)) == (S.site, S.who, len(S.k)) and len(T.picked) >= len(picked)

    def _next(self, T: Any, left: Counter[Placed], naming: Naming) -> int | None:
        """The first option that is one of the pieces which are left; of equal copies any."""
        site = T.meta.sites[T.site]
        return next((one for one in T.opts if one >= 0 and self._placed(pieces_bound(site, one), naming) <= left), None)

    def _placed(self, pieces: Sequence[int], naming: Naming) -> Counter[Placed]:
        """Pieces told by what they are and where they lay before the first pick."""
        S = self.snapshot
        return Counter([_placed(S.game.meta, S, piece, naming.old) for piece in pieces])


@dataclass
class Posed(Question):
    """Whether a set or payment that begins here asks its player for anything; if not, whether it picks anything."""

    is_posed: bool = False
    picks_some: bool = False

    @staticmethod
    def of(meta: Meta, player: int, S: Any, epoch: int) -> Posed | None:
        """None if nobody else is told that it begins."""
        if S.who == player or is_hidden_question(meta.sites[S.site], S):
            return None
        unseen = unseen_in(meta, S, player, S.who)
        return Posed(S, epoch, unseen.pieces, unseen.places(meta, S)).with_answers(player, sorts_of_question(meta, S))

    def identity(self) -> tuple[Any, ...]:
        return "posed", self.is_posed, self.picks_some

    def agrees(self, answer: Any, renamings: Sequence[Naming]) -> bool:
        possible, is_posed, picks_some = answer
        return bool(possible and is_posed == self.is_posed and (is_posed or picks_some == self.picks_some))

    def asked_in(self, T: Any, naming: Naming) -> tuple[bool, bool, bool]:
        """(whether it can be made, whether somebody is asked, whether it picks something by itself)."""
        S, frame, code, T.steps = self.snapshot, T.k[-1], T.machine.fast_code, 0
        asks, picks_some = frame[0], False
        while True:
            try:
                is_asked = code[frame[0]](T, frame)
            except (Refused, Trouble, Ended, Carried):
                # What is refused after the last pick is another matter.
                return frame[0] != asks, False, picks_some
            if T.k[-1] is not frame or frame[0] not in (asks, asks + 1):
                return True, False, picks_some
            if is_asked:
                if (T.site, T.who) != (S.site, S.who) or not T.opts:
                    return False, False, False
                if len(T.opts) > 1 or not T.auto:
                    return True, True, picks_some
                T.pick, frame[0] = T.opts[0], asks + 1
            if frame[0] == asks + 1:  # it has answered itself; this segment takes the answer up, and asks again
                if T.pick < 0:
                    return True, False, picks_some
                picks_some = True
