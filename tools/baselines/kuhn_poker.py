"""Kuhn poker: cards 0, 1, 2 (jack, queen, king), a stake of 1, at most one bet of 1 more.

A move is a word: "bet" or "check" while nobody has bet, then "call" or "fold".
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.baselines.baseline import Baseline


class KuhnPoker(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None, deal: Sequence[int] | None = None) -> None:
        super().__init__(players, seed)
        deck = list(deal) if deal is not None else self.random.sample(range(3), 3)
        self.cards = deck[:2]
        self.stakes = [1, 1]
        self.moves: list[str] = []

    def legal_moves(self) -> list[str]:
        return ["call", "fold"] if "bet" in self.moves else ["bet", "check"]

    def play(self, move: str) -> None:
        self.moves.append(move)
        if move in ("bet", "call"):
            self.stakes[self.player] = 2
        if move == "fold":
            self.finish(1 - self.player)
        elif move == "call" or self.moves == ["check", "check"]:
            self.finish(0 if self.cards[0] > self.cards[1] else 1)
        else:
            self.player = 1 - self.player

    def finish(self, winner: int) -> None:
        self.winner = winner
        self.over = True

    def scores(self) -> list[int]:
        """What each has won: the stake of the loser."""
        if self.winner is None:
            return [0, 0]
        won = self.stakes[1 - self.winner]
        return [won, -won] if self.winner == 0 else [-won, won]
