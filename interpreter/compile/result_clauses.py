"""Which `result` line of a value gave its answer: the clauses of that line are the reason when the answer is no.

    value may_play(p, c: Card): flag
      if trick is empty
        result c == card_clubs_two                                             @HE-05
      result c.suit == led_suit                                                @HE-06

A decision with `where may_play(p, c)` refuses a card because of HE-05 or of HE-06, and only the value knows which. So
beside such a value stands another one with the same body that results in the number of the line. It is asked when
somebody wants to know why, never in play.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """The value that tells lines apart, and the clauses of each; none if no line has any or hooks may answer it."""
    if rule not in unit.numbered_values:
        cites: list[tuple[str, ...]] = []
        body = tuple(_with_numbers(rule.body, cites))
        if any(cites) and not rule.instead:
            made = replace(
                rule, name=f"{rule.name}__line", result=Number(0, len(cites)), body=body, expression=None, text=None
            )
            unit.numbered_values[rule] = made, tuple(cites)
        else:
            unit.numbered_values[rule] = None
    return unit.numbered_values[rule]


def _with_numbers(block: core.Block, cites: list[tuple[str, ...]]) -> Iterator[core.Stmt]:
    """The statements of a value with each result replaced by its number."""
    for stmt in block:
        match stmt:
            case core.ResultIs():
                value = core.Const(Number(len(cites), len(cites)), stmt.span, len(cites))
                cites.append(stmt.cites)
                yield replace(stmt, value=value)
            case core.If():
                yield replace(stmt, then=tuple(_with_numbers(stmt.then, cites)),
                              otherwise=tuple(_with_numbers(stmt.otherwise, cites)))  # fmt: skip
            case _:
                yield stmt
