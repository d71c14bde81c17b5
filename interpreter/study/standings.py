"""Who leads in the course of a game that is looked at closely: how often that changes, and who was behind."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..runtime.ends import standing_of
from ..runtime.faults import Ended, Refused, Trouble
from .rows import Row

if TYPE_CHECKING:
    from .watch import Watch


class Standings:
    """Who leads, looked at whenever a round has begun; in a game without turns whenever somebody else decides. Inside a
    round some have had a turn more than others: where each turn brings points, whoever was last leads, and that is no
    change of the lead."""

    def __init__(self, watch: Watch) -> None:
        self._watch, self._turns = watch, watch.turns
        self._has_rank = watch.game.meta.has_rank
        self._last: int | None = None
        self._leaders: list[frozenset[int]] = []
        self._score = watch.game.machine.fast.get("score_of") if watch.game.meta.score_blocks else None
        self._moved = False
        self._first: list[tuple[int, ...]] | None = None

    def look(self, S: Any) -> None:
        if self._score is None and not self._has_rank:
            return
        now = self._watch.begun()[1] if self._turns else S.who
        if now == self._last:
            return
        self._last = now
        self._note(S)

    def _note(self, S: Any) -> None:
        S.steps = 0  # what is read here may do as much as a step of the game does
        try:
            if self._score is None:
                keys = standing_of(S, None)
            else:
                keys = self._watch.keys(S, tuple([self._score(S, seat) for seat in range(S.meta.players)]))
        except (Trouble, Refused, Ended):
            return  # a score sheet that can be read only at the end
        if self._first is None:
            self._first = keys
        self._moved = self._moved or keys != self._first
        best = max(keys)
        self._leaders.append(frozenset(seat for seat, key in enumerate(keys) if key == best))

    def summed_up(self, S: Any, row: Row) -> tuple[int | None, bool | None]:
        """Changes of the lead, and whether the winner was behind at half time; None where nobody ever leads."""
        if not self._moved or len(row.scores) < 2 or not self._leaders:
            return None, None
        alone = [next(iter(leaders)) for leaders in self._leaders if len(leaders) == 1]
        if len(row.winners) == 1:
            alone.append(row.winners[0])
        changes = sum(one != other for one, other in pairwise(alone))
        if len(row.winners) != 1:
            return changes, None
        return changes, row.winners[0] not in self._leaders[len(self._leaders) // 2]
