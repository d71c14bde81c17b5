"""`rulewright why FILE TEXT`: why something is not offered in a saved game, or why a value is what it is."""

from __future__ import annotations

from pathlib import Path

import click

from .messages import print_json
from .speaking import answer_spoken

EPILOG = """\b
Examples:
  rulewright why harbour-7.save.json "Unload ship 2"
  rulewright why harbour-7.save.json "price(seat1, 3)"
  rulewright why harbour-7.save.json "seat1.coins"
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("text")
@click.option("--game", "name", metavar="NAME", help="Its ruleset, where the saved name does not find it.")
@click.option(
    "--language", metavar="CODE", help="Answer in another language that the ruleset has; else in that of LANG."
)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(file: Path, text: str, name: str | None, language: str | None, layout: str) -> int:
    """Say why TEXT is not offered in the saved game FILE, or why a value is what it is there.

    TEXT is the label of something to choose, or an expression of the rules. A choice is answered with the first
    condition or requirement that fails, in words and with its clause; a value with its base and each hook that changed
    it. Exit 1 if nothing can be said.
    """
    from .. import load
    from ..play.language import in_language, in_language_of_system
    from ..play.records import read_save, resumed
    from ..play.why import why

    save = read_save(file)
    game = load(name or save.game, players=save.players)
    if language != game.meta.language:
        game = in_language_of_system(game) if language is None else in_language(game, language)
    answer = why(game, resumed(save, game, str(file)), text)
    if layout == "json":
        print_json({"format": "rulewright-why/1", "asked": text, **answer.as_data()})
    else:
        for line in answer.told.lines(answer_spoken):
            click.echo(line)
    return 1 if answer.kind == "unknown" else 0
