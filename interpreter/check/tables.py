"""Checks every table cell against the type of its column.

Comes in: a cell with its place in the YAML file, and a column with its type. Goes out: the number that the cell stands
for (a tuple for a set, nested tuples for an indexed column, a `CellText` for an effect or formula, which is resolved
once the rules are known). A cell that does not fit is reported, with the declared type and the place of its
declaration; its value is then none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..diagnostics.diagnostic import Diagnostic, Diagnostics
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gathered import Row, Scalar
from ..syntax import nodes
from . import value_types as t
from .columns import column_of, nothing, nothing_in, spread
from .constant_values import listed
from .declare_types import domain_of, members_of, names_of
from .declared import CellText, Column, Declared, Draft
from .program import AttributeTable, Dimension

_MANY_ROWS = 3
_MOST_WORDS = 5
_FLAGS = {"yes": 1, "no": 0, True: 1, False: 0}


def read_tables(
    draft: Draft, of: str, name: str, shown: str, fields: Iterable[nodes.Field], rows: dict[int, Row], size: int
) -> dict[str, AttributeTable]:
    """The columns of an enum or a chart: values for the numbers below `size`, from those rows."""
    tables: dict[str, AttributeTable] = {}
    for field in fields:
        column = column_of(draft.declared, field, shown)
        if column.name in tables:
            headline = f"`{column.name}` of {shown} is declared twice"
            draft.declared.error("R0310", headline, field.name.span, "again here")
            continue
        values = [nothing_in(column)] * (size + 1)
        for number, row in rows.items():
            value = read_cell(draft.declared, row.cells.get(column.name), column, row.span, row.id)
            values[number] = draft.instance(value)
        made = AttributeTable(column.name, of, name, column.type, column.dimensions, tuple(values))
        tables[column.name] = made
    return tables


# ---------------------------------------------------------------------------- cells


def read_cell(declared: Declared, cell: Scalar | None, column: Column, row: Span, row_name: str) -> object:
    """The value of a column in one row. `row` is where a missing cell is reported."""
    if not column.is_sound:
        return nothing_in(column)
    return _Reading(declared, column, row, row_name).value(cell, column.dimensions, column.name)


@dataclass(frozen=True)
class _Reading:
    """Reads one column of one row, index by index: a mapping by the names of the index, or a list in its order."""

    declared: Declared
    column: Column
    row: Span
    row_name: str

    def value(self, cell: Scalar | None, dimensions: tuple[Dimension, ...], path: str) -> object:
        if cell is None:
            return self.absent(dimensions, path)
        if dimensions:
            return self.indexed(cell, dimensions[0], dimensions[1:], path)
        value = encode(self.declared, cell, self.column.type, path, said(self.column))
        return nothing(self.column.type) if value is None else value

    def absent(self, dimensions: tuple[Dimension, ...], path: str) -> object:
        column, none = self.column, nothing(self.column.type)
        if column.has_default:
            return spread(none if column.default is None else column.default, dimensions, none)
        if not isinstance(column.type, t.Maybe):
            usual = "no" if isinstance(column.type, t.Flag) else "…"
            default = f"`{column.name}: {column.type} = {usual}`"
            help = f"add `{column.name}: …`, or give the attribute a default in the rules: {default}"
            if self.row.source.name.endswith(".rules"):  # a kind without a table: there is no row to add it to
                help = (
                    f"make pieces of each sort, `copies 1 for each {column.name}: …`, or write rows, `from FILE.yaml`"
                )
            at = first_line(self.row)
            self.declared.error("R0250", f"`{self.row_name}` has no `{path}`", at, said(column), help=help)
        return spread(none, dimensions, none)

    def indexed(self, cell: Scalar, dimension: Dimension, rest: tuple[Dimension, ...], path: str) -> object:
        entries = _entries(self.declared, cell, self.column, dimension)
        none = nothing(self.column.type)
        empty = spread(none, rest, none)
        values = [empty] * (dimension.size + 1)
        if entries is not None:
            inner = replace(self, row=cell.span)
            for number, name in _names_of(self.declared, dimension).items():
                values[number - dimension.low] = inner.value(entries.get(number), rest, f"{path}[{name}]")
        return tuple(values)


def _names_of(declared: Declared, dimension: Dimension) -> dict[int, str]:
    """Each number of an index with the name that a table uses for it, in order."""
    if isinstance(dimension.type, t.Number):
        return {n: str(n) for n in range(dimension.low, dimension.low + dimension.size)}
    if isinstance(dimension.type, t.Flag):
        return {0: "no", 1: "yes"}
    names = names_of(declared, dimension.type)
    return {number: names.get(number, str(number)) for number in domain_of(declared, dimension.type) or ()}


def _entries(declared: Declared, cell: Scalar, column: Column, dimension: Dimension) -> dict[int, Scalar] | None:
    """The cells under one index by number; None, after a finding, if they are neither a mapping nor a list."""
    names = _names_of(declared, dimension)
    if isinstance(cell.value, list):
        if len(cell.value) == len(names):
            return dict(zip(names, cell.value, strict=True))
        what = f"{len(cell.value)} values where {len(names)} are expected"
        declared.error("R0251", what, cell.span, said(column), help=f"one for each of {listed(names.values())}")
        return None
    if isinstance(cell.value, dict):
        return _by_name(declared, cell, column, dimension, names)
    what = f"`{column.name}` is not one value"
    declared.error("R0251", what, cell.span, said(column), help=f"write a value for each of {listed(names.values())}")
    return None


def _by_name(
    declared: Declared, cell: Scalar, column: Column, dimension: Dimension, names: dict[int, str]
) -> dict[int, Scalar]:
    numbers = {name: number for number, name in names.items()}
    if isinstance(dimension.type, t.Player):
        numbers = dict(declared.seat_names)
    entries: dict[int, Scalar] = {}
    for key, value in cell.value.items():
        if key in numbers:
            declared.uses.add_member(cell.keys.get(key, cell.span), dimension.type, key)
            entries[numbers[key]] = value
        elif not (isinstance(dimension.type, t.Player) and key in absent_seats(declared)):
            what = f"`{key}` is no value of {dimension.type}"
            help = did_you_mean(key, numbers) or f"one of {listed(numbers)}"
            declared.error("R0252", what, cell.keys.get(key, cell.span), said(column), help=help)
    return entries


def absent_seats(declared: Declared) -> set[str]:
    """Names of seats that stay empty with this number of players."""
    games = [placed.declaration for placed in declared.gathered.declarations]
    given = [seat.text for game in games if isinstance(game, nodes.Game) for seat in game.seats]
    return {*given[declared.players :], *(f"seat{n}" for n in range(declared.players + 1, declared.gathered.most + 1))}


def encode(declared: Declared, cell: Scalar, expected: t.VType, path: str, said: str) -> object | None:
    """One cell as a value of a type; None after a finding. `said` says where the type was declared."""
    if cell.value is None or cell.value == "none":
        if isinstance(expected, t.Maybe):
            return nothing(expected)
        what, help = f"`{path}` cannot be none", "write a value, or make the attribute optional with `?`"
        declared.error("R0253", what, first_line(cell.span), said, help=help)
        return None
    wanted = t.bare(expected)
    match wanted:
        case t.EffectCell() | t.FormulaCell():
            return _call_text(declared, cell, wanted, said)
        case t.SetOf(of):
            return _set(declared, cell, of, path, said)
        case t.Number():
            return _number(declared, cell, wanted, said)
        case t.Flag():
            if isinstance(cell.value, bool | str) and cell.value in _FLAGS:
                return _FLAGS[cell.value]
            _wrong(declared, cell, "R0254", "is no flag", said, "write `yes` or `no`")
            return None
        case _:
            return _member(declared, cell, wanted, said)


def _number(declared: Declared, cell: Scalar, wanted: t.Number, said: str) -> int | None:
    value = cell.value
    if isinstance(value, str) and value in declared.constants:
        constant = declared.constants[value]
        declared.uses.add(cell.span, "constant", value)
        value = constant.value if isinstance(constant.type, t.Number) else value
    # YAML reads `yes` as a truth value, which Python counts among the whole numbers.
    if not isinstance(value, int) or isinstance(value, bool):
        help = f"write a whole number from {wanted.low} to {wanted.high}"
        _wrong(declared, cell, "R0254", "is no number", said, help)
        return None
    if not wanted.low <= value <= wanted.high:
        what, help = f"value {value} is outside {wanted}", "widen the range, or correct the row"
        declared.error("R0255", what, cell.span, said, help=help)
        return None
    return value


def _set(declared: Declared, cell: Scalar, of: t.VType, path: str, said: str) -> tuple[int, ...] | None:
    if not isinstance(cell.value, list):
        _wrong(declared, cell, "R0254", "is no list", said, "write the values of a set in brackets: `[a, b]`")
        return None
    values = [encode(declared, item, of, path, said) for item in cell.value]
    if any(value is None for value in values):
        return None
    # In the order of the type, whatever the order in the file: a set has no order of its own, and rules that go over it
    # must not depend on who typed it.
    domain = domain_of(declared, of)
    known = {value for value in values if isinstance(value, int)}
    return tuple(n for n in domain if n in known) if domain is not None else tuple(sorted(known))


def _member(declared: Declared, cell: Scalar, wanted: t.VType, said: str) -> int | None:
    members = members_of(declared, wanted)
    word = str(cell.value) if isinstance(cell.value, int | str) and not isinstance(cell.value, bool) else None
    if word is None:
        _wrong(declared, cell, "R0254", f"is no value of {wanted}", said, f"write one of {listed(members)}")
        return None
    if word not in members and isinstance(wanted, t.EnumOf | t.MapNode | t.MapEdge) and not members:
        return None  # its own table or map could not be read, which has been reported
    if word not in members:
        # The row is right for four players and wrong for two: the word is known, and a suggestion of another seat would
        # mislead.
        if isinstance(wanted, t.Player) and word in absent_seats(declared):
            what = f"nobody sits at `{word}` with {declared.players} players"
            help = "say under `by_players` for which numbers of players the row exists"
            declared.error("R0256", what, cell.span, said, help=help)
            return None
        near = did_you_mean(word, members) or (f"one of {listed(members)}" if members else None)
        declared.error("R0256", f"`{word}` is no value of {wanted}", cell.span, said, help=near)
        return None
    declared.uses.add_member(cell.span, wanted, word)
    return members[word]


def _call_text(declared: Declared, cell: Scalar, wanted: t.EffectCell | t.FormulaCell, said: str) -> CellText | None:
    if not isinstance(cell.value, str) or not cell.value.strip():
        example = (
            "`gain_points(3)`" if isinstance(wanted, t.EffectCell) else "a value of the rules, such as `half_of(3)`"
        )
        _wrong(declared, cell, "R0257", "is no call", said, f"write {example}")
        return None
    return CellText(cell.value, cell.span, wanted)


def _wrong(declared: Declared, cell: Scalar, code: str, is_no: str, said: str, help: str) -> None:
    what = f"`{first_line(cell.span).text}`"
    if isinstance(cell.value, list | dict):
        what = "a list" if isinstance(cell.value, list) else "a mapping"
    declared.error(code, f"{what} {is_no}", first_line(cell.span), said, help=help)


def first_line(span: Span) -> Span:
    """The part of a span that stands on its first line."""
    end = span.source.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.source, span.start, end)


def fold_rows(found: Diagnostics) -> None:
    """Reports a mistake that many rows make in one column once: for the first row, with a note that counts the others.
    This is done for a column that rows lack (R0250) and for words that are not values of its type (R0256)."""
    rows: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in found:
        if finding.code in ("R0250", "R0256"):
            rows.setdefault((finding.code, finding.primary.text), []).append(finding)
    for (code, _), (first, *others) in rows.items():
        if len(others) >= _MANY_ROWS:
            more = f"{len(others)} more rows have none, the next at {others[0].primary.span.at}"
            note = more if code == "R0250" else _no_values(others)
            dropped = {id(one) for one in others}
            found.found = [
                replace(one, notes=(*one.notes, note)) if one is first else one
                for one in found
                if id(one) not in dropped
            ]


def _no_values(others: Sequence[Diagnostic]) -> str:
    """The words of the other rows; only a few of them if there are many."""
    words = list(dict.fromkeys(f"`{one.primary.span.text}`" for one in others))
    shown = ", ".join(words[:_MOST_WORDS]) + (" …" if len(words) > _MOST_WORDS else "")
    return f"so it is in {len(others)} more cells, the next at {others[0].primary.span.at}: {shown}"


def said(column: Column) -> str:
    """`value` of Card is 1..11 (harbour.rules:9)"""
    indexes = f"[{', '.join(str(d.type) for d in column.dimensions)}]" if column.dimensions else ""
    file = column.span.source.name.rsplit("/", 1)[-1]
    kind = f"a {column.type}" if isinstance(t.bare(column.type), t.EnumOf | t.Player) else str(column.type)
    return f"`{column.name}{indexes}` of {column.owner} is {kind} ({file}:{column.span.line})"
