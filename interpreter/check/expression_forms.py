"""The facts about every form of expression: one row per class, as `forms` has them for statements.

An expression changes nothing, so two questions are left: what of the state does it look at, and which rules does it
ask? Both are answered for the expression itself; `walk` goes into its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from . import program as p
from .forms import UnknownForm, fields_of, kinds_in, looked_at_for


@dataclass(frozen=True)
class Whereabouts:
    """Where the pieces of these kinds are; of no kinds: where anything is."""

    kinds: tuple[str, ...]


Thing = p.FieldDecl | p.PlaceDecl | Whereabouts | str

DICE = "dice"  # the faces of dice
SEATS = "seats"  # who is still in
RUNNING = "running"  # which rules and cells run
ANYTHING = "anything"


@dataclass(frozen=True)
class ExprForm:
    """One row. The callables are given an expression of the class that the row is about."""

    looks_at: Callable[[Any], tuple[Thing, ...]]
    rule: Callable[[Any], p.RuleDecl | None]  # the rule whose value, or possibility, it asks for
    also: Callable[[Any], tuple[p.Expr, ...]]  # expressions that stand in declarations and are evaluated with it


def _nothing(_: object) -> tuple[()]:
    return ()


def _none(_: object) -> None:
    return None


def _at(*things: Thing) -> ExprForm:
    """It looks at the same things whatever stands in it."""
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


# Computed from its parts, from what is printed and from the map alone.
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
    p.ExtremeOf: PURE,
    p.Extreme: PURE,
    p.NumberRange: PURE,
    p.SetList: PURE,
    p.Without: PURE,
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
    p.LongestLine: PURE,
}


def expression_form(expr: p.Expr) -> ExprForm:
    """The row of an expression; a form without one is noticed by whoever asks."""
    form = EXPRESSIONS.get(type(expr))
    if form is None:
        raise UnknownForm(expr)
    return form


def looks_at(expr: p.Expr) -> tuple[Thing, ...]:
    """What of the state the expression itself looks at, its parts and the rules it asks left out."""
    return expression_form(expr).looks_at(expr)


def asked_rule(expr: p.Expr) -> p.RuleDecl | None:
    """The rule whose value it asks for, or of which it asks whether it can be done."""
    return expression_form(expr).rule(expr)


def evaluated_elsewhere(expr: p.Expr) -> tuple[p.Expr, ...]:
    return expression_form(expr).also(expr)
