"""The bots that a table offers: by strength, in words, with the time they take; and which others may be asked for.

A bot is named over the network, so only those are allowed that read no file, start no program, and have an end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .words import Refused

_TIMED = re.compile(r"mcts:(\d{1,5})(ms|s)")
_COUNTED = re.compile(r"(mcts|flat):(\d{1,5})")
_GREEDY = re.compile(r"greedy(?::(\d{1,2}))?")
LONGEST = 10.0  # seconds that a search may be asked to take
MOST_GAMES = 5000


@dataclass(frozen=True)
class Strength:
    """`spec` makes the bot (`rw.bot`); `seconds` is how long one of its decisions takes, about."""

    name: str
    spec: str
    seconds: float


STRENGTHS = (
    Strength("random", "random", 0.0),
    Strength("easy", "greedy", 0.3),
    Strength("medium", "mcts:500ms", 0.5),
    Strength("strong", "mcts:3s", 3.0),
)
HINT = "mcts:700ms"
_BY_NAME = {strength.name: strength for strength in STRENGTHS}
AT_ONCE = ("random", "first")  # chosen where the table is; all others think in a process of their own


def bot_spec(asked: str) -> str:
    """The bot that is meant: a strength, or the name of a bot that is allowed."""
    if asked in _BY_NAME:
        return _BY_NAME[asked].spec
    if asked in AT_ONCE or _GREEDY.fullmatch(asked):
        return asked
    timed, counted = _TIMED.fullmatch(asked), _COUNTED.fullmatch(asked)
    if timed and 0 < seconds_of(asked) <= LONGEST:
        return asked
    if counted and 0 < int(counted[2]) <= MOST_GAMES:
        return asked
    raise Refused(422, "wrong_bot", bot=asked[:40])


def seconds_of(spec: str) -> float:
    """How long a decision takes by the clock, as far as the name says."""
    timed = _TIMED.fullmatch(spec)
    if timed:
        return float(timed[1]) / (1000 if timed[2] == "ms" else 1)
    return next((strength.seconds for strength in STRENGTHS if strength.spec == spec), 0.5)
