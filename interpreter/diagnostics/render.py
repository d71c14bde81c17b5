"""Three views of a finding: full text with carets, one line, and plain data for JSON.

The full text shows the line of the primary place with `^^^` under it, then each further place with `---` under it.
The primary place is headed by `-->`, each further one by `:::`. A span of several lines is underlined to the end of
its first line. Columns are counted as a terminal shows them: a wide character takes two, a combining one none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from .diagnostic import Diagnostic, Label, Severity

_STYLES = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "bold": "\x1b[1m",
    "frame": "\x1b[1;34m",
    "help": "\x1b[1;36m",
}
_PLAIN = "\x1b[0m"
_WIDEST = 200
_MOST_NOTES = 12


class Words:
    """The words around a finding, as they are written here. Whoever speaks another language has others."""

    def say(self, text: str) -> str:
        return text

    def headline(self, finding: Diagnostic) -> str:
        return finding.headline

    def counted(self, number: int, word: str) -> str:
        return f"{number} {word}{'s' if number != 1 else ''}"


AS_WRITTEN = Words()


def render(finding: Diagnostic, *, colour: bool = False, words: Words = AS_WRITTEN) -> str:
    """The finding in full: several lines, with no newline after the last."""
    paint = _painted if colour else _unpainted
    gutter = max(2, *(len(str(label.span.line)) for label in (finding.primary, *finding.others)))
    severity = finding.severity.value
    head = paint(f"{words.say(severity)}[{finding.code}]", severity)
    lines = [head + paint(f": {words.headline(finding)}", "bold")]
    lines += _place(finding.primary, gutter, "-->", "^", severity, paint)
    for other in finding.others:
        lines += _place(other, gutter, ":::", "-", "frame", paint)
    lines += [_footnote(gutter, words.say("note"), words.say(note), paint) for note in _listed(finding.notes)]
    if finding.help:
        lines.append(_footnote(gutter, words.say("help"), words.say(finding.help), paint))
    return "\n".join(lines)


def render_line(finding: Diagnostic) -> str:
    """`market.rules:88:3: error[R0301]: unknown name `markt``, the form that editors and scripts can parse."""
    return f"{finding.primary.span.at}: {finding.severity.value}[{finding.code}]: {finding.headline}"


def render_all(findings: Iterable[Diagnostic], *, colour: bool = False, words: Words = AS_WRITTEN) -> str:
    """All findings in full, separated by blank lines, and a last line with the number of errors and warnings."""
    found = list(findings)
    errors = sum(finding.severity is Severity.error for finding in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    summary = ", ".join(words.counted(number, word) for number, word in counts if number)
    shown = [render(finding, colour=colour, words=words) for finding in found]
    return "\n\n".join([*shown, *([summary] if summary else [])])


def as_data(finding: Diagnostic) -> dict[str, Any]:
    """The finding as plain data. Lines and columns count from 1; the end is the column after the last character."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "headline": finding.headline,
        "at": _label_data(finding.primary),
        "others": [_label_data(label) for label in finding.others],
        "notes": list(finding.notes),
        "help": finding.help,
    }


def _label_data(label: Label) -> dict[str, Any]:
    span = label.span
    line, column = span.source.place(span.start)
    end_line, end_column = span.source.place(max(span.start, span.end))
    return {
        "file": span.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "label": label.text,
    }


def _place(label: Label, gutter: int, arrow: str, mark: str, style: str, paint: _Paint) -> list[str]:
    """A heading that names the place, the source line, and the marks under it."""
    span = label.span
    line, column = span.source.place(span.start)
    length = max(span.end - span.start, 1)
    text, start = _window(span.source.line_text(line), column - 1)
    end = min(start + length, max(len(text), start + 1))
    before = " " * _width(_shown(text[:start]))
    marks = mark * max(1, _width(_shown(text[start:end].rstrip() or text[start:end])))
    said = f" {label.text}" if label.text else ""
    bar = " " * (gutter + 1) + paint("|", "frame")
    return [
        " " * gutter + paint(arrow, "frame") + f" {span.at}",
        bar,
        paint(f"{line:>{gutter}} |", "frame") + (f" {_shown(text)}" if text else ""),
        f"{bar} {before}" + paint(f"{marks}{said}", style),
    ]


def _window(text: str, start: int) -> tuple[str, int]:
    """The part of a very long line that is shown, and `start` counted within that part."""
    if len(text) <= _WIDEST:
        return text, start
    left = max(0, min(start - _WIDEST // 4, len(text) - _WIDEST))
    shown = text[left : left + _WIDEST]
    before, after = "…" if left else "", "…" if left + _WIDEST < len(text) else ""
    return before + shown + after, start - left + len(before)


def _listed(notes: tuple[str, ...]) -> list[str]:
    """The notes that are printed. A long list is cut short here; `as_data` keeps all of them."""
    more = len(notes) - _MOST_NOTES
    return [*notes[:_MOST_NOTES], f"and {more} more"] if more > 1 else list(notes)


def _footnote(gutter: int, kind: str, text: str, paint: _Paint) -> str:
    indent = " " * (gutter + 1)
    first, *rest = text.split("\n")
    return "\n".join(
        [f"{indent}{paint('=', 'frame')} {paint(kind, 'help')}: {first}", *(f"{indent}        {line}" for line in rest)]
    )


def _shown(text: str) -> str:
    """Text as it is printed. A tab becomes one arrow and any other control character one dot: printed as they are,
    they would shift the rest of the line and the carets would point at the wrong word."""
    return "".join("→" if c == "\t" else "·" if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)


def _width(text: str) -> int:
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


class _Paint:
    """Wraps text in the escape codes of a style, or leaves it as it is."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, style: str) -> str:
        return f"{_STYLES[style]}{text}{_PLAIN}" if self.on else text


_painted = _Paint(True)
_unpainted = _Paint(False)
