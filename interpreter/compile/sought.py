"""What choices look for, in the author's words: told to whoever asks why something that leads to one is not offered."""

from __future__ import annotations

from itertools import takewhile

from ..check import program as core
from ..check.forms import blocks
from ..check.walk import bodies, statements
from .meta import Place

Sought = tuple[str, tuple[str, ...]]  # `c in market where c.price < 3`, and what follows: `pay c.price coins`


def sought_by_place(program: core.Program) -> dict[Place, Sought]:
    """For the place of each `choose`: what it looks for, and the payments and requirements right behind it, which its
    options have to meet as well."""
    found: dict[Place, Sought] = {}
    for rule in bodies(program):
        for block in (rule.body, *(block for stmt in statements(rule.body) for block in blocks(stmt))):
            for position, stmt in enumerate(block):
                match stmt:
                    case core.Choose():
                        found[_place(stmt)] = _looked_for(stmt.binders), _needs(block[position + 1 :])
                    case core.ChooseSet():
                        found[_place(stmt)] = _looked_for((stmt.binder,)), ()
    return found


def _place(stmt: core.Stmt) -> Place:
    return stmt.span.source.name, *stmt.span.source.place(stmt.span.start)


def _looked_for(binders: tuple[core.Binder, ...]) -> str:
    words = []
    for binder in binders:
        where = f" where {' '.join(binder.where.span.text.split())}" if binder.where is not None else ""
        words.append(f"`{binder.local.name} in {' '.join(binder.source.span.text.split())}{where}`")
    return ", ".join(words)


def _needs(after: tuple[core.Stmt, ...]) -> tuple[str, ...]:
    needed = takewhile(lambda stmt: isinstance(stmt, core.Pay | core.Require | core.Lose), after)
    return tuple(" ".join(stmt.span.source.line_text(stmt.span.line).split("  @")[0].split()) for stmt in needed)
