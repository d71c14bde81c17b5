"""Tic-tac-toe. A move is the number of a cell, 0 to 8, row by row."""

from __future__ import annotations

from tools.baselines.baseline import Baseline

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.cells: list[int | None] = [None] * 9

    def legal_moves(self) -> list[int]:
        return [cell for cell, owner in enumerate(self.cells) if owner is None]

    def play(self, move: int) -> None:
        self.cells[move] = self.player
        if self.has_three_in_a_row(self.player):
            self.winner = self.player
            self.over = True
        elif None not in self.cells:
            self.over = True
        else:
            self.player = 1 - self.player

    def has_three_in_a_row(self, player: int) -> bool:
        cells = self.cells
        for a, b, c in LINES:
            if cells[a] == cells[b] == cells[c] == player:
                return True
        return False
