"""The facts about every form of expression: one row per class, as `forms` has them for statements.

An expression changes nothing, so there are only two questions: which parts of the state does it read, and which rules
does it evaluate? Both are answered for the expression itself; `walk` visits its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import program as p
from .forms import UnknownForm, fields_paid, kinds_in, looked_at_to_pay
from .value_types import Maybe


@dataclass(frozen=True)
class Whereabouts:
    """The positions of pieces of these kinds; without kinds, the positions of all pieces."""

    kinds: tuple[str, ...]


Thing = p.StateDecl | Whereabouts | str

DICE = "dice"  # the faces of dice
SEATS = "seats"  # which players are still in the game
RUNNING = "running"  # which rules and cells are running
ANYTHING = "anything"


def _nothing(_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class ExprForm:
    """One row of the table. The callables take an expression of the class that the row describes."""

    looks_at: Callable[[Any], tuple[Thing, ...]] = _nothing
    rule: Callable[[Any], p.RuleDecl | None] = lambda e: None  # the rule whose value, or possibility, it asks for
    # Expressions that stand in declarations and are evaluated with it
    also: Callable[[Any], p.Exprs] = _nothing


def _at(*things: Thing) -> ExprForm:
    """Reads the same things in every expression of its class."""
    return ExprForm(lambda e: things)


def _builtin(e: p.Builtin) -> tuple[Thing, ...]:
    match e.name:
        case "next" | "rival" | "seat":
            return (SEATS,)
        case "at" | "holder" | "under":
            return (Whereabouts(kinds_in(e.args[0].type)),)
        case "score":
            return (ANYTHING,)
        case "abs" | "sign" | "position" | "public":
            return ()
        case _:
            raise UnknownForm(e)


# Computed only from their parts, from printed values and from the map: they read no state themselves.
_PURE: tuple[type[p.Expr], ...] = (
    p.Const, p.LocalVar, p.AttributeOf, p.InRange, p.ChartCell, p.SlotPiece, p.EndOf, p.Arithmetic, p.Negative,
    p.Compare, p.Logic, p.Not, p.IfElse, p.Otherwise, p.Member, p.IsKind, p.IsNone, p.IsEmpty, p.IsFull, p.IsAutoma,
    p.Quantified, p.Selected, p.CountOf, p.CountWhere, p.SumOf, p.ListOf, p.Fingerprint, p.ExtremeOf, p.Extreme,
    p.NumberRange, p.SetList, p.Without, p.UpTo, p.StartingWith, p.Following, p.AllOf, p.MapQuery, p.Reach, p.Cheapest,
    p.GroupsOf, p.LongestTrail, p.LongestLine,
)  # fmt: skip

EXPRESSIONS: dict[type[p.Expr], ExprForm] = {
    **dict.fromkeys(_PURE, ExprForm()),
    p.FieldRead: ExprForm(lambda e: (e.field,)),
    p.DieRef: ExprForm(lambda e: (e.field,)),
    p.DiceGroup: ExprForm(lambda e: (e.field,)),
    p.Face: _at(DICE),
    p.PlaceRef: ExprForm(lambda e: (e.place,)),
    p.Box: _at(Whereabouts(())),
    p.RuleRunning: _at(RUNNING),
    p.CellRunning: _at(RUNNING),
    p.KnownTo: _at(ANYTHING),
    p.Players: _at(SEATS),
    p.ValueCall: ExprForm(rule=lambda e: e.rule),
    p.FormulaCall: _at(ANYTHING),
    p.Previous: _at(ANYTHING),
    p.CanCall: ExprForm(lambda e: (ANYTHING,), lambda e: e.rule),
    p.CanPerform: _at(ANYTHING),
    p.CanPay: ExprForm(fields_paid, also=looked_at_to_pay),
    p.Builtin: ExprForm(_builtin),
}


def expression_form(expr: p.Expr) -> ExprForm:
    """The row of an expression; raises for a form that has none."""
    form = EXPRESSIONS.get(type(expr))
    if form is None:
        raise UnknownForm(expr)
    return form


def looks_at(expr: p.Expr) -> tuple[Thing, ...]:
    """What the expression itself reads of the state, not counting its parts and the rules it evaluates."""
    return expression_form(expr).looks_at(expr)


def asked_rule(expr: p.Expr) -> p.RuleDecl | None:
    """The rule that the expression evaluates, or of which it asks whether it can be carried out."""
    return expression_form(expr).rule(expr)


def evaluated_elsewhere(expr: p.Expr) -> p.Exprs:
    return expression_form(expr).also(expr)


def may_fault(part: object, seats_may_drop: bool = False) -> bool:
    """Whether play tests this value, and stops with a fault if it is not as it should be."""
    if seats_may_drop and isinstance(part, p.EndOf | p.Selected | p.ExtremeOf):
        return not isinstance(part.type, Maybe)  # one of the players: there may be none left
    return isinstance(part, p.InRange) or (isinstance(part, p.SlotPiece) and part.is_tested)
