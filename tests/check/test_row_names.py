"""Rows made by `copies … for each`: the id has the ids of the keys, people read their names."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw
from tests.play.toys import write_ruleset

MAP = """\
map: land
default: known
nodes:
  City:
    - {id: st_petersburg, name: "St. Petersburg"}
    - {id: old_town}
edges:
  Road:
    - {ends: [st_petersburg, old_town]}
"""
GUILDS = """\
enum: Guild
default: known
rows:
  - {id: smiths, name: "the Smiths"}
"""
RULES = """\
game travel "Travel" for 2 players

enum Guild from guilds.yaml

map land from land.yaml
  node City
  edge Road

kind Ticket
  copies 1 for each city: City, guild: Guild, fast: flag

table
  shop: pool of Ticket open

setup
  move all t in Ticket to shop

play
  in turn p from seat1 until shop is empty
    choose t in shop "Which ticket?"
    move t to box
"""


def test_people_read_the_names_of_nodes_and_values(tmp_path: Path) -> None:
    folder = write_ruleset(tmp_path, "travel", RULES, land_yaml=MAP, guilds_yaml=GUILDS)
    options = rw.load(str(folder)).new().decision.options
    assert [(option.ids[0], str(option)) for option in options] == [
        ("ticket_st_petersburg_smiths", "Ticket St. Petersburg the Smiths"),
        ("ticket_st_petersburg_smiths_fast", "Ticket St. Petersburg the Smiths fast"),
        ("ticket_old_town_smiths", "Ticket old town the Smiths"),
        ("ticket_old_town_smiths_fast", "Ticket old town the Smiths fast"),
    ]


CARDS = """\
kind: Card
default: known
rows:
  - {id: airlift}
  - {id: paris, city: 4, copies: COPIES}
"""
SINGLE = """\
game single "Single" for 2 players

kind Card from cards.yaml
  city: 0..9?

table
  row: row of Card open
  worth: 0..99

setup
  for c in Card where c not in Card.airlift
    move c to row
  for c in Card.paris
    worth += c.city otherwise 0

play
  for p in players
    p chooses c in row where c in Card.paris "Which card?"
      move c to box
"""


@pytest.mark.parametrize("copies", [1, 2])
def test_the_name_of_a_row_is_a_set_however_many_copies_there_are(tmp_path: Path, copies: int) -> None:
    tables = {"cards_yaml": CARDS.replace("COPIES", str(copies))}
    state = rw.load(str(write_ruleset(tmp_path, "single", SINGLE, **tables))).new(auto=False)
    assert {option.ids[0] for option in state.decision.options} == {"paris"}


def test_what_the_table_says_of_a_row_is_not_none(tmp_path: Path) -> None:
    rules = SINGLE.replace("  for p in players\n", "  worth += Card.paris.city\n  for p in players\n")
    rw.load(str(write_ruleset(tmp_path, "single", rules, cards_yaml=CARDS.replace("COPIES", "1"))))
    rules = rules.replace("worth += Card.paris", "worth += Card.airlift")
    with pytest.raises(rw.RulesetError, match="none"):
        rw.load(str(write_ruleset(tmp_path / "none", "single", rules, cards_yaml=CARDS.replace("COPIES", "1"))))
