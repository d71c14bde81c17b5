"""The entry point: text becomes nodes. All other packages parse through these functions.

`read_rules` (from recover.py) returns whatever can be read of a rules file; `parse_rules` returns all of it or
nothing. pieces.py does the parsing itself.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..diagnostics.diagnostic import Diagnostic, Diagnostics
from ..diagnostics.source import Source, Span
from . import nodes
from .pieces import GRAMMAR, START_SYMBOLS, Piece, lark_parser, parse_piece
from .recover import read_rules

__all__ = ["GRAMMAR", "START_SYMBOLS", "lark_parser", "parse_cell", "parse_expression", "parse_rules", "read_rules"]


def parse_rules(source: Source, found: Diagnostics) -> nodes.File | None:
    """The tree of a rules file, or None if anything was reported."""
    before = len(found)
    file = read_rules(source, found)
    return file if len(found) == before else None


def parse_cell(text: str, span: Span, found: Diagnostics) -> nodes.Cell | None:
    """The calls in a table cell. `text` is the value that YAML read from `span`."""
    cell, findings = _parsed_cell(text, span)
    found.take(findings)
    return cell


@lru_cache(maxsize=4_000)  # one command declares a game many times: for each of its variants and player counts
def _parsed_cell(text: str, span: Span) -> tuple[nodes.Cell | None, tuple[Diagnostic, ...]]:
    # YAML may have changed the text: a folded or escaped value is not found verbatim in the file. Then offsets into
    # the value mean nothing in the file, and every finding points at the whole cell.
    at = span.text.find(text)
    written = re.sub(r"\s", " ", text)
    found = Diagnostics()
    piece = Piece(span.source, span.start + max(at, 0), written, "cell", span if at < 0 else None)
    cell = parse_piece(piece, found)
    return cell if not found and isinstance(cell, nodes.Cell) else None, tuple(found)


def parse_expression(source: Source, found: Diagnostics) -> nodes.Expr | None:
    """The tree of a single expression, as in a hole of a text."""
    before = len(found)
    expression = parse_piece(Piece(source, 0, source.text.strip("\n"), "hole"), found)
    return expression if len(found) == before and isinstance(expression, nodes.Expr) else None
