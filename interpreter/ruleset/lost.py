"""What a game lacks because of mistakes already reported, and which other findings are only consequences of that.
losses.py fills in the `Lost` value defined here.

A declaration that could not be read declares nothing, so every use of its name would be reported as an error with the
same cause. Three things are known about what is missing:

- `names`: words that may have been declared in a broken declaration, or in a data file that could not be read. A
  finding that mentions one of them is dropped. That may hide another mistake until the first one is fixed, which is
  the lesser evil: an author who is shown fifty errors has to search for the one that matters.
- `spoilt`: declarations that were kept without some of their lines. Errors after the first missing line (a local that
  is never bound, a value that may be none because the test for it is missing) are dropped.
- `files`: data files that could not be read. Then nothing can be said about how many pieces or nodes there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..diagnostics.diagnostic import Diagnostic, Severity
from ..diagnostics.source import Span

if TYPE_CHECKING:  # the node classes are not needed for listing games and for a warm start
    from ..syntax import nodes

_QUOTED = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"[A-Za-z]\w*")
_TYPE = re.compile(r"\b[A-Z]\w*")  # types stand in headlines without quotes: `this may be a Card`

# Findings that something is missing without saying what it is called (`game`, `play`, a space for a piece, a piece that
# carries it): any broken declaration may have been it.
_ABSENT = ("R0225", "R0319", "R0444")

# Findings about numbers that may be counts of pieces or nodes: those of a file that could not be read are none at all.
_ABOUT_NUMBERS = ("R0401", "R0433")

# Besides the family R03, the codes that report an unknown name.
_ABOUT_NAMES = ("R0224", "R0232", "R0259", "R0260", "R0603", "R0608", "R0620", "R0624")


@dataclass(frozen=True)
class Lost:
    """What could not be read. Falsy if nothing is missing."""

    names: frozenset[str] = frozenset()
    spoilt: dict[Span, tuple[int, int]] = field(default_factory=dict)  # declaration -> from its first missing line on
    files: frozenset[str] = frozenset()  # names of the sources of data files
    is_blind: bool = False  # any name may be lost: a data file does not exist, or a declaration lacks its name

    def __bool__(self) -> bool:
        return bool(self.names or self.spoilt or self.files or self.is_blind)

    def lacks_lines(self, declaration: nodes.Declaration) -> bool:
        """True if lines of this declaration are missing."""
        return declaration.span in self.spoilt


def without_consequences(findings: Iterable[Diagnostic], lost: Lost) -> list[Diagnostic]:
    """The findings that are not mere consequences of what was lost."""
    return [finding for finding in findings if not _is_consequence(finding, lost)]


def _is_consequence(finding: Diagnostic, lost: Lost) -> bool:
    if finding.code.startswith("R01") or finding.primary.span.source.name in lost.files:
        return False  # an error in the text itself is a cause, never a consequence
    if lost.is_blind and (finding.code.startswith("R03") or finding.code in _ABOUT_NAMES):
        return True
    if finding.severity is Severity.warning:
        return True  # what seems unused may be used in the part that is missing
    if lost.files and finding.code in _ABOUT_NUMBERS:
        return True
    if finding.code in _ABSENT or _leans_on_what_is_missing(finding.primary.span, lost):
        return True
    words = [word for quoted in _QUOTED.findall(finding.headline) for word in _WORD.findall(quoted)]
    words += _TYPE.findall(finding.headline)
    words += _WORD.findall(finding.primary.span.text)
    return any(word in lost.names for word in words)


def _leans_on_what_is_missing(span: Span, lost: Lost) -> bool:
    return any(
        declaration.source is span.source and start <= span.start < end
        for declaration, (start, end) in lost.spoilt.items()
    )
