"""Programs that play (`process:`) may write without end, never read, or say too much: whoever asked is told in time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.trust.small import ROOT

FLOOD = "while True: sys.stdout.write('x' * 100000)"
LINES = "while True: sys.stdout.write('x\\n' * 100000)"
DEAF = "time.sleep(60)"
LOUD = "while True: sys.stderr.write('words ' * 100000)"

ASKS = """
import resource, sys, time
import interpreter as rw
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked
cards = 'kind Card\\n  copies 1 for each n: 1..2000\\ntable\\n  heap: pool of Card open\\nsetup\\n'
turn = '  move all c in Card to heap\\nplay\\n  turn(seat1)\\nphase turn(p)\\n  choose k in 1..2 "?"\\n'
state = game_from_program(checked(cards + turn, 2)).new(seed=1)  # what it may see does not fit into a pipe
assert len(repr(state.observation(0))) > 100_000
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
began = time.monotonic()
try:
    rw.bot(f"process:1s:{sys.executable} {sys.argv[1]}").choose(state, 0)
except rw.BotFailed as failed:
    print(failed, failed.help)
assert time.monotonic() - began < 40
# Not ru_maxrss: that counts the memory of whoever started this program, too.
peak = [int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmHWM')]
assert peak[0] < 500 << 10
"""


@pytest.mark.parametrize(
    "program, words",
    [
        (FLOOD, "no JSON"),
        (LINES, "no JSON"),
        (DEAF, "has not answered within 1 s"),
        (LOUD, "its last words: … "),
    ],
    ids=["flood", "lines", "deaf", "loud"],
)
def test_a_program_keeps_nobody_waiting(tmp_path: Path, program: str, words: str) -> None:
    file = tmp_path / "bot.py"
    file.write_text(f"import sys, time\n{program}\n")
    done = subprocess.run(
        [sys.executable, "-c", ASKS, str(file)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0 and words in done.stdout, done.stderr[-2000:] + done.stdout[-300:]
