"""How strong the bots are: plays tournaments in slices, keeps every round, and writes the table of docs/bots.md.

    .venv/bin/python tools/strength.py                     the table, from the rounds that are kept
    .venv/bin/python tools/strength.py --seconds 120       plays on for about two minutes first
    .venv/bin/python tools/strength.py --only pikit        one game (may be given several times)
    .venv/bin/python tools/strength.py --write             puts the table into docs/bots.md
    .venv/bin/python tools/strength.py --seconds 3600 --from-scratch --write       everything anew

Rounds are kept in `strength.json` beside this file, each with who won how often against whom, so the work can be cut
into slices of any length: the next slice goes on with the game that has the smallest part of its rounds. Round i has
the seed 1 + i, whatever was played before it. A game whose rules have changed is begun anew, and so is one whose
line-up below has. After a change of the bots themselves count `SEARCH` up: rounds of an older search stay in the table,
marked as such, until their game is played again, which then begins anew.

A row is one game. Each pair has the share of the games that the first bot takes from the second (a draw is half a
game), with its 95 % interval. Games for more than two are played by two here, where two may play; with four at the
table two of them are of one kind, and every pair of seats counts.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import interpreter as rw  # noqa: E402  (the folder of the project must be on the path first)
from interpreter.files.writing import write_whole  # noqa: E402
from interpreter.study.ratings import share_interval, summed  # noqa: E402
from interpreter.study.tournament import hold  # noqa: E402

KEPT = Path(__file__).resolve().parent / "strength.json"
PAGE = ROOT / "docs" / "bots.md"
# game -> simulations of tree search, rounds to be played; a round is six games
GAMES = {
    "pikit": (400, 40),
    "kikai": (100, 8),
    "bricolage_heads": (100, 8),
    "flatiron": (40, 6),
    "kiwi_chow_down": (40, 6),
    "kalah": (200, 20),
    "oware": (100, 8),
    "market_garden": (100, 8),
    "estate_sale": (100, 20),
    "spring_bouquet": (100, 20),
    "branch_lines": (100, 8),
    "backgammon": (100, 8),
    "pig": (200, 40),
    "liars_dice": (100, 20),
    "leduc_poker": (200, 40),
    "connect_four": (200, 20),
    "breakthrough": (100, 8),
    "draughts": (100, 6),
    "othello": (50, 8),
    "hex_11x11": (50, 8),
    "gomoku": (50, 8),
    "go_9x9": (30, 5),
    "chess": (30, 5),
    "sea_wall": (100, 8),
    "hearts": (30, 2),
    "tic_tac_toe": (100, 20),
    "nim": (100, 20),
    "kuhn_poker": (200, 40),
    "rock_paper_scissors": (100, 40),
}
PLAYERS = {"hearts": 4}  # all others are played by two
OTHERS = ("greedy", "random")
_MARKS = re.compile(r"(<!-- strength -->\n).*?(<!-- /strength -->)", re.DOTALL)

SEARCH = 2  # 1: before searches looked one step ahead

Wins = list[list[float]]
Kept = dict[str, dict[str, Any]]


def bots_of(name: str) -> tuple[str, ...]:
    return (f"mcts:{GAMES[name][0]}", *OTHERS)


@cache
def game(name: str) -> Any:
    return rw.load(name, PLAYERS.get(name, 2))


def read_kept(file: Path) -> Kept:
    """The rounds played so far, of games whose rules and line-up are the same."""
    if not file.exists():
        return {}
    held: Kept = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: own
        for name, own in held.items()
        if name in GAMES and own["bots"] == list(bots_of(name)) and own["rules"] == game(name).fingerprint
    }


def write_kept(kept: Kept, file: Path) -> None:
    lines = [f' "{name}": {json.dumps(kept[name])}' for name in GAMES if name in kept]
    write_whole(file, "{\n" + ",\n".join(lines) + "\n}\n")


def play_round(name: str, number: int) -> Wins:
    """Who won how often against whom in one round."""
    found = hold(partial(rw.load, name, PLAYERS.get(name, 2), backend="native"), bots_of(name), 1, seed=1 + number)
    if found.stopped_by is not None:
        raise found.stopped_by
    return found.rounds[0]


def play_on(kept: Kept, names: list[str], seconds: float, file: Path) -> None:
    """Plays rounds until the time is over or all are played; each is kept as soon as it is there."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        left = [name for name in names if len(_played(kept, name)) < GAMES[name][1]]
        if not left:
            return
        name = min(left, key=lambda one: len(_played(kept, one)) / GAMES[one][1])
        began = time.monotonic()
        rounds = [*_played(kept, name), play_round(name, len(_played(kept, name)))]
        told = {"bots": list(bots_of(name)), "rules": game(name).fingerprint, "search": SEARCH}
        kept[name] = {**told, "rounds": rounds}
        write_kept(kept, file)
        print(f"{name}: round {len(rounds)}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def _rounds(kept: Kept, name: str) -> list[Wins]:
    rounds: list[Wins] = kept[name]["rounds"] if name in kept else []
    return rounds


def _is_older(kept: Kept, name: str) -> bool:
    return name in kept and kept[name].get("search", 1) != SEARCH


def _played(kept: Kept, name: str) -> list[Wins]:
    """The rounds of the present search."""
    return [] if _is_older(kept, name) else _rounds(kept, name)


def row_of(name: str, rounds: list[Wins], is_older: bool = False) -> str:
    """The line of the table for one game: each pair with its interval, and how many times each has met."""
    wins, cells = summed(rounds), []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        met = wins[one][other] + wins[other][one]
        low, high = share_interval(rounds, one, other, 1)
        cells.append(f"{100 * wins[one][other] / met:.0f} % ({100 * low:.0f} to {100 * high:.0f})")
    return f"| {name} | `{bots_of(name)[0]}` | {' | '.join(cells)} | {met:.0f}{' (older search)' * is_older} |"


def table_of(kept: Kept) -> str:
    lines = [
        "| game | search | against `greedy` | against `random` | `greedy` against `random` | games of each pair |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [row_of(name, _rounds(kept, name), _is_older(kept, name)) for name in GAMES if _rounds(kept, name)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=list(GAMES), action="append", help="one game (may be given several times)")
    parser.add_argument("--seconds", type=float, default=0.0, help="play on for about so long")
    parser.add_argument(
        "--kept", type=Path, default=KEPT, help="the file of the rounds (strength.json beside this one)"
    )
    parser.add_argument("--from-scratch", action="store_true", help="forget the rounds that are kept")
    parser.add_argument("--write", action="store_true", help="write the table into docs/bots.md")
    asked = parser.parse_args()
    kept = {} if asked.from_scratch else read_kept(asked.kept)
    play_on(kept, asked.only or list(GAMES), asked.seconds, asked.kept)
    print(table_of(kept), end="")
    if asked.write:
        text = PAGE.read_text(encoding="utf-8")
        write_whole(PAGE, _MARKS.sub(lambda marks: marks[1] + table_of(kept) + marks[2], text))


if __name__ == "__main__":
    main()
