"""Draws a map of squares as lines of text.

Row 1 is at the bottom, so that `north` is up. Every square shows what is on it. If the words are too long for the
available width, each is replaced by a short sign, and a legend below explains the signs. An empty square shows a mark
(the number of the option that chooses it), or a dot.
"""

from __future__ import annotations

from collections.abc import Sequence

EMPTY = "·"
_WIDEST = 8


def grid_lines(
    rows: int, columns: int, contents: Sequence[Sequence[str]], marks: Sequence[str], width: int, indent: str = ""
) -> list[str]:
    """The drawing with row 1 at the bottom, as maps are numbered; contents and marks come row by row, row 1 first."""
    texts = [" ".join(words) for words in contents]
    most = max(1, min(_WIDEST, (width - 4) // max(columns, 1) - 1))
    signs = _signs([text for text in dict.fromkeys(texts) if text], most)
    cells = [signs[text] if text else mark or EMPTY for text, mark in zip(texts, marks, strict=True)]
    wide = max(len(cell) for cell in [*cells, str(columns)]) if cells else 1
    side = len(str(rows))
    lines = [indent + " " * side + "  " + " ".join(str(c + 1).center(wide) for c in range(columns)).rstrip()]
    for row in reversed(range(rows)):
        line = " ".join(cell.center(wide) for cell in cells[row * columns : (row + 1) * columns])
        lines.append(f"{indent}{str(row + 1).rjust(side)}  {line}".rstrip())
    legend = [f"{sign} {text}" for text, sign in signs.items() if sign != text]
    if legend:
        lines.append(f"{indent}{' ' * side}  ({', '.join(legend)})")
    return lines


def _signs(texts: list[str], most: int) -> dict[str, str]:
    """A distinct sign for each text: the text itself if all fit, otherwise short signs made from their letters."""
    if all(len(text) <= most for text in texts):
        return {text: text for text in texts}
    signs: dict[str, str] = {}
    for text in texts:
        signs[text] = next(sign for sign in _candidates(text, len(texts)) if sign not in signs.values())
    return signs


def _candidates(text: str, count: int) -> list[str]:
    """Candidates for a sign: initials, then beginnings, then numbers, so that one is always free."""
    words = [word for word in text.replace("_", " ").split() if word]
    initials = "".join(word[0] for word in words).upper()[:3]
    beginnings = [text[: length + 1].strip().capitalize() for length in range(3)]
    return [initials, *beginnings, *(f"{initials[:1]}{number}" for number in range(1, count + 2))]
