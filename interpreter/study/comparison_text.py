"""A comparison for the terminal: how the rules differ, what that changes in sentences, then all figures."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Any

from .compare import REMARK, told_name
from .difference import difference_lines
from .figures import SHARED
from .text_table import aligned, seeds_told, several

_WIDTH = 110


def comparison_text(comparison: dict[str, Any]) -> str:
    """The comparison for a reader; `*` marks what is significant."""
    first, second = names_of(comparison)
    lines = [comparison_head(comparison), ""]
    lines += [line for text in comparison["cautions"] for line in wrap("! " + text, _WIDTH, subsequent_indent="  ")]
    lines += [""] if comparison["cautions"] else []
    lines += [f"How {second} differs from {first}", *difference_lines(comparison["rules"]), ""]
    lines += ["What that changes", *_sentences(comparison), ""]
    rows = [["", first, second, "difference", "95 % interval", "by chance", "can show", "paired", ""]]
    rows += [
        [*line_cells(line, comparison["games"]), "*" if line["significant"] else ""] for line in comparison["lines"]
    ]
    lines += [*aligned(rows, right=range(1, 8)), ""]
    return "\n".join([*lines, *_remarks(comparison)])


def names_of(comparison: dict[str, Any]) -> tuple[str, str]:
    first, second = (one["game"] for one in comparison["compared"])
    return first, second


def told_of_seats(comparison: dict[str, Any]) -> list[str]:
    """What the games say about the first seat, if that is not among what is shown to differ: whoever asks about it
    must not take silence for an answer."""
    first = next((line for line in comparison["lines"] if line["name"].endswith(" wins")), None)
    if first is None or first["significant"]:
        return []
    return [f"Wins of the first seat: {first['sentence'].removeprefix(first['name'] + ': ')}"]


def shared_told(figures: list[dict[str, Any]], is_seen: Callable[[dict[str, Any]], bool]) -> list[str]:
    """What a win is, if first places were shared."""
    if not any(figure["name"] == SHARED and is_seen(figure) for figure in figures):
        return []
    return ["Wins: a first place that several share is divided among them."]


def _sentences(comparison: dict[str, Any]) -> list[str]:
    found = comparison["sentences"] or ["No figure is shown to differ."]
    return [
        line
        for text in [*found, *told_of_seats(comparison)]
        for line in wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    ]


def _remarks(comparison: dict[str, Any]) -> list[str]:
    told = [
        f"* {REMARK} (Holm's correction over the lines that differ in any pair; each 95 % interval is for its own "
        "line).",
        "± is the standard deviation from game to game. can show: the smallest difference that this many games find "
        "four times in five. paired: how many times as many games it would take without equal seeds.",
    ]
    told += shared_told(comparison["lines"], lambda line: any(line["figures"]))
    hopeful = [line for line in comparison["lines"] if line["needed"] is not None and line["kind"] == "rate"]
    if hopeful and not any(line["significant"] for line in hopeful):
        nearest = min(hopeful, key=lambda line: line["needed"])
        told.append(f"Nearest to an answer: {nearest['sentence']}")
    return [line for text in told for line in wrap(text, _WIDTH, subsequent_indent="  ")]


def comparison_head(comparison: dict[str, Any]) -> str:
    """What was played, in one line."""
    bots = ", ".join(dict.fromkeys(comparison["bots"]))
    games = f"{several(comparison['games'], 'game')} each {seeds_told(comparison)}"
    return f"{several(comparison['players'], 'player')}, {games}, bots {bots}"


def line_cells(line: dict[str, Any], games: int) -> list[str]:
    """A line for a reader: its name, both figures, their difference with its interval, the p-value, what could be seen,
    and what pairing gained."""
    figures = [_figure(line, figure) for figure in line["figures"]]
    if line["sd"] is not None:
        figures = [f"{figure} ± {sd:.1f}" for figure, sd in zip(figures, line["sd"], strict=True)]
    between = "" if line["interval"] is None else " .. ".join(_signed(line, end) for end in line["interval"])
    gain = "" if line["gain"] is None else f"{line['gain']:.1f}x"
    return [
        told_name(line, games), *figures, _signed(line, line["difference"]), between, _chance(line["chance"]),
        _figure(line, line["smallest"]), gain,
    ]  # fmt: skip


def _signed(line: dict[str, Any], figure: float) -> str:
    return ("+" if figure > 0 else "") + _figure(line, figure)


def _figure(line: dict[str, Any], figure: float) -> str:
    return f"{100 * figure:.1f} %" if line["kind"] == "rate" else f"{figure:,.2f}"


def _chance(chance: float) -> str:
    return "< 0.001" if chance < 0.001 else f"{chance:.3f}"
