"""A finding as data: code, headline, where, labels, notes, help. Rendering is somebody else's work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .source import Span


class Severity(Enum):
    error = "error"
    warning = "warning"


@dataclass(frozen=True)
class Label:
    """What is to be seen at a place: the text beside the caret."""

    span: Span
    text: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `primary` carries the caret, `others` the further places that belong to it."""

    code: str
    headline: str
    primary: Label
    others: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    severity: Severity = Severity.error


class Diagnostics:
    """The list that every stage adds to. A stage goes on after a finding as long as that makes sense."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def error(
        self,
        code: str,
        headline: str,
        span: Span,
        label: str = "",
        *,
        others: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
    ) -> None:
        self._add(Diagnostic(code, headline, Label(span, label), others, notes, help))

    def warning(
        self,
        code: str,
        headline: str,
        span: Span,
        label: str = "",
        *,
        others: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
    ) -> None:
        self._add(Diagnostic(code, headline, Label(span, label), others, notes, help, Severity.warning))

    def _add(self, finding: Diagnostic) -> None:
        if finding not in self.found:  # one cause, one report
            self.found.append(finding)

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.error for finding in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


class RulesetError(Exception):
    """A ruleset that cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        super().__init__(f"{first.primary.span.at}: {first.headline}" if first else "unusable ruleset")
