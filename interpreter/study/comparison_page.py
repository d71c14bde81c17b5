"""A comparison as one HTML page: what differs in the rules, what that changes in words, then every figure with its
interval drawn."""

from __future__ import annotations

from typing import Any

from ..files.shown import escape
from .compare import REMARK
from .comparison_text import comparison_head, line_cells, shared_told, told_of_seats
from .page import bar, cautions, heading, listed, page
from .small_charts import difference_with_interval

_STYLE = """
td:first-child { min-width: 9rem; }
table.listed th, table.listed th.n { white-space: normal; max-width: 10rem; }
tr.significant { background: var(--mark); } tr.significant td:first-child { font-weight: 600; }
td .bar { height: .45rem; margin-top: .3rem; background: var(--line); }
.bar i.second { background: var(--other); }
.key { padding: .1rem .5rem; background: var(--mark); border-radius: .25rem; }
ul.found { padding-left: 1.2rem; } ul.found li { margin: .35rem 0; font-size: 1.05rem; }
details { margin: .3rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--soft); padding: .6rem .8rem; border-radius: .4rem; font-size: .82rem; }
"""

_FEW_LINES = 14  # of a rule that changed: so many are shown at once


def comparison_page(comparison: dict[str, Any]) -> str:
    first, second = (one["game"] for one in comparison["compared"])
    title = f"{first} and {second}"
    heads = [("", False), (first, True), (second, True), ("difference", True), ("95 % interval", True)]
    heads += [("", False), ("by chance", True), ("can show", True), ("paired", True)]
    body = [
        *heading(title, comparison_head(comparison)),
        *_titles(comparison),
        *cautions(comparison["cautions"]),
        *_rules(comparison, first, second),
        *_sentences(comparison),
        "<h2>All figures</h2>",
        *listed(heads, [_row(line, comparison["games"]) for line in comparison["lines"]]),
        f'<p class="note"><span class="key">marked</span> {escape(REMARK)}; each interval is for its own line. '
        "± is the standard deviation from game to game. <i>can show</i> is the smallest difference that this many "
        "games find four times in five; <i>paired</i> says how many times as many games it would take without equal "
        f"{' '.join(['seeds.', *shared_told(comparison['lines'], lambda line: any(line['figures']))])}</p>",
    ]
    return page(f"Comparison of {title}", _STYLE, body)


def _titles(comparison: dict[str, Any]) -> list[str]:
    """The titles of the two games; only once if they are the same, as often with a variant."""
    titles = dict.fromkeys(one["title"] for one in comparison["compared"])
    return [f"<p>{escape(' and '.join(titles))}</p>"]


def _rules(comparison: dict[str, Any], first: str, second: str) -> list[str]:
    body = [f"<h2>How {escape(second)} differs from {escape(first)}</h2>"]
    if not comparison["rules"]:
        return [*body, "<p>Not at all: both have the same rules and data.</p>"]
    for entry in comparison["rules"]:
        named = f"{escape(entry['what'])} <code>{escape(entry['name'])}</code>"
        if len(entry["lines"]) == 1 and "at" not in entry:
            body.append(f"<p>{named}: {escape(entry['lines'][0])}</p>")
        else:
            lines = escape("\n".join(entry["lines"]))
            at = f", {escape(entry['at'])}" if "at" in entry else ""
            is_open = " open" if len(entry["lines"]) <= _FEW_LINES else ""
            body.append(f"<details{is_open}><summary>{named}{at}</summary><pre>{lines}</pre></details>")
    return body


def _sentences(comparison: dict[str, Any]) -> list[str]:
    found = comparison["sentences"] or ["No figure is shown to differ."]
    told = [f"<li>{escape(sentence)}</li>" for sentence in [*found, *told_of_seats(comparison)]]
    return ["<h2>What that changes</h2>", '<ul class="found">', *told, "</ul>"]


def _row(line: dict[str, Any], games: int) -> str:
    name, *figures, difference, between, chance, shown, gain = (escape(cell) for cell in line_cells(line, games))
    # Only a rate has a whole that a bar can fill: a mean may be negative, and its zero says nothing.
    is_rate = line["kind"] == "rate"
    bars = [bar(share, "second" if number else "") if is_rate else "" for number, share in enumerate(line["figures"])]
    cells = "".join(f'<td class="n">{figure}{drawn}</td>' for figure, drawn in zip(figures, bars, strict=True))
    cells += f'<td class="n">{difference}</td><td class="n">{between}</td>'
    drawn = ""
    if line["interval"] is not None:
        drawn = difference_with_interval(line["difference"], tuple(line["interval"]), line["smallest"], line["name"])
    kind = ' class="significant"' if line["significant"] else ""
    after = "".join(f'<td class="n">{cell}</td>' for cell in (chance, shown, gain))
    return f'<tr{kind}><td>{name}</td>{cells}<td class="drawn">{drawn}</td>{after}</tr>'
