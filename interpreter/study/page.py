"""What the HTML pages of all reports have in common: one look, and a frame that stands alone.

A page loads nothing: no script, no font and no picture from anywhere else, so it can be sent and kept as one file. It
fits a phone (wide tables scroll inside their own frame, with a shadow at the side where there is more, and leave out
drawings that say nothing beyond the numbers beside them) and follows a dark setting of the reader's screen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..files.shown import escape

_CODE = re.compile(r"`([^`]+)`")
_BETWEEN_PARTS = re.compile(r"([+_])")  # where the name of a game may go on in the next line

_STYLE = """
:root { color-scheme: light dark;
  --paper: #fff; --ink: #1f2937; --good: #7cc36e; --other: #8fb3e8; --strong: #1d4ed8; --lacking: #f6c7c3;
  --quiet: #6b7280; --line: #e5e7eb; --soft: #f6f7f9; --mark: #fdf6e3; --warn: #fff4d6; --warn-edge: #e3b341;
  --shade: #9ca3af88; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14171c; --ink: #e5e7eb; --good: #5c9e50; --other: #4a76b8; --strong: #8fb3ff; --lacking: #6e3531;
  --quiet: #9aa3af; --line: #323843; --soft: #1d2129; --mark: #33301c; --warn: #33301c; --warn-edge: #9a7a26;
  --shade: #000c; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
body { margin: 2rem auto; max-width: 78rem; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; }
p.sub { color: var(--quiet); margin-top: 0; } p.note { color: var(--quiet); max-width: 60rem; font-size: .9rem; }
.bar { display: flex; height: .9rem; border-radius: .3rem; overflow: hidden; max-width: 40rem; }
.bar i { background: var(--good); }
.wide { overflow-x: auto; margin: 0 -.6rem; background-repeat: no-repeat;
  background-attachment: local, local, scroll, scroll; background-position: left, right, left, right;
  background-size: 2.5rem 100%, 2.5rem 100%, .7rem 100%, .7rem 100%; background-image:
    linear-gradient(to right, var(--paper) 40%, transparent), linear-gradient(to left, var(--paper) 40%, transparent),
    linear-gradient(to right, var(--shade), transparent), linear-gradient(to left, var(--shade), transparent); }
table { border-collapse: collapse; width: 100%; }
table.listed td, table.listed th { text-align: left; vertical-align: top; padding: .28rem .6rem; }
table.listed td { border-bottom: 1px solid var(--line); }
table.listed td:first-child { min-width: 7rem; }
table.listed th { font-size: .85rem; color: var(--quiet); font-weight: 600; vertical-align: bottom; }
td.n, th.n { text-align: right !important; font-variant-numeric: tabular-nums; }
td.n { white-space: nowrap; }
svg { vertical-align: middle; max-width: 100%; height: auto; } svg text { font-family: inherit; fill: var(--quiet); }
td.drawn { white-space: nowrap; } td.drawn svg { max-width: none; }
.caution { background: var(--warn); border-left: .3rem solid var(--warn-edge); border-radius: .2rem; }
.caution { padding: .5rem .9rem; margin: .5rem 0; max-width: 60rem; }
a { color: var(--strong); text-decoration: none; } a:hover { text-decoration: underline; }
@media (max-width: 40rem) { body { margin: 1rem auto; padding: 0 .9rem; } h1 { font-size: 1.35rem; }
  table.listed { font-size: .87rem; } table.listed td, table.listed th { padding: .25rem .35rem; }
  table:has(th.drawn) :is(th, td).drawn, .of-drawing { display: none; } }
"""


def page(title: str, style: str, body: list[str]) -> str:
    """A whole page. `title` is plain text, `body` is HTML; `style` adds what only this report needs."""
    sized = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{sized}<title>{escape(title)}</title><style>{_STYLE}{style}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def heading(title: str, sub: str) -> list[str]:
    """The title of a report and what it was made from, both plain text."""
    return [f"<h1>{escape(title)}</h1>", f'<p class="sub">{escape(sub)}</p>']


def cautions(texts: Sequence[str]) -> list[str]:
    """What a reader must know first, in a frame that is not overlooked."""
    return [f'<div class="caution">{prose(text)}</div>' for text in texts]


def prose(text: str) -> str:
    """Plain text as HTML; what stands between backticks is shown as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def of_drawing(sentence: str) -> str:
    """What a note says about the drawings of a table (`td.drawn`), plain text: a narrow screen leaves out both."""
    return f'<span class="of-drawing">{escape(sentence)}</span>'


def bar(share: float, fill: str = "") -> str:
    """A bar filled from the left; `share` is from 0 to 1, `fill` a class for another colour."""
    kind = f' class="{fill}"' if fill else ""
    return f'<div class="bar"><i{kind} style="width:{100 * share:.1f}%"></i></div>'


def listed(heads: list[tuple[str, bool]], rows: list[str]) -> list[str]:
    """A table with a line of heads, each plain text and whether its column has numbers; `rows` are HTML. A table wider
    than the screen scrolls in its frame. A column without a head, other than the first, is a drawing (`td.drawn`)."""
    cells = []
    for number, (word, is_number) in enumerate(heads):
        kind = "n" if is_number else "drawn" if number and not word else ""
        shown = _BETWEEN_PARTS.sub(r"\1<wbr>", escape(word))
        cells.append(f'<th class="{kind}">{shown}</th>' if kind else f"<th>{shown}</th>")
    return ['<div class="wide"><table class="listed">', f"<tr>{''.join(cells)}</tr>", *rows, "</table></div>"]
