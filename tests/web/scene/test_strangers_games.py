"""What a game without `table.yaml` looks like, as somebody writes it from the reference: terrain, armies and ships,
goods, a board of one's own, cards with several numbers."""

from __future__ import annotations

from math import dist, hypot
from typing import Any

import pytest

from interpreter.runtime.game import game_from_program
from interpreter.web.scene import scene_of
from interpreter.web.scene.presentation import NOTHING, Presentation
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


SETTLERS = """
game settlers "Settlers" for 2 players as red, blue
enum Land = forest | desert
kind Tile
  copies 6 for each land: Land
map island is SHAPE
  node Space
map roads is corners of island
  node Corner
  edge Side
each Space
  tile: slot of Tile open never empty
each Corner
  owner: player?
each Side
  owner: player?
setup
  for h in Space
    move 1 t in Tile where t in box to h.tile
play
  in turn p from red until every c in Corner has c.owner is not none
    choose c in Corner where c.owner is none "Where?"
    c.owner = p
"""
WORKERS = """
game workers "Workers" for 2 players
enum Spot = mill | inn
kind Worker "worker"
  copies 2 for each owner: player
table
  spaces: slots by Spot of Worker open
each player
  home: pool of Worker open
setup
  for p in players
    move all w in Worker where w.owner == p to p.home
play
  in turn p from seat1 until every s in Spot has spaces[s] is not empty
    choose w in p.home, s in Spot where spaces[s] is empty "Who goes where?"
    move w to spaces[s]
"""
GOODS = """
game goods "Goods" for 2 players
enum Good = wood | wool | ore
each player
  stock[Good]: 0..9
play
  in turn p from seat1
    choose g in Good "Which?"
    if p.stock[g] == 9
      p wins "Nine"
    p.stock[g] += 1
"""
WALL = """
game wall "Wall" for 2 players
map wall is line of 3
  node Part
each Part
  height: 0..3
play
  in turn p from seat1
    choose n in Part "Which?"
    if n.height == 3
      p wins "High"
    n.height += 1
"""
BOATS = """
game boats "Boats" for 2 players
kind Boat "boat"
  copies 2 for each owner: player
map lake is ring of mill, inn, fort
  node Port
each Port
  moored: pool of Boat open
each player
  days: 0..9
setup
  for p in players
    move 1 b in Boat where b.owner == p and b in box to Port.mill.moored
    move 1 b in Boat where b.owner == p and b in box to Port.inn.moored
play
  in turn p from seat1 until every q in players has q.days == 3
    p.days += 1
    choose one "What do you do?"
      "{b} sails to the fort" for b in Boat where b.owner == p and at(b) is not none and at(b) != fort
        move b to Port.fort.moored
      "Wait"
"""


PATHS = """
game paths "Paths" for 2 players
enum Land = road | meadow
kind Tile from tiles.yaml
  edge[1..4]: Land
map board is grid 2 by 2
  node Cell
table
  hand: slot of Tile open
  stack: pile of Tile open
each Cell
  tile: slot of Tile open
each Tile
  turned: 0..3
setup
  move all t in Tile to stack
  draw 1 from stack to hand
play
  in turn p from seat1 until every c in Cell has c.tile is not empty
    choose one "Where, turned how far?"
      "{c}, {n}" for c in Cell, n in 0..3 where c.tile is empty
        for t in hand
          t.turned = n
          move t to c.tile
    draw up to 1 from stack to hand
"""
PATH_TILES = """
kind: Tile
default: known
rows:
  - {id: bend, edge: [road, road, meadow, meadow], copies: 6}
"""


PLAGUE = """
game plague "Plague" for 2 players as red, blue
enum Ill = fever | cough
map land is line of ayr, bath
  node Town
  edge Road
map field is hexagon of 2
  node Hex
each Town
  cubes[Ill]: 0..3
  house[1..2]: player?
  shut: flag
each Hex
  owner: player?
  built: Ill?
each Road
  cost: 0..20
setup
  for r in Road
    r.cost = 13
  Town.ayr.cubes[cough] = 2
  Town.ayr.house[2] = blue
  Town.ayr.shut = yes
  Hex.hex_1_1.owner = red
  Hex.hex_1_1.built = cough
play
  in turn p from red until every t in Town has t.cubes[fever] == 1
    choose t in Town where t.cubes[fever] == 0 "Where?"
    t.cubes[fever] = 1
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


@pytest.mark.parametrize("shape", ["hexagon of 2", "grid 3 by 3", "rhombus 2 by 3"])
def test_corners_lie_on_the_board_whose_spaces_meet_there(shape: str) -> None:
    drawn = scene(SETTLERS.replace("SHAPE", shape), play=1)
    board, corners = drawn["maps"]
    assert corners["on"] == board["id"] and "on" not in board
    assert [item for area in drawn["areas"] for item in area["items"]] == [board["id"]]
    far = 0.5**0.5 if board["sort"] == "grid" else 1 / 3**0.5  # from the middle of a space to its corners
    for space in board["nodes"]:
        near = [c for c in corners["nodes"] if abs(hypot(c["x"] - space["x"], c["y"] - space["y"]) - far) < 0.01]
        assert len(near) == (4 if board["sort"] == "grid" else 6)
    ends = {node["id"]: (node["x"], node["y"]) for node in corners["nodes"]}
    sides = {round(dist(*(ends[end] for end in edge["ends"])), 2) for edge in corners["edges"]}
    assert sides == {1.0 if board["sort"] == "grid" else 0.58}
    assert not any(node["fields"] for node in [*board["nodes"], *corners["nodes"]]), "what is seen is not told again"


def test_a_tile_that_always_lies_there_is_the_ground() -> None:
    board = scene(SETTLERS.replace("SHAPE", "hexagon of 2"))["maps"][0]
    told = {(node["ground"], node["sign"]) for node in board["nodes"]}
    assert told == {("forest", "tree"), ("desert", "sand")}
    assert all(node["tile"] == f"{node['id']}.tile" for node in board["nodes"])
    numbered = SETTLERS.replace("SHAPE", "hexagon of 2").replace("land: Land", "land: Land, worth: 1..2")
    assert all("tile" not in node and "tint" in node for node in scene(numbered)["maps"][0]["nodes"])
    sometimes = SETTLERS.replace("SHAPE", "hexagon of 2").replace(" never empty", "")
    assert all("ground" not in node for node in scene(sometimes)["maps"][0]["nodes"])


def test_a_worker_is_put_by_pointing_at_the_space() -> None:
    options = scene(WORKERS)["decision"]["options"]
    assert {tuple(option["touches"][1:]) for option in options} == {("spaces[mill]",), ("spaces[inn]",)}


def test_options_that_read_the_same_say_where_their_piece_lies() -> None:
    options = scene(BOATS)["decision"]["options"]
    assert [option.get("note") for option in options] == ["mill", "inn", None]


def test_values_with_the_same_first_letter_have_more_letters() -> None:
    (mine, _) = scene(GOODS)["counters"]
    assert [item["letter"] for item in mine["items"]] == ["Wood", "Wool", "O"]


def test_the_number_in_a_name_is_no_figure_and_nothing_is_a_figure() -> None:
    (board,) = scene(WALL)["maps"]
    told = [[(one["name"], one["value"]) for one in node["fields"]] for node in board["nodes"]]
    assert told == [[("height", 0)]] * 3


def test_money_alone_is_no_track_and_figures_are_no_title() -> None:
    one = WORKS.replace("  stone: 0..30 capped\n", "").replace("  wood: 0..30 capped", "  coins: 0..30 capped")
    assert not scene(one)["tracks"]
    orders = WORKS.replace("copies 2 for each family: Family, wood: 1..2", "copies 2 for each wood: 1..2")
    cards = [piece for piece in scene(orders)["pieces"] if piece["kind"] == "House"]
    assert cards and all(card["title"] == "" and card["counts"] == "wood" for card in cards)


def test_a_tile_shows_its_sides_as_it_lies() -> None:
    """One value of an enum for each side of a space, and how far the tile is turned: drawn, and no row of words."""
    game = game_from_program(checked(PATHS, tables={"tiles.yaml": PATH_TILES}))
    found = scene_of(game, game.new(), 0, presentation=NOTHING)
    assert not problems(found)
    [held] = [piece for piece in found["pieces"] if piece["place"] == "hand"]
    assert [side["name"] for side in held["sides"]["values"]] == ["road", "road", "meadow", "meadow"]
    assert held["sides"]["turned"] == 0 and held["sides"]["by"] == "turned" and "fields" not in held
    option = found["decision"]["options"][1]
    turn = [change for change in option["preview"]["counters"] if change["id"] == f"{held['id']}.turned"]
    assert option["label"] == "cell 1 1, 1" and [change["to"] for change in turn] == [1]
    after = scene_of(game, game.new().apply(1), 1, presentation=NOTHING)
    [laid] = [piece for piece in after["pieces"] if piece["place"] == "n.cell_1_1.tile"]
    assert laid["sides"]["turned"] == 1 and "fields" not in laid
    otherwise = Presentation({"kinds": {"Tile": {"turned": "none", "turns": "anticlockwise"}}})
    plain = scene_of(game, game.new().apply(1), 1, presentation=otherwise)
    [laid] = [piece for piece in plain["pieces"] if piece["place"] == "n.cell_1_1.tile"]
    assert "turned" not in laid["sides"] and laid["fields"] == [{"name": "turned", "value": 1}]
    none = scene_of(game, game.new(), 0, presentation=Presentation({"kinds": {"Tile": {"sides": "none"}}}))
    [held] = [piece for piece in none["pieces"] if piece["place"] == "hand"]
    assert "sides" not in held and [field["name"] for field in held["fields"]] == ["edge"]


def test_fields_of_nodes_with_an_index_are_told_one_by_one() -> None:
    game = game_from_program(checked(PLAGUE))
    found = scene_of(game, game.new(), 0, presentation=NOTHING)
    assert not problems(found)
    ayr, bath = found["maps"][0]["nodes"]
    assert [(one["id"], one["name"], one["value"]) for one in ayr["fields"]] == [
        ("n.ayr.cubes[cough]", "cubes cough", 2),
        ("n.ayr.house[2]", "house 2", "blue"),
        ("n.ayr.shut", "shut", True),
    ]
    cubes, house, _ = ayr["fields"]
    assert cubes["letter"] == "C" and cubes["tint"] and house["seat"] == 1 and ayr["owner"] is None
    assert bath["fields"] == [], "what is nothing is not told"
    option, _ = found["decision"]["options"]
    assert option["preview"]["counters"] == [{"id": "n.ayr.cubes[fever]", "from": 0, "to": 1}]


def test_a_price_by_goods_names_what_it_costs() -> None:
    rules = """
enum Good = wood | wool | ore
kind Barn from barns.yaml
  price[Good]: 0..9
table
  offer: row of Barn open
setup
  move all b in Barn to offer
play
  in turn p from seat1 until offer is empty
    choose b in offer "Which?"
    move b to box
"""
    rows = """
kind: Barn
default: known
rows:
  - {id: shed, name: "Shed", price: {wood: 2, wool: 0, ore: 1}}
  - {id: gift, name: "Gift", price: {wood: 0, wool: 0, ore: 0}}
"""
    game = game_from_program(checked(rules, tables={"barns.yaml": rows}))
    shed, gift = scene_of(game, game.new(), 0, presentation=NOTHING)["pieces"]
    assert [field["value"] for field in shed["fields"]] == ["wood 2, ore 1"] and not gift.get("fields")


KINGDOMS = """
game kingdoms "Kingdoms" for 2 players as red, blue
enum Land = wood | lake
enum Way = across | down
kind Tile
  copies 3 for each land: Land
map realm is grid 2 by 2
  node Cell
map chart_of_stars is grid 2 by 2
  node Star
each Cell
  land[player]: Land?
  numbers[player, Way]: 0..9
  tile[player]: slot of Tile open
each Star
  owner: player?
  seen[player]: flag
each player
  crowned[Cell]: flag
play
  in turn p from red until every c in Cell has every q in players has c.land[q] is not none
    choose c in Cell, l in Land where c.land[p] is none "What goes where?"
    c.land[p] = l
    c.numbers[p, across] = 3
    p.crowned[c] = yes
    move up to 1 t in Tile where t in box to c.tile[p]
"""


def test_a_board_that_each_player_has_says_of_everything_whose_it_is() -> None:
    """A kingdom of each player on one map was drawn as one board, with what everybody has on each space."""
    game = game_from_program(checked(KINGDOMS))
    state = game.new()
    before = state.clone()
    state.apply(state.decision.find("cell 1 2, lake"))
    scene = scene_of(game, state, 0, since=before)
    assert problems(scene) == []
    realm, stars = scene["maps"]
    assert realm["own"] and "own" not in stars  # a star has an owner, which all share
    cell = next(node for node in realm["nodes"] if node["name"] == "cell 1 2")
    told = {field["declared"]: field for field in cell["fields"]}
    assert {name: field["of"] for name, field in told.items()} == {"land": 0, "numbers": 0, "crowned": 0}
    assert told["land"]["value"] == "lake" and told["land"]["ground"].startswith("#") and "seat" not in told["land"]
    assert told["numbers"]["index"] == "across" and told["numbers"]["value"] == 3
    places = {place["id"]: place for place in scene["places"]}
    assert [places[one]["of"] for one in cell["places"]] == [0, 1]
    assert [len(places[one]["pieces"]) for one in cell["places"]] == [1, 0]
    assert cell["changed_on"] == [0] and cell["id"] not in scene["changes"]["ids"]


MOSAIC = """
game mosaic "Mosaic" for 2 players
enum Colour = blue | red
kind Tile
  copies 6 for each colour: Colour
table
  offer: row of Tile open
each player
  wall[1..3, Colour]: slot of Tile open
  line[1..3]: slot of Tile open
setup
  move all t in Tile to offer
play
  in turn p from seat1 until offer is empty
    choose t in offer, i in 1..3 where p.wall[i, t.colour] is empty "Where?" if possible
      move t to p.wall[i, t.colour]
"""


def test_a_slot_over_two_indexes_has_lines_and_columns() -> None:
    game = game_from_program(checked(MOSAIC))
    scene = scene_of(game, game.new(), 0, presentation=NOTHING)
    assert not problems(scene)
    walls = [group for group in scene["groups"] if "lattice" in group]
    assert [group["seat"] for group in walls] == [0, 1]
    for wall in walls:
        assert wall["lattice"] == {"lines": ["1", "2", "3"], "columns": ["blue", "red"]}
        labels = [f"{line}, {column}" for line in wall["lattice"]["lines"] for column in wall["lattice"]["columns"]]
        assert [row["label"] for row in wall["rows"]] == labels, "line by line"
