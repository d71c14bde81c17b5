"""What the commands of studies share: options, loading, bots by name, the progress bar, files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .extras import required_module
from .messages import BOTS_HELP, print_error, print_findings

if TYPE_CHECKING:
    from ..play.contract import Game
    from ..study.batches import Stop
    from ..study.default_bots import Players
    from ..study.simulate import Progress

F = TypeVar("F", bound=Callable[..., Any])

ENGINE_HELP = "Where games are played: processes (here), ray (a local Ray), ray:ADDRESS (a cluster)."
INTERRUPTED = 130  # the exit code of a command that was stopped by Ctrl-C


def study_options(command: F) -> F:
    """--players, --bots, --seed, --jobs, --engine: the same words in every study."""
    return study_options_with("auto")(command)


def study_options_with(bots: str) -> Callable[[F], F]:
    """The same options, with other bots if nobody names any."""
    return lambda command: _with_options(command, bots)


def _with_options(command: F, bots: str) -> F:
    jobs = click.IntRange(min=1)
    for option in (
        click.option(
            "--engine",
            default="processes",
            show_default=True,
            metavar="E",
            help=ENGINE_HELP,
        ),
        click.option("--jobs", type=jobs, default=1, show_default=True, metavar="J", help="Processes at once."),
        click.option(
            "--seed", type=int, default=0, show_default=True, metavar="N", help="Game number i has the seed N + i."
        ),
        click.option("--bots", default=bots, show_default=True, metavar="KIND,…", help=BOTS_HELP),
        click.option(
            "--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may."
        ),
    ):
        command = option(command)
    return command


def spread_option(command: F) -> F:
    """--spread: seeds that have nothing to do with each other."""
    told = "Give game number i a seed mixed from N and i, in place of N + i: for random bots in short games."
    return click.option("--spread", is_flag=True, help=told)(command)


def load_studied(name: str, players: int | None, sets: tuple[str, ...] = ()) -> Game:
    """The game, compiled to count; `sets` are changes of constants, `CONSTANT=VALUE`."""
    from ..study.settings import load_with

    return load_with(name, players, sets)


def bots_of(bots: str, game: Game, games: int) -> Players:
    """One kind of bot for each seat, from one word for all or one word a seat; `auto` if so many games allow it."""
    from ..play.bots.named import bot_names
    from ..play.seats import require_bot
    from ..study.default_bots import AUTO, players_of

    kinds = bot_names(bots)
    for kind in kinds:
        if kind != AUTO:
            require_bot(kind)
    with _waiting("timing trial games, to see who can play …") if AUTO in kinds else nullcontext():
        seated = players_of(game, kinds, games)
    _tell_where(game, seated.kinds)
    return seated


def _tell_where(game: Game, kinds: Sequence[str]) -> None:
    """Says if bots that think could play in C but for the rules: then the study takes several times as long."""
    from ..native.game import NativeGame
    from ..native.matches import why_not_remembered

    if not isinstance(game, NativeGame) or all(kind in ("random", "first") for kind in kinds):
        return
    why = why_not_remembered(game) if game.meta.has_secrets else ""
    if why:
        click.echo(f"Games of these bots are played from Python, decision by decision, since {why}.", err=True)


def load_game(name: str, players: int | None) -> Game:
    """A game by name; at the top of a module, so that other processes can be told to load it too."""
    from .. import load

    game: Game = load(name, players=players)
    return game


@contextmanager
def _waiting(words: str) -> Iterator[None]:
    """Says on a terminal what takes a while (an engine may have to be made), and takes it away again."""
    if not sys.stderr.isatty():
        yield
        return
    from .progress_bar import waiting

    with waiting(words):
        yield


@contextmanager
def progress_of(
    games: int, words: str = "games", seated: Players | None = None, jobs: int = 1
) -> Iterator[Progress | None]:
    """A bar with the time that is left, on the error stream if that is a terminal, else nothing. With `seated` it says
    who plays, and begins with the time that their trial games foretell."""
    if not sys.stderr.isatty():
        yield None
        return
    from .progress_bar import bar_of

    if seated is not None:
        words = f"{words} by {', '.join(dict.fromkeys(seated.kinds))}"
    seconds = seated.seconds if seated is not None else None
    with bar_of(seconds / min(jobs, os.cpu_count() or 1) if seconds is not None else None) as bar:
        task = bar.add_task(words, total=games)
        yield lambda more: bar.advance(task, more)


def require_engine_here(engine: str) -> None:
    """Raises PlayError for an unknown engine, before anything is played; installs Ray where that is possible."""
    from ..study.batches import require_engine

    require_engine(engine)
    if engine.startswith("ray"):
        required_module("ray", "ray", "`--engine ray` needs")


def tell_interrupted(
    played: int, games: int, stopped_by: Stop | None = None, kept: str = "the figures are of the games played so far"
) -> int:
    """Says that fewer games were played than asked for, why, and what is kept; the exit code."""
    from .. import Fault

    if stopped_by is None:
        print_error(f"interrupted after {played:,} of {games:,} games", kept)
        return INTERRUPTED
    if isinstance(stopped_by, Fault):
        print_findings([stopped_by.diagnostic])
        print_error(f"the rules stopped the study after {played:,} of {games:,} games", kept)
        return 1
    told = f"{stopped_by} (after {played:,} of {games:,} games)"
    print_error(told, f"{stopped_by.help}; {kept}" if stopped_by.help else kept)
    return 1
