"""A finding as data: code, headline, place, labels, notes, help. Turning it into text is the job of render.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypedDict, Unpack

from .source import NOWHERE, Span
from .suggest import did_you_mean


class Severity(Enum):
    error = "error"
    warning = "warning"


@dataclass(frozen=True)
class Label:
    """A place in a source and the text that is printed beside its carets."""

    span: Span
    text: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `primary` is the place marked with carets, `others` are further places that belong to it."""

    code: str
    headline: str
    primary: Label
    others: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    severity: Severity = Severity.error


class Details(TypedDict, total=False):
    """What a finding may have besides a headline and a place."""

    others: tuple[Label, ...]
    notes: tuple[str, ...]
    help: str | None
    near: Iterable[str]  # names that may be meant by the one that is marked; the nearest of them is the help
    first: Span  # what is marked has been declared before, here


def _finding(code: str, headline: str, span: Span, label: str, severity: Severity, more: Details) -> Diagnostic:
    help, others = more.get("help"), more.get("others", ())
    if "near" in more:
        help = did_you_mean(span.text, more["near"])
    if "first" in more:
        label, others = "again here", (Label(more["first"], "first here"),)
    return Diagnostic(code, headline, Label(span, label), others, more.get("notes", ()), help, severity)


MOST = 1_000  # findings of one run


class Diagnostics:
    """The list that every stage adds to. A stage carries on after a finding as long as that makes sense."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._known: set[Diagnostic] = set()

    def error(self, code: str, headline: str, span: Span, label: str = "", **more: Unpack[Details]) -> None:
        self._add(_finding(code, headline, span, label, Severity.error, more))

    def warning(self, code: str, headline: str, span: Span, label: str = "", **more: Unpack[Details]) -> None:
        self._add(_finding(code, headline, span, label, Severity.warning, more))

    def take(self, others: Iterable[Diagnostic]) -> None:
        """What another list has gathered, in its order."""
        for finding in others:
            self._add(finding)

    def _add(self, finding: Diagnostic) -> None:
        # Several passes may run into the same mistake: one cause, one report. Nobody reads thousands of them.
        if finding not in self._known and (len(self.found) < MOST or not self.is_full):
            self._known.add(finding)
            self.found.append(finding)

    @property
    def is_full(self) -> bool:
        """True if there is no room for more: a thousand findings, and an error among them."""
        return len(self.found) >= MOST and self.has_errors

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.error for finding in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def nested_too_deeply() -> Diagnostic:
    """Rules that are nested more deeply than a stage can follow, each part by itself within the limits."""
    help_text = "give names to parts of it, and let fewer rules call one another in a row"
    return Diagnostic("R0102", "the rules are nested too deeply", Label(NOWHERE, ""), help=help_text)


class RulesetError(Exception):
    """Raised when a ruleset cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        super().__init__(f"{first.primary.span.at}: {first.headline}" if first else "unusable ruleset")
