"""`rulewright serve`: the table in the browser, and the JSON interface behind it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from .extras import required_module

EPILOG = """\b
Examples:
  rulewright serve --open                      a table on this machine, in your browser
  rulewright serve --host 0.0.0.0 --port 8700  for everybody in your network
  rulewright serve --watch mygame              write rules and play them at once
"""


@click.command(epilog=EPILOG)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8700, show_default=True, help="0 takes any free port.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Where tables are kept.")
@click.option("--store", metavar="URL", help="Keep tables in a database, such as postgresql://…, and not in DIR.")
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--watch", multiple=True, type=click.Path(path_type=Path), metavar="FOLDER",
    help="A ruleset to check and play anew whenever a file of it changes.",
)  # fmt: skip
@click.option(
    "--author", multiple=True, type=click.Path(path_type=Path), metavar="FOLDER",
    help="A ruleset, or a folder of rulesets, to offer beside those that are found by name.",
)  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="HOST", help="A host name under which the page is reached.")
@click.option(
    "--pace", nargs=2, type=click.FloatRange(0, 3600), metavar="SHORTEST LONGEST",
    help="Seconds after which a decision with a single option takes itself, where its haste could tell a secret.",
)  # fmt: skip
def command(
    host: str,
    port: int,
    data: Path | None,
    store: str | None,
    opens: bool,
    watch: tuple[Path, ...],
    author: tuple[Path, ...],
    names: tuple[str, ...],
    pace: tuple[float, float] | None,
) -> None:
    """Play in the browser: alone, with friends, against bots.

    The server prints its address and runs until you press Ctrl-C. Tables are kept in DIR (by default
    ~/.local/share/rulewright, or RULEWRIGHT_DATA) and go on where they were after a restart. --watch and --author
    work on this machine only.
    """
    required_module("starlette", "web", "the table in the browser needs")
    required_module("uvicorn", "web", "the table in the browser needs")
    required_module("websockets", "web", "the table in the browser needs")
    if store is not None:
        required_module("sqlalchemy", "web-sql", "a database needs")
    from ..web.server.serving import Settings, serve

    settings = Settings(
        host=host, port=port, data=data or _data_folder(), store=store, watch=watch, author=author, names=names,
        pace=(min(pace), max(pace)) if pace else None,
    )  # fmt: skip

    def started(address: str) -> None:
        click.echo(f"The table is at {address} (Ctrl-C stops it)")
        if opens:
            click.launch(address)

    serve(settings, started)


def _data_folder() -> Path:
    named = os.environ.get("RULEWRIGHT_DATA")
    if named:
        return Path(named)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "rulewright"
