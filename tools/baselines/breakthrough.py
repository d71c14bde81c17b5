"""Breakthrough on 8 by 8. A move is (row, column, goal row, goal column); player 0 goes up the rows."""

from __future__ import annotations

from tools.baselines.baseline import Baseline

SIZE = 8

Move = tuple[int, int, int, int]


class Breakthrough(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.board: list[list[int | None]] = [[None] * SIZE for _ in range(SIZE)]
        for column in range(SIZE):
            self.board[0][column] = self.board[1][column] = 0
            self.board[-1][column] = self.board[-2][column] = 1
        self.pawns = [2 * SIZE, 2 * SIZE]

    def legal_moves(self) -> list[Move]:
        player = self.player
        ahead = 1 if player == 0 else -1
        moves = []
        for row in range(SIZE):
            goal_row = row + ahead
            if not 0 <= goal_row < SIZE:
                continue
            for column in range(SIZE):
                if self.board[row][column] != player:
                    continue
                for goal_column in (column - 1, column, column + 1):
                    if not 0 <= goal_column < SIZE:
                        continue
                    # Straight ahead the square must be empty; diagonally it may hold a pawn of the rival.
                    pawn = self.board[goal_row][goal_column]
                    if pawn is None or (pawn != player and goal_column != column):
                        moves.append((row, column, goal_row, goal_column))
        return moves

    def play(self, move: Move) -> None:
        row, column, goal_row, goal_column = move
        rival = 1 - self.player
        if self.board[goal_row][goal_column] == rival:
            self.pawns[rival] -= 1
        self.board[row][column] = None
        self.board[goal_row][goal_column] = self.player
        far_row = SIZE - 1 if self.player == 0 else 0
        if goal_row == far_row or self.pawns[rival] == 0:
            self.winner = self.player
            self.over = True
        else:
            self.player = rival
