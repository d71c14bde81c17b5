"""The result of a scenario: passed, or the first thing that went wrong."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics.diagnostic import Diagnostic
from ..diagnostics.source import Span
from ..syntax import nodes

# What can go wrong, keyed by the word that reports use.
KINDS = {
    "expectation": "something expected is not so",
    "unknown": "a choice that nothing here means",
    "refused": "a choice that is not allowed here",
    "ambiguous": "a choice that could mean several options",
    "turn": "another seat is to decide, or nobody",
    "chance": "a scripted chance event does not fit, or is left over",
    "setup": "the given state cannot be set up",
    "fault": "a fault of the rules at run time",
    "ruleset": "the game itself has findings",
}


@dataclass(frozen=True)
class Failure:
    """`kind` is one of KINDS; `span` is the line of the scenario that fails."""

    kind: str
    message: str
    span: Span
    expected: str = ""
    found: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    path: tuple[str, ...] = ()  # the rules that were running, outermost first
    asked: str = ""  # of an expectation: who is asked what, if the game waits for a choice
    changes: tuple[str, ...] = ()  # what the scenario has changed since its given state


class Failed(Exception):
    """Raised to stop a scenario that fails."""

    def __init__(
        self, kind: str, message: str, span: Span, expected: str = "", found: str = "",
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.failure = Failure(kind, message, span, expected, found, diagnostics)


def failed_with(fault: Diagnostic, span: Span) -> Failed:
    """The failure of a scenario that ran into a fault, in the rules or in its own scripted chance."""
    kind = "chance" if fault.code == "R0908" else "fault"
    return Failed(kind, fault.headline, span, diagnostics=(fault,))


@dataclass(frozen=True)
class Found:
    """A scenario of a ruleset and the game it needs."""

    scenario: nodes.Scenario
    game: str
    players: int

    @property
    def title(self) -> str:
        return self.scenario.title.raw

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.scenario.cited

    @property
    def at(self) -> Span:
        return self.scenario.span


@dataclass(frozen=True)
class Verdict:
    found: Found
    seconds: float
    failure: Failure | None = None

    @property
    def passed(self) -> bool:
        return self.failure is None
