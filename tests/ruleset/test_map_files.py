"""Maps from YAML and boards of hexes from tiles: what they become, and what is said of bad ones, at their line."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.diagnostics.diagnostic import Diagnostic, Diagnostics
from interpreter.ruleset.gather import gather

STREETS = """\
game toy "Toy" for 2..3 players
map town from town.yaml
  node Area
  node Square
    worth: 0..9 = 1
    gift: effect?
  edge Street
    slots: 1..2
each Street
  owner: player?
each player
  coins: 0..9
effect gain_coins(p, n: 1..5)
  gain up to n coins
play
  in turn p from seat1 until every s in Street has s.owner is not none
    choose s in Street where s.owner is none "Take a street"
    s.owner = p
    for q in ends(s)
      if q is Square
        gain up to q.worth coins
        if q.gift is not none
          perform q.gift for p
    gain up to s.slots coins
score p
  "Coins"  p.coins
rank p by highest score, then shared
"""

TOWN = """\
map: town
default: assumed
nodes:
  Area:
    - {id: cinema, name: The Cinema, at: [0, 0]}
    - {id: diner, at: [40, 0]}
  Square:
    - {id: q1, at: [10, 0], worth: 3}
    - {id: q2, at: [20, 0], gift: gain_coins(2)}
edges:
  Street:
    - {ends: [cinema, q1], slots: 1}
    - {ends: [q1, q2], slots: 2, by_players: {3: {slots: 1}}}
    - {id: main, ends: [q2, diner], slots: 1}
    - {ends: [q2, diner], slots: 2, by_players: [3]}
"""

HEXES = """\
game toy "Toy" for 2..3 players
enum Terrain = sand | rock
map island is hexes from island.yaml
  node Hex
    terrain: Terrain
each Hex
  owner: player?
play
  in turn p from seat1 until every h in Hex has h.owner is not none
    choose h in Hex where h.owner is none and h.terrain != rock or h.owner is none "Take a hex"
    h.owner = p
score p
  "Hexes"  count(h in Hex where h.owner == p)
rank p by highest score, then shared
"""

ISLAND = """\
map: island
default: assumed
tiles:
  beach:
    - {at: [0, 0], terrain: sand, id: cave}
    - {at: [1, 0], terrain: rock}
  cliff:
    - {at: [0, 0], terrain: rock}
    - {at: [1, 0], terrain: sand, name: Look-out}
layouts:
  2:
    - {tile: beach, at: [0, 0]}
    - {tile: cliff, at: [0, -1], turn: 5}
  3:
    - {tile: beach, at: [0, 0]}
    - {tile: cliff, at: [2, 0]}
    - {tile: cliff, at: [0, 1]}
"""


def checked(workshop, rules: str, file: str, text: str, players: int = 2) -> tuple[Program | None, list[Diagnostic]]:
    workshop.write("toy/ruleset.yaml", "name: toy\n")
    workshop.write("toy/toy.rules", rules)
    workshop.write(f"toy/{file}", text)
    found = Diagnostics()
    gathered = gather("toy", players, found)
    return (check(gathered, found) if gathered is not None else None), list(found)


def sound(workshop, rules: str, file: str, text: str, players: int = 2) -> Program:
    program, found = checked(workshop, rules, file, text, players)
    assert program is not None, [finding.headline for finding in found]
    return program


def table(program: Program, name: str) -> tuple[object, ...]:
    return next(table.values for table in program.attributes if table.name == name)


def test_a_map_from_a_file(workshop) -> None:
    program = sound(workshop, STREETS, "town.yaml", TOWN)
    assert [node.id for node in program.nodes] == ["cinema", "diner", "q1", "q2"]
    assert [node.name for node in program.nodes][:2] == ["The Cinema", "diner"]
    assert [edge.id for edge in program.edges] == ["cinema_q1", "q1_q2", "main"]
    town = program.maps["town"]
    assert town.neighbours == {0: (2,), 1: (3,), 2: (0, 3), 3: (1, 2)}
    assert town.ends == {0: (0, 2), 1: (2, 3), 2: (3, 1)} and town.edges_of[3] == (1, 2)
    assert town.positions[1] == (40.0, 0.0) and not town.directions
    assert table(program, "worth") == (-(1 << 31), -(1 << 31), 3, 1, -(1 << 31))
    assert table(program, "slots")[:3] == (1, 2, 1)
    gift = table(program, "gift")[3]
    assert isinstance(gift, int) and program.cells[gift].calls[0].rule.name == "gain_coins"


def test_rows_by_number_of_players_and_two_streets_between_the_same_nodes(workshop) -> None:
    program = sound(workshop, STREETS, "town.yaml", TOWN, players=3)
    assert [edge.id for edge in program.edges] == ["cinema_q1", "q1_q2", "main", "q2_diner"]
    assert table(program, "slots")[:4] == (1, 1, 1, 2)
    assert program.maps["town"].neighbours[3] == (1, 2) and program.maps["town"].edges_of[3] == (1, 2, 3)


def test_a_board_of_hexes(workshop) -> None:
    program = sound(workshop, HEXES, "island.yaml", ISLAND)
    assert [node.id for node in program.nodes] == ["cave", "hex_1_0", "hex_0_m1", "hex_1_m2"]
    assert [node.name for node in program.nodes] == ["cave", "hex 1,0", "hex 0,-1", "Look-out"]
    island = program.maps["island"]
    assert island.directions[:2] == ("north_east", "east")
    assert island.neighbours[0] == (1, 2) and island.border == {0, 1, 2, 3}
    assert island.points == {0: (0, 0), 1: (1, 0), 2: (0, -1), 3: (1, -2)}
    assert len(sound(workshop, HEXES, "island.yaml", ISLAND, players=3).nodes) == 6


BAD_TOWNS = [
    (
        "by_players: {3: {slots: 1}}",
        "by_players: {2: {slots: 1}, 2..3: {slots: 2}}",
        "R0206",
        "`slots` is given twice for 2 players",
        "13: overlap",
    ),
    ("at: [20, 0]", "at: [10, 0]", "R0247", "`q1` and `q2` lie in one place", "9: move one"),
    ("[q2, diner], slots: 1}", "[q2, dinner], slots: 1}", "R0242", "there is no node `dinner`", "14: `diner`"),
    ("[q1, q2], slots: 2", "[q1, q1], slots: 2", "R0245", "`q1_q1` joins `q1` with itself", "13:"),
    ("id: q2", "id: q1", "R0243", "`q1` stands twice in this map", "9:"),
    ("id: main", "id: q1", "R0243", "`q1` stands twice in this map", "14:"),
    ("{ends: [q1, q2]", "{ends: [cinema, q1]", "R0244", "there is no way from `cinema` to `diner`", "6:"),
    ("[q1, q2], slots: 2", "[q1, q2], slots: 3", "R0255", "value 3 is outside 1..2", "13:"),
    ("[cinema, q1], slots: 1", "[cinema, q1]", "R0250", "`cinema_q1` has no `slots`", "12:"),
    ("worth: 3", "wort: 3", "R0210", "unknown key `wort`", "8: `worth`"),
    ("gain_coins(2)", "gain_coin(2)", "R0259", "there is no effect `gain_coin`", "9: `gain_coins`"),
    ("  Square:", "  Sqare:", "R0246", "there is no node kind `Sqare`", "7: `Square`"),
    ("edges:\n", "edges:\n  Moat: []\n", "R0246", "there is no edge kind `Moat`", "11: `edge Moat`"),
    ("map: town", "map: city", "R0241", "this is the map `city`", "1:"),
    ("ends: [cinema, q1]", "ends: [cinema]", "R0214", "`ends` is empty or too short", "12:"),
    ("at: [10, 0]", "at: [10, left]", "R0212", "an entry of `at` must be a whole number", "8:"),
]


def test_an_edge_is_not_called_like_a_node(workshop) -> None:
    text = (
        TOWN.replace("id: q2, at", "id: cinema_q1, at")
        .replace("[q1, q2]", "[q1, cinema_q1]")
        .replace("[q2", "[cinema_q1")
    )
    program, found = checked(workshop, STREETS, "town.yaml", text)
    assert program is not None, [finding.headline for finding in found]
    assert program.edges[0].id == "cinema_q1_2"


def test_a_key_of_many_edges_that_the_rules_do_not_declare_is_reported_once(workshop) -> None:
    _, found = checked(workshop, STREETS, "town.yaml", TOWN.replace("{ends:", "{width: 3, toll: yes, ends:"))
    told = [(one.headline, one.primary.span.line, one.help) for one in found]
    assert told == [
        ("unknown key `width`", 12, "declare it below `edge Street`: `width: 3..3`; or leave it out"),
        ("unknown key `toll`", 12, "declare it below `edge Street`: `toll: flag`; or leave it out"),
    ]


@pytest.mark.parametrize(("old", "new", "code", "words", "line"), BAD_TOWNS)
def test_bad_maps(workshop, old: str, new: str, code: str, words: str, line: str) -> None:
    assert old in TOWN
    program, found = checked(workshop, STREETS, "town.yaml", TOWN.replace(old, new, 1))
    [first] = found  # one cause, one report
    assert program is None and (first.code, words) == (code, first.headline)
    number, _, likely = line.partition(":")
    assert first.primary.span.line == int(number) and first.primary.span.source.name.endswith("town.yaml")
    assert likely.strip() in (first.help or "")


@pytest.mark.parametrize(
    ("text", "words", "label"),
    [
        ("kind: Card\ndefault: known\nrows: []\n", "`town.yaml` is not a map", "this looks like a table"),
        ("just some words\n", "`town.yaml` is not a map", "neither `nodes` nor `edges` is there"),
        ("- 1\n- 2\n", "`town.yaml` is not a map", "neither `nodes` nor `edges` is there"),
        (ISLAND, "`town.yaml` is not a map", "this looks like tiles"),
    ],
)
def test_a_file_that_is_no_map(workshop, text: str, words: str, label: str) -> None:
    program, found = checked(workshop, STREETS, "town.yaml", text)
    assert program is None
    assert [(f.code, f.headline, f.primary.text) for f in found] == [("R0241", words, label)]
    assert found[0].primary.span.at.endswith("town.yaml:1:1")


def test_a_map_in_several_parts_on_purpose(workshop) -> None:
    text = TOWN.replace("{ends: [q1, q2]", "{ends: [cinema, q1]", 1).replace("nodes:", "connected: no\nnodes:")
    assert len(sound(workshop, STREETS, "town.yaml", text).edges) == 3


def test_a_map_without_nodes(workshop) -> None:
    text = "map: town\ndefault: known\nnodes: {Area: [], Square: []}\nedges: {Street: []}\n"
    _, found = checked(workshop, STREETS, "town.yaml", text)
    assert [(one.code, one.headline, one.primary.span.line) for one in found] == [("R0240", "a map without nodes", 3)]


def test_kinds_that_the_file_leaves_out(workshop) -> None:
    rules = STREETS.replace("  edge Street\n", "  edge Canal\n  edge Street\n")
    _, found = checked(workshop, rules, "town.yaml", TOWN)
    assert found[0].headline == "`town.yaml` has no edges of kind `Canal`" and found[0].primary.span.line == 7


BAD_ISLANDS = [
    ("tile: beach, at: [0, 0]", "tile: beech, at: [0, 0]", "R0248", "there is no tile `beech`", 12),
    ("at: [0, -1], turn: 5", "at: [0, 0], turn: 5", "R0247", "two hexes lie on 0, 0", 13),
    ("at: [1, 0], terrain: rock", "at: [0, 0], terrain: rock", "R0247", "two hexes lie on 0, 0", 6),
    (
        "at: [0, -1], turn: 5",
        "at: [5, 5]",
        "R0244",
        "the board is in 2 parts: there is no way from `cave` to `hex_5_5`",
        13,
    ),
    ("terrain: rock}\n  cliff", "terrain: roc}\n  cliff", "R0256", "`roc` is no value of Terrain", 6),
    ("turn: 5", "turn: 6", "R0213", "value 6 is outside 0..5", 13),
    ("  2:\n", "  3..3:\n", "R0249", "no layout for 2 players", 10),
    ("tile: cliff, at: [0, -1]", "tile: beach, at: [0, -3]", "R0243", "`cave` stands twice in this map", 5),
    ("at: [1, 0], terrain: rock", "terrain: rock", "R0211", "the key `at` is missing", 6),
]


@pytest.mark.parametrize(("old", "new", "code", "words", "line"), BAD_ISLANDS)
def test_bad_boards(workshop, old: str, new: str, code: str, words: str, line: int) -> None:
    assert old in ISLAND
    program, found = checked(workshop, HEXES, "island.yaml", ISLAND.replace(old, new, 1))
    assert program is None
    assert [(one.code, one.headline, one.primary.span.line) for one in found] == [(code, words, line)]


def test_tiles_read_as_a_map_and_the_other_way_round(workshop) -> None:
    _, found = checked(workshop, HEXES, "island.yaml", TOWN)
    assert found[0].code == "R0241" and found[0].help == "read it with `map NAME from FILE`"


def test_nodes_of_another_map_that_are_not_there(workshop) -> None:
    rules = STREETS.replace("each Street", "map canals from canals.yaml\n  edge Canal\neach Street", 1)
    workshop.write("toy/canals.yaml", "map: canals\ndefault: known\nedges:\n  Canal:\n    - {ends: [cinema, dinner]}\n")
    _, found = checked(workshop, rules, "town.yaml", TOWN)
    assert (found[0].code, found[0].headline) == ("R0351", "there is no node `dinner`")
    assert found[0].primary.span.source.name.endswith("canals.yaml") and found[0].primary.span.line == 5


def test_clauses_that_a_map_cites_are_looked_up(workshop) -> None:
    clause = "  - {id: T-001, page: town, summary: A cinema stands in the town.}"
    workshop.write("toy/rulebook.yaml", f"title: Toy\nlanguage: en\nclauses:\n{clause}\n")
    _, found = checked(workshop, STREETS, "town.yaml", TOWN.replace("id: diner,", "id: diner, cites: [T-002],"))
    assert "R0230" in [finding.code for finding in found], [finding.headline for finding in found]


@pytest.mark.parametrize(("rules", "file", "text"), [(STREETS, "town.yaml", TOWN), (HEXES, "island.yaml", ISLAND)])
def test_mangled_maps_give_findings(workshop, rules: str, file: str, text: str) -> None:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        for instead in ([], [line, line], [line[: len(line) // 2]], [f"  {line}"]):
            mangled = "\n".join([*lines[:number], *instead, *lines[number + 1 :]])
            program, found = checked(workshop, rules, file, mangled + "\n")
            assert program is not None or found, mangled
