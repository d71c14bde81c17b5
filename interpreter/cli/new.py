"""`rulewright new game|variant NAME`: a working skeleton to edit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..files.writing import write_whole
from ..play.contract import PlayError
from ..ruleset.find import own_rulesets, ruleset_folders
from .messages import print_json

if TYPE_CHECKING:
    from ..runtime.game import Game

EPILOG = """\b
Examples:
  rulewright new game orchard
  rulewright new game orchard --title "The Orchard" --in my_games
  rulewright new variant orchard+dear
"""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NAME_HELP = "a name is lower case letters, digits and underscores, and begins with a letter"


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(["game", "variant"]))
@click.argument("name")
@click.option("--title", metavar="TEXT", help="What people read; without it the name in words.")
@click.option("--in", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Where the game's folder goes.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(what: str, name: str, title: str | None, folder: Path | None, layout: str) -> None:
    """Write a new game NAME, or a new variant GAME+NAME of an existing game.

    Both validate as they are and come with a scenario that passes; comments say what each part is for. A game goes into
    `rulesets/` if the current folder has one of its own, otherwise into the current folder. A variant goes into the
    folder of its game, or, if the game came with the program, into a folder of the game's name in the same places.
    Existing files are never overwritten.
    """
    hidden = ruleset_folders().get(name) if what == "game" else None
    made = _new_game(name, title, folder) if what == "game" else _new_variant(name, title, folder)
    asked = name if what == "game" and folder is None else str(made[0].parent) if what == "game" else name
    if layout == "json":
        print_json({"format": "rulewright-new/1", "name": name, "files": [path.as_posix() for path in made]})
        return
    for path in made:
        click.echo(f"wrote {path}")
    if hidden is not None:
        click.echo(f"Note: `{name}` now means this game here; the one that it hides is in {hidden}")
    click.echo(f"Next: rulewright validate {asked}, rulewright test {asked}, rulewright play {asked}")


def _new_game(name: str, title: str | None, folder: Path | None) -> list[Path]:
    from .skeletons import GAME_FILES

    if not _NAME.fullmatch(name):
        raise PlayError(f"`{name}` cannot be the name of a game", _NAME_HELP)
    root = (folder if folder is not None else _own_place()) / name
    if root.exists():
        raise PlayError(f"`{root}` is there already", "choose another name, or another place with --in DIR")
    words = {"NAME": name, "TITLE": _title(name, title), "AUTHOR": "the author"}
    return _write(root, GAME_FILES, words)


def _new_variant(asked: str, title: str | None, folder: Path | None) -> list[Path]:
    from .. import load
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.gather import gather
    from .skeletons import VARIANT_FILES

    if folder is not None:
        raise PlayError("a variant goes into the folder of its game", "leave --in out")
    base, plus, name = asked.rpartition("+")
    if not plus or not base:
        raise PlayError(f"of which game shall `{asked}` be a variant?", f"write GAME+NAME, such as harbour+{asked}")
    if not _NAME.fullmatch(name):
        raise PlayError(f"`{name}` cannot be the name of a variant", _NAME_HELP)
    game = load(base)
    gathered = gather(base, game.players, Diagnostics())
    assert gathered is not None
    rule, cites = _hooked(game)
    words = {
        "NAME": name,
        "GAME": gathered.base,
        "TITLE": _title(name, title),
        "RULE": rule,
        "PLAYERS": str(game.players),
        "CITES": "".join(f"   @{clause}" for clause in cites),
    }
    is_shipped = gathered.folder.is_relative_to(own_rulesets())
    return _write(_own_place() / gathered.folder.name if is_shipped else gathered.folder, VARIANT_FILES, words)


def _own_place() -> Path:
    """Where games of one's own are: `rulesets` here, unless those are the games that came with the program."""
    here = Path("rulesets")
    return here if here.is_dir() and here.resolve() != own_rulesets() else Path()


def _hooked(game: Game) -> tuple[str, tuple[str, ...]]:
    """A phase of the game for the first hook, written as the target of a hook, with the clauses it cites."""
    phases = [rule for rule in game.program.rules.values() if rule.form == "phase"]
    rules = phases or [rule for rule in game.program.rules.values() if rule.form in ("action", "effect")]
    if not rules:
        raise PlayError(f"`{game.name}` has no phase, action or effect that a variant could hook")
    rule = next((rule for rule in rules if rule.cites), rules[0])
    params = ", ".join(param.name for param in rule.params)
    return f"{rule.name}({params})" if params else rule.name, rule.cites[:1]


def _title(name: str, title: str | None) -> str:
    return (title or name.replace("_", " ").capitalize()).replace('"', "'")


def _formatted(path: str, text: str) -> str:
    """Rules as `fmt` writes them: where clauses stand depends on how long the names are."""
    from ..diagnostics.diagnostic import Diagnostics
    from ..diagnostics.source import Source
    from ..syntax.format import format_rules
    from ..syntax.parse import parse_rules

    source = Source(path, text)
    tree = parse_rules(source, Diagnostics()) if path.endswith(".rules") else None
    return text if tree is None else format_rules(tree, source)


def _write(root: Path, files: dict[str, str], words: dict[str, str]) -> list[Path]:
    from .skeletons import filled

    made = [(root / filled(path, words), _formatted(path, filled(text, words))) for path, text in files.items()]
    for path, _ in made:
        if path.exists():
            raise PlayError(f"`{path}` is there already", "nothing was written")
    try:
        for path, text in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
    except OSError as problem:
        raise PlayError(f"`{root}` cannot be written: {problem.strerror or problem}") from None
    return [path for path, _ in made]
