"""`rulewright simulate NAME --games N`: many games among bots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..play.contract import PlayError
from .messages import BOTS_HELP, print_json, require_folder, write_json

if TYPE_CHECKING:
    from ..play.contract import Game
    from ..study.simulate import Progress

EPILOG = """\b
Examples:
  rulewright simulate harbour --games 1000
  rulewright simulate harbour --games 5000 --players 3 --bots random,random,first --jobs 2
  rulewright simulate harbour --games 1000 --seed 7 --json harbour.json
  rulewright simulate harbour --games 1000 --html harbour.html
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="How many games."
)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
@click.option("--bots", default="random", show_default=True, metavar="KIND,…", help=BOTS_HELP)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Game number i has the seed N + i.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="J", help="Processes at once."
)
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the report to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with figures and drawings.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, games: int, players: int | None, bots: str, seed: int, jobs: int, file: Path | None, html: Path | None,
    layout: str,
) -> None:  # fmt: skip
    """Play many games of NAME among bots, and show who wins, scores, lengths and speed.

    The same seed gives the same games whatever the number of jobs.
    """
    from ..study.report import report_of, report_text
    from ..study.simulate import simulate
    from ..study.simulation_page import simulation_page

    game = load_game(name, players)
    kinds = kinds_of(bots, game)
    require_folder(file, "report")
    require_folder(html, "page")
    with progress_of(games) as progress:
        simulation = simulate(partial(load_game, name, game.players), kinds, games, seed, jobs, progress)
    report = report_of(game, simulation)
    if file is not None:
        write_json(file, report)
    if html is not None:
        html.write_text(simulation_page(report, simulation), encoding="utf-8")
    if layout == "json":
        print_json(report)
    else:
        click.echo(report_text(report))


def load_game(name: str, players: int | None) -> Game:
    from .. import load

    game: Game = load(name, players=players)
    return game


def kinds_of(bots: str, game: Game) -> list[str]:
    from ..play.seats import require_bot

    kinds = [kind.strip() for kind in bots.split(",")]
    for kind in kinds:
        require_bot(kind)
    if len(kinds) == 1:
        kinds *= game.players
    if len(kinds) != game.players:
        raise PlayError(
            f"{len(kinds)} bots for {game.players} seats",
            f"name one for all, or one for each of {', '.join(game.seat_names)}",
        )
    return kinds


@contextmanager
def progress_of(games: int) -> Iterator[Progress | None]:
    """A bar on the error stream if that is a terminal, else nothing."""
    import sys

    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    with bar:
        task = bar.add_task("games", total=games)
        yield lambda more: bar.advance(task, more)
