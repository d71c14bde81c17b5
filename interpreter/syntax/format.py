"""One canonical layout of a rules file.

The formatter works on lines, not on nodes: it never moves a line break, adds or drops a bracket, or touches a text. So
its output parses to the same tree, and comments stay where they are. What it does: one space around operators and
none inside brackets; clause tags in a column of their own; the labels of a score block aligned; at most two blank
lines in a row; comments at the indentation of the code around them. A continuation line that was aligned with
something above it stays aligned with it. The tree is used for one thing only: to find the lines of score blocks.
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
    r"|[-+*] |(div|mod|has)\b|[=!<>]=|[<>]|else +(?!if\b)[^ ]|(until|skipping) +[a-z(]"
)
_WANT_MORE = frozenset(", and or + - * div mod = == != < <= > >= where has not".split())
_OPERATORS = frozenset("= == != < <= > >= += -= + - * |".split())
# After one of these words a bracket does not open a call, and a minus is a sign, not a subtraction.
_KEYWORDS = frozenset(VERBS) | frozenset(
    "after along among and as because before by can chooses costing div else fewest from gains given has highest in is "
    "least loses lowest mod most not of or otherwise pays preferring scores skipping that then through to until when "
    "where with without".split()
)
# Words that mean one thing if a bracket follows without a space, and another if one follows with a space: `along(p, n)`
# is a call of a rule of that name.
_BEFORE_BRACKET = frozenset(
    "count sum max min groups largest_group longest_line longest_trail along as because before chooses costing fewest "
    "gains highest least loses lowest most pays preferring scores skipping that then through with".split()
)


def format_rules(file: nodes.File, source: Source) -> str:
    """The text of a file in canonical layout. Formatting the result again changes nothing."""
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
    column: int  # in the code of its line, counted from 0
    is_apart: bool  # white space stands before it


def _tokens(code: str) -> list[_Token]:
    return [
        _Token(found[0], found.start(), found.start() > 0 and code[found.start() - 1] == " ")
        for found in _TOKEN.finditer(code)
    ]


def _spaced(tokens: list[_Token], label_width: int) -> tuple[str, list[int]]:
    """The code with canonical spacing, and the column of each token in it."""
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
    """True if the canonical layout has a space before the token."""
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
    """True if a minus is the sign of what follows, not a subtraction."""
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


# ---------------------------------------------------------------------------- continuation lines


class _Carried:
    """The lines of one statement so far: whether it continues, and where its tokens were and are now."""

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self.brackets = 0
        self.wants_more = False
        self.moved: dict[int, int] = {}  # column of a token in the text -> its column in the result

    def takes(self, code: str) -> bool:
        return self.brackets > 0 or self.wants_more or _CARRIED_ON.match(code) is not None

    def column_for(self, column: int) -> int:
        """Where a continuation line begins: below the token it was aligned with, otherwise where it was."""
        return max(self.moved.get(column, column), self.indent)

    def add(self, line: Line, tokens: list[_Token], indent: int, columns: list[int]) -> None:
        texts = [token.text for token in tokens]
        self.brackets += sum(text in "([" for text in texts) - sum(text in ")]" for text in texts)
        self.wants_more = texts[-1] in _WANT_MORE or (texts[-1] == "if" and len(texts) > 1)
        for token, column in zip(tokens, columns, strict=True):
            self.moved[line.indent + token.column] = indent + column


# ---------------------------------------------------------------------------- lines without code


def _comment_line(lines: list[Line], index: int) -> str:
    """A comment on a line of its own, indented no less and no more than the code around it."""
    before = next((line.indent for line in reversed(lines[:index]) if line.code), 0)
    after = next((line.indent for line in lines[index + 1 :] if line.code), 0)
    level = lines[index].indent // STEP * STEP
    level = min(max(level, min(before, after)), max(before, after))
    return " " * level + " ".join((*lines[index].tags, lines[index].comment)).strip()


def _without_many_blanks(lines: Iterable[str]) -> list[str]:
    """The lines without blank lines at start and end, and with at most two in a row between."""
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
    """For the line number of each score line, the width of the widest label in its block."""
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
