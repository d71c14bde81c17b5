"""Rules of the grammar whose declarations and types need more than their children in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import nodes as n
from ..words import check_own_name
from .walk import TreeWalk

if TYPE_CHECKING:
    from lark import Token, Tree


class Declarations(TreeWalk):
    def _file(self, tree: Tree[Token]) -> n.File:
        return n.File(self.place(0, len(self.text.rstrip())), tuple(self.items(tree)))

    _members = _file

    def _game(self, tree: Tree[Token]) -> n.Game:
        name, title, (fewest, most), seats = self.items(tree)
        is_core = tree.data == "core"
        return self.make(n.Game, tree, name=name, title=title, fewest=fewest, most=most, seats=seats, is_core=is_core)

    _core = _game

    def _count_of(self, tree: Tree[Token]) -> tuple[int, int]:
        low, high = self.items(tree)
        return low, low if high is None else high

    def _one_player(self, tree: Tree[Token]) -> tuple[int, int]:
        """`for 1 player`, where all other numbers have players."""
        return 1, 1

    def _variant(self, tree: Tree[Token]) -> n.Variant:
        name, of, title, count, *members = self.items(tree)
        fewest, most = count or (None, None)
        return self.make(
            n.Variant, tree, name=name, of=of, title=title, fewest=fewest, most=most, declarations=tuple(members)
        )

    def _kind(self, tree: Tree[Token]) -> n.Kind:
        name, file, text, lines = self.items(tree)
        copies = [line for line in lines or () if isinstance(line, n.Copies)]
        for again in copies[1:]:
            what = f"`{name.text}` says twice how many copies there are"
            self.found.error("R0113", what, again.span, help="keep one `copies` line")
        fields = tuple(line for line in lines or () if isinstance(line, n.Field))
        return self.make(
            n.Kind, tree, name=name, file=file, text=text, copies=copies[0] if copies else None, fields=fields
        )

    def _source(self, tree: Tree[Token]) -> n.CurrencySource:
        what, by, back_to, when = self.items(tree)
        as_any = by == "as_any"
        return self.make(
            n.CurrencySource, tree, what=what, by=None if as_any else by, as_any=as_any, back_to=back_to, when=when
        )

    def _remove_fields(self, tree: Tree[Token]) -> n.RemoveFields:
        names, owner = self.items(tree)
        if not isinstance(owner, n.Name):
            (said,) = (one for one in tree.children if isinstance(one, str) and one.type in ("TABLE", "PLAYER"))
            owner = n.Name(self.token_span(said), str(owner))
        return self.make(n.RemoveFields, tree, names=names, owner=owner)

    def _table(self, tree: Tree[Token]) -> n.Node:
        table = self.shaped(tree)
        for field in getattr(table, "fields", ()):
            check_own_name(field.name, self.found)
        return table

    def _each(self, tree: Tree[Token]) -> n.Each:
        *of, fields = self.items(tree)
        return self.make(n.Each, tree, of=of[0] if of else None, fields=fields)

    def _field(self, tree: Tree[Token]) -> n.Field:
        name, indexes, type_, modifiers, start = self.items(tree)
        capacity = next((part for part in modifiers if isinstance(part, n.Bound)), None)
        scopes = [part for part in modifiers if isinstance(part, tuple)]
        rules = tuple(name for names, _ in scopes for name in names)
        lasting = tuple(name for names, lasts in scopes if lasts for name in names)
        words = tuple(part for part in modifiers if isinstance(part, n.Name))
        parts = {"modifiers": words, "capacity": capacity, "scopes": rules, "lasting": lasting, "start": start}
        return self.make(n.Field, tree, name=name, indexes=indexes, type=type_, **parts)

    def _modifiers(self, tree: Tree[Token]) -> list[n.Name | n.Bound | tuple[tuple[n.Name, ...], bool]]:
        """A word as Name (`top open` is top_open, `open to others` open_to_others), a capacity as Bound, a scope as
        the Names of its rules and whether it lasts."""
        return [
            n.Name(self.token_span(child), self.token(child)) if isinstance(child, str) else self.build(child)
            for child in tree.children
        ]

    def _scope(self, tree: Tree[Token]) -> tuple[tuple[n.Name, ...], bool]:
        (names,) = self.items(tree)
        return names, tree.data == "lasting"

    _lasting = _scope

    def _map(self, tree: Tree[Token]) -> n.Map:
        name, base, kinds = self.items(tree)
        lines = [child for child in tree.children if getattr(child, "data", "") == "map_kinds"]
        words = [child.data for line in lines for child in line.children]  # type: ignore[union-attr]
        marked = list(zip(words, kinds or (), strict=True))
        return self.make(
            n.Map,
            tree,
            name=name,
            file=base if isinstance(base, n.Name) else None,
            shape=base if isinstance(base, n.Shape) else None,
            nodes=tuple(kind for word, kind in marked if word == "node"),
            edges=tuple(kind for word, kind in marked if word == "edge"),
        )

    def _grid(self, tree: Tree[Token]) -> n.Shape:
        rows, columns, diagonals, letters = self.items(tree)
        sizes = (rows, columns)
        return n.Shape(self.span(tree), "grid", sizes, diagonals=bool(diagonals), letters=bool(letters))

    def _rhombus(self, tree: Tree[Token]) -> n.Shape:
        rows, columns, letters = self.items(tree)
        return n.Shape(self.span(tree), "rhombus", bounds=(rows, columns), letters=bool(letters))

    def _ring(self, tree: Tree[Token]) -> n.Shape:
        (of,) = self.items(tree)
        if isinstance(of, int):
            return n.Shape(self.span(tree), str(tree.data), bounds=(n.Bound(self.span(tree), of),))
        return n.Shape(self.span(tree), str(tree.data), names=of)

    _complete = _ring

    def _line(self, tree: Tree[Token]) -> n.Shape:
        (of,) = self.items(tree)
        if isinstance(of, tuple):
            return n.Shape(self.span(tree), str(tree.data), names=of)
        return n.Shape(self.span(tree), str(tree.data), bounds=(of,))

    _hexagon = _triangle = _line

    def _hexes(self, tree: Tree[Token]) -> n.Shape:
        (file,) = self.items(tree)
        return n.Shape(self.span(tree), "hexes", file=file)

    def _corners(self, tree: Tree[Token]) -> n.Shape:
        (of,) = self.items(tree)
        return n.Shape(self.span(tree), "corners", of=of)

    def _hook_path(self, tree: Tree[Token]) -> n.HookPath:
        """`p.heat[s]`: the parts after the first name, sorted into attributes, indexes and call."""
        name, *trailers = self.items(tree)
        attributes = tuple(part for kind, parts in trailers if kind == "." for part in parts)
        indexes = tuple(part for kind, parts in trailers if kind == "[" for part in parts)
        called = next((parts for kind, parts in trailers if kind == "("), None)
        return n.HookPath(self.span(tree), name, attributes, indexes, called)

    def _hook_attribute(self, tree: Tree[Token]) -> tuple[str, tuple[n.Name, ...]]:
        return ".", tuple(self.items(tree))

    def _hook_index(self, tree: Tree[Token]) -> tuple[str, tuple[n.Name, ...]]:
        (names,) = self.items(tree)
        return "[", names

    def _hook_called(self, tree: Tree[Token]) -> tuple[str, tuple[n.Name, ...]]:
        (names,) = self.items(tree)
        return "(", names or ()

    def _score_line(self, tree: Tree[Token]) -> n.ScoreLine:
        """A score line is the only place where `if` may stand without `else`."""
        label, written, _ = tree.children
        without_else = getattr(written, "data", "") == "if_else" and written.children[2] is None  # type: ignore[union-attr]
        value = self.shaped(written) if without_else else self.value(written)  # type: ignore[arg-type]
        return self.make(n.ScoreLine, tree, label=self.value(label), value=value)

    def _if_else(self, tree: Tree[Token]) -> n.Node:
        if tree.children[2] is None:
            what = "this `if` has no `else`"
            notes = ("only a score line may leave it out: it then counts 0",)
            help = "add `else` and the other value"
            self.found.error("R0114", what, self.span(tree), "what is it otherwise?", notes=notes, help=help)
        return self.shaped(tree)

    def _criterion(self, tree: Tree[Token]) -> n.Criterion:
        direction, *value = self.items(tree)
        return n.Criterion(self.span(tree), direction, value[0] if value else None)

    def _value(self, tree: Tree[Token]) -> n.Node:
        value = self.shaped(tree)
        if isinstance(value, n.Value) and value.expression is not None and value.body is not None:
            what = f"`{value.name.text}` is given twice"
            help = "keep the expression or the lines below, not both"
            self.found.error("R0115", what, value.expression.span, "once here, and once below", help=help)
        return value

    def _event(self, tree: Tree[Token]) -> n.Effect:
        """An effect that does nothing but tell: others hook it."""
        name, params, text = self.items(tree)
        body = () if text is None else (n.Say(self.span(tree), text, None),)
        return self.make(n.Effect, tree, name=name, params=params, text=None, body=body, type=None, depth=None)

    # ------------------------------------------------------------------ types

    def _type(self, tree: Tree[Token]) -> n.TypeNode:
        base, optional = self.items(tree)
        return n.OptionalType(self.span(tree), base) if optional else base

    def _bound(self, tree: Tree[Token]) -> n.Bound:
        (value,) = self.items(tree)
        match value:
            case n.Number():
                return n.Bound(self.span(tree), value.value)
            case n.Negative(of=n.Number(value=number)):
                return n.Bound(self.span(tree), -number)
            case n.NameRef():
                return n.Bound(self.span(tree), value.name)
            case _:
                return n.Bound(self.span(tree), value)
