"""When Python looks for garbage in cycles during a run of tests.

Thousands of checked programs and games stay alive to the end. Python looks for such garbage after every 700 new
objects, and through all that is alive after a hundred such looks, unless told otherwise. And what it finds has to be
gone through and taken apart, object by object: that is a tenth of the CPU time of a run in which nobody would miss the
memory. So what is garbage lies where it is until it takes a part of the memory that is to spare. Then Python looks for
it between two tests, so that no test has to wait in the middle of what it measures.
"""

from __future__ import annotations

import gc
from pathlib import Path

BYTES = 120  # that an object of these takes, with what is not counted
SHARE = 4  # the part of the spare memory that garbage of all workers together may take is one in so many
FEWEST = 50_000  # objects, where memory is short or nobody can say what is to spare
_CONTROL_GROUP = Path("/sys/fs/cgroup")

_most = FEWEST


def look_while_collecting() -> None:
    gc.set_threshold(FEWEST, 20, 1_000)


def look_seldom(workers: int) -> None:
    """What is alive now stays to the end: nobody needs to look through it. Later on Python looks when there are twice
    as many new objects as a look between tests allows: one test alone may make as many."""
    global _most
    _most = max(FEWEST, spare_memory() // SHARE // workers // BYTES)
    gc.collect()
    gc.freeze()
    gc.set_threshold(2 * _most, 20, 1_000)


def look_between_tests() -> None:
    if gc.get_count()[0] > _most:
        gc.collect(0)


def leave_it() -> None:
    """The process ends, and Python would look through everything once more."""
    gc.freeze()


def spare_memory(meminfo: Path = Path("/proc/meminfo"), group: Path = _CONTROL_GROUP) -> int:
    """Bytes that nobody uses, on this machine and in this container; 0 if the system does not say."""
    free = next((int(words[1]) << 10 for line in _text(meminfo).splitlines()
                 if len(words := line.split()) > 1 and words[0] == "MemAvailable:"), 0)  # fmt: skip
    most, used = _text(group / "memory.max").strip(), _text(group / "memory.current").strip()
    if most.isdecimal() and used.isdecimal():
        free = min(free, max(0, int(most) - int(used)))
    return free


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
