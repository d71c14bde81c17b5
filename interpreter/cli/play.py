"""`rulewright play NAME`: a game at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..files.writing import json_of
from ..play.contract import PlayError
from .messages import require_folder

if TYPE_CHECKING:
    from ..play.contract import Game

EPILOG = """\b
Examples:
  rulewright play harbour                              you against a random bot
  rulewright play harbour --players 3 --seat 2=person  two persons at one screen, one bot
  rulewright play harbour --seat 2=mcts:1s              against one that thinks for a second
  rulewright play harbour --seed 7 --record game.json
  rulewright play --resume harbour-7.save.json
  rulewright play harbour --language fr
"""


PROGRAMS = ("python", "process")  # bots that run code which does not come with this program


@click.command(epilog=EPILOG)
@click.argument("name", required=False)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
@click.option(
    "--seat", "seats", multiple=True, metavar="S=KIND", help="Who sits there: person, random, greedy, mcts:200ms …"
)
@click.option("--seed", type=int, metavar="N", help="Seed of all chance; without it one is drawn and shown.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a saved game.")
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE", help="Write the choices to a file at the end."
)
@click.option(
    "--language",
    metavar="CODE",
    help="Play in another language that the ruleset has, such as fr; without it in that of LANG.",
)
def command(
    name: str | None,
    players: int | None,
    seats: tuple[str, ...],
    seed: int | None,
    resume: Path | None,
    record: Path | None,
    language: str | None,
) -> None:
    """Play NAME at the terminal: against bots, or several people around one screen.

    By default the first seat is yours and the others are bots that choose at random. During play, choose an option by
    its number or by the beginning of its label; `h` explains the rest: why not, undo, save, quit.
    """
    from .session import Session

    require_folder(record, "record", json_of("rulewright-record"))
    if resume is not None:
        game, state, kinds = _resumed(name, players, seats, seed, resume, language)
    elif name is not None:
        game, state, kinds = _begun(name, players, seats, seed, language)
    else:
        raise PlayError("which game?", "name one (`rulewright list` shows them), or a save with --resume FILE")
    Session(game, state, kinds, record=record, resumed_from=resume).run()


def _loaded(name: str, players: int | None, language: str | None) -> Game:
    from .. import load

    game = load(name, players=players)
    if language == game.meta.language:
        return game
    from ..play.language import in_language, in_language_of_system

    return in_language_of_system(game) if language is None else in_language(game, language)


def _begun(
    name: str, players: int | None, seats: tuple[str, ...], seed: int | None, language: str | None
) -> tuple[Game, Any, list[str]]:
    import secrets

    from ..play.seats import seat_kinds

    game = _loaded(name, players, language)
    kinds = seat_kinds(game, seats, _default_kinds(game))
    return game, game.new(seed=secrets.randbelow(1_000_000) if seed is None else seed), kinds


def _default_kinds(game: Game) -> list[str]:
    """By default the first seat that is not an automa is a person, the others are random bots; automas take first
    options."""
    automas = game.meta.automas
    kinds = ["first" if seat in automas else "random" for seat in range(game.players)]
    first = next((seat for seat in range(game.players) if seat not in automas), 0)
    kinds[first] = "person"
    return kinds


def _resumed(
    name: str | None, players: int | None, seats: tuple[str, ...], seed: int | None, file: Path, language: str | None
) -> tuple[Game, Any, list[str]]:
    from ..play.records import read_save, resumed
    from ..play.seats import require_kind, seat_kinds

    save = read_save(file)
    if players is not None and players != save.players:
        raise PlayError(f"`{file}` is a game of {save.players} players, not {players}", "leave --players out")
    if seed is not None:
        raise PlayError("a saved game goes on with its own seed", "leave --seed out")
    game = _loaded(name or save.game, save.players, language)
    if game.name != save.game:
        raise PlayError(f"`{file}` is a game of `{save.game}`, not of `{game.name}`", "leave the name out")
    state = resumed(save, game, str(file))
    if len(save.seats) != game.players:
        raise PlayError(f"`{file}` has {len(save.seats)} seats for {game.players} players")
    named = seat_kinds(game, seats, [""] * game.players)
    for own, kind in zip(named, save.seats, strict=True):
        if not own and kind.partition(":")[0].strip() in PROGRAMS:
            raise PlayError(
                f"`{file}` wants to run a program: the bot `{kind}`",
                "if that is what you want, say so with --seat; if not, seat somebody else there",
            )
        if not own:
            require_kind(kind)
    return game, state, [own or kind for own, kind in zip(named, save.seats, strict=True)]
