"""Going over the trees of the checked program without naming every node.

The passes that come after elaboration ask questions like "which places does this block fill": they walk everything a
node holds and look at the few nodes they care about. Declarations (fields, places, rules, maps) end a walk: they are
what nodes point at, not parts of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from .program import (
    Binder,
    BranchDecl,
    CostDecl,
    CounterAmount,
    Destination,
    Expr,
    Program,
    RuleDecl,
    Stmt,
    Template,
)

Node = Expr | Stmt | Binder | BranchDecl | CostDecl | CounterAmount | Destination | Template
_NODES = (Expr, Stmt, Binder, BranchDecl, CostDecl, CounterAmount, Destination, Template)


_names_of: dict[str, tuple[str, ...]] = {}


def _names(node: Node) -> tuple[str, ...]:
    """The fields of a node that may hold others; found out once for each class."""
    kind = type(node).__qualname__
    if kind not in _names_of:
        _names_of[kind] = tuple(item.name for item in fields(node) if item.name not in ("span", "type", "cites"))
    return _names_of[kind]


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node, in the order of its fields."""
    for name in _names(node):
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, _NODES):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)


def walk(node: Node | tuple[Stmt, ...]) -> Iterator[Node]:
    """A node (or a block) and everything inside it, outside first."""
    if isinstance(node, tuple):
        for statement in node:
            yield from walk(statement)
        return
    yield node
    for part in parts(node):
        yield from walk(part)


def walk_rule(rule: RuleDecl) -> Iterator[Node]:
    """All of a rule: its condition, body or expression, and title."""
    for part in (rule.when, rule.expression, rule.text):
        if part is not None:
            yield from walk(part)
    yield from walk(rule.body)


def walk_program(program: Program) -> Iterator[Node]:
    """Everything in the rules, hooks, scores, ranks and currencies of a game."""
    for rule in (*program.rules.values(), *program.all_hooks()):
        yield from walk_rule(rule)
    for part in _outside_rules(program):
        yield from walk(part)


def _outside_rules(program: Program) -> Iterator[Node]:
    for block in program.scores:
        yield from _nodes_in((block.when, *(part for line in block.lines for part in (line.label, line.value))))
    if program.rank is not None:
        yield from _nodes_in(program.rank.criteria)
    for currency in program.currencies.values():
        for source in currency.sources:
            yield from _nodes_in((source.place, source.back_to, source.when))
