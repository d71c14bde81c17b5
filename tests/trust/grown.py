"""Texts grown from the grammar of the rules itself: every form that can be written, in every place where it may stand.

Productions come from `rules.lark` as Lark reads it, so a new form is tried as soon as it is in the grammar. A terminal
that is a word stands for itself; names, types, numbers and texts are taken from small stocks, in which a sketch of a
ruleset (`SKETCH`) has something declared under most of them. So what grows is often checked further than its names.
"""

from __future__ import annotations

import random
import re
from functools import cache

from lark.grammar import NonTerminal, Symbol
from lark.lexer import PatternStr

from interpreter.syntax.parse import lark_parser

SKETCH = """game small "Small" for 2 players

enum Colour = red | green | blue
kind Card
  copies 2 for each colour: Colour, rank: 1..3
constant most: 1..9 = 3
map board is grid 2 by 3
  node Cell

table
  n: 0..9
  deck: pile of Card hidden
  row_of: row of Card open
each player
  hand: hand of Card secret
  coins: 0..9 capped
each Cell
  owner: player?

setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand

value double(k: 0..9): 0..18 = k * 2

play
  repeat 2 times
    for p in players
      turn(p)

effect earn(p, k: 0..3) "Earn {k}"
  gain k coins

phase turn(p)
  choose c in p.hand "Which?"
  move c to row_of
"""
STOCK = {
    "NAME": "p n deck hand coins c k earn turn board red seat1 row_of most q x owner players rank colour box double",
    "TYPE": "Card Colour Cell Pearl",
    "INT": "0 1 2 3 9 99999999999999999999",
    "CLAUSE": "@S-01 @X-99",
    "FILE": "cards.yaml no/such.yaml",
    "COMPARE": "== != <= >= < >",
}
STRINGS = ['"?"', '"{p} takes {c}"', '"{"', '""', '"{n} {n|of} {{}}"', '"Kaya\u202e"', '"{deck}"']
COMMAS = {"_COMMA": ",", "_COMMA_THEN": ", then"}
DEEP, LONG = 14, 60  # productions; from there on the shortest way to an end is taken


@cache
def productions() -> dict[str, list[tuple[Symbol, ...]]]:
    found: dict[str, list[tuple[Symbol, ...]]] = {}
    for rule in lark_parser().rules:
        found.setdefault(rule.origin.name, []).append(tuple(rule.expansion))
    return found


@cache
def lengths() -> dict[str, int]:
    """The fewest steps in which each symbol can be brought to an end."""
    found: dict[str, int] = {}
    while True:
        before = dict(found)
        for name, ways in productions().items():
            known = [_steps(way, found) for way in ways]
            if any(steps is not None for steps in known):
                found[name] = 1 + min(steps for steps in known if steps is not None)
        if found == before:
            return found


def _steps(way: tuple[Symbol, ...], found: dict[str, int]) -> int | None:
    inner = [found.get(symbol.name) for symbol in way if isinstance(symbol, NonTerminal)]
    return None if None in inner else max([steps for steps in inner if steps is not None], default=0)


@cache
def words() -> dict[str, str]:
    """The terminals that are always written alike."""
    plain = {one.name: one.pattern for one in lark_parser().terminals}
    found = {name: pattern.value for name, pattern in plain.items() if isinstance(pattern, PatternStr)}
    return {name: _first_word(pattern.value) for name, pattern in plain.items()} | found | COMMAS


def _first_word(pattern: str) -> str:
    """What is first in a pattern of words with any space between them: `/for[ ]+each\\b/`, `/face[ ]+(up|down)\\b/`."""
    written = pattern.partition("(?=")[0].replace("[ ]+", " ").replace("\\b", "").replace("(?:", "(")
    return re.sub(r"\(([^()|]*)\|[^()]*\)", r"\1", written).partition("|")[0].strip("()")


def grown(rng: random.Random, symbol: str = "_statement") -> str:
    """A text that begins at this rule of the grammar."""
    made: list[str] = []
    left = [0]

    def grow(name: str, depth: int) -> None:
        left[0] += 1
        ways = productions()[name]
        if depth > DEEP or left[0] > LONG or rng.random() < 0.3:
            known = lengths()
            fewest = min(_steps(way, known) or 0 for way in ways)
            ways = [way for way in ways if (_steps(way, known) or 0) == fewest]
        for symbol in rng.choice(ways):
            if isinstance(symbol, NonTerminal):
                grow(symbol.name, depth + 1)
            else:
                made.append(symbol.name)

    grow(symbol, 0)
    return laid_out(rng, made)


def laid_out(rng: random.Random, terminals: list[str]) -> str:
    """Terminals as lines with their indentation."""
    text, indent = "", 0
    for name in terminals:
        if name in ("_INDENT", "_DEDENT"):
            indent += 1 if name == "_INDENT" else -1
        elif name == "EOL":
            text += "\n"
        else:
            stock = STRINGS if name == "STRING" else STOCK.get(name, "").split()
            word = rng.choice(stock) if stock else words()[name]
            text += ("  " * indent if not text or text[-1] == "\n" else " ") + word
    return text if text.endswith("\n") else text + "\n"


def grown_ruleset(rng: random.Random) -> str:
    """The sketch with some statements in its turn, and some declarations behind it."""
    statements = "".join(grown(rng) for _ in range(rng.randint(0, 3)))
    inside = "".join(f"  {line}\n" for line in statements.splitlines())
    declared = "".join("\n" + grown(rng, "_decl") for _ in range(rng.randint(0, 2)))
    return SKETCH + inside + declared
