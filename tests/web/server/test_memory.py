"""Memory stays flat however many games are played to their end: run with --long, since it takes minutes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.web.server.calling import Table
from tests.web.server.test_killed import ROOT, process

GAMES, SETTLED = 2_000, 200  # after so many, all that is kept by number is full: finished tables, wordings, callers
NAMES = ("Ann", "Bo", "Cem", "Dot", "Eve")


def resident(process: int) -> int:
    """Kilobytes of memory that a process has."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def finish(table: Table) -> None:
    """Plays a game to its end, without a look at schemas: there are many of them."""
    at = table.calls.get(table.path, table.tokens[0])
    while not at["over"]:
        if at["scene"]["decision"]:
            body = {"position": at["number"], "option": at["number"] % len(at["scene"]["decision"]["options"])}
            at = table.calls.post(f"{table.path}/choose", body, table.tokens[0])
        else:
            at = table.calls.get(table.path, table.tokens[0])


def test_memory_is_flat_over_many_finished_games(tmp_path: Path, is_long: bool) -> None:
    if not is_long:
        pytest.skip("two thousand games are played with --long")
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not tell the memory of a process")
    sizes: dict[int, int] = {}
    data = tmp_path / "data"
    with process(data, sys.executable, str(ROOT / "tools" / "serve_for_bench.py"), str(data)) as (calls, running):
        for game in range(1, GAMES + 1):
            name = NAMES[game % len(NAMES)]
            body = {"game": "tic_tac_toe", "seats": [{"kind": "me", "name": name}, {"kind": "bot", "bot": "random"}]}
            made = calls.post("/api/tables", body, status=201)
            table = Table(calls, made["table"], [seat["token"] for seat in made["seats"]])
            if game % 4 == 0:  # some with a live connection
                with table.socket(0) as page:
                    page.next()
                    finish(table)
            else:
                finish(table)
            if game % 200 == 0:
                sizes[game] = resident(running.pid)
    print("games played and kilobytes:", sizes)
    grown = sizes[GAMES] - sizes[SETTLED]
    assert grown < sizes[SETTLED] // 25, sizes  # measured: half a megabyte on 45
