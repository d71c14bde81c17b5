"""How strong the bots are in the games that are shipped: plays tournaments and writes the table of docs/bots.md.

    .venv/bin/python tools/strength.py                     all games, as a table
    .venv/bin/python tools/strength.py --only pikit        one game
    .venv/bin/python tools/strength.py --write             put the table into docs/bots.md
    .venv/bin/python tools/strength.py --rounds 20         more rounds; it takes that much longer

A row is one pair: the share of the games that the first bot takes from the second, with its 95 % interval.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import interpreter as rw  # noqa: E402  (the folder of the project must be on the path first)
from interpreter.files.writing import write_whole  # noqa: E402
from interpreter.study.tournament import hold  # noqa: E402

BOTS = ("greedy", "random")
GAMES = {  # players, simulations of tree search, rounds
    "pikit": (2, 400, 6),
    "kikai": (2, 200, 3),
    "bricolage_heads": (2, 200, 3),
    "flatiron": (2, 100, 2),
    "kiwi_chow_down": (2, 100, 2),
}
_MARKS = re.compile(r"(<!-- strength -->\n).*?(<!-- /strength -->)", re.DOTALL)


def measured(name: str, rounds: int | None) -> dict[str, Any]:
    """The report of one game's tournament."""
    players, games, usual = GAMES[name]
    bots = (f"mcts:{games}", *BOTS)
    found = hold(partial(rw.load, name, players), bots, rounds or usual, seed=1)
    if found.stopped_by is not None:
        raise found.stopped_by
    return found.report()


def rows_of(report: dict[str, Any]) -> list[str]:
    """The lines of the table for one game."""
    return [
        f"| {report['game']}, {report['players']} players | `{one['bot']}` | `{one['against']}` | "
        f"{100 * one['share']:.0f} % | {100 * one['low']:.0f} to {100 * one['high']:.0f} % | {one['comparisons']} |"
        for one in report["pairs"]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=list(GAMES), action="append", help="one game (may be given several times)")
    parser.add_argument("--rounds", type=int, help="rounds of each tournament")
    parser.add_argument("--write", action="store_true", help="write the table into docs/bots.md")
    asked = parser.parse_args()
    lines = ["| game | bot | against | wins | 95 % | games |", "| --- | --- | --- | --- | --- | --- |"]
    for name in asked.only or list(GAMES):
        began = time.perf_counter()
        lines += rows_of(measured(name, asked.rounds))
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        print("\n".join(lines), flush=True)
    if asked.write:
        page = ROOT / "docs" / "bots.md"
        text = page.read_text(encoding="utf-8")
        write_whole(page, _MARKS.sub(lambda marks: marks[1] + "\n".join(lines) + "\n" + marks[2], text))


if __name__ == "__main__":
    main()
