"""`rulewright sweep NAME --set CONSTANT=a..b`: what does a constant do?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ..play.contract import PlayError
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
  rulewright sweep harbour --set tolls=0..5
  rulewright sweep harbour --set "tolls=0..30 by 5" --games 500 --bots greedy --html tolls.html
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option(
    "--set", "swept", required=True, metavar="C=a..b", help="A constant and its values: a..b, `a..b by s`, or a,b,c."
)
@click.option(
    "--games", type=click.IntRange(min=2), default=200, show_default=True, metavar="N", help="Games for each value."
)
@study_options
@spread_option
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the figures to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with plots.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, swept: str, games: int, players: int | None, bots: str, seed: int, jobs: int, engine: str, spread: bool,
    file: Path | None, html: Path | None, layout: str,
) -> int:  # fmt: skip
    """Play NAME with each value of a constant, the same seeds for all, and show what changes."""
    from ..study.assumed import assumed_in
    from ..study.report import cautions_of
    from ..study.sweep import sweep, sweep_data, sweep_page, sweep_text, swept_values

    require_folder(file, "figures", is_report)
    require_folder(html, "page", is_page)
    require_engine_here(engine)
    constant, values = swept_values(swept)
    if len(set(values)) < len(values):
        raise PlayError(f"`{swept}` names a value twice")
    games_of: list[Any] = [load_studied(name, players, (f"{constant}={value}",)) for value in values]
    seated = bots_of(bots, games_of[0], games * len(values))
    count = games_of[0].players
    with progress_of(games * len(values), seated=seated, jobs=jobs) as progress:
        made = sweep(
            lambda value: partial(load_studied, name, count, (f"{constant}={value}",)),
            constant, values, seated.kinds, games, seed, jobs, progress, engine, spread,
        )  # fmt: skip
    warned = cautions_of(seated.kinds, assumed_in(name, count), made.games, games, seated.remark)
    data = sweep_data(made, games_of[0], warned)
    if layout == "json":
        print_json(data)
    else:
        click.echo(sweep_text(data))
    code = tell_interrupted(made.played, games * len(values), made.stopped_by) if made.is_interrupted else 0
    if file is not None:
        write_json(file, data)
    if html is not None:
        write_file(html, sweep_page(data), is_page)
    return code
