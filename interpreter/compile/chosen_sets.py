"""Choices of several things that cannot fail, because what there is will do.

    choose any c in p.hand as paid                     # nobody has to choose anything
    choose max(0, count(p.hand) - 7) c in p.hand       # as many are there

All answers err on the safe side: False means "not known".
"""

from __future__ import annotations

from ..check import program as core
from ..check.program import Block
from ..check.value_types import Maybe, Number, bare
from ..check.walk import is_alike
from .statement_facts import counts, path_key


def costs_nothing_for_none(stmt: core.Stmt, before: Block) -> bool:
    """True for `choose any c … as S` followed by `pay sum(… for c in S)`: choosing nothing costs nothing, so this
    payment can never be what bars the way."""
    chosen = before[-1] if before else None
    if not isinstance(stmt, core.Pay) or not isinstance(chosen, core.ChooseSet):
        return False
    # If a card must be chosen, its price must be paid.
    if chosen.low is not None or chosen.such_that is not None or chosen.body is not None:
        return False
    return all(summed_over(cost.amount, chosen.chosen) is not None for cost in stmt.costs)


def summed_over(amount: core.Expr, chosen: core.LocalDecl) -> core.Expr | None:
    """Of `sum(c.price for c in S)`, with S the chosen set: `c.price`."""
    if not isinstance(amount, core.SumOf) or not isinstance(amount.binder.source, core.LocalVar):
        return None
    return amount.value if amount.binder.source.local is chosen else None


def nothing_will_do(stmt: core.ChooseSet, before: Block = (), by_count: bool = False) -> bool:
    """True if what there is will do: nobody has to choose anything (`choose any c …`), and the empty set meets what the
    whole one has to; or `choose count(p.hand) - 7 c in p.hand`."""
    if stmt.low is None:
        return stmt.such_that is None or _holds_of_none(stmt.such_that, stmt.chosen)
    if stmt.such_that is not None:
        return False
    return _is_part_of(stmt.low, stmt.binder) or (by_count and _is_at_most(stmt.low, stmt.binder, before))


def _is_part_of(number: core.Expr, binder: core.Binder) -> bool:
    """`count(S)`, or that less a printed number: there are as many in S."""
    if isinstance(number, core.Arithmetic) and number.op == "-" and isinstance(number.right, core.Const):
        return number.right.value >= 0 and _is_part_of(number.left, binder)
    whole = binder.where is None and isinstance(binder.source, core.PlaceRef)
    return whole and isinstance(number, core.CountOf) and counts(number, path_key(binder.source))


def _is_at_most(number: core.Expr, binder: core.Binder, before: Block) -> bool:
    """`max(0, count(p.hand) - 7)`, `min(2, count(c in p.hand where c.red))` of those same cards: no more than there
    are, if nothing has changed since it was worked out, with a name of its own or without."""
    match number:
        case core.Const(value=int(value)):
            return value <= 0
        case core.LocalVar(local=local):
            for position, stmt in enumerate(reversed(before), 1):
                if isinstance(stmt, core.Let) and stmt.local is local:
                    return _is_at_most(stmt.value, binder, before[:-position])
                if not isinstance(stmt, core.Let | core.Say | core.Require):
                    return False
        case core.Extreme(which=which, items=items):
            holds = all if which == "max" else any
            return holds(_is_at_most(item, binder, before) for item in items)
        case core.Arithmetic(op="-", left=left, right=core.Const(value=int(less))):
            return less >= 0 and _is_at_most(left, binder, before)
        case core.CountOf(of=of):
            return binder.where is None and is_alike(of, binder.source)
        case core.CountWhere(binder=counted):
            return is_alike(counted, binder)
    return False


def _holds_of_none(condition: core.Expr, chosen: core.LocalDecl) -> bool:
    """With S empty: `every c in S has …`, `no c in S has …`, `count(S) < 4`, `sum(c.price for c in S) <= p.coins`."""
    match condition:
        case core.Logic(op=op, left=left, right=right):
            sides = (_holds_of_none(left, chosen), _holds_of_none(right, chosen))
            return all(sides) if op == "and" else any(sides)
        case core.Quantified(which="every", binder=binder) | core.Not(of=core.Quantified(which="some", binder=binder)):
            return _goes_over(binder.source, chosen)
        case core.Compare(op="<" | "<=", left=counted, right=most):
            least = bare(most.type) if not isinstance(most.type, Maybe) else None
            room = isinstance(least, Number) and least.low >= (1 if condition.op == "<" else 0)
            return room and _is_none_of(counted, chosen)
    return False


def _is_none_of(counted: core.Expr, chosen: core.LocalDecl) -> bool:
    """What is counted or added up is the set, and so 0 if that is empty."""
    match counted:
        case core.CountOf(of=source):
            return _goes_over(source, chosen)
        case core.CountWhere(binder=binder) | core.SumOf(binder=binder):
            return _goes_over(binder.source, chosen)
    return False


def _goes_over(source: core.Expr, chosen: core.LocalDecl) -> bool:
    return isinstance(source, core.LocalVar) and source.local is chosen
