"""`rulewright simulate NAME --games N`: many games among bots."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from ..play.contract import PlayError
from .extras import native_if_wanted, required_module
from .messages import is_page, is_report, print_json, require_folder, write_file, write_json
from .study_options import (
    bots_of,
    load_studied,
    progress_of,
    require_engine_here,
    spread_option,
    study_options,
    tell_interrupted,
)

EPILOG = """\b
Examples:
  rulewright simulate harbour --games 1000
  rulewright simulate harbour --games 5000 --players 3 --bots random,random,first --jobs 2
  rulewright simulate harbour --games 1000 --seed 7 --json harbour.json
  rulewright simulate harbour --games 1000 --html harbour.html --rows harbour.csv
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="How many games."
)
@study_options
@spread_option
@click.option(
    "--set", "sets", multiple=True, metavar="C=V", help="Play with another value of a constant, or of ROW.COLUMN."
)
@click.option(
    "--rows", type=click.Path(path_type=Path), metavar="F", help="Write a row for each game: .jsonl, .csv or .parquet."
)
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the report to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with figures and drawings.")
@click.option(
    "--pace",
    default="10,2",
    show_default=True,
    metavar="S,S",
    help="Seconds that people take for a choice, and for a forced one.",
)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, games: int, players: int | None, bots: str, seed: int, jobs: int, engine: str, spread: bool,
    sets: tuple[str, ...], rows: Path | None, file: Path | None, html: Path | None, pace: str, layout: str,
) -> int:  # fmt: skip
    """Play many games of NAME among bots, and show who wins, what scores are made of, and how long it takes.

    The same seed gives the same games whatever the number of jobs. Ctrl-C shows the games played so far.
    """
    from ..study.assumed import assumed_in
    from ..study.report import report_of
    from ..study.report_text import report_text
    from ..study.row_files import RowFile
    from ..study.simulate import simulate
    from ..study.simulation_page import simulation_page

    native_if_wanted(games)
    game = load_studied(name, players, sets)
    seated = bots_of(bots, game, games)
    require_engine_here(engine)
    speeds = _pace_of(pace)
    if rows is not None and rows.suffix == ".parquet":
        required_module("pyarrow", "parquet", "Parquet files need")
    require_folder(file, "report", is_report)
    require_folder(html, "page", is_page)
    with ExitStack() as open_files:
        taken = open_files.enter_context(RowFile(rows, game.seat_names)).take if rows is not None else None
        progress = open_files.enter_context(progress_of(games, seated=seated, jobs=jobs))
        load = partial(load_studied, name, game.players, sets)
        simulation = simulate(load, seated.kinds, games, seed, jobs, progress, taken, engine, spread)
    report = report_of(game, simulation, assumed_in(name, game.players), speeds, seated.remark)
    if sets:
        report["game"] = f"{name} with {', '.join(sets)}"
    if layout == "json":
        print_json(report)
    else:
        click.echo(report_text(report))
    code = tell_interrupted(simulation.tally.games, games, simulation.stopped_by) if simulation.is_interrupted else 0
    if file is not None:
        write_json(file, report)
    if html is not None:
        write_file(html, simulation_page(report, simulation), is_page)
    return code


def _pace_of(text: str) -> tuple[float, float]:
    """Two numbers of seconds, or one for both kinds of choices."""
    try:
        seconds = [float(part) for part in text.split(",")]
    except ValueError:
        seconds = []
    if len(seconds) not in (1, 2) or any(not 0 <= one < 86_400 for one in seconds):
        raise PlayError(f"`{text}` is no pace", "write the seconds for a choice and for a forced one: `--pace 10,2`")
    return seconds[0], seconds[-1]
