"""Memory that is to spare: what tests may leave lying."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.garbage import spare_memory

MEMINFO = "MemTotal:       16000 kB\nMemFree:         2000 kB\nMemAvailable:    9000 kB\n"


@pytest.mark.parametrize(
    ("meminfo", "most", "used", "spare"),
    [(MEMINFO, "max", "5", 9000 << 10), (MEMINFO, "5000", "2000", 3000), (MEMINFO, "5000", "6000", 0),
     (MEMINFO, None, None, 9000 << 10), ("MemTotal: 5 kB\n", "5000", "2000", 0), (None, None, None, 0)],
)  # fmt: skip
def test_the_machine_and_the_container_say_it(
    tmp_path: Path, meminfo: str | None, most: str | None, used: str | None, spare: int
) -> None:
    for name, text in (("meminfo", meminfo), ("memory.max", most), ("memory.current", used)):
        if text is not None:
            (tmp_path / name).write_text(text)
    assert spare_memory(tmp_path / "meminfo", tmp_path) == spare
