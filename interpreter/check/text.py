"""Texts with holes, and the labels of lines that call a rule.

A hole is any expression of the place where the text stands. The label of a called rule is that rule's own text, read
with its parameters standing for the arguments of the call.
"""

from __future__ import annotations

from ..diagnostics.source import Span
from ..syntax import nodes
from .dispatch import as_set, elaborate
from .program import Expr, RuleDecl, Template
from .scope import Body
from .type_rules import in_words
from .value_types import NoneOnly


def template(body: Body, text: nodes.Text) -> Template:
    """The text with its holes filled by expressions."""
    with body.perhaps_never():
        parts = tuple(part if isinstance(part, str) else _hole(body, part) for part in text.parts)
    return Template(parts, text.raw, text.span)


def maybe_template(body: Body, text: nodes.Text | None) -> Template | None:
    return None if text is None else template(body, text)


def _hole(body: Body, hole: nodes.Hole) -> Expr:
    made = elaborate(body, hole.expression, None)
    if isinstance(made.type, NoneOnly):
        raise body.fail("R0430", f"{in_words(made.type)} has no name to show", hole.span, "nothing to read here")
    return as_set(made)


def call_label(body: Body, rule: RuleDecl, text: nodes.Text | None, args: tuple[Expr, ...], span: Span) -> Template:
    """The label of a line that calls a rule."""
    if text is None:
        return Template((in_plain_words(rule.name),), in_plain_words(rule.name), span)
    names = {param.name: arg for param, arg in zip(rule.params, args, strict=True)}
    inner = Body(body.world, None, "value")
    inner.names = dict(names)
    inner.facts = body.facts
    made = template(inner, text)
    return Template(made.parts, made.raw, text.span)


def in_plain_words(name: str) -> str:
    """`take_cards` as people read it."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
