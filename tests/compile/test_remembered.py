"""Which values are remembered, how they are told, and that a game is the same with and without."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.compile.meta import ELEMENTS, NUMBER
from interpreter.compile.passes import built
from interpreter.runtime import machine
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

GAME = """
enum Suit = moon | sun
kind Card
  copies 3 for each suit: Suit, rank: 1..4
table
  deck: pile of Card hidden
  row: row of Card open
  limit: 0..9 = 3
each player
  hand: hand of Card secret
  points: 0..99 capped
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 6 from deck to p.hand
play
  repeat 4 times
    for p in players
      lay(p)
phase lay(p)
  choose c in p.hand "Which card?"
  move c to row
  if public({asked})
    gain 1 points
"""
DEAR = "some c in h, d in h has c.suit == d.suit and c.rank == d.rank + 1"
VALUES = {
    "two loops": (f"value v(h: set of Card): flag = {DEAR}", "v((p.hand))", {"v": "rows"}),
    "one loop": ("value v(h: set of Card): flag = some c in h has c.rank == 4", "v((p.hand))", {}),
    "no suit": (
        "value v(h: set of Card): flag = some c in h, d in h has c.rank == d.rank + 2",
        "v((p.hand))",
        {"v": "rows"},  # equal copies stand for themselves, so each row is a sort
    ),
    "a field is read": (f"value v(h: set of Card): flag = count(h) > limit and ({DEAR})", "v((p.hand))", {}),
    "the order counts": (
        "value v(h: set of Card): flag = (first c in h by highest c.rank).suit == moon and (some c in h, d in h has "
        "c.rank == d.rank + 1)",
        "v((p.hand))",
        {"v": "elements"},
    ),
    "asked again and again": (
        "value of(h: set of Card, r: 1..5): 0..9 = count(c in h where c.rank == r)\n"
        "value v(h: set of Card): flag = some a in 1..4, b in 1..4 has of(h, a) + of(h, b) == 5",
        "v((p.hand))",
        {"v": "rows", "of": "elements"},
    ),
    "two sets": (
        "value v(h: set of Card, g: set of Card): flag = some c in h, d in g has c.rank == d.rank + 1",
        "v((p.hand), (row))",
        {"v": "elements"},
    ),
}


@pytest.mark.parametrize("name", VALUES)
def test_dear_values_without_state_are_remembered(name: str) -> None:
    value, asked, expected = VALUES[name]
    remembered = built(checked(GAME.format(asked=asked) + value + "\n")).meta.remembered
    found = {}
    for routine, told in remembered.items():
        sets = [how for how in told if how != NUMBER]
        found[routine.removeprefix("value_")] = "elements" if sets[0] == ELEMENTS else "rows"
    assert found == expected


@pytest.mark.parametrize("name", VALUES)
def test_games_are_the_same_as_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value, asked, _ = VALUES[name]
    program = checked(GAME.format(asked=asked) + value + "\n")
    with_it = [played(game_from_program(program), seed) for seed in range(5)]
    monkeypatch.setattr(machine, "remembering", lambda value, told, known: value)
    assert [played(game_from_program(program), seed) for seed in range(5)] == with_it


def played(game: rw.Game, seed: int) -> list[object]:
    """Each decision with the work that led to it, and what worlds there are."""
    state, found = game.new(seed=seed), []
    while not state.over:
        worlds = [str(state.determinize(player, 1).view(None)) for player in range(2)]
        found.append((state.steps, str(state.view(None)), worlds))
        state.apply(len(found) % len(state.decision.options))
    return [*found, state.scores]


def test_close_to_the_limit_the_fault_comes_where_it_always_came(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = """
kind Card
  copies 8 for each rank: 1..4
table
  heap: pool of Card open
  passes: 0..9999
setup
  move all c in Card to heap
play
  for p in players
    p chooses n in 1..2
  repeat 5000 times
    passes += 1
    if dear((heap), 3)
      passes -= 0
value dear(h: set of Card, n: 1..9): flag = no a in h, b in h, c in h has a.rank + b.rank + c.rank > 40 + n
"""
    program = checked(rules)

    def met() -> tuple[str, int]:
        state = game_from_program(program).new(seed=1)
        with pytest.raises(rw.Fault) as caught:
            state.playout(1)
        return str(caught.value), caught.value.step

    found = met()
    monkeypatch.setattr(machine, "remembering", lambda value, told, known: value)
    assert met() == found
