"""Rows of games that are not compiled here: any object with the methods of a game can be studied from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..play.contract import Game as AnyGame
from ..play.match import bot_match
from .rows import Close, Row, ahead


class Outsider:
    """Rows of any object that has the methods of a game (`play/contract.py`). What its rules do cannot be seen, so
    turns are not counted, and no game is looked at closely."""

    has_few_ends = False
    plays_several = False

    def __init__(self, game: AnyGame, bots: Sequence[str]) -> None:
        self.game = game
        self.bots = tuple(bots)
        self.is_random = all(kind == "random" for kind in bots)

    def compiled(self) -> None:
        return None

    def thought_out(self, seed: int) -> list[int]:
        raise AssertionError("nobody follows such a game")

    def follow(self, seed: int, choices: Sequence[int]) -> tuple[Row, Close]:
        raise AssertionError("nobody follows such a game")

    def end(self, seed: int) -> int:
        raise AssertionError("it is not known of such a game how it can end")

    def rest_of_row(self, number: int) -> tuple[Any, ...]:
        raise AssertionError("it is not known of such a game how it can end")

    def rows(self, seeds: Sequence[int]) -> list[Row]:
        return [self.row(seed, False)[0] for seed in seeds]

    def forget_ends(self) -> None:
        pass

    def row(self, seed: int, closely: bool) -> tuple[Row, Close | None]:
        offered = None
        if self.is_random and not closely:
            state = self.game.playout(seed)
        else:
            match = bot_match(self.game, self.bots, seed)
            offered = match.run().offered
            state = match.state
        sheet: dict[str, list[int]] = {}
        for seat, lines in enumerate(state.score_lines):
            for line, points in lines:
                sheet.setdefault(line, [0] * self.game.players)[seat] += points
        scores = tuple(state.scores)
        lead, margin = ahead(scores, self.game.meta.points_win)
        row = Row(
            seed, scores, tuple(state.ranking), tuple(state.winners), state.reason or "", len(state.history),
            sheet=tuple((line, tuple(points)) for line, points in sheet.items()),
            offered=offered, lead=lead, margin=margin,
        )  # fmt: skip
        return row, None
