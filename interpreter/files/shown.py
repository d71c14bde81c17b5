"""Words from files as people may safely be shown them.

A terminal obeys escape sequences: they set its title, write to the clipboard, move the cursor over what was printed
before. Text that comes from rules, tables, saves, records or file names therefore passes through `visible` before it is
printed: control characters become the signs that Unicode has for them (`␛` for escape), marks that turn the direction
of writing and halves of letters become `\\u202e`. New lines and tabs are kept.

Our own colours are escape sequences too. A stream that writes to a terminal lets through exactly those that set colour
or weight; any other stream lets nothing through.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any, TextIO

# Control characters but tab, new line and carriage return; marks of direction; line separators; halves of letters.
_UNSEEN = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
_OBEYED = re.compile(f"[{_UNSEEN}]")
_IN_COLOUR = re.compile(f"(\x1b\\[[0-9;]{{0,12}}m)|[{_UNSEEN}]")
_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def visible(text: str) -> str:
    """The text with a visible sign for every character that would be obeyed and not shown."""
    if text.isascii() and text.isprintable():
        return text
    return _OBEYED.sub(_sign, text)


def visible_in_colour(text: str) -> str:
    """The same for a terminal: what sets colour or weight is let through."""
    if text.isascii() and text.isprintable():
        return text
    return _IN_COLOUR.sub(lambda found: found[1] or _sign(found), text)


def json_text(content: Any, **how: Any) -> str:
    """JSON for people: letters of all languages as they are, everything that is obeyed as JSON's own escapes."""
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(content, ensure_ascii=False, **how))


def escape(text: str) -> str:
    """The text as a page or a drawing may hold it: nothing in it is a tag, an attribute or an obeyed character."""
    return html.escape(visible(text))


def cell(value: Any) -> Any:
    """A value as a table of comma-separated values may hold it. Spreadsheets work out a text that begins like a
    formula (`=HYPERLINK(…)`, `@SUM(…)`) and may start programs for it; a quote before it makes it a text."""
    if not isinstance(value, str):
        return value
    shown = visible(value)
    return f"'{shown}" if shown.lstrip()[:1] in ("=", "+", "-", "@") else shown


def _sign(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number < 0x20:
        return chr(0x2400 + number)
    return "␡" if number == 0x7F else f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


class SafeStream:
    """A text stream that shows and never obeys what is written to it. Everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._safe: Callable[[str], str] = visible_in_colour if stream.isatty() else visible

    def write(self, text: str) -> int:
        self.stream.write(self._safe(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
