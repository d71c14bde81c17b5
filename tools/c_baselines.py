"""The hand-written C games of tools/baselines/c, compiled and called in this process, as native games are.

Each file is compiled once, with -O2, as its author would do it. `C_BASELINES` maps the name of a ruleset to its file;
`C_BITBOARDS` does so for programs with masks in place of arrays.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from interpreter.native.build import build_library
from interpreter.native.library import load_library
from interpreter.native.toolchain import FLAGS

OPTIMISED = tuple("-O2" if flag.startswith("-O") else flag for flag in FLAGS)
FOLDER = Path(__file__).resolve().parent / "baselines" / "c"
C_BASELINES = {name: f"{name}.c" for name in ("tic_tac_toe", "connect_four", "breakthrough", "othello", "pikit")}
C_BITBOARDS = {name: f"{name}_bits.c" for name in ("tic_tac_toe", "connect_four", "breakthrough")}


class Sums(ctypes.Structure):
    """`Totals` of baseline.h."""

    _fields_ = (
        ("games", ctypes.c_int64),
        ("decisions", ctypes.c_int64),
        ("decisions_squared", ctypes.c_int64),
        ("score", ctypes.c_int64 * 4),
        ("score_squared", ctypes.c_int64 * 4),
    )


@dataclass(frozen=True)
class Mean:
    """An average over games, with the standard error of that average."""

    value: float
    error: float

    def agrees_with(self, other: Mean, deviations: float = 4.5) -> bool:
        """True if the difference is no larger than chance explains."""
        return abs(self.value - other.value) <= deviations * math.hypot(self.error, other.error) + 1e-9


def mean_of(total: float, squares: float, count: int) -> Mean:
    average = total / count
    return Mean(average, math.sqrt(max(0.0, squares / count - average * average) / count))


class CBaseline:
    """One of the C games."""

    def __init__(self, file_name: str) -> None:
        text = source_of(file_name)
        library = load_library(build_library(text, Path(file_name).stem, "baseline", flags=OPTIMISED))
        self._playouts = library.function("playouts", None, "u64", "i64", "i32", "address")
        self._count = library.function("count_sequences", "i64", "i32")

    def playouts(self, seed: int, games: int, players: int = 2) -> Sums:
        """So many random games."""
        sums = Sums()
        self._playouts(seed, games, players, ctypes.addressof(sums))
        return sums

    def decisions(self, seed: int, games: int, players: int = 2) -> Mean:
        sums = self.playouts(seed, games, players)
        return mean_of(sums.decisions, sums.decisions_squared, games)

    def score(self, seed: int, games: int, players: int = 2, player: int = 0) -> Mean:
        sums = self.playouts(seed, games, players)
        return mean_of(sums.score[player], sums.score_squared[player], games)

    def count_sequences(self, depth: int) -> int:
        return int(self._count(depth))


@cache
def c_baseline(file_name: str) -> CBaseline:
    return CBaseline(file_name)


def source_of(file_name: str) -> str:
    """A file with its own headers put in, so that the text says everything that is compiled."""
    lines = []
    for line in (FOLDER / file_name).read_text(encoding="utf-8").splitlines():
        if line.startswith('#include "'):
            lines.append(source_of(line.split('"')[1]))
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
