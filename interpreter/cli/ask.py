"""`rulewright ask NAME "first seat wins between 45 and 55 %"`: plays until the answer is clear."""

from __future__ import annotations

from functools import partial

import click

from .messages import print_json
from .study_options import bots_of, load_studied, progress_of, require_engine_here, study_options

EPILOG = """\b
Examples:
  rulewright ask harbour "first seat wins between 45 and 55 %"
  rulewright ask harbour "turns less than 40" --bots greedy
  rulewright ask harbour "score of seat 2 more than 30" --set tolls=3
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.argument("question")
@study_options
@click.option(
    "--set", "sets", multiple=True, metavar="C=V", help="Play with another value of a constant, or of ROW.COLUMN."
)
@click.option(
    "--most", type=click.IntRange(min=50), metavar="N",
    help="Give up after N games; without it after 20,000, or 2,000 of bots that think.",
)  # fmt: skip
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, question: str, players: int | None, bots: str, seed: int, jobs: int, engine: str,
    sets: tuple[str, ...], most: int | None, layout: str,
) -> int:  # fmt: skip
    """Play NAME until a QUESTION about it is answered with yes or no, or say that it cannot be.

    A question names a figure and its bounds: `between A and B`, `more than A`, `less than B`. Exit 0 if the answer is
    yes, 1 if it is no or cannot be said.
    """
    from ..study.ask import USUAL, answer_data, answer_text, ask, question_of
    from ..study.audit import assumed_in
    from ..study.report import cautions_of

    game = load_studied(name, players, sets)
    seated = bots_of(bots, game, min(most or USUAL, USUAL))
    kinds = seated.kinds
    most = most or (20_000 if set(kinds) == {"random"} else 2_000)
    require_engine_here(engine)
    asked = question_of(question, game)
    with progress_of(most) as progress:
        answer = ask(
            partial(load_studied, name, game.players, sets), asked, kinds, most, seed, jobs, progress, engine=engine
        )
    cautions = cautions_of(kinds, assumed_in(name, game.players), 0, 0, seated.remark)
    if layout == "json":
        print_json({**answer_data(answer, game, kinds, seed), "cautions": cautions})
    else:
        click.echo(answer_text(answer, cautions))
    return 0 if answer.verdict == "yes" else 1
