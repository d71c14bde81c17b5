"""`rulewright soak NAME`: play for long and look at every position."""

from __future__ import annotations

from dataclasses import asdict
from shlex import quote
from typing import Any

import click

from .messages import counted, print_json
from .study_options import progress_of

EPILOG = """\b
Examples:
  rulewright soak harbour
  rulewright soak harbour --decisions 1000000 --backend both
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option("--decisions", type=click.IntRange(min=1), default=5000, show_default=True, metavar="N", help="How many.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Game number i has the seed N + i.")
@click.option(
    "--backend", type=click.Choice(["python", "native", "both"]), default="python", show_default=True,
    help="What runs the games; both: one after the other.",
)  # fmt: skip
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(name: str, decisions: int, players: int | None, seed: int, backend: str, layout: str) -> int:
    """Play NAME, at random and greedily, and check after each decision everything that must hold of a position.

    Pieces are conserved, numbers stay in their ranges, options differ, views and logs can be made, saves come back.
    In C one position in fifty is looked at, and one game in a hundred is made again in Python.
    Exit 1 with a record in one word if something does not hold.
    """
    from ..study.soak import soak

    done = []
    for each in ("python", "native") if backend == "both" else (backend,):
        game = _loaded(name, players, each)
        with progress_of(decisions, "decisions") as progress:
            done.append(soak(game, each, decisions, seed, progress))
    if layout == "json":
        print_json({"format": "rulewright-soak/1", "game": name, "soaked": [asdict(one) for one in done]})
    else:
        for one in done:
            _tell(one)
    return 1 if any(one.problem for one in done) else 0


def _loaded(name: str, players: int | None, backend: str) -> Any:
    from .. import PlayError, load

    game = load(name, players=players, backend=backend)
    if backend == "native" and getattr(game, "engine", None) is None:
        reason = getattr(game, "reason", "") or "no compiler was found"
        raise PlayError(f"`{name}` cannot run in C here: {reason}", "`rulewright doctor` says what would help")
    return game


def _tell(one: Any) -> None:
    click.echo(
        f"{one.backend}: {counted(one.decisions, 'decision')} in {counted(one.games, 'game')}, "
        f"{counted(one.saves, 'save')}, {counted(one.looked_at, 'position')} looked at, {one.seconds:.1f} s"
    )
    if one.memory_early:
        click.echo(f"  memory {one.memory_early / 1e6:.1f} MB after a tenth, {one.memory_late / 1e6:.1f} MB at the end")
    if one.problem:
        click.echo(f"  does not hold: {one.problem}")
        click.echo(f"  rulewright replay {quote(one.line)}")
    else:
        click.echo("  everything held")
