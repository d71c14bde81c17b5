"""A comparison as one HTML page: the figures of both games side by side, significant differences marked."""

from __future__ import annotations

from html import escape
from typing import Any

from .compare import REMARK, comparison_head, line_cells
from .page import bar, heading, listed, page

_STYLE = """
tr.significant { background: #fdf6e3; } tr.significant td:first-child { font-weight: 600; }
td .bar { height: .45rem; margin-top: .3rem; background: var(--line); }
.bar i.second { background: var(--other); }
.key { padding: .1rem .5rem; background: #fdf6e3; border-radius: .25rem; }
"""


def comparison_page(comparison: dict[str, Any]) -> str:
    first, second = (one["game"] for one in comparison["compared"])
    title = f"{first} and {second}"
    heads = [("", False), (first, True), (second, True), ("difference", True), ("by chance", True)]
    body = [
        *heading(title, comparison_head(comparison)),
        *_titles(comparison),
        *listed(heads, [_row(line) for line in comparison["lines"]]),
        f'<p><span class="key">marked</span> {escape(REMARK)}</p>',
    ]
    return page(f"Comparison of {title}", _STYLE, body)


def _titles(comparison: dict[str, Any]) -> list[str]:
    """The titles of the two games; only once if they are the same, as often with a variant."""
    titles = dict.fromkeys(one["title"] for one in comparison["compared"])
    return [f"<p>{escape(' and '.join(titles))}</p>"]


def _row(line: dict[str, Any]) -> str:
    name, *figures, difference, chance = (escape(cell) for cell in line_cells(line))
    bars = [bar(_share(line, number), "second" if number else "") for number in range(2)]
    cells = "".join(f'<td class="n">{figure}{drawn}</td>' for figure, drawn in zip(figures, bars, strict=True))
    kind = ' class="significant"' if line["significant"] else ""
    return f'<tr{kind}><td>{name}</td>{cells}<td class="n">{difference}</td><td class="n">{chance}</td></tr>'


def _share(line: dict[str, Any], number: int) -> float:
    """The length of a bar: a rate as a share of all games, a mean as a share of the larger of the two."""
    whole = 1.0 if line["kind"] == "rate" else max(abs(figure) for figure in line["figures"])
    return abs(line["figures"][number]) / whole if whole else 0.0
