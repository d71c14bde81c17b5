"""A tournament as one HTML page: who is stronger in words, then ratings and pairs with their intervals drawn, then how
much the seat mattered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..files.shown import escape
from .page import cautions, heading, listed, of_drawing, page, prose
from .small_charts import on_a_scale, share_with_interval
from .statistics import moments_of, wilson_interval
from .text_table import several

_STYLE = """
ul.found { padding-left: 1.2rem; } ul.found li { margin: .35rem 0; font-size: 1.05rem; }
td.bot { white-space: nowrap; font-weight: 600; } svg { max-width: none; }
table.cross { width: auto; } table.cross td, table.cross th { padding: .28rem .8rem; }
table.cross th { text-align: left; font-size: .85rem; } table.cross td { text-align: right; white-space: nowrap; }
table.cross td small { display: block; color: var(--quiet); }
td.self { background: var(--soft); } td.ahead { background: var(--mark); }
@media (max-width: 40rem) { table.cross { font-size: .87rem; }
  table.cross td, table.cross th { padding: .3rem .4rem; } }
"""


def tournament_page(report: dict[str, Any]) -> str:
    """The page of a report, also of one in which no round was complete."""
    title = f"{report['title']}: which bot is stronger"
    body = [*heading(title, tournament_head(report)), *_stopped(report)]
    if report["ratings"]:
        body += [*_sentences(report), *_paid(report), *_ratings(report), *_pairs(report), *_seats(report)]
    return page(title, _STYLE, body)


def tournament_head(report: dict[str, Any]) -> str:
    """What was played, in one line."""
    return (
        f"{report['game']}, {several(report['players'], 'player')}, {several(report['rounds'], 'round')}, "
        f"{several(len(report['games']), 'game')}, from seed {report['seed']}"
    )


def pair_sentences(report: dict[str, Any]) -> list[str]:
    """For each pair who is stronger, or that it is not shown."""
    of = "games" if report["players"] == 2 else "comparisons by rank"
    if is_of_teams(report):
        of = "games on the same seeds"
    return [_sentence(pair, of) for pair in report["pairs"] if pair["comparisons"]]


def is_of_teams(report: dict[str, Any]) -> bool:
    """Whether each bot had the table to itself: one player alone, or players who win or lose together."""
    tables = [{kind for kind in game["seats"] if kind is not None} for game in report.get("games", ())]
    return bool(tables) and all(len(kinds) == 1 for kinds in tables)


def team_sentences(report: dict[str, Any]) -> list[str]:
    """What each bot came to that had the table to itself: who takes the better results from whom does not say how good
    they are."""
    if not is_of_teams(report):
        return []
    found, worth = [], {max(game["returns"]) for game in report["games"]}
    for name in [one["bot"] for one in report["ratings"]]:
        own = [game for game in report["games"] if name in game["seats"]]
        seat = own[0]["seats"].index(name)
        told = []
        if len(worth) > 1:  # some were won and some lost: else the rules may know no winner
            won = sum(max(game["returns"]) == max(worth) for game in own)
            told.append(f"wins {won:,} of its {several(len(own), 'game')} ({_percent(won / len(own))})")
        if any(game["scores"][seat] for game in report["games"]):
            mean = sum(game["scores"][seat] for game in own) / len(own)
            told.append(f"has {mean:.2f} points on average")
        if told:
            found.append(f"`{name}` {' and '.join(told)}.")
    return found


def wins_note(report: dict[str, Any]) -> str:
    """Of what the shares are that stand below `wins`."""
    if is_of_teams(report):
        return "wins: of its comparisons with the others' games on the same seeds, the better result wins."
    if report["players"] == 2:
        return ""
    told = "wins: of its comparisons by rank with each other at a table."
    return told + " Where the rules name a winner, the others are not compared."


def _sentence(pair: dict[str, Any], of: str) -> str:
    one, other = f"`{pair['bot']}`", f"`{pair['against']}`"
    share = f"{_percent(pair['share'])} of {pair['comparisons']:,} {of}, 95 % between {_between(pair)}"
    if pair["low"] > 0.5:
        return f"{one} beats {other}: it takes {share}."
    if pair["high"] < 0.5:
        return f"{other} beats {one}, which takes {share}."
    return f"Which of {one} and {other} is stronger is not shown: {one} takes {share}. More rounds may tell."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _between(pair: dict[str, Any]) -> str:
    return f"{100 * pair['low']:.0f} and {100 * pair['high']:.0f}"


def _stopped(report: dict[str, Any]) -> list[str]:
    if report["stopped_by"] is None:
        return []
    done = f"{report['rounds']} of {report['asked_rounds']} rounds were complete, and are reported."
    return cautions([f"The tournament was stopped before its end: {report['stopped_by']}. {done}"])


def _sentences(report: dict[str, Any]) -> list[str]:
    told = [f"<li>{prose(sentence)}</li>" for sentence in [*pair_sentences(report), *team_sentences(report)]]
    return ["<h2>Who beats whom</h2>", '<ul class="found">', *told, "</ul>"]


def _paid(report: dict[str, Any]) -> list[str]:
    return [f"<p>{escape(text)}</p>" for text in payoff_sentences(report)]


def _ratings(report: dict[str, Any]) -> list[str]:
    ratings = report["ratings"]
    most = max(max(abs(one["low"]), abs(one["high"])) for one in ratings)
    rows = []
    for one in ratings:
        told = f"{one['bot']}: {one['rating']:+.0f}, between {one['low']:+.0f} and {one['high']:+.0f}"
        rows.append(
            f'<tr><td class="bot">{escape(one["bot"])}</td><td class="n">{one["rating"]:+.0f}</td>'
            f'<td class="n">{one["low"]:+.0f} … {one["high"]:+.0f}</td>'
            f'<td class="drawn">{on_a_scale(one["rating"], (one["low"], one["high"]), most, told)}</td>'
            f'<td class="n">{_percent(one["share"])}</td><td class="n">{one["comparisons"]:,}</td></tr>'
        )
    heads = [("bot", False), ("Elo", True), ("95 %", True), ("", False), ("wins", True), ("of", True)]
    note = "The mean of all bots is 0; 200 more is a win in three games of four. A draw is half a win. Every round is "
    if is_of_teams(report):
        note += "one seed, which each bot plays with the table to itself; the better result wins. Intervals "
    else:
        note += "one seed, in which all line-ups play in all rotations of the seats"
        if report["players"] > 2:
            note += "; three bots or more at one table sit in another order from round to round"
        note += ". Where the rules name a winner, the "
        note += "others are not compared with each other. Intervals "
    note += "come from the spread between rounds."
    return ["<h2>Ratings</h2>", *listed(heads, rows), f'<p class="note">{note}</p>']


def _pairs(report: dict[str, Any]) -> list[str]:
    names = [one["bot"] for one in report["ratings"]]
    met = {(pair["bot"], pair["against"]): pair for pair in report["pairs"]}
    corner = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    lines = [
        f'<tr><th scope="row">{escape(one)}</th>' + "".join(_cell(one, other, met) for other in names) + "</tr>"
        for one in names
    ]
    cross = ['<div class="wide"><table class="cross">', f"<tr><th></th>{corner}</tr>", *lines, "</table></div>"]
    note = (
        "Each row is the share of the games that its bot takes from the one above the column, with the interval (95 %) "
    )
    note += "for that pair alone; marked where the interval lies above one half."
    return ["<h2>Pairs</h2>", *cross, f'<p class="note">{note}</p>']


def _cell(one: str, other: str, met: dict[tuple[str, str], dict[str, Any]]) -> str:
    if one == other:
        return '<td class="self"></td>'
    pair = met.get((one, other))
    if pair is None:
        turned = met[other, one]
        pair = {**turned, "share": 1 - turned["share"], "low": 1 - turned["high"], "high": 1 - turned["low"]}
    if not pair["comparisons"]:
        return "<td>–</td>"
    kind = ' class="ahead"' if pair["low"] > 0.5 else ""
    return f"<td{kind}>{_percent(pair['share'])}<small>{100 * pair['low']:.0f} … {_percent(pair['high'])}</small></td>"


def _seats(report: dict[str, Any]) -> list[str]:
    """How often each seat won alone. All bots have had each seat equally often, so this is what the seat is worth."""
    games = report["games"]
    seats = [seat for seat in range(report["players"]) if games[0]["seats"][seat] is not None]
    if len(seats) < 2 or is_of_teams(report):
        return []
    rows = []
    for seat in seats:
        share, interval = _share_of_seat(games, seat)
        drawn = share_with_interval(share, interval, 1 / len(seats), f"seat {seat + 1} wins {_percent(share)}")
        between = f"{100 * interval[0]:.0f} … {_percent(interval[1])}"
        rows.append(
            f'<tr><td>seat {seat + 1}</td><td class="n">{_percent(share)}</td><td class="n">{between}</td>'
            f'<td class="drawn">{drawn}</td></tr>'
        )
    heads = [("", False), ("wins alone", True), ("95 %", True), ("", False)]
    note = "Over all games, whoever sat there: every bot had every seat equally often. "
    note += of_drawing("The dashed line is an equal share.")
    return ["<h2>Seats</h2>", *listed(heads, rows), f'<p class="note">{note}</p>']


def _share_of_seat(games: Sequence[dict[str, Any]], seat: int) -> tuple[float, tuple[float, float]]:
    """The share of games that a seat won alone, and its interval: by the spread between rounds, whose games belong
    together, and never narrower than the number of games allows."""
    by_round: dict[int, list[bool]] = {}
    for game in games:
        by_round.setdefault(game["round"], []).append(_won_alone(game["returns"], seat))
    shares = [sum(won) / len(won) for won in by_round.values()]
    low, high = wilson_interval(sum(map(sum, by_round.values())), len(games))
    if len(shares) > 1:
        of_rounds = moments_of(shares).interval()
        low, high = max(0.0, min(low, of_rounds[0])), min(1.0, max(high, of_rounds[1]))
    return sum(shares) / len(shares), (low, high)


def _won_alone(returns: Sequence[float], seat: int) -> bool:
    return all(returns[seat] > other for number, other in enumerate(returns) if number != seat)


def payoff_sentences(report: dict[str, Any]) -> list[str]:
    """Where the rules say what a game is worth, wins say too little: whoever folds often loses often, and little."""
    if not report["payoffs"]:
        return []
    found = ["Bots play for what this game pays; games won count for less than that."]
    for one in report["payoffs"]:
        low, high = one["interval"]
        sure = f", 95 % between {low:+.2f} and {high:+.2f}" if low is not None and high is not None else ""
        found.append(f"{one['bot']} gets {one['mean']:+.2f} a game against {one['against']}{sure}.")
    return found
