"""What everything in the checked program is made of: nodes, expressions, statements, locals, texts."""

from __future__ import annotations

from dataclasses import field

from ...diagnostics.source import NOWHERE, Span
from ...files.records import Frozen
from ..value_types import VType


class Node(Frozen):
    """Compares by identity: two equal texts in the rules are two places."""


class Expr(Node):
    type: VType
    span: Span = field(repr=False)


class Stmt(Node):
    span: Span = field(repr=False)
    cites: tuple[str, ...] = field(kw_only=True, default=())


Block = tuple[Stmt, ...]
Exprs = tuple[Expr, ...]


class LocalDecl(Node):
    """A parameter or local of one rule; numbers count up from 0 within the rule, parameters first."""

    number: int
    name: str
    type: VType


class Template(Node):
    """A text with holes: strings and expressions in turn. `raw` is the key of translations.

    `written` is the original text of the rules, if the game rewords it.
    """

    parts: tuple[str | Expr, ...]
    raw: str
    span: Span = NOWHERE
    written: str | None = None
