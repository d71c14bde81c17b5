"""Going over the statements and expressions of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from ..check import program as core
from .substitute import walk

Block = tuple[core.Stmt, ...]


def sub_blocks(stmt: core.Stmt) -> list[Block]:
    """The blocks directly inside a statement."""
    match stmt:
        case core.If():
            return [stmt.then, stmt.otherwise]
        case core.Choose() | core.ChooseSet() | core.Pick():
            return [stmt.body] if stmt.body is not None else []
        case core.ChooseOne() | core.AnyOrder():
            return [branch.body for branch in stmt.branches]
        case core.May():
            return [stmt.branch.body, stmt.otherwise]
        case (
            core.For()
            | core.Walk()
            | core.Repeat()
            | core.While()
            | core.InTurn()
            | core.Together()
            | core.FirstPossible()
        ):
            return [stmt.body]
    return []


def statements(block: Block) -> Iterator[core.Stmt]:
    """Every statement of a block, nested ones included."""
    for stmt in block:
        yield stmt
        for inner in sub_blocks(stmt):
            yield from statements(inner)


def parts_of(stmt: core.Stmt) -> Iterator[Any]:
    """The expressions, binders and costs directly in a statement (not in its blocks), each as a whole."""
    for part in fields(stmt):
        if part.name not in ("span", "cites", "body", "then", "otherwise"):
            yield from _parts_in(getattr(stmt, part.name))


def expressions(stmt: core.Stmt) -> Iterator[Any]:
    """Every expression directly in a statement, with all below it."""
    for part in parts_of(stmt):
        yield from walk(part)


def _parts_in(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in value:
            yield from _parts_in(item)
    elif isinstance(value, core.Expr | core.Binder | core.CostDecl):
        yield value
    elif isinstance(value, core.Template):
        yield from _parts_in(tuple(part for part in value.parts if not isinstance(part, str)))
    elif isinstance(value, core.BranchDecl):
        yield from _parts_in((value.label, value.binders, value.condition))
    elif isinstance(value, core.Destination):
        yield from _parts_in((value.place, value.behind))
    elif isinstance(value, core.CounterAmount):
        yield from _parts_in((value.amount, value.indexes))


def rule_expressions(rule: core.RuleDecl) -> Iterator[Any]:
    for part in _parts_in((rule.when, rule.expression, rule.text)):
        yield from walk(part)
    for stmt in statements(rule.body):
        yield from expressions(stmt)


def bodies(program: core.Program) -> list[core.RuleDecl]:
    """Every rule and hook with a body, values left out."""
    rules = [rule for rule in program.rules.values() if rule.form != "value"]
    return rules + [hook for hook in program.all_hooks() if not (hook.replaces and hook.replaces.form == "value")]
