"""Says of every game whether games of thinking bots are played in C, and if not, why.

    tools/thinking_in_c.py                          every ruleset, with its fewest players: is it tried in C at all?
    tools/thinking_in_c.py --variants               with each variant too
    tools/thinking_in_c.py --games 3                and three games of greedy bots are played: are they played whole?
    tools/thinking_in_c.py --games 3 --bots mcts:20 hearts tests/knowledge/games/*.rules

A game that hides nothing needs no memory. One with secrets is played in C if what its players know can be kept there
(`interpreter/native/matches.py`); some games go back to Python in the middle, when something happens that only Python
can keep. Each reason stands once below the table, with how many games it concerns, so that the next engineer sees what
to do next. Files of rules are played by two.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.check.program import Program  # noqa: E402
from interpreter.cli.combinations import combinations  # noqa: E402
from interpreter.compile.load import checked_program  # noqa: E402
from interpreter.diagnostics.diagnostic import Diagnostics  # noqa: E402
from interpreter.native.engine import Engine  # noqa: E402
from interpreter.native.library import load_library  # noqa: E402
from interpreter.native.make import made_of_program  # noqa: E402
from interpreter.native.matches import why_in_python  # noqa: E402
from interpreter.native.unavailable import NativeUnavailable  # noqa: E402
from interpreter.ruleset.gather import gather  # noqa: E402
from interpreter.ruleset.listing import list_rulesets  # noqa: E402
from interpreter.runtime.game import Game, game_from_program  # noqa: E402
from interpreter.study.text_table import aligned  # noqa: E402
from interpreter.study.thinking_games import native_matches  # noqa: E402

FLAGS = ("-std=c11", "-O1", "-fPIC", "-w")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="rulesets or files of rules; without any, all rulesets"
    )
    parser.add_argument("--games", type=int, default=0, metavar="N", help="play so many games of each")
    parser.add_argument("--bots", default="greedy", metavar="BOT", help="the bot at every seat")
    parser.add_argument("--variants", action="store_true", help="each ruleset with each of its variants too")
    asked = parser.parse_args()
    rows, reasons = [["game", "players", "in C", "why not"]], Counter[str]()
    for name, program in _programs(asked.names, asked.variants):
        game = game_from_program(program)
        told, why = said_of(program, game, asked.bots, asked.games)
        reasons[why] += 1
        rows.append([name, str(game.players), told, why])
    for line in aligned(rows):
        print(line.rstrip())
    print()
    for why, count in reasons.most_common():
        print(f"{count:4} {why or 'played in C, as far as they were tried'}")
    return 0


def said_of(program: Program, game: Game, bot: str, games: int) -> tuple[str, str]:
    """Whether such games are tried in C, or how many of them were played whole; and why not."""
    bots = [bot] * game.players
    why = why_in_python(game, bots)
    if why or not games:
        return "no" if why else "tried", why
    try:
        engine = Engine(load_library(made_of_program(program, FLAGS, counted="knowledge")), game.meta)
        matches = native_matches(engine, game, bots)
    except NativeUnavailable as problem:
        return "no", str(problem)
    whole, last = 0, ""
    for seed in range(games):
        whole += matches.choices(seed) is not None
        last = matches.why or last
    return f"{whole} of {games}", last


def _programs(names: list[str], with_variants: bool) -> Iterator[tuple[str, Program]]:
    for name in names or list(_rulesets(with_variants)):
        if name.endswith(".rules"):
            yield Path(name).stem, _of_file(Path(name))
        else:
            yield name, checked_program(name, None)


def _of_file(path: Path) -> Program:
    """A file of rules without a folder around it, as the tests have them."""
    from tests.toy_games import checked

    return checked(path.read_text(encoding="utf-8"))


def _rulesets(with_variants: bool) -> Iterator[str]:
    for summary in list_rulesets(Diagnostics()):
        if summary.is_core:
            continue
        yield summary.name
        gathered = gather(summary.name, None, Diagnostics()) if with_variants else None
        for variant in gathered.all_variants if gathered is not None else ():
            yield from (name for name in combinations(summary.name, [variant]) if name != summary.name)


if __name__ == "__main__":
    raise SystemExit(main())
