"""Coverage as one HTML page: the clauses as a table, then the text of the rules with marks beside every line.

A tag in the rules leads to its clause, a place in the table leads to its line.
"""

from __future__ import annotations

import re

from ..diagnostics.source import Source
from ..files.shown import escape
from .coverage import ClauseCoverage, Coverage
from .coverage_report import share_covered
from .page import bar, heading, listed, page

_STYLE = """
:root { --in-games: #d9f0d3; --in-scenarios: #fde9b8; --never: #f6c7c3; }
@media (prefers-color-scheme: dark) { :root { --in-games: #24402a; --in-scenarios: #463a17; --never: #5a2d2a; } }
.bar { background: var(--lacking); }
tr.lacking { background: color-mix(in srgb, var(--lacking) 30%, transparent); } tr.unneeded { color: var(--quiet); }
.legend span { padding: .1rem .5rem; border-radius: .25rem; margin-right: .6rem; }
table.rules { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; table-layout: auto; }
table.rules td { padding: 0 .6rem; white-space: pre; }
table.rules td.n { color: var(--quiet); width: 1%; }
table.rules td.text { white-space: pre-wrap; }
tr.games td.mark, .games-key { background: var(--in-games); }
tr.scenarios td.mark, .scenarios-key { background: var(--in-scenarios); }
tr.never td.mark, tr.never td.text, .never-key { background: var(--never); }
tr:target td { outline: 2px solid #1d4ed8; }
.comment { color: var(--quiet); }
"""


def coverage_page(coverage: Coverage) -> str:
    covered, clauses = share_covered(coverage)
    told = f"{covered} of {clauses} clauses covered, {coverage.games} games from seed {coverage.seed}"
    body = [
        *heading(coverage.title, f"{coverage.name}: {told}"),
        bar(covered / clauses if clauses else 0.0),
        "<h2>Clauses</h2>",
        *_clause_table(coverage),
        "<h2>The rules</h2>",
        '<p class="legend"><span class="games-key">executed in games</span>'
        '<span class="scenarios-key">only in scenarios</span><span class="never-key">never</span></p>',
    ]
    for number, source in enumerate(coverage.sources):
        body += _rules_table(coverage, source, number)
    return page(f"Coverage of {coverage.title}", _STYLE, body)


# ---------------------------------------------------------------------------- clauses


def _clause_table(coverage: Coverage) -> list[str]:
    words = ["clause", "what it says", "implemented", "scenarios", "in games", "in scenarios", "missing"]
    heads = [(word, word.startswith("in ")) for word in words]
    numbers = {source.name: number for number, source in enumerate(coverage.sources)}
    return listed(heads, [_clause_row(covered, numbers) for covered in coverage.clauses])


def _clause_row(covered: ClauseCoverage, numbers: dict[str, int]) -> str:
    clause = covered.clause
    kind = "lacking" if covered.missing else "unneeded" if not clause.needs_rule else ""
    summary = escape(clause.summary) + (f" <em>{escape(clause.reason)}</em>" if clause.reason else "")
    places = "<br>".join(dict.fromkeys(_place_link(one.at[0], one.at[1], numbers) for one in covered.implemented))
    tests = "<br>".join(escape(test.title) + (" (fails)" if test.passed is False else "") for test in covered.tested)
    counts = "".join(
        f'<td class="n">{"" if n is None else f"{n:,}"}</td>' for n in (covered.in_games, covered.in_scenarios)
    )
    lacks = ", ".join(covered.missing)
    return (
        f'<tr id="{escape(clause.id)}" class="{kind}"><td>{escape(clause.id)}</td><td>{summary}</td><td>{places}</td>'
        f"<td>{tests}</td>{counts}<td>{lacks}</td></tr>"
    )


def _place_link(file: str, line: int, numbers: dict[str, int]) -> str:
    shown = escape(f"{file.rsplit('/', 1)[-1]}:{line}")
    return f'<a href="#f{numbers[file]}-{line}">{shown}</a>' if file in numbers else shown


# ---------------------------------------------------------------------------- rules


def _rules_table(coverage: Coverage, source: Source, number: int) -> list[str]:
    lines = source.text.splitlines()
    rows = [_line_row(coverage, source, number, line, text) for line, text in enumerate(lines, 1)]
    return [f"<h2>{escape(source.name.rsplit('/', 1)[-1])}</h2>", '<table class="rules">', *rows, "</table>"]


def _line_row(coverage: Coverage, source: Source, number: int, line: int, text: str) -> str:
    counts = coverage.counts((source.name, line))
    kind, mark = "", ""
    if counts is not None:
        games, scenarios = counts
        kind = "games" if games else "scenarios" if scenarios else "never"
        mark = f"{games:,}" if games else f"({scenarios:,})" if scenarios else "0"
    return (
        f'<tr id="f{number}-{line}" class="{kind}"><td class="n">{line}</td><td class="n mark">{mark}</td>'
        f'<td class="text">{_marked(text)}</td></tr>'
    )


def _marked(text: str) -> str:
    """A line with its tags as links and its comment set back."""
    shown = escape(text)
    if text.lstrip().startswith("#"):
        return f'<span class="comment">{shown}</span>'
    return re.sub(r"@([A-Z][A-Z0-9]*-[A-Za-z0-9]+)", r'<a href="#\1">@\1</a>', shown)
