"""Deep validation, what is told meanwhile: how far the games have come, and early that one of them does not end.

Fifty games of a large game take minutes, and a game that never ends is played up to the limit of decisions before it
counts as a finding. Whoever waits wants to know which of the two it is. So each decision is a *beat*: a beat that comes
long enough after the last line tells a line. A game that has taken a tenth of the decisions that a game may take is
told at once, whatever the time. Nothing here changes what is played or found.

A pulse goes along with its unit into another process if several run at once; so all it holds can be pickled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

Tell = Callable[[str, bool], None]  # a line, and whether it is to stay: others may be overwritten by the next one

_SUSPICIOUS = 10  # a game is told of at this part of the decisions that it may take


@dataclass
class Pulse:
    """Tells lines about the games of one unit, at most one in `seconds`."""

    tell: Tell
    seconds: float
    unit: str = ""
    games: int = 0
    limit: int = 0
    number: int = 0
    seed: int = 0
    has_warned: bool = False
    last: float = field(default_factory=monotonic)

    def begin(self, unit: str, games: int, limit: int) -> None:
        """The games of a unit begin: `limit` is how many decisions each may take."""
        self.unit, self.games, self.limit, self.has_warned = unit, games, limit, False

    def game(self, number: int, seed: int) -> None:
        """Game `number` of the unit begins, counted from 0."""
        self.number, self.seed = number, seed
        self.beat(0)

    def beat(self, decisions: int) -> None:
        """The game has come so far."""
        if decisions * _SUSPICIOUS >= self.limit > 0 and not self.has_warned:
            self.has_warned = True
            given_up = f"it is given up at {self.limit:,}"
            self._say(f"{self.unit}, seed {self.seed}: no end after {decisions:,} decisions; {given_up}", stays=True)
        elif monotonic() - self.last >= self.seconds:
            so_far = f", {decisions:,} decisions so far" if decisions > 1 else ""
            self._say(f"{self.unit}: game {self.number + 1:,} of {self.games:,}{so_far}")

    def work(self, what: str) -> None:
        """Something that is no game takes its time: what it is."""
        if monotonic() - self.last >= self.seconds:
            self._say(what)

    def _say(self, line: str, stays: bool = False) -> None:
        self.tell(line, stays)
        self.last = monotonic()


def silent() -> Pulse:
    """A pulse that nobody hears."""
    return Pulse(_nothing, float("inf"))


def _nothing(line: str, stays: bool) -> None:
    pass
