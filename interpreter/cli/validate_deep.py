"""`rulewright validate --deep N`: findings that only show in play."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..files.shown import visible
from .combinations import combinations
from .messages import counted, own_stream, painted, print_json, wants_colour
from .speaking import SpokenWords, spoken

if TYPE_CHECKING:
    from ..diagnostics.diagnostic import Diagnostic
    from ..study.deep import Deep

_GLANCE, _LINE = 1.0, 30.0  # seconds between two lines of progress: on a terminal, which they overwrite; in a file
Static = Callable[[str], "tuple[int, list[Diagnostic]]"]


def run_deep(
    names: list[str], games: int, seed: int, jobs: int, layout: str, static: Static, all_decisions: bool = False
) -> int:
    """Checks each ruleset, then plays it if it has no errors. Exit code 1 if either gives findings."""
    results: list[tuple[str, list[Diagnostic], Deep | None]] = []
    for name in names:
        findings = static(name)[1]
        deep = _played(name, games, seed, jobs, all_decisions) if not _unusable(findings) else None
        results.append((name, findings + (deep.findings if deep else []), deep))
        if layout == "text":
            _print_text(*results[-1])
    if layout == "json":
        print_json(_as_data(results, games, seed))
    if results and all(_is_misuse(findings) for _, findings, _ in results):
        return 2
    return 1 if any(findings for _, findings, _ in results) else 0


def _unusable(findings: list[Diagnostic]) -> bool:
    from ..diagnostics.diagnostic import Severity

    return any(finding.severity is Severity.error for finding in findings)


def _is_misuse(findings: list[Diagnostic]) -> bool:
    return bool(findings) and all(finding.primary.span.source.name == "command line" for finding in findings)


def _played(name: str, games: int, seed: int, jobs: int, all_decisions: bool) -> Deep:
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.gather import gather
    from ..study.deep import validate_deeply
    from ..study.deep_play import ASKED_AGAIN
    from ..study.deep_progress import Pulse

    gathered = gather(name, None, Diagnostics())
    names = combinations(name, gathered.all_variants) if gathered else []
    every = 1 if all_decisions else ASKED_AGAIN
    is_terminal = sys.stderr.isatty()
    pulse = Pulse(tell_on_terminal if is_terminal else tell_plainly, _GLANCE if is_terminal else _LINE)
    deep = validate_deeply(name, names, games, seed, jobs, pulse, every)
    if is_terminal:
        tell_on_terminal("", stays=False)
    return deep


def tell_on_terminal(line: str, stays: bool) -> None:
    """Shows how far it has come in one line of the terminal, which the next one overwrites unless it is to stay."""
    stream = own_stream(sys.stderr)
    stream.write(f"\r\x1b[K{visible(line)}" + ("\n" if stays else ""))
    stream.flush()


def tell_plainly(line: str, stays: bool) -> None:
    """The same as lines of a file."""
    click.echo(line, err=True)


def _print_text(name: str, findings: list[Diagnostic], deep: Deep | None) -> None:
    from ..diagnostics.render import render_all, render_line

    if findings:
        click.echo(render_all(findings, colour=wants_colour(), words=SpokenWords()))
        click.echo()
    if deep is not None:
        for remark in deep.remarks:
            note = f" ({remark.notes[0]})" if remark.notes else ""
            click.echo(render_line(remark).replace(": warning[", ": remark[", 1) + note)
        if deep.remarks:
            click.echo()
    clean = painted(spoken("clean"), fg="green")
    verdict = painted(counted(len(findings), "finding"), fg="red") if findings else clean
    click.echo(f"{name}: {verdict}{_played_text(deep)}")
    for line in _shares(deep) if deep is not None else ():
        click.echo(f"  {line}")


def _played_text(deep: Deep | None) -> str:
    if deep is None:
        return ", not played"
    games = sum(played for _, _, played, _ in deep.units)
    names = len({game for game, *_ in deep.units})
    seeds = sorted({(seed, seed + played - 1) for _, _, played, seed in deep.units})
    shown = ", ".join(f"{first} to {last}" for first, last in seeds)
    remarks = f", {counted(len(deep.remarks), 'remark')}" if deep.remarks else ""
    return f"{remarks}; {counted(games, 'game')} of {counted(names, 'combination')} with seeds {shown}"


def _shares(deep: Deep) -> list[str]:
    """How many games of each combination were played, and how many decisions the expensive checks covered."""
    played: dict[str, list[tuple[int, int]]] = {}
    for game, players, games, _ in deep.units:
        played.setdefault(game, []).append((players, games))
    lines = []
    for game, units in played.items():
        counts = [f"{games:,}" for _, games in units]
        same = len(set(counts)) == 1
        shown = counted(units[0][1], "game") if same else f"{', '.join(counts)} games"
        each = " each" if same and len(units) > 1 else ""
        lines.append(f"{game} for {', '.join(str(players) for players, _ in units)}: {shown}{each}")
    lines.append(f"greedy seats in {counted(deep.greedy, 'game')}")
    if deep.decisions:
        again = f"{deep.asked_again:,} of {counted(deep.decisions, 'decision')}"
        lines.append(f"{again} compared with worlds drawn for a player")
    return lines


def _as_data(results: list[tuple[str, list[Diagnostic], Deep | None]], games: int, seed: int) -> dict[str, Any]:
    from ..diagnostics.render import as_data

    return {
        "deep": {"games": games, "seed": seed},
        "rulesets": [
            {
                "name": name,
                "combinations": len({unit[0] for unit in deep.units}) if deep else 0,
                "findings": len(findings),
                "played": [
                    {"game": game, "players": players, "games": played, "seed": first}
                    for game, players, played, first in (deep.units if deep else [])
                ],
                "greedy_games": deep.greedy if deep else 0,
                "decisions": deep.decisions if deep else 0,
                "asked_again": deep.asked_again if deep else 0,
            }
            for name, findings, deep in results
        ],
        "diagnostics": [as_data(finding) for _, findings, _ in results for finding in findings],
        "remarks": [as_data(remark) for _, _, deep in results if deep for remark in deep.remarks],
    }
