"""`rulewright list`: what there is to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..study.text_table import aligned
from .messages import counted, painted, print_findings, print_json

if TYPE_CHECKING:
    from ..ruleset.listing import Summary

EPILOG = """\b
Examples:
  rulewright list
  rulewright list --format json
"""


@click.command(epilog=EPILOG)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(layout: str) -> int:
    """What there is to play: players, variants, clauses, scenarios.

    Rulesets are looked up in ./rulesets, the current folder, the folders of RULEWRIGHT_PATH, and among those that come
    with the program.
    """
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.listing import list_rulesets

    found = Diagnostics()
    games = [game for game in list_rulesets(found) if not game.is_core]
    if layout == "json":
        print_json([_as_data(game) for game in games])
    else:
        for line in _as_lines(games):
            click.echo(line)
    if len(found):
        print_findings(found.found)
    return 1 if found.has_errors else 0


def _as_data(game: Summary) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "players": list(range(game.fewest, game.most + 1)),
        "variants": [{"name": variant.name, "title": variant.title} for variant in game.variants],
        "clauses": game.clauses,
        "scenarios": game.scenarios,
    }


def _as_lines(games: list[Summary]) -> list[str]:
    data = [_as_data(game) for game in games]
    if not data:
        return ["No ruleset found. RULEWRIGHT_PATH may name folders that hold some."]
    rows = [["name", "title", "players", "clauses", "scenarios"]]
    rows += [_row(entry) for entry in data]
    lines = aligned(rows)
    result = [painted(lines[0], bold=True)]
    for entry, line in zip(data, lines[1:], strict=True):
        result += [line, *_variant_lines(entry)]
    return [*result, "", counted(len(data), "game")]


def _row(entry: dict[str, Any]) -> list[str]:
    players = entry["players"]
    range_text = str(players[0]) if len(players) == 1 else f"{players[0]}..{players[-1]}"
    return [entry["name"], entry["title"], range_text, str(entry["clauses"]), str(entry["scenarios"])]


def _variant_lines(entry: dict[str, Any]) -> list[str]:
    return aligned([[f"+{variant['name']}", variant["title"]] for variant in entry["variants"]], indent="  ")
