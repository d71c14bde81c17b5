"""Whether the games of a search may stop half way, and how far that is.

The longer a quick game goes on, the more chance drowns what was chosen in the tree. Stopped half way, with the margin
there standing for the rest, it tells more in many games, in half of the time. In others it misleads: where players
invest, whoever is behind at half time is ahead at the end. So the first games of a search (`MEASURED`) are played to
their end. They say how many choices a game has, and what a point at half time is worth at the end:

    slope = sum((h - mean h) * (f - mean f)) / sum((h - mean h)^2)

over those games, h being the margin of a player at half time and f at the end, with means for each player and sums over
all players. Luck that has fallen by half time stays where it is and does not count against the margin: it is in h and
in f alike. What is invested comes back later, and does. From a slope of `LEAST_SLOPE` on the later games of the search
are stopped; below it, or if no margin differs at half time, all are played to their end.

Half time of a measured game is half of the mean length of those before it (the first has none); of the later ones half
of the mean length of all measured ones, `FEWEST` choices at least. `rw_half.h` is the same on the native engine.
"""

from __future__ import annotations

MEASURED = 16  # games that are played to their end before any is stopped
LEAST_SLOPE = 0.6  # what a point at half time must be worth at the end
FEWEST = 8  # choices of a game that is stopped


class HalfTime:
    """What the measured games of one search have told. `may_stop`: the game has margins, and several players."""

    def __init__(self, players: int, may_stop: bool) -> None:
        self._may_stop = may_stop
        self._games = self._choices = 0  # of the measured games
        self._noted = 0  # those of them in which a margin was noted at half time
        self._sums = [[0.0] * 4 for _ in range(players)]  # of each player: h, f, h * f, h * h
        self._stops = False

    @property
    def is_measuring(self) -> bool:
        return self._games < MEASURED

    @property
    def noting_after(self) -> int:
        """After how many choices the margins of the next game are to be noted; 0 for never."""
        if not self._may_stop or not self._games or not self.is_measuring:
            return 0
        return max(1, self._choices // (2 * self._games))

    @property
    def stops_after(self) -> int:
        """After how many choices the next game is stopped; 0 for never."""
        return max(FEWEST, self._choices // (2 * MEASURED)) if self._stops else 0

    def played(self, choices: int, noted: list[int] | None, final: list[int]) -> None:
        """A measured game has ended: how long it was, the margins at half time if it came to that, and at the end."""
        self._games += 1
        self._choices += choices
        if noted is not None:
            self._noted += 1
            for own, half, end in zip(self._sums, noted, final, strict=True):
                own[0] += float(half)
                own[1] += float(end)
                own[2] += float(half * end)
                own[3] += float(half * half)
        if not self.is_measuring:
            self._stops = self._foretells()

    def _foretells(self) -> bool:
        """Whether the margin at half time tells enough of the margin at the end."""
        if not self._noted:
            return False
        products = squares = 0.0
        for half, end, both, square in self._sums:
            products += both - half * end / self._noted
            squares += square - half * half / self._noted
        return squares > 0.0 and products >= LEAST_SLOPE * squares
