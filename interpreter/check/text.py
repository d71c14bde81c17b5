"""Texts with holes, and the labels of lines that call a rule.

A hole may contain any expression that is valid where the text stands. The label of a line that calls a rule is that
rule's own text, with the arguments of the call put in for its parameters. A game may reword texts of the ruleset it
uses (with a file in `texts/` in its own language): the new wording replaces the text and may use the same holes.
"""

from __future__ import annotations

from ..diagnostics.source import Span
from ..syntax import nodes
from .dispatch import as_set, elaborate
from .program import Expr, RuleDecl, Template
from .scope import Body
from .translations import holes_of, pieces_of
from .type_rules import in_words
from .value_types import NoneOnly


def template(body: Body, text: nodes.Text) -> Template:
    """The text with its holes filled by expressions."""
    with body.perhaps_never():
        parts = tuple(part if isinstance(part, str) else _hole(body, part) for part in text.parts)
    return _in_own_words(body, Template(parts, text.raw, text.span))


def _in_own_words(body: Body, written: Template) -> Template:
    """The game's own wording of a text, if it has one. A hole that the original text does not have is left as it is
    written: `validate` reports it."""
    gathered = body.declared.gathered
    own = gathered.texts.get(gathered.languages[0], {}).get(written.raw)
    if own is None:
        return written
    fillings = [part for part in written.parts if not isinstance(part, str)]
    filled = dict(zip((expression for expression, _ in holes_of(written.raw)), fillings, strict=False))
    parts: list[str | Expr] = []
    for part in pieces_of(own):
        parts.append(part if isinstance(part, str) else filled.get(part[0], f"{{{part[0]}}}"))
    return Template(tuple(parts), own, written.span, written.raw)


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
        words = in_plain_words(rule.name)
        return _in_own_words(body, Template((words,), words, span))
    names = {param.name: arg for param, arg in zip(rule.params, args, strict=True)}
    inner = Body(body.world, None, "value")
    inner.names = dict(names)
    inner.facts = body.facts
    return template(inner, text)


def in_plain_words(name: str) -> str:
    """`take_cards` as shown to people."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
