"""Parses one text on its own: a cell, a hole, or a piece of a rules file. Only this module and `builder/` see Lark's
parser, its trees and its errors. explain.py puts into words what went wrong in a piece.

Lark is imported when the first text is parsed, and the parse tables of the grammar are cached on disk: building them
takes a second, loading them a twentieth of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source, Span
from ..files.cache import cached, keep
from ..files.plain_data import NotPlainData, from_bytes, to_bytes
from ..files.writing import write_whole
from . import nodes
from .builder import Builder, TooDeep, TreeWalk
from .explain import Expected, Trouble, explain
from .layout import Layout, LayoutError
from .words import OPENERS, VERBS

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

GRAMMAR = Path(__file__).with_name("rules.lark")
START_SYMBOLS = ["file", "members", "cell", "hole"]

_PLAIN_HOLE = re.compile(r"\s*([a-z][a-z0-9_]*)\s*")


@dataclass(frozen=True)
class Piece:
    """A text to be parsed on its own: part of a source from `offset` on, parsed with the grammar rule `start`."""

    source: Source
    offset: int
    text: str
    start: str
    everything_at: Span | None = None  # a cell that YAML changed: offsets are unknown, so every node gets this span


def parse_piece(piece: Piece, found: Diagnostics) -> Any:
    """The node of a piece, or None after reporting what is wrong with it."""
    read = read_piece(piece, found)
    if isinstance(read, Stuck):
        report(piece, read, found)
        return None
    return read


def read_piece(piece: Piece, found: Diagnostics) -> Any:
    """The node of a piece; or a `Stuck` that says where the parser stopped, not yet reported; or None if the piece is
    nested too deeply, which has been reported. Findings may also be added beside a node."""
    text = piece.text + "\n" if piece.start in ("file", "members") else piece.text
    builder = Builder(piece.source, text, found, _parse_hole, piece.offset, piece.everything_at)
    try:
        return builder.build(_parse_text(text, piece.start))
    except Stuck as stuck:
        return stuck
    except TooDeep as deep:
        _report_depth(deep.span, found)
    except RecursionError:  # Lark or Python gave up before our own depth limit was reached
        _report_depth(builder.place(0, len(piece.text.split("\n", 1)[0])), found)
    return None


def _parse_hole(builder: TreeWalk, text: str, offset: int) -> nodes.Expr | None:
    """The expression in a hole. Most holes are just a name; those skip the parser, which is slow for so little."""
    plain = _PLAIN_HOLE.fullmatch(text)
    if plain and plain[1] not in VERBS and plain[1] not in OPENERS:
        return nodes.NameRef(builder.place(offset + plain.start(1), offset + plain.end(1)), plain[1])
    piece = Piece(builder.source, builder.offset + offset, text, "hole", builder.everything_at)
    expression = parse_piece(piece, builder.found)
    return expression if isinstance(expression, nodes.Expr) else None


# ---------------------------------------------------------------------------- Lark


class Stuck(Exception):
    """The parser could not go on: where it stopped, at which terminal, what would have fitted, any layout error."""

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
        raise Stuck(at, error.token.type, error.accepts or error.expected) from None
    except UnexpectedCharacters as error:
        raise Stuck(error.pos_in_stream or 0, "", error.allowed or ()) from None
    except UnexpectedEOF as error:
        raise Stuck(len(text.rstrip()), "$END", error.expected) from None
    except LayoutError as error:
        raise Stuck(error.offset, "", layout=error) from None


def report(piece: Piece, stuck: Stuck, found: Diagnostics) -> None:
    """Adds the one finding that says why the parser could not go on."""
    # The names of map queries (`neighbours` …) are allowed wherever a name is, so "a name" says enough.
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
    what = "this is nested too deeply"
    found.error("R0102", what, span, help="give a name to a part of it: a `let`, a `value` or an `effect` of its own")


@cache
def lark_parser() -> Lark:
    """The parser, built once per process, from kept tables if possible."""
    from lark import Lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    grammar = GRAMMAR.read_text(encoding="utf-8")
    name = _tables_name(grammar)
    tables = _kept_tables(name)
    if tables is not None:
        try:
            loaded: Lark = Lark._load_from_dict(*tables, postlex=Layout())  # type: ignore[no-untyped-call]
            return loaded
        except Exception:  # Lark's own tables: whatever it cannot read is made anew
            pass
    parser = Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=START_SYMBOLS,
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name != "postlex"}
    _keep_tables(name, (data, memo))
    return parser


@cache
def terminal_words() -> dict[str, str]:
    """How to name each terminal in a message: keywords and phrases in backticks, for the others a description."""
    words = {
        "NAME": "a name",
        "TYPE": "a name with a capital letter",
        "INT": "a number",
        "STRING": "a text in quotes",
        "FILE": "a file such as `cards.yaml`",
        "CLAUSE": "a clause such as `@K-041`",
        "EOL": "the end of the line",
        "_COMMA": "a comma",
        "_COMMA_THEN": "`, then`",
        "_AND_THEN": "`, then`",
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


# ---------------------------------------------------------------------------- tables of the parser
#
# The grammar is part of the program, so its tables lie where Python keeps the compiled modules of this folder: whoever
# can write there can change the program itself. Where that folder is not writable they are in the user's cache. They
# are plain data, kept by marshal as Python's own compiled modules are.


def _tables_name(grammar: str) -> str:
    """One file per version of grammar, Lark and Python."""
    import hashlib
    import sys

    import lark

    key = f"{lark.__version__} {sys.version_info[:2]} {grammar}"
    return f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _beside(name: str) -> Path:
    return GRAMMAR.parent / "__pycache__" / f"{name}.plain"


def _kept_tables(name: str) -> tuple[Any, Any] | None:
    try:
        content: bytes | None = _beside(name).read_bytes()
    except OSError:
        content = cached("grammar", name)
    try:
        data, memo = from_bytes(content) if content is not None else (None, None)
    except (ValueError, EOFError, TypeError):
        return None
    return (data, memo) if isinstance(data, dict) else None


def _keep_tables(name: str, tables: tuple[Any, Any]) -> None:
    try:
        content = to_bytes(tables)
    except NotPlainData:
        return
    beside = _beside(name)
    try:
        beside.parent.mkdir(exist_ok=True)
        write_whole(beside, content)
    except OSError:
        keep(content, "grammar", name)
