"""Text becomes nodes. Lark's parser, its trees and its errors are seen here and in build.py, nowhere else.

A file is parsed as a whole. If that fails, it is cut at the lines of the left margin that begin a declaration and each
piece is parsed by itself (a variant once more at its own declarations), so that one run reports an error of every
broken declaration. What went wrong in a piece is put into words by explain.py.

Lark is imported at the first text to be parsed, and the tables of the grammar are kept in the user's cache folder:
building them takes a second, reading them a twentieth.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source, Span
from . import nodes
from .build import Builder, TooDeep
from .explain import Expected, Trouble, explain
from .layout import Layout, LayoutError
from .words import DECLARATIONS, MEMBERS, OPENERS, VERBS

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

GRAMMAR = Path(__file__).with_name("rules.lark")
START_SYMBOLS = ["file", "members", "cell", "hole"]
LARGEST_FILE = 1024 * 1024
MOST_ERRORS = 50  # of syntax, in one file

_PLAIN_HOLE = re.compile(r"\s*([a-z][a-z0-9_]*)\s*")
_FIRST_WORD = re.compile(r"([ ]*)([A-Za-z]\w*)")
_FIRST_CODE = re.compile(r"(?:[ ]*(?:#[^\n]*)?\r?\n)*([ ]*)[^ #\r\n]")
_QUIET = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*')
_CARRYING_ON = ("where", "and", "or", "such", "costing", "stopping", "with", "by", "else")


def parse_rules(source: Source, found: Diagnostics) -> nodes.File | None:
    """The tree of a rules file; None if there was anything to report."""
    if len(source.text) > LARGEST_FILE:
        found.error(
            "R0101",
            "this file is too large",
            Span(source, 0, 0),
            help=f"a rules file has at most {LARGEST_FILE} characters: split it, `part of` joins the parts",
        )
        return None
    before = len(found)
    if not _begins_at_margin(source, found):
        return None
    whole = Piece(source, 0, source.text.rstrip(), "file")
    file = _read(whole, found)
    if isinstance(file, _Stuck):
        _find_all_errors(whole, file, found)
    return file if len(found) == before and isinstance(file, nodes.File) else None


def _begins_at_margin(source: Source, found: Diagnostics) -> bool:
    first = _FIRST_CODE.match(source.text)
    if first is None or not first[1]:
        return True
    found.error(
        "R0106",
        "the first line of a file stands at the left margin",
        Span(source, first.start(1), first.end(1)),
        help="take out the spaces before it",
    )
    return False


def parse_cell(text: str, span: Span, found: Diagnostics) -> nodes.Cell | None:
    """The calls in a cell of a table. `text` is the value that YAML read from `span`."""
    at = span.text.find(text)
    written = re.sub(r"\s", " ", text)
    before = len(found)
    piece = Piece(span.source, span.start + max(at, 0), written, "cell", span if at < 0 else None)
    cell = _parse_piece(piece, found)
    return cell if len(found) == before and isinstance(cell, nodes.Cell) else None


def parse_expression(source: Source, found: Diagnostics) -> nodes.Expr | None:
    """The tree of a single expression, as it may stand in a hole of a text."""
    before = len(found)
    expression = _parse_piece(Piece(source, 0, source.text.strip("\n"), "hole"), found)
    return expression if len(found) == before and isinstance(expression, nodes.Expr) else None


@dataclass(frozen=True)
class Piece:
    """A text to be parsed by itself: part of a source from `offset` on, to be read as `start`."""

    source: Source
    offset: int
    text: str
    start: str
    everything_at: Span | None = None  # for a cell that YAML changed: offsets cannot be told


def _parse_piece(piece: Piece, found: Diagnostics) -> Any:
    """The node of a piece, or None with what is wrong with it reported."""
    read = _read(piece, found)
    if isinstance(read, _Stuck):
        _report(piece, read, found)
        return None
    return read


def _read(piece: Piece, found: Diagnostics) -> Any:
    """The node of a piece; where the parser was stuck; or None if it read the piece and something was reported."""
    text = piece.text + "\n" if piece.start in ("file", "members") else piece.text
    builder = Builder(piece.source, text, found, _parse_hole, piece.offset, piece.everything_at)
    try:
        return builder.build(_parse_text(text, piece.start))
    except _Stuck as stuck:
        return stuck
    except TooDeep as deep:
        _report_depth(deep.span, found)
    except RecursionError:
        _report_depth(builder.place(0, len(piece.text.split("\n", 1)[0])), found)
    return None


def _parse_hole(builder: Builder, text: str, offset: int) -> nodes.Expr | None:
    """The expression in a hole. A hole that is just a name needs no parser."""
    plain = _PLAIN_HOLE.fullmatch(text)
    if plain and plain[1] not in VERBS and plain[1] not in OPENERS:
        return nodes.NameRef(builder.place(offset + plain.start(1), offset + plain.end(1)), plain[1])
    piece = Piece(builder.source, builder.offset + offset, text, "hole", builder.everything_at)
    expression = _parse_piece(piece, builder.found)
    return expression if isinstance(expression, nodes.Expr) else None


# ---------------------------------------------------------------------------- going on after an error


def _find_all_errors(whole: Piece, stuck: _Stuck, found: Diagnostics) -> None:
    """Parses a file declaration by declaration and reports what is wrong with each."""
    before = len(found)
    pieces = list(_pieces(whole.source, 0, whole.text, "file", 0))
    for piece in pieces:
        read = stuck if len(pieces) == 1 and piece.offset == 0 else _read(piece, found)
        if isinstance(read, _Stuck):
            _find_errors(piece, read, found)
        if len(found) - before >= MOST_ERRORS:
            return
    if len(found) == before:
        _report(whole, stuck, found)


def _find_errors(piece: Piece, stuck: _Stuck, found: Diagnostics) -> None:
    """Reports what is wrong with a declaration: for a variant, with each of its own declarations."""
    before = len(found)
    head, _, body = piece.text.partition("\n")
    if piece.text.startswith("variant ") and body.strip():
        inside = piece.offset + len(head) + 1
        for member in _pieces(piece.source, inside, body, "members", 2):
            _parse_piece(member, found)
            if len(found) - before >= MOST_ERRORS:
                return
    if len(found) == before:
        _report(piece, stuck, found)


def _pieces(source: Source, offset: int, text: str, start: str, indent: int) -> Iterator[Piece]:
    """Cuts a text before each line at that indentation that begins a declaration, or tries to."""
    words = DECLARATIONS if start == "file" else MEMBERS
    cuts = [0]
    position = 0
    may_go_on = True  # nothing has begun yet, a bracket is open, or a comma ended the line
    brackets = 0
    for line in text.splitlines(keepends=True):
        word = _FIRST_WORD.match(line)
        if word and len(word[1]) == indent:
            if word[2] in words or not (may_go_on or word[2] in _CARRYING_ON):
                cuts.append(position)
                brackets = 0
        code = _QUIET.sub("", line).strip()
        if code:
            brackets += code.count("(") + code.count("[") - code.count(")") - code.count("]")
            may_go_on = brackets > 0 or code.endswith(",")
        position += len(line)
    for begin, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        if text[begin:end].strip():
            yield Piece(source, offset + begin, text[begin:end].rstrip(), start)


# ---------------------------------------------------------------------------- Lark


class _Stuck(Exception):
    """The parser could not go on: where, at what, what it would have taken, and what the layout has to say."""

    def __init__(
        self, offset: int, token: str, expected: Iterable[str] = (), layout: LayoutError | None = None
    ) -> None:
        super().__init__("stuck")
        self.offset = offset
        self.token = token
        self.expected = frozenset(expected)
        self.layout = layout


def _parse_text(text: str, start: str) -> Tree[Token]:
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    try:
        return lark_parser().parse(text, start=start)
    except UnexpectedToken as error:
        at = error.token.start_pos
        if at is None or error.token.type == "$END":
            at = len(text.rstrip())
        raise _Stuck(at, error.token.type, error.accepts or error.expected) from None
    except UnexpectedCharacters as error:
        raise _Stuck(error.pos_in_stream or 0, "", error.allowed or ()) from None
    except UnexpectedEOF as error:
        raise _Stuck(len(text.rstrip()), "$END", error.expected) from None
    except LayoutError as error:
        raise _Stuck(error.offset, "", layout=error) from None


def _report(piece: Piece, stuck: _Stuck, found: Diagnostics) -> None:
    # Questions to a map stand where any name may: who is told "a name" misses nothing.
    expected = Expected(frozenset(t for t in stuck.expected if not t.startswith("_MAP_")), terminal_words())
    trouble = Trouble(
        piece.source,
        piece.text,
        min(stuck.offset, len(piece.text)),
        piece.offset,
        piece.start,
        stuck.token,
        expected,
        stuck.layout,
        piece.everything_at,
    )
    explain(trouble, found)


def _report_depth(span: Span, found: Diagnostics) -> None:
    found.error(
        "R0102",
        "this is nested too deeply",
        span,
        help="give a name to a part of it: a `let`, a `value` or an `effect` of its own",
    )


@cache
def lark_parser() -> Lark:
    """The parser, built once a process; its tables come from the cache folder when they can."""
    from lark import Lark

    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=START_SYMBOLS,
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=_cache_file() or False,
    )


@cache
def terminal_words() -> dict[str, str]:
    """Words for terminals: keywords and phrases in backticks, and what kind of thing the others are."""
    words = {
        "NAME": "a name",
        "TYPE": "a name with a capital letter",
        "INT": "a number",
        "STRING": "a text in quotes",
        "FILE": "a file such as `cards.yaml`",
        "CLAUSE": "a clause such as `@K-041`",
        "EOL": "the end of the line",
        "_COMMA": "a comma",
        "COMPARE": "a comparison",
        "CHANGE": "`rises`, `falls`, `changes`, `grows`, `shrinks`, `becomes empty`",
        "CHANCE": "`roll`, `shuffle`, `draw`, `pick`",
        "END_OF": "`top of`",
        "FACE": "`face up`, `face down`",
        "LAST_ROUND": "`finishing the round`, `then each once more`",
    }
    for terminal in lark_parser().terminals:
        phrase = re.sub(r"\(\?=.*$", "", terminal.pattern.value).replace("[ ]+", " ").replace(r"\b", "")
        if terminal.name not in words and terminal.name not in ("CARRIED_ON", "_INDENT", "_DEDENT"):
            words[terminal.name] = f"`{phrase}`"
    return {name: word for name, word in words.items() if not name.startswith("__")}


def _cache_file() -> str | None:
    """Where the tables are kept: one file a version of grammar, Lark and Python. None if there is no such place."""
    import hashlib
    import sys

    import lark

    key = f"{lark.__version__} {sys.version_info[:2]} {GRAMMAR.read_text(encoding='utf-8')}"
    name = f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}.tables"
    for folder in _table_folders():
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return os.path.join(folder, name)
    return None


def _table_folders() -> list[str]:
    """The grammar is part of the program, so its tables lie where Python keeps compiled modules of this folder; in the
    user's cache where that cannot be written."""
    folders = [str(GRAMMAR.parent / "__pycache__")]
    base = os.environ.get("RULEWRIGHT_CACHE")
    if base is None:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        base = os.path.join(home, "rulewright")
    return [*folders, base] if base else folders
