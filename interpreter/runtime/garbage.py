"""How often Python looks for garbage in cycles, in a process of our own."""

from __future__ import annotations

import gc


def look_seldom() -> None:
    """Classes, the tables of the parser, checked programs and the past of a game are made once and stay. Python would
    look through all of them again and again, after every 700 new objects: a fifth of the time of checking and
    compiling a large game. Whoever imports the package keeps Python's own setting."""
    gc.set_threshold(50_000, 10, 10)
