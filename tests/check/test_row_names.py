"""Rows made by `copies … for each`: the id has the ids of the keys, people read their names."""

from __future__ import annotations

from pathlib import Path

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
