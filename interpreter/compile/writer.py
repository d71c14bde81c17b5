"""Lines, indentation, and the table from emitted lines to places in the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..diagnostics.source import NOWHERE, Span


class Writer:
    """Collects lines; each line remembers the span it comes from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: list[tuple[str, int, int] | None] = []
        self.depth = 0

    def line(self, text: str, span: Span = NOWHERE) -> None:
        self.lines.append("    " * self.depth + text if text else "")
        known = span is not NOWHERE and span.source.text
        self.places.append((span.source.name, *span.source.place(span.start)) if known else None)

    @contextmanager
    def indented(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
