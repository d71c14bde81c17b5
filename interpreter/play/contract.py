"""The interface of a running game, as seats, matches, records and screens use it.

These are protocols: any object with these members will do, so a test can use a game of twenty lines in place of a
compiled one. The classes of the runtime have more members than are listed here; scenarios, `why` and deep validation
use those directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Option(Protocol):
    """One thing that may be chosen: `int(option)` is its stable code, `str(option)` its label, `values` the names of
    the things it binds, `index` its position among the options."""

    @property
    def index(self) -> int: ...
    @property
    def kind(self) -> str: ...  # option, pass, enough, free
    @property
    def values(self) -> tuple[str, ...]: ...
    def __int__(self) -> int: ...


class Refusal(Protocol):
    """Why something is not offered, and the clauses that say so."""

    @property
    def reason(self) -> str: ...
    @property
    def cites(self) -> Sequence[str]: ...


class Decision(Protocol):
    @property
    def player(self) -> int: ...
    @property
    def prompt(self) -> str: ...
    @property
    def picked(self) -> Sequence[str]: ...
    @property
    def options(self) -> Sequence[Option]: ...
    @property
    def path(self) -> Sequence[str]: ...
    @property
    def cites(self) -> Sequence[str]: ...
    def find(self, text: str, /) -> Option: ...
    def why_not(self, what: Any, /) -> Any: ...


class State(Protocol):
    @property
    def over(self) -> bool: ...
    @property
    def decision(self) -> Any: ...  # Decision while the game goes on
    @property
    def history(self) -> tuple[int, ...]: ...
    @property
    def scores(self) -> Sequence[int]: ...
    @property
    def score_lines(self) -> Sequence[Sequence[tuple[str, int]]]: ...
    @property
    def ranking(self) -> Sequence[int]: ...
    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def undo_horizon(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def auto(self) -> bool: ...
    def apply(self, option: Any, /) -> Any: ...
    def clone(self) -> Any: ...
    def view(self, player: int, /) -> dict[str, Any]: ...
    def log(self, player: int | None = None, /) -> list[str]: ...
    def to_json(self) -> str: ...


class Game(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def seat_names(self) -> Sequence[str]: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def meta(self) -> Any: ...  # what the game knows about its own declarations (compile.meta.Meta)
    def new(self, seed: int = 0, auto: bool = True) -> Any: ...  # State
    def from_json(self, text: str, /) -> Any: ...  # State
    def playout(self, seed: int, /) -> Any: ...  # State, finished


class PlayError(Exception):
    """A person asked for something that cannot be done: the message says what, `help` what to do instead."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


def option_with_code(decision: Decision, code: int) -> Option | None:
    """The offered option that has this code, or None."""
    return next((option for option in decision.options if int(option) == code), None)
