"""Runs the fuzzers of `tests/trust/fuzzing.py` for some time, and writes down what they find.

Each input is made from a target and a number, so a find is one line: `rules 1234`. Numbers begin at the time of day,
another run tries other inputs.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("RULEWRIGHT_CACHE", "")
os.environ.setdefault("RULEWRIGHT_BACKEND", "python")

from tests.trust.fuzzing import CORPUS, TARGETS  # noqa: E402


def main(seconds: float, names: list[str]) -> int:
    number, tried, finds = time.time_ns() // 1000, 0, 0
    seen: set[str] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        name = names[tried % len(names)]
        number, tried = number + 1, tried + 1
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            with contextlib.redirect_stderr(io.StringIO()):
                told = _tried(name, number, Path(folder) / "one")
        if told and told not in seen:
            seen.add(told)
            finds += 1
            print(f"{name} {number}\n{told}\n", flush=True)
            with (CORPUS / "found.txt").open("a", encoding="utf-8") as file:
                file.write(f"{name} {number}\n")
    print(f"{tried:,} inputs in {seconds:.0f} s, {finds} finds")
    return 1 if finds else 0


def _tried(name: str, number: int, folder: Path) -> str:
    """The last lines of a traceback, or nothing."""
    try:
        TARGETS[name](random.Random(f"{name} {number}"), folder)
    except Exception:
        return "".join(traceback.format_exc().splitlines(keepends=True)[-8:])
    return ""


if __name__ == "__main__":
    asked = sys.argv[1:]
    limit = float(asked.pop(0)) if asked and asked[0].replace(".", "").isdigit() else 60.0
    sys.exit(main(limit, asked or list(TARGETS)))
