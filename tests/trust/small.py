"""The smallest rulesets, written into a folder, and commands run on them in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = """game small "Small" for 1 players

table
  n: 0..9

play
  repeat 3 times
    go(seat1)

phase go(p)
  choose k in 1..2 "How far?"
  n += k
"""


def ruleset(folder: Path, rules: str = RULES, name: str = "small", manifest: str = "") -> Path:
    """A ruleset in a folder of that name."""
    home = folder / name
    home.mkdir(parents=True)
    (home / "ruleset.yaml").write_text(f"name: {name}\n{manifest}", encoding="utf-8")
    (home / f"{name}.rules").write_text(rules, encoding="utf-8")
    return home


def command(*args: str, cwd: Path, seconds: float = 60, **settings: str) -> subprocess.CompletedProcess[bytes]:
    """A command line, in a process of its own. No traceback may be seen, whatever happens."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RULEWRIGHT_BACKEND": "python", **settings}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "interpreter", *args], cwd=cwd, capture_output=True, timeout=seconds,
        env=environment, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    return done
