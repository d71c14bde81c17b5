"""Rulesets of a few lines, written to a folder for a test."""

from __future__ import annotations

from pathlib import Path

DUEL = """\
game duel "Duel" for 2..3 players as red, blue, black

kind Card from cards.yaml
  power: 1..9

table
  deck: pile of Card hidden
  heap: pile of Card open
  dice: 2 dice of 1..6

each player
  hand: hand of Card secret
  coins: 0..20

setup
  move all c in box to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand

play
  in turn p from red until deck is empty
    turn(p)

phase turn(p) "Turn of {p}"                                   @D-01
  roll dice                                                   @D-02
  choose one "What do you do?"
    "Draw a card" if deck is not empty                        @D-03
      draw 1 from deck to p.hand
    buy(p)
    "Play {c}" for c in p.hand                                @D-05
      move c to heap
      p gains c.power coins
    "Rest"                                                    @D-06

action buy(p) "Buy victory"                                   @D-04
  pay 5 coins                                                 @D-04
  p wins "Bought"

score p
  "Coins"  p.coins
rank p by highest score, then shared
"""

# Rules without decisions, for scenarios to stand at; nothing in the game calls them.
PLAIN_EFFECTS = """
effect bless(p)
  p gains 1 coins

effect burn(p, c: Card)
  move c to heap
"""

CARDS = """\
kind: Card
default: known
rows:
  - {id: low, name: Low card, power: 1, copies: 2}
  - {id: high, name: High card, power: 9}
  - {id: mid, name: Middle card, power: 5}
"""

RULEBOOK = """\
title: Duel
clauses:
""" + "".join(f"  - {{id: D-0{n}, page: '1', summary: 'Sentence {n}.'}}\n" for n in range(1, 8))


def write_ruleset(folder: Path, name: str, rules: str, **files: str) -> Path:
    """A ruleset folder with its rules, a manifest, and further files by name (`cards_yaml=…` is cards.yaml)."""
    home = folder / name
    home.mkdir(parents=True)
    (home / "ruleset.yaml").write_text(f"format: 1\nname: {name}\n")
    (home / f"{name}.rules").write_text(rules)
    for file, text in files.items():
        path = home / file.replace("__", "/").replace("_yaml", ".yaml").replace("_rules", ".rules")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return home
