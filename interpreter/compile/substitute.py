"""Writing one expression into another: parameters replaced by arguments, bound names made new.

A small value is lowered in place of its call. Its own bound names get fresh locals, so that no name of the
calling rule is ever caught by a binder of the value.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import count
from typing import Any

from ..check.program import Binder, Const, CostDecl, Expr, LocalDecl, LocalVar, LongestLine
from ..check.walk import parts

_fresh = count(100_000)


def number_afresh() -> None:
    """Starts numbering renamed binders from 1 again: the same rules give the same names, whatever came before."""
    global _fresh
    _fresh = count(100_000)


def substitute(expr: Expr, mapping: dict[LocalDecl, Expr]) -> Expr:
    """The expression with each mapped local replaced, and every binder renamed."""
    return _rebuild(expr, mapping)  # type: ignore[no-any-return]


def is_simple(expr: Expr) -> bool:
    """True if the expression may be written twice: evaluating it again costs nothing."""
    return isinstance(expr, Const | LocalVar)


def _rebuild(node: Any, mapping: dict[LocalDecl, Expr]) -> Any:
    if isinstance(node, LocalVar):
        found = mapping.get(node.local)
        if isinstance(found, LocalVar) and found.type != node.type:
            return LocalVar(node.type, node.span, found.local)  # what the value has learnt about its argument holds
        return found if found is not None else node
    if isinstance(node, tuple):
        return tuple(_rebuild(item, mapping) for item in node)
    if not isinstance(node, Expr | Binder | CostDecl):
        return node
    mapping = _with_fresh_binders(node, mapping)
    made = {part.name: getattr(node, part.name) for part in fields(node)}
    for name, value in made.items():
        if name == "local" and isinstance(value, LocalDecl):
            replaced = mapping.get(value)
            made[name] = replaced.local if isinstance(replaced, LocalVar) else value
        elif name not in ("type", "span"):
            made[name] = _rebuild(value, mapping)
    return type(node)(**made)


def _with_fresh_binders(node: Any, mapping: dict[LocalDecl, Expr]) -> dict[LocalDecl, Expr]:
    bound = [part.local for part in parts(node) if isinstance(part, Binder)]
    if isinstance(node, LongestLine):
        bound.append(node.local)
    if not bound:
        return mapping
    extended = dict(mapping)
    for local in bound:
        new = LocalDecl(next(_fresh), local.name, local.type)
        extended[local] = LocalVar(local.type, node.span, new)
    return extended
