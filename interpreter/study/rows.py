"""One row for each game: the data that every study is made of.

A row is plain numbers and texts. The figures of a report, the differences of a comparison and the files that people
load into other programs all come from rows, so they cannot disagree. Some figures cost too much to be taken in every
game of a quick study (see `watch`); they are None where they were not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..play.contract import Game

_EARLY_MASK = (1 << 29) - 1  # as in rw_study_rows.h
Sheet = tuple[tuple[str, tuple[int, ...]], ...]  # line of the score sheet, points of each seat


class Row(NamedTuple):
    """One finished game. Players count from 0, ranks from 1. (A named tuple is made several times as fast as a frozen
    dataclass, which is felt in games of fifty microseconds.)"""

    seed: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    winners: tuple[int, ...]  # everybody of rank 1
    reason: str  # why it ended, in the words of the rules; nothing if they say nothing
    decisions: int  # choices among two or more options
    forced: int | None = None  # questions with a single answer, which the game gives by itself
    turns: int | None = None  # None: the rules do not say what a turn is (`compile/course.py`)
    rounds: int | None = None
    sheet: Sheet = ()
    offered: int | None = None  # options over all decisions
    lead_changes: int | None = None  # how often somebody else came to lead, looked at from round to round (`standings`)
    behind: bool | None = None  # the sole winner was behind at half time; None also for a shared win
    # In points, as the rules rank them: what the first seat is ahead of the best of the others, and the best seat of
    # the second best. None for one player, and where something else than points is looked at first.
    lead: int | None = None
    margin: int | None = None


def fewest_told(games: Iterable[Game]) -> list[str]:
    """That the fewest points win, if they do in one of these games: nobody would read that out of a difference."""
    is_so = any(game.players > 1 and game.meta.points_win < 0 and game.meta.score_blocks for game in games)
    return ["In this game the fewest points win: more points are worse."] if is_so else []


def ahead(scores: tuple[int, ...], points_win: int) -> tuple[int | None, int | None]:
    """The lead and the margin of a row; `points_win` as in `Meta`: in some games the fewest points win."""
    if len(scores) < 2 or not points_win:
        return None, None
    worth = [points_win * score for score in scores]
    best, second = sorted(worth)[-1:-3:-1]
    return worth[0] - max(worth[1:]), best - second


@dataclass(frozen=True)
class Close:
    """What was seen of a game that was looked at closely."""

    deciders: tuple[int, ...]  # who made each choice
    history: tuple[int, ...]  # site, option, site, option …
    begun: tuple[int, ...]  # how often each rule began, in the order of `Compiled.hits`
    early: tuple[int, ...] = ()  # the first random choices: `early_choice`


def early_choice(which: int, options: int, taken: int) -> int:
    """A random choice as one number: which of the game, of how many options, which option. (Small games have
    hundreds of them in each batch, and numbers are counted several times as fast as tuples.)"""
    return which << 58 | options << 29 | taken


def early_parts(choice: int) -> tuple[int, int, int]:
    return choice >> 58, choice >> 29 & _EARLY_MASK, choice & _EARLY_MASK


def columns_of(seats: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The names of the columns in a table of rows. Seats have names in them, so a column says whose it is."""
    names = ["game", "seed"]
    names += [f"wins: {seat}" for seat in seats]
    names += [f"rank: {seat}" for seat in seats]
    names += [f"score: {seat}" for seat in seats]
    names += [f"{line}: {seat}" for line in lines for seat in seats]
    return [*names, "ending", "decisions", "forced", "turns", "rounds", "options", "lead changes", "winner was behind"]


def cells_of(row: Row, number: int, lines: Sequence[str]) -> list[Any]:
    """A row under those columns; `wins` is 1 for a win alone and 1/n for a win that n share."""
    share = 1 / len(row.winners) if row.winners else 0
    sheet = dict(row.sheet)
    none = (0,) * len(row.scores)
    cells: list[Any] = [number, row.seed]
    cells += [round(share, 4) if seat in row.winners else 0 for seat in range(len(row.scores))]
    cells += [*row.ranking, *row.scores]
    for line in lines:
        cells += sheet.get(line, none)
    cells += [row.reason, row.decisions, row.forced, row.turns, row.rounds]
    return [*cells, row.offered, row.lead_changes, None if row.behind is None else int(row.behind)]


def row_data(row: Row, number: int) -> dict[str, Any]:
    """A row as JSON data."""
    data: dict[str, Any] = {"game": number, "seed": row.seed}
    data.update(scores=list(row.scores), ranking=list(row.ranking), winners=[seat + 1 for seat in row.winners])
    data.update(ending=row.reason, decisions=row.decisions, forced=row.forced, turns=row.turns, rounds=row.rounds)
    data["sheet"] = {line: list(points) for line, points in row.sheet}
    data.update(options=row.offered, lead_changes=row.lead_changes, winner_was_behind=row.behind)
    return data
