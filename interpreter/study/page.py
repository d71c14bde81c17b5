"""What the HTML pages of all reports have in common: one look, and a frame that stands alone.

A page loads nothing: no script, no font and no picture from anywhere else, so it can be sent and kept as one file.
"""

from __future__ import annotations

from html import escape

_STYLE = """
:root { --good: #7cc36e; --other: #8fb3e8; --lacking: #f6c7c3; --quiet: #6b7280; --line: #e5e7eb; }
body { font: 15px/1.45 system-ui, sans-serif; color: #1f2937; }
body { margin: 2rem auto; max-width: 78rem; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p.sub { color: var(--quiet); margin-top: 0; }
.bar { display: flex; height: .9rem; border-radius: .3rem; overflow: hidden; max-width: 40rem; }
.bar i { background: var(--good); }
table { border-collapse: collapse; width: 100%; }
table.listed td, table.listed th { text-align: left; vertical-align: top; padding: .28rem .6rem; }
table.listed td { border-bottom: 1px solid var(--line); }
table.listed th { position: sticky; top: 0; background: #fff; }
td.n, th.n { text-align: right !important; font-variant-numeric: tabular-nums; white-space: nowrap; }
a { color: #1d4ed8; text-decoration: none; } a:hover { text-decoration: underline; }
"""


def page(title: str, style: str, body: list[str]) -> str:
    """A whole page. `title` is plain text, `body` is HTML; `style` adds what only this report needs."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}{style}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def heading(title: str, sub: str) -> list[str]:
    """The title of a report and what it was made from, both plain text."""
    return [f"<h1>{escape(title)}</h1>", f'<p class="sub">{escape(sub)}</p>']


def bar(share: float, fill: str = "") -> str:
    """A bar filled from the left; `share` is from 0 to 1, `fill` a class for another colour."""
    kind = f' class="{fill}"' if fill else ""
    return f'<div class="bar"><i{kind} style="width:{100 * share:.1f}%"></i></div>'


def listed(heads: list[tuple[str, bool]], rows: list[str]) -> list[str]:
    """A table with a line of heads, each plain text and whether its column has numbers; `rows` are HTML."""
    shown = "".join(f"<th{' class=n' if is_number else ''}>{escape(word)}</th>" for word, is_number in heads)
    return ['<table class="listed">', f"<tr>{shown}</tr>", *rows, "</table>"]
