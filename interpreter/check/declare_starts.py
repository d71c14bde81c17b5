"""Fields that would begin the game without a proper value.

A number starts at 0, a flag at `no`, an optional at none. An enum, a player, a node or a piece has no natural start: it
needs a start value, or `setup` must set it. Only names are followed, from setup through the rules it calls and through
all hooks, so the check is lenient: a field that is assigned anywhere there counts as set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from ..syntax import nodes
from .draft import Draft
from .program import FieldDecl
from .value_types import DirectionOf, EnumOf, MapEdge, MapNode, Piece, Player, VType


def check_starts(draft: Draft) -> None:
    wanting = [state for state in _state(draft) if state not in draft.started and has_no_natural_start(state.type)]
    if not wanting:
        return
    assigned = _assigned_in_setup(draft)
    for state in wanting:
        if state.name not in assigned:
            draft.declared.error(
                "R0425",
                f"`{state.name}` has no value at the start",
                state.span,
                f"a {state.type} is never none",
                help=f"give it a start value, set it in `setup`, or write `{state.type}?`",
            )


def _state(draft: Draft) -> Iterator[FieldDecl]:
    for owned in draft.declared.state.values():
        yield from (state for state in owned.values() if isinstance(state, FieldDecl))


def has_no_natural_start(value_type: VType) -> bool:
    return isinstance(value_type, EnumOf | Player | Piece | MapNode | MapEdge | DirectionOf)


def _assigned_in_setup(draft: Draft) -> set[str]:
    """The names of fields assigned to by setup, by the rules it calls, or by any hook."""
    rules = draft.declared.rules
    waiting: list[object] = [hook.node for hook in draft.declared.hooks]
    waiting += [rules["setup"].node] if "setup" in rules else []
    assigned: set[str] = set()
    reached: set[str] = set()
    while waiting:
        for node in _walk(waiting.pop()):
            if isinstance(node, nodes.Assign):
                assigned.add(_last_name(node.path))
            elif isinstance(node, nodes.NameRef) and node.name in rules and node.name not in reached:
                reached.add(node.name)
                waiting.append(rules[node.name].node)
    return assigned


def _last_name(path: nodes.Expr) -> str:
    """`first` of `p.first[x]`."""
    match path:
        case nodes.Index(of=of):
            return _last_name(of)
        case nodes.Attribute(name=name):
            return name.text
        case nodes.NameRef(name=name):
            return name
        case _:
            return ""


def _walk(root: object) -> Iterator[nodes.Node]:
    """Every node of a tree."""
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting.extend(item)
        elif isinstance(item, nodes.Node) and is_dataclass(item):
            yield item
            waiting.extend(getattr(item, part.name) for part in fields(item) if part.name != "span")
