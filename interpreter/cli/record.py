"""`rulewright record FILE`: games as JSON Lines, and whether they still go as recorded."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import click

from ..play.contract import PlayError
from .messages import counted, print_json, require_folder
from .study_options import bots_of, load_studied, progress_of, require_engine_here, study_options_with, tell_interrupted

_KEPT = "the games played so far are in the file"
EPILOG = """\b
Examples:
  rulewright record corpus.jsonl --play harbour --games 500      write 500 games
  rulewright record corpus.jsonl --add game.json                 add a game that people played
  rulewright record corpus.jsonl                                 verify all of them
  rulewright record corpus.jsonl --game harbour+solo             under other rules
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--play", "name", metavar="NAME", help="Play games of NAME among bots and add them.")
@click.option("--add", type=click.Path(path_type=Path), metavar="F", help="Add the record F of a played game.")
@click.option("--game", "other", metavar="NAME", help="Verify under the rules of NAME.")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, metavar="N", help="With --play.")
@study_options_with("random")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    file: Path, name: str | None, add: Path | None, other: str | None, games: int, players: int | None, bots: str,
    seed: int, jobs: int, engine: str, layout: str,
) -> int:  # fmt: skip
    """Write games down in FILE, one JSON line each, or verify FILE under the rules as they are.

    Verifying replays each game and shows the first decision at which it goes another way; exit 1 if any does.
    """
    if sum(option is not None for option in (name, add, other)) > 1:
        raise PlayError("`--play`, `--add` and `--game` are three different things to do", "give one of them")
    if name is not None:
        return _play(file, name, games, players, bots, seed, jobs, engine)
    if add is not None:
        return _add(file, add)
    return _verify(file, other, layout)


def _play(file: Path, name: str, games: int, players: int | None, bots: str, seed: int, jobs: int, engine: str) -> int:
    from ..study.corpus import record_games

    require_folder(file, "corpus")
    game = load_studied(name, players)
    require_engine_here(engine)
    kinds = bots_of(bots, game, games).kinds
    with progress_of(games) as progress:
        load = partial(load_studied, name, game.players)
        written = record_games(file, load, kinds, games, seed, jobs, progress, engine=engine)
    click.echo(f"{counted(written.games, 'game')} of {game.name} added to {file}")
    return tell_interrupted(written.games, games, written.stopped_by, _KEPT) if written.games < games else 0


def _add(file: Path, record: Path) -> int:
    from ..play.records import read_record
    from ..study.corpus import add_record

    require_folder(file, "corpus")
    add_record(file, read_record(record))
    click.echo(f"1 game added to {file}")
    return 0


def _verify(file: Path, other: str | None, layout: str) -> int:
    from ..study.corpus import summary_lines, verdict_data, verdict_line, verify

    verdicts, differing = 0, Counter[str]()
    shown = []
    for verdict in verify(file, lambda name, players: load_studied(other or name, players)):
        verdicts += 1
        if not verdict.holds:
            differing[f"{verdict.who}: {verdict.asked}" if verdict.asked else ""] += 1
        if layout == "json":
            shown.append(verdict_data(verdict))
        elif not verdict.holds:
            click.echo(verdict_line(verdict))
    if not verdicts:
        raise PlayError(f"`{file}` has no records")
    if layout == "json":
        print_json(
            {"format": "rulewright-corpus/1", "games": verdicts, "failed": sum(differing.values()), "verdicts": shown}
        )
    else:
        for line in summary_lines(verdicts, differing):
            click.echo(line)
    return 1 if differing else 0
