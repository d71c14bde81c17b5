"""Prints a tree as text, short enough to read and to compare in tests.

A node is printed as its class name and its fields, absent ones left out; names, numbers and texts are printed as they
were written. `show_tree` prints one line per declaration and statement, indented by nesting; `show` prints a node on
one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from . import nodes as n


def show(node: Any) -> str:
    """`Compare(op='==', left=c.value, right=3)`; names and their attributes are printed as they were written."""
    match node:
        case n.Name() | n.Cite():
            return node.text
        case n.NameRef() | n.TypeRef():
            return node.name
        case n.Number():
            return str(node.value)
        case n.Bound():
            return show(node.value) if isinstance(node.value, n.Node) else str(node.value)
        case n.FlagLiteral():
            return "yes" if node.value else "no"
        case n.NoneLiteral():
            return "none"
        case n.Text():
            return f'"{node.raw}"'
        case n.Attribute():
            return f"{show(node.of)}.{node.name.text}"
        case n.Node():
            parts = (f"{name}={show(part)}" for name, part in _parts(node))
            return f"{type(node).__name__}({', '.join(parts)})"
        case tuple():
            return f"[{', '.join(show(item) for item in node)}]"
        case _:
            return repr(node)


def show_tree(file: n.File) -> str:
    """The whole file, one line per declaration, statement, field and branch."""
    return "".join(line + "\n" for declaration in file.declarations for line in _lines(declaration, 0))


def _parts(node: n.Node) -> Iterator[tuple[str, Any]]:
    """The fields that hold something, except the span."""
    for field in fields(node):
        part = getattr(node, field.name)
        if field.name != "span" and part is not None and part != () and part is not False:
            yield field.name, part


def _lines(node: n.Node, level: int) -> Iterator[str]:
    within = {name: part for name, part in _parts(node) if _is_block(part)}
    head = (f"{name}={show(part)}" for name, part in _parts(node) if name not in within)
    yield "  " * level + f"{type(node).__name__}({', '.join(head)})"
    for name, part in within.items():
        yield "  " * (level + 1) + f"{name}:"
        for item in part if isinstance(part, tuple) else (part,):
            yield from _lines(item, level + 2)


def _is_block(part: Any) -> bool:
    items = part if isinstance(part, tuple) else (part,)
    return all(isinstance(item, n.Cited | n.ScenarioPart) for item in items)
