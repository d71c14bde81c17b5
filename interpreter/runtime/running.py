"""A running game as the modules below `State` see it.

`State` is the public face of a game. It stands on the modules for texts, logs, decisions, scores and worlds; and all
of them are handed the state. If they named the class, each would import the module that imports it, and none of them
could be read, tested or moved alone. So they name this protocol instead: the parts of a state that they may use.
`State` and `Game` match it without saying so, and the type checker compares the two.

Parts that lead back up (the game, its machine, states inside a state) are `Any` here.
"""

from __future__ import annotations

from typing import Any, Protocol, Self

from ..compile.meta import Meta
from .mixes import Mixes


class Running(Protocol):
    game: Any
    machine: Any
    f: list[int]  # fields and slots
    p: list[list[int]]  # places
    at: list[int]  # where each piece is
    k: list[list[Any]]  # frames of the rules that run
    g: int  # the generator
    h: list[Any]  # site, option, site, option …
    fd: int
    site: int
    who: int
    opts: list[int]
    picked: Any
    steps: int  # units of work since the last decision
    limit: int  # the most of them
    over: bool
    won: tuple[int, ...] | None
    why: tuple[int, tuple[Any, ...]] | None
    gone: tuple[int, ...]
    together: int
    seed: int
    auto: bool
    script: list[Any]
    horizon: int
    # What players know, and when it was worked out
    tracked: bool
    may_defer: bool
    promptly: int
    since: Any
    kn: list[Mixes] | None
    ev: Any
    lg: list[Any]
    lit: dict[int, int]
    shown: dict[int, int]
    apart: Any
    approximate: tuple[str, ...]
    answers: dict[Any, Any]
    moment: Any  # a weak reference to what decisions and options hold: see `moment`

    @property
    def meta(self) -> Meta: ...

    @property
    def path(self) -> tuple[str, ...]: ...

    @property
    def scores(self) -> list[int]: ...

    @property
    def ranking(self) -> list[int]: ...

    @property
    def decision(self) -> Any: ...

    # Every part of a state; the class of a state that has all of them, and of one that is behind: see `deferred`
    PARTS: Any
    WHOLE: Any
    BEHIND: Any

    def clone(self) -> Self: ...

    def fork(self) -> Self: ...

    def snapshot(self) -> Self: ...

    def stands_as(self, again: Self) -> bool: ...

    def unchanging(self) -> Self | None: ...

    def apply(self, option: Any) -> Any: ...

    def apply_at_once(self, raw: int) -> None: ...

    def unfiltered(self) -> list[Any]: ...

    def refusal(self) -> Any: ...

    def knows(self, reader: int | None, piece: int) -> bool: ...

    def local(self, name: str) -> Any: ...

    def text_values(self, text: int, bound: dict[str, Any] | None = None, search: Any = None) -> tuple[Any, ...]: ...

    def rule_text(self, text: int, args: tuple[Any, ...]) -> tuple[Any, ...]: ...

    def view(self, player: int | None) -> dict[str, Any]: ...

    def log(self, player: int | None = None) -> list[str]: ...


class Host(Protocol):
    """The game that a state belongs to."""

    machine: Any

    @property
    def meta(self) -> Meta: ...

    @property
    def code(self) -> str: ...

    def seeded(self, seed: int) -> int: ...

    def run(self, state: Any) -> None: ...

    def retrace(self, state: Any) -> Any: ...

    def fault(self, trouble: Any, state: Any) -> Exception: ...
