"""Emitted source as code for one way of running.

The source is written once, for play, playouts and trials, and reads well; here it becomes code for one of them. What
is settled there is worked out: `TRACK` and `TRIAL`, printed numbers at a known row, and the branches that follow
from them. The first condition of a guard is asked where the guard would be called, sums that come again are added
up once (`addresses`), and in playouts a rule that has nothing left to do makes room for the last one it calls
(`last_calls`). Lines stay what they were, so that faults know their place.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any

from .addresses import share_sums
from .last_calls import make_room

if TYPE_CHECKING:
    from .load import Compiled

GUARD_SIZE = 20  # nodes of a condition that is worth writing twice


def specialise(compiled: Compiled, settled: Mapping[str, bool]) -> CodeType:
    """Code of a compiled game, in which these names have these values for good."""
    try:
        made: ast.Module | str = specialised(compiled, settled)
    except RecursionError:
        made = compiled.source  # nested too deeply to be looked through: it runs as it is written
    return compile(made, compiled.file_name, "exec", dont_inherit=True, optimize=0)


def specialised(compiled: Compiled, settled: Mapping[str, bool]) -> ast.Module:
    module = ast.parse(compiled.source)
    printed = {name: values for name, values in compiled.tables.items() if isinstance(values, tuple | list)}
    _Settled({**printed, **settled}).visit(module)
    guards = {node.name: guard for node in _functions(module) if (guard := _guard_of(node)) is not None}
    for function in _functions(module):
        _AskedFirst(guards, function).visit(function)
        share_sums(function)
    if not any(settled.values()):
        make_room(module, compiled.meta)
    return ast.fix_missing_locations(module)


def _functions(module: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in module.body if isinstance(node, ast.FunctionDef)]


# ---------------------------------------------------------------------------- what is settled


class _Settled(ast.NodeTransformer):
    """Names and rows of tables by their values, and no branch that cannot be taken."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.values.get(node.id)
        return _constant(value, node) if isinstance(value, bool) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
            values, row = self.values.get(node.value.id), node.slice.value
            if isinstance(values, tuple | list) and type(row) is int and -len(values) <= row < len(values):
                if type(values[row]) in (int, bool):
                    return _constant(values[row], node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return _constant(not node.operand.value, node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`a and True and b` is `a and b`; behind what decides it nothing is looked at."""
        self.generic_visit(node)
        deciding = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        for position, value in enumerate(node.values):
            if isinstance(value, ast.Constant) and type(value.value) is bool:
                if value.value is deciding:
                    kept.append(value)
                    break
                if position < len(node.values) - 1:
                    continue
            kept.append(value)
        node.values = kept
        return kept[0] if len(kept) == 1 else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        node.test = _as_condition(node.test)
        if isinstance(node.test, ast.Constant):
            return (node.body if node.test.value else node.orelse) or [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = _as_condition(node.test)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        tests = [_as_condition(test) for test in node.ifs]
        node.ifs = [test for test in tests if not (isinstance(test, ast.Constant) and test.value)]
        return node


def _as_condition(test: ast.expr) -> ast.expr:
    """The test where nothing but its truth counts."""
    if not isinstance(test, ast.BoolOp):
        return test
    last = test.values[-1]
    if isinstance(last, ast.Constant) and type(last.value) is bool:
        if last.value is isinstance(test.op, ast.Or):
            return test  # what comes before it is still asked
        test.values.pop()
    return test.values[0] if len(test.values) == 1 else test


def _constant(value: int, where: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(value), where)


# ---------------------------------------------------------------------------- guards


class _Guard:
    """A function that says no unless a first condition holds: its parameters, its short names of what the state has,
    and that condition."""

    def __init__(self, function: ast.FunctionDef, short: dict[str, ast.Attribute], condition: ast.expr) -> None:
        self.params = [arg.arg for arg in function.args.args]
        self.short = short
        self.condition = ast.unparse(condition)

    def asked_of(self, args: list[ast.expr], known: dict[str, ast.Attribute]) -> ast.expr:
        """The condition with these arguments, where some short names are known already."""
        names: dict[str, ast.expr] = dict(zip(self.params, args, strict=True))
        names.update({name: value for name, value in self.short.items() if name not in known})
        return _Renamed(names).visit(ast.parse(self.condition, mode="eval").body)  # type: ignore[no-any-return]


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)


class _AskedFirst(ast.NodeTransformer):
    """`guard(S, p) is not False` behind the guard's own first condition: most often that is the end of it."""

    def __init__(self, guards: Mapping[str, _Guard], function: ast.FunctionDef) -> None:
        self.guards = guards
        self.known = _short_names(function)

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self.visit(node.test)
        node.body = [self.visit(statement) for statement in node.body]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        call = node.left.value if isinstance(node.left, ast.NamedExpr) else node.left
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and isinstance(node.ops[0], ast.IsNot)
            and isinstance(node.comparators[0], ast.Constant)
            and node.comparators[0].value is False
            and all(isinstance(arg, ast.Name | ast.Constant) for arg in call.args)
        ):
            guard = self.guards.get(call.func.id)
            if guard is not None:
                first = guard.asked_of(call.args, self.known)
                for part in ast.walk(first):
                    ast.copy_location(part, node)
                return ast.copy_location(ast.BoolOp(ast.And(), [first, node]), node)
        return node


def _guard_of(function: ast.FunctionDef) -> _Guard | None:
    short = _short_names(function)
    body = function.body[len(short) :]
    if len(body) != 2 or not isinstance(body[0], ast.If) or body[0].orelse or not isinstance(body[1], ast.Return):
        return None
    answer = body[1].value
    if not isinstance(answer, ast.Constant) or answer.value is not False:
        return None
    test = body[0].test
    return _Guard(function, short, test) if sum(1 for _ in ast.walk(test)) <= GUARD_SIZE else None


def _short_names(function: ast.FunctionDef) -> dict[str, ast.Attribute]:
    """`f = S.f` and the like, with which functions begin."""
    found: dict[str, ast.Attribute] = {}
    for statement in function.body:
        if not (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and isinstance(statement.value, ast.Attribute)
            and isinstance(statement.value.value, ast.Name)
            and statement.value.value.id == "S"
            and statement.value.attr == statement.targets[0].id
        ):
            break
        found[statement.targets[0].id] = statement.value
    return found
