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

from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
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
    made = _History(history, size)
    table = draft.declared.state["table"]
    names = {**{field.name: field for field in made.fields()}, **{rule.name: rule for rule, _ in made.rules()}}
    for name in names:
        if name in table or name in draft.declared.rules:
            what = f"the history `{history.name.text}` needs the name `{name}` for itself"
            draft.declared.error("R0310", what, history.name.span, help="give one of them another name")
            return
    for field in made.fields():
        table[field.name] = field
    for rule, node in made.rules():
        draft.declared.rules[rule.name] = RuleSource(rule, node)


class _History:
    """The fields and rules of one history, written as an author would write them."""

    def __init__(self, history: nodes.History, size: int) -> None:
        self.history, self.size = history, size
        self.span = history.name.span
        self.name = history.name.text

    # ------------------------------------------------------------------------ fields

    def fields(self) -> tuple[p.FieldDecl, ...]:
        count = t.Number(1, self.size)
        ring = (p.Dimension(count, 1, self.size),)
        marks = [self.field(f"{self.name}_{word}", ring, MARK) for word in ("marks", "checks")]
        length = self.field(f"{self.name}_length", (), t.Number(0, self.size))
        return (*marks, length, self.field(f"{self.name}_next", (), count, 1))

    def field(self, name: str, dimensions: tuple[p.Dimension, ...], of: t.VType, start: int = 0) -> p.FieldDecl:
        return p.FieldDecl(name, "table", None, dimensions, of, "open", False, start, span=self.span, is_history=True)

    # ------------------------------------------------------------------------ rules

    def rules(self) -> tuple[tuple[p.RuleDecl, nodes.Rule], ...]:
        return (
            self.rule(f"seen_{self.name}", "value", self.seen(), t.Number(0, self.size)),
            self.rule(f"remember_{self.name}", "effect", self.remember()),
            self.rule(f"forget_{self.name}", "effect", self.forget()),
        )

    def rule(
        self, name: str, form: str, body: nodes.Block, result: t.VType | None = None
    ) -> tuple[p.RuleDecl, nodes.Rule]:
        rule = p.RuleDecl(name, form, (), result, cites=self.history.cited, layer=p.HISTORY, span=self.span)
        node = (nodes.Value if form == "value" else nodes.Effect)(
            self.span, nodes.Name(self.span, name), (), None, body, None, None
        )
        return rule, node

    def seen(self) -> nodes.Block:
        """let mark, check; result count(i in 1..length where marks[i] == mark and checks[i] == check)"""
        one = nodes.Name(self.span, "i__kept")
        same = nodes.And(
            self.span,
            nodes.Compare(self.span, "==", self.at("marks", self.ref(one.text)), self.ref("mark__now")),
            nodes.Compare(self.span, "==", self.at("checks", self.ref(one.text)), self.ref("check__now")),
        )
        kept = nodes.FromTo(self.span, self.number(1), self.own("length"))
        counted = nodes.Count(self.span, None, nodes.Binder(self.span, one, kept, same, None))
        return (*self.marks(), nodes.Result(self.span, counted))

    def remember(self) -> nodes.Block:
        onward = nodes.Arithmetic(self.span, "+", self.own("next"), self.number(1))
        full = nodes.Compare(self.span, "==", self.own("next"), self.number(self.size))
        longer = nodes.Arithmetic(self.span, "+", self.own("length"), self.number(1))
        return (
            *self.marks(),
            self.set(self.at("marks", self.own("next")), self.ref("mark__now")),
            self.set(self.at("checks", self.own("next")), self.ref("check__now")),
            self.set(self.own("length"), nodes.Extreme(self.span, "min", (self.number(self.size), longer))),
            self.set(self.own("next"), nodes.IfElse(self.span, self.number(1), full, onward)),
        )

    def forget(self) -> nodes.Block:
        """What is forgotten leaves no trace, so that equal states stay equal."""
        one = nodes.Name(self.span, "i__kept")
        kept = nodes.FromTo(self.span, self.number(1), self.own("length"))
        wiped = tuple(self.set(self.at(word, self.ref(one.text)), self.number(0)) for word in ("marks", "checks"))
        return (
            nodes.For(self.span, one, (kept,), None, None, None, wiped),
            self.set(self.own("length"), self.number(0)),
            self.set(self.own("next"), self.number(1)),
        )

    # ------------------------------------------------------------------------ parts of them

    def marks(self) -> nodes.Block:
        made = []
        for name, prime in zip(("mark__now", "check__now"), PRIMES, strict=True):
            value = nodes.Fingerprint(self.span, self.history.lines, prime)
            made.append(nodes.Let(self.span, nodes.Name(self.span, name), value))
        return tuple(made)

    def ref(self, name: str) -> nodes.NameRef:
        return nodes.NameRef(self.span, name)

    def own(self, word: str) -> nodes.NameRef:
        return self.ref(f"{self.name}_{word}")

    def at(self, word: str, index: nodes.Expr) -> nodes.Index:
        return nodes.Index(self.span, self.own(word), (index,))

    def number(self, value: int) -> nodes.Number:
        return nodes.Number(self.span, value)

    def set(self, path: nodes.Expr, value: nodes.Expr) -> nodes.Assign:
        return nodes.Assign(self.span, path, "=", value)


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
