"""Compares two games: the same statistics for both, and which differences are statistically significant.

Rates are compared with a two-proportion test, means with Welch's test. All p-values of one comparison are corrected
together (Holm's method): with twenty lines, one would fall below 0.05 by chance alone. A difference is called
significant if its corrected p-value is below 0.05.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..play.contract import Game
from .simulate import Outcome, Simulation
from .statistics import holm, proportions_test, standard_deviation, welch_test
from .text_table import aligned

COMPARISON_FORMAT = "rulewright-comparison/1"
SIGNIFICANT = 0.05
REMARK = "a difference that chance alone gives less than once in twenty comparisons like this"
_DIGITS = 4


def comparison_of(games: tuple[Game, Game], simulations: tuple[Simulation, Simulation]) -> dict[str, Any]:
    """Both games and the lines of their comparison: two figures, their difference, and the corrected p-value."""
    lines = _lines(games[0], simulations[0].outcomes, simulations[1].outcomes)
    for line, chance in zip(lines, holm([line["chance"] for line in lines]), strict=True):
        line["chance"] = round(chance, 6)
        line["significant"] = chance < SIGNIFICANT
    return {
        "format": COMPARISON_FORMAT,
        "players": games[0].players,
        "games": len(simulations[0].outcomes),
        "seed": simulations[0].seed,
        "bots": list(simulations[0].bots),
        "compared": [{"game": game.name, "title": game.title, "fingerprint": game.fingerprint} for game in games],
        "lines": lines,
    }


def _lines(game: Game, ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> list[dict[str, Any]]:
    lines = []
    for seat, name in enumerate(game.seat_names):
        lines.append(_rate(f"{name} wins", ours, theirs, partial(_wins, seat)))
    lines.append(_rate("shared first places", ours, theirs, lambda o: len(o.winners) > 1))
    for seat, name in enumerate(game.seat_names):
        lines.append(_mean(f"score of {name}", ours, theirs, partial(_score, seat)))
    if game.players > 1:
        lines.append(_mean("lead of the first over the second", ours, theirs, _lead))
    lines.append(_mean("decisions a game", ours, theirs, lambda o: o.decisions))
    reasons = dict.fromkeys(outcome.reason for outcome in (*ours, *theirs) if outcome.reason)
    lines += [_rate(f"ends: {reason}", ours, theirs, partial(_ends_so, reason)) for reason in sorted(reasons)]
    return [line for line in lines if any(line["figures"]) or any(line["sd"] or ())]


def _wins(seat: int, outcome: Outcome) -> bool:
    return outcome.winners == (seat,)


def _score(seat: int, outcome: Outcome) -> int:
    return outcome.scores[seat]


def _ends_so(reason: str, outcome: Outcome) -> bool:
    return outcome.reason == reason


def _lead(outcome: Outcome) -> int:
    best, second, *_ = sorted(outcome.scores, reverse=True)
    return best - second


def _rate(
    name: str, ours: Sequence[Outcome], theirs: Sequence[Outcome], holds: Callable[[Outcome], bool]
) -> dict[str, Any]:
    counts = [sum(holds(outcome) for outcome in outcomes) for outcomes in (ours, theirs)]
    rates = [count / max(1, len(outcomes)) for count, outcomes in zip(counts, (ours, theirs), strict=True)]
    chance = proportions_test(counts[0], len(ours), counts[1], len(theirs))
    return _line(name, "rate", rates, None, chance)


def _mean(
    name: str, ours: Sequence[Outcome], theirs: Sequence[Outcome], figure: Callable[[Outcome], int]
) -> dict[str, Any]:
    numbers = [[float(figure(outcome)) for outcome in outcomes] for outcomes in (ours, theirs)]
    means = [sum(n) / max(1, len(n)) for n in numbers]
    spreads = [standard_deviation(n, m) for n, m in zip(numbers, means, strict=True)]
    return _line(name, "mean", means, spreads, welch_test(*numbers))


def _line(name: str, kind: str, figures: list[float], spreads: list[float] | None, chance: float) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "figures": [round(figure, _DIGITS) for figure in figures],
        "sd": [round(spread, _DIGITS) for spread in spreads] if spreads is not None else None,
        "difference": round(figures[1] - figures[0], _DIGITS),
        "chance": chance,
        "significant": False,
    }


def comparison_text(comparison: dict[str, Any]) -> str:
    """The comparison for a reader; `*` marks what is significant."""
    first, second = (one["game"] for one in comparison["compared"])
    rows = [["", first, second, "difference", "by chance", ""]]
    rows += [[*line_cells(line), "*" if line["significant"] else ""] for line in comparison["lines"]]
    head, remark = comparison_head(comparison), f"* {REMARK}"
    return "\n".join([head, "", *aligned(rows, right=(1, 2, 3, 4)), "", remark])


def comparison_head(comparison: dict[str, Any]) -> str:
    """What was played, in one line."""
    bots = ", ".join(dict.fromkeys(comparison["bots"]))
    games = f"{comparison['games']:,} games each from seed {comparison['seed']}"
    return f"{comparison['players']} players, {games}, bots {bots}"


def line_cells(line: dict[str, Any]) -> list[str]:
    """A line for a reader: its name, both figures, their difference, the p-value."""
    figures = [_figure(line, figure) for figure in line["figures"]]
    if line["sd"] is not None:
        figures = [f"{figure} ± {sd:.1f}" for figure, sd in zip(figures, line["sd"], strict=True)]
    sign = "+" if line["difference"] > 0 else ""
    return [line["name"], *figures, sign + _figure(line, line["difference"]), _chance(line["chance"])]


def _figure(line: dict[str, Any], figure: float) -> str:
    return f"{100 * figure:.1f} %" if line["kind"] == "rate" else f"{figure:,.2f}"


def _chance(chance: float) -> str:
    return "< 0.001" if chance < 0.001 else f"{chance:.3f}"
