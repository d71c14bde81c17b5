"""`rulewright compare NAME NAME --games N`: what does a variant change?"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ..play.contract import PlayError
from .extras import native_if_wanted
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
  rulewright compare harbour harbour+solo --games 1000
  rulewright compare harbour harbour+solo --games 500 --players 3 --bots greedy --html solo.html
  rulewright compare harbour harbour --set tolls=3          the same game with another constant
"""


@click.command(epilog=EPILOG)
@click.argument("first", metavar="NAME")
@click.argument("second", metavar="NAME")
@click.option(
    "--games", type=click.IntRange(min=2), default=200, show_default=True, metavar="N", help="How many of each."
)
@study_options
@spread_option
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="C=V",
    help="Another value of a constant, or of ROW.COLUMN, in the second game.",
)
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the figures to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with both side by side.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    first: str, second: str, games: int, players: int | None, bots: str, seed: int, jobs: int, engine: str,
    spread: bool, sets: tuple[str, ...], file: Path | None, html: Path | None, layout: str,
) -> int:  # fmt: skip
    """Play N games of each NAME with the same seeds, and say what differs, by how much, and how sure that is."""
    from ..study.assumed import assumed_in
    from ..study.compare import comparison_of, play_pairs
    from ..study.comparison_page import comparison_page
    from ..study.comparison_text import comparison_text
    from ..study.difference import difference_of, rules_of
    from ..study.report import cautions_of

    require_folder(file, "comparison", is_report)
    require_folder(html, "page", is_page)
    native_if_wanted(games)
    require_engine_here(engine)
    count = players or _common_count(first, second)
    loaded = load_studied(first, count), load_studied(second, count, sets)
    seated = bots_of(bots, loaded[0], 2 * games)
    loads = partial(load_studied, first, count), partial(load_studied, second, count, sets)
    with progress_of(2 * games, seated=seated, jobs=jobs) as progress:
        pairs = play_pairs(loads, seated.kinds, games, seed, jobs, progress, engine=engine, spread=spread)
    warned = cautions_of(seated.kinds, assumed_in(first, count), pairs.tally.games, games, seated.remark)
    difference = difference_of(rules_of(first, count), rules_of(second, count, sets))
    ours, theirs = _told(first, second)
    names = ours, f"{theirs} with {', '.join(sets)}" if sets else theirs
    comparison = comparison_of(loaded, pairs, difference, warned, names)
    if layout == "json":
        print_json(comparison)
    else:
        click.echo(comparison_text(comparison))
    code = tell_interrupted(pairs.tally.games, games, pairs.stopped_by) if pairs.is_interrupted else 0
    if file is not None:
        write_json(file, comparison)
    if html is not None:
        write_file(html, comparison_page(comparison), is_page)
    return code


def _told(first: str, second: str) -> tuple[str, str]:
    """The names as columns are headed: without the folders in front of them, as long as they can be told apart."""
    short = first.rstrip("/").rpartition("/")[2], second.rstrip("/").rpartition("/")[2]
    return short if short[0] != short[1] or first == second else (first, second)


def _common_count(first: str, second: str) -> int:
    """The smallest player count that both games allow."""
    from ..study.deep import player_counts

    ours, theirs = player_counts(first), player_counts(second)
    if not ours or not theirs:  # loading will report what is wrong with the name
        load_studied(first if not ours else second, None)
    common = [count for count in ours if count in theirs]
    if not common:
        raise PlayError(f"`{first}` and `{second}` are never played by the same number")
    return common[0]
