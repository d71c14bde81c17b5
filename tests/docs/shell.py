"""Commands of the documents, run as the installed program would run them, without a process of their own."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout

from interpreter.cli.commands import exit_code_of


def run(arguments: list[str], answers: str = "") -> tuple[int, str]:
    """The exit code, and all that was printed."""
    printed = io.StringIO()
    stdin, sys.stdin = sys.stdin, io.StringIO(answers)
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            code = exit_code_of(arguments)
    finally:
        sys.stdin = stdin
    return code, printed.getvalue()
