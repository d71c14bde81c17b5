"""A simulation as one HTML page: who wins, what scores are made of, how long games take, what is used.

The figures are those of the report; the drawings come from its sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..files.shown import escape
from .page import bar, cautions, heading, listed, of_drawing, page, prose
from .report_text import (
    fewest_told,
    game_rows,
    games_told,
    has_automa,
    is_always_shared,
    is_scored,
    may_share_first,
    number,
    percent,
    score_cells,
    seat_wins,
    short,
    wins_together,
    wins_with_others,
    wins_word,
)
from .simulate import Simulation
from .small_charts import Scale, histogram, scale_of, share_with_interval

_STYLE = """
td .bar { height: .45rem; margin-top: .35rem; background: var(--line); min-width: 8rem; }
.bar i.chosen { background: var(--other); }
p.answer { font-size: 1.1rem; max-width: 60rem; }
tr.asked td { padding-top: 1rem !important; font-weight: 600; }
tr.asked span { color: var(--quiet); font-weight: 400; }
tr.never { background: var(--lacking); }
tr.clear td:first-child { font-weight: 600; }
details { margin: 1.6rem 0; } summary { cursor: pointer; font-size: 1.2rem; font-weight: 600; }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; }
.tiles div { background: var(--soft); border-radius: .5rem; padding: .7rem 1rem; min-width: 8.5rem; }
.tiles b { display: block; font-size: 1.5rem; line-height: 1.2; }
.tiles span { color: var(--quiet); font-size: .85rem; }
@media (max-width: 40rem) { .tiles { gap: .5rem; }
  .tiles div { flex: 1 1 40%; min-width: 0; padding: .5rem .7rem; } .tiles b { font-size: 1.25rem; } }
"""
_SCORES = "#7cc36e"
_LENGTHS = "#8fb3e8"
_SHOWN_AT_ONCE = 40  # things used; more are folded away


def simulation_page(report: dict[str, Any], simulation: Simulation) -> str:
    told = f"{report['game']}: {games_told(report)}, bots {', '.join(dict.fromkeys(report['bots']))}"
    body = [
        *heading(report["title"], told),
        *cautions(report["cautions"]),
        *_tiles(report),
        *_winners(report),
        *_scores(report, simulation),
        *_sheet(report),
        *_games(report, simulation),
        *_endings(report),
        *_used(report),
        *_choices(report),
        *_rules(report),
    ]
    return page(f"Simulation of {report['title']}", _STYLE, body)


def _tiles(report: dict[str, Any]) -> list[str]:
    """The few figures that everybody asks for first."""
    tiles: list[tuple[str, str]] = []
    together = wins_together(report)
    if together is not None:
        tiles.append((percent(together[0]), "of the games are won, by all players together"))
    elif is_always_shared(report):
        tiles.append((percent(1.0), "of the games have a first place that all players share"))
    elif has_automa(report):
        own = [seat for seat in report["seats"] if seat["bot"] != "automa"]
        tiles += [(percent(seat_wins(report, seat)[1]), f"of the games go to {seat['name']}") for seat in own[:1]]
    elif report["first_seat"] is not None:
        first = report["first_seat"]
        tiles.append((percent(first["won"]), f"of the games go to the first seat (even: {percent(first['even'])})"))
    if report["minutes"] is not None:
        tiles.append((f"{short(report['minutes']['mean'], 0)} min", "a game, estimated"))
    if report["turns"] is not None:
        tiles.append((short(report["turns"]["mean"], 1), "turns a game, of all players"))
    if report["length"] is not None:
        tiles.append((short(report["length"]["mean"], 1), "choices a game, of all players"))
    tiles.append((short(report["branching"], 1), "options a choice"))
    if report["comebacks"] is not None:
        tiles.append((percent(report["comebacks"]["rate"]), "of winners were behind at half time"))
    shown = "".join(f"<div><b>{escape(figure)}</b><span>{escape(words)}</span></div>" for figure, words in tiles)
    return [f'<div class="tiles">{shown}</div>']


# ---------------------------------------------------------------------------- seats


def _winners(report: dict[str, Any]) -> list[str]:
    together = wins_together(report)
    if together is not None:
        return _won_together(report, *together)
    shares = wins_with_others(report)
    heads = [
        ("seat", False),
        ("bot", False),
        (wins_word(report), True),
        ("share", True),
        ("95 % interval", True),
        ("", False),
    ]
    even = _even_share(report)
    rows = [_winner_row(report, seat, even) for seat in report["seats"]]
    others = f"games that were shared: {number(report['shared'])}, without a winner: {number(report['without_winner'])}"
    alone = "Nobody wins alone here" if shares else "A win is alone"
    notes = f"{alone}; {others}. The interval (exact) holds the "
    notes += "true share at least 95 times in 100, for each seat by itself. "
    if has_automa(report):
        notes += "An automa plays by rules of its own, so no share would be even."
    elif even is None:
        notes += "No seat is better than another."
    elif report["smallest"] < 1 - even:
        notes += f"This many games can show {percent(report['smallest'])} "
        notes += "more or less than an even share, four times in five."
    else:
        notes += "So few games can show no seat to win more or less than an even share."
    answer = []
    if report["first_seat"] is not None:
        answer = [f'<p class="answer">{escape(report["first_seat"]["sentence"])}</p>']
    table = listed([*heads, *([("shares first", True)] if may_share_first(report) else [])], rows)
    dashed = of_drawing("The dashed line is an even share of the games. ") if even is not None else ""
    return ["<h2>Who wins</h2>", *answer, *table, f'<p class="note">{dashed}{escape(notes)}</p>']


def _even_share(report: dict[str, Any]) -> float | None:
    """What each seat would win if all were equal; None where that says nothing."""
    if has_automa(report) or is_always_shared(report):
        return None
    even: float = report["first_seat"]["even"] if wins_with_others(report) else 1 / report["players"]
    return even


def _won_together(report: dict[str, Any], rate: float, interval: tuple[float, float]) -> list[str]:
    """All win or nobody does: one row for all seats."""
    heads = [("", False), ("wins", True), ("share", True), ("95 % interval", True), ("", False)]
    between = f"{percent(interval[0])} - {percent(interval[1])}"
    drawn = share_with_interval(rate, interval, None, f"{percent(rate)}, {between}")
    cells = _numbers([number(report["shared"]), percent(rate), between])
    row = f'<tr><td>all players together</td>{cells}<td class="drawn">{drawn}</td></tr>'
    sentence = report["first_seat"]["sentence"] if report["first_seat"] is not None else ""
    answer = [f'<p class="answer">{escape(sentence)}</p>'] if sentence else []
    notes = (
        f"Games without a winner: {number(report['without_winner'])}. The interval (Wilson) holds the true share 95 "
    )
    return [
        "<h2>Who wins</h2>",
        *answer,
        *listed(heads, [row]),
        f'<p class="note">{escape(notes + "times in 100.")}</p>',
    ]


def _winner_row(report: dict[str, Any], seat: dict[str, Any], even: float | None) -> str:
    wins, rate, (low, high) = seat_wins(report, seat)
    between = f"{percent(low)} - {percent(high)}"
    drawn = share_with_interval(rate, (low, high), even, f"{percent(rate)}, {between}")
    shared = _numbers([number(seat["shared"])]) if may_share_first(report) else ""
    cells = _numbers([number(wins), percent(rate), between])
    return f'<tr>{_seat_cells(seat)}{cells}<td class="drawn">{drawn}</td>{shared}</tr>'


def _scores(report: dict[str, Any], simulation: Simulation) -> list[str]:
    """One row per seat, all histograms on the same scale; nothing for a game without scores."""
    if not any(is_scored(seat["score"]) for seat in report["seats"]):
        return []
    scores = simulation.tally.scores
    scale = scale_of([score for own in scores for score in own])
    words = ["mean", "sd", "min", "q1", "median", "q3", "max"]
    heads = [("seat", False), *((word, True) for word in words), ("how often which score", False)]
    rows = [_score_row(seat, own, scale) for seat, own in zip(report["seats"], scores, strict=True)]
    told = " ".join([*fewest_told(report), _bars_told(scale, "points")])
    return ["<h2>Scores</h2>", *listed(heads, rows), f'<p class="note">{escape(told)}</p>']


def _score_row(seat: dict[str, Any], scores: Mapping[int, int], scale: Scale) -> str:
    drawn = histogram(scores, scale, _SCORES, f"scores of {seat['name']}")
    cells = _numbers(score_cells(seat["score"]))
    return f'<tr><td>{seat["seat"]} {escape(seat["name"])}</td>{cells}<td class="drawn">{drawn}</td></tr>'


def _sheet(report: dict[str, Any]) -> list[str]:
    if not report["sheet"]:
        return []
    seats = [(f"{seat['name']}: mean ± sd", True) for seat in report["seats"]]
    rows = []
    for line in report["sheet"]:
        own = [f"{short(m, 2)} ± {short(sd, 2)}" for m, sd in zip(line["means"], line["sds"], strict=True)]
        decides = line["decides"] or 0.0
        drawn = bar(min(1.0, max(0.0, decides)))
        told = _numbers([percent(decides)]) + f"<td>{drawn}</td>"
        rows.append(f"<tr><td>{escape(line['line'])}</td>{_numbers(own)}{told}</tr>")
    note = "± is the standard deviation from game to game. A line decides as much as it makes scores differ: the "
    note += "shares of all lines add up to 100 %; below zero, the line helps whoever is behind."
    heads = [("line", False), *seats, ("decides", True), ("", False)]
    return ["<h2>The score sheet</h2>", *listed(heads, rows), f'<p class="note">{escape(note)}</p>']


def _seat_cells(seat: dict[str, Any]) -> str:
    return f"<td>{seat['seat']} {escape(seat['name'])}</td><td>{escape(seat['bot'])}</td>"


def _numbers(cells: list[str]) -> str:
    return "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)


def _bars_told(scale: Scale, words: str) -> str:
    each = "one value" if scale.width == 1 else f"{scale.width:,} {words}"
    return f"Each bar is {each}; the dashed line is the mean."


# ---------------------------------------------------------------------------- games


def _games(report: dict[str, Any], simulation: Simulation) -> list[str]:
    """The length in turns where the rules have turns, else in choices."""
    words, lengths = "turns", simulation.tally.lengths["turns"]
    if len(lengths) < 2:  # no turns, or always as many
        words, lengths = "choices", simulation.tally.lengths["decisions"]
    scale = scale_of(lengths)
    drawn = histogram(lengths, scale, _LENGTHS, f"{words} a game", wide=640)
    rows = [f"<tr><td>{escape(name)}</td><td>{prose(text)}</td></tr>" for name, text in game_rows(report)]
    return [
        f"<h2>Length of a game, in {words} of all players</h2>",
        f"<p>{drawn}</p>",
        f'<p class="note">{escape(_bars_told(scale, words))}</p>',
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


# ---------------------------------------------------------------------------- what is used


def _used(report: dict[str, Any]) -> list[str]:
    """Pieces, spaces and ways, and how their users fared; options stand with their decisions below."""
    used = [use for use in report["used"] if use["kind"] != "option"]
    if not used:
        return []
    rows = [_use_row(use) for use in used]
    note = f"Chosen in {number(report['close'])} games looked at closely. The chances are corrected for looking at "
    note += (
        "everything in this report (Holm). They are no causes: whoever leads can afford more, and long games use more."
    )
    heads = [("what", False), ("sort", False), ("uses a game", True), ("in games", True)]
    first = "first" if wins_together(report) is None else "won"
    heads += [(f"{first} if used", True), (f"{first} if not", True), ("by chance", True)]
    table = listed(heads, rows)
    body = ["<h2>What is used</h2>"] if len(rows) <= _SHOWN_AT_ONCE else ["<details><summary>What is used</summary>"]
    return [
        *body,
        *table,
        f'<p class="note">{escape(note)}</p>',
        *(["</details>"] if len(rows) > _SHOWN_AT_ONCE else []),
    ]


def _use_row(use: dict[str, Any]) -> str:
    clear = use["chance"] is not None and use["chance"] < 0.05
    shares = [percent(use[key]) if use[key] is not None else "" for key in ("won_with", "won_without")]
    chance = "" if use["chance"] is None else "< 0.001" if use["chance"] < 0.001 else f"{use['chance']:.3f}"
    cells = _numbers([short(use["a_game"], 2), number(use["games"]), *shares, chance])
    kind = ' class="clear"' if clear else ""
    return f"<tr{kind}><td>{escape(use['name'])}</td><td>{escape(use['kind'])}</td>{cells}</tr>"


def _choices(report: dict[str, Any]) -> list[str]:
    """Decision by decision what was chosen how often; what never was stands out."""
    asked: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for choice in report["choices"]:
        asked.setdefault((choice["rule"], choice["prompt"]), []).append(choice)
    rows: list[str] = []
    for (rule, prompt), choices in asked.items():
        rows.append(_asked_row(rule, prompt))
        whole = sum(choice["taken"] for choice in choices)
        rows += [_choice_row(choice, whole, report["close"] or report["games"]) for choice in choices]
    if not rows:
        return []
    heads = [("chosen", False), ("times", True), ("a game", True), ("of these", True), ("", False), ("in games", True)]
    note = (
        f"Over {number(report['close'])} games looked at closely. Texts as the rules write them, in their order. What "
    )
    note += "was never chosen is marked; a choice without an alternative is made by the game and not counted."
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


def _rules(report: dict[str, Any]) -> list[str]:
    """How often each rule and hook ran: a variant's hook that never runs changes nothing."""
    if not report["rules"]:
        return []
    rows = []
    for rule in report["rules"]:
        name = rule["rule"].replace("_", " ")
        place = f"{rule['file']}:{rule['line']}" if rule["line"] else ""
        cells = _numbers([short(rule["a_game"], 2), percent(rule["games"] / max(1, report["close"]))])
        kind = "" if rule["games"] else ' class="never"'
        word = "hook" if rule["is_hook"] else "rule"
        rows.append(f"<tr{kind}><td>{escape(name)}</td><td>{word}</td><td>{escape(place)}</td>{cells}</tr>")
    heads = [("", False), ("", False), ("where", False), ("runs a game", True), ("in games", True)]
    return ["<details><summary>How often rules ran</summary>", *listed(heads, rows), "</details>"]
