"""Kinds and their pieces, rows and printed attributes.

Pieces are numbered consecutively: kinds in the order of their declarations, rows in the order of their table, copies of
a row side by side. `copies 7 for each colour: Colour, owner: player` multiplies: every row (or the kind itself, if it
has no table) becomes one row for each combination of keys, and the keys are attributes like any other.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

from ..diagnostics.articles import with_article
from ..ruleset.gathered import Placed, Row
from ..syntax import nodes
from .columns import build_tables, column_of
from .constant_values import evaluate
from .declare_types import domain_of, shown, sound_type_of
from .declared import Column, Declared, Draft
from .program import KindDecl, PieceDecl, RowDecl
from .tables import read_cell
from .value_types import EnumOf, Flag, MapNode, Number, Piece, Player, VType

MOST_PIECES = 20_000


def register_kinds(draft: Draft) -> None:
    """Registers the names of kinds, before their pieces are counted."""
    for kind, _ in draft.types(nodes.Kind):
        name = kind.name.text
        # `DoubleToken` is shown to people as `Double token`.
        text = kind.text.raw if kind.text is not None else snake(name).replace("_", " ").capitalize()
        unseen = with_article(text if kind.text is not None else text.lower())
        draft.declared.kinds[name] = KindDecl(name, 0, 0, text, unseen, kind.name.span)


def snake(type_name: str) -> str:
    """`DoubleToken` as an id: `double_token`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type_name).lower()


def declare_pieces(draft: Draft) -> None:
    """Rows and pieces of every kind, and the values of their columns row by row."""
    declared = draft.declared
    for kind, placed in draft.types(nodes.Kind):
        name = kind.name.text
        first = len(declared.pieces)
        keys = _key_columns(draft, kind)
        _KindRows(draft, kind, placed, keys).make()
        declared.kinds[name] = replace(declared.kinds[name], first=first, count=len(declared.pieces) - first)


def declare_piece_columns(draft: Draft) -> None:
    """The printed columns of every kind, read from the tables; then one table per attribute."""
    declared = draft.declared
    for kind, placed in draft.types(nodes.Kind):
        name = kind.name.text
        table_rows = {row.id: row for row in draft.rows(placed, kind.file)}
        for field in kind.fields:
            column = column_of(declared, field, name, may_be_back=True)
            if draft.add_column(name, column, field.name.span):
                _read_column(draft, kind, column, table_rows)
    runs = {kind.name: (kind.first, kind.count) for kind in declared.kinds.values()}
    build_tables(draft, "piece", runs, len(declared.pieces))


def _read_column(draft: Draft, kind: nodes.Kind, column: Column, table_rows: dict[str, Row]) -> None:
    """The value of a column for every piece. A row of a table is read once, however many pieces it makes."""
    declared, name = draft.declared, kind.name.text
    values: dict[str, object] = {}
    origin = draft.origins
    pieces: list[object] = []
    for number in range(declared.kinds[name].first, declared.kinds[name].first + declared.kinds[name].count):
        row_number = declared.pieces[number].row
        row = table_rows.get(origin.get(row_number, ""))
        key = row.id if row is not None else declared.rows[row_number].id
        if key not in values:
            cell = row.cells.get(column.name) if row is not None else None
            at = row.span if row is not None else kind.name.span
            values[key] = read_cell(declared, cell, column, at, key if row is not None else name)
        pieces.append(values[key])
    for row in table_rows.values():  # rows that make no pieces are checked as well
        if row.id not in values:
            values[row.id] = read_cell(declared, row.cells.get(column.name), column, row.span, row.id)
    draft.read[name, column.name] = pieces


def _key_columns(draft: Draft, kind: nodes.Kind) -> list[Column]:
    """The keys of `copies` as columns. A key whose type cannot be enumerated is reported and left out."""
    keys: list[Column] = []
    for key in kind.copies.keys if kind.copies is not None else ():
        value_type, is_sound = sound_type_of(draft.declared, key.type)
        if not is_sound:
            continue
        if isinstance(value_type, Piece) or _values_of(draft, value_type) is None:
            help = "a key is an enum, a range, `flag`, `player` or a node kind"
            draft.declared.error("R0416", f"there cannot be a copy for each {value_type}", key.type.span, help=help)
            continue
        column = Column(key.name.text, kind.name.text, value_type, (), key.span)
        if draft.add_column(kind.name.text, column, key.name.span):
            keys.append(column)
    return keys


def _values_of(draft: Draft, value_type: VType) -> tuple[int, ...] | None:
    if isinstance(value_type, Flag):
        return (0, 1)
    if isinstance(value_type, Number):
        wide = value_type.high - value_type.low >= MOST_PIECES
        return None if wide else tuple(range(value_type.low, value_type.high + 1))
    return domain_of(draft.declared, value_type)


def _label(declared: Declared, key: Column, value: int) -> str:
    """What a key adds to the name of a row: its value; of a flag the key itself, or nothing."""
    if isinstance(key.type, Flag):
        return key.name if value else ""
    return shown(declared, key.type, value)


def _words(declared: Declared, key: Column, value: int) -> str:
    """What people read for a key in the name of a row: the name of the node or enum value, not its id."""
    name = ""
    if isinstance(key.type, MapNode):
        name = declared.nodes[value].name
    elif isinstance(key.type, EnumOf):
        enum = declared.enums[key.type.name]
        name = dict(zip(enum.domain, enum.names, strict=True)).get(value, "")
    return name or _label(declared, key, value).replace("_", " ")


class _KindRows:
    """Makes the rows and pieces of one kind."""

    def __init__(self, draft: Draft, kind: nodes.Kind, placed: Placed, keys: list[Column]) -> None:
        self.draft, self.declared, self.kind, self.keys = draft, draft.declared, kind, keys
        self.rows: tuple[Row | None, ...] = draft.rows(placed, kind.file) if kind.file is not None else (None,)
        self.key_values: dict[str, list[object]] = {column.name: [] for column in keys}
        self.full = False

    def make(self) -> None:
        copies = self.copies()
        for row in self.rows:
            for combination in product(*(self.choices(row, key) for key in self.keys)):
                self.add_row(row, combination, copies * (row.copies if row is not None else 1))
        for column in self.keys:
            self.draft.read[self.kind.name.text, column.name] = self.key_values[column.name]

    def choices(self, row: Row | None, key: Column) -> tuple[int, ...]:
        """The values of a key by which a row is multiplied: all, or the single one that the row states."""
        cell = row.cells.get(key.name) if row is not None else None
        if row is None or cell is None:
            return _values_of(self.draft, key.type) or ()
        value = read_cell(self.declared, cell, key, row.span, row.id)
        return (value,) if isinstance(value, int) else ()

    def copies(self) -> int:
        if self.kind.copies is None:
            return 1
        known = evaluate(self.declared, self.kind.copies.count)
        if known is None:
            return 1
        if not isinstance(known.type, Number) or known.number < 0:
            self.declared.error("R0417", "the number of copies is a number from 0", self.kind.copies.count.span)
            return 1
        return known.number

    def add_row(self, row: Row | None, combination: tuple[int, ...], copies: int) -> None:
        declared, name = self.declared, self.kind.name.text
        first, number = len(declared.pieces), len(declared.rows)
        if first + copies > MOST_PIECES:
            self.too_many()
            return
        keyed = [one for one in zip(self.keys, combination, strict=True) if _label(declared, *one)]
        labels = [_label(declared, *one) for one in keyed]
        words = "_".join(label.replace("-", "minus_") for label in labels)
        start = row.id if row is not None else snake(name)
        text = (row.name or row.id.replace("_", " ")) if row is not None else declared.kinds[name].text
        declared.rows.append(
            RowDecl(
                id=f"{start}_{words}" if words else start,
                kind=name,
                name=" ".join([text, *(_words(declared, *one) for one in keyed)]),
                pieces=tuple(range(first, first + copies)),
                cites=tuple(cite.text for cite in row.cites) if row is not None else (),
                span=row.span if row is not None else self.kind.name.span,
            )
        )
        if row is not None:
            self.draft.origins[number] = row.id
        for _ in range(copies):
            declared.pieces.append(PieceDecl(name, number, 0))
            for column, value in zip(self.keys, combination, strict=True):
                self.key_values[column.name].append(value)

    def too_many(self) -> None:
        if not self.full:
            self.full = True
            what, help = f"there would be more than {MOST_PIECES:,} pieces", "make fewer copies"
            self.declared.error("R0418", what, self.kind.name.span, f"with those of {self.kind.name.text}", help=help)


# ---------------------------------------------------------------------------- ids and backs


def check_row_ids(draft: Draft) -> None:
    """Reports two rows of one kind with the same id: scenarios name pieces by these ids."""
    seen: dict[tuple[str, str], RowDecl] = {}
    for row in draft.declared.rows:
        earlier = seen.setdefault((row.kind, row.id), row)
        # Rows that one line has multiplied may share an id if a key adds nothing to the name; that is no mistake of the
        # table.
        if earlier is not row and row.span != earlier.span:
            what = f"two rows of {row.kind} are called `{row.id}`"
            draft.declared.error("R0313", what, row.span, first=earlier.span, help="give one of them another id")


def declare_backs(draft: Draft) -> None:
    """Numbers the backs of pieces. Face-down pieces can be told apart if an attribute marked `back` differs, or if
    their kinds never share a place."""
    declared = draft.declared
    together = _kinds_together(draft)
    numbers: dict[tuple[object, ...], int] = {}
    pieces: list[PieceDecl] = []
    for number, piece in enumerate(declared.pieces):
        first = declared.kinds[piece.kind].first
        printed = tuple(
            (column.name, draft.read[piece.kind, column.name][number - first])
            for column in draft.columns.get(piece.kind, ())
            if column.is_back
        )
        # A coin is no card, whichever way up it lies: kinds that are never in one place are told apart by the place.
        back = numbers.setdefault((together[piece.kind], *printed), len(numbers))
        pieces.append(replace(piece, back=back))
    declared.pieces = pieces


def _kinds_together(draft: Draft) -> dict[str, str]:
    """For each kind, one kind that represents all kinds with which it shares a place."""
    leader = {kind: kind for kind in draft.declared.kinds}
    for owned in draft.declared.state.values():
        for state in owned.values():
            kinds = getattr(state, "kinds", ())
            merged = {leader[kind] for kind in kinds}
            if merged:
                chosen = min(merged)
                leader = {kind: chosen if lead in merged else lead for kind, lead in leader.items()}
    return leader


def owner_type(draft: Draft, kind: str) -> VType | None:
    """The type of the attribute `owner` of a kind, if it has one."""
    column = next((c for c in draft.columns.get(kind, ()) if c.name == "owner"), None)
    return column.type if column is not None and isinstance(column.type, Player) else None
