"""The command line: the only package that prints, reads input, and decides exit codes.

One module per command. A command is imported only when it is called, and imports what it needs when it runs, so that
every command starts quickly. Exit codes: 0 success; 1 findings, failed scenarios or a fault of a ruleset; 2 a command
line that cannot be carried out.
"""

from __future__ import annotations

import gc


def main() -> None:
    """The console script."""
    # Classes, the tables of the parser and checked programs are made once and stay. Python would look through all of
    # them for garbage again and again, after every 700 new objects: a seventh of the time of a short command.
    gc.set_threshold(50_000, 10, 10)
    from .commands import run

    run()
