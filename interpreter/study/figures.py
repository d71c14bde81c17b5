"""The figures of a game that studies compare, ask about and plot: each has a name that says whose it is and of what.

Every figure is a whole number for each game, so sums are exact. A *rate* is counted in sixtieths of a game (`PARTS`),
since a first place that several share is divided among them; a *mean* is a number of points, turns and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .rows import Row
from .statistics import Moments
from .tally import PARTS

MARGIN = "margin in points (between the best and the second best score, whoever won)"
SHARED = "first place is shared"
ALL_WIN = "all players win"
ENDING = "ends with: "
LINE = "points of all players from: "  # a line of the score sheet
ELSE_ZERO = (ENDING, LINE)  # noted only for the games that end so, or have that line: in all others they are 0
_PLAIN = {
    "turns": "turns of all players",
    "rounds": "rounds",
    "decisions": "choices of all players (two or more options)",
    "forced": "forced choices of all players",
    "lead_changes": "changes of the lead",
}


def figures_of(row: Row, seats: Sequence[str]) -> dict[str, int]:
    """All figures of one game. Those that were not taken in this game are left out."""
    found: dict[str, int] = {}
    part = PARTS // len(row.winners) if row.winners else 0
    several = len(seats) > 1
    for seat, name in enumerate(seats):
        found[wins(name)] = part if seat in row.winners else 0
    if several:
        found[ALL_WIN] = PARTS if len(row.winners) == len(seats) else 0
        found[SHARED] = PARTS if len(row.winners) > 1 else 0
    if row.lead is not None and row.margin is not None:
        found[lead(seats[0])] = row.lead
        found[MARGIN] = row.margin
    for seat, name in enumerate(seats):
        found[score(name)] = row.scores[seat]
    for line, points in row.sheet:
        found[LINE + line] = sum(points)
    for column, name in _PLAIN.items():
        number = getattr(row, column)
        if number is not None:
            found[name] = number
    if row.behind is not None:
        found["winner was behind at half time"] = PARTS if row.behind else 0
    if row.reason:
        found[ENDING + row.reason] = PARTS
    return found


def wins(seat: str) -> str:
    return f"{seat} wins"


def left_out(seats: Sequence[str], is_team: bool) -> set[str]:
    """Figures that do not mean what they are called: players who win or lose together have no wins of their own (half
    of a win for each of two would be told), and all others do not win together."""
    return {SHARED, *map(wins, seats)} if is_team and len(seats) > 1 else {ALL_WIN}


def score(seat: str) -> str:
    return f"score of {seat}"


def lead(seat: str) -> str:
    return f"lead of {seat} (first seat) over the best of the others, in points"


def is_rate(name: str, seats: Sequence[str]) -> bool:
    shares = {ALL_WIN, SHARED, "winner was behind at half time", *map(wins, seats)}
    return name in shares or name.startswith(ENDING)


def unit(name: str, seats: Sequence[str]) -> int:
    """What a figure is divided by to be read: rates are kept in parts of a game."""
    return PARTS if is_rate(name, seats) else 1


@dataclass
class PairSums:
    """Sums over pairs of games with the same seed: of the first, of the second, and of the difference."""

    count: int = 0
    first: int = 0
    first_squares: int = 0
    second: int = 0
    second_squares: int = 0
    products: int = 0

    def note(self, first: int, second: int) -> None:
        self.count += 1
        self.first += first
        self.first_squares += first * first
        self.second += second
        self.second_squares += second * second
        self.products += first * second

    def add(self, other: PairSums) -> None:
        self.count += other.count
        self.first += other.first
        self.first_squares += other.first_squares
        self.second += other.second
        self.second_squares += other.second_squares
        self.products += other.products

    @property
    def differs(self) -> bool:
        """Some pair is not equal: the sum of squared differences is not zero."""
        return self.first_squares + self.second_squares != 2 * self.products

    def of_each(self, unit: int) -> tuple[Moments, Moments]:
        square = unit * unit
        return (
            Moments(self.count, self.first / unit, self.first_squares / square),
            Moments(self.count, self.second / unit, self.second_squares / square),
        )

    def of_difference(self, unit: int) -> Moments:
        """Second minus first, pair by pair."""
        squares = self.first_squares + self.second_squares - 2 * self.products
        return Moments(self.count, (self.second - self.first) / unit, squares / (unit * unit))


@dataclass
class PairTally:
    """The sums of every figure over pairs of games."""

    seats: tuple[str, ...]
    games: int = 0
    sums: dict[str, PairSums] = field(default_factory=dict)

    def note(self, first: Row, second: Row) -> None:
        self.note_figures(figures_of(first, self.seats), figures_of(second, self.seats))

    def note_figures(self, ours: dict[str, int], theirs: dict[str, int]) -> None:
        """A figure that only one of the two games has makes no pair, unless it is 0 where it was not noted: an ending,
        or a line of the score sheet (which a variant may add, or a `score p when …` give in some games only)."""
        self.games += 1
        for name, figure in ours.items():
            if name in theirs:
                self._noted(name).note(figure, theirs[name])
            elif name.startswith(ELSE_ZERO):
                self._noted(name).note(figure, 0)
        for name, figure in theirs.items():
            if name not in ours and name.startswith(ELSE_ZERO):
                self._noted(name).note(0, figure)

    def _noted(self, name: str) -> PairSums:
        found = self.sums.get(name)
        if found is None:
            found = self.sums[name] = PairSums()
        return found

    def merge(self, other: PairTally) -> None:
        self.games += other.games
        for name, sums in other.sums.items():
            self._noted(name).add(sums)

    def of(self, name: str) -> PairSums | None:
        """The sums of one figure; zeros for an ending or a line that never came, None for any other not taken."""
        if name not in self.sums and name.startswith(ELSE_ZERO):
            return PairSums(self.games)
        return self.finished().get(name)

    def finished(self) -> dict[str, PairSums]:
        """The sums, where every ending and every line counts over all games: a game without it counts 0."""
        for name, sums in self.sums.items():
            if name.startswith(ELSE_ZERO):
                sums.count = self.games
        return self.sums
