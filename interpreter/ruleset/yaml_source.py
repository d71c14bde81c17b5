"""YAML with positions: every value and every key knows its place in the file.

The tree is built from PyYAML's parse events, not from its constructed objects. So nothing is ever constructed
that a file could misuse, every value has a span, and the few quirks of YAML that hurt authors are gone:

- `yes no on off` are plain words, since they are often ids or enum values; only `true` and `false` are flags.
- Numbers are whole. `1.5`, `1_000`, `0x1F` and `007` stay text, and the schema of the file then says what it expects.
- Keys are the words as written, so `2:` is the key `2`. A key that is a list or a mapping is refused.
- A key may occur once per mapping. Tags (`!!python/…`) and merge keys are refused; aliases are allowed within a budget.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Source, Span
from ..files.reading import MOST_BYTES, FileRefused, TooLarge, read_bytes, size_text
from ..files.shown import visible
from .gathered import Scalar
from .unsaved import unsaved_text

MOST_DEPTH = 32
MOST_VALUES = 200_000

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_NOTHING = {"", "~", "null", "Null", "NULL"}
_FLAGS = {"true": True, "True": True, "false": False, "False": False}


class _Refused(Exception):
    """Stops reading: a finding has been added and nothing of the file can be used."""


def shown_path(path: Path) -> str:
    """A path as it is shown to people: relative if it is below the current folder, otherwise absolute."""
    try:
        return visible(path.resolve().relative_to(Path.cwd()).as_posix())
    except (ValueError, OSError):
        return visible(path.as_posix())


def read_source(
    path: Path, found: Diagnostics, asked_at: Span | None = None, inside: Path | None = None
) -> Source | None:
    """The text of a file, or None after a finding (missing, too large, not UTF-8, control characters), placed at
    `asked_at` if given. `inside`: the folder that it must lie in, links followed."""
    name = shown_path(path)
    here = asked_at or Span(Source(name, ""), 0, 0)
    unsaved = unsaved_text(path)
    try:
        content = read_bytes(path, inside=inside) if unsaved is None else unsaved.encode("utf-8", "surrogatepass")
        if len(content) > MOST_BYTES:
            raise TooLarge
    except TooLarge:
        said = f"`{visible(path.name)}` is larger than {size_text(MOST_BYTES)}"
        found.error("R0202", said, here, help="split it into several files")
        return None
    except FileRefused as refused:
        what = f"the file `{visible(path.name)}` is not read: {refused}"
        help = "a ruleset consists of ordinary files in its own folder"
        found.error("R0201", what, here, "named here" if asked_at else "", notes=(f"looked at {name}",), help=help)
        return None
    except (OSError, ValueError):
        what = f"the file `{visible(path.name)}` cannot be read"
        help = "create the file, or correct its name"
        found.error("R0201", what, here, "named here" if asked_at else "", notes=(f"looked for {name}",), help=help)
        return None
    try:
        source = Source(name, content.decode("utf-8-sig"))
        return None if has_control_character(source, found) else source
    except UnicodeDecodeError as problem:
        good = content[: problem.start].decode("utf-8", "replace")
        source = Source(name, content.decode("utf-8", "replace"))
        what = f"`{path.name}` is not UTF-8 text"
        help = "save the file as UTF-8"
        found.error("R0202", what, Span(source, len(good), len(good) + 1), "this byte cannot be read", help=help)
        return None


_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]")


def has_control_character(source: Source, found: Diagnostics) -> bool:
    """Reports the first control character of a text. No rule needs one, and a terminal obeys them."""
    control = next((one for one in _CONTROL.finditer(source.text) if not _ends_line(source.text, one.start())), None)
    if control is None:
        return False
    what = f"a control character, U+{ord(control[0]):04X}"
    help = "delete it; text consists of letters, signs, spaces and new lines"
    found.error("R0202", what, Span(source, control.start(), control.end()), "shown as a sign", help=help)
    return True


def _ends_line(text: str, offset: int) -> bool:
    return text[offset] == "\r" and text[offset + 1 : offset + 2] in ("\n", "")


def read_yaml(
    path: Path, found: Diagnostics, asked_at: Span | None = None, inside: Path | None = None
) -> Scalar | None:
    """The document of a YAML file, or None after at least one finding."""
    source = read_source(path, found, asked_at, inside)
    if source is None:
        return None
    key = (source.name, source.text)
    if key not in _documents:
        document = parse_yaml(source, found)
        if document is None:
            return None
        if len(_documents) >= _MOST_DOCUMENTS:
            _documents.clear()
        _documents[key] = document
    return _documents[key]


_documents: dict[tuple[str, str], Scalar] = {}  # cache of valid files: one command may gather a ruleset many times
_MOST_DOCUMENTS = 200


def parse_yaml(source: Source, found: Diagnostics) -> Scalar | None:
    """The document in a source, or None after at least one finding."""
    if _has_tab(source, found):
        return None
    try:
        document = _Builder(source, found).build()
    except _Refused:
        return None
    if document is None:
        found.error("R0203", "the file is empty", Span(source, 0, 0), help="write the keys that this file needs")
    return document


def _has_tab(source: Source, found: Diagnostics) -> bool:
    """Reports a tab in the indentation, which YAML forbids. PyYAML's own message for it is hard to understand."""
    tab = re.search(r"^[ ]*(\t+)", source.text, re.MULTILINE)
    if tab is None:
        return False
    what = "a tab in the indentation"
    found.error("R0204", what, Span(source, tab.start(1), tab.end(1)), "tab here", help="indent with spaces")
    return True


@dataclass
class _Open:
    """A list or mapping under construction."""

    start: int
    anchor: str | None
    is_mapping: bool
    items: list[Scalar] = field(default_factory=list)
    entries: dict[str, Scalar] = field(default_factory=dict)
    keys: dict[str, Span] = field(default_factory=dict)
    key: str | None = None
    size: int = 1


class _Builder:
    """Builds the tree of one document from parse events, with an explicit stack: deeply nested input cannot overflow
    Python's."""

    def __init__(self, source: Source, found: Diagnostics) -> None:
        self.source = source
        self.found = found
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Scalar, int]] = {}
        self.opened: set[str] = set()
        self.document: Scalar | None = None
        self.documents = 0
        self.size = 0

    def build(self) -> Scalar | None:
        for event in self._events():
            match type(event).__name__:
                case "ScalarEvent":
                    self._scalar(event)
                case "AliasEvent":
                    self._alias(event)
                case "SequenceStartEvent" | "MappingStartEvent":
                    self._open(event)
                case "SequenceEndEvent" | "MappingEndEvent":
                    self._close(event)
                case "DocumentStartEvent":
                    self._document(event)
        return self.document

    def _events(self) -> Iterator[Any]:
        import yaml

        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            yield from yaml.parse(self.source.text, Loader=loader)
        except yaml.MarkedYAMLError as problem:
            mark = _telling_mark(problem)
            index = min(mark.index, len(self.source.text)) if mark else 0
            self._refuse(
                "R0205", f"this is not YAML: {_in_words(problem)}", self._span(index, index + 1), _advice(problem)
            )
        except yaml.YAMLError as problem:
            index = getattr(problem, "position", 0)
            index = min(index if isinstance(index, int) else 0, len(self.source.text))
            self._refuse(
                "R0205",
                "this is not YAML: a character that cannot stand in a text",
                self._span(index, index + 1),
                "remove the character",
            )

    def _span(self, start: int, end: int) -> Span:
        """A span without trailing white space, which an author does not see as part of the value."""
        text = self.source.text
        end = min(end, len(text))
        while end > start and text[end - 1].isspace():
            end -= 1
        return Span(self.source, start, end)

    def _refuse(
        self,
        code: str,
        headline: str,
        span: Span,
        help: str | None = None,
        label: str = "",
        others: tuple[Label, ...] = (),
    ) -> None:
        self.found.error(code, headline, span, label, others=others, help=help)
        raise _Refused

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            span = self._span(event.start_mark.index, event.start_mark.index + 3)
            self._refuse("R0205", "a second document begins here", span, "keep one document a file, without `---`")

    def _scalar(self, event: Any) -> None:
        span = self._span(event.start_mark.index, event.end_mark.index)
        if event.tag is not None:
            self._refuse("R0207", "tags cannot be used in data files", span, "write the plain value")
        if _CONTROL.search(event.value):
            self._refuse("R0205", "an escape that stands for a control character", span, "write letters and signs")
        if self._expects_key():
            self._key(event, span)
            return
        value: Any = event.value
        if not event.style:
            value = _plain_value(event.value)
        self._add(Scalar(value, span), event.anchor, 1)

    def _expects_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].is_mapping and self.stack[-1].key is None

    def _key(self, event: Any, span: Span) -> None:
        top, key = self.stack[-1], event.value
        if key == "<<" and not event.style:
            self._refuse("R0207", "merge keys cannot be used in data files", span, "write the keys out")
        if not key:
            self._refuse("R0208", "a key without a name", span, "give the key a name")
        if key in top.keys:
            self._refuse(
                "R0206",
                f"the key `{key}` stands twice",
                span,
                "keep one of them",
                "again here",
                (Label(top.keys[key], "first here"),),
            )
        top.key = key
        top.keys[key] = span

    def _alias(self, event: Any) -> None:
        span = self._span(event.start_mark.index, event.end_mark.index)
        if self._expects_key():
            self._refuse("R0208", "an alias cannot be a key", span, "write the key out")
        if event.anchor in self.opened:
            self._refuse("R0209", f"`{event.anchor}` contains itself", span, "write the values out")
        if event.anchor not in self.anchors:
            self._refuse(
                "R0205", f"no value is marked `&{event.anchor}` before this", span, "mark it, or write the value out"
            )
        value, size = self.anchors[event.anchor]
        self._add(Scalar(value.value, span, value.keys), None, size)

    def _open(self, event: Any) -> None:
        span = self._span(event.start_mark.index, event.start_mark.index + 1)
        if event.tag is not None:
            self._refuse("R0207", "tags cannot be used in data files", span, "write the plain values")
        if self._expects_key():
            self._refuse("R0208", "a key must be a word", span, "quote the key if it has brackets or commas in it")
        if len(self.stack) >= MOST_DEPTH:
            self._refuse("R0209", f"values are nested more than {MOST_DEPTH} deep", span, "flatten the data")
        is_mapping = type(event).__name__ == "MappingStartEvent"
        self.stack.append(_Open(event.start_mark.index, event.anchor, is_mapping))
        if event.anchor:
            self.anchors.pop(event.anchor, None)
            self.opened.add(event.anchor)

    def _close(self, event: Any) -> None:
        done = self.stack.pop()
        span = self._span(done.start, event.end_mark.index)
        value: Any = done.entries if done.is_mapping else done.items
        if done.anchor:
            self.opened.discard(done.anchor)
        self._add(Scalar(value, span, done.keys), done.anchor, done.size, counted=True)

    def _add(self, value: Scalar, anchor: str | None, size: int, counted: bool = False) -> None:
        """Adds a finished value to the list or mapping around it. `size` counts values as if aliases were written out:
        a few lines of nested aliases can stand for billions of values."""
        if not counted:
            self.size += size
        if self.size > MOST_VALUES:
            self._refuse(
                "R0209",
                f"more than {MOST_VALUES:,} values, aliases counted as if written out",
                value.span,
                "use fewer aliases, or smaller ones",
            )
        if anchor:
            self.anchors[anchor] = (value, size)
        if not self.stack:
            self.document = value
            return
        top = self.stack[-1]
        top.size += size
        if top.is_mapping:
            assert top.key is not None
            top.entries[top.key] = value
            top.key = None
        else:
            top.items.append(value)


def _plain_value(text: str) -> Any:
    if text in _NOTHING:
        return None
    if text in _FLAGS:
        return _FLAGS[text]
    return int(text) if _WHOLE.fullmatch(text) else text


_WORDS = (
    ("mapping values are not allowed", "a `: ` inside a plain value"),
    ("could not find expected ':'", "a key without its `:`"),
    ("did not find expected key", "the indentation does not fit the lines above"),
    ("expected <block end>", "the indentation does not fit the lines above"),
    ("did not find expected '-' indicator", "the indentation does not fit the list above"),
    ("did not find expected ',' or ']'", "a list `[…]` is not closed"),
    ("did not find expected ',' or '}'", "a mapping `{…}` is not closed"),
    ("expected ',' or", "a bracket is not closed"),
    ("unexpected end of stream", "a quoted text is not closed"),
    ("while scanning a quoted scalar", "a quoted text is not closed"),
    ("cannot start any token", "a character that cannot begin a value"),
    ("block sequence entries are not allowed", "a `- ` that does not begin a line"),
    ("undefined alias", "an alias that names nothing"),
)


def _telling_mark(problem: Any) -> Any:
    """The most helpful place for a YAML error: where an unclosed quote or bracket begins, otherwise where parsing
    failed."""
    unclosed = problem.context and ("quoted scalar" in problem.context or "flow" in problem.context)
    unclosed = unclosed and not _lacks_a_comma(problem)
    return (problem.context_mark if unclosed else None) or problem.problem_mark or problem.context_mark


def _lacks_a_comma(problem: Any) -> bool:
    """True if parsing fails on the same line on which the bracket opens: then the bracket is probably closed, and a
    comma between its items is missing."""
    begun, broken = problem.context_mark, problem.problem_mark
    return "flow" in (problem.context or "") and begun is not None and broken is not None and begun.line == broken.line


def _in_words(problem: Any) -> str:
    if _lacks_a_comma(problem):
        return "a comma is missing before this"
    said = f"{problem.problem or ''} {problem.context or ''}"
    return next((words for pattern, words in _WORDS if pattern in said), "the layout is broken here")


def _advice(problem: Any) -> str:
    if _lacks_a_comma(problem):
        return "put commas between what stands in brackets, and quotes round text with signs in it"
    said = f"{problem.problem or ''} {problem.context or ''}"
    if "mapping values" in said:
        return 'quote the value: "…"'
    if "quoted" in said:
        return "close the quotes"
    return "compare the indentation and brackets with the lines above"
