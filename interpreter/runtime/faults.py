"""What can happen while a game runs, apart from going on: refusals, endings, faults.

`Refused` and `Carried` are how a trial ends; `Ended` unwinds plain rules when the game is over. A `Fault` is an
error of the ruleset met in play (a dead end, a number out of range, a limit): it knows rule, place, clause, stack,
seed and step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..diagnostics.diagnostic import Diagnostic


class Refused(Exception):
    """A requirement is not met. `number` says which (Meta.refusals); `values` gives the numbers it speaks of."""

    def __init__(self, number: int, values: Callable[[], tuple[Any, ...]] | None = None) -> None:
        super().__init__(number)
        self.number = number
        self.values = values() if values is not None else ()


class Carried(Exception):
    """A trial has come as far as it needs to."""


class Ended(Exception):
    """The game is over, said from inside a plain rule."""


NO_SEGMENTS: frozenset[int] = frozenset()


class Trouble(Exception):
    """A fault before it knows where it happened: code and what is wrong. `segments`: those that go round, if any do."""

    def __init__(
        self, code: str, headline: str, help: str | None = None, segments: frozenset[int] = NO_SEGMENTS
    ) -> None:
        super().__init__(headline)
        self.segments = segments
        self.code = code
        self.headline = headline
        self.help = help


class Fault(Exception):
    """An error of the ruleset at run time."""

    def __init__(
        self,
        diagnostic: Diagnostic,
        *,
        rule: str,
        place: tuple[str, int, int] | None,
        cites: tuple[str, ...],
        stack: tuple[str, ...],
        seed: int,
        step: int,
        history: tuple[int, ...],
    ) -> None:
        super().__init__(diagnostic.headline)
        self.diagnostic = diagnostic
        self.rule = rule
        self.place = place
        self.cites = cites
        self.stack = stack
        self.seed = seed
        self.step = step
        self.history = history

    def __reduce__(self) -> tuple[Any, ...]:
        """A fault travels between processes: many games are played by several."""
        parts = {name: value for name, value in vars(self).items() if name != "diagnostic"}
        return _fault_again, (self.diagnostic, parts)


def _fault_again(diagnostic: Diagnostic, parts: dict[str, Any]) -> Fault:
    return Fault(diagnostic, **parts)


class IllegalChoice(Exception):
    """A choice that cannot be made."""


class UnknownChoice(IllegalChoice):
    """Nothing here is called that."""


class AmbiguousChoice(IllegalChoice):
    """Several options fit."""


class RefusedChoice(IllegalChoice):
    """It exists and is not offered: `reason` and `cites` say why."""

    def __init__(self, message: str, reason: str = "", cites: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.cites = cites


def in_range(value: int, low: int, high: int, name: str, none: int | None) -> int:
    """The value, or a fault if it is out of range."""
    if low <= value <= high or value == none:
        return value
    raise Trouble(
        "R0901", f"`{name}` would be {value}, outside {low}..{high}", "widen its range, or test before the change"
    )


def fitting(value: int, low: int, high: int, what: str, none: int | None) -> int:
    """An argument or index, or a fault if there is nothing for it: no row of a chart, no such cell."""
    if low <= value <= high or value == none:
        return value
    raise Trouble("R0907", f"{what} is {value}, outside {low}..{high}", "test it before, or bring it into the range")


def endless(limit: int, segments: frozenset[int] = NO_SEGMENTS) -> Trouble:
    """Nobody was asked for so long: in a loop that asks nobody, or in one whose every decision has a single option."""
    return Trouble(
        "R0903",
        f"more than {limit} steps without a decision",
        f"nobody could decide for {limit} steps: the loop here does not end, or nobody has more than one option in it"
        if segments
        else f"nobody could decide for {limit} steps: the loop here does not end, or a loop around it",
        segments,
    )


def counted(S: Any, items: Any) -> Any:
    """A set that a loop is about to go over: its passes are counted before they are made."""
    S.steps += len(items)
    if S.steps > S.limit:
        raise endless(S.limit)
    return items


def step(S: Any) -> None:
    """One pass of a loop that has no bound of its own."""
    S.steps += 1
    if S.steps > S.limit:
        raise endless(S.limit)
