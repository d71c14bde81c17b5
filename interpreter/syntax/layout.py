"""Lines and indentation: the step between Lark's lexer and its parser, and helpers that take a single line apart.

`Layout` turns line ends into INDENT and DEDENT tokens. Lark has an indenter of its own, but that one does not say
where a wrong indentation is; here every error is a `LayoutError` with an offset. It also rejects two words written as
one (`2players`), which the lexer would silently split in two.

`split_line` and `clause_tags` know where the code of a line ends and where its clause tags and comment begin. The
builder uses the tags, the formatter the whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Token

STEP = 2
# No line can end with one of these.
_GO_ON = frozenset("AND OR PLUS MINUS TIMES DIV MOD EQUALS COMPARE WHERE HAS NOT".split())
_BLOCK = frozenset(("result", "let", "if"))  # `value n =` with a block below it: the `=` is too much, not the line end
DEEPEST_BRACKETS = 100

_LEXEME = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|@[A-Z][0-9A-Za-z-]+')
_TAIL = re.compile(r"(?P<tags>(?:@[A-Z][0-9A-Za-z-]+[ ]*)*)(?P<comment>#.*)?$")


class LayoutError(Exception):
    """A layout error. `kind` is indent, dedent, glued or deep; `expected` lists the indentations that would fit."""

    def __init__(self, kind: str, offset: int, expected: tuple[int, ...] = ()) -> None:
        super().__init__(kind)
        self.kind = kind
        self.offset = offset
        self.expected = expected


class Layout:
    """Lark's `postlex` hook: passes EOL tokens on, followed by the _INDENT or _DEDENT tokens that the next line needs.

    The first line sets the base indentation. Line ends inside brackets are dropped, and those behind a sign that
    wants more, if the next line is indented further. No state is kept between two
    texts, so one `Layout` serves the cached parser.
    """

    always_accept = ("EOL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels: list[int] = []
        brackets = 0
        last: Token | None = None
        held: Token | None = None  # a line end behind `=`, until it is known whether a block follows
        opening: Token | None = None  # the first word of the line
        for token in stream:
            if last is not None and _are_glued(last, token):
                raise LayoutError("glued", token.start_pos or 0)
            before, last = last, token
            was = before.type if before is not None else ""
            if held is not None and str(token) in _BLOCK:
                yield held
                yield from _steps(held, levels)
            held = token if token.type == "EOL" and was == "EQUALS" else None
            if token.type != "EOL":
                if not levels:
                    levels.append((token.column or 1) - 1)
                brackets += _bracket_step(token, brackets)
                opening = opening or token
                yield token
            elif not brackets and not (_wants_more(before, opening) and _is_deeper(token, levels)):
                opening = None
                yield token
                if levels:
                    yield from _steps(token, levels)
        while last is not None and len(levels) > 1:
            levels.pop()
            yield last.new_borrow_pos("_DEDENT", "", last)


def _wants_more(last: Token | None, opening: Token | None) -> bool:
    """Whether no line can end with this word. A line that only says `if` lacks its condition: a block follows it."""
    if last is None:
        return False
    return last.type in _GO_ON or (last.type == "IF" and last is not opening)


def _is_deeper(end: Token, levels: list[int]) -> bool:
    """Whether the next line is indented further than the one that ends here."""
    return bool(levels) and len(end.rsplit("\n", 1)[1].split("#")[0]) > levels[-1]


def _steps(end: Token, levels: list[int]) -> Iterator[Token]:
    """The _INDENT or _DEDENT tokens between the line that ends here and the next one."""
    # An EOL token includes the blank and comment lines after it, so what follows its last newline is the indentation
    # of the next line of code.
    rest = end.rsplit("\n", 1)[1]
    width = levels[0] if rest.startswith("#") else max(len(rest.split("#")[0]), levels[0])
    offset = (end.end_pos or 0) - len(rest) + width
    if width > levels[-1]:
        if width != levels[-1] + STEP:
            raise LayoutError("indent", offset, (levels[-1], levels[-1] + STEP))
        levels.append(width)
        yield end.new_borrow_pos("_INDENT", "", end)
    while width < levels[-1]:
        levels.pop()
        yield end.new_borrow_pos("_DEDENT", "", end)
    if width != levels[-1]:
        raise LayoutError("dedent", offset, (*levels, levels[-1] + STEP))


def _are_glued(first: Token, second: Token) -> bool:
    return first.end_pos == second.start_pos and _is_wordy(first[-1:]) and _is_wordy(second[:1])


def _is_wordy(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _bracket_step(token: Token, depth: int) -> int:
    if token.type in ("LPAR", "LSQB"):
        if depth >= DEEPEST_BRACKETS:
            raise LayoutError("deep", token.start_pos or 0)
        return 1
    return -1 if token.type in ("RPAR", "RSQB") and depth else 0


@dataclass(frozen=True)
class Line:
    """A line taken apart: its indentation, its code, its clause tags, its comment."""

    indent: int
    code: str
    tags: tuple[str, ...]
    comment: str


def split_line(text: str) -> Line:
    """Takes a line apart. Only tags and a comment at its end are split off; quoted texts are never searched."""
    body = text.lstrip(" ")
    start = _tail_start(body)
    tail = _TAIL.match(body, start)
    tags = tuple(tail["tags"].split()) if tail else ()
    comment = (tail["comment"] or "") if tail else ""
    return Line(len(text) - len(body), body[:start].rstrip(), tags, comment.rstrip())


def _tail_start(body: str) -> int:
    """The offset at which the trailing tags and comment begin; the length of the line if there are none."""
    start = None
    for found in _LEXEME.finditer(body):
        if found[0].startswith('"'):
            start = None
        elif start is None and _is_tail(body, found.start()):
            start = found.start()
    return len(body) if start is None else start


def _is_tail(body: str, start: int) -> bool:
    """True if only tags and a comment follow. In `because @K-041` the clause is part of the statement, not a tag."""
    if body[start] == "@" and body[:start].rstrip().endswith("because"):
        return False
    return _TAIL.match(body, start) is not None


def clause_tags(text: str) -> list[tuple[int, str]]:
    """Every clause tag outside quoted texts and comments, as offset and id, in order."""
    return [(found.start(), found[0][1:]) for found in _LEXEME.finditer(text) if found[0].startswith("@")]


def line_end(tree: Any) -> Token | None:
    """The EOL token of the first line of a tree, or None if the tree is only part of a line."""
    for child in tree.children:
        if getattr(child, "type", "") == "EOL":
            return child  # type: ignore[no-any-return]
        if getattr(child, "children", None) and (end := line_end(child)) is not None:
            return end
    return None
