"""Kalah with 6 houses of 4 seeds. A move is the number of an own house, 0 to 5, counted in the direction of sowing.

The pits lie in one ring: houses 0 to 5 and store 6 of player 0, houses 7 to 12 and store 13 of player 1.
"""

from __future__ import annotations

from tools.baselines.baseline import Baseline

HOUSES = 6
SEEDS = 4
RING = 2 * HOUSES + 2
STORES = (HOUSES, 2 * HOUSES + 1)


class Kalah(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.pits = ([SEEDS] * HOUSES + [0]) * 2

    def houses(self, player: int) -> range:
        first = player * (HOUSES + 1)
        return range(first, first + HOUSES)

    def legal_moves(self) -> list[int]:
        return [house for house, pit in enumerate(self.houses(self.player)) if self.pits[pit] > 0]

    def play(self, move: int) -> None:
        last = self.sow(self.houses(self.player)[move])
        self.capture(last)
        if any(not any(self.pits[pit] for pit in self.houses(player)) for player in (0, 1)):
            self.finish()
        elif last != STORES[self.player]:
            self.player = 1 - self.player

    def sow(self, pit: int) -> int:
        """Sow the seeds of that pit, leaving out the rival's store, and tell where the last one fell."""
        seeds, self.pits[pit] = self.pits[pit], 0
        while seeds:
            pit = (pit + 1) % RING
            if pit != STORES[1 - self.player]:
                self.pits[pit] += 1
                seeds -= 1
        return pit

    def capture(self, last: int) -> None:
        """A last seed in an own empty house takes the opposite house along, if that has seeds."""
        opposite = 2 * HOUSES - last
        if last in self.houses(self.player) and self.pits[last] == 1 and self.pits[opposite] > 0:
            self.pits[STORES[self.player]] += 1 + self.pits[opposite]
            self.pits[last] = self.pits[opposite] = 0

    def finish(self) -> None:
        """What is left in the houses goes to the store of its side."""
        for player in (0, 1):
            for pit in self.houses(player):
                self.pits[STORES[player]] += self.pits[pit]
                self.pits[pit] = 0
        first, second = self.scores()
        if first != second:
            self.winner = 0 if first > second else 1
        self.over = True

    def scores(self) -> list[int]:
        return [self.pits[store] for store in STORES]
