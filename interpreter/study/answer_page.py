"""An answer as one HTML page: yes or no, the figure with its interval, and how the interval became narrower game by
game until the answer was clear."""

from __future__ import annotations

from typing import Any

from ..files.shown import escape
from .page import cautions, heading, page
from .small_charts import narrowing
from .text_table import seeds_told, several

_STYLE = """
.verdict { font-size: 1.15rem; padding: .8rem 1.1rem; border-radius: .4rem; background: var(--soft); max-width: 60rem; }
.verdict b { font-size: 1.5rem; margin-right: .5rem; } .yes { border-left: .4rem solid var(--good); }
.no { border-left: .4rem solid #d9736a; } .unclear { border-left: .4rem solid var(--warn-edge); }
"""
_WORDS = {"yes": "Yes.", "no": "No.", "unclear": "It cannot be said."}


def answer_page(data: dict[str, Any]) -> str:
    """The page of the data of an answer, as `ask` gives it."""
    bots = ", ".join(dict.fromkeys(data["bots"]))
    sub = (
        f"{data['title']} ({data['game']}), {several(data['players'], 'player')}, bots {bots}, games {seeds_told(data)}"
    )
    body = [*heading(data["question"], sub), *cautions(data["cautions"]), *_verdict(data)]
    if len(data["looks"]) > 1:
        head = "What the games say so far" if data["answer"] == "unclear" else "How it became clear"
        body += [f"<h2>{head}</h2>", f"<p>{_drawn(data)}</p>", _note(data)]
    return page(f"{data['title']}: {data['question']}", _STYLE, body)


def _figure(data: dict[str, Any], number: float | None) -> str:
    if number is None:
        return "?"
    return f"{100 * number:.1f} %" if data["is_rate"] else f"{number:,.2f}"


def _verdict(data: dict[str, Any]) -> list[str]:
    low, high = (_figure(data, end) for end in data["interval"])
    told = f"{escape(data['figure'])}: {_figure(data, data['value'])} in {data['games']:,} games, "
    told += f"between {low} and {high}."
    return [f'<p class="verdict {data["answer"]}"><b>{_WORDS[data["answer"]]}</b> {told}</p>']


def _drawn(data: dict[str, Any]) -> str:
    looks = [tuple(look) for look in data["looks"]]
    return narrowing(looks, tuple(data["bounds"]), f"{data['figure']} over the games played", data["is_rate"])


def _note(data: dict[str, Any]) -> str:
    told = (
        "The line is the mean of all games up to there, the band its 95 % interval; dashed lines are the bounds "
        "that were asked about. It holds at all looks together, so it is wider than a usual one; "
        f"yes and no are each wrong at most {100 * data['error_rate']:.0f} times in 100."
    )
    if data["answer"] == "unclear":
        told += f" After {data['games']:,} games the band still reaches over a bound: the true value lies close to it."
    return f'<p class="note">{told}</p>'
