"""Reads the YAML rows of kinds, enums and charts. Every cell keeps its place in the file.

A table says whose rows it holds and whether an unmarked value is `known` from the book or `assumed`. Rows may depend
on the number of players: a whole list under the top-level key `by_players`, or within a row a list of the counts for
which it exists, or different values by count. This stage resolves that: the rows it returns are those for one number
of players. The checker decides whether a cell fits the type of its column. Unknown columns are reported here, because
later the raw keys of a row are no longer at hand.
"""

from __future__ import annotations

from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import nearest
from ..syntax import nodes
from .gathered import Row, Scalar, TableFile
from .player_counts import check_player_counts, fits_count
from .schema import report_unknown_key, validate
from .table_counts import check_counts
from .yaml_source import read_yaml, shown_path

ROW_KEYS = ("id", "name", "copies", "known", "assumed", "source", "cites", "by_players")
_MANY_ROWS = 3  # so many rows with one unknown key have a column that the rules forgot
_OTHER_FILES = {
    "map": "a map",
    "nodes": "a map",
    "edges": "a map",
    "tiles": "a map of tiles",
    "layouts": "a map of tiles",
}
_OTHER_FILES |= {"clauses": "a rulebook", "texts": "a list of translations"}
TabledDeclaration = nodes.Kind | nodes.Enum | nodes.Chart


def form_of(declaration: TabledDeclaration) -> str:
    """The key with which a table says what it is a table of."""
    match declaration:
        case nodes.Kind():
            return "kind"
        case nodes.Enum():
            return "enum"
        case nodes.Chart():
            return "chart"


def read_table(
    path: Path,
    declaration: TabledDeclaration,
    asked_at: Span,
    players: int,
    game: nodes.Game | None,
    found: Diagnostics,
) -> TableFile | None:
    """The rows of a declaration for one number of players, or None after at least one finding. `game` is the game that
    the file belongs to, or None for a file of a used ruleset, which may have rows for more players."""
    document = read_yaml(path, found, asked_at)
    if document is None or not _is_table(document, asked_at, found) or not validate(document, "table", found):
        return None
    entries: dict[str, Scalar] = document.value
    if not _is_table_of(entries, declaration, asked_at, found):
        return None
    if game is not None:
        check_player_counts(document, game, found)
    chosen = _rows_for(document, players, found)
    if chosen is None:
        return None
    default = entries["default"].value
    needs_id = not isinstance(declaration, nodes.Chart)
    columns = columns_of(declaration)
    rows = [_row(entry, number, default, players, columns, needs_id, found) for number, entry in enumerate(chosen, 1)]
    kept = tuple(row for row in rows if row is not None)
    _ids_are_unique(kept, found)
    check_counts(entries.get("pieces"), kept, columns, found)
    return TableFile(shown_path(path), document.span.source, declaration.name.text, default, kept)


def _is_table(document: Scalar, asked_at: Span, found: Diagnostics) -> bool:
    """True if a file is a table at all. If it is recognisably another kind of file, the finding says which."""
    keys = set(document.value) if isinstance(document.value, dict) else set()
    likely = next((what for key, what in _OTHER_FILES.items() if key in keys), None)
    if likely is None or keys & {"rows", "by_players", "kind", "enum", "chart"}:
        return True
    file = document.span.source.name.rsplit("/", 1)[-1]
    found.error(
        "R0216",
        f"`{file}` is {likely}, not a table",
        _start_of(document.span),
        others=(Label(asked_at, "read here"),),
        help="name another file" if "map" not in likely else "read it with `map NAME from FILE`, or name another file",
    )
    return False


def _is_table_of(
    entries: dict[str, Scalar], declaration: TabledDeclaration, asked_at: Span, found: Diagnostics
) -> bool:
    form = form_of(declaration)
    said_form = next(key for key in ("kind", "enum", "chart") if key in entries)
    said = entries[said_form]
    if said_form == form and said.value == declaration.name.text:
        return True
    what = f"this is a table of the {said_form} `{said.value}`"
    label = f"the rules read it for the {form} `{declaration.name.text}`"
    help = f"write `{form}: {declaration.name.text}`, or name another file"
    found.error("R0216", what, said.span, label, others=(Label(asked_at, "read here"),), help=help)
    return False


def _rows_for(document: Scalar, players: int, found: Diagnostics) -> list[Scalar] | None:
    """The rows that exist for that many players: those for every count, then those for this one."""
    entries = document.value
    rows: list[Scalar] = list(entries["rows"].value) if "rows" in entries else []
    by_players = entries.get("by_players")
    if by_players is None:
        return rows
    fitting = [entry for key, entry in by_players.value.items() if fits_count(key, players)]
    if not fitting and "rows" not in entries:
        what = f"no rows for {players} players"
        help = f"add rows under `{players}:`"
        found.error("R0217", what, document.keys["by_players"], f"rows for {', '.join(by_players.value)}", help=help)
        return None
    return rows + [row for entry in fitting for row in entry.value]


def values_for(by_players: Scalar, players: int, found: Diagnostics) -> tuple[dict[str, Scalar], dict[str, Span]]:
    """The values of a row that change for that many players, and the places of their keys. A value that is given twice
    for the same count is reported."""
    cells: dict[str, Scalar] = {}
    keys: dict[str, Span] = {}
    for count, changes in by_players.value.items():
        for key, cell in changes.value.items() if fits_count(count, players) else ():
            if key in cells:
                what = f"`{key}` is given twice for {players} players"
                help = "let the numbers of players not overlap"
                found.error("R0206", what, changes.keys[key], first=keys[key], help=help)
            cells[key], keys[key] = cell, changes.keys[key]
    return cells, keys


def _row(
    entry: Scalar, number: int, default: str, players: int, columns: list[str], needs_id: bool, found: Diagnostics
) -> Row | None:
    """One row for that many players, or None if it does not exist for them."""
    cells: dict[str, Scalar] = dict(entry.value)
    by_players = cells.get("by_players")
    if by_players is not None:
        if isinstance(by_players.value, list):
            if players not in [count.value for count in by_players.value]:
                return None
        else:
            changed, _ = values_for(by_players, players, found)
            cells.update(changed)
    if needs_id and "id" not in cells:
        found.error("R0211", "the key `id` is missing", _start_of(entry.span), "this row", help="add `id: …`")
        return None
    name, copies = cells.get("name"), cells.get("copies")
    return Row(
        id=cells["id"].value if "id" in cells else f"row_{number}",
        span=entry.span,
        cells={key: cell for key, cell in cells.items() if key in columns or key not in ROW_KEYS},
        copies=copies.value if copies else 1,
        name=str(name.value) if name else None,
        known=_known(cells, columns, default, found),
        cites=tuple(nodes.Cite(item.span, item.value) for item in cells["cites"].value) if "cites" in cells else (),
    )


def _start_of(span: Span) -> Span:
    end = span.source.text.find("\n", span.start)
    return span if end < 0 else Span(span.source, span.start, min(end, span.end))


def _known(cells: dict[str, Scalar], columns: list[str], default: str, found: Diagnostics) -> frozenset[str]:
    """The columns whose values are known; `copies` and `name` can be marked as well."""
    markable = [*columns, "copies", "name", "id"]
    marked = {mark: _marks(cells.get(mark), markable, found) for mark in ("known", "assumed")}
    if default == "known":
        return frozenset(markable) - marked["assumed"]
    return frozenset(marked["known"])


def _marks(entry: Scalar | None, markable: list[str], found: Diagnostics) -> set[str]:
    marks: set[str] = set()
    for item in entry.value if entry else ():
        if item.value in markable:
            marks.add(item.value)
        else:
            likely = nearest(item.value, markable)
            found.error(
                "R0218",
                f"the table has no column `{item.value}` to mark",
                item.span,
                help=f"did you mean `{likely}`?"
                if likely
                else "mark a column that the rules declare, `name` or `copies`",
            )
    return marks


def _ids_are_unique(rows: tuple[Row, ...], found: Diagnostics) -> None:
    seen: dict[str, Row] = {}
    for row in rows:
        if row.id in seen:
            what = f"the row `{row.id}` stands twice"
            help = "give it another id, or write `copies` for equal pieces"
            found.error("R0215", what, _start_of(row.span), first=_start_of(seen[row.id].span), help=help)
        seen.setdefault(row.id, row)


# ---------------------------------------------------------------------------- columns


def columns_of(declaration: TabledDeclaration) -> list[str]:
    """The names of the columns that a declaration reads: its attributes and the keys of its rows."""
    names = [field.name.text for field in declaration.fields]
    match declaration:
        case nodes.Chart():
            names += [param.name.text for param in declaration.params]
        case nodes.Kind():
            names += [key.name.text for key in declaration.copies.keys] if declaration.copies else []
        case nodes.Enum():
            pass
    return names


def check_columns(declaration: TabledDeclaration, table: TableFile, found: Diagnostics) -> None:
    """Reports every column of a row that the rules do not declare as an unknown key."""
    known = columns_of(declaration)
    keys = [key for key in ROW_KEYS if isinstance(declaration, nodes.Kind) or key != "copies"]
    unknown: dict[str, list[Row]] = {}
    for row in table.rows:
        for column in row.cells:
            if column not in known:
                unknown.setdefault(column, []).append(row)
    for column, rows in unknown.items():
        spans = [_key_span(row, column, row.cells[column]) for row in rows]
        if is_forgotten(column, len(rows), [*known, *keys]) and not isinstance(declaration, nodes.Chart):
            word = "kind" if isinstance(declaration, nodes.Kind) else "enum"
            values = [row.cells[column].value for row in rows]
            report_forgotten(column, f"{word} {declaration.name.text}", values, spans, found)
            continue
        for row, span in zip(rows, spans, strict=True):
            report_unknown_key(column, span, [*known, *keys], found, row.cells)


def is_forgotten(column: str, rows: int, known: list[str]) -> bool:
    """Whether an unknown key is no slip of the pen: many rows have it, and it is like no other."""
    return rows >= _MANY_ROWS and not nearest(column, known)


def report_forgotten(column: str, heads: str, values: list[object], spans: list[Span], found: Diagnostics) -> None:
    """A key that many rows have, and the rules forgot to declare. `heads`: the line below which it is declared."""
    if all(isinstance(value, bool) or value in ("yes", "no") for value in values):
        type_ = "flag"
    elif numbers := [value for value in values if isinstance(value, int)]:
        type_ = f"{min(numbers)}..{max(numbers)}"
    else:
        type_ = "…"
    note = f"{len(spans) - 1} more rows have it, the next at {spans[1].at}"
    help = f"declare it below `{heads}`: `{column}: {type_}`; or leave it out"
    found.error("R0210", f"unknown key `{column}`", spans[0], notes=(note,), help=help)


def _key_span(row: Row, column: str, cell: Scalar) -> Span:
    """The place of a key: the last occurrence of its name before the value."""
    text = row.span.source.text
    start = text.rfind(column, row.span.start, cell.span.start)
    return cell.span if start < 0 else Span(row.span.source, start, start + len(column))
