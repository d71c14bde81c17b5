"""`rulewright train NAME`: a value of positions, learnt by self-play."""

from __future__ import annotations

from pathlib import Path

import click

from ..files.writing import json_of
from ..play.bots.policy_bot import FORMAT
from .messages import counted, print_error, require_folder, write_file

EPILOG = """\b
Examples:
  rulewright train harbour -o harbour.policy.json
  rulewright tournament harbour --bots policy:harbour.policy.json,greedy,random
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="F", help="The file; NAME.policy.json if left out."
)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
@click.option(
    "--games", type=click.IntRange(min=2), default=300, show_default=True, metavar="N", help="Games in each generation."
)
@click.option(
    "--generations", type=click.IntRange(min=1), default=3, show_default=True, metavar="N",
    help="The first plays at random, each further one by what was learnt.",
)  # fmt: skip
@click.option(
    "--hidden", type=click.IntRange(min=0, max=128), default=16, show_default=True, metavar="N",
    help="Hidden units of a small network; 0 for a weighted sum alone.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Same seed, same policy.")
def command(
    name: str, output: Path | None, players: int | None, games: int, generations: int, hidden: int, seed: int
) -> int:  # fmt: skip
    """Learn what positions of NAME are worth and which options are taken, by self-play, and write a policy file.

    The file is for the bots policy:FILE and mcts:N+policy:FILE. Needs numpy (extra `learn`); playing by it does not.
    Ctrl-C writes what the generations that are complete have taught.
    """
    from ..study.training import train
    from .study_options import INTERRUPTED, load_game, progress_of

    game = load_game(name, players)
    file = output or Path(f"{game.name.replace('/', '_')}.policy.json")
    require_folder(file, "policy", json_of(FORMAT))
    with progress_of(games * generations) as progress:
        trained = train(game, games, generations, seed, progress, hidden)
    write_file(file, trained.policy.to_json(), json_of(FORMAT))
    units = trained.policy.learnt.hidden
    click.echo(
        f"{file}: learnt from {counted(trained.lines, 'position')} and {counted(trained.choices, 'choice')} of "
        f"{counted(trained.games, 'game')} in {trained.seconds:.0f} s; "
        f"{f'a network of {units} units' if units else 'a weighted sum'} foretells "
        f"{100 * max(0.0, trained.explained):.0f} % of the variance of results"
    )
    if trained.generations == generations:
        return 0
    print_error(
        f"interrupted after {trained.generations} of {generations} generations",
        f"the policy is what these have taught, as with `--generations {trained.generations}`",
    )
    return INTERRUPTED
