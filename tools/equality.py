"""Plays the same random games in Python and in C, and compares them: for how many games each ruleset was found equal.

    tools/equality.py --games 10000                     every ruleset with every number of players and pair of variants
    tools/equality.py --games 10000 --seconds 20        each of them for so long at most (processor time)
    tools/equality.py --first 5000 pikit kikai+advanced some of them, from another seed on
    tools/equality.py --backend wasm --seconds 20       the same C as WebAssembly
    tools/equality.py --players 2 my/game               rules of one's own, by folder

Two games are equal if they made the same choices and ended alike: numbers, pieces, generator, ranking, scores, returns.
All of a game but Python's own playout costs little here, so it is Python that decides how many games fit into the time.
The tests play a hundred games each with words, views, copies and saves on top (`tests/engine/test_equality.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import interpreter as rw  # noqa: E402  (the folder of the project must be on the path first)
from tests.every_ruleset import every_game  # noqa: E402

PARTS = ("f", "p", "at", "g", "fd", "won", "gone", "over", "ranking", "scores", "returns")  # of a game that is over


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="rulesets, with +variant; all of them if none is named"
    )
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="so many games of each")
    parser.add_argument("--seconds", type=float, default=None, metavar="S", help="processor time of each at most")
    parser.add_argument("--backend", choices=("native", "wasm"), default="native", help="which C is played")
    parser.add_argument("--players", type=int, default=None, help="for rulesets that are folders")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the seed of the first game")
    given = parser.parse_args(arguments)
    chosen = [(name, players) for name, players in every_game(pairs=True) if not given.names or name in given.names]
    chosen += [(name, given.players) for name in given.names if Path(name).is_dir()]
    total = differing = 0
    for name, players in chosen:
        seeds = range(given.first, given.first + given.games)
        played, found = compared(name, players, seeds, given.seconds, given.backend)
        total += played
        differing += bool(found)
        print(f"{name:48} {players or 'fewest'} players {played:7,} games  {found or 'equal'}", flush=True)
    print(f"{total:,} games of {len(chosen)} combinations; {differing} of them differ or were not compared")
    return 1 if differing or not chosen else 0


def compared(
    name: str, players: int | None, seeds: range, seconds: float | None, backend: str = "native"
) -> tuple[int, str]:
    """How many games were compared, and how the last one differs, if it does."""
    compiled: Any = rw.load(name, players, backend=backend)
    reference = rw.load(name, players, backend="python")
    if getattr(compiled, "engine", None) is None:
        return 0, f"not compared: {compiled.reason}"
    played, start = 0, time.process_time()
    for played, difference in enumerate(differences(compiled, reference, seeds), start=1):
        if difference:
            return played, difference
        if seconds is not None and time.process_time() - start > seconds:
            break
    return played, ""


def differences(compiled: Any, reference: Any, seeds: range) -> Iterator[str]:
    """Of each game how it differs, or nothing."""
    for seed in seeds:
        ours, theirs = ended(compiled, seed), ended(reference, seed)
        parts = [part for part in theirs if ours.get(part) != theirs[part]]
        yield f"seed {seed}: another {', '.join(parts)}" if parts else ""


def ended(game: Any, seed: int) -> dict[str, Any]:
    """A random game at its end, or the fault that ended it."""
    try:
        state = game.playout(seed)
    except rw.Fault as fault:
        return {"fault": fault.diagnostic.code, "step": fault.step}
    return {"history": [int(number) for number in state.h], **{part: getattr(state, part) for part in PARTS}}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
