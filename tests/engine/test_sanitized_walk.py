"""The walk to worlds in C, and the bots that draw them, under the address and undefined-behaviour sanitizers.

`test_sanitized.py` runs programs in C alone. Worlds are asked for by Python, so here Python itself loads a library that
was built with sanitizers; their runtime has to be loaded in front of everything else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EVERYDAY = (("liars_dice", 2),)
LONG = (
    ("hearts", 4), ("branch_lines", 2), ("pikit", 4), ("leduc_poker", 2), ("kuhn_poker", 2), ("spring_bouquet", 3),
    ("estate_sale", 3), ("sea_wall", 2), ("market_garden", 2),
)  # fmt: skip
WALKED = ("liars_dice", "hearts", "branch_lines", "pikit")  # in the others there is little to find out
PLAYED = """
import random, sys
import interpreter as rw

name, players, decisions = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
game = rw.load(name, players, backend="native")
assert game.engine is not None, game.reason
walked = 0
for seed, bot in enumerate((rw.bot("greedy"), rw.bot("mcts:60"))):
    state, choose = game.new(seed), random.Random(seed)
    for number in range(decisions):
        if state.over:
            break
        for player in range(players):
            worlds = state.worlds(player)
            series = worlds.series()
            for drawn in range(3):
                worlds.draw(drawn)
                series(drawn)
            walked += worlds.dealer.native is not None and worlds.dealer.course is not None
        chosen = bot.choose(state, number)
        state.apply(choose.randrange(len(state.opts)) if number % 3 else chosen)
print("walked", walked)
"""


@pytest.mark.parametrize(("name", "players"), [*EVERYDAY, *LONG], ids=lambda value: str(value))
def test_worlds_under_sanitizers(name: str, players: int, is_long: bool, tmp_path: Path) -> None:
    if (name, players) not in EVERYDAY and not is_long:
        pytest.skip("compiling with sanitizers takes long")
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, name, str(players), "40" if is_long else "8"],
        env={**os.environ, **_sanitized(tmp_path)}, cwd=ROOT, capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("walked ")
    if name in WALKED:
        assert int(done.stdout.split()[1]) > 0


def test_a_fault_is_found(tmp_path: Path) -> None:
    """The runtime that is loaded in front does look at the library: a read behind an array ends the process."""
    source, library = tmp_path / "broken.c", tmp_path / "broken.so"
    source.write_text("int numbers[4];\nint read_at(int i) { return numbers[i]; }\n")
    environment = {**os.environ, **_sanitized(tmp_path)}
    subprocess.run([environment["RULEWRIGHT_CC"], "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    script = f"import ctypes; print(ctypes.CDLL({str(library)!r}).read_at(4))"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "runtime error" in done.stderr or "AddressSanitizer" in done.stderr


def _sanitized(folder: Path) -> dict[str, str]:
    """The environment in which libraries are built with sanitizers, and loaded with their runtime."""
    cc = shutil.which("gcc")
    if cc is None or sys.platform != "linux":
        pytest.skip("needs gcc on Linux: the runtime of its sanitizers is loaded in front of Python")
    runtime = subprocess.run([cc, "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    if not Path(runtime).is_absolute():
        pytest.skip("gcc has no address sanitizer here")
    compiler = folder / "cc"
    compiler.write_text(f'#!/bin/sh\nexec {cc} -g1 -fsanitize=address,undefined -fno-sanitize-recover=all "$@"\n')
    compiler.chmod(0o755)
    return {
        "RULEWRIGHT_CC": str(compiler),
        "RULEWRIGHT_CACHE": str(folder / "cache"),
        "RULEWRIGHT_OPTIMISE": "0",  # a third of the time, and nothing is left out before sanitizers see it
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps what it has to its end
        "PYTHONMALLOC": "malloc",  # so that what ctypes hands over has edges that are watched
    }
