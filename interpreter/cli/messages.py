"""The output of the command line: errors, findings, tables, and whether to use colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from ..files.shown import SafeStream, json_text
from ..files.writing import IsKind, beginning_with, json_of, require_replaceable, write_whole
from ..play.contract import PlayError
from .speaking import SpokenWords, count_spoken, spoken

if TYPE_CHECKING:
    from ..diagnostics.diagnostic import Diagnostic


BOTS_HELP = (
    "One for all seats, or one a seat: random, first, greedy, flat:N, mcts:N …; see docs/bots.md. auto: bots that "
    "think, where that takes minutes."
)


def wants_colour(is_error_stream: bool = False) -> bool:
    """True if the output is a terminal and NO_COLOR is not set."""
    stream = sys.stderr if is_error_stream else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def on_terminal() -> bool:
    return sys.stdout.isatty()


def painted(text: str, **style: Any) -> str:
    """The text in a style, if the output is a terminal."""
    return click.style(text, **style) if wants_colour() else text


def print_error(message: str, help: str | None = None) -> None:
    """An error of the command line itself."""
    colour = wants_colour(is_error_stream=True)
    head = click.style(spoken("error"), fg="red", bold=True) if colour else spoken("error")
    click.echo(f"{head}: {spoken(message)}", err=True)
    if help:
        click.echo(f"  = {spoken('help')}: {spoken(help)}", err=True)


def print_findings(findings: Sequence[Diagnostic]) -> None:
    """Findings in full, on the error stream."""
    from ..diagnostics.render import render_all

    click.echo(render_all(findings, colour=wants_colour(is_error_stream=True), words=SpokenWords()), err=True)


def print_json(content: Any) -> None:
    click.echo(json_text(content, indent=2))


# ---------------------------------------------------------------------------- files that commands write


def is_report(beginning: bytes) -> bool:
    """A JSON file of this program that a new report may replace: no game that somebody played, nothing learnt."""
    return json_of("rulewright-")(beginning) and not json_of(*(f"rulewright-{kind}" for kind in _KEPT))(beginning)


_KEPT = ("save", "record", "policy")
is_page = beginning_with("<!doctype html", "<html")
is_drawing = beginning_with("<svg", "<?xml", "\x89PNG")


def write_json(file: Path, content: Any) -> None:
    write_file(file, json_text(content, indent=2) + "\n", is_report)


def write_file(path: Path, content: str | bytes, is_kind: IsKind | None = None) -> None:
    """Writes a file as a whole; PlayError if it cannot be, or must not replace what is there."""
    try:
        write_whole(path, content, is_kind)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise PlayError(f"`{path}` cannot be written: {reason}") from problem


def require_folder(file: Path | None, what: str, is_kind: IsKind | None = None) -> None:
    """Raises PlayError if an output file cannot be written; called before any game is played."""
    if file is None:
        return
    try:
        if not file.parent.is_dir():
            raise PlayError(f"there is no folder `{file.parent}` for the {what}")
        require_replaceable(file, is_kind)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise PlayError(f"`{file}` cannot be written: {reason}") from problem


# ---------------------------------------------------------------------------- the screen


def own_stream(stream: TextIO) -> TextIO:
    """The stream itself, for what this program moves about on the screen: a progress bar, a cleared page."""
    while isinstance(stream, SafeStream):
        stream = stream.stream
    return stream


def clear_screen() -> None:
    """Clears a terminal. The sequence goes past the stream that makes such things visible."""
    stream = own_stream(sys.stdout)
    stream.write("\x1b[2J\x1b[1;1H")
    stream.flush()


def counted(number: int, word: str, plural: str | None = None) -> str:
    """`1 game`, `2 games`"""
    return count_spoken(number, word, plural)
