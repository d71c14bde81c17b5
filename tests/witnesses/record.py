"""Writes the witnesses anew, or prints one game in full. Run from the root of the project.

    python -m tests.witnesses.record                 every ruleset, variant, pair of variants, number of players
    python -m tests.witnesses.record pikit kikai     only these rulesets
    python -m tests.witnesses.record --trace pikit+duel 2 tracked 17

Witnesses say that the same seed gives the same game. Write them anew only when the rules of a game have changed, never
because a change of the compiler or the runtime plays another game: that is what they are there to show.
"""

from __future__ import annotations

import sys

from tests.every_ruleset import every_game, loaded
from tests.witnesses.played import WAYS, file_of, play, recorded, written


def record(rulesets: set[str]) -> None:
    games = every_game(pairs=True)
    for ruleset in sorted(rulesets or {name.split("+")[0] for name, _ in games}):
        own = [(name, players) for name, players in games if name.split("+")[0] == ruleset]
        sections = [recorded(loaded(name, players), name, way) for name, players in own for way in WAYS]
        file_of(ruleset).write_text(written(sections), encoding="utf-8")
        print(f"{file_of(ruleset).name}: {len(own)} games")


def trace(name: str, players: str, way: str, seed: str) -> None:
    """One decision per line, so that two traces can be laid side by side."""
    played = play(loaded(name, int(players)), way, int(seed))
    offered = played.offered or [""] * len(played.codes)
    for number, (code, options) in enumerate(zip(played.codes, offered, strict=True), 1):
        print(number, code, options)
    print(played.summary())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--trace"]:
        trace(*sys.argv[2:])
    else:
        record(set(sys.argv[1:]))
