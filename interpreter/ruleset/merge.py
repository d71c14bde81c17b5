"""How one declaration changes another of the same thing: pure functions from two nodes to one.

`replace` gives a new definition; what it leaves out (text, result type, attributes of a kind, node and edge kinds of a
map) is taken from the old one. `extend` adds rows and members to the existing ones.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from ..syntax import nodes

_FORMS: tuple[tuple[type[nodes.Declaration], str], ...] = (
    (nodes.Phase, "phase"),
    (nodes.FreeAction, "free action"),
    (nodes.Action, "action"),
    (nodes.Effect, "effect"),
    (nodes.Value, "value"),
    (nodes.Constant, "constant"),
    (nodes.Enum, "enum"),
    (nodes.Kind, "kind"),
    (nodes.Chart, "chart"),
    (nodes.Currency, "currency"),
    (nodes.History, "history"),
    (nodes.Map, "map"),
    (nodes.Score, "score"),
    (nodes.Rank, "ranking"),
    (nodes.Payoff, "payoff"),
    (nodes.Setup, "setup"),
    (nodes.Play, "course of play"),
    (nodes.Automa, "automa seat"),
    (nodes.Hook, "hook"),
)

_Tree = TypeVar("_Tree", bound=nodes.Node)


def form_words(declaration: nodes.Declaration) -> str:
    """What a declaration is, in a word."""
    return next((words for form, words in _FORMS if isinstance(declaration, form)), "declaration")


def replacement_problem(old: nodes.Declaration, new: nodes.Declaration) -> str | None:
    """Why the new declaration cannot replace the old one, as the end of a sentence; None if it can."""
    if type(old) is not type(new):
        return f"is a{_n(form_words(old))} {form_words(old)}, not a{_n(form_words(new))} {form_words(new)}"
    if isinstance(old, nodes.Rule | nodes.Chart) and isinstance(new, nodes.Rule | nodes.Chart):
        if _signature(old.params) != _signature(new.params):
            return "has other parameters than what it replaces"
    return None


def _n(word: str) -> str:
    return "n" if word[0] in "aeiou" else ""


def _signature(params: tuple[nodes.Param, ...]) -> list[tuple[str, nodes.TypeNode | None]]:
    return [(param.name.text, param.type) for param in params]


def with_inherited(old: nodes.Declaration, new: nodes.Declaration) -> nodes.Declaration:
    """The new definition; text, result type and depth are taken from the old one if the new one omits them."""
    match old, new:
        case nodes.Effect(), nodes.Effect():
            return replace(new, text=new.text or old.text, type=new.type or old.type, depth=new.depth or old.depth)
        case nodes.Value(), nodes.Value():
            return replace(new, text=new.text or old.text, type=new.type or old.type)
        case nodes.Rule(), nodes.Rule():
            return replace(new, text=new.text or old.text)
        case nodes.Constant(), nodes.Constant():
            return replace(new, type=new.type or old.type)
        case _:
            return new


def merged_kind(old: nodes.Kind, new: nodes.Kind, file: nodes.Name | None) -> nodes.Kind:
    """The old kind with the attributes of the new one changed or added, reading its rows from `file`."""
    return replace(
        old,
        file=file,
        text=new.text or old.text,
        copies=new.copies or old.copies,
        fields=merged_fields(old.fields, new.fields),
        cites=old.cites + new.cites,
    )


def merged_fields(old: tuple[nodes.Field, ...], new: tuple[nodes.Field, ...]) -> tuple[nodes.Field, ...]:
    changed = {field.name.text: field for field in new}
    kept = [changed.pop(field.name.text, field) for field in old]
    return (*kept, *changed.values())


def extended_enum(old: nodes.Enum, new: nodes.Enum, file: nodes.Name | None) -> nodes.Enum:
    return replace(
        old,
        members=old.members + new.members,
        file=file,
        fields=merged_fields(old.fields, new.fields),
        cites=old.cites + new.cites,
    )


def merged_map(old: nodes.Map, new: nodes.Map) -> nodes.Map:
    """The map with its new shape or file; node and edge kinds are kept unless the new map declares its own."""
    return replace(new, nodes=new.nodes or old.nodes, edges=new.edges or old.edges)


def extended_map(old: nodes.Map, new: nodes.Map, file: nodes.Name | None) -> nodes.Map:
    """The same map read from one more file, with additional kinds of nodes and edges or additional attributes."""
    return replace(
        old,
        file=file if old.shape is None else None,
        shape=None if old.shape is None else replace(old.shape, file=file),
        nodes=_extended_kinds(old.nodes, new.nodes),
        edges=_extended_kinds(old.edges, new.edges),
        cites=old.cites + new.cites,
    )


def _extended_kinds(old: tuple[nodes.MapKind, ...], new: tuple[nodes.MapKind, ...]) -> tuple[nodes.MapKind, ...]:
    changed = {kind.name.text: kind for kind in new}
    kept = [_extended_kind(kind, changed.pop(kind.name.text, None)) for kind in old]
    return (*kept, *changed.values())


def _extended_kind(old: nodes.MapKind, new: nodes.MapKind | None) -> nodes.MapKind:
    return old if new is None else replace(old, fields=merged_fields(old.fields, new.fields))


def extension_problem(old: nodes.Map, new: nodes.Map) -> str | None:
    """Why a map cannot be extended this way, as the end of a sentence; None if it can."""
    forms = [board.shape.form if board.shape is not None else "file" for board in (old, new)]
    if forms[0] not in ("file", "hexes"):
        return "is a shape, and has no file to extend"
    if forms[0] != forms[1]:
        return "is put together from tiles" if forms[0] == "hexes" else "is read from a file of nodes and edges"
    return None


def attributes_of(extension: nodes.Declaration) -> list[tuple[str, nodes.Field]]:
    """The attributes that an extension adds to a kind, an enum, or the nodes and edges of a map."""
    match extension:
        case nodes.Kind() | nodes.Enum():
            return [(extension.name.text, field) for field in extension.fields]
        case nodes.Map():
            kinds = (*extension.nodes, *extension.edges)
            return [(kind.name.text, field) for kind in kinds for field in kind.fields]
        case _:
            return []


def is_open(declaration: nodes.Declaration) -> bool:
    """True if a core leaves the declaration for the game to fill in: a rule without a body, a constant without a
    value."""
    match declaration:
        case nodes.Value():
            return declaration.body is None and declaration.expression is None
        case nodes.Rule():
            return declaration.body is None
        case nodes.Constant():
            return declaration.value is None
        case _:
            return False


def limited_score(old: nodes.Score, new: nodes.Score) -> nodes.Score:
    """The old score lines, limited to players for whom the condition of the new ones does not hold."""
    assert new.when is not None
    condition = renamed(new.when, new.player.text, old.player.text)
    others = nodes.Not(new.when.span, condition)
    return replace(old, when=nodes.And(new.when.span, old.when, others) if old.when else others)


def renamed(tree: _Tree, old: str, new: str) -> _Tree:
    """A tree in which every occurrence of one name is replaced by another."""
    if old == new:
        return tree
    if isinstance(tree, nodes.NameRef):
        return cast(_Tree, replace(tree, name=new)) if tree.name == old else tree
    changes: dict[str, Any] = {f.name: _renamed_value(getattr(tree, f.name), old, new) for f in fields(tree)}
    return replace(tree, **changes)


def _renamed_value(value: object, old: str, new: str) -> object:
    if isinstance(value, nodes.Node):
        return renamed(value, old, new)
    if isinstance(value, tuple):
        return tuple(_renamed_value(item, old, new) for item in value)
    return value
