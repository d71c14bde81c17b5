"""The sums that a report is made of.

A tally takes up rows and forgets them, so a study of a million games needs no more memory than one of a hundred: scores
and lengths are kept as "how often which number", everything else as whole numbers. Whole numbers add up to the same
whatever the order, so tallies of batches can be made in any process and put together in any grouping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import add
from typing import Any, TypeVar

from .choices import Branches, Thing
from .rows import Close, Row, Sheet

PARTS = 60  # a win shared by two, three, four, five or six is a whole number of sixtieths
LENGTHS = ("decisions", "forced", "turns", "rounds", "lead_changes")


def _count(counter: Counter[Any], value: Any, times: int) -> None:
    if value is not None:
        counter[value] += times


def no_counts() -> Counter[Any]:
    """`Counter()` without the `update` of nothing in it: a tally has sixteen of them, and small games are over soon."""
    return Counter.__new__(Counter)


@dataclass
class Use:
    """How often a thing was used, in how many games, by how many players of games, and how many of these came first."""

    times: int = 0
    games: int = 0
    players: int = 0
    firsts: int = 0

    def add(self, other: Use) -> None:
        self.times += other.times
        self.games += other.games
        self.players += other.players
        self.firsts += other.firsts


@dataclass
class LineSums:
    """One line of the score sheet: for each seat the sum and the sum of squares of its points; over all pairs of seats
    the sum of (difference in this line) x (difference in the whole score)."""

    sums: list[int]
    squares: list[int]
    shared: int = 0

    def add(self, other: LineSums) -> None:
        self.sums = [one + more for one, more in zip(self.sums, other.sums, strict=True)]
        self.squares = [one + more for one, more in zip(self.squares, other.squares, strict=True)]
        self.shared += other.shared


@dataclass
class Tally:
    """`lengths` has Counters under the names of `LENGTHS`; the numbers of seats run from 0."""

    players: int
    games: int = 0
    alone: Counter[int] = field(default_factory=no_counts)  # seat -> games that it won alone
    shared: Counter[int] = field(default_factory=no_counts)  # seat -> games in which it shared the first place
    shared_games: int = 0
    without_winner: int = 0
    parts: Counter[int] = field(default_factory=no_counts)  # seat -> games won, in parts of `PARTS`
    part_squares: Counter[int] = field(default_factory=no_counts)
    scores: list[Counter[int]] = field(default_factory=list)
    leads: Counter[int] = field(default_factory=no_counts)  # of seat 1 over the best of the others, in points
    margins: Counter[int] = field(default_factory=no_counts)  # of the best over the second best
    sheet: dict[str, LineSums] = field(default_factory=dict)
    spread: int = 0  # over all pairs of seats the sum of squared differences of their scores
    lengths: dict[str, Counter[int]] = field(default_factory=dict)
    endings: Counter[str] = field(default_factory=no_counts)
    offered: int = 0
    offered_decisions: int = 0
    behind: Counter[bool] = field(default_factory=no_counts)
    close: int = 0  # games that were looked at closely
    firsts: int = 0  # first places in them, shared ones counted for each
    uses: dict[Thing, Use] = field(default_factory=dict)
    early: Counter[int] = field(default_factory=no_counts)  # random choices: `Close.early`
    begun: dict[int, Use] = field(default_factory=dict)  # counter of a rule -> times and games

    def __post_init__(self) -> None:
        self.scores = self.scores or [no_counts() for _ in range(self.players)]
        self.lengths = self.lengths or {name: no_counts() for name in LENGTHS}
        self._pairs = [(one, other) for other in range(1, self.players) for one in range(other)]

    # ------------------------------------------------------------------ taking up games

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Takes up many rows at once: column by column, since counting a column costs next to nothing."""
        if not rows:
            return
        columns: Any = Row(*zip(*rows, strict=True))  # type: ignore[arg-type]  # a tuple in place of each value
        self.games += len(rows)
        for winners, times in Counter(columns.winners).items():
            self.add_winners(winners, times)
        for scores, times in Counter(columns.scores).items():
            self._add_scores(scores, times)
        if any(columns.sheet):
            for row in rows:
                self._add_sheet(row.scores, row.sheet)
        for name in LENGTHS:
            self.lengths[name].update(getattr(columns, name))
            self.lengths[name].pop(None, None)  # type: ignore[call-overload]
        for counter, column in ((self.leads, columns.lead), (self.margins, columns.margin)):
            counter.update(column)
            counter.pop(None, None)  # type: ignore[call-overload]
        self.endings.update(columns.reason)
        self.behind.update(columns.behind)
        self.behind.pop(None, None)  # type: ignore[call-overload]
        for row in rows:
            if row.offered is not None:
                self.offered += row.offered
                self.offered_decisions += row.decisions

    def add_alike(self, row: Row, times: int) -> None:
        """Takes up one row without a score sheet, so many times."""
        self.games += times
        self.add_winners(row.winners, times)
        self._add_scores(row.scores, times)
        for name in LENGTHS:
            _count(self.lengths[name], getattr(row, name), times)
        _count(self.leads, row.lead, times)
        _count(self.margins, row.margin, times)
        _count(self.behind, row.behind, times)
        self.endings[row.reason] += times
        if row.offered is not None:
            self.offered += times * row.offered
            self.offered_decisions += times * row.decisions

    def add_winners(self, winners: tuple[int, ...], times: int) -> None:
        if not winners:
            self.without_winner += times
            return
        part = PARTS // len(winners)
        for seat in winners:
            self.parts[seat] += part * times
            self.part_squares[seat] += part * part * times
        if len(winners) == 1:
            self.alone[winners[0]] += times
        else:
            self.shared_games += times
            for seat in winners:
                self.shared[seat] += times

    def _add_scores(self, scores: tuple[int, ...], times: int) -> None:
        for counter, score in zip(self.scores, scores, strict=True):
            counter[score] += times

    def _add_sheet(self, scores: tuple[int, ...], sheet: Sheet) -> None:
        seats = range(self.players)
        for line, points in sheet:
            sums = self.sheet.get(line)
            if sums is None:
                sums = self.sheet[line] = LineSums([0] * self.players, [0] * self.players)
            for seat in seats:
                own = points[seat]
                if own:
                    sums.sums[seat] += own
                    sums.squares[seat] += own * own
            for one, other in self._pairs:
                sums.shared += (points[one] - points[other]) * (scores[one] - scores[other])
        for one, other in self._pairs:
            self.spread += (scores[one] - scores[other]) ** 2

    def add_close(self, row: Row, seen: Close, branches: Branches) -> None:
        self.close += 1
        self.firsts += len(row.winners)
        used: dict[tuple[int, Thing], int] = {}
        choices = zip(seen.deciders, seen.history[::2], seen.history[1::2], strict=True)
        for (who, site, option), times in Counter(choices).items():
            for thing in branches.things(site, option):
                used[who, thing] = used.get((who, thing), 0) + times
        for (who, thing), times in used.items():
            self.uses.setdefault(thing, Use()).add(Use(times, 0, 1, int(who in row.winners)))
        for thing in {thing for _, thing in used}:
            self.uses[thing].games += 1
        for number, times in enumerate(seen.begun):
            if times:
                self.begun.setdefault(number, Use()).add(Use(times, 1))
        self.early.update(seen.early)

    # ------------------------------------------------------------------ putting together

    def merge(self, other: Tally) -> None:
        """Takes up everything that another tally of the same game has."""
        for name in ("games", "shared_games", "without_winner", "spread", "offered", "offered_decisions", "close"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.firsts += other.firsts
        for name in ("alone", "shared", "parts", "part_squares", "leads", "margins", "endings", "behind", "early"):
            add_counts(getattr(self, name), getattr(other, name))
        for own, more in zip(self.scores, other.scores, strict=True):
            add_counts(own, more)
        for name in LENGTHS:
            add_counts(self.lengths[name], other.lengths[name])
        for line, sums in other.sheet.items():
            if line in self.sheet:
                self.sheet[line].add(sums)
            else:
                self.sheet[line] = sums
        add_uses(self.uses, other.uses)
        add_uses(self.begun, other.begun)


T = TypeVar("T")


def add_counts(counter: Counter[T], counts: Mapping[T, int]) -> None:
    """`Counter.update` without what it asks first, and without a line of Python for each number: both are felt where a
    batch of games takes milliseconds."""
    if not counter:
        dict.update(counter, counts)
    elif counts:
        sums = map(add, map(counter.get, counts, repeat(0)), counts.values())
        dict.update(counter, zip(counts, sums, strict=True))


def add_uses(uses: dict[T, Use], more: Mapping[T, Use], are_ours: bool = False) -> None:
    """Adds what was used elsewhere, which stays as it is; if nobody else has it (`are_ours`), it may be taken over."""
    if are_ours and not uses:
        uses.update(more)
        return
    for thing, use in more.items():
        own = uses.get(thing)
        if own is None:
            uses[thing] = Use(use.times, use.games, use.players, use.firsts)
        else:
            own.add(use)
