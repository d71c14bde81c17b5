"""What deep validation says of rules that are never reached, of runaway games and of full places.

Each is the shortest ruleset that shows one thing; its neighbour differs in one word or number and does not show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.study.deep import validate_deeply

NEVER_TAKEN = """\
game toy "Toy" for 2 players

play
  for p in players
    turn(p)

phase turn(p)
  choose one "Which number?"
    "{n}" for n in 1..900
      say "{p} says {n}"
    "Give up"
      p loses "Gave up"
"""

NEVER_POSSIBLE = """\
game toy "Toy" for 2 players

each player
  coins: 0..9

play
  for p in players
    turn(p)

phase turn(p)
  choose n in 1..2 "How many?"
  gain n coins
  grow_rich(p) if possible

effect grow_rich(p)
  requires p.coins > 2
  gain 5 coins
"""

NEVER_ASKED = """\
game toy "Toy" for 2 players

each player
  coins: 0..9

play
  for p in players
    turn(p)

phase turn(p)
  choose n in 1..2 "How many?"
  gain n coins
  if n > 2
    let is_rich = can buy(p)
    if is_rich
      say "{p} could buy"

# Only asked for.
action buy(p)
  choose n in 1..3 "For how much?"
  pay n coins
"""

NEVER_PERFORMED = """\
game toy "Toy" for 2 players

kind Card from cards.yaml
  gift: effect

table
  rack: pool of Card open

each player
  coins: 0..9

setup
  move all c in Card to rack

play
  for p in players
    turn(p)

phase turn(p)
  choose c in rack where c != rich "Which card?"
  perform c.gift for p

effect earn(p)
  gain 2 coins

effect grow_rich(p)
  gain 5 coins
"""
CARDS = """\
kind: Card
default: known
rows:
  - {id: poor, gift: earn}
  - {id: fair, gift: earn}
  - {id: rich, gift: grow_rich}
"""

BEHIND_A_LOOP = """\
game toy "Toy" for 2 players

each player
  coins: 0..9

play
  while no p in players has p.coins > 5
    for p in players
      turn(p)
  in turn p from seat1 until seat1.coins > 7
    turn(p)

phase turn(p)
  choose n in 1..2 "How many?"
  gain n coins
  if p.coins > 2
    p wins "Rich"
"""

RUNAWAY = """\
game toy "Toy" for 2 players

table
  luck: 1 dice of 1..6

play
  roll luck
  repeat (120 if luck[1].face == 6 else 1) times
    for p in players
      turn(p)

phase turn(p)
  choose n in 1..2 "How many?"
  say "{p} says {n}"
"""

FILLED = """\
game toy "Toy" for 2 players

kind Card
  copies 9

table
  shelf: pool of Card open capacity 9
  market: pool of Card open capacity 5

play
  for p in players
    turn(p)

phase turn(p)
  choose n in 1..3 "How many?"
  move up to n c in Card where c in box to market
  move up to 1 c in Card where c in box to shelf
"""


@dataclass(frozen=True)
class Case:
    """`old` makes the finding; with `new` in its place the ruleset is sound. `line` is where it is told."""

    code: str
    rules: str
    old: str
    new: str
    line: int
    headline: str
    notes: tuple[str, ...]
    is_remark: bool = False


CASES = {
    "an option among too many": Case(
        "R0711", NEVER_TAKEN, "1..900", "1..2", 11, 'the option "Give up" is offered and never taken',
        ("in 24 games; no scenario reaches it either", "in `turn`"),
    ),
    "a rule that is never possible": Case(
        "R0712", NEVER_POSSIBLE, "coins > 2", "coins > 1", 15, "the effect `grow_rich` never runs",
        ("in 24 games; no scenario reaches it either", "in `grow_rich`"),
    ),
    "a question that is never asked": Case(
        "R0714", NEVER_ASKED, "n > 2", "n > 1", 14, "this is never executed",
        ("in 24 games; no scenario reaches it either", "in `turn`"),
    ),
    "a cell that is never performed": Case(
        "R0712", NEVER_PERFORMED, "!= rich", "!= poor", 26, "the effect `grow_rich` never runs",
        ("in 24 games; no scenario reaches it either", "in `grow_rich`"),
    ),
    "what stands behind a loop": Case(
        "R0714", BEHIND_A_LOOP, "> 2\n", "> 6\n", 10, "this is never executed",
        ("in 24 games; no scenario reaches it either", "in `play`"),
    ),
    "a game in six is long": Case(
        "R0718", RUNAWAY, "120", "9", 6, "a game of {name} for 2 took 240 decisions", ("the middle one of 24 took 2",),
        is_remark=True,
    ),
    "a market that two can fill": Case(
        "R0722", FILLED, "capacity 5", "capacity 7", 8, "`market` is filled to its capacity of 5",
        ("in 10 of 24 games",), is_remark=True,
    ),
}  # fmt: skip


def _told(rules: str, folder: Path) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Findings and remarks of a ruleset that the checker finds nothing wrong with."""
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: toy\n", encoding="utf-8")
    (folder / "toy.rules").write_text(rules, encoding="utf-8")
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    rw.load(str(folder))
    deep = validate_deeply(str(folder), [str(folder)], games=24)
    return deep.findings, deep.remarks


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_it_is_told_of_the_right_rule(case: Case, tmp_path: Path) -> None:
    assert case.rules.count(case.old) == 1
    findings, remarks = _told(case.rules, tmp_path / "toy")
    (told,) = findings + remarks
    assert (told in remarks) == case.is_remark
    headline = case.headline.replace("{name}", str(tmp_path / "toy"))
    assert (told.code, told.primary.span.line, told.headline, told.notes) == (
        case.code, case.line, headline, case.notes,
    )  # fmt: skip
    assert Path(told.primary.span.source.name).name == "toy.rules"


def test_a_payoff_is_worked_out_in_every_game(tmp_path: Path) -> None:
    rules = (
        NEVER_POSSIBLE.replace("coins > 2", "coins > 1") + "\npayoff p = worth(p)\n\nvalue worth(p): 0..9 = p.coins\n"
    )
    assert _told(rules, tmp_path / "toy") == ([], [])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_its_neighbour_is_sound(case: Case, tmp_path: Path) -> None:
    assert _told(case.rules.replace(case.old, case.new), tmp_path / "toy") == ([], [])
