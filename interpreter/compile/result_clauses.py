"""Which `result` line of a value gave its answer: the clauses of that line are the reason when the answer is no.

    value may_play(p, c: Card): flag
      if trick is empty
        result c == card_clubs_two                                             @HE-05
      result c.suit == led_suit                                                @HE-06

A decision with `where may_play(p, c)` refuses a card because of HE-05 or of HE-06, and only the value knows which. So
beside such a value stands another one with the same body that results in the number of the line. It is asked when
somebody wants to know why, never in play. Hooks that stand in for the value come with it: each of their lines has a
number too, with its own clauses or those of the hook, and a line that only hands on `previous` leaves the answer to
whatever it stands in for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..check import program as core
from ..check.value_types import Number

if TYPE_CHECKING:
    from .ir import Op
    from .lower_expressions import ExpressionLowering
    from .unit import Unit

Cites = tuple[tuple[str, ...], ...]


def answering_line(unit: Unit, expressions: ExpressionLowering, condition: core.Expr) -> tuple[Op, Cites] | None:
    """The number of the `result` line behind a condition, as an operation, and the clauses of each line; None if the
    condition is no question to a value with clauses on such lines."""
    call = _called(condition)
    numbered = _numbered(unit, call.rule) if call is not None else None
    if call is None or numbered is None:
        return None
    rule, cites = numbered
    return expressions.lower(core.ValueCall(Number(0, len(cites)), call.span, rule, call.args)), cites


def clauses_of_value(condition: core.Expr) -> tuple[str, ...]:
    """The clauses of the value that a condition asks, if it asks one."""
    call = _called(condition)
    return () if call is None else call.rule.cites


def _called(condition: core.Expr) -> core.ValueCall | None:
    """The value that a condition asks: `may(p)`, `not may(p)`, `price(p) < 3`."""
    match condition:
        case core.ValueCall():
            return condition
        case core.Not(of=inner):
            return _called(inner)
        case core.Compare(left=left, right=right):
            return _called(left) or _called(right)
    return None


def _numbered(unit: Unit, rule: core.RuleDecl) -> tuple[core.RuleDecl, Cites] | None:
    """The value that tells lines apart, and the clauses of each; none if no line has any."""
    if rule not in unit.numbered_values:
        cites: list[tuple[str, ...]] = []
        # In the order in which hooks are asked, so that numbers count on from one body to the next.
        hooks = [(hook, _numbered_body(hook, cites)) for hook in rule.instead]
        body = _numbered_body(rule, cites) if rule.instead or rule.expression is None else ()
        unit.numbered_values[rule] = None
        if any(cites):
            result = Number(0, len(cites))
            instead = tuple(replace(hook, body=_typed(lines, result), expression=None) for hook, lines in hooks)
            name = f"{rule.name}__line"
            made = replace(rule, name=name, result=result, body=body, expression=None, instead=instead, text=None)
            unit.numbered_values[rule] = made, tuple(cites)
    return unit.numbered_values[rule]


def _numbered_body(rule: core.RuleDecl, cites: list[tuple[str, ...]]) -> core.Block:
    """The body of a value or of a hook on one, with each result replaced by its number. Where a hook or a value in one
    line says nothing about a line, the clauses of its head count."""
    body = rule.body if rule.expression is None else (core.ResultIs(rule.span, rule.expression),)
    of_head = rule.cites if rule.expression is not None or rule.form == "hook" else ()

    def numbered(value: core.Expr, own: tuple[str, ...]) -> core.Expr:
        if isinstance(value, core.Previous) and not own:
            return value
        cites.append(own or of_head)
        number = len(cites) - 1
        return core.Const(Number(number, number), value.span, number)

    return _with_results(body, numbered)


def _typed(block: core.Block, result: Number) -> core.Block:
    """The statements of a hook in which `previous` gives the number of a line."""
    return _with_results(
        block, lambda value, _: replace(value, type=result) if isinstance(value, core.Previous) else value
    )


def _with_results(block: core.Block, change: Callable[[core.Expr, tuple[str, ...]], core.Expr]) -> core.Block:
    """The statements of a value with each result changed; `change` gets its clauses too."""
    made: list[core.Stmt] = []
    for stmt in block:
        match stmt:
            case core.ResultIs(value=value):
                made.append(replace(stmt, value=change(value, stmt.cites)))
            case core.If():
                then, otherwise = (_with_results(one, change) for one in (stmt.then, stmt.otherwise))
                made.append(replace(stmt, then=then, otherwise=otherwise))
            case _:
                made.append(stmt)
    return tuple(made)
