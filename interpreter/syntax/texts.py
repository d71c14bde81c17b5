"""Takes texts with holes apart: `"Steal from {q} with {c}"`.

A hole is an expression, optionally followed by a bar and the grammatical form of the name to show (`{c|definite}`).
`{{` and `}}` stand for braces, `\\"` and `\\\\` for a quote and a backslash. The caller passes in the function that
parses the inside of a hole, because this module does not know the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from . import nodes

ParseHole = Callable[[str, int], "nodes.Expr | None"]

_PIECE = re.compile(r"\{\{|\}\}|\\.|\{[^{}]*\}|[{}\\]|[^{}\\]+")
_FORM = re.compile(r"\|\s*([a-z][a-z0-9_]*)\s*$")


def build_text(
    written: str, start: int, place: Callable[[int, int], Span], hole: ParseHole, found: Diagnostics
) -> nodes.Text:
    """The node of a text. `written` includes the quotes, `start` is its offset, `place` turns offsets into spans."""
    parts: list[str | nodes.Hole] = []
    for piece in _PIECE.finditer(written[1:-1]):
        offset = start + 1 + piece.start()
        span = place(offset, offset + len(piece[0]))
        part = _hole(piece[0], offset, span, hole, found) if _is_hole(piece[0]) else _plain(piece[0], span, found)
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        elif part:
            parts.append(part)
    return nodes.Text(place(start, start + len(written)), tuple(parts))


def _is_hole(piece: str) -> bool:
    return piece.startswith("{") and piece.endswith("}") and piece != "{{"


def _plain(piece: str, span: Span, found: Diagnostics) -> str:
    """A piece of plain text with its escapes resolved. A lone brace or an unknown escape is reported and kept."""
    if piece in ("{{", "}}"):
        return piece[0]
    if piece in ('\\"', "\\\\"):
        return piece[1]
    if piece in ("{", "}"):
        missing = "closed" if piece == "{" else "opened"
        help = f"write `{piece}{piece}` if you mean a brace"
        found.error("R0111", f"a hole of this text is never {missing}", span, f"this `{piece}` stands alone", help=help)
    elif piece.startswith("\\"):
        what = f"`{piece}` means nothing in a text"
        found.error("R0111", what, span, help='only `\\"` and `\\\\` are written with a backslash')
    return piece


def _hole(piece: str, offset: int, span: Span, hole: ParseHole, found: Diagnostics) -> nodes.Hole | None:
    inside = piece[1:-1]
    form = _FORM.search(inside)
    expression = inside[: form.start()] if form else inside
    if not expression.strip():
        help = "write `{c}` to show c, or `{{}}` for two braces"
        found.error("R0111", "a hole of this text is empty", span, "name what is to be shown here", help=help)
        return None
    parsed = hole(expression, offset + 1)
    return nodes.Hole(span, parsed, form[1] if form else None, piece) if parsed else None
