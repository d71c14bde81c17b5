"""Assumed data: lists every value that the rulebook does not give, with its place, and checks the real values.

Tables and maps mark each value as known from the book or assumed. The audit lists the assumed ones over all variants
and player counts. A template has a line for each of them; somebody who owns the game writes what the component shows
after `found:`. Checking such a file puts its values into a copy of the ruleset and validates that, so a value of the
wrong type or range is reported like any other mistake in the data.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..check.check import check
from ..diagnostics.diagnostic import Diagnostic, Diagnostics, Label, RulesetError
from ..diagnostics.source import Source, Span
from ..files.reading import read_text
from ..play.contract import PlayError
from ..ruleset.gather import gather
from ..ruleset.gathered import Gathered, Scalar
from ..ruleset.yaml_source import parse_yaml
from ..syntax import nodes
from .coverage import combinations_alone
from .deep import player_counts

TEMPLATE_FORMAT = "rulewright-box/1"
_PLAIN_KEYS = ("id", "name", "known", "assumed", "source", "cites", "by_players")
_DRAWN: dict[str, tuple[str, ...]] = {
    "nodes": ("at",), "tiles": ("at",), "edges": (), "changes": (), "layouts": (), "rows": (), "by_players": (),
}  # fmt: skip


@dataclass(frozen=True)
class Datum:
    """One value of a row. `value` is the text as written; it is empty if the row omits the value, which means none."""

    row: str
    column: str
    value: str
    known: bool
    span: Span = field(compare=False)  # of the value, or of the row where none is written
    is_written: bool = True

    @property
    def file(self) -> str:
        return self.span.source.name

    @property
    def line(self) -> int:
        return self.span.line


@dataclass(frozen=True)
class Audit:
    name: str
    title: str
    data: tuple[Datum, ...]
    folders: tuple[Path, ...]  # of the ruleset and of what it uses

    @property
    def assumed(self) -> list[Datum]:
        return [datum for datum in self.data if not datum.known]


def data_of(name: str, players: int | None) -> Iterator[Datum]:
    """Every value in the data files of one game."""
    files: dict[str, tuple[Source, tuple[str, ...]]] = {}
    _note_files(gather(name, players, Diagnostics()), files)
    for source, keys in files.values():
        yield from _data_in(source, keys)


def audit_of(name: str) -> Audit:
    """All data of a ruleset. Raises RulesetError if it cannot be read."""
    found = Diagnostics()
    gathered = gather(name, None, found)
    if gathered is None or found.has_errors:
        raise RulesetError(list(found))
    files: dict[str, tuple[Source, tuple[str, ...]]] = {}
    for one in combinations_alone(name, gathered):
        for players in player_counts(one):
            _note_files(gather(one, players, Diagnostics()), files)
    data = [datum for source, keys in files.values() for datum in _data_in(source, keys)]
    return Audit(
        gathered.name, gathered.title, tuple(data), tuple(dict.fromkeys(layer.folder for layer in gathered.layers))
    )


def _note_files(gathered: Gathered | None, files: dict[str, tuple[Source, tuple[str, ...]]]) -> None:
    """The data files that a game reads, each with the columns that only identify the row."""
    if gathered is None:
        return
    keys = {
        placed.declaration.name.text: tuple(param.name.text for param in placed.declaration.params)
        for placed in gathered.declarations
        if isinstance(placed.declaration, nodes.Chart)
    }
    for table in gathered.tables.values():
        for row in table.rows:
            files.setdefault(row.span.source.name, (row.span.source, keys.get(table.of, ())))
    for document in gathered.documents.values():
        files.setdefault(document.span.source.name, (document.span.source, ()))


# ---------------------------------------------------------------------------- rows


def _data_in(source: Source, keys: tuple[str, ...]) -> Iterator[Datum]:
    document = parse_yaml(source, Diagnostics())
    if document is None:
        return
    default = str(document.value["default"].value) if "default" in document.value else "known"
    for section, drawn in _DRAWN.items():
        rows = list(_rows_below(document.value[section])) if section in document.value else []
        columns = dict.fromkeys(key for _, row in rows for key in row.value if key not in (*_PLAIN_KEYS, *keys, *drawn))
        for above, row in rows:
            yield from _row_data(row, _row_name(row, keys, above), list(columns), default, section == "rows")


def _rows_below(entry: Scalar, above: str = "") -> Iterator[tuple[str, Scalar]]:
    """The rows of a section, each with the name of its list: a plain list, or lists by kind, tile or player count."""
    if isinstance(entry.value, list):
        yield from ((above, item) for item in entry.value if isinstance(item.value, dict))
    elif isinstance(entry.value, dict):
        for key, below in entry.value.items():
            yield from _rows_below(below, key)


def _row_name(row: Scalar, keys: tuple[str, ...], above: str) -> str:
    if "id" in row.value:
        return str(row.value["id"].value)
    said = [f"{key} {row.value[key].value}" for key in keys if key in row.value]
    if not said and "at" in row.value:
        said = [f"{above} at {_written(row.value['at'])}".strip()]
    return ", ".join(said) or f"{above} line {row.span.line}".strip()


def _row_data(row: Scalar, name: str, columns: Sequence[str], default: str, fills: bool) -> Iterator[Datum]:
    """The values of a row; in a table an omitted column counts as the value none."""
    marked = {
        mark: {item.value for item in row.value[mark].value} if mark in row.value else set()
        for mark in ("known", "assumed")
    }
    for column in columns:
        known = column in marked["known"] or (default == "known" and column not in marked["assumed"])
        cell = row.value.get(column)
        if cell is not None:
            yield Datum(name, column, _written(cell), known, cell.span)
        elif fills and column != "copies":
            yield Datum(name, column, "", known, row.span, is_written=False)


def _written(cell: Scalar) -> str:
    """A value on one line, as YAML can read it."""
    plain = cell.plain()
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return str(plain) if isinstance(plain, int | str) else json.dumps(plain, ensure_ascii=False)


# ---------------------------------------------------------------------------- the template


def template_text(audit: Audit) -> str:
    """A file to fill in: a line for each assumed value, `found:` left empty."""
    lines = [
        f"# What the box of {audit.title} shows. Write each value behind `found:` as the component has it;",
        "# `none` where it shows nothing, quotes round what has commas; leave it empty where you did not look.",
        f"# Then: rulewright audit {audit.name} --check FILE",
        f"format: {TEMPLATE_FORMAT}",
        f"game: {audit.name}",
        "data:" if audit.assumed else "data: []",
    ]
    for file in dict.fromkeys(datum.file for datum in audit.assumed):
        lines.append(f"  # {_short(file)}")
        for datum in audit.assumed:
            if datum.file == file:
                cells = {"file": _short(file), "row": datum.row, "column": datum.column, "assumed": datum.value}
                said = ", ".join(f"{key}: {json.dumps(text, ensure_ascii=False)}" for key, text in cells.items())
                lines.append(f"  - {{{said}, found: }}")
    return "\n".join(lines) + "\n"


def _short(file: str) -> str:
    """A file by its folder and name, independent of where the project is stored."""
    return "/".join(Path(file).parts[-2:])


# ---------------------------------------------------------------------------- checking a filled-in one


@dataclass(frozen=True)
class Entry:
    """One filled-in line of a template, and the value it is about."""

    datum: Datum
    found: str

    @property
    def agrees(self) -> bool:
        return self.found == self.datum.value or (self.found == "none" and not self.datum.value)


@dataclass(frozen=True)
class Checked:
    """The result of a filled-in template: confirmed values, values that differ, open lines, and findings."""

    entries: tuple[Entry, ...]
    left_open: int
    findings: tuple[Diagnostic, ...]

    @property
    def confirmed(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.agrees]

    @property
    def different(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.agrees]


def check_template(audit: Audit, path: Path) -> Checked:
    """Reads a filled-in template and checks the ruleset with its values put in."""
    document = _read_template(path, audit)
    data = {(_short(datum.file), datum.row, datum.column): datum for datum in audit.data}
    entries: list[Entry] = []
    left_open = 0
    unknown = Diagnostics()
    for item in document.value["data"].value:
        said = {key: cell.value for key, cell in item.value.items()} if isinstance(item.value, dict) else {}
        key = str(said.get("file")), str(said.get("row")), str(said.get("column"))
        if key not in data:
            unknown.error(
                "R0211",
                f"there is no value `{key[2]}` of `{key[1]}` in {key[0]}",
                _first_line(item.span),
                help="make the template anew",
            )
        elif said.get("found") is None:
            left_open += 1
        else:
            entries.append(Entry(data[key], _written(item.value["found"])))
    findings = list(unknown) or _findings_with(audit, [entry for entry in entries if not entry.agrees])
    return Checked(tuple(entries), left_open, tuple(findings))


def _read_template(path: Path, audit: Audit) -> Scalar:
    try:
        source = Source(str(path), read_text(path))
    except (OSError, UnicodeDecodeError):
        raise PlayError(
            f"`{path}` cannot be read", "make a template with `rulewright audit NAME --template FILE`"
        ) from None
    found = Diagnostics()
    document = parse_yaml(source, found)
    if document is None:
        raise RulesetError(list(found))
    entries = document.value if isinstance(document.value, dict) else {}
    if (
        "format" not in entries
        or entries["format"].value != TEMPLATE_FORMAT
        or not isinstance(_value(entries, "data"), list)
    ):
        raise PlayError(f"`{path}` is no template of an audit", "make one with `rulewright audit NAME --template FILE`")
    if str(_value(entries, "game")).split("+")[0] != audit.name.split("+")[0]:
        raise PlayError(f"`{path}` is about `{_value(entries, 'game')}`, not `{audit.name}`")
    return document


def _value(entries: dict[str, Scalar], key: str) -> Any:
    return entries[key].value if key in entries else None


def _findings_with(audit: Audit, entries: Sequence[Entry]) -> list[Diagnostic]:
    """The checker's findings for the ruleset with these values put in."""
    if not entries:
        return []
    with TemporaryDirectory() as folder:
        moved = {}
        for own in audit.folders:
            moved[own] = Path(folder) / own.name
            shutil.copytree(own, moved[own])
        for file in dict.fromkeys(entry.datum.file for entry in entries):
            own_entries = [entry for entry in entries if entry.datum.file == file]
            home = next(
                own for own in audit.folders if (own / Path(file).name).is_file() and own.name == Path(file).parent.name
            )
            (moved[home] / Path(file).name).write_text(_with_values(own_entries), encoding="utf-8")
        base = str(moved[audit.folders[-1]] if len(audit.folders) == 1 else moved[_game_folder(audit)])
        names = [base + one[len(audit.name) :] for one in _names(audit)]
        findings = [finding for one in names for finding in _check_all_counts(one)]
    unique = {(f.code, f.headline, f.primary.span.line): _renamed(f, folder) for f in findings}
    return list(unique.values())


def _game_folder(audit: Audit) -> Path:
    return next(folder for folder in audit.folders if folder.name == audit.name.split("+")[0])


def _names(audit: Audit) -> list[str]:
    gathered = gather(audit.name, None, Diagnostics())
    return combinations_alone(audit.name, gathered) if gathered is not None else [audit.name]


def _check_all_counts(name: str) -> Iterator[Diagnostic]:
    counts: list[int | None] = [*player_counts(name)]
    for players in counts or [None]:
        found = Diagnostics()
        gathered = gather(name, players, found)
        if gathered is not None and not found.has_errors:
            check(gathered, found)
        yield from found


def _with_values(entries: Sequence[Entry]) -> str:
    """The text of a data file with new values. They are put in from the end of the file, so that the offsets of the
    earlier ones stay valid."""
    text = entries[0].datum.span.source.text
    for entry in sorted(entries, key=lambda entry: -entry.datum.span.start):
        datum, value = entry.datum, entry.found
        start, end = datum.span.start, datum.span.end
        written = (
            value
            if value[:1] in "[{"
            else json.dumps(value, ensure_ascii=False)
            if any(c in value for c in ",:#")
            else value
        )
        if datum.is_written:
            text = text[:start] + written + text[end:]
        elif text[start] == "{":
            text = f"{text[: start + 1]}{datum.column}: {written}, {text[start + 1 :]}"
        else:
            indent = " " * (datum.span.column - 1)
            text = f"{text[:start]}{datum.column}: {written}\n{indent}{text[start:]}"
    return text


def _renamed(finding: Diagnostic, folder: str) -> Diagnostic:
    """The finding with its places moved from the copy to the ruleset itself."""
    primary = _renamed_label(finding.primary, folder)
    others = tuple(_renamed_label(label, folder) for label in finding.others)
    return Diagnostic(finding.code, finding.headline, primary, others, finding.notes, finding.help, finding.severity)


def _renamed_label(label: Label, folder: str) -> Label:
    source = label.span.source
    _, sign, inside = source.name.partition(Path(folder).name + "/")
    name = f"{inside} (with what was found)" if sign else source.name
    return Label(Span(Source(name, source.text), label.span.start, label.span.end), label.text)


def _first_line(span: Span) -> Span:
    end = span.source.text.find("\n", span.start)
    return span if end < 0 else Span(span.source, span.start, min(end, span.end))
