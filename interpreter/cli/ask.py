"""`rulewright ask NAME "first seat wins between 45 and 55 %"`: plays until the answer is clear."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

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
  rulewright ask harbour "first seat wins between 45 and 55 %"
  rulewright ask harbour "turns less than 40" --bots greedy
  rulewright ask harbour "turns less than 40" --html answer.html
  rulewright ask harbour "score of seat 2 more than 30" --set tolls=3
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.argument("question")
@study_options
@spread_option
@click.option(
    "--set", "sets", multiple=True, metavar="C=V", help="Play with another value of a constant, or of ROW.COLUMN."
)
@click.option(
    "--most", type=click.IntRange(min=50), metavar="N",
    help="Give up after N games; without it after 20,000, or 2,000 of bots that think.",
)  # fmt: skip
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="F", help="Write the answer to a file too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with the answer drawn.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, question: str, players: int | None, bots: str, seed: int, jobs: int, engine: str, spread: bool,
    sets: tuple[str, ...], most: int | None, file: Path | None, html: Path | None, layout: str,
) -> int:  # fmt: skip
    """Play NAME until a QUESTION about it is answered with yes or no, or say that it cannot be.

    A question names a figure and its bounds: `between A and B`, `more than A`, `less than B`. Exit 0 if the answer is
    yes, 1 if it is no or cannot be said.
    """
    from ..study.answer_page import answer_page
    from ..study.ask import USUAL, answer_data, answer_text, ask, question_of
    from ..study.assumed import assumed_in
    from ..study.report import cautions_of

    require_folder(file, "answer", is_report)
    require_folder(html, "page", is_page)
    game = load_studied(name, players, sets)
    seated = bots_of(bots, game, min(most or USUAL, USUAL))
    kinds = seated.kinds
    most = most or (20_000 if set(kinds) == {"random"} else 2_000)
    require_engine_here(engine)
    asked = question_of(question, game)
    with progress_of(most, seated=seated, jobs=jobs) as progress:
        answer = ask(
            partial(load_studied, name, game.players, sets),
            asked,
            kinds,
            most,
            seed,
            jobs,
            progress,
            engine=engine,
            spread=spread,
        )
    cautions = [*cautions_of(kinds, assumed_in(name, game.players), 0, 0, seated.remark), *answer.cautions]
    data = {**answer_data(answer, game, kinds, seed, spread), "cautions": cautions}
    if layout == "json":
        print_json(data)
    else:
        click.echo(answer_text(answer, cautions))
    stopped = tell_interrupted(answer.games, most, answer.stopped_by) if answer.is_interrupted else 0
    if file is not None:
        write_json(file, data)
    if html is not None:
        write_file(html, answer_page(data), is_page)
    return stopped or (0 if answer.verdict == "yes" else 1)
