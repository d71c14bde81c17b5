"""The command line: prints, reads, and decides exit codes; nobody else does.

One module a command. A command is imported when it is called and not before, and imports what it needs when it
runs, so that every command starts at once. Exit codes: 0 all is well, 1 findings, failed scenarios or a fault of a
ruleset, 2 a command line that cannot be carried out.
"""

from __future__ import annotations


def main() -> None:
    """The console script."""
    from .commands import run

    run()
