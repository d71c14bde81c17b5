"""Questions to maps, as the checker reads them: what they give, and what is said of those that cannot be asked."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.check.program import Program, Reach
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.toys import gather_text

RULES = """\
map board is grid 3 by 3
  node Cell
  edge Link
map wheel is ring of 5
  node Spoke
map rails is line of 4
  node Stop
  edge Rail
map loop is ring of cell_1_1, cell_1_3, cell_3_3
each Cell
  owner: player?
each Link
  price: 0..3
each player
  coins: 0..99
play
  in turn p from seat1 until every c in Cell has c.owner is not none
    choose c in Cell where c.owner is none "Take a cell"
    c.owner = p
value asked(p, c: Cell, d: Cell, l: Link, w: Spoke) = QUESTION
score p
  "Coins"  p.coins
rank p by highest score, then shared
"""


def checked(question: str) -> tuple[Program | None, Diagnostics]:
    found = Diagnostics()
    return check(gather_text(RULES.replace("QUESTION", question), found=found), found), found


@pytest.mark.parametrize(
    ("question", "gives"),
    [
        ("edges(c)", "set of Link"),
        ("edges(c, d)", "set of Link"),
        ("edge(c, d)", "Link?"),
        ("distance(c, d)", "0..8"),
        ("distance(Cell.cell_1_1, d)", "0..8"),
        ("distance(cell_1_1, cell_3_3)", "0..8"),
        ("loop.distance(cell_1_1, cell_3_3)", "0..2"),
        ("loop.neighbours(c)", "set of Cell"),
        ("wheel.toward(w, onward)", "Spoke?"),
        ("ring(w, 2)", "set of Spoke"),
        ("reach from c along x in Link where x.price < 2", "set of Cell"),
        ("reach from c along x in Link through y in Cell where y.owner == p stopping at Cell", "set of Cell"),
        ("cheapest from c to d along x in Link costing x.price", "0..24?"),
        ("cheapest path from c to d along x in Link costing x.price", "set of Link"),
        ("count(cheapest path from c to d along x in Link costing x.price)", "0..12"),
        ("count(reach from c through y in Cell)", "0..9"),
        ("count(y in reach from c along x in Link)", "0..9"),
        ("count(y in reach from c along x in Link where x.price < 2 where y.owner == p)", "0..9"),
        ("count(y in reach from c where y.owner == p)", "0..9"),
        ("all y in reach from c along x in Link by lowest y.row", "set of Cell"),
        ("first x in cheapest path from c to d along x in Link costing x.price", "Link?"),
        ("some y in reach from c along x in Link through z in Cell has y.owner == p", "flag"),
        ("sum(x.price for x in cheapest path from c to d along l2 in Link costing 1 where x.price > 1)", "0..36"),
        ("groups(y in Cell where y.owner == p)", "0..9"),
        ("longest_trail(x in Link where x.price < 2)", "0..12"),
        ("longest_trail(x.price for x in Link through y in Cell where y.owner == p)", "0..36"),
        ("loop.groups(y in Cell where y.owner == p)", "0..3"),
        ("loop.largest_group(y in Cell where y.owner == p)", "0..3"),
        ("board.longest_line(y through c where y.owner == p)", "0..9"),
        ("board.longest_line(y through cell_3_3 where y.owner == p)", "0..9"),
        ("loop.distance(c, cell_3_3)", "0..2?"),
        ("wheel.distance(w, spoke_1)", "0..4"),
    ],
)
def test_what_a_question_gives(question: str, gives: str) -> None:
    program, found = checked(question)
    assert program is not None, [finding.headline for finding in found]
    assert str(program.rules["asked"].result) == gives


@pytest.mark.parametrize(
    ("question", "code", "words"),
    [
        ("edges(w)", "R0326", "the map `wheel` has no edges to ask for"),
        ("edge(w, w)", "R0326", "the map `wheel` has no edges to ask for"),
        ("edges(c, d, c)", "R0437", "`edges` takes one or two arguments"),
        ("reach from c along x in Cell", "R0430", "one goes along edges, not a Cell"),
        ("reach from c along x in (Link, Cell)", "R0431", "a Cell cannot stand in a list of Link"),
        ("reach from c along x in (Link, Rail)", "R0430", "this may be of the map `board` or of `rails`"),
        ("reach from c through x in Link", "R0430", "one goes through nodes, not a Link"),
        ("reach from w along x in Link", "R0430", "a Spoke is no node of the map `board`"),
        ("reach from l along x in Link", "R0430", "this is a Link, not a node of a map"),
        ("cheapest from c to d along x in Link costing x.price - 1", "R0472", "a way cannot cost less than nothing"),
        ("reach from c through x in Spoke", "R0430", "a Spoke is no node of the map `board`"),
        ("reach from c along x in Link through y in Spoke", "R0430", "a Spoke is no node of the map `board`"),
        ("reach from c along x in Link stopping at Spoke", "R0430", "a Spoke is no node of the map `board`"),
        (
            "cheapest from c to d along x in Link costing 1 stopping at Spoke",
            "R0430",
            "a Spoke is no node of the map `board`",
        ),
        ("ends(c)", "R0430", "this is a Cell, not an edge of a map"),
        ("cheapest path from c to d along x in Cell costing 1", "R0430", "one goes along edges, not a Cell"),
        ("distance(cell_1_1, cell_9_9)", "R0320", "there is nothing named `cell_9_9` here"),
        ("loop.distanse(c, d)", "R0326", "a map cannot be asked for `distanse`"),
        ("loop.distance(cell_1_1, cell_2_2)", "R0352", "`cell_2_2` is not on the map `loop`"),
        ("loop.neighbours(w)", "R0352", "a Spoke is not on the map `loop`"),
        ("loop.ends(l)", "R0352", "a Link is not on the map `loop`"),
        ("cheapest from c to w along x in Link costing 1", "R0352", "a Spoke is not on the map `board`"),
        ("loop.groups(y in Spoke)", "R0430", "a Spoke is no node of the map `loop`"),
        ("loop.groups(y in Link)", "R0430", "groups are of nodes, not of a Link"),
        ("loop.longest_line(y through w where yes)", "R0430", "a Spoke is no node of the map `loop`"),
        ("loop.longest_line(y through cell_2_2 where yes)", "R0352", "`cell_2_2` is not on the map `loop`"),
        ("loop.longest_line(y through cell_1_1 where yes)", "R0326", "the map `loop` has no straight lines"),
        ("longest_line(y through w where yes)", "R0326", "the map `wheel` has no straight lines"),
        ("p.groups(y in Cell)", "R0326", "a player is asked for groups or lines"),
        ("loop.groups(c)", "R0326", "`groups` does not go over anything here"),
        ("board.longest_line(y in Cell)", "R0326", "`longest_line` does not go over anything here"),
        ("lopp.groups(y in Cell)", "R0320", "there is nothing named `lopp` here"),
        ("groups(y in (c, w))", "R0430", "this may be of the map `board` or of `wheel`"),
        ("distance(c if c.owner == p else w, d)", "R0430", "this may be of the map `board` or of `wheel`"),
        ("count(y in reach from c along x in Link where y.owner == p)", "R0320", "there is nothing named `y` here"),
    ],
)
def test_what_cannot_be_asked(question: str, code: str, words: str) -> None:
    program, found = checked(question)
    assert program is None
    assert (code, words) in [(finding.code, finding.headline) for finding in found]


def test_a_condition_on_the_wrong_name_is_told_how_to_end_the_source() -> None:
    _, found = checked("count(y in reach from c along x in Link where y.owner == p)")
    (told,) = [finding for finding in found if finding.code == "R0320"]
    assert told.help == "end the source before `where`: `y in (…) where …`"


def test_reach_goes_the_ways_of_the_map_that_makes_the_start() -> None:
    """`loop` runs over the same cell, and is asked by name only."""
    for question in ("reach from cell_1_1", "reach from c through y in Cell", "reach from c along x in Link"):
        program, _ = checked(question)
        assert program is not None
        reach = program.rules["asked"].expression
        assert isinstance(reach, Reach) and reach.map.name == "board"


def test_a_direction_of_another_map_is_told_with_those_of_this_one() -> None:
    _, found = checked("toward(c, onward)")
    assert next(iter(found)).help == "one of `north`, `east`, `south`, `west`"
