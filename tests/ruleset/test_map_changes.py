"""Boards by variant: `extend map` adds, leaves out and changes; what is wrong with that is told at its line."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.diagnostics.diagnostic import Diagnostic, Diagnostics
from interpreter.ruleset.gather import gather
from tests.ruleset.test_map_files import HEXES, ISLAND, STREETS, TOWN

NIGHT = """\
map: town
default: known
nodes:
  Area: [{id: museum, at: [50, 0]}]
edges:
  Street:
    - {ends: [diner, museum], slots: 1, by_players: [3]}
    - {ends: [q1, museum], slots: 2}
without: [q2]
changes:
  Square: [{id: q1, worth: 7}]
  Street:
    - {id: cinema_q1, slots: 2, by_players: {3: {slots: 1}}}
connected: no
"""

TIDE = """\
map: island
default: assumed
tiles:
  bank:
    - {at: [0, 0], terrain: sand, id: bar}
layouts:
  2:
    - {tile: beach, at: [0, 0]}
    - {tile: bank, at: [2, 0]}
"""


def checked(
    workshop, rules: str, files: dict[str, str], variants: dict[str, str], players: int = 2
) -> tuple[Program | None, list[Diagnostic]]:
    """The toy with these variants, each given by its lines, all of them chosen."""
    of = "".join(f"variant {name} of toy\n{lines}" for name, lines in variants.items())
    workshop.write("toy/ruleset.yaml", "name: toy\n")
    workshop.write("toy/toy.rules", rules + of)
    for name, text in files.items():
        workshop.write(f"toy/{name}", text)
    found = Diagnostics()
    gathered = gather("+".join(("toy", *variants)), players, found)
    return (check(gathered, found) if gathered is not None else None), list(found)


def night(workshop, text: str = NIGHT, players: int = 2) -> tuple[Program | None, list[Diagnostic]]:
    files = {"town.yaml": TOWN, "night.yaml": text}
    return checked(workshop, STREETS, files, {"night": "  extend map town from night.yaml\n"}, players)


def tide(workshop, text: str = TIDE, players: int = 2) -> tuple[Program | None, list[Diagnostic]]:
    files = {"island.yaml": ISLAND, "tide.yaml": text}
    return checked(workshop, HEXES, files, {"tide": "  extend map island is hexes from tide.yaml\n"}, players)


def values(program: Program, name: str) -> tuple[object, ...]:
    return next(table.values for table in program.attributes if table.name == name)


def test_rows_are_added_left_out_and_changed(workshop) -> None:
    program, found = night(workshop)
    assert program is not None, [finding.headline for finding in found]
    assert [node.id for node in program.nodes] == ["cinema", "diner", "museum", "q1"]
    assert [edge.id for edge in program.edges] == ["cinema_q1", "q1_museum"]
    assert values(program, "worth")[3] == 7 and values(program, "slots")[:2] == (2, 2)
    assert program.maps["town"].neighbours == {0: (3,), 1: (), 2: (3,), 3: (0, 2)}


def test_an_extension_has_rows_by_number_of_players_too(workshop) -> None:
    program, _ = night(workshop, players=3)
    assert program is not None
    assert [edge.id for edge in program.edges] == ["cinema_q1", "diner_museum", "q1_museum"]
    assert values(program, "slots")[:3] == (1, 1, 2)


def test_the_game_without_the_variant_has_its_own_board(workshop) -> None:
    night(workshop)
    found = Diagnostics()
    gathered = gather("toy", 2, found)
    assert gathered is not None
    program = check(gathered, found)
    assert program is not None and [node.id for node in program.nodes] == ["cinema", "diner", "q1", "q2"]


def test_kinds_and_attributes_are_added(workshop) -> None:
    lines = "  extend map town from park.yaml\n    node Park\n    node Square\n      trees: 0..9 = 2\n"
    hook = "  after gain_coins(p, n)\n    gain up to sum(q.trees for q in Square) + count(Park) coins\n"
    park = "map: town\ndefault: known\nnodes: {Park: [{id: green}]}\nedges: {Street: [{ends: [green, q1], slots: 1}]}\n"
    files = {"town.yaml": TOWN, "park.yaml": park}
    program, found = checked(workshop, STREETS, files, {"park": lines + hook})
    assert program is not None, [finding.headline for finding in found]
    assert [node.kind for node in program.nodes] == ["Area", "Area", "Square", "Square", "Park"]
    assert values(program, "trees")[2:4] == (2, 2)


def test_a_layout_stands_in_the_place_of_another(workshop) -> None:
    program, found = tide(workshop)
    assert program is not None, [finding.headline for finding in found]
    assert [node.id for node in program.nodes] == ["cave", "hex_1_0", "bar"]
    others, _ = tide(workshop, players=3)
    assert others is not None and len(others.nodes) == 6  # the board's own layout for three


def test_what_is_known_is_marked_by_the_file_that_says_it(workshop) -> None:
    found = Diagnostics()
    night(workshop)
    gathered = gather("toy+night", 2, found)
    assert gathered is not None
    assert [file.entries["default"].value for file in gathered.map_files["town"]] == ["assumed", "known"]
    assert len(gathered.documents) == 2


BAD_NIGHTS = [
    ("without: [q2]", "without: [q9]", "R0242", "there is no node or edge `q9`", 9),
    ("id: q1, worth: 7", "id: q3, worth: 7", "R0242", "there is no Square `q3`", 11),
    ("id: q1, worth: 7", "id: q2, worth: 7", "R0242", "there is no Square `q2`", 11),
    ("id: q1, worth: 7", "id: q1, worth: 70", "R0255", "value 70 is outside 0..9", 11),
    ("id: q1, worth: 7", "id: q1, wort: 7", "R0210", "unknown key `wort`", 11),
    ("id: cinema_q1, slots: 2", "id: cinema_q1, ends: [q1, q2]", "R0210", "unknown key `ends`", 13),
    ("  Square: [{id: q1", "  Sqare: [{id: q1", "R0246", "there is no kind of nodes or edges `Sqare`", 11),
    ("ends: [q1, museum]", "ends: [q2, museum]", "R0242", "there is no node `q2`", 8),
    ("ends: [q1, museum]", "ends: [q1, musem]", "R0242", "there is no node `musem`", 8),
    ("id: museum, at", "id: diner, at", "R0243", "`diner` stands twice in this map", 4),
    ("map: town", "map: city", "R0241", "this is the map `city`", 1),
    ("slots: 2}\n", "slot: 2}\n", "R0210", "unknown key `slot`", 8),
    ("without: [q2]", "without: q2", "R0212", "`without` must be a list", 9),
    ("[{id: q1, worth: 7}]", "[{worth: 7}]", "R0211", "the key `id` is missing", 11),
    ("without: [q2]", "with_out: [q2]", "R0210", "unknown key `with_out`", 9),
]


@pytest.mark.parametrize(("old", "new", "code", "words", "line"), BAD_NIGHTS)
def test_bad_extensions(workshop, old: str, new: str, code: str, words: str, line: int) -> None:
    assert NIGHT.count(old) == 1
    program, found = night(workshop, NIGHT.replace(old, new))
    assert program is None
    told = [(one.code, one.headline, one.primary.span.line) for one in found]
    assert told == [(code, words, line)] and found[0].primary.span.source.name.endswith("night.yaml")


def test_a_part_that_an_extension_cuts_off_is_told(workshop) -> None:
    _, found = night(workshop, NIGHT.replace("connected: no\n", ""))
    assert [(one.code, one.headline) for one in found] == [("R0244", "there is no way from `cinema` to `diner`")]


BAD_TIDES = [
    ("tile: bank", "tile: bunk", "R0248", "there is no tile `bunk`", 9),
    ("  bank:", "  cliff:", "R0243", "`cliff` stands twice in this map", 4),
    ("at: [2, 0]", "at: [1, 0]", "R0247", "two hexes lie on 1, 0", 9),
    ("at: [2, 0]", "at: [9, 0]", "R0244", "the board is in 2 parts: there is no way from `cave` to `bar`", 9),
]


@pytest.mark.parametrize(("old", "new", "code", "words", "line"), BAD_TIDES)
def test_bad_extensions_of_tiles(workshop, old: str, new: str, code: str, words: str, line: int) -> None:
    assert TIDE.count(old) == 1
    program, found = tide(workshop, TIDE.replace(old, new))
    told = [(one.code, one.headline, one.primary.span.line) for one in found]
    assert program is None and told[0] == (code, words, line)
    assert found[0].primary.span.source.name.endswith("tide.yaml")


@pytest.mark.parametrize(
    ("rules", "line", "code", "words"),
    [
        (STREETS, "extend map town is hexes from tide.yaml", "R0605",
         "the map `town` is read from a file of nodes and edges"),
        (STREETS, "extend map town is grid 2 by 2", "R0605", "the map `town` is read from a file of nodes and edges"),
        (HEXES, "extend map island from night.yaml", "R0605", "the map `island` is put together from tiles"),
        (STREETS, "extend map twon from night.yaml", "R0603", "there is no map `twon` to extend"),
        (STREETS + "map loop is ring of cinema, diner, q1\n", "extend map loop from night.yaml", "R0605",
         "the map `loop` is a shape, and has no file to extend"),
        (STREETS, "extend map town from cards.yaml", "R0241", "`cards.yaml` is not a map"),
        (STREETS, "extend map town from nothing.yaml", "R0201", "the file `nothing.yaml` cannot be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_extended(workshop, rules: str, line: str, code: str, words: str) -> None:
    files = {"town.yaml": TOWN, "island.yaml": ISLAND, "night.yaml": NIGHT, "tide.yaml": TIDE}
    files["cards.yaml"] = "kind: Card\ndefault: known\nrows: []\n"
    _, found = checked(workshop, rules, files, {"odd": f"  {line}\n"})
    assert (code, words) in [(one.code, one.headline) for one in found], [one.headline for one in found]


def test_two_variants_that_change_one_attribute(workshop) -> None:
    dusk = "map: town\ndefault: known\nchanges:\n  Square: [{id: q1, worth: 5}]\n"
    files = {"town.yaml": TOWN, "night.yaml": NIGHT, "dusk.yaml": dusk}
    names = {name: f"  extend map town from {name}.yaml\n" for name in ("dusk", "night")}
    _, found = checked(workshop, STREETS, files, names)
    (told,) = found
    assert (told.code, told.headline) == ("R0604", "`worth` of `q1` is changed twice")
    places = [(label.span.source.name.rsplit("/", 1)[-1], label.span.line) for label in (told.primary, *told.others)]
    assert places == [("night.yaml", 11), ("dusk.yaml", 4)]


def test_a_layout_for_a_number_of_players_that_never_plays(workshop) -> None:
    program, found = tide(workshop, TIDE + "  7:\n    - {tile: bank, at: [0, 0]}\n")
    assert program is not None
    assert [(one.code, one.primary.span.line, one.primary.span.text) for one in found] == [("R0227", 10, "7")]


def test_two_variants_that_lay_out_the_same_board(workshop) -> None:
    files = {"island.yaml": ISLAND, "tide.yaml": TIDE, "flood.yaml": TIDE.replace("bank", "bench")}
    names = {name: f"  extend map island is hexes from {name}.yaml\n" for name in ("tide", "flood")}
    _, found = checked(workshop, HEXES, files, names)
    assert [(one.code, one.headline) for one in found] == [("R0604", "the layout for 2 players is changed twice")]


def file_of(lines: str) -> str:
    return f"map: town\ndefault: known\nconnected: no\n{lines}\n"


TOGETHER = [
    ("without: [q2]", "changes: {Square: [{id: q2, worth: 5}]}", "`q2` is left out and used"),
    ("without: [q2]", "edges: {Street: [{ends: [q2, cinema], slots: 1}]}", "`q2` is left out and used"),
    ("without: [cinema_q1]", "changes: {Street: [{id: cinema_q1, slots: 1}]}", "`cinema_q1` is left out and used"),
    ("changes: {Square: [{id: q2, worth: 4}]}", "changes: {Square: [{id: q2, worth: 5}]}",
     "`worth` of `q2` is changed twice"),
    ("without: [q2]", "without: [q2]", None),
    ("without: [q1]", "without: [cinema_q1]", None),
    ("changes: {Square: [{id: q2, worth: 4}]}", "changes: {Square: [{id: q1, worth: 5}]}", None),
]  # fmt: skip


@pytest.mark.parametrize("overriding", ("", "  overrides dusk\n"))
@pytest.mark.parametrize("order", (("dusk", "night"), ("night", "dusk")))
@pytest.mark.parametrize(("dusk", "night", "words"), TOGETHER)
def test_two_extensions_of_one_map(workshop, dusk: str, night: str, words: str, order, overriding: str) -> None:
    """Both at once are a conflict with both places, or mean the same in either order; overriding settles it."""
    files = {"town.yaml": TOWN, "dusk.yaml": file_of(dusk), "night.yaml": file_of(night)}
    names = {name: f"  extend map town from {name}.yaml\n" for name in order}
    names["night"] = overriding + names["night"]
    program, found = checked(workshop, STREETS, files, names)
    if words is None or overriding:
        assert program is not None, [finding.headline for finding in found]
        kept = "q2" in [node.id for node in program.nodes]
        assert kept == ("without: [q2]" not in dusk or night.count("q2") > night.count("without: [q2]"))
        return
    (told,) = found
    assert (told.code, told.headline) == ("R0604", words)
    places = [label.span.source.name.rsplit("/", 1)[-1] for label in (told.primary, *told.others)]
    assert places == [f"{order[1]}.yaml", f"{order[0]}.yaml"]


def test_a_variant_changes_what_the_game_has_changed(workshop) -> None:
    workshop.write("second/ruleset.yaml", "name: second\n")
    workshop.write("second/one.yaml", file_of("changes: {Square: [{id: q1, worth: 4}]}"))
    workshop.write("second/two.yaml", file_of("changes: {Square: [{id: q1, worth: 5}]}"))
    extend = "extend map town from {}.yaml\n"
    rules = f"use toy\n{extend.format('one')}variant v of second\n  {extend.format('two')}"
    workshop.write("second/second.rules", 'game second "Second" for 2 players\n' + rules)
    checked(workshop, STREETS, {"town.yaml": TOWN}, {})
    found = Diagnostics()
    gathered = gather("second+v", 2, found)
    program = check(gathered, found) if gathered is not None else None
    assert program is not None, [finding.headline for finding in found]
    assert values(program, "worth")[2] == 5


def test_two_layouts_for_one_number_of_players(workshop) -> None:
    text = TIDE.replace("  2:\n", "  2..3:\n    - {tile: bank, at: [0, 0]}\n  2:\n")
    _, found = tide(workshop, text)
    assert [(one.code, one.headline) for one in found] == [("R0249", "two layouts for 2 players")]


def test_what_is_removed_and_still_used_is_told_with_both_places(workshop) -> None:
    _, found = checked(workshop, STREETS, {"town.yaml": TOWN}, {"bare": "  remove gain_coins\n"})
    assert found and all(one.others[-1].text == "`bare` removes it here" for one in found)


def test_a_map_that_is_not_there_is_told_once(workshop) -> None:
    rules = STREETS + "each player\n  home: Square = q1\n"
    _, found = checked(workshop, rules, {"town.yaml": TOWN.replace("q1, ", "q9, ", 1)}, {})
    assert {one.code for one in found} == {"R0242"}, [one.headline for one in found]


def test_a_constant_set_by_itself_is_told_where_it_is_set(workshop) -> None:
    rules = "constant width: 1..9 = 3\n" + STREETS.replace("worth: 0..9 = 1", "worth: 0..width = 1")
    _, found = checked(workshop, rules, {"town.yaml": TOWN}, {"wide": "  set width = width + 1\n"})
    assert [(one.code, one.primary.span.text) for one in found] == [("R0311", "width + 1")]
