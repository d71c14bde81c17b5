"""The facts about every form of expression: one row per class, as `forms` has them for statements.

An expression changes nothing, so there are only two questions: which parts of the state does it read, and which rules
does it evaluate? Both are answered for the expression itself; `walk` visits its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from . import program as p
from .forms import UnknownForm, fields_of, kinds_in, looked_at_for


@dataclass(frozen=True)
class Whereabouts:
    """The positions of pieces of these kinds; without kinds, the positions of all pieces."""

    kinds: tuple[str, ...]


Thing = p.FieldDecl | p.PlaceDecl | Whereabouts | str

DICE = "dice"  # the faces of dice
SEATS = "seats"  # which players are still in the game
RUNNING = "running"  # which rules and cells are running
ANYTHING = "anything"


@dataclass(frozen=True)
class ExprForm:
    """One row of the table. The callables take an expression of the class that the row describes."""

    looks_at: Callable[[Any], tuple[Thing, ...]]
    rule: Callable[[Any], p.RuleDecl | None]  # the rule whose value, or possibility, it asks for
    also: Callable[[Any], tuple[p.Expr, ...]]  # expressions that stand in declarations and are evaluated with it


def _nothing(_: object) -> tuple[()]:
    return ()


def _none(_: object) -> None:
    return None


def _at(*things: Thing) -> ExprForm:
    """Reads the same things in every expression of its class."""
    return ExprForm(lambda e: things, _none, _nothing)


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


def _paid_from(e: p.CanPay) -> tuple[Thing, ...]:
    return tuple(field for cost in e.costs for field in fields_of(cost))


def _paid_elsewhere(e: p.CanPay) -> tuple[p.Expr, ...]:
    return tuple(part for cost in e.costs for part in looked_at_for(cost))


# Computed only from its parts, from printed values and from the map; reads no state itself.
PURE = ExprForm(_nothing, _none, _nothing)

EXPRESSIONS: dict[type[p.Expr], ExprForm] = {
    p.Const: PURE,
    p.LocalVar: PURE,
    p.FieldRead: replace(PURE, looks_at=lambda e: (e.field,)),
    p.DieRef: replace(PURE, looks_at=lambda e: (e.field,)),
    p.DiceGroup: replace(PURE, looks_at=lambda e: (e.field,)),
    p.Face: _at(DICE),
    p.AttributeOf: PURE,
    p.InRange: PURE,
    p.ChartCell: PURE,
    p.PlaceRef: replace(PURE, looks_at=lambda e: (e.place,)),
    p.Box: _at(Whereabouts(())),
    p.SlotPiece: PURE,
    p.EndOf: PURE,
    p.Arithmetic: PURE,
    p.Negative: PURE,
    p.Compare: PURE,
    p.Logic: PURE,
    p.Not: PURE,
    p.IfElse: PURE,
    p.Otherwise: PURE,
    p.Member: PURE,
    p.IsKind: PURE,
    p.IsNone: PURE,
    p.IsEmpty: PURE,
    p.IsFull: PURE,
    p.RuleRunning: _at(RUNNING),
    p.CellRunning: _at(RUNNING),
    p.IsAutoma: PURE,
    p.KnownTo: _at(ANYTHING),
    p.Quantified: PURE,
    p.Selected: PURE,
    p.CountOf: PURE,
    p.CountWhere: PURE,
    p.SumOf: PURE,
    p.ListOf: PURE,
    p.Fingerprint: PURE,
    p.ExtremeOf: PURE,
    p.Extreme: PURE,
    p.NumberRange: PURE,
    p.SetList: PURE,
    p.Without: PURE,
    p.UpTo: PURE,
    p.StartingWith: PURE,
    p.Following: PURE,
    p.AllOf: PURE,
    p.Players: _at(SEATS),
    p.ValueCall: replace(PURE, rule=lambda e: e.rule),
    p.FormulaCall: _at(ANYTHING),
    p.Previous: _at(ANYTHING),
    p.CanCall: replace(_at(ANYTHING), rule=lambda e: e.rule),
    p.CanPerform: _at(ANYTHING),
    p.CanPay: ExprForm(_paid_from, _none, _paid_elsewhere),
    p.Builtin: replace(PURE, looks_at=_builtin),
    p.MapQuery: PURE,
    p.Reach: PURE,
    p.Cheapest: PURE,
    p.GroupsOf: PURE,
    p.LongestTrail: PURE,
    p.LongestLine: PURE,
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


def evaluated_elsewhere(expr: p.Expr) -> tuple[p.Expr, ...]:
    return expression_form(expr).also(expr)


def may_fault(part: object) -> bool:
    """Whether play tests this value, and stops with a fault if it is not as it should be."""
    return isinstance(part, p.InRange) or (isinstance(part, p.SlotPiece) and part.is_tested)
