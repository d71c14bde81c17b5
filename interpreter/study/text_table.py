"""Tables of plain text, for reports and screens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = (), indent: str = "") -> list[str]:
    """Rows as lines with columns of equal width, flush left but for the columns in `right`."""
    widths: list[int] = []
    for row in rows:
        widths += [0] * (len(row) - len(widths))
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], len(cell))
    lines = []
    for row in rows:
        cells = [
            cell.rjust(widths[column]) if column in right else cell.ljust(widths[column])
            for column, cell in enumerate(row)
        ]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def seeds_told(report: dict[str, Any]) -> str:
    """Which seeds the games of a report have."""
    return f"of seeds spread from {report['seed']}" if report["spread"] else f"from seed {report['seed']}"


def several(count: int, thing: str) -> str:
    """`1 player`, `1,200 games`."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
