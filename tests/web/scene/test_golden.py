"""Whole scenes of two small games, to be read as a diff.

`UPDATE_GOLDEN=1 python -m pytest tests/web/scene/test_golden.py` rewrites them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter.runtime.game import game_from_program
from interpreter.web.scene import scene_of
from interpreter.web.scene.presentation import NOTHING
from tests.toy_games import checked
from tests.web.scene.played import problems

FOLDER = Path(__file__).parents[2] / "golden" / "scenes"
COMMAND = "# rewritten by: UPDATE_GOLDEN=1 python -m pytest tests/web/scene/test_golden.py\n"

CARDS = """
game cards "Cards" for 2 players as red, blue
enum Suit = hearts | spades
kind Card "card"
  copies 4 for each suit: Suit
table
  deck: pile of Card hidden
  market: pool of Card open capacity 2
each player
  hand: hand of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 1 from deck to market
  for p in players
    draw 1 from deck to p.hand
play
  in turn p from red until deck is empty
    turn(p)
phase turn(p) "Turn of {p}"                                                    @C-01
  choose one "What do you do?"
    "Take {c}" for c in market                                                 @C-02
      move c to p.hand
      gain 1 points
    "Draw"                                                                     @C-03
      draw 1 from deck to p.hand
score p
  "Points"  p.points
"""

ROADS = """
game roads "Roads" for 2 players as red, blue
map land is line of 3
  node Town
kind Pawn "pawn"
  copies 2 for each owner: player
each Town
  pawns: pool of Pawn open capacity 2
  ruler: player?
each player
  home: Town?
  reserve: pool of Pawn open
setup
  for p in players
    move all w in Pawn where w.owner == p to p.reserve
play
  in turn p from red until every t in Town has t.ruler is not none
    turn(p)
phase turn(p) "Turn of {p}"
  choose t in Town where t.ruler is none "Which town?"
  t.ruler = p
  p.home = t
  move up to 1 w in p.reserve to t.pawns
"""


@pytest.mark.parametrize(("name", "rules", "seat"), [("cards", CARDS, 0), ("roads", ROADS, 1)])
def test_a_scene_is_as_it_was_read(name: str, rules: str, seat: int) -> None:
    game = game_from_program(checked(rules))
    before = game.new(seed=3)
    scene: dict[str, Any] = scene_of(game, before.clone().apply(0), seat, since=before, presentation=NOTHING)
    assert not problems(scene)
    plain = json.loads(json.dumps(scene))  # parts that scenes share would be written as references
    text = COMMAND + yaml.safe_dump(plain, sort_keys=False, width=118, allow_unicode=True)
    file = FOLDER / f"{name}.yaml"
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
