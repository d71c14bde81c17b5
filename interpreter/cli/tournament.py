"""`rulewright tournament NAME --bots a,b,c`: which bot is stronger, and how surely."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from ..play.contract import PlayError
from .messages import is_page, is_report, print_error, print_json, require_folder, write_file, write_json
from .study_options import ENGINE_HELP, load_game, progress_of, require_engine_here

EPILOG = """\b
Examples:
  rulewright tournament harbour --bots mcts:100,greedy,random
  rulewright tournament harbour --bots mcts:50,mcts:200 --rounds 100 --jobs 2 --json strength.json
  rulewright tournament harbour --bots mcts:50,greedy --html strength.html
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option("--bots", "named", multiple=True, required=True, metavar="BOT,…", help="Two or more; see docs/bots.md.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=10, show_default=True, metavar="N",
    help="Seeds; in each, all line-ups play in all rotations of the seats.",
)  # fmt: skip
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Round number i has the seed N + i.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="J", help="Processes at once."
)
@click.option("--engine", default="processes", show_default=True, metavar="E", help=ENGINE_HELP)
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the report to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with ratings and drawings.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, named: tuple[str, ...], rounds: int, players: int | None, seed: int, jobs: int, engine: str,
    file: Path | None, html: Path | None, layout: str,
) -> int:  # fmt: skip
    """Let bots play NAME against each other, and show their ratings with 95 % intervals.

    All bots play the same deals, each from every seat. Interrupted, it shows the rounds that are complete.
    """
    from ..play.bots.named import bot_names
    from ..study.tournament import hold, pairings
    from ..study.tournament_page import tournament_page

    bots = [one for text in named for one in bot_names(text)]
    require_folder(file, "report", is_report)
    require_folder(html, "page", is_page)
    require_engine_here(engine)
    game = load_game(name, players)
    with progress_of(len(pairings(game, len(bots), rounds, seed))) as progress:
        found = hold(partial(load_game, name, game.players), bots, rounds, seed, jobs, progress, engine)
    report = found.report()
    if layout == "json":
        print_json(report)
    else:
        click.echo(report_text(report))
    code = _told(found.stopped_by, report)
    if file is not None:
        write_json(file, report)
    if html is not None:
        write_file(html, tournament_page(report), is_page)
    return code


def _told(problem: BaseException | None, report: dict[str, Any]) -> int:
    """What stopped the tournament, and the exit code."""
    if problem is None:
        return 0
    kept = f"{report['rounds']} of {report['asked_rounds']} rounds were complete, and are reported"
    if isinstance(problem, KeyboardInterrupt):
        print_error("interrupted", kept)
        return 130
    if isinstance(problem, PlayError):
        print_error(str(problem), f"{problem.help}; {kept}" if problem.help else kept)
        return 1
    raise problem


_ELO = "Elo: mean of all bots 0; 200 more is a win in three of four. A draw is half a win."


def report_text(report: dict[str, Any]) -> str:
    """The ratings and the pairs as two tables, and in words which bot is shown to be stronger."""
    from ..study.text_table import aligned
    from ..study.tournament_page import pair_sentences, payoff_sentences, team_sentences, tournament_head, wins_note

    head = tournament_head(report)
    if not report["ratings"]:
        return f"{head}: no round was complete"
    ratings = [
        [one["bot"], f"{one['rating']:+.0f}", f"{one['low']:+.0f} … {one['high']:+.0f}", f"{100 * one['share']:.1f} %"]
        for one in report["ratings"]
    ]
    pairs = [
        [one["bot"], one["against"], f"{100 * one['share']:.1f} %", _between(one), str(one["comparisons"])]
        for one in report["pairs"]
    ]
    told = [*pair_sentences(report), *team_sentences(report)]
    parts = [
        head,
        "\n".join(aligned([["bot", "Elo", "95 %", "wins"], *ratings], right=(1, 3))),
        "\n".join(aligned([["bot", "against", "wins", "95 %", "comparisons"], *pairs], right=(2, 4))),
        "\n".join(line for text in told for line in wrap(text, 110, subsequent_indent="  ")),
        "\n".join(filter(None, [_ELO, wins_note(report)])),
    ]
    paid = "\n".join(payoff_sentences(report))
    return "\n\n".join([*parts, paid] if paid else parts)


def _between(pair: dict[str, Any]) -> str:
    return f"{100 * pair['low']:.0f} … {100 * pair['high']:.0f} %"
