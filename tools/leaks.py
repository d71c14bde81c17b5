"""Looks for secrets that a ruleset tells, in every ruleset, variant and pair of variants, for as long as there is time.

    tools/leaks.py 600                          ten minutes, beginning where the last run stopped
    tools/leaks.py 600 kikai hearts             some rulesets, with all their variants
    tools/leaks.py --report                     what all runs so far have come to

At a decision, states that differ only in what a player cannot know must be equal for that player: in view, observation,
information, options, codes, labels, prompt, refusals and log. `interpreter/study/deep_knowledge.py` compares the game
with a world drawn for the player who decides, and with one drawn for another player, a different one each time.

Time is spread evenly over the rulesets, and over the variants and player counts of each. A game is looked at in `LOOKS`
decisions from its beginning to its end, then the next seed is played, so a short run sees late decisions too. What was
done is kept in a file (`--progress`), with the seed that is next for each game: runs add up, and nothing is done twice.
A find is a line that `rulewright replay` reads; the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("RULEWRIGHT_BACKEND", "python")

PROGRESS = ROOT / ".leaks.json"
LOOKS = 24  # decisions of one game that are looked at
SLICE = 8.0  # seconds of CPU for a game before it is another one's turn
MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407

Row = dict[str, Any]


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("seconds", type=float, nargs="?", default=60.0, help="of CPU time")
    asked.add_argument("names", nargs="*", help="rulesets; all if none is named")
    asked.add_argument("--progress", type=Path, default=PROGRESS, help="what earlier runs have done")
    asked.add_argument("--report", action="store_true", help="only tell what was done")
    given = asked.parse_args()
    rows: dict[str, Row] = json.loads(given.progress.read_text()) if given.progress.exists() else {}
    if not given.report:
        hunt(rows, given.seconds, given.names, given.progress)
    report(rows)
    return 1 if any(row["finds"] for row in rows.values()) else 0


def hunt(rows: dict[str, Row], seconds: float, names: list[str], progress: Path) -> None:
    """Looks for leaks until the time is over."""
    from tests.every_ruleset import every_game

    games = [game for game in every_game(pairs=True) if not names or game[0].split("+")[0] in names]
    for name, players in games:
        rows.setdefault(f"{name}:{players}", new_row())
    wanted = {f"{name}:{players}" for name, players in games}
    end = time.process_time() + seconds
    while (left := end - time.process_time()) > 0 and (key := next_game(rows, wanted)) is not None:
        look(rows[key], key, min(SLICE, left))
        written = progress.with_suffix(".new")
        written.write_text(json.dumps(rows, indent=1))
        written.replace(progress)


def new_row() -> Row:
    return {
        "seconds": 0.0, "seed": 11, "decisions": 0, "compared": 0, "other": 0, "why_not": {}, "finds": [],
        "has_secrets": True,
    }  # fmt: skip


def next_game(rows: dict[str, Row], wanted: set[str]) -> str | None:
    """The game whose turn it is: of the ruleset that had the least time, the variant that had the least."""
    left = [key for key in rows if key in wanted and rows[key]["has_secrets"]]
    spent: dict[str, float] = {}
    for key in left:
        ruleset = key.split(":")[0].split("+")[0]
        spent[ruleset] = spent.get(ruleset, 0.0) + rows[key]["seconds"]
    return min(left, key=lambda key: (spent[key.split(":")[0].split("+")[0]], rows[key]["seconds"]), default=None)


def look(row: Row, key: str, seconds: float) -> None:
    """Plays games of one row until its time is over."""
    from tests.every_ruleset import loaded

    name, players = key.rsplit(":", 1)
    game = loaded(name, int(players))
    row["has_secrets"] = game.meta.has_secrets
    begun = time.process_time()
    while row["has_secrets"] and time.process_time() - begun < seconds:
        look_through(row, key, game, row["seed"])
        row["seed"] += 1
    row["seconds"] += time.process_time() - begun


def look_through(row: Row, key: str, game: Any, seed: int) -> None:
    """Plays one game and compares `LOOKS` of its decisions with drawn worlds."""
    from interpreter.study.deep_knowledge import compare, readers_at

    length = len(list(states(game, seed)))
    step = max(1, length // LOOKS)
    for number, state in enumerate(states(game, seed)):
        if (number + seed) % step:
            continue
        row["decisions"] += 1
        for player in readers_at(state, number // step + seed):
            found = compare(state, player, 7919 * seed + number)
            row["compared"] += 1
            row["other"] += found.is_other and not found.why_not
            if found.why_not:
                row["why_not"][found.why_not] = row["why_not"].get(found.why_not, 0) + 1
            if found.told is not None:
                row["finds"].append(replay_line(key, state, seed, found.told))
                print(row["finds"][-1], flush=True)


def replay_line(key: str, state: Any, seed: int, told: Any) -> str:
    from interpreter.play.records import record_line

    name, players = key.rsplit(":", 1)
    return f"{record_line(name, int(players), seed, state.history)}  # player {told.player}: {told.what}"


def states(game: Any, seed: int) -> Iterator[Any]:
    """The decisions of a random game, one state that goes on."""
    state, choice = game.new(seed=seed), seed
    while not state.over:
        yield state
        choice = (choice * MULTIPLIER + INCREMENT) % 2**64
        state.apply((choice >> 33) % len(state.opts))


def report(rows: dict[str, Row]) -> None:
    """One line for each ruleset with secrets, and the total."""
    lines: dict[str, list[Row]] = {}
    for key, row in rows.items():
        if row["has_secrets"] and row["decisions"]:
            lines.setdefault(key.split(":")[0].split("+")[0], []).append(row)
    for ruleset, found in sorted(lines.items()):
        tell(ruleset, found)
    tell("in all", [row for found in lines.values() for row in found])


def tell(name: str, rows: list[Row]) -> None:
    def total(part: str) -> Any:
        return sum(row[part] for row in rows)

    reasons: dict[str, int] = {}
    for row in rows:
        for reason, times in row["why_not"].items():
            reasons[reason] = reasons.get(reason, 0) + times
    proves_nothing = f"; {', '.join(f'{times:,} {reason}' for reason, times in reasons.items())}" if reasons else ""
    print(
        f"{name}: {len(rows)} games, {total('decisions'):,} decisions, {total('compared'):,} comparisons, of which "
        f"{total('other'):,} with another world{proves_nothing}; {sum(len(row['finds']) for row in rows)} finds, "
        f"{total('seconds'):.0f} s"
    )


if __name__ == "__main__":
    raise SystemExit(main())
