"""Rows of map files: nodes, edges and hexes, with their attributes, for one number of players.

A row of a map is a table row with extra keys: where it is drawn, what it joins. Attributes are cells, which the checker
types like those of pieces; here only unknown attributes are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean, nearest
from ..syntax import nodes
from .gathered import MapFile, Row, Scalar
from .schema import report_unknown_key
from .tables import is_forgotten, report_forgotten, values_for

ONE_OF_TWO = "keep one of them; of two variants let one say that it `excludes` or `overrides` the other"
PLAIN_KEYS = ("id", "name", "known", "assumed", "source", "cites", "by_players")


@dataclass(frozen=True)
class MapRow:
    """A row, and the values that the map itself needs: `at`, `ends`."""

    row: Row
    own: dict[str, Scalar]
    id_span: Span = field(compare=False)


def is_map_file(document: Scalar, schema: str, found: Diagnostics) -> bool:
    """True if a file is a map (or tiles) at all. If it is recognisably something else, the finding says what."""
    keys = set(document.value) if isinstance(document.value, dict) else set()
    form, _, extends = schema.partition("_")
    wanted = {"map": ("nodes", "edges"), "tiles": ("tiles", "layouts")}[form]
    if keys & {*wanted, *(("without", "changes") if extends and form == "map" else ())}:
        return True
    looks = {
        "tiles": "tiles",
        "layouts": "tiles",
        "nodes": "a map of nodes and edges",
        "edges": "a map of nodes and edges",
    }
    looks |= {"rows": "a table", "by_players": "a table", "clauses": "a rulebook", "variants": "a manifest"}
    likely = next((what for key, what in looks.items() if key in keys), None)
    file = document.span.source.name.rsplit("/", 1)[-1]
    what = "a map" if form == "map" else "a board of tiles"
    other_form = "`map NAME is hexes from FILE`" if form == "map" else "`map NAME from FILE`"
    advice = f"write `{wanted[0]}:` and `{wanted[1]}:`, or name another file"
    is_other = likely in ("tiles", "a map of nodes and edges")
    label = f"this looks like {likely}" if likely else f"neither `{wanted[0]}` nor `{wanted[1]}` is there"
    help = f"read it with {other_form}" if is_other else advice
    found.error("R0241", f"`{file}` is not {what}", first_line(document.span), label, help=help)
    return False


def cites_in_map(document: Scalar) -> Iterator[nodes.Cite]:
    """The clauses that rows of a map or of tiles cite."""
    for part in ("nodes", "edges", "tiles", "changes"):
        lists = document.value[part].value.values() if part in document.value else ()
        for row in (row for rows in lists for row in rows.value):
            if "cites" in row.value:
                yield from (nodes.Cite(item.span, item.value) for item in row.value["cites"].value)


def is_map_of(entries: dict[str, Scalar], declaration: nodes.Map, found: Diagnostics) -> bool:
    """True if the file says that it belongs to this map."""
    said = entries.get("map")
    if said is None or said.value == declaration.name.text:
        return True
    what = f"this is the map `{said.value}`"
    label = f"the rules read it for the map `{declaration.name.text}`"
    help = f"write `map: {declaration.name.text}`, or name another file"
    found.error("R0241", what, said.span, label, others=(Label(declaration.name.span, "read here"),), help=help)
    return False


def promises_connection(files: Sequence[MapFile]) -> bool:
    """True unless the file says `connected: no`; the last extension that says either decides."""
    said = [file.entries["connected"].value for file in files if "connected" in file.entries]
    return not said or said[-1] in ("yes", True)


def read_rows(
    entries: Iterable[Scalar],
    kind: nodes.MapKind,
    own_keys: Sequence[str],
    default: str,
    players: int,
    found: Diagnostics,
) -> list[MapRow]:
    """The rows that exist for that many players. A row without an id gets an empty one, which the map fills in."""
    entries = list(entries)
    _report_unknown(entries, kind, own_keys, found)
    rows = [_read_row(entry, kind, own_keys, default, players, found) for entry in entries]
    return [row for row in rows if row is not None]


def _report_unknown(
    entries: Sequence[Scalar], kind: nodes.MapKind, own_keys: Sequence[str], found: Diagnostics
) -> None:
    """Keys that are no attribute of the kind: one that many rows have is reported once."""
    known = [*(column.name.text for column in kind.fields), *own_keys, *PLAIN_KEYS]
    unknown: dict[str, list[Scalar]] = {}
    for entry in entries:
        for key in entry.value:
            if key not in known:
                unknown.setdefault(key, []).append(entry)
    for key, rows in unknown.items():
        spans = [row.keys[key] for row in rows]
        if is_forgotten(key, len(rows), known):
            values = [row.value[key].value for row in rows]
            report_forgotten(key, f"{'edge' if 'ends' in own_keys else 'node'} {kind.name.text}", values, spans, found)
        else:
            for span in spans:
                report_unknown_key(key, span, known, found)


def _read_row(
    entry: Scalar, kind: nodes.MapKind, own_keys: Sequence[str], default: str, players: int, found: Diagnostics
) -> MapRow | None:
    cells = dict(entry.value)
    columns = [column.name.text for column in kind.fields]
    by_players = cells.get("by_players")
    if by_players is not None and isinstance(by_players.value, list):
        if players not in [count.value for count in by_players.value]:
            return None
    elif by_players is not None:
        changed, places = values_for(by_players, players, found)
        cells.update(changed)
        known = [*columns, *own_keys, *PLAIN_KEYS]
        for key in changed:
            if key not in known:
                report_unknown_key(key, places[key], known, found)
    name, cites, id_cell = cells.get("name"), cells.get("cites"), cells.get("id")
    row = Row(
        id=str(id_cell.value) if id_cell else "",
        span=entry.span,
        cells={key: cell for key, cell in cells.items() if key in columns},
        copies=1,
        name=str(name.value) if name else None,
        known=_known(cells, [*columns, *own_keys], default, found),
        cites=tuple(nodes.Cite(item.span, item.value) for item in cites.value) if cites else (),
    )
    own = {key: cells[key] for key in own_keys if key in cells}
    return MapRow(row, own, id_cell.span if id_cell else first_line(entry.span))


def _known(cells: dict[str, Scalar], columns: list[str], default: str, found: Diagnostics) -> frozenset[str]:
    markable = [*columns, "name", "id"]
    marked: dict[str, set[str]] = {"known": set(), "assumed": set()}
    for mark, marks in marked.items():
        for item in cells[mark].value if mark in cells else ():
            if item.value in markable:
                marks.add(item.value)
                continue
            likely = nearest(item.value, markable)
            advice = f"did you mean `{likely}`?" if likely else "mark an attribute that the map declares"
            found.error("R0218", f"the map has no attribute `{item.value}` to mark", item.span, help=advice)
    return frozenset(markable) - marked["assumed"] if default == "known" else frozenset(marked["known"])


def ids_are_unique(rows: Iterable[tuple[str, Span]], found: Diagnostics) -> bool:
    """True if all nodes and edges of a map have different ids; `rows` lists each id with its place."""
    seen: dict[str, Span] = {}
    clean = True
    for name, span in rows:
        if name in seen:
            what = f"`{name}` stands twice in this map"
            found.error("R0243", what, span, first=seen[name], help="give it another id")
            clean = False
        seen.setdefault(name, span)
    return clean


def unknown_word(
    code: str, what: str, word: str, span: Span, known: Iterable[str], found: Diagnostics, advice: str | None = None
) -> None:
    """Reports `there is no node `scool``. The help is the nearest known name, or the advice, or a list of names."""
    known = list(known)
    listed = f"one of {', '.join(f'`{name}`' for name in known)}" if 0 < len(known) <= 8 else None
    found.error(code, f"there is no {what} `{word}`", span, help=did_you_mean(word, known) or advice or listed)


def first_line(span: Span) -> Span:
    end = span.source.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.source, span.start, end)
