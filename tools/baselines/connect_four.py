"""Connect four, 7 columns of 6. A move is the number of a column, 0 to 6."""

from __future__ import annotations

from tools.baselines.baseline import Baseline

COLUMNS = 7
ROWS = 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFour(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.grid: list[list[int | None]] = [[None] * ROWS for _ in range(COLUMNS)]
        self.heights = [0] * COLUMNS

    def legal_moves(self) -> list[int]:
        return [column for column in range(COLUMNS) if self.heights[column] < ROWS]

    def play(self, move: int) -> None:
        row = self.heights[move]
        self.grid[move][row] = self.player
        self.heights[move] += 1
        if self.makes_four(move, row):
            self.winner = self.player
            self.over = True
        elif sum(self.heights) == COLUMNS * ROWS:
            self.over = True
        else:
            self.player = 1 - self.player

    def makes_four(self, column: int, row: int) -> bool:
        """Whether the disc just dropped there is part of a line of four."""
        for dx, dy in DIRECTIONS:
            if 1 + self.run(column, row, dx, dy) + self.run(column, row, -dx, -dy) >= 4:
                return True
        return False

    def run(self, column: int, row: int, dx: int, dy: int) -> int:
        """How many discs of the player to move follow one another from there in that direction."""
        length = 0
        column += dx
        row += dy
        while 0 <= column < COLUMNS and 0 <= row < ROWS and self.grid[column][row] == self.player:
            length += 1
            column += dx
            row += dy
        return length
