"""Walks the trees of the checked program without a case for every node class.

The passes after elaboration ask questions like "which places does this block fill": they walk everything inside a node
and look at the few classes they care about. A walk stops at declarations (fields, places, rules, maps): nodes refer to
them, but do not contain them.

There are two kinds of walk. `walk` knows nothing about forms and visits every node. `statements` goes from block to
block, using the table of `forms`; `own_parts` and `expressions` give what one statement evaluates, without its blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType

from ..syntax import nodes
from . import forms
from . import program as p
from .expression_forms import asked_rule

Node = p.Expr | p.Stmt | p.Binder | p.BranchDecl | p.CostDecl | p.CounterAmount | p.Destination | p.Template
Evaluated = p.Expr | p.Binder | p.CostDecl
_NODES = (p.Expr, p.Stmt, p.Binder, p.BranchDecl, p.CostDecl, p.CounterAmount, p.Destination, p.Template)


_PARTS = "_parts"  # not a field: nodes are compared, printed and kept without it
_names_of: dict[str, tuple[str, ...]] = {}


def field_names(node: Node) -> tuple[str, ...]:
    """The fields of a node that say what it is, without its type and its place; cached per class."""
    kind = type(node).__qualname__
    if kind not in _names_of:
        _names_of[kind] = tuple(item.name for item in fields(node) if item.name not in ("span", "type", "cites"))
    return _names_of[kind]


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node, in the order of its fields. A node never changes and is walked over by a dozen
    passes, so they are found once and kept with it."""
    found: tuple[Node, ...] | None = node.__dict__.get(_PARTS)
    if found is None:
        found = node.__dict__[_PARTS] = _nodes_in(tuple(getattr(node, name) for name in field_names(node)))
    return found


def _nodes_in(values: tuple[object, ...]) -> tuple[Node, ...]:
    found: list[Node] = []
    for value in values:
        if isinstance(value, _NODES):
            found.append(value)
        elif isinstance(value, tuple):
            found += _nodes_in(value)
    return tuple(found)


def walk(node: Node | tuple[p.Stmt, ...]) -> Iterator[Node]:
    """A node (or a block) and everything inside it, outer nodes first."""
    waiting: list[Node] = [*reversed(node)] if isinstance(node, tuple) else [node]
    while waiting:
        one = waiting.pop()
        yield one
        if inside := parts(one):
            waiting += inside[::-1]


def conjuncts(condition: p.Expr | None) -> list[p.Expr]:
    """The parts of a condition that must all hold: `a` and `b` of `a and b`."""
    if isinstance(condition, p.Logic) and condition.op == "and":
        return conjuncts(condition.left) + conjuncts(condition.right)
    return [] if condition is None else [condition]


Names = Mapping[p.LocalDecl, p.LocalDecl]


def is_alike(one: object, other: object, names: Names = MappingProxyType({})) -> bool:
    """Whether two parts of the program say the same, apart from their places in the text and the names that they bind.
    `names` has locals of the first for which the second has another name."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(is_alike(a, b, names) for a, b in zip(one, other, strict=True))
    if isinstance(one, p.LocalDecl):
        return names.get(one, one) is other
    if not isinstance(one, _NODES) or not isinstance(other, _NODES) or type(one) is not type(other):
        return one == other
    if isinstance(one, p.Binder) and isinstance(other, p.Binder):
        names = {**names, one.local: other.local}
    return all(is_alike(getattr(one, name), getattr(other, name), names) for name in field_names(one))


def speaks_of(node: Node, local: p.LocalDecl) -> bool:
    return any(isinstance(part, p.LocalVar) and part.local is local for part in walk(node))


def statements(block: p.Block) -> Iterator[p.Stmt]:
    """Every statement of a block, nested ones included."""
    for stmt in block:
        yield stmt
        for inner in forms.blocks(stmt):
            yield from statements(inner)


def own_parts(stmt: p.Stmt) -> Iterator[Evaluated]:
    """The expressions, binders and costs that a statement itself evaluates, each as a whole."""
    yield from _evaluated(parts(stmt))


def _evaluated(nodes: tuple[Node, ...]) -> Iterator[Evaluated]:
    for node in nodes:
        if isinstance(node, p.Expr | p.Binder | p.CostDecl):
            yield node
        elif not isinstance(node, p.Stmt):  # statements in its blocks evaluate their own parts
            yield from _evaluated(parts(node))


def expressions(stmt: p.Stmt) -> Iterator[Node]:
    """Every node that a statement itself evaluates, parts of expressions included."""
    for part in own_parts(stmt):
        yield from walk(part)


def walk_rule(rule: p.RuleDecl) -> Iterator[Node]:
    """All of a rule: its condition, body or expression, and title."""
    for part in (rule.when, rule.expression, rule.text):
        if part is not None:
            yield from walk(part)
    yield from walk(rule.body)


def rule_expressions(rule: p.RuleDecl) -> Iterator[Node]:
    """Everything that a rule evaluates: its condition, title, expression, and all in its body."""
    for part in _evaluated(_nodes_in((rule.when, rule.expression, rule.text))):
        yield from walk(part)
    for stmt in statements(rule.body):
        yield from expressions(stmt)


def called_rules(nodes: Iterable[object]) -> list[p.RuleDecl]:
    """The rules that these nodes call, directly or not, with their hooks. Table cells are not followed: which rule a
    `perform` runs is known only at run time."""
    # In the order in which they are met, and not as a set has them: the same rules must give the same findings and the
    # same program in every run.
    met = dict.fromkeys(_callees(nodes))
    waiting = [*met]
    for rule in waiting:
        for other in (*rule.hooks, *_callees(walk_rule(rule))):
            if other not in met:
                met[other] = None
                waiting.append(other)
    return waiting


def _callees(nodes: Iterable[object]) -> Iterator[p.RuleDecl]:
    for node in nodes:
        if isinstance(node, p.CallRule):
            yield node.rule
        elif isinstance(node, p.Expr) and (rule := asked_rule(node)) is not None:
            yield rule


def bodies(program: p.Program) -> list[p.RuleDecl]:
    """Every rule and hook with a body, values left out."""
    rules = [rule for rule in program.rules.values() if rule.form != "value"]
    return rules + [hook for hook in program.all_hooks() if not (hook.replaces and hook.replaces.form == "value")]


def walk_program(program: p.Program) -> Iterator[Node]:
    """Everything in the rules, hooks, scores, ranks and currencies of a game."""
    for rule in program.all_rules():
        yield from walk_rule(rule)
    for part in outside_rules(program):
        yield from walk(part)


def outside_rules(program: p.Program) -> Iterator[Node]:
    """What stands in scores, ranks and currencies."""
    for block in program.scores:
        yield from _nodes_in((block.when, *(part for line in block.lines for part in (line.label, line.value))))
    if program.rank is not None:
        yield from _nodes_in(program.rank.criteria)
    for currency in program.currencies.values():
        for source in currency.sources:
            yield from _nodes_in((source.place, source.back_to, source.when))


def written(root: object) -> Iterator[nodes.Node]:
    """Every node of a tree as it was written, before it is checked."""
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting.extend(item)
        elif isinstance(item, nodes.Node):
            yield item
            waiting.extend(getattr(item, part.name) for part in fields(item) if part.name != "span")


def last_name(path: nodes.Expr) -> str:
    """`first` of `p.first[x]`; nothing of what is no path."""
    match path:
        case nodes.Index(of=of):
            return last_name(of)
        case nodes.Attribute(name=name):
            return name.text
        case nodes.NameRef(name=name):
            return name
        case _:
            return ""
