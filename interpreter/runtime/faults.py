"""Exceptions while a game runs: refusals, the end of the game, faults.

A trial ends with `Refused` (failure) or `Carried` (success); `Ended` unwinds rules without decisions when the game is
over. A `Fault` is an error of the ruleset that shows in play (a dead end, a number out of range, a limit): it knows the
rule, place, clause, stack, seed and step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compile.meta import STEP
from ..diagnostics.diagnostic import Diagnostic


class Later:
    """Numbers of a text that is costly to work out, for whoever asks. A look ahead meets thousands of refusals that
    nobody asks about. The copy of the game that met it does not change any more."""

    __slots__ = ("work_out",)

    def __init__(self, work_out: Callable[[], tuple[Any, ...]]) -> None:
        self.work_out = work_out


class Refused(Exception):
    """A requirement is not met. `number` says which (Meta.refusals); `values` gives the numbers for its text, `line`
    which `result` line of a value said no."""

    def __init__(
        self,
        number: int,
        values: Callable[[], tuple[Any, ...]] | Later | None = None,
        line: Callable[[], int] | None = None,
    ) -> None:
        super().__init__(number)
        self.number = number
        self._later = values if isinstance(values, Later) else None
        self._values = values() if callable(values) else ()
        self.line = line() if line is not None else None

    @property
    def values(self) -> tuple[Any, ...] | None:
        """The numbers for its text; None if working them out takes too long."""
        if self._later is None:
            return self._values
        try:
            return self._later.work_out()
        except Trouble:
            return None


class Carried(Exception):
    """The trial stops here and counts as success."""


class Ended(Exception):
    """The game is over; raised inside a rule without decisions."""


NO_SEGMENTS: frozenset[int] = frozenset()


class Trouble(Exception):
    """A fault that does not yet know where it happened: a code and what is wrong. `segments`: for an endless loop, the
    segments that it runs through."""

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
        """Makes a fault picklable: simulations play games in several processes."""
        parts = {name: value for name, value in vars(self).items() if name != "diagnostic"}
        return _fault_again, (self.diagnostic, parts)


def _fault_again(diagnostic: Diagnostic, parts: dict[str, Any]) -> Fault:
    return Fault(diagnostic, **parts)


class WrongSave(Exception):
    """A save that does not belong to this game, is damaged, or is no save."""


class WrongUse(ValueError):
    """A call that makes no sense in any state: a seat that is not there, a seed that is no whole number."""


class IllegalChoice(Exception):
    """A choice that cannot be made."""


class UnknownChoice(IllegalChoice):
    """Nothing here is called that."""


class AmbiguousChoice(IllegalChoice):
    """Several options fit."""


class RefusedChoice(IllegalChoice):
    """The option exists but is not offered: `reason` and `cites` say why."""

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
    """An argument or index, or a fault if it is out of range: no such row of a chart, no such element."""
    if low <= value <= high or value == none:
        return value
    raise Trouble("R0907", f"{what} is {value}, outside {low}..{high}", "test it before, or bring it into the range")


def filled(piece: int, name: str) -> int:
    """The piece of a slot that is never empty, or a fault if nothing is there."""
    if piece >= 0:
        return piece
    raise Trouble("R0913", f"`{name}` is empty", "it is said to be never empty: fill it before it is asked for")


def somebody(player: int) -> int:
    """One of those who are still in, or a fault if all have dropped out."""
    if player >= 0:
        return player
    raise Trouble("R0916", "nobody is left", "all players have dropped out: ask `players is empty` before")


# Of a dead end behind a choice that was offered because looking ahead had no steps left.
GAVE_UP = "before this, looking ahead ran out of steps: what it could not tell was offered"
TOO_FAR_AHEAD = (
    "ask first for what decides it, so that there is less to try; or allow more steps in the manifest "
    "(`limits: {trial_steps: …}`)"
)
# `choose 2..14 c in p.hand as cards such that …`: each pick asks whether a set can still be made of the rest.
TOO_MANY_SETS = (
    "there are too many sets to try: ask first for what makes the set (its rank, its suit), "
    "then choose among the pieces that fit, or let fewer be chosen"
)


def endless(limit: int, segments: frozenset[int] = NO_SEGMENTS) -> Trouble:
    """The fault after too many steps without a question: a loop in which nobody decides, or in which every decision has
    a single option."""
    return Trouble(
        "R0903",
        f"more than {limit} steps without a decision",
        f"nobody could decide for {limit} steps: the loop here does not end, or nobody has more than one option in it"
        if segments
        else f"nobody could decide for {limit} steps: the loop here does not end, or a loop around it; "
        "or there is much to do: of several names each has its own condition right behind it "
        "(`h in Hex where is_free(h), t in supply where …`), and the manifest allows more with `limits: {steps: …}`",
        segments,
    )


def spend(S: Any, units: int) -> None:
    """Counts work that the rules do (`compile/work.py` says where). A fault if it is more than the limit allows."""
    S.steps += units
    if S.steps > S.limit:
        raise endless(S.limit // STEP)


def counted(S: Any, items: Any, weight: int) -> Any:
    """A set that a loop is about to iterate over; its passes are counted before they run, each with that weight."""
    S.steps += len(items) * weight
    if S.steps > S.limit:
        raise endless(S.limit // STEP)
    return items


def uncounted(S: Any, work_out: Callable[[], Any]) -> Any:
    """Works out what has been counted already."""
    before = S.steps
    try:
        return work_out()
    finally:
        S.steps = before


def step(S: Any) -> None:
    """Counts one pass of a loop without a bound of its own."""
    S.steps += STEP
    if S.steps > S.limit:
        raise endless(S.limit // STEP)
