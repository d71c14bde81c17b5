"""Findings: what every stage reports through, and what the command line shows.

Comes in: nothing. This package knows no stage and no game. A stage makes a `Diagnostics`, adds what it finds with a
code, a headline and a span, and goes on as long as that makes sense.

Goes out: `Diagnostic` values, which are data (code, primary place, other places, notes, help), and three views of
the same value: the full text with carets, one line, and plain data for JSON. Codes are described once, in the
registry (`codes.py` and one `codes_*.py` a family), which is what `rulewright explain` prints.

Guaranteed: every place is a span of a source, so line and column are worked out from the text and never assembled
by hand; the same finding is reported once.
"""

from __future__ import annotations

from .diagnostic import Diagnostic, Diagnostics, Label, RulesetError, Severity
from .render import as_data, render, render_all, render_line
from .source import NOWHERE, Source, Span
from .suggest import did_you_mean, nearest

__all__ = [
    "NOWHERE",
    "Diagnostic",
    "Diagnostics",
    "Label",
    "RulesetError",
    "Severity",
    "Source",
    "Span",
    "as_data",
    "did_you_mean",
    "nearest",
    "render",
    "render_all",
    "render_line",
]
