"""Directions are written as one word in the rules, and read as words by people."""

from __future__ import annotations

from pathlib import Path

import interpreter as rw
from interpreter.play.language import in_language
from interpreter.play.scenarios import find_scenarios, run_scenarios
from tests.play.toys import write_ruleset

# The map with the directions comes second: a road has directions of its own, which are never meant here.
RULES = """\
game wander "Wander" for 2 players

map road is line of 3
  node Stone

map board is grid 3 by 3 with diagonals
  node Cell

table
  place: Cell = cell_2_2
  way: Direction = north
  wind: Direction = north

each Stone
  used: flag

play
  in turn p from seat1 until toward(place, north_east) is none
    pick w in Direction at random
    wind = w
    walk_on(p)

phase walk_on(p)
  choose d in Direction where toward(place, d) is not none "Which way?"
  way = d
  place = toward(place, d) otherwise place
  for s in Stone where s.number == 1
    s.used = yes

scenario "By its word, by its label"
  given
    at play
  when
    seat1 chooses south_west
    chance pick south_east
    seat2 chooses "north east"
    seat1 chooses north_east
  then
    way == north_east
    wind == south_east
    the game is over
"""
TEXTS = 'language: fr\ntexts:\n  "Which way?": "Par où ?"\n  "west": "couchant"\n'


def test_each_map_has_its_own_and_people_read_words(tmp_path: Path) -> None:
    folder = write_ruleset(tmp_path, "wander", RULES)
    (folder / "texts").mkdir()
    (folder / "texts" / "fr.yaml").write_text(TEXTS, encoding="utf-8")
    game = rw.load(str(folder))
    state = game.new()
    told = [str(option) for option in state.decision.options]
    assert told[:3] == ["north", "north east", "east"] and len(told) == 8
    assert [option.ids for option in state.decision.options][1] == ("north_east",)
    state.apply(1)
    assert state.view(None)["fields"]["table"]["way"] == "north east"
    assert game.from_json(state.to_json()).same_as(state)
    french = [str(option) for option in in_language(game, "fr").new().decision.options]
    assert french == ["nord", "nord-est", "est", "sud-est", "sud", "sud-ouest", "couchant", "nord-ouest"]


def test_scenarios_name_them_either_way(tmp_path: Path) -> None:
    [verdict] = run_scenarios(find_scenarios(str(write_ruleset(tmp_path, "wander", RULES))))
    assert verdict.failure is None
