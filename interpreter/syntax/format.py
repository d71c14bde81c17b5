"""One canonical layout of a rules file.

The formatter works on lines, not on nodes: it never moves a line break, adds or drops a bracket, or touches a text, so
what it writes parses to the tree it came from and comments stay where they are. What it settles: one space around
operators and none inside brackets; clause tags in a column of their own; labels of a score block lined up; at most two
blank lines; comments at a level of the code around them. A carried-on line that was lined up with something above it
stays lined up with it. The tree is asked for one thing only, which lines belong to a score block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..diagnostics.source import Source
from . import nodes
from .layout import STEP, Line, split_line
from .words import VERBS

TAG_COLUMN = 79  # counted from 0
GAP_WHEN_LONG = 3
_MOST_BLANK_LINES = 2

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[a-z0-9_/]+\.yaml\b|@\S+|[A-Za-z_]\w*|[0-9]+|[=!<>]=|[+-]=|\.\.|\S')
_CARRIED_ON = re.compile(
    r"[|]|(where|and|or|such +that|costing|stopping +at|with +(most|least)|by +(highest|lowest))\b"
)
_OPERATORS = frozenset("= == != < <= > >= += -= + - * |".split())
# A bracket after one of these words is not the bracket of a call, and a minus not a subtraction.
_KEYWORDS = frozenset(VERBS) | frozenset(
    "after along among and as because before by can chooses costing div else fewest from gains given has highest in is "
    "least loses lowest mod most not of or otherwise pays preferring scores skipping that then through to until when "
    "where with without".split()
)
# Words that mean something of their own only if the bracket follows at once.
_BEFORE_BRACKET = frozenset("count sum max min groups largest_group longest_line".split())


def format_rules(file: nodes.File, source: Source) -> str:
    """The text of a file in its canonical layout; formatting that again changes nothing."""
    lines = [split_line(line.rstrip()) for line in source.text.split("\n")]
    written = list(_written(lines, _label_widths(file)))
    return "\n".join(_without_many_blanks(written)) + "\n" if any(written) else ""


def _written(lines: list[Line], label_widths: dict[int, int]) -> Iterator[str]:
    carried: _Carried | None = None
    for index, line in enumerate(lines):
        if not line.code:
            yield _comment_line(lines, index) if line.comment or line.tags else ""
            continue
        tokens = _tokens(line.code)
        if carried is not None and carried.takes(line.code):
            indent = carried.column_for(line.indent)
        else:
            indent, carried = line.indent, _Carried(line.indent)
        code, moved = _spaced(tokens, label_widths.get(index + 1, 0))
        carried.add(line, tokens, indent, moved)
        yield _with_tail(" " * indent + code, line)


# ---------------------------------------------------------------------------- one line


@dataclass(frozen=True)
class _Token:
    text: str
    column: int  # in its code, from 0
    is_apart: bool  # something white stands before it


def _tokens(code: str) -> list[_Token]:
    return [
        _Token(found[0], found.start(), found.start() > 0 and code[found.start() - 1] == " ")
        for found in _TOKEN.finditer(code)
    ]


def _spaced(tokens: list[_Token], label_width: int) -> tuple[str, list[int]]:
    """The code with its spaces settled, and the column at which each token now stands."""
    code = ""
    columns = []
    for index, token in enumerate(tokens):
        if index == 1 and label_width:
            code = code.ljust(label_width + 2)
        elif index and _is_apart(tokens, index):
            code += " "
        columns.append(len(code))
        code += token.text
    return code, columns


def _is_apart(tokens: list[_Token], index: int) -> bool:
    """Whether a space stands before a token."""
    before, text = tokens[index - 1].text, tokens[index].text
    if text in (",", ")", "]", "?", ":", ".", "..", "["):
        return False
    if before in ("(", "[", ".", "..") or (before == "-" and _is_sign(tokens, index - 1)):
        return False
    if text == "(":
        return _is_apart_from_bracket(tokens, index)
    return True


def _is_apart_from_bracket(tokens: list[_Token], index: int) -> bool:
    before = tokens[index - 1].text
    if before in (")", "]"):
        return False
    if not (before[0].isalpha() or before[0] == "_"):
        return True
    if before in _BEFORE_BRACKET:
        return tokens[index].is_apart
    return before in _KEYWORDS and not _is_behind_dot(tokens, index - 1)


def _is_sign(tokens: list[_Token], index: int) -> bool:
    """Whether a minus belongs to what follows it instead of standing between two operands."""
    if index == 0:
        return True
    before = tokens[index - 1].text
    if before in _OPERATORS or before in ("(", "[", ",", ":", "..") or before.startswith('"'):
        return True
    return before in _KEYWORDS and not _is_behind_dot(tokens, index - 1)


def _is_behind_dot(tokens: list[_Token], index: int) -> bool:
    return index > 0 and tokens[index - 1].text == "."


def _with_tail(code: str, line: Line) -> str:
    if line.tags:
        gap = TAG_COLUMN - len(code) if len(code) < TAG_COLUMN else GAP_WHEN_LONG
        code += " " * gap + " ".join(line.tags)
    return code + f"  {line.comment}" if line.comment else code


# ---------------------------------------------------------------------------- carried-on lines


class _Carried:
    """The lines of one statement so far: whether it goes on, and where its parts were and are."""

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self.brackets = 0
        self.ends_in_comma = False
        self.moved: dict[int, int] = {}  # column of a token in the text -> its column in the result

    def takes(self, code: str) -> bool:
        return self.brackets > 0 or self.ends_in_comma or _CARRIED_ON.match(code) is not None

    def column_for(self, column: int) -> int:
        """Where a carried-on line begins: below what it was lined up with, else where it was."""
        return max(self.moved.get(column, column), self.indent)

    def add(self, line: Line, tokens: list[_Token], indent: int, columns: list[int]) -> None:
        texts = [token.text for token in tokens]
        self.brackets += sum(text in "([" for text in texts) - sum(text in ")]" for text in texts)
        self.ends_in_comma = texts[-1] == ","
        for token, column in zip(tokens, columns, strict=True):
            self.moved[line.indent + token.column] = indent + column


# ---------------------------------------------------------------------------- lines without code


def _comment_line(lines: list[Line], index: int) -> str:
    """A comment on a line of its own, at a level between those of the code around it."""
    before = next((line.indent for line in reversed(lines[:index]) if line.code), 0)
    after = next((line.indent for line in lines[index + 1 :] if line.code), 0)
    level = lines[index].indent // STEP * STEP
    level = min(max(level, min(before, after)), max(before, after))
    return " " * level + " ".join((*lines[index].tags, lines[index].comment)).strip()


def _without_many_blanks(lines: Iterable[str]) -> list[str]:
    """The lines without blank ones at the start and the end, and with few in a row between."""
    kept: list[str] = []
    blanks = 0
    for line in lines:
        if not line:
            blanks += 1
            continue
        if kept:
            kept += [""] * min(blanks, _MOST_BLANK_LINES)
        blanks = 0
        kept.append(line)
    return kept


# ---------------------------------------------------------------------------- score blocks


def _label_widths(file: nodes.File) -> dict[int, int]:
    """For the line of each score line the width that the labels of its block share."""
    widths = {}
    for score in _scores(file.declarations):
        width = max(line.label.span.end - line.label.span.start for line in score.lines)
        widths.update({line.span.line: width for line in score.lines})
    return widths


def _scores(declarations: Iterable[nodes.Declaration]) -> Iterator[nodes.Score]:
    for declaration in declarations:
        match declaration:
            case nodes.Score():
                yield declaration
            case nodes.Variant():
                yield from _scores(declaration.declarations)
            case nodes.Replace():
                yield from _scores((declaration.declaration,))
            case _:
                pass
