"""The output of the command line: errors, findings, tables, and whether to use colours."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..play.contract import PlayError

if TYPE_CHECKING:
    from ..diagnostics.diagnostic import Diagnostic


BOTS_HELP = "One for all seats, or one a seat: random, first, greedy, flat:N, mcts:N …; see docs/bots.md."


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
    head = click.style("error", fg="red", bold=True) if colour else "error"
    click.echo(f"{head}: {message}", err=True)
    if help:
        click.echo(f"  = help: {help}", err=True)


def print_findings(findings: Sequence[Diagnostic]) -> None:
    """Findings in full, on the error stream."""
    from ..diagnostics.render import render_all

    click.echo(render_all(findings, colour=wants_colour(is_error_stream=True)), err=True)


def print_json(content: Any) -> None:
    click.echo(json.dumps(content, indent=2, ensure_ascii=False))


def write_json(file: Path, content: Any) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def require_folder(file: Path | None, what: str) -> None:
    """Raises PlayError if the folder of an output file does not exist; called before any game is played."""
    if file is not None and not file.parent.is_dir():
        raise PlayError(f"there is no folder `{file.parent}` for the {what}")


def counted(number: int, word: str, plural: str | None = None) -> str:
    """`1 game`, `2 games`"""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"
