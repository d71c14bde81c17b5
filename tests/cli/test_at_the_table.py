"""What a person reads at the table: maps with what is printed on them, what is picked so far, unseen pieces."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.cli.printed_map import Printed
from interpreter.cli.table_view import map_lines
from interpreter.play.language import translated_meta
from interpreter.runtime.game import game_from_program
from interpreter.runtime.texts import thing_text
from tests.toy_games import checked

RULES = """\
game town "Town" for 2 players as ann, bob

map town from town.yaml
  node Square
    worth: 0..9?
  edge Street
    length: 1..3
    steep: flag
  edge Canal

each Street
  owner: player?
  trips: 0..3
each Canal
  owner: player?
  trips: 0..3
each player
  points: 0..99

play
  in turn p from ann until every s in Street has s.owner is not none
    turn(p)

phase turn(p)
  choose s in Street where s.owner is none "Which street?"
  s.owner = p
  p gains s.length points
  s.trips = 3
  for c in Canal
    c.trips = 3

score p
  "Points"  p.points
"""

TOWN = """\
map: town
default: known
nodes:
  Square:
    - {id: gate, name: "Gate", worth: 0}
    - {id: well, name: "Well", worth: 4}
    - {id: hill, name: "Hill", worth: none}
edges:
  Street:
    - {ends: [gate, well], length: 2, steep: no}
    - {id: climb, name: "Long Climb", ends: [well, hill], length: 3, steep: yes}
    - {ends: [hill, gate], length: 1, steep: no}
  Canal:
    - {ends: [gate, hill]}
"""


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "town"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: town\n", encoding="utf-8")
    (folder / "town.rules").write_text(RULES, encoding="utf-8")
    (folder / "town.yaml").write_text(TOWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def played(*arguments: str, lines: str) -> str:
    command = [sys.executable, "-m", "interpreter", "play", *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout


@pytest.mark.usefixtures("town")
def test_what_is_printed_on_a_map_is_seen_before_it_is_chosen() -> None:
    first, second = played("town", "--seat", "2=person", lines="2\nq\n").split("\nTown · Turn")[1:]
    assert (
        "Map\n  Gate  worth 0\n  Well  worth 4\n\n"
        "Street\n  Gate - Well  length 2\n  Long Climb   Well - Hill; length 3; steep\n  Hill - Gate  length 1\n\n"
    ) in first
    assert "  Long Climb   Well - Hill; length 3; steep; owner ann; trips 3\n" in second


@pytest.mark.usefixtures("town")
def test_fields_of_the_same_name_are_told_by_their_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["show", "town", "state"]) == 0
    told = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert [own for name, own in (pair for pair in told if len(pair) == 2) if name == "owner"] == ["Street", "Canal"]
    exit_code_of(["validate", "town", "--deep", "4", "--format", "json"])
    remarks = json.loads(capsys.readouterr().out)["remarks"]
    assert [r["at"]["line"] for r in remarks if r["headline"] == "`trips` reaches its highest value 3"] == [13, 16]


def test_of_a_large_map_only_what_is_offered_or_has_something_on_it() -> None:
    printed = [Printed(f"street_{n}", f"Street {n}", f"length {n}", "street") for n in range(1, 14)]
    view = {"fields": {"edges": {"street_3": {"owner": "ann"}, "street_4": {"owner": None}}}}
    assert map_lines(view, printed, offered={"Street 12"}) == [
        "Street",
        "  Street 3   length 3; owner ann",
        "  Street 12  length 12",
        "  (11 not shown: m)",
    ]
    assert len(map_lines(view, printed[:12], offered=())) == 13


@pytest.mark.usefixtures("town")
def test_the_whole_map_can_be_asked_for() -> None:
    asked = played("town", lines="m\nq\n").split("ann> m\n")[1]
    assert asked.startswith("Map\n  Gate  worth 0\n") and "Long Climb" in asked


DEEDS = """\
kind Deed from deeds.yaml "estate"
kind SmallCoin
  copies 2
table
  deck: pile of Deed hidden
each player
  deeds: hand of Deed secret
setup
  move all d in Deed to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.deeds
play
  in turn p from seat1 until deck is empty
    look(p)
phase look(p)
  choose d in p.deeds "Which one?"
  say "{p} looks at {d}"
"""


def test_unseen_pieces_are_called_by_the_text_of_their_kind() -> None:
    tables = {"deeds.yaml": "kind: Deed\ndefault: known\nrows:\n  - {id: mill}\n  - {id: farm}\n  - {id: lake}\n"}
    game = game_from_program(checked(DEEDS, tables=tables))
    state = game.new(0, auto=False).apply(0)
    assert state.log(0) == ["seat1: lake", "seat1 looks at lake"]
    assert state.log(1) == ["seat1: an estate", "seat1 looks at an estate"]
    assert game.meta.unseen == {"Deed": "an estate", "SmallCoin": "a small coin"}
    meta = replace(game.meta, translations={"fr": {"an estate": "un domaine"}})
    french = translated_meta(meta, "fr")
    assert thing_text(french, "piece", 0, lambda piece: False) == "un domaine"
