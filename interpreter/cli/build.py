"""`rulewright build`: a game as a library for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from ..play.contract import PlayError

EPILOG = """\b
Examples:
  rulewright build harbour --to out                      C in one file, with a header and an example
  rulewright build harbour --to out --target native      a shared library
  rulewright build harbour --to out --target wasm        a module for browsers and Node
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option("--to", "folder", type=click.Path(path_type=Path), required=True, help="The folder to write into.")
@click.option("--target", type=click.Choice(("c", "native", "wasm")), default="c", show_default=True)
@click.option("--players", type=int, metavar="N", help="The number of players.")
def command(name: str, folder: Path, target: str, players: int | None) -> int:
    """Write NAME as a library that plays without Python: its C, or a compiled library, or a wasm module.

    Beside it stand a header and a short example that plays a random game.
    """
    from ..compile.load import checked_program
    from ..native.export import export
    from ..native.make import c_of
    from ..native.unavailable import NativeUnavailable

    program = checked_program(name, players)
    try:
        files = export(c_of(program).source, program.name, program.players, target, folder)
    except NativeUnavailable as problem:
        raise PlayError(str(problem), "`rulewright doctor` says what is missing") from None
    except OSError as problem:
        raise PlayError(f"`{folder}` cannot be written: {problem.strerror or problem}") from None
    for file in files:
        click.echo(str(file))
    return 0
