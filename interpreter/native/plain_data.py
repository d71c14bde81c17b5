"""What goes over the pipe between a program and a sandbox: JSON, and nothing that could run.

Numbers, words, lists and none go as they are. Tuples, mappings (whose keys need not be words) and findings are marked.
`unpacked` builds values of a few known kinds and nothing else, whatever the other side has sent: who reads from a
sandbox must not trust it.
"""

from __future__ import annotations

from typing import Any

from ..diagnostics.diagnostic import Diagnostic, Label, Severity
from ..diagnostics.source import Source, Span

_MOST_TEXT = 200_000  # letters of a source that go with a finding


class NotPlain(Exception):
    """What arrived is not what this side sends."""


def packed(value: Any) -> Any:
    """A value as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [packed(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [packed(item) for item in value]}
    if isinstance(value, dict):
        return {"map": [[packed(key), packed(item)] for key, item in value.items()]}
    if isinstance(value, Diagnostic):
        return {"finding": _packed_finding(value)}
    raise NotPlain(f"a {type(value).__name__} does not leave a sandbox")


def unpacked(value: Any) -> Any:
    """The value that `packed` was given. Raises NotPlain for anything else."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    match value:
        case {"tuple": list() as items}:
            return tuple(unpacked(item) for item in items)
        case {"map": list() as pairs}:
            return dict(_pair(pair) for pair in pairs)
        case {"finding": list() as parts}:
            return _finding(parts)
    raise NotPlain("a sandbox has sent something else than an answer")


def _pair(pair: Any) -> tuple[Any, Any]:
    match pair:
        case [key, item]:
            found = unpacked(key)
            if isinstance(found, str | int | tuple | None):
                return found, unpacked(item)
    raise NotPlain("a sandbox has sent a mapping that is none")


def _packed_finding(found: Diagnostic) -> list[Any]:
    labels = [_packed_label(label) for label in (found.primary, *found.others)]
    return [found.code, found.headline, labels, list(found.notes), found.help, found.severity.value]


def _packed_label(label: Label) -> list[Any]:
    source = label.span.source
    text = source.text if len(source.text) <= _MOST_TEXT else ""
    return [source.name, text, label.span.start, label.span.end, label.text]


def _finding(parts: list[Any]) -> Diagnostic:
    match parts:
        case [str(code), str(headline), [first, *others], list(notes), str() | None as help, str(severity)]:
            told = tuple(str(note) for note in notes)
            labels = tuple(_label(label) for label in others)
            if severity in Severity.__members__:
                return Diagnostic(code, headline, _label(first), labels, told, help, Severity(severity))
    raise NotPlain("a sandbox has sent a finding that is none")


def _label(parts: Any) -> Label:
    match parts:
        case [str(name), str(text), int(start), int(end), str(words)]:
            start = min(max(start, 0), len(text))
            return Label(Span(Source(name, text), start, min(max(end, start), len(text))), words)
    raise NotPlain("a sandbox has sent a place that is none")
