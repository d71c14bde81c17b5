"""Every statement that moves or shows pieces, with every shape of place: one small ruleset for each.

The rules of a ruleset that somebody writes seldom shuffle a slot, or swap a pile with a hand. Whatever the checker lets
through must still play the same in every engine, keep pieces where they may be, and end in words and not in an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

SHAPES = {
    "stack": "pile of Card {seen}",
    "line": "row of Card {seen}",
    "short": "row of Card {seen} capacity 2",
    "heap": "pool of Card {seen}",
    "fan": "hand of Card {seen}",
    "sack": "bag of Card {seen}",
    "nook": "slot of Card {seen}",
    "nooks": "slots(3) of Card {seen}",
    "bins": "slots by Suit of Card {seen}",
}
PLACES = tuple(f"{owner}{name}" for name in SHAPES for owner in ("", "p.p_", "next(p).p_"))
OF_ONE = (
    "shuffle {a}",
    "flip (first of {a}) face down",
    "flip (top of {a}) face up",
    "reveal {a}",
    "reveal first of {a}",
    "reveal last of {a} to next(p)",
    "move top of {a} to box",
    "move bottom of {a} to p.p_line as first",
    "pick x in {a} at random if possible\n          move x to box",
    "pick x in {a} by highest x.rank if possible\n          move x to table_hand",
    "choose x in {a} if possible\n          move x to box",
    "for x in {a}\n          x.seen = 1",
    "move all x in {a} to box",
    "draw 1 from {a} to box",
    "draw up to 2 from {a} to p.p_line as last",
    "move {a} to box",
)
OF_TWO = (
    "swap {a} with {b}",
    "swap (first of {a}) with (last of {b})",
    "shuffle {a} into {b}",
    "move all x in {a} to {b}",
    "move up to 1 x in {a} to {b}",
    "move 2 x in {a} to {b}",
    "move top of {a} to {b}",
    "move first of {a} to {b} as last face down",
    "draw 1 from {a} to {b}",
    "draw up to 3 from {a} to {b}",
    "draw 2 from {a} to {b} on bottom",
)
PASSED = tuple(f"pass p_{name} {way}" for name in SHAPES for way in ("left", "right"))

RULES = """\
enum Suit = clubs | hearts
kind Card
  copies 2 for each suit: Suit, rank: 1..3
table
{table}
  table_hand: pool of Card open
  went_in: 0..99 capped
  went_out: 0..99 capped
  turns: 0..9
each player
{own}
each Card
  seen: 0..9
setup
  for c in Card
    let n = c.rank
    if c.suit == clubs
      move c to stack
    else if n == 1
      move c to line
    else if nook is empty
      move c to nook
    else if nooks[n] is empty
      move c to nooks[n]
    else
      move c to fan
  for p in players
    draw up to 1 from stack to p.p_stack
    draw up to 1 from stack to p.p_nooks[2]
{hooks}
play
  in turn p from seat1 until turns == 8
    turn(p)
phase turn(p)
  turns += 1
  {drops}
  choose one "What?"
{branches}
    "Stack" if some c in Card has c in box
      move 1 c in Card where c in box to stack
    "Line {{c}}" for c in line
      move c to p.p_line
    "Nook" if p.p_nook is empty and stack is not empty
      move top of stack to p.p_nook
    "Heap" if line is not empty
      move first of line to heap
    "Nothing"
score p
  "All" went_in + 3 * went_out + count(p.p_line) + 2 * count(p.p_fan)
rank p by highest score, then shared
"""
HOOKS = """\
after c enters line
  went_in += 1
after c enters p.p_line when c.rank > 1
  went_in += 2
after c leaves nook
  went_out += 1
after heap grows
  went_in += 5
after stack becomes empty
  went_out += 7
"""


def statements() -> Iterator[str]:
    """All of them, in an order that does not change."""
    for form, place in product(OF_ONE, PLACES):
        yield form.format(a=place)
    for form, a, b in product(OF_TWO, PLACES, PLACES):
        yield form.format(a=a, b=b)
    yield from PASSED


def rules_with(chosen: list[str], seen: str = "open", hooks: bool = False, drops: bool = False) -> str:
    """A ruleset in which each of these statements is a way to spend a turn."""
    branches = "\n".join(f'    "Way {n}"\n      {s.replace(chr(10) + "    ", chr(10))}' for n, s in enumerate(chosen))
    return RULES.format(
        table="\n".join(f"  {name}: {shape.format(seen='open')}" for name, shape in SHAPES.items()),
        own="\n".join(f"  p_{name}: {shape.format(seen=seen)}" for name, shape in SHAPES.items()),
        hooks=HOOKS if hooks else "",
        drops='if turns == 4\n    p loses "Out"' if drops else "went_in += 0",
        branches=branches,
    )
