"""The command line: the only package that prints, reads input, and decides exit codes.

One module per command. A command is imported only when it is called, and imports what it needs when it runs, so that
every command starts quickly. Exit codes: 0 success; 1 findings, failed scenarios or a fault of a ruleset; 2 a command
line that cannot be carried out.
"""

from __future__ import annotations

from ..runtime.garbage import look_seldom


def main() -> None:
    """The console script."""
    look_seldom()
    from .commands import run

    run()
