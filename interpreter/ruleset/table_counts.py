"""Compares the number of pieces that a table states under `pieces` with its rows.

A box states how many cards it has, and how many of each back. A table may do the same, `pieces: {all: 32, deck: 8}`:
the number of all pieces, and the number for each value of a column. A row that was forgotten or put into the wrong
deck is then found here.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.suggest import nearest
from .gathered import Row, Scalar

ALL = "all"


def check_counts(counts: Scalar | None, rows: tuple[Row, ...], columns: list[str], found: Diagnostics) -> None:
    """Reports every stated count that differs from the rows, copies included."""
    for column, stated in counts.value.items() if counts is not None else ():
        if column != ALL and column not in columns:
            likely = nearest(column, [*columns, ALL])
            found.error(
                "R0218",
                f"the table has no column `{column}` to count by",
                counts.keys[column],  # type: ignore[union-attr]
                help=f"did you mean `{likely}`?" if likely else "count by a column that the rules declare, or `all`",
            )
            continue
        for value, made in _made(column, rows).items():
            if made != stated.value:
                of = "the table" if column == ALL else f"`{column}: {value}`"
                what = f"{of} makes {made} pieces, not {stated.value}"
                help = "correct the rows or their copies, or the number"
                found.error("R0219", what, stated.span, "stated here", help=help)


def _made(column: str, rows: tuple[Row, ...]) -> dict[str, int]:
    """How many pieces there are for each value of the column."""
    if column == ALL:
        return {ALL: sum(row.copies for row in rows)}
    made: dict[str, int] = {}
    for row in rows:
        if column in row.cells:
            value = str(row.cells[column].plain())
            made[value] = made.get(value, 0) + row.copies
    return made
