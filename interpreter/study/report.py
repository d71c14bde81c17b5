"""The report of a simulation: as data (schemas/report.schema.json) and as a text table.

Everything except `speed` is determined by the rules, the bots and the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..play.contract import Game
from .choices import choices_of
from .simulate import Outcome, Simulation
from .statistics import summarize, wilson_interval
from .text_table import aligned

REPORT_FORMAT = "rulewright-report/1"
_DIGITS = 4


def report_of(game: Game, simulation: Simulation) -> dict[str, Any]:
    outcomes = simulation.outcomes
    return {
        "format": REPORT_FORMAT,
        "game": game.name,
        "title": game.title,
        "fingerprint": game.fingerprint,
        "players": game.players,
        "games": len(outcomes),
        "seed": simulation.seed,
        "bots": list(simulation.bots),
        "seats": [_seat(game, simulation, seat) for seat in range(game.players)],
        "shared": sum(len(outcome.winners) > 1 for outcome in outcomes),
        "without_winner": sum(not outcome.winners for outcome in outcomes),
        "length": _spread([outcome.decisions for outcome in outcomes]),
        "branching": _branching(outcomes),
        "endings": dict(sorted(Counter(outcome.reason for outcome in outcomes).items(), key=lambda e: (-e[1], e[0]))),
        "choices": choices_of(game.meta, [outcome.taken for outcome in outcomes]),
        "speed": _speed(simulation),
    }


def _seat(game: Game, simulation: Simulation, seat: int) -> dict[str, Any]:
    outcomes = simulation.outcomes
    alone = sum(outcome.winners == (seat,) for outcome in outcomes)
    low, high = wilson_interval(alone, len(outcomes))
    return {
        "seat": seat + 1,
        "name": game.seat_names[seat],
        "bot": "automa" if seat in game.meta.automas else simulation.bots[seat],
        "wins": alone,
        "shared": sum(seat in outcome.winners and len(outcome.winners) > 1 for outcome in outcomes),
        "rate": round(alone / len(outcomes), _DIGITS) if outcomes else 0.0,
        "interval": [round(low, _DIGITS), round(high, _DIGITS)],
        "score": _spread([outcome.scores[seat] for outcome in outcomes]),
    }


def _branching(outcomes: Sequence[Outcome]) -> float:
    """The average number of options per decision, over the games whose options were counted."""
    counted = [(outcome.offered, outcome.decisions) for outcome in outcomes if outcome.offered is not None]
    decisions = sum(own for _, own in counted)
    return round(sum(offered for offered, _ in counted) / decisions, _DIGITS) if decisions else 0.0


def _speed(simulation: Simulation) -> dict[str, Any]:
    decisions = sum(outcome.decisions for outcome in simulation.outcomes)
    seconds = max(simulation.seconds, 1e-9)
    return {
        "jobs": simulation.jobs,
        "seconds": round(simulation.seconds, 3),
        "games_per_second": round(len(simulation.outcomes) / seconds, 1),
        "decisions_per_second": round(decisions / seconds, 1),
    }


def _spread(numbers: Sequence[float]) -> dict[str, float] | None:
    summary = summarize(numbers)
    if summary is None:
        return None
    return {
        "mean": round(summary.mean, _DIGITS),
        "sd": round(summary.sd, _DIGITS),
        "min": summary.smallest,
        "q1": summary.lower_quartile,
        "median": summary.median,
        "q3": summary.upper_quartile,
        "max": summary.largest,
    }


# ---------------------------------------------------------------------------- as text


def report_text(report: dict[str, Any]) -> str:
    """The report for a reader: a header, a table of seats, what the games were like."""
    lines = [
        f"{report['title']} ({report['game']}), {games_told(report)}",
        "",
        *aligned(_seat_rows(report), right=range(2, 20)),
        "",
        *aligned(game_rows(report)),
    ]
    if any(report["endings"]):
        lines += ["", "How games ended", *aligned(_ending_rows(report), right=(1, 2), indent="  ")]
    return "\n".join(lines)


def games_told(report: dict[str, Any]) -> str:
    """How many games, of how many players."""
    return f"{report['players']} players, {number(report['games'])} games from seed {report['seed']}"


def _seat_rows(report: dict[str, Any]) -> list[list[str]]:
    has_scores = any(is_scored(seat["score"]) for seat in report["seats"])
    heads = ["seat", "bot", "wins", "rate", "95 %", "shared"]
    scores = ["mean", "sd", "min", "q1", "median", "q3", "max"] if has_scores else []
    rows = [heads + scores]
    for seat in report["seats"]:
        low, high = seat["interval"]
        row = [f"{seat['seat']} {seat['name']}", seat["bot"], number(seat["wins"]), percent(seat["rate"])]
        row += [f"{percent(low)} - {percent(high)}", number(seat["shared"])]
        rows.append(row + (score_cells(seat["score"]) if has_scores else []))
    return rows


def is_scored(spread: dict[str, float] | None) -> bool:
    return spread is not None and (spread["min"] != 0 or spread["max"] != 0)


def score_cells(spread: dict[str, float] | None) -> list[str]:
    if spread is None:
        return [""] * 7
    keys = ("mean", "sd", "min", "q1", "median", "q3", "max")
    return [short(spread[key], 2 if key in ("mean", "sd") else 1) for key in keys]


def game_rows(report: dict[str, Any]) -> list[list[str]]:
    rows = []
    length = report["length"]
    if length is not None:
        middle = f"{short(length['q1'], 1)} .. {short(length['q3'], 1)}"
        ends = f"{short(length['min'], 0)} .. {short(length['max'], 0)}"
        rows.append(["decisions a game", f"{short(length['mean'], 1)} (middle half {middle}, all {ends})"])
    rows.append(["options a decision", short(report["branching"], 2)])
    if report["shared"] or report["without_winner"]:
        rows.append(["shared first places", number(report["shared"])])
        rows.append(["without a winner", number(report["without_winner"])])
    speed = report["speed"]
    jobs = f"{speed['jobs']} jobs" if speed["jobs"] > 1 else "1 job"
    rate = f"{number(round(speed['decisions_per_second']))} decisions a second"
    rows.append(["speed", f"{rate}, {short(speed['games_per_second'], 1)} games a second ({jobs})"])
    return [[name, text] for name, text in rows]


def _ending_rows(report: dict[str, Any]) -> list[list[str]]:
    games = max(report["games"], 1)
    return [[reason or "played out", number(n), percent(n / games)] for reason, n in report["endings"].items()]


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def short(figure: float, digits: int) -> str:
    text = f"{figure:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def number(count: int) -> str:
    return f"{count:,}"
