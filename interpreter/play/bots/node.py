"""One decision of one player in a search tree: how often each option was simulated, and what came of it.

The order of everything is fixed in the header of `tree`.
"""

from __future__ import annotations

from math import sqrt

from ..seeds import derived_seed

EXPLORATION = 1.0
BY_PRIOR = 1.5  # how much a prior counts for
FREE, WIDTH = 8, 4  # how many options a node that was looked at tries for its visits: see `one_step`
MOST_SLOTS = 1 << 21  # of a whole tree: some hundred thousand decisions, half a gigabyte in Python
_NODE_STREAM = 1 << 41  # of the seeds of a search: those of its nodes begin here


class Node:
    """A decision as its player knows it. A slot is an option; equal copies share one."""

    __slots__ = (
        "before", "is_looked_at", "is_narrow", "is_open", "next", "number", "order", "player", "priors", "proved", "q",
        "r", "slots", "sums", "total", "tried", "visits", "was", "won",
    )  # fmt: skip

    def __init__(
        self, number: int, player: int, slots: int, seed: int, is_open: bool, priors: list[float] | None = None
    ) -> None:
        self.number = number
        self.player = player
        self.slots = slots
        self.is_open = is_open  # stands for one position, not for all that a player cannot tell apart
        shift = derived_seed(seed, _NODE_STREAM + number) % slots
        self.order: list[int] = [*range(shift, slots), *range(shift)]  # in which slots are tried
        self.is_looked_at = False  # by `one_step`
        self.is_narrow = False  # it found a difference: not all slots need be tried
        self.priors = priors  # how likely each slot is to be good, before anything is simulated
        self.tried = 0  # of that order; what is proved is passed over
        self.visits = 0
        self.total = 0.0  # worth to the player, over all visits
        self.was = [0] * slots  # visits of each slot
        self.before = [0] * slots  # those of them before this node became the root of a tree that was kept
        self.sums = [0.0] * slots  # worth to the player, over these visits
        self.q = [0.0] * slots
        self.r = [0.0] * slots
        self.proved: dict[int, list[float]] | None = None  # slot -> the result that is certain
        self.won: int | None = None  # the first slot that was proved to win
        self.next: list[Node | None] = [None] * slots  # of an open node: the decision after each slot without chance

    @property
    def is_certain(self) -> bool:
        """Whether its result is proved."""
        return self.won is not None or (self.proved is not None and len(self.proved) == self.slots)

    def select(self) -> int:
        """The slot of the next simulation."""
        if self.priors is not None:
            return self._by_prior(self.priors)
        if self.won is not None:
            return self.won
        if self._has_another():
            return self.order[self.tried]
        visits = max(self.visits, 1)
        power = visits.bit_length() - 1
        wide = EXPLORATION * sqrt(power + (visits - (1 << power)) / (1 << power))
        if self.tried == self.slots:
            scores = [q + wide * r for q, r in zip(self.q, self.r, strict=True)]
            return scores.index(max(scores))
        proved = self.proved or {}
        known = (slot for slot in range(self.slots) if self.was[slot] or slot in proved)
        return max(known, key=lambda slot: self.q[slot] + wide * self.r[slot])

    def _has_another(self) -> bool:
        """Whether a slot is to be tried that was not tried so far."""
        if self.proved:
            while self.tried < self.slots and self.order[self.tried] in self.proved:
                self.tried += 1
        tried = self.tried
        if tried == self.slots or not self.is_narrow:
            return tried < self.slots
        return tried <= FREE or tried * tried <= WIDTH * self.visits

    def _by_prior(self, priors: list[float]) -> int:
        mean = self.total / self.visits if self.visits else 0.0
        wide = BY_PRIOR * sqrt(self.visits + 1)
        proved = self.proved or {}
        scores = [
            self.q[slot]
            if slot in proved
            else (self.q[slot] if self.was[slot] else mean) + wide * priors[slot] / (1 + self.was[slot])
            for slot in range(self.slots)
        ]
        return scores.index(max(scores))

    def add(self, slot: int, worth: float) -> None:
        """A simulation through this slot came to that."""
        self.visits += 1
        self.total += worth
        visits = self.was[slot] = self.was[slot] + 1
        if self.tried < self.slots and self.order[self.tried] == slot:
            self.tried += 1
        total = self.sums[slot] = self.sums[slot] + worth
        if self.proved is None or slot not in self.proved:
            self.q[slot] = total / visits
            self.r[slot] = 1.0 / sqrt(visits)

    def prove(self, slot: int, result: list[float]) -> list[float] | None:
        """The slot is certain to end so; gives the result of the whole node if that is certain now."""
        if self.proved is None:
            self.proved = {}
        if slot not in self.proved:
            self.proved[slot] = result
            self.q[slot], self.r[slot] = result[self.player], 0.0
        if result[self.player] >= 1.0:
            self.won = slot if self.won is None else self.won
            return result
        if len(self.proved) < self.slots:
            return None
        return max((self.proved[one] for one in range(self.slots)), key=lambda known: known[self.player])

    def best(self) -> int:
        """The slot to choose when the search is over."""
        proved = self.proved or {}
        won = [slot for slot in range(self.slots) if slot in proved and proved[slot][self.player] >= 1.0]
        if won:
            return won[0]
        lost = {slot for slot in proved if proved[slot][self.player] <= -1.0}
        left = [slot for slot in range(self.slots) if slot not in lost] or list(range(self.slots))
        return max(left, key=lambda slot: (self.was[slot], self.q[slot], -slot))
