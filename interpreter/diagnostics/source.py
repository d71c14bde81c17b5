"""A source file and a span in it. Line and column are computed on demand.

Every tree node, table cell and diagnostic carries a `Span`; nothing else in the program knows about
offsets. A span is two character offsets into one text, so slicing the text with them gives what the author wrote.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One text, and the name by which people find it (a path relative to the current folder).

    Two sources are equal only if they are the same object: comparing spans must not compare whole files.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        for offset, letter in enumerate(self.text):
            if letter == "\n":
                starts.append(offset + 1)
        return starts

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line (counted from 1) without its line ending."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True)
class Span:
    """From `start` up to but not including `end` in a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.place(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def at(self) -> str:
        """`market.rules:88:3`, the form in which notes refer to a place."""
        line, column = self.source.place(self.start)
        return f"{self.source.name}:{line}:{column}"

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of a later one in the same source."""
        return Span(self.source, self.start, max(self.end, other.end))


NOWHERE = Span(Source("<nowhere>", ""), 0, 0)
