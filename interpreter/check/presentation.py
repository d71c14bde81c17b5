"""The names in table.yaml: each must be something that the rules declare, alone or with one of the variants."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gathered import Scalar
from ..ruleset.presentation import read_presentation
from .program import Program


class _Known:
    """Everything that a presentation may speak of, over all the programs of a ruleset."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self.places = {place.name for program in programs for place in program.places}
        self.fields = {field.name for program in programs for field in program.fields}
        self.kinds = {kind for program in programs for kind in program.kinds}
        self.maps = {name for program in programs for name in program.maps}
        self.charts = {name for program in programs for name in program.charts}
        self.attributes = {table.name for program in programs for table in program.attributes}
        self.nodes = {node.id for program in programs for node in program.nodes}
        self.nodes |= {kind for program in programs for kind in program.node_kinds}
        self.enums: dict[str, set[str]] = {}
        for enum in (enum for program in programs for enum in program.enums.values()):
            self.enums.setdefault(enum.name, set()).update(enum.ids)
        self.things = self.places | self.fields | self.maps


def check_presentation(folder: Path, programs: Iterable[Program], found: Diagnostics) -> None:
    """Reports what is wrong with a presentation: its form, its drawings, and names that nothing has."""
    document = read_presentation(folder, found)
    if document is None:
        return
    known = _Known(list(programs))
    drawings = set(document.value["drawings"].value) if "drawings" in document.value else set()
    for name, span, names, what in _names(document, known, drawings):
        bare = name.removeprefix("player.").removeprefix("table.")
        if bare not in names:
            advice = did_you_mean(bare, names) or "names are those of the rules; take it out, or correct it"
            found.warning("R0266", f"the rules have no {what} `{bare}`", span, help=advice)


Named = tuple[str, Span, Collection[str], str]


def _names(document: Scalar, known: _Known, drawings: set[str]) -> Iterator[Named]:
    """Every name of the rules in a presentation, where it stands, and what it may be."""
    parts = document.value
    yield from _value(parts.get("score"), known.fields, "counter")
    if "seats" in parts:
        yield from _value(parts["seats"].value.get("like"), known.fields, "counter")
    for part, names, what in (
        ("names", known.things | known.kinds | known.attributes | known.charts, "name"),
        ("short", known.nodes, "node or kind of nodes"),
        ("symbols", known.things | known.attributes, "counter or attribute"),
        ("units", known.fields | known.attributes, "counter or attribute"),
        ("values", known.enums, "enum"),
        ("kinds", known.kinds, "kind"),
        ("maps", known.maps, "map"),
    ):
        yield from _keys(parts.get(part), names, what)
    for enum, values in _entries(parts.get("values")):
        yield from _keys(values, known.enums.get(enum, set()), f"value of `{enum}`") if enum in known.enums else ()
    for _, kind in _entries(parts.get("kinds")):
        yield from _kind(kind, known, drawings)
    for _, one in _entries(parts.get("maps")):
        yield from _value(one.value.get("tint"), known.attributes | known.fields | {"none"}, "attribute or field")
        yield from _value(one.value.get("figure"), known.attributes | known.fields | {"none"}, "attribute or counter")
    yield from _list(parts.get("hide"), known.things, "place or counter")
    for area in parts["areas"].value if "areas" in parts else ():
        yield from _list(area.value.get("items"), known.things | known.charts, "place, counter, map or chart")
    for group in parts["groups"].value if "groups" in parts else ():
        yield from _list(group, known.places, "place")
    for track in parts["tracks"].value if "tracks" in parts else ():
        yield from _value(track.value.get("counter"), known.fields, "counter")
        yield from _value(track.value.get("count_of"), known.places, "place")
        yield from _value(track.value.get("chart"), known.charts, "chart")
    yield from _value(parts.get("picture"), drawings | known.maps | known.kinds, "map, kind or drawing")


def _kind(kind: Scalar, known: _Known, drawings: set[str]) -> Iterator[Named]:
    own = kind.value
    for key in ("title", "figure", "label"):
        yield from _value(own.get(key), known.attributes | {"none", "kind"}, "attribute")
    yield from _value(own.get("sides"), known.attributes | {"none"}, "attribute")
    yield from _value(own.get("turned"), known.fields | {"none"}, "field")
    yield from _value(own.get("drawing"), drawings, "drawing")
    yield from _list(own.get("hide"), known.attributes, "attribute")


def _value(value: Scalar | None, names: Collection[str], what: str) -> Iterator[Named]:
    if value is not None:
        yield value.value, value.span, names, what


def _list(values: Scalar | None, names: Collection[str], what: str) -> Iterator[Named]:
    for value in values.value if values is not None else ():
        yield value.value, value.span, names, what


def _keys(mapping: Scalar | None, names: Collection[str], what: str) -> Iterator[Named]:
    for key in mapping.value if mapping is not None else ():
        assert mapping is not None
        yield key, mapping.keys.get(key, mapping.span), names, what


def _entries(mapping: Scalar | None) -> Iterator[tuple[str, Scalar]]:
    return iter(mapping.value.items()) if mapping is not None else iter(())
