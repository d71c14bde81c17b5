"""Applies the layers of a game in order: used rulesets, the game, active variants in manifest order.

Each layer is a list of declarations. Most of them add something; `set`, `replace`, `extend` and `remove` change
something that a lower layer declares. Applied one layer after the other they leave plain declarations, each with the
layer it came from. Two variants that change the same thing are a conflict, unless one `overrides` the other: see
`changes.py`. Layers come in manifest order, each variant after those that it overrides, so the order on
the command line never matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..syntax import nodes
from .changes import Changes, subject_of
from .entries import Entry, Key, files_of, head_of, joined_file, key_of
from .gathered import Layer, Removal
from .merge import (
    attributes_of,
    extended_enum,
    extended_map,
    extension_problem,
    form_words,
    is_open,
    limited_score,
    merged_kind,
    merged_map,
    replacement_problem,
    with_inherited,
)

Fielded = nodes.Table | nodes.Each
_SAY_REPLACE = "write `replace` before it to change it"


@dataclass(frozen=True)
class Overlaid:
    """What is left when all layers have been applied, and which layer removed the rest, and where."""

    entries: list[Entry]
    removed: dict[str, Removal]


def lay_over(
    layers: Iterable[tuple[Layer, tuple[nodes.Declaration, ...]]],
    overrides: dict[str, frozenset[str]],
    variants: Iterable[str],
    found: Diagnostics,
) -> Overlaid:
    """The declarations of all layers as one game. `overrides` maps a variant to those it overrides; `variants` are the
    names of variants that a game could have removed."""
    overlay = _Overlay(overrides, tuple(variants), found)
    for layer, declarations in layers:
        for declaration in declarations:
            overlay.lay(layer, declaration)
    return Overlaid([entry for entry in overlay.entries if not entry.is_gone], overlay.removed())


class _Overlay(Changes):
    def __init__(self, overrides: dict[str, frozenset[str]], variants: tuple[str, ...], found: Diagnostics) -> None:
        super().__init__(overrides, found)
        self.variants = variants
        self.entries: list[Entry] = []
        self.fields: dict[Key, Entry] = {}  # ("field", owner, name) -> the block that declares it
        self.field_layers: dict[Key, Layer] = {}
        self.gone_fields: dict[Key, nodes.Field] = {}  # removed by a variant; one that overrides it may bring them back

    def lay(self, layer: Layer, declaration: nodes.Declaration) -> None:
        match declaration:
            case nodes.SetConstant():
                self._set(layer, declaration)
            case nodes.Replace():
                self._replace(layer, declaration.declaration, head_of(declaration.declaration))
            case nodes.Extend():
                self._extend(layer, declaration.declaration)
            case nodes.Remove():
                self._remove(layer, declaration)
            case nodes.RemoveFields():
                self._remove_fields(layer, declaration)
            case nodes.Table() | nodes.Each():
                self._add_fields(layer, declaration)
            case _:
                self._add(layer, declaration)

    # ------------------------------------------------------------------ adding

    def _add(self, layer: Layer, declaration: nodes.Declaration) -> None:
        key = key_of(declaration)
        below = self.by_key.get(key) if key else None
        if below is not None and below.is_gone:
            below = None
        if below is not None and below.layer.rank != layer.rank:
            self._add_again(layer, declaration, below)
            return
        entry = Entry(declaration, layer, files=files_of(declaration, layer))
        self.entries.append(entry)
        if key is not None and below is None:
            self.by_key[key] = entry

    def _add_again(self, layer: Layer, declaration: nodes.Declaration, below: Entry) -> None:
        """A second declaration of the same thing. It may fill in what a core left open; otherwise it must say
        `replace`."""
        if is_open(below.declaration) and type(below.declaration) is type(declaration):
            self._replace(layer, declaration, head_of(declaration))
            return
        subject, place, first = subject_of(declaration), head_of(declaration), head_of(below.declaration)
        if isinstance(declaration, nodes.Constant):
            advice = f"write `set {declaration.name.text} = …` to change it"
            self._declared_again(subject, place, below.layer, first, advice)
        else:
            self._declared_again(subject, place, below.layer, first)

    def _declared_again(self, subject: str, span: Span, below: Layer, first: Span, advice: str = _SAY_REPLACE) -> None:
        what = f"{subject} is declared again"
        others = (Label(first, f"declared by `{below.name}` here"),)
        help = f"{advice}, or give it another name"
        self.found.error("R0606", what, span, "again here", others=others, help=help)

    def _add_fields(self, layer: Layer, declaration: Fielded) -> None:
        kept: list[nodes.Field] = []
        for field in declaration.fields:
            key = _field_key(declaration, field)
            below = self.field_layers.get(key)
            if below is not None and below.rank != layer.rank:
                first = next(f for f in _fields(self.fields[key]) if f.name.text == field.name.text)
                self._declared_again(f"`{field.name.text}`", field.name.span, below, first.name.span)
            else:
                kept.append(field)
        entry = Entry(replace(declaration, fields=tuple(kept)), layer)
        self.entries.append(entry)
        for field in kept:
            self.fields.setdefault(_field_key(declaration, field), entry)
            self.field_layers.setdefault(_field_key(declaration, field), layer)

    # ------------------------------------------------------------------ changing

    def _set(self, layer: Layer, verb: nodes.SetConstant) -> None:
        entry = self._there(("name", verb.name.text), layer)
        if entry is None or not isinstance(entry.declaration, nodes.Constant):
            known = [e.declaration.name.text for e in self.entries if isinstance(e.declaration, nodes.Constant)]
            self.nothing_there(f"there is no constant `{verb.name.text}` to set", verb.name, known)
            return
        if self.is_own(entry, layer, verb.name.span, "set"):
            return
        if self.may_touch(("name", verb.name.text), layer, "set", verb.name.span, f"`{verb.name.text}`"):
            constant = entry.declaration
            entry.become(replace(constant, value=verb.value, cites=constant.cites + verb.cites), layer)

    def _replace(self, layer: Layer, declaration: nodes.Declaration, span: Span) -> None:
        match declaration:
            case nodes.Table() | nodes.Each():
                self._replace_fields(layer, declaration)
            case nodes.Score():
                self._replace_score(layer, declaration, span)
            case _:
                self._replace_named(layer, declaration, span)

    def _replace_named(self, layer: Layer, declaration: nodes.Declaration, span: Span) -> None:
        key = key_of(declaration)
        entry = self._there(key, layer) if key else None
        subject = subject_of(declaration)
        if key is None or entry is None:
            name = getattr(declaration, "name", None)
            self.nothing_there(
                f"there is no {form_words(declaration)}{_named(name)} to replace",
                name if isinstance(name, nodes.Name) else nodes.Name(span, ""),
                self._names_like(declaration),
            )
            return
        if self.is_own(entry, layer, span, "replaced"):
            return
        problem = replacement_problem(entry.declaration, declaration)
        if problem:
            what = f"{subject} {problem}"
            others = (Label(head_of(entry.declaration), "declared here"),)
            help = "keep the form, the names and the types of what is replaced"
            self.found.error("R0605", what, span, "replaced here", others=others, help=help)
            return
        if not self.may_touch(key, layer, "replace", span, subject):
            return
        self._put_in_place(entry, declaration, layer)

    def _put_in_place(self, entry: Entry, declaration: nodes.Declaration, layer: Layer) -> None:
        files = files_of(declaration, layer)
        match entry.declaration, declaration:
            case nodes.Kind() as old, nodes.Kind() as new:
                entry.become(merged_kind(old, new, new.file or old.file), layer, files or entry.files)
            case nodes.Map() as old_map, nodes.Map() as new_map:
                entry.become(merged_map(old_map, new_map), layer, files)
            case old_rule, new_rule:
                entry.become(with_inherited(old_rule, new_rule), layer, files)

    def _replace_fields(self, layer: Layer, declaration: Fielded) -> None:
        for field in declaration.fields:
            key = _field_key(declaration, field)
            entry = self._field_there(key, layer)
            if entry is None:
                self._no_field(key, field.name, "replace")
            elif self._keeps_its_sort(entry, key, field) and self.may_touch(
                key, layer, "replace", field.name.span, f"`{field.name.text}`"
            ):
                fields = tuple(field if f.name.text == field.name.text else f for f in _fields(entry))
                self._change_fields(entry, fields if key not in self.gone_fields else (*fields, field), layer)
                self.gone_fields.pop(key, None)
                self.field_layers[key] = layer

    def _remove_fields(self, layer: Layer, verb: nodes.RemoveFields) -> None:
        for name in verb.names:
            key = ("field", verb.owner.text, name.text)
            entry = self._field_there(key, layer)
            if entry is None:
                self._no_field(key, name, "remove")
            elif self.field_layers.get(key) == layer:
                what, advice = f"`{name.text}` is declared in the same layer", "take its declaration away"
                self.found.error("R0603", what, name.span, "removed here", help=advice)
            elif self.may_touch(key, layer, "remove", name.span, f"`{name.text}`") and key not in self.gone_fields:
                self.gone_fields[key] = next(f for f in _fields(entry) if f.name.text == name.text)
                self._change_fields(entry, tuple(f for f in _fields(entry) if f.name.text != name.text), layer)
                self.field_layers.pop(key, None)

    def _field_there(self, key: Key, layer: Layer) -> Entry | None:
        """The block with a field that a layer wants to change. As with declarations, a variant still finds what another
        variant removed."""
        if key not in self.gone_fields:
            return self.fields.get(key)
        remover = self.touches[key][-1].layer
        return self.fields[key] if remover.role == layer.role == "variant" and remover != layer else None

    def _no_field(self, key: Key, name: nodes.Name, verb: str) -> None:
        known = [
            one for form, owner, one in self.fields if owner == key[1] and (form, owner, one) not in self.gone_fields
        ]
        owner = "the table has" if key[1] == "table" else f"each {key[1]} has"
        self.nothing_there(f"{owner} no `{name.text}` to {verb}", name, known)

    def _change_fields(self, entry: Entry, fields: tuple[nodes.Field, ...], layer: Layer) -> None:
        block = entry.declaration
        assert isinstance(block, nodes.Table | nodes.Each)
        entry.change_part(replace(block, fields=fields), layer)

    def _keeps_its_sort(self, entry: Entry, key: Key, field: nodes.Field) -> bool:
        """True if a place stays a place and a field a field. Its range, capacity, type and visibility may change: the
        rules that use it still make sense and are checked again."""
        old = self.gone_fields.get(key) or next(one for one in _fields(entry) if one.name.text == field.name.text)
        sorts = ["place" if isinstance(one.type, nodes.PlaceType) else "field" for one in (old, field)]
        if sorts[0] == sorts[1]:
            return True
        what = f"`{field.name.text}` is a {sorts[0]}, not a {sorts[1]}"
        others = (Label(old.name.span, "declared here"),)
        help = "keep the sort of what is replaced, or add something with another name"
        self.found.error("R0605", what, field.name.span, "replaced here", others=others, help=help)
        return False

    def _replace_score(self, layer: Layer, declaration: nodes.Score, span: Span) -> None:
        """`replace score p` drops the score lines of lower layers; with `when C` they stay for players for whom C does
        not hold.

        Lines of another variant stay unless this one overrides it. Otherwise the result would depend on which variant
        is applied first.
        """
        scores = [entry for entry in self.entries if isinstance(entry.declaration, nodes.Score)]
        if not scores:
            self.nothing_there("there is no score to replace", nodes.Name(span, ""), [])
            return
        if not self._may_touch_score(layer, declaration.when, span):
            return
        overridden = self.overrides.get(layer.name, frozenset())
        below = [
            entry
            for entry in scores
            if not entry.layer.role == layer.role == "variant" or entry.layer.name in overridden
        ]
        for entry in below:
            assert isinstance(entry.declaration, nodes.Score)
            if declaration.when is None:
                self.entries.remove(entry)
            else:
                entry.change_part(limited_score(entry.declaration, declaration), layer)
        replaced = tuple(entry.declaration for entry in below) if declaration.when is None else ()
        self.entries.append(Entry(declaration, layer, replaced))

    def _may_touch_score(self, layer: Layer, when: nodes.Expr | None, span: Span) -> bool:
        """True if this layer may replace the score. Replacements under different conditions do not conflict; one
        without a condition conflicts with every other."""
        # Conditions are compared as text: whether two of them can hold together is beyond this stage.
        key = ("score", when.span.text if when else "")
        for other, touches in list(self.touches.items()):
            if other[0] == "score" and other != key and "" in (other[1], key[1]):
                if not all(self.gives_way(touch, layer, "replace", span, "the score") for touch in touches):
                    return False
        return self.may_touch(key, layer, "replace", span, "the score")

    def _extend(self, layer: Layer, declaration: nodes.Declaration) -> None:
        key = key_of(declaration)
        entry = self._there(key, layer) if key else None
        name = getattr(declaration, "name", None)
        if key is None or entry is None or type(entry.declaration) is not type(declaration):
            self.nothing_there(
                f"there is no {form_words(declaration)}{_named(name)} to extend",
                name if isinstance(name, nodes.Name) else nodes.Name(head_of(declaration), ""),
                self._names_like(declaration),
            )
            return
        if self.is_own(entry, layer, head_of(declaration), "extended"):
            return
        if isinstance(entry.declaration, nodes.Map) and not self._is_extendable(entry.declaration, declaration):
            return
        if not self.may_touch(key, layer, "extend", head_of(declaration), subject_of(declaration)):
            return
        # Two extensions of one kind agree, but not if both declare the same attribute: `extend kind Card` with
        # `value: 1..9` in one variant and `value: flag` in the other.
        for owner, field in attributes_of(declaration):
            subject = f"`{field.name.text}` of `{owner}`"
            self.may_touch(("attribute", owner, field.name.text), layer, "declare", field.name.span, subject)
        files = (*entry.files, *files_of(declaration, layer))
        match entry.declaration, declaration:
            case nodes.Kind() as old, nodes.Kind() as new:
                entry.become(merged_kind(old, new, joined_file(files)), layer, files)
            case nodes.Enum() as old_enum, nodes.Enum() as new_enum:
                entry.become(extended_enum(old_enum, new_enum, joined_file(files)), layer, files)
            case nodes.Map() as old_map, nodes.Map() as new_map:
                entry.become(extended_map(old_map, new_map, joined_file(files)), layer, files)

    def _is_extendable(self, old: nodes.Map, new: nodes.Declaration) -> bool:
        assert isinstance(new, nodes.Map)
        problem = extension_problem(old, new)
        if problem:
            by_file = f"write `extend map {old.name.text} {'from' if old.file is not None else 'is hexes from'} FILE`"
            has_file = old.file is not None or (old.shape is not None and old.shape.file is not None)
            what = f"the map `{old.name.text}` {problem}"
            others = (Label(old.name.span, "declared here"),)
            help = by_file if has_file else f"give it another shape: `replace map {old.name.text} is …`"
            self.found.error("R0605", what, new.name.span, "extended here", others=others, help=help)
        return problem is None

    def _remove(self, layer: Layer, verb: nodes.Remove) -> None:
        name = verb.name.text
        keys: list[Key] = [("name", name), ("hook", name)]
        key = next((key for key in keys if self._there(key, layer) is not None), None)
        if key is None and name in self.variants:
            headline = f"`{name}` is a variant, and a game removes only those of a ruleset that it uses"
            advice = f"say `excludes {name}`" if layer.role == "variant" else "take its declaration away"
            self.found.error("R0603", headline, verb.name.span, help=advice)
        elif key is None:
            below = ((k, entry) for k, entry in self.by_key.items() if not entry.is_gone and entry.layer != layer)
            known = [k[1] for k, _ in below if k[0] in ("name", "hook")]
            known += [] if layer.role == "variant" else self.variants  # a variant `excludes` another
            advice = "a rule, chart, map, constant or named hook of a layer below can be removed"
            self.nothing_there(f"there is no `{name}` to remove", verb.name, known, advice)
        elif self.is_own(self.by_key[key], layer, verb.name.span, "removed"):
            return
        elif self.may_touch(key, layer, "remove", verb.name.span, f"`{name}`"):
            self.by_key[key].is_gone = True

    def _there(self, key: Key, layer: Layer) -> Entry | None:
        """The entry that a layer wants to change. A variant still finds what another variant removed: changing it is a
        conflict between the two, and "there is no `size`" would send the author looking for a typo."""
        entry = self.by_key.get(key)
        if entry is None or not entry.is_gone:
            return entry
        remover = self.touches[key][-1].layer
        return entry if remover.role == layer.role == "variant" and remover != layer else None

    def removed(self) -> dict[str, Removal]:
        """What has been removed, by name, fields too. Removing a map removes its kinds of nodes and edges as well."""
        gone: dict[str, Removal] = {}
        for key, entry in self.by_key.items():
            if entry.is_gone:
                last, declaration = self.touches[key][-1], entry.declaration
                kinds = (*declaration.nodes, *declaration.edges) if isinstance(declaration, nodes.Map) else ()
                for name in (key[1], *(kind.name.text for kind in kinds)):
                    gone[name] = Removal(last.layer.name, last.span)
        for key in self.gone_fields:
            last = self.touches[key][-1]
            gone.setdefault(key[2], Removal(last.layer.name, last.span))
        return gone

    # ------------------------------------------------------------------ names

    def _names_like(self, declaration: nodes.Declaration) -> list[str]:
        """Names of declarations of the same form, for suggestions; for a rule, the names of all rules."""
        family = nodes.Rule if isinstance(declaration, nodes.Rule) else type(declaration)
        names = (getattr(e.declaration, "name", None) for e in self.entries if isinstance(e.declaration, family))
        return [name.text for name in names if isinstance(name, nodes.Name)]


def _owner(declaration: Fielded) -> str:
    if isinstance(declaration, nodes.Table):
        return "table"
    return declaration.of.text if declaration.of else "player"


def _field_key(declaration: Fielded, field: nodes.Field) -> Key:
    return ("field", _owner(declaration), field.name.text)


def _fields(entry: Entry) -> tuple[nodes.Field, ...]:
    return entry.declaration.fields if isinstance(entry.declaration, nodes.Table | nodes.Each) else ()


def _named(name: nodes.Name | None) -> str:
    return f" `{name.text}`" if isinstance(name, nodes.Name) else ""
