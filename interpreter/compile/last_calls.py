"""Frames that have nothing left to do are not kept, in playouts.

When a rule ends with a call, its frame waits for nothing but to be taken away. In a playout nobody asks which rules
are running, so the frame of the called rule takes its place, and the machine need not come back. Not so for rules
that something looks for on the stack: what free actions are made during, free actions themselves, rules with a depth,
and rules whose running is a condition. A decision looks ahead to the end of the innermost phase, so a phase makes room
for none but another phase.
"""

from __future__ import annotations

import ast

from .meta import Meta

LOOKING = ("rule_running", "limit_depth")


def make_room(module: ast.Module, meta: Meta) -> None:
    """Lets last calls of all segments take the place of their callers."""
    numbers = _segment_numbers(module)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name in numbers]
    looked_for = _looked_for(module, meta)
    for function in functions:
        number = numbers[function.name]
        if meta.segment_rule[number] not in looked_for:
            _in_block(function.body, meta.last_segments, meta.phase_segments if number in meta.phase_segments else None)


def _segment_numbers(module: ast.Module) -> dict[str, int]:
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            return {name.id: number for number, name in enumerate(node.value.elts) if isinstance(name, ast.Name)}
    raise AssertionError("emitted code without its list of segments")


def _looked_for(module: ast.Module, meta: Meta) -> set[str]:
    found = {rule for name, _, during, *_ in meta.free_actions for rule in (name, during)}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOKING:
            found.update(str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
    return found


def _in_block(body: list[ast.stmt], done: frozenset[int], only: frozenset[int] | None) -> None:
    """`only`: where the called rule must begin, if that matters."""
    for statement in body:
        if isinstance(statement, ast.If):
            _in_block(statement.body, done, only)
            _in_block(statement.orelse, done, only)
    for position, statement in enumerate(body):
        if _resumes(statement) in done:
            _make_last(body, position, only)
            return


def _resumes(statement: ast.stmt) -> int | None:
    """`F[0] = 12`: where the frame goes on later."""
    match statement:
        case ast.Assign([ast.Subscript(ast.Name("F"), ast.Constant(0))], ast.Constant(int(number))):
            return number
    return None


def _make_last(body: list[ast.stmt], position: int, only: frozenset[int] | None) -> None:
    match body[position + 1 :]:
        case [
            ast.Assign([ast.Name("G")], ast.List([ast.Constant(int(entry)), *_])),
            ast.Expr(ast.Call()),
            ast.Return(),
        ] if only is None or entry in only:
            body[position + 2] = _located("S.k[-1] = G", body[position + 2])
            del body[position]
        case [ast.Return(ast.Call(ast.Name("perform")))] if only is None:
            body[position] = _located("S.k.pop()", body[position])


def _located(text: str, where: ast.stmt) -> ast.stmt:
    made = ast.parse(text).body[0]
    for node in ast.walk(made):
        ast.copy_location(node, where)
    return made
