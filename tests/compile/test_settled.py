"""Trials stop where nothing can be refused any more, and only there."""

from __future__ import annotations

import random

import pytest

from interpreter.compile import ir
from interpreter.compile.analysis import Analysis
from interpreter.compile.passes import lower_program
from interpreter.compile.settled import Settled
from interpreter.compile.ways import for_way
from interpreter.runtime.game import game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.toy_games import checked

HEAD = """
table
  sum: 0..99
  noise: 0..99
  rounds: 0..9
each player
  coins: 0..9 = 4
play
  repeat 6 times
    rounds += 1
    for p in players
      turn(p)
"""

# `go` asks in a way that no condition foresees, so that its options are tried.
LAST_WORD = """
phase turn(p)
  choose n in 1..3 "How many?"
  sum += n
  requires sum mod 3 != p.coins mod 3 "Bad sum"
  noise += 1
  noise += sum mod 2
"""

FOLLOWED = {
    "an inner phase, and then a requirement of the outer one": """
phase turn(p)
  choose n in 1..3 "How many?"
  inner(p, n)
  requires noise mod 3 != 1 "Bad noise"
phase inner(p, n: 1..3)
  sum += n
  requires sum mod 5 != 2 "Bad sum"
  noise += n
""",
    "a loop that comes round again": """
phase turn(p)
  choose n in 1..3 "How many?" if possible
    for k in 1..2
      requires sum mod 4 != 3 "Bad sum"
      sum += n
""",
    "a call if possible, and then a requirement": """
phase turn(p)
  choose n in 1..3 "How many?"
  add(p, n) if possible
  requires noise mod 3 != 1 "Bad noise"
effect add(p, n: 1..3)
  requires sum mod 4 != 3 "Bad sum"
  sum += n
  noise += n
""",
    "a result, and then a requirement": """
phase turn(p)
  choose n in 1..3 "How many?"
  let odd = add(p, n)
  requires not odd "Odd"
effect add(p, n: 1..3): flag
  sum += n
  noise += 1
  result sum mod 2 == 1
""",
    "a hook behind the phase": """
phase turn(p)
  choose n in 1..3 "How many?"
  sum += n
  noise += 1
after turn(p)
  requires sum mod 3 != 1 "Bad sum"
""",
    "first possible, and then a requirement": """
phase turn(p)
  choose n in 1..3 "How many?" if possible
    first possible
      add(p, n)
      less(p)
    requires noise mod 3 != 1 "Bad noise"
effect add(p, n: 1..3)
  requires sum mod 4 != 3 "Bad sum"
  sum += n
  noise += n
effect less(p)
  noise += 2
""",
    "one's own next decision": """
phase turn(p)
  choose n in 1..3 "How many?"
  sum += n
  choose m in 1..3 where (sum + m) mod 3 == 0 "And then?"
  noise += m
  requires noise mod 4 != 3 "Bad noise"
""",
}
PASSING = "\n".join(f'  "{name}"  {"p.coins" if name == "Coins" else "noise"}' for name in ("Coins", "Noise"))
END = f"\nscore p\n{PASSING}\nrank p by highest score, then shared\n"


def trial_stores(rules: str) -> int:
    """How many fields `turn` stores into on trial."""
    routines = for_way(lower_program(checked(HEAD + rules + END)), "trial")
    turns = [routine for name, routine in routines.items() if name.startswith("rule_turn")]
    bodies = [body for routine in turns for body in (routine.body, *(s.body for s in routine.segments))]
    return sum(isinstance(ins, ir.Store) for body in bodies for ins in ir.instructions(body))


def test_what_comes_after_the_last_word_is_not_tried() -> None:
    assert trial_stores(LAST_WORD) == 1
    assert trial_stores(LAST_WORD + '  requires noise < 30 "Too loud"\n') == 3


@pytest.mark.parametrize("rules", [LAST_WORD, *FOLLOWED.values()], ids=["the last word", *FOLLOWED])
def test_options_are_those_of_the_slow_evaluator(rules: str) -> None:
    program = checked(HEAD + rules + END)
    game = game_from_program(program)
    for seed in range(25):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(program), seed, rng.randrange) is None


def test_a_game_without_trials_is_left_alone() -> None:
    settled = Settled(Analysis(checked(HEAD + "phase turn(p)\n  choose n in 1..3\n  noise += n\n" + END)))
    assert not settled.seen


IN_A_CELL = """
kind Card from cards.yaml
  use: effect
table
  deck: pool of Card open
setup
  move all c in Card to deck
phase turn(p)
  choose one "Which card?"
    "{c}" for c in deck
      perform c.use for p
    "None"
effect burn(p) "Burn"
  sum += 1
effect ask(p) "Ask"
  choose n in 1..2 where (sum + n) mod 3 == 0 "How many?"
  noise += n
"""
CARDS = "kind: Card\ndefault: known\nrows:\n  - {id: both, use: 'burn, ask'}\n  - {id: one, use: ask}\n"


def test_a_call_of_a_cell_is_followed_by_the_next_one() -> None:
    """`burn` alone can never be refused; in `use: burn, ask` the trial must go on to what `ask` finds behind it."""
    program = checked(HEAD + IN_A_CELL + END, 2, {"cards.yaml": CARDS})
    game = game_from_program(program)
    for seed in range(25):
        assert lock_step(game.new(seed), SlowGame(program), seed, random.Random(seed).randrange) is None
