"""What everything in the checked program is made of: nodes, expressions, statements, locals, texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import dataclass_transform

from ...diagnostics.source import NOWHERE, Span
from ..value_types import VType


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Node:
    """Makes every subclass a frozen dataclass that compares by identity, without a decorator on each of them."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False)(cls)


class Expr(Node):
    type: VType
    span: Span = field(repr=False)


class Stmt(Node):
    span: Span = field(repr=False)
    cites: tuple[str, ...] = field(kw_only=True, default=())


Block = tuple[Stmt, ...]


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
