"""A simulation as one HTML page: who wins, how scores and lengths are distributed, how games end, what is chosen.

The figures are those of the report; the drawings come from the games themselves.
"""

from __future__ import annotations

from html import escape
from typing import Any

from .page import bar, heading, listed, page
from .report import game_rows, games_told, is_scored, number, percent, score_cells, short
from .simulate import Simulation
from .small_charts import Scale, histogram, scale_of, share_with_interval

_STYLE = """
td .bar { height: .45rem; margin-top: .35rem; background: var(--line); min-width: 8rem; }
.bar i.chosen { background: var(--other); }
svg { vertical-align: middle; } svg text { font-family: inherit; }
td.drawn { white-space: nowrap; }
tr.asked td { padding-top: 1rem !important; border-bottom-color: #cbd5e1; font-weight: 600; }
tr.asked span { color: var(--quiet); font-weight: 400; }
tr.never { background: #fdf0ef; }
p.note { color: var(--quiet); max-width: 60rem; }
"""
_SCORES = "#7cc36e"
_LENGTHS = "#8fb3e8"


def simulation_page(report: dict[str, Any], simulation: Simulation) -> str:
    told = f"{report['game']}: {games_told(report)}, bots {', '.join(dict.fromkeys(report['bots']))}"
    body = [
        *heading(report["title"], told),
        *_winners(report),
        *_scores(report, simulation),
        *_games(report, simulation),
        *_endings(report),
        *_choices(report),
    ]
    return page(f"Simulation of {report['title']}", _STYLE, body)


# ---------------------------------------------------------------------------- seats


def _winners(report: dict[str, Any]) -> list[str]:
    heads = [("seat", False), ("bot", False), ("wins", True), ("share", True), ("95 %", True), ("", False)]
    rows = [_winner_row(seat, report["players"]) for seat in report["seats"]]
    others = f"games that were shared: {number(report['shared'])}, without a winner: {number(report['without_winner'])}"
    notes = f"The dashed line is an even share of the games. A win is alone; {others}."
    return ["<h2>Who wins</h2>", *listed([*heads, ("shared", True)], rows), f'<p class="note">{escape(notes)}</p>']


def _winner_row(seat: dict[str, Any], players: int) -> str:
    low, high = seat["interval"]
    between = f"{percent(low)} - {percent(high)}"
    drawn = share_with_interval(seat["rate"], (low, high), 1 / players, f"{percent(seat['rate'])}, {between}")
    cells = [number(seat["wins"]), percent(seat["rate"]), between]
    return (
        f"<tr>{_seat_cells(seat)}{_numbers(cells)}"
        f'<td class="drawn">{drawn}</td><td class="n">{number(seat["shared"])}</td></tr>'
    )


def _scores(report: dict[str, Any], simulation: Simulation) -> list[str]:
    """One histogram per seat, all on the same scale; nothing for a game without scores."""
    if not any(is_scored(seat["score"]) for seat in report["seats"]):
        return []
    scores = [[outcome.scores[seat] for outcome in simulation.outcomes] for seat in range(report["players"])]
    scale = scale_of([score for own in scores for score in own])
    words = ["mean", "sd", "min", "q1", "median", "q3", "max"]
    heads = [("seat", False), *((word, True) for word in words), ("how often which score", False)]
    rows = [_score_row(seat, own, scale) for seat, own in zip(report["seats"], scores, strict=True)]
    return ["<h2>Scores</h2>", *listed(heads, rows), f'<p class="note">{escape(_bars_told(scale, "points"))}</p>']


def _score_row(seat: dict[str, Any], scores: list[int], scale: Scale) -> str:
    drawn = histogram(scores, scale, _SCORES, f"scores of {seat['name']}")
    cells = _numbers(score_cells(seat["score"]))
    return f'<tr><td>{seat["seat"]} {escape(seat["name"])}</td>{cells}<td class="drawn">{drawn}</td></tr>'


def _seat_cells(seat: dict[str, Any]) -> str:
    return f"<td>{seat['seat']} {escape(seat['name'])}</td><td>{escape(seat['bot'])}</td>"


def _numbers(cells: list[str]) -> str:
    return "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)


def _bars_told(scale: Scale, words: str) -> str:
    each = "one value" if scale.width == 1 else f"{scale.width:,} {words}"
    return f"Each bar is {each}; the dashed line is the mean."


# ---------------------------------------------------------------------------- games


def _games(report: dict[str, Any], simulation: Simulation) -> list[str]:
    lengths = [outcome.decisions for outcome in simulation.outcomes]
    scale = scale_of(lengths)
    drawn = histogram(lengths, scale, _LENGTHS, "decisions a game", wide=640)
    rows = [f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>" for name, text in game_rows(report)]
    return [
        "<h2>Length of a game, in decisions</h2>",
        f"<p>{drawn}</p>",
        f'<p class="note">{escape(_bars_told(scale, "decisions"))}</p>',
        '<table class="listed">',
        *rows,
        "</table>",
    ]


def _endings(report: dict[str, Any]) -> list[str]:
    if not any(report["endings"]):
        return []
    rows = []
    for reason, games in report["endings"].items():
        share = games / max(report["games"], 1)
        cells = _numbers([number(games), percent(share)])
        rows.append(f"<tr><td>{escape(reason or 'played out')}</td>{cells}<td>{bar(share)}</td></tr>")
    heads = [("how", False), ("games", True), ("share", True), ("", False)]
    return ["<h2>How games ended</h2>", *listed(heads, rows)]


# ---------------------------------------------------------------------------- choices


def _choices(report: dict[str, Any]) -> list[str]:
    """Decision by decision what was chosen how often; what never was stands out."""
    asked: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for choice in report["choices"]:
        asked.setdefault((choice["rule"], choice["prompt"]), []).append(choice)
    rows: list[str] = []
    for (rule, prompt), choices in asked.items():
        rows.append(_asked_row(rule, prompt))
        whole = sum(choice["taken"] for choice in choices)
        rows += [_choice_row(choice, whole, report["games"]) for choice in choices]
    if not rows:
        return []
    heads = [("chosen", False), ("times", True), ("a game", True), ("of these", True), ("", False), ("in games", True)]
    note = "Texts as the rules write them, in their order. What was never chosen is marked; a choice without an "
    note += "alternative is made by the game and not counted."
    return ["<h2>What is chosen</h2>", *listed(heads, rows), f'<p class="note">{escape(note)}</p>']


def _asked_row(rule: str, prompt: str) -> str:
    told = f"{escape(prompt)} <span>{escape(rule)}</span>" if prompt else escape(rule)
    return f'<tr class="asked"><td colspan="6">{told}</td></tr>'


def _choice_row(choice: dict[str, Any], whole: int, games: int) -> str:
    taken = choice["taken"]
    share = taken / whole if whole else 0.0
    often = short(taken / games, 2) if games else "0"
    cells = _numbers([number(taken), often, percent(share)])
    kind = "" if taken else ' class="never"'
    seen = _numbers([percent(choice["games"] / games if games else 0.0)])
    return f"<tr{kind}><td>{escape(choice['label'])}</td>{cells}<td>{bar(share, 'chosen')}</td>{seen}</tr>"
