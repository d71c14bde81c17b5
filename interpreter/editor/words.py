"""What the language reference says of a word of the language: one line of docs/language.md.

The page is the only source, so that what an editor shows is what people read. A row of a table counts more than a
sentence, since rows are there to be looked up.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


def line_about(word: str) -> str:
    """The first row of a table, or else the first line, that shows the word as code; empty if there is none."""
    shown = re.compile(rf"`{re.escape(word)}(?![\w])[^`]*`")
    lines = [line for line in _reference() if shown.search(line)]
    rows = [line for line in lines if line.startswith("|") and shown.search(line.split("|")[1])]
    for line in (*rows, *lines):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        return ": ".join(cells) if line.startswith("|") else line.strip()
    return ""


@cache
def _reference() -> tuple[str, ...]:
    """The lines of the page that are no examples; nothing where the page is not installed."""
    package = Path(__file__).resolve().parent.parent
    pages = (package / "_data" / "docs" / "language.md", package.parent / "docs" / "language.md")
    page = next((page for page in pages if page.is_file()), None)
    if page is None:
        return ()
    try:
        text = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(re.sub(r"(?ms)^```.*?^```$", "", text).splitlines())
