"""Rulesets that validate clean and would hold up whoever runs them, each as short as it can be.

They go wrong when they are played: with each stand the codes of faults of which one must come.

    python -m tests.trust.bounds.hostile BACKEND NAME …

plays some of them with limits of the operating system and prints, as JSON, what each came to. Tests run that in a
process of its own, so that the machine survives whatever a ruleset manages to do.
"""

from __future__ import annotations

import contextlib
import gc
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from interpreter.runtime.garbage import look_seldom

MEMORY = 500 << 20  # bytes that a ruleset may take
PATIENCE = 20  # CPU seconds after which something is not bounded

_TURN = 'play\n  in turn p from seat1 until no\n    turn(p)\nphase turn(p)\n  choose k in 1..2 "Which?"\n'

ITSELF = "table\n  n: 0..9\n" + _TURN + '  while n < 9\n    choose z in 1..1 "?"\n'

DOUBLING = (
    "table\n  n: 0..9\n"
    + _TURN
    + "  e40(p)\n"
    + "effect e0(p)\n  n = 1\n"
    + "".join(f"effect e{i}(p)\n  e{i - 1}(p)\n  e{i - 1}(p)\n" for i in range(1, 41))
)

LOOKING = (
    "table\n  n: 0..9\n"
    + _TURN
    + "  if can e0(p)\n    n = 1\n"
    + "".join(
        f"effect e{i}(p)\n  if can e{i + 1}(p) and can e{i + 1}(p)\n    n = 2\n  requires n < 9\n" for i in range(30)
    )
    + "effect e30(p)\n  requires n < 9\n  n = 1\n"
)

MOVING = (
    "kind Coin\n  copies 9000\ntable\n  a: pool of Coin open\n  b: pool of Coin open\n"
    "setup\n  move all c in Coin to a\n" + _TURN + "  for i in 1..50000\n"
    "    move all c in a to b\n    move all c in b to a\n"
)

SHOWING = (
    "kind Card\n  copies 1 for each n: 1..3000\ntable\n  deck: pile of Card hidden\n"
    "setup\n  move all c in Card to deck\n" + _TURN + "  for i in 1..50000\n    reveal deck\n    shuffle deck\n"
)

DRAWING = (
    "kind Card\n  copies 1 for each n: 1..90\ntable\n  a: pile of Card hidden\n"
    "each player\n  hand: hand of Card secret\n"
    "setup\n  move all c in Card to a\n" + _TURN + "  for i in 1..90000\n"
    "    draw 90 from a to p.hand\n    move all c in p.hand to a\n"
)

ROLLING = "table\n  d: 500 dice of 1..6\n" + _TURN + "  for i in 1..90000\n    roll d\n"

COINS = "rows:\n" + "".join(f"  - {{id: c{n}, worth: {n}}}\n" for n in range(1, 41))

_COIN = "kind Coin from coins.yaml\n  worth: 1..41\n"

SETS = (
    _COIN
    + """
each player
  pot: bag of Coin open
setup
  move all c in Coin to seat1.pot
play
  turn(seat1)
phase turn(p)
  choose 20 x in p.pot as xs such that sum(c.worth for c in xs) == 819 "?"
"""
)

SUMS = SETS.replace("== 819", "== 411")

_GEMS = """enum Colour = {colours}
kind Gem
  copies {copies} for each colour: Colour
kind Pearl
  copies {pearls}
each player
  gems: pool of Gem open
  pearls: pool of Pearl open
  out: pool of Gem open
currency jewel for p
  p.gems by colour back to p.out
  p.pearls as any back to box
setup
  move all g in Gem to seat1.gems
  move all x in Pearl to seat1.pearls
play
  turn(seat1)
phase turn(p)
  choose one "?"
    "Pay"
      pay {costs}
    "No"
"""


def _paying(colours: int, copies: int, pearls: int, costs: str) -> str:
    names = " | ".join(f"c{n}" for n in range(colours))
    return _GEMS.format(colours=names, copies=copies, pearls=pearls, costs=costs)


DIFFERENT = _paying(14, 2, 3, "9 jewel all different, 9 jewel all equal, 9 jewel all different, 9 jewel all different")
HUNDREDS = _paying(2, 900, 40, "900 jewel all equal, 900 jewel all different")
KINDS = _paying(24, 1, 12, "2 jewel for each k: Colour")

WIDE = (
    SETS[: SETS.index("phase")].replace("turn(seat1)", "turn(seat1)\n")
    + """phase turn(p)
  choose 5 k in 1..100000 as ks "?"
"""
)

OPTIONS = 'play\n  turn(seat1)\nphase turn(p)\n  choose a in 1..1000, b in 1..1000, d in 1..1000 "?"\n'

SAYING = _TURN + '  for i in 1..90000\n    say "{p} says {i}"\n'

PASSES = "table\n  n: 0..90000\n" + _TURN + "  for i in 1..90000\n    n = count(j in 1..90000 where j == i)\n"

NESTED = (
    "table\n  n: 0..9\n"
    + _TURN
    + "  for a in 1..16\n"
    + "".join(f"{'  ' * (i + 1)}for a{i} in 1..16\n" for i in range(1, 9))
    + "  " * 10
    + "n = 1\n"
)

DISTANCES = (
    """
map board is grid 100 by 100
  node Cell
table
  n: 0..900
"""
    + _TURN
    + "  for c in Cell\n    n = distance(c, Cell.cell_1_1) otherwise 0\n"
)

TRAILS = (
    "map net is complete of 400\n  node Town\n  edge Way\neach Way\n  owner: player?\ntable\n  n: 0..100000\n"
    + _TURN
    + "  n = longest_trail(w in Way where w.owner is none)\n"
)

PASSING = (
    "kind Card\n  copies 1 for each n: 1..3000\neach player\n  hand: hand of Card secret\n"
    "setup\n  for c in Card\n    move c to seat1.hand\n" + _TURN + "  for i in 1..9000\n    pass hand left\n"
)

TABLES = {"coins.yaml": COINS}

PLAYED: dict[str, tuple[str, tuple[str | None, ...]]] = {
    "sets that nothing completes": (SETS, ("R0903",)),
    "sums that few sets have": (SUMS, ("R0903",)),
    "payments that compete": (DIFFERENT, ("R0903",)),
    "payments of hundreds": (HUNDREDS, ("R0903", "R0904")),
    "payments of many kinds": (KINDS, (None,)),
    "sets of very many": (WIDE, ("R0905",)),
    "distances on a large map": (DISTANCES, ("R0903", "")),
    "answers itself for ever": (ITSELF, ("R0903",)),
    "calls that double": (DOUBLING, ("R0903",)),
    "thousands of pieces to and fro": (MOVING, ("R0903",)),
    "thousands of pieces shown": (SHOWING, ("R0903",)),
    "millions of cards drawn": (DRAWING, ("R0903",)),
    "millions of dice": (ROLLING, ("R0903",)),
    "looks ahead that double": (LOOKING, ("R0903",)),
    "a thousand million options": (OPTIONS, ("R0903", "R0905")),
    "ninety thousand lines": (SAYING, ("R0903",)),
    "passes over a long expression": (PASSES, ("R0903",)),
    "loops in loops": (NESTED, ("R0903",)),
    "thousands of pieces passed on": (PASSING, ("R0903",)),
    "trails over a large map": (TRAILS, ("R0903",)),
}


def limit_this_process() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY, 4 * MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (10 * PATIENCE, 10 * PATIENCE))


def outcome(name: str, backend: str) -> dict[str, Any]:
    """What a ruleset comes to when its first options are taken: the fault, its place, and what it took."""
    import interpreter as rw
    from interpreter.native.unavailable import NativeUnavailable
    from interpreter.runtime.game import game_from_program
    from tests.toy_games import checked

    rules, _ = PLAYED[name]
    began = time.process_time()
    program = checked(rules, 2, TABLES)
    game: Any = game_from_program(program)
    if backend == "native":
        with contextlib.suppress(NativeUnavailable):  # then `rw.load` has Python's game as well
            game = native_game(program)
    fault: rw.Fault | None = None
    try:
        state = game.new(seed=1)
        for _ in range(3):
            if not state.over:
                state.apply(0)
    except rw.Fault as problem:
        fault = problem
    return {
        "code": fault.diagnostic.code if fault is not None else None,
        "place": fault.place if fault is not None else None,
        "rule": fault.rule if fault is not None else None,
        "seconds": time.process_time() - began,
        "memory": most_memory(),
    }


def most_memory() -> int:
    """The most that this process has had in memory, in bytes. What `getrusage` tells begins with the size of the
    process that started this one, which may be a large test worker; the kernel's own mark does not."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) << 10
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def native_game(program: Any) -> Any:
    from interpreter.compile.load import compile_program
    from interpreter.native.engine import Engine
    from interpreter.native.game import NativeGame
    from interpreter.native.library import load_library
    from tests.engine.playouts import quick_library

    game = NativeGame(compile_program(program), None, states_native=True)
    game.use(Engine(load_library(quick_library(program)), game.meta))
    return game


if __name__ == "__main__":
    look_seldom()  # as the command does
    limit_this_process()
    for asked in sys.argv[2:] or PLAYED:
        gc.collect()  # what the one before left is none of this one's memory
        print(json.dumps({"name": asked, **outcome(asked, sys.argv[1])}), flush=True)
