"""What a game without `table.yaml` looks like, as somebody writes it from the reference: terrain, armies and ships,
goods, a board of one's own, cards with several numbers."""

from __future__ import annotations

from typing import Any

from interpreter.runtime.game import game_from_program
from interpreter.web.scene import scene_of
from interpreter.web.scene.presentation import NOTHING
from tests.toy_games import checked
from tests.web.scene.played import problems

ISLES = """
game isles "Isles" for 2 players as red, blue
enum Terrain = sea | plain | bog
enum Man = knight | squire
map water is hexagon of 2
  node Hex
kind Army "army"
  copies 2 for each owner: player
kind Ship "ship"
  copies 1 for each owner: player
kind Fort "fort"
  copies 1 for each owner: player
each Hex
  man: Man?
  terrain: Terrain = sea
  units: pool of Army | Ship | Fort open
  holder: player?
each Ship
  hold: pool of Army open
each player
  reserve: pool of Army | Ship | Fort open
setup
  for h in Hex where h.q == 0
    h.terrain = plain
  for p in players
    move all a in Army where a.owner == p to p.reserve
    move all s in Ship where s.owner == p to p.reserve
    move all f in Fort where f.owner == p to p.reserve
play
  in turn p from red until every q in players has q.reserve is empty
    choose x in p.reserve, h in Hex "What goes where?"
    move x to h.units
    h.holder = p
"""
WORKS = """
game works "Works" for 2 players
enum Family = trade | home
kind House "house"
  copies 2 for each family: Family, wood: 1..2, worth: 1..2
kind Chip "chip"
  copies 1 for each worth: 1..3
table
  offer: row of House open
  bank: pool of Chip open
each player
  wood: 0..30 capped
  stone: 0..30 capped
  plots: slots(3) of House open
  built: row of House open
  places_of_worth: slots(20) of House open
setup
  move all h in House to offer
  move all c in Chip to bank
play
  in turn p from seat1 until offer is empty
    choose h in offer "Which house?"
    move h to p.built
"""


def scene(rules: str, seat: int = 0, play: int = 0) -> dict[str, Any]:
    game = game_from_program(checked(rules))
    state = game.new(seed=1)
    for _ in range(play):
        state.apply(0)
    found = scene_of(game, state, seat, presentation=NOTHING)
    assert not problems(found)
    return found


def test_terrain_that_the_rules_set_is_the_ground_of_a_map() -> None:
    (board,) = scene(ISLES)["maps"]
    told = {node["ground"]: (node["tint"], node["sign"]) for node in board["nodes"]}
    assert set(told) == {"sea", "plain"} and told["sea"][1] == "water" and told["plain"][1] == "grass"
    assert [one["ground"] for one in board["legend"]] == ["sea", "plain"], "what may be none is no ground"
    assert all(field["name"] != "terrain" for node in board["nodes"] for field in node["fields"])


def test_pieces_of_players_that_look_the_same_have_the_letter_of_their_kind() -> None:
    letters = {piece["kind"]: piece["letter"] for piece in scene(ISLES)["pieces"]}
    assert letters == {"Army": "A", "Ship": "S", "Fort": "F"}
    alone = ISLES.replace(" | Ship | Fort", "").replace("    move all s in Ship where s.owner == p to p.reserve\n", "")
    one = alone.replace("    move all f in Fort where f.owner == p to p.reserve\n", "").replace('"ship"', '"ship tile"')
    assert all("letter" not in piece for piece in scene(one.replace('"fort"', '"fort tile"'))["pieces"])


def test_goods_are_counters_and_no_tracks() -> None:
    assert not scene(WORKS)["tracks"]
    one = WORKS.replace("  stone: 0..30 capped\n", "")
    assert [track["declared"] for track in scene(one)["tracks"]] == ["wood"], "a single number is worth a track"


def test_the_spaces_of_my_board_lie_before_me() -> None:
    areas = {area["column"]: area["items"] for area in scene(WORKS, 0, 1)["areas"] if area["seat"] == 0}
    assert areas["tray"] == ["p0.plots[]", "p0.built"]
    assert areas["seat"] == ["p0.places_of_worth[]"], "a long row would leave no room for anything else"
    places = {place["declared"]: place.get("look") for place in scene(WORKS)["places"]}
    assert places["plots"] == places["offer"] == "cards" and places["bank"] is None


def test_a_card_with_several_numbers_says_what_the_large_one_counts() -> None:
    cards = [piece for piece in scene(WORKS)["pieces"] if piece["kind"] == "House"]
    assert {(card["counts"], card["counts_symbol"]) for card in cards} == {("wood", "tree")}
    assert all("counts" not in piece for piece in scene(WORKS)["pieces"] if piece["kind"] == "Chip")
