"""`rulewright compare NAME NAME --games N`: what does a variant change?"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ..play.contract import PlayError
from .messages import BOTS_HELP, print_json, require_folder, write_json
from .simulate import kinds_of, load_game, progress_of

EPILOG = """\b
Examples:
  rulewright compare harbour harbour+solo --games 1000
  rulewright compare harbour harbour+solo --games 500 --players 3 --bots greedy --html solo.html
"""


@click.command(epilog=EPILOG)
@click.argument("first", metavar="NAME")
@click.argument("second", metavar="NAME")
@click.option(
    "--games", type=click.IntRange(min=2), default=200, show_default=True, metavar="N", help="How many of each."
)
@click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it the fewest that both allow."
)
@click.option("--bots", default="random", show_default=True, metavar="KIND,…", help=BOTS_HELP)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Game number i has the seed N + i.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="J", help="Processes at once."
)
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the figures to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with both side by side.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    first: str, second: str, games: int, players: int | None, bots: str, seed: int, jobs: int, file: Path | None,
    html: Path | None, layout: str,
) -> None:  # fmt: skip
    """Play N games of each NAME and show the same statistics side by side, with significant differences marked."""
    from ..study.compare import comparison_of, comparison_text
    from ..study.comparison_page import comparison_page
    from ..study.simulate import simulate

    require_folder(file, "comparison")
    require_folder(html, "page")
    count = players or _common_count(first, second)
    loaded = load_game(first, count), load_game(second, count)
    kinds = kinds_of(bots, loaded[0])
    with progress_of(2 * games) as progress:
        simulations = [
            simulate(partial(load_game, name, count), kinds, games, seed, jobs, progress) for name in (first, second)
        ]
    comparison = comparison_of(loaded, (simulations[0], simulations[1]))
    if file is not None:
        write_json(file, comparison)
    if html is not None:
        html.write_text(comparison_page(comparison), encoding="utf-8")
    if layout == "json":
        print_json(comparison)
    else:
        click.echo(comparison_text(comparison))


def _common_count(first: str, second: str) -> int:
    """The smallest player count that both games allow."""
    from ..study.deep import player_counts

    ours, theirs = player_counts(first), player_counts(second)
    if not ours or not theirs:  # loading will report what is wrong with the name
        load_game(first if not ours else second, None)
    common = [count for count in ours if count in theirs]
    if not common:
        raise PlayError(f"`{first}` and `{second}` are never played by the same number")
    return common[0]
