"""Histories: which positions were there before.

    history board of 200
      c.owner for c in Cell
      to_move

declares what makes up a position. `remember board` keeps the present one, `seen(board)` says how often it was kept,
`forget board` begins anew. A position is kept as two numbers, its fingerprints: 60 bits, so that two positions which
differ are taken for one about once in 10^18 comparisons. Only the most recent positions are kept, in a ring.

The stages behind the checker know nothing about histories. A history becomes four fields of the table and three
rules, a value and two effects, which are written here as an author would write them. So state, saves, copies, trials,
views and the other backends need no word about it, and a secret in a position is found like a secret in any open
field. Only the fingerprint is an expression of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source, Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from ..syntax.parse import parse_rules
from . import program as p
from . import value_types as t
from .declare_types import bound_of
from .declared import Draft, RuleSource
from .dispatch import Made, as_source, does, elaborate, handles
from .expressions import binder
from .scope import Body, Broken
from .type_rules import in_words, maybe

LONGEST = 10_000
PRIMES = (826355603, 878929859)  # two is a primitive root of both, so every position of a number counts differently
MARK = t.Number(0, max(PRIMES) - 1)
_PARTS = (t.Number, t.Flag, t.EnumOf, t.Player, t.Kinded, t.Die, t.DirectionOf, t.EffectCell)
HELP = "it is a value, a place, or `E for x in S`: `c.owner for c in Cell`"


def declare_histories(draft: Draft) -> None:
    """Adds the fields and rules of every history. `check_names` compares the names of the histories themselves."""
    for history, _ in draft.all(nodes.History):
        size = bound_of(draft.declared, history.size)
        if size is not None and not 1 <= size <= LONGEST:
            what = f"a history cannot keep {size} positions"
            draft.declared.error("R0419", what, history.size.span, f"from 1 to {LONGEST:,}")
            size = None
        _declare(draft, history, size or 1)
        draft.declared.histories[history.name.text] = history


def _declare(draft: Draft, history: nodes.History, size: int) -> None:
    table, rules = draft.declared.state["table"], draft.declared.rules
    own = {field.name: field for field in _fields(history, size)}
    sources = {source.rule.name: source for source in _rules(history, size)}
    for name in (*own, *sources):
        if name in table or name in rules:
            what = f"the history `{history.name.text}` needs the name `{name}` for itself"
            draft.declared.error("R0310", what, history.name.span, help="give one of them another name")
            return
    table.update(own)
    rules.update(sources)


# What is forgotten leaves no trace, so that equal states stay equal.
_RULES = """
value seen_{name}
  let mark = marks_now
  let check = checks_now
  result count(i in 1..{name}_length where {name}_marks[i] == mark and {name}_checks[i] == check)
effect remember_{name}
  let mark = marks_now
  let check = checks_now
  {name}_marks[{name}_next] = mark
  {name}_checks[{name}_next] = check
  {name}_length = min({size}, {name}_length + 1)
  {name}_next = 1 if {name}_next == {size} else {name}_next + 1
effect forget_{name}
  for i in 1..{name}_length
    {name}_marks[i] = 0
    {name}_checks[i] = 0
  {name}_length = 0
  {name}_next = 1
"""
_LOCALS = {"mark": "mark__now", "check": "check__now", "i": "i__kept"}  # names that nobody can write


def _fields(history: nodes.History, size: int) -> Iterator[p.FieldDecl]:
    ring = (p.Dimension(t.Number(1, size), 1, size),)
    for word, dimensions, of, start in (
        ("marks", ring, MARK, 0),
        ("checks", ring, MARK, 0),
        ("length", (), t.Number(0, size), 0),
        ("next", (), t.Number(1, size), 1),
    ):
        name, span = f"{history.name.text}_{word}", history.name.span
        yield p.FieldDecl(name, "table", None, dimensions, of, "open", False, start, span=span, is_history=True)


def _rules(history: nodes.History, size: int) -> Iterator[RuleSource]:
    for written in _parsed(_RULES.format(name=history.name.text, size=size)):
        node = _as_of(history, written)
        form, result = ("value", t.Number(0, size)) if isinstance(node, nodes.Value) else ("effect", None)
        layer, span = p.HISTORY, history.name.span
        rule = p.RuleDecl(node.name.text, form, (), result, cites=history.cited, layer=layer, span=span)
        yield RuleSource(rule, node)


@cache
def _parsed(text: str) -> tuple[nodes.Declaration, ...]:
    file = parse_rules(Source("<history>", text), Diagnostics())
    assert file is not None
    return file.declarations


def _as_of(history: nodes.History, part: Any) -> Any:
    """What is written above, as part of a history: it stands where that is named, and its marks are the fingerprints
    of its lines."""
    match part:
        case tuple():
            return tuple(_as_of(history, one) for one in part)
        case nodes.NameRef(name="marks_now" | "checks_now"):
            return nodes.Fingerprint(history.name.span, history.lines, PRIMES[part.name == "checks_now"])
        case nodes.NameRef(name=word) | nodes.Name(text=word) if word in _LOCALS:
            return type(part)(history.name.span, _LOCALS[word])
        case nodes.Node():
            made = {one.name: _as_of(history, getattr(part, one.name)) for one in fields(part)}
            return type(part)(**made | {"span": history.name.span})
    return part


# ---------------------------------------------------------------------------- what is written of them


def _named(body: Body, name: nodes.Name, what: str) -> nodes.Name:
    histories = body.declared.histories
    if name.text not in histories:
        none = "declare it: `history board of 200`, and below it what makes up a position"
        help = did_you_mean(name.text, histories) if histories else none
        raise body.fail("R0329", f"there is no history `{name.text}`", name.span, what, help=help)
    body.declared.uses.add(name.span, "history", name.text)
    return name


def _call(body: Body, node: nodes.Remember | nodes.Forget, verb: str) -> Made:
    name = _named(body, node.history, f"`{verb}` is said of a history")
    source = body.declared.rules.get(f"{verb}_{name.text}")
    if source is None:
        raise Broken
    return p.CallRule(node.span, source.rule, (), False)


@does(nodes.Remember)
def remember(body: Body, node: nodes.Remember) -> Made:
    return _call(body, node, "remember")


@does(nodes.Forget)
def forget(body: Body, node: nodes.Forget) -> Made:
    return _call(body, node, "forget")


def seen(body: Body, arg: nodes.Expr, span: Span) -> RuleSource | None:
    """The value that says how often the present position is in a history."""
    if not isinstance(arg, nodes.NameRef):
        raise body.fail("R0329", "`seen` is asked of a history", arg.span, "not the name of one")
    name = _named(body, nodes.Name(arg.span, arg.name), "`seen` is asked of a history")
    return body.declared.rules.get(f"seen_{name.text}")


# ---------------------------------------------------------------------------- fingerprints


@handles(nodes.Fingerprint)
def fingerprint(body: Body, node: nodes.Fingerprint, expected: t.VType | None) -> p.Expr:
    parts = tuple(_part(body, line, node.prime) for line in node.lines)
    return p.Fingerprint(MARK, node.span, parts, node.prime)


def _part(body: Body, line: nodes.HistoryLine, prime: int) -> p.Expr:
    with body.block(), body.perhaps_never():
        return _over(body, line, line.binders, prime)


def _over(body: Body, line: nodes.HistoryLine, binders: tuple[nodes.Binder, ...], prime: int) -> p.Expr:
    """The value of the line for each combination of the names that are left."""
    if not binders:
        made = elaborate(body, line.value, None)
        return _each(body, made, line) or _single(body, made, line)
    over = binder(body, binders[0])
    value = _over(body, line, binders[1:], prime)
    if isinstance(value, p.ListOf):
        # `p.stand for p in players`: each stand is a number of its own, or what one lacks could be what the next has.
        value = p.Fingerprint(MARK, line.span, (value,), prime)
    return p.ListOf(t.SetOf(value.type), line.span, value, over)


def _each(body: Body, made: p.Expr, line: nodes.HistoryLine) -> p.Expr | None:
    """The contents of a place, or the elements of a set, one after the other; None for a single value."""
    if isinstance(made, p.SlotPiece):
        return None
    source = as_source(made)
    of = t.element_of(source.type)
    if of is None:
        return None
    local = body.local("one__part", of)
    each = _single(body, p.LocalVar(of, line.span, local), line)
    return p.ListOf(t.SetOf(each.type), line.span, each, p.Binder(local, source, None, None, None, line.span))


def _single(body: Body, made: p.Expr, line: nodes.HistoryLine) -> p.Expr:
    """One number. A piece counts by its row, so equal pieces are the same here."""
    of = t.bare(made.type)
    if not isinstance(of, _PARTS):
        what = f"{in_words(made.type)} cannot be part of a position"
        raise body.fail("R0477", what, line.value.span, "not a value", help=HELP)
    if isinstance(of, t.Die):
        return p.Face(t.Number(of.low, of.high), line.span, made)
    if isinstance(of, t.Piece):
        row: t.VType = t.Number(0, max(0, len(body.declared.rows) - 1))
        return p.AttributeOf(maybe(row) if made.type != of else row, line.span, _rows(body), made, ())
    return made


def _rows(body: Body) -> p.AttributeTable:
    """The row of each piece, as if it were printed on it."""
    declared = body.declared
    known = declared.attributes.get(("piece", "row of"))
    if known is None:
        values = (*(piece.row for piece in declared.pieces), t.NO_NUMBER)
        known = p.AttributeTable("row", "piece", "", t.Number(0, len(declared.rows)), (), values)
        declared.attributes["piece", "row of"] = known
    return known
