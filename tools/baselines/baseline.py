"""What every hand-written game has in common: seats, a generator, random playouts, copies, counts of sequences."""

from __future__ import annotations

import random
from typing import Any, Self


class Baseline:
    """One running game. Players are 0, 1, …; `player` is the one to move, `over` says whether anybody is."""

    can_copy = True  # not where a Python generator holds the course of the game

    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        self.players = players
        self.random = random.Random(seed)
        self.player = 0
        self.over = False
        self.winner: int | None = None

    def legal_moves(self) -> list[Any]:
        """Everything that `player` may do; never empty while the game runs."""
        raise AssertionError("each game lists its own moves")

    def play(self, move: Any) -> None:
        """Carry out one of the legal moves."""
        raise AssertionError("each game plays its own moves")

    def scores(self) -> list[int]:
        """Points of each player; in a game without points 1 for the winner, -1 for the others, 0 if there is none."""
        if self.winner is None:
            return [0] * self.players
        return [1 if player == self.winner else -1 for player in range(self.players)]

    @classmethod
    def playout(cls, seed: int, players: int = 2) -> Self:
        """One random game, played to the end."""
        game = cls(players, seed)
        while not game.over:
            game.play(game.random.choice(game.legal_moves()))
        return game

    def copy(self) -> Self:
        """An independent game in the same state, but for the generator, which the two share."""
        twin = object.__new__(type(self))
        twin.__dict__ = {name: copy_of_lists(value) for name, value in self.__dict__.items()}
        return twin


def copy_of_lists(value: Any) -> Any:
    """Lists within lists are copied, all else is shared."""
    return [copy_of_lists(element) for element in value] if isinstance(value, list) else value


def count_sequences(game: Baseline, depth: int) -> int:
    """How many sequences of exactly `depth` moves there are from here."""
    moves = [] if game.over else game.legal_moves()
    if depth <= 1:
        return len(moves) if depth == 1 else 1
    total = 0
    for move in moves:
        after = game.copy()
        after.play(move)
        total += count_sequences(after, depth - 1)
    return total


def count_games(game: Baseline) -> int:
    """How many different complete games there are from here."""
    if game.over:
        return 1
    total = 0
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        total += count_games(after)
    return total
