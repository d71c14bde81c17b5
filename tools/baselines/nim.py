"""Nim with piles of 1, 3, 5 and 7. A move is (pile, how many); who takes the last one loses, or wins if so agreed."""

from __future__ import annotations

from tools.baselines.baseline import Baseline


class Nim(Baseline):
    last_one_wins = False

    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.piles = [1, 3, 5, 7]

    def legal_moves(self) -> list[tuple[int, int]]:
        return [(pile, taken) for pile, size in enumerate(self.piles) for taken in range(1, size + 1)]

    def play(self, move: tuple[int, int]) -> None:
        pile, taken = move
        self.piles[pile] -= taken
        if not any(self.piles):
            self.winner = self.player if self.last_one_wins else 1 - self.player
            self.over = True
        else:
            self.player = 1 - self.player


class NimLastOneWins(Nim):
    last_one_wins = True
