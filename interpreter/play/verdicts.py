"""How a scenario went: passed, or the one thing that went wrong first."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics.diagnostic import Diagnostic
from ..diagnostics.source import Span
from ..syntax import nodes

# What can go wrong, by the word that reports use.
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
    changes: tuple[str, ...] = ()  # what the scenario has changed since its given state


class Failed(Exception):
    """Ends the running of a scenario."""

    def __init__(
        self, kind: str, message: str, span: Span, expected: str = "", found: str = "",
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.failure = Failure(kind, message, span, expected, found, diagnostics)


def failed_with(fault: Diagnostic, span: Span) -> Failed:
    """A scenario that met a fault: one of its rules, or of what it scripted itself."""
    kind = "chance" if fault.code == "R0908" else "fault"
    return Failed(kind, fault.headline, span, diagnostics=(fault,))


@dataclass(frozen=True)
class Found:
    """A scenario of a ruleset with the game it needs."""

    scenario: nodes.Scenario
    game: str
    players: int

    @property
    def title(self) -> str:
        return self.scenario.title.raw

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(cite.text for cite in self.scenario.cites)

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
