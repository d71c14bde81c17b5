"""What a game has lost to mistakes that are reported already, and which findings are only a consequence of that.
losses.py finds out what that is.

A declaration that could not be read declares nothing, so every use of its name would be a finding of its own, with the
same cause. Three things are known of what is missing:

- `names`: words that may have been declared in a broken declaration, or in a data file that could not be read. A
  finding that speaks of one of them is dropped. That may hide another mistake until the first is mended, which
  is the lesser evil: an author who is told of fifty errors has to find the one that counts.
- `spoilt`: declarations that were kept without some of their lines. What is wrong behind the first missing line (a
  local that nothing binds, something that may be none because the question before it is gone) is not told.
- `files`: data files that could not be read. Nothing can then be said about how many pieces or nodes there are.
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

# What is missed as a whole and not by a name (`game`, `play`): any broken declaration may have been it.
_ABSENT = ("R0225", "R0319")

# Besides those of the family R03, what is said of a name that nothing has.
_ABOUT_NAMES = ("R0224", "R0232", "R0259", "R0260", "R0603", "R0608", "R0620", "R0624")


@dataclass(frozen=True)
class Lost:
    """What could not be read. An empty one is false."""

    names: frozenset[str] = frozenset()
    spoilt: dict[Span, tuple[int, int]] = field(default_factory=dict)  # declaration -> from its first missing line on
    files: frozenset[str] = frozenset()  # names of the sources of data files
    is_blind: bool = False  # any name may be lost: a data file is not there at all, or a declaration lacks its name

    def __bool__(self) -> bool:
        return bool(self.names or self.spoilt or self.files or self.is_blind)

    def lacks_lines(self, declaration: nodes.Declaration) -> bool:
        """True if lines of this declaration are missing."""
        return declaration.span in self.spoilt


def without_consequences(findings: Iterable[Diagnostic], lost: Lost) -> list[Diagnostic]:
    """The findings that stand by themselves."""
    return [finding for finding in findings if not _is_consequence(finding, lost)]


def _is_consequence(finding: Diagnostic, lost: Lost) -> bool:
    if finding.code.startswith("R01") or finding.primary.span.source.name in lost.files:
        return False  # of the text itself: that is where causes are
    if lost.is_blind and (finding.code.startswith("R03") or finding.code in _ABOUT_NAMES):
        return True
    if finding.severity is Severity.warning:
        return True  # what seems unused may be used in what is missing
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
